//! What clients see of jobs, queues and the cluster.

use crate::{AccessControlList, Counters, JobId, Millis, TaskAttemptId, TaskId};

/// The state of a job, with the wire's number (Hadoop 1.2.1: JobStatus).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobState {
    /// 1. Setup is done; also while its cleanup runs.
    Running,
    /// 2. All done and committed.
    Succeeded,
    /// 3. Gave up.
    Failed,
    /// 4. Submitted; not yet set up.
    Prep,
    /// 5. Ended by a user.
    Killed,
}

impl JobState {
    /// The number of the state on the wire and in `hadoop job -list`.
    pub fn number(self) -> i32 {
        match self {
            JobState::Running => 1,
            JobState::Succeeded => 2,
            JobState::Failed => 3,
            JobState::Prep => 4,
            JobState::Killed => 5,
        }
    }

    /// The state of that number.
    pub fn from_number(number: i32) -> Option<Self> {
        [JobState::Running, JobState::Succeeded, JobState::Failed, JobState::Prep, JobState::Killed]
            .into_iter()
            .find(|state| state.number() == number)
    }

    /// The Java constant's name.
    pub fn name(self) -> &'static str {
        match self {
            JobState::Running => "RUNNING",
            JobState::Succeeded => "SUCCEEDED",
            JobState::Failed => "FAILED",
            JobState::Prep => "PREP",
            JobState::Killed => "KILLED",
        }
    }

    /// Whether the job has ended.
    pub fn is_complete(self) -> bool {
        matches!(self, JobState::Succeeded | JobState::Failed | JobState::Killed)
    }
}

/// Defines an enum whose values travel as the names of Java's constants.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)* }

        impl $name {
            /// Every value, in Java's declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The Java constant's name.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The value of that name, spelled exactly.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}
pub(crate) use named_enum;

named_enum! {
    /// Scheduling priority, most urgent first.
    JobPriority {
        /// Before all others.
        VeryHigh = "VERY_HIGH",
        /// Before the usual.
        High = "HIGH",
        /// The default.
        Normal = "NORMAL",
        /// After the usual.
        Low = "LOW",
        /// After all others.
        VeryLow = "VERY_LOW",
    }
}

named_enum! {
    /// What a job's own access list governs.
    JobAcl {
        /// See counters, details and logs.
        ViewJob = "VIEW_JOB",
        /// Kill, fail, set the priority.
        ModifyJob = "MODIFY_JOB",
    }
}

named_enum! {
    /// The state of a task as reports show it.
    TipStatus {
        /// Has no attempt.
        Pending = "PENDING",
        /// Has a running attempt.
        Running = "RUNNING",
        /// Has a successful attempt.
        Complete = "COMPLETE",
        /// Ended with its job.
        Killed = "KILLED",
        /// Used up its attempts.
        Failed = "FAILED",
    }
}

named_enum! {
    /// What became of an attempt, as completion events tell it.
    CompletionStatus {
        /// Failed; another may follow.
        Failed = "FAILED",
        /// Killed; another may follow.
        Killed = "KILLED",
        /// Its output is there.
        Succeeded = "SUCCEEDED",
        /// Had succeeded, but the output was lost.
        Obsolete = "OBSOLETE",
        /// The task failed for good.
        TipFailed = "TIPFAILED",
    }
}

named_enum! {
    /// Whether a JobTracker is up.
    JobTrackerState {
        /// Starting.
        Initializing = "INITIALIZING",
        /// Serving.
        Running = "RUNNING",
    }
}

named_enum! {
    /// What `setSafeMode` is asked to do.
    SafeModeAction {
        /// Leave safe mode.
        Leave = "SAFEMODE_LEAVE",
        /// Enter safe mode.
        Enter = "SAFEMODE_ENTER",
        /// Only tell.
        Get = "SAFEMODE_GET",
    }
}

impl JobTrackerState {
    /// The default of a JobTracker that is only just being built.
    pub const START: Self = JobTrackerState::Initializing;
}

/// A job at a glance (Hadoop 1.2.1: JobStatus).
#[derive(Debug, Clone, PartialEq)]
pub struct JobStatus {
    /// Which job.
    pub job: JobId,
    /// 0 to 1.
    pub setup_progress: f32,
    /// 0 to 1.
    pub map_progress: f32,
    /// 0 to 1.
    pub reduce_progress: f32,
    /// 0 to 1.
    pub cleanup_progress: f32,
    /// Where it stands.
    pub state: JobState,
    /// When it was submitted.
    pub start_time: Millis,
    /// Who submitted it.
    pub user: String,
    /// How urgent it is.
    pub priority: JobPriority,
    /// What the scheduler says of it; `NA` if nothing.
    pub scheduling_info: String,
    /// Its own access lists, in wire order.
    pub acls: Vec<(JobAcl, AccessControlList)>,
    /// Why it failed; `NA` if it did not.
    pub failure_info: String,
}

/// What never changes about a job (Hadoop 1.2.1: JobProfile).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobProfile {
    /// Which job.
    pub job: JobId,
    /// The URL of its `job.xml`.
    pub job_file: String,
    /// Its page.
    pub url: String,
    /// Who submitted it.
    pub user: String,
    /// Its name.
    pub name: String,
    /// Its queue.
    pub queue: String,
}

