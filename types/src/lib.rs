//! The values that Howdah's daemons, children and clients speak about: ids, counters, statuses, tasks, tokens.
//!
//! A type here says what a thing *is*. How it is written stands in `wire`, what it means in the cores. Nothing here
//! knows a codec, a clock or a file, and nothing here is bounded: decoders bound their input before they build a value.

#![forbid(unsafe_code)]

mod access;
mod counters;
mod exception;
mod ids;
mod job;
mod split;
mod task;
mod time;
mod token;
mod tracker;

pub use access::AccessControlList;
pub use counters::{Counter, CounterGroup, Counters, names as counter_names};
pub use exception::{ExceptionKind, RemoteException};
pub use ids::{JobId, JvmId, ParseIdError, TaskAttemptId, TaskId, TaskKind};
pub use job::{
    ClusterStatus, CompletionStatus, JobAcl, JobPriority, JobProfile, JobQueueInfo, JobState, JobStatus,
    JobTrackerState, QueueAclsInfo, SafeModeAction, TaskCompletionEvent, TaskReport, TipStatus,
};
pub use split::{SplitMeta, TaskSplitIndex};
pub use task::{
    JvmContext, JvmTask, MapTaskCompletionEventsUpdate, Phase, ReduceProgress, SortedRange, SortedRanges, Task,
    TaskDetail, TaskState, TaskStatus,
};
pub use time::{Millis, Monotonic, Now, Wall};
pub use token::{Credentials, DelegationTokenIdentifier, JobTokenIdentifier, Token};
pub use tracker::{HeartbeatResponse, ResourceStatus, TaskTrackerAction, TaskTrackerHealthStatus, TaskTrackerStatus};
