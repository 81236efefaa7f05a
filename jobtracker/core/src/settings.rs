//! What the core must know of the site's configuration, as plain values. The daemon fills it from `configuration` once
//! at start (queues, hosts and access lists again at a refresh); the core never sees a key or a file.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use types::{AccessControlList, Millis};

use crate::scheduler::{CapacitySettings, FairSettings};

/// Who this JobTracker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its start time as `yyyyMMddHHmm`, part of every id it gives.
    pub identifier: Arc<str>,
    /// The user it runs as, who is an administrator.
    pub user: String,
    /// When it started.
    pub started: Millis,
    /// The first job number it gives; 1 unless jobs of an equal identifier were found.
    pub first_job: i32,
}

/// Limits and intervals. `Settings::default()` is Hadoop 1.2.1's defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How many heartbeats per second the whole cluster sends (`mapred.heartbeats.in.second`).
    pub heartbeats_per_second: i32,
    /// Scales the interval (`mapreduce.jobtracker.heartbeats.scaling.factor`).
    pub heartbeat_scaling: f32,
    /// The shortest interval between heartbeats: 300 ms in 1.2.1, fixed there.
    pub heartbeat_interval_min: Duration,
    /// After how much silence a tracker is lost (`mapred.tasktracker.expiry.interval`).
    pub tracker_expiry: Duration,
    /// Most maps and reduces of one job; none if 0 or less (`mapred.jobtracker.maxtasks.per.job`).
    pub tasks_per_job_max: i32,
    /// Share of the slots that is kept free for failed and speculative attempts
    /// (`mapred.jobtracker.taskalloc.capacitypad`).
    pub capacity_pad: f32,
    /// Levels of the locality cache: 1 host, 2 host and rack (`mapred.task.cache.levels`).
    pub cache_levels: usize,
    /// Faults after which a host is graylisted (`mapred.max.tracker.blacklists`).
    pub tracker_blacklists_max: i32,
    /// How far above average a graylisted host's faults are (`mapred.cluster.average.blacklist.threshold`).
    pub average_blacklist_threshold: f64,
    /// How long a fault counts (`mapred.jobtracker.blacklist.fault-timeout-window`).
    pub fault_window: Duration,
    /// The grain in which faults age (`mapred.jobtracker.blacklist.fault-bucket-width`).
    pub fault_bucket: Duration,
    /// After how long a finished job leaves memory (`mapred.jobtracker.retirejob.interval`).
    pub retire_interval: Duration,
    /// How often finished jobs are looked through (`mapred.jobtracker.retirejob.check`).
    pub retire_check: Duration,
    /// Finished jobs kept whole per user (`mapred.jobtracker.completeuserjobs.maximum`).
    pub complete_user_jobs_max: usize,
    /// Retired jobs of which status, profile and counters are kept (`mapred.job.tracker.retiredjobs.cache.size`).
    pub retired_jobs_max: usize,
    /// Most counters of one job (`mapreduce.job.counters.limit`).
    pub counters_max: usize,
    /// Most counter groups of one job (`mapreduce.job.counters.groups.max`).
    pub counter_groups_max: usize,
    /// Most bytes one reduce is expected to read; none if 0 or less (`mapreduce.reduce.input.limit`).
    pub reduce_input_limit: i64,
    /// Most locations of one split, if limited (`mapreduce.job.max.split.locations`).
    pub split_locations_max: Option<usize>,
    /// Memory of a map slot in MiB, or -1 (`mapred.cluster.map.memory.mb`).
    pub map_slot_memory_mb: i64,
    /// Memory of a reduce slot in MiB, or -1 (`mapred.cluster.reduce.memory.mb`).
    pub reduce_slot_memory_mb: i64,
    /// Most memory of a map in MiB, or -1 (`mapred.cluster.max.map.memory.mb`).
    pub map_memory_max_mb: i64,
    /// Most memory of a reduce in MiB, or -1 (`mapred.cluster.max.reduce.memory.mb`).
    pub reduce_memory_max_mb: i64,
    /// Reduces of a job may start once its maps are all assigned (`howdah.jobtracker.early.reduces`).
    pub early_reduces: bool,
    /// Whether access lists count (`mapred.acls.enabled`).
    pub acls_enabled: bool,
    /// Who administers the cluster (`mapreduce.cluster.administrators`).
    pub administrators: AccessControlList,
    /// The queues, in configured order (`mapred.queue.names` and the queue file).
    pub queues: Vec<QueueSettings>,
    /// Which hosts may take part.
    pub hosts: HostLists,
    /// Which scheduler hands out tasks.
    pub scheduler: SchedulerKind,
    /// Whether the driver takes records of what a restart must know.
    pub journal: bool,
    /// Jobs that a scheduler holds back are initialised only when [`crate::JobTracker::initialize_jobs`] is called, not
    /// as soon as limits allow.
    pub init_on_call: bool,
}

