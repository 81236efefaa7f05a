//! What pages and metrics show: plain copies of the core's state, taken between events.

use types::{Counters, JobProfile, JobStatus, Millis, TaskReport, TaskStatus, TaskTrackerStatus};

use crate::effect::TaskType;

/// A tracker as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackerView {
    /// Its last report, without the attempts.
    pub status: TaskTrackerStatus,
    /// Map attempts that hold slots there.
    pub running_maps: i32,
    /// Reduce attempts that hold slots there.
    pub running_reduces: i32,
    /// Map slots that they hold.
    pub occupied_map_slots: i32,
    /// Reduce slots that they hold.
    pub occupied_reduce_slots: i32,
    /// Its rack path.
    pub rack: String,
    /// When it was last heard of.
    pub last_seen: Millis,
    /// Its health script says it is not fit for work.
    pub blacklisted: bool,
    /// Too many jobs found it faulty.
    pub graylisted: bool,
    /// Why it is on a list; empty if it is on none.
    pub reason: String,
    /// Faults that count now.
    pub faults: i32,
}

/// A job as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct JobView {
    /// Its status.
    pub status: JobStatus,
    /// Its profile.
    pub profile: JobProfile,
    /// When it was initialised; 0 before.
    pub launch_time: Millis,
    /// When it ended; 0 before.
    pub finish_time: Millis,
    /// Its maps.
    pub maps: TaskCounts,
    /// Its reduces.
    pub reduces: TaskCounts,
    /// Attempts of its two setup tasks and its two cleanup tasks, by state: pending, successful, failed, killed.
    pub setup: TaskCounts,
    /// Likewise.
    pub cleanup: TaskCounts,
    /// Sum over maps.
    pub map_counters: Counters,
    /// Sum over reduces.
    pub reduce_counters: Counters,
    /// All counters.
    pub counters: Counters,
    /// Hosts that the job avoids.
    pub avoided_hosts: Vec<String>,
    /// Whether it has left memory; then there are no tasks to show.
    pub retired: bool,
}

/// How many tasks and attempts of one kind a job has, by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// All tasks.
    pub total: i32,
    /// Tasks that wait.
    pub pending: i32,
    /// Tasks that run.
    pub running: i32,
    /// Tasks that are done.
    pub finished: i32,
    /// Tasks that ended otherwise.
    pub killed: i32,
    /// Attempts that failed.
    pub failed_attempts: i32,
    /// Attempts that were killed.
    pub killed_attempts: i32,
}

/// A task as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskView {
    /// What clients see of it.
    pub report: TaskReport,
    /// What history calls it.
    pub task_type: TaskType,
    /// Hosts of its split.
    pub split_hosts: Vec<String>,
    /// Its attempts, oldest first.
    pub attempts: Vec<AttemptView>,
}

/// An attempt as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptView {
    /// Its last status.
    pub status: TaskStatus,
    /// The tracker it ran on.
    pub tracker: String,
    /// That tracker's host.
    pub host: String,
    /// That tracker's HTTP port; `None` once it is gone.
    pub http_port: Option<i32>,
    /// What went wrong, piece by piece.
    pub diagnostics: Vec<String>,
    /// The tracker its cleanup ran on, if it had one.
    pub cleanup_tracker: Option<String>,
}

/// Which tasks a report is wanted of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportKind {
    /// The maps.
    Map,
    /// The reduces.
    Reduce,
    /// The two setup tasks.
    Setup,
    /// The two cleanup tasks.
    Cleanup,
}

/// Numbers for metrics and the front page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Attempts launched since start.
    pub maps_launched: u64,
    /// Likewise.
    pub reduces_launched: u64,
    /// Attempts that succeeded.
    pub maps_completed: u64,
    /// Likewise.
    pub reduces_completed: u64,
    /// Attempts that failed.
    pub maps_failed: u64,
    /// Likewise.
    pub reduces_failed: u64,
    /// Attempts that were killed.
    pub maps_killed: u64,
    /// Likewise.
    pub reduces_killed: u64,
    /// Jobs taken.
    pub jobs_submitted: u64,
    /// Jobs that succeeded.
    pub jobs_completed: u64,
    /// Jobs that failed.
    pub jobs_failed: u64,
    /// Jobs that were killed.
    pub jobs_killed: u64,
    /// Heartbeats answered.
    pub heartbeats: u64,
}

/// A queue of the capacity scheduler.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityQueueView {
    /// Its name.
    pub name: String,
    /// Its share of the cluster in percent.
    pub capacity: f32,
    /// Its ceiling in percent, if it has one.
    pub capacity_max: Option<f32>,
    /// The share of the queue in percent that each user gets at least.
    pub user_limit_percent: i32,
    /// Whether urgent jobs go first.
    pub supports_priority: bool,
    /// Its map slots.
    pub maps: SlotsView,
    /// Its reduce slots.
    pub reduces: SlotsView,
    /// Jobs that wait to be initialised.
    pub waiting_jobs: i32,
    /// Jobs that are being initialised or set up.
    pub initializing_jobs: i32,
    /// Jobs that run.
    pub running_jobs: i32,
    /// Users who have jobs in it.
    pub users: usize,
}

/// One kind of slots of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotsView {
    /// Its part of the cluster's.
    pub capacity: i32,
    /// Its ceiling; none if 0 or less.
    pub capacity_max: i32,
    /// Slots taken by its tasks or kept free for its jobs.
    pub used: i32,
    /// Tasks that run.
    pub running: i32,
}
