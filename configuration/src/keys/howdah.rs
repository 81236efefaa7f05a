//! Keys of our own.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "The most memory that all processes of one map may use; beyond it the attempt fails. The name is that of Hadoop 0.21."
    MAPREDUCE_MAP_MEMORY_PHYSICAL_MB: i64 = "mapreduce.map.memory.physical.mb", None, false, MegaBytes, Limits::Any,
        [], "TT", Behaviour, "Howdah";
    "The same of one reduce."
    MAPREDUCE_REDUCE_MEMORY_PHYSICAL_MB: i64 = "mapreduce.reduce.memory.physical.mb", None, false, MegaBytes, Limits::Any,
        [], "TT", Behaviour, "Howdah";
    "Whether the maps and reduces of a job whose classes all have native twins run in the native child: auto, never, or always (a job that cannot is refused). Setup and cleanup are native wherever the committer has a twin."
    HOWDAH_CHILD_NATIVE: String = "howdah.child.native", Some("auto"), false, None, Limits::Words(&["auto", "never", "always"]),
        [], "JT,TT,job", Behaviour, "Howdah";
    "Runs the native attempts of one job on one node as threads of one long-lived process."
    HOWDAH_CHILD_EXECUTOR: bool = "howdah.child.executor", Some("false"), false, None, Limits::Any,
        [], "job", Behaviour, "Howdah";
    "The executable of a job that is written in Rust, by the name of its link in the working directory: it is the child of the job's attempts. hadoop native sets it."
    HOWDAH_JOB_EXECUTABLE: String as "a file's name" = "howdah.job.executable", None, false, None, Limits::Any,
        [], "TT,job", Behaviour, "Howdah";
    "How slots are counted: typed, fungible or resources."
    HOWDAH_JOBTRACKER_SLOT_MODEL: String = "howdah.jobtracker.slot.model", Some("typed"), false, None, Limits::Words(&["typed", "fungible", "resources"]),
        [], "JT", Behaviour, "Howdah";
    "Lets a reduce start once no more maps of its job wait for a slot than run, where the job does not set the slow start itself."
    HOWDAH_JOBTRACKER_EARLY_REDUCES: bool = "howdah.jobtracker.early.reduces", Some("true"), false, None, Limits::Any,
        [], "JT", Behaviour, "Howdah";
    "Lets the fair scheduler compute demands and shares anew as soon as a job begins, ends or may start its reduces, beside its intervals, so that new jobs need not wait for the next one."
    HOWDAH_FAIRSCHEDULER_UPDATE_AT_ONCE: bool = "howdah.fairscheduler.update.at.once", Some("true"), false, None, Limits::Any,
        [], "scheduler", Tuning, "Howdah";
    "Holds the question of a client that waits for its job, for two seconds at most, until there is something to tell, so that it hears of the job's end at once."
    HOWDAH_JOBTRACKER_HOLD_EVENTS: bool = "howdah.jobtracker.hold.events", Some("true"), false, None, Limits::Any,
        [], "JT", Tuning, "Howdah";
    "Limits children by control groups."
    HOWDAH_TASKTRACKER_CGROUPS: bool = "howdah.tasktracker.cgroups", Some("false"), false, None, Limits::Any,
        [], "TT", Behaviour, "Howdah";
    "Children and map output survive a restart of the TaskTracker."
    HOWDAH_TASKTRACKER_PRESERVE: bool = "howdah.tasktracker.preserve", Some("false"), false, None, Limits::Any,
        [], "TT", Behaviour, "Howdah";
    "Uses class-data archives for Java children."
    HOWDAH_TASKTRACKER_CLASS_DATA: bool = "howdah.tasktracker.class.data", Some("true"), false, None, Limits::Any,
        [], "TT", Tuning, "Howdah";
    "Serves the container API beside the old protocols."
    HOWDAH_YARN_ENABLED: bool = "howdah.yarn.enabled", Some("false"), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "Howdah";
    "The wire version of HDFS, 1 or 2; found out where unset."
    HOWDAH_HDFS_VERSION: i32 = "howdah.hdfs.version", None, false, None, Limits::Any,
        [], "JT,TT,client,child", Behaviour, "Howdah";
}