/// The cluster at a glance (Hadoop 1.2.1: ClusterStatus).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterStatus {
    /// How many trackers are alive and used. Where names are listed this is their number.
    pub active_count: i32,
    /// Names of the active trackers; empty unless details were asked for.
    pub active: Vec<String>,
    /// How many trackers are blacklisted.
    pub blacklisted_count: i32,
    /// Names of the blacklisted ones.
    pub blacklisted: Vec<String>,
    /// How many trackers are graylisted.
    pub graylisted_count: i32,
    /// Names of the graylisted ones.
    pub graylisted: Vec<String>,
    /// How many nodes the exclude file names.
    pub excluded_count: i32,
    /// After how many milliseconds of silence a tracker is lost.
    pub tracker_expiry_ms: i64,
    /// Running map attempts.
    pub running_maps: i32,
    /// Running reduce attempts.
    pub running_reduces: i32,
    /// All map slots.
    pub map_slots: i32,
    /// All reduce slots.
    pub reduce_slots: i32,
    /// Bytes of memory the JobTracker uses.
    pub used_memory: i64,
    /// Bytes of memory it may use.
    pub max_memory: i64,
    /// Whether it is up.
    pub state: JobTrackerState,
}

/// A task as clients see it (Hadoop 1.2.1: TaskReport).
#[derive(Debug, Clone, PartialEq)]
pub struct TaskReport {
    /// Which task.
    pub task: TaskId,
    /// 0 to 1.
    pub progress: f32,
    /// What its best attempt says it does.
    pub state: String,
    /// When its first attempt started.
    pub start_time: Millis,
    /// When it ended; 0 before.
    pub finish_time: Millis,
    /// What went wrong so far. `None` is Java's null string.
    pub diagnostics: Vec<Option<String>>,
    /// Of its best attempt.
    pub counters: Counters,
    /// Where it stands.
    pub status: TipStatus,
    /// Its running attempts; written only when `status` is `Running`.
    pub running: Vec<TaskAttemptId>,
    /// The attempt that won; written only when `status` is `Complete`.
    pub successful: Option<TaskAttemptId>,
}

/// The end of one attempt (Hadoop 1.2.1: TaskCompletionEvent).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskCompletionEvent {
    /// Which attempt.
    pub attempt: TaskAttemptId,
    /// The task's index within its job and kind.
    pub id_within_job: i32,
    /// Whether it is a map.
    pub is_map: bool,
    /// How it ended.
    pub status: CompletionStatus,
    /// `http://host:port` of its TaskTracker. `None` is Java's null string.
    pub tracker_http: Option<String>,
    /// How long it ran, in milliseconds.
    pub run_time_ms: i32,
    /// The event's index in the job's list.
    pub event_id: i32,
}

/// A queue (Hadoop 1.2.1: JobQueueInfo).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobQueueInfo {
    /// Its name.
    pub name: String,
    /// `running` or `stopped`.
    pub state: String,
    /// What the scheduler says of it; `N/A` if nothing.
    pub scheduling_info: String,
}

/// What the caller may do in a queue (Hadoop 1.2.1: QueueAclsInfo).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueAclsInfo {
    /// The queue's name.
    pub queue: String,
    /// `acl-submit-job`, `acl-administer-jobs`; the command line leaves `acl-` out.
    pub operations: Vec<Option<String>>,
}