/// One queue (Hadoop 1.2.1: QueueManager).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSettings {
    /// Its name.
    pub name: String,
    /// Whether it takes jobs: `mapred.queue.<name>.state`.
    pub running: bool,
    /// Who may submit: `.acl-submit-job`.
    pub submitters: AccessControlList,
    /// Who may administer its jobs: `.acl-administer-jobs`.
    pub administrators: AccessControlList,
}

impl QueueSettings {
    /// A running queue that is open to all.
    pub fn open(name: impl Into<String>) -> Self {
        QueueSettings {
            name: name.into(),
            running: true,
            submitters: AccessControlList::everybody(),
            administrators: AccessControlList::everybody(),
        }
    }
}

/// The include and the exclude file (`mapred.hosts`, `mapred.hosts.exclude`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HostLists {
    /// Only these may take part; all may if empty.
    pub include: BTreeSet<String>,
    /// These may not.
    pub exclude: BTreeSet<String>,
}

impl HostLists {
    /// Whether a host may take part.
    pub(crate) fn allow(&self, host: &str) -> bool {
        (self.include.is_empty() || self.include.contains(host)) && !self.exclude.contains(host)
    }
}

/// The schedulers there are (`mapred.jobtracker.taskScheduler`).
#[derive(Debug, Clone, PartialEq)]
pub enum SchedulerKind {
    /// `JobQueueTaskScheduler`.
    Fifo,
    /// `CapacityTaskScheduler`.
    Capacity(CapacitySettings),
    /// `LimitTasksPerJobTaskScheduler`.
    LimitTasksPerJob {
        /// Running tasks of a job below which it goes first, if there is such a limit
        /// (`mapred.jobtracker.taskScheduler.maxRunningTasksPerJob`).
        running_tasks_max: Option<i64>,
    },
    /// `FairScheduler`.
    Fair(Box<FairSettings>),
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            heartbeats_per_second: 100,
            heartbeat_scaling: 1.0,
            heartbeat_interval_min: Duration::from_millis(300),
            tracker_expiry: Duration::from_secs(600),
            tasks_per_job_max: -1,
            capacity_pad: 0.01,
            cache_levels: 2,
            tracker_blacklists_max: 4,
            average_blacklist_threshold: 0.5,
            fault_window: Duration::from_secs(180 * 60),
            fault_bucket: Duration::from_secs(15 * 60),
            retire_interval: Duration::from_secs(24 * 3600),
            retire_check: Duration::from_secs(60),
            complete_user_jobs_max: 100,
            retired_jobs_max: 1000,
            counters_max: 120,
            counter_groups_max: 50,
            reduce_input_limit: -1,
            split_locations_max: None,
            map_slot_memory_mb: -1,
            reduce_slot_memory_mb: -1,
            map_memory_max_mb: -1,
            reduce_memory_max_mb: -1,
            early_reduces: true,
            acls_enabled: false,
            administrators: AccessControlList::default(),
            queues: vec![QueueSettings::open("default")],
            hosts: HostLists::default(),
            scheduler: SchedulerKind::Fifo,
            journal: false,
            init_on_call: false,
        }
    }
}
