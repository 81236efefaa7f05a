//! What a TaskTracker tells and is told.

use crate::{JobId, Millis, Task, TaskAttemptId, TaskKind, TaskStatus};

/// Memory, CPU and disk of a node; -1 where unknown (Hadoop 1.2.1: TaskTrackerStatus.ResourceStatus).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResourceStatus {
    /// Bytes.
    pub total_virtual: i64,
    /// Bytes.
    pub total_physical: i64,
    /// Bytes.
    pub available_virtual: i64,
    /// Bytes.
    pub available_physical: i64,
    /// MiB that one map slot stands for.
    pub map_slot_mb: i64,
    /// MiB that one reduce slot stands for.
    pub reduce_slot_mb: i64,
    /// Bytes free in the local directories.
    pub available_space: i64,
    /// CPU time used since boot.
    pub cumulative_cpu_ms: i64,
    /// kHz.
    pub cpu_frequency_khz: i64,
    /// Processors.
    pub processors: i32,
    /// Percent.
    pub cpu_usage: f32,
}

impl Default for ResourceStatus {
    fn default() -> Self {
        ResourceStatus {
            total_virtual: -1,
            total_physical: -1,
            available_virtual: -1,
            available_physical: -1,
            map_slot_mb: -1,
            reduce_slot_mb: -1,
            available_space: i64::MAX,
            cumulative_cpu_ms: -1,
            cpu_frequency_khz: -1,
            processors: -1,
            cpu_usage: -1.0,
        }
    }
}

/// What the node's health script said (Hadoop 1.2.1: TaskTrackerStatus.TaskTrackerHealthStatus).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskTrackerHealthStatus {
    /// Fit for work.
    pub healthy: bool,
    /// The script's output.
    pub report: String,
    /// When it ran; 0 for never.
    pub last_reported: Millis,
}

impl Default for TaskTrackerHealthStatus {
    fn default() -> Self {
        TaskTrackerHealthStatus { healthy: true, report: String::new(), last_reported: 0 }
    }
}

/// A TaskTracker's report (Hadoop 1.2.1: TaskTrackerStatus).
#[derive(Debug, Clone, PartialEq)]
pub struct TaskTrackerStatus {
    /// `tracker_<host>:<report host>/<ip>:<port>`.
    pub name: String,
    /// The host it runs on.
    pub host: String,
    /// Its pages' and shuffle's port.
    pub http_port: i32,
    /// Attempts that failed here.
    pub task_failures: i32,
    /// Local directories given up.
    pub dir_failures: i32,
    /// Map slots.
    pub max_map_slots: i32,
    /// Reduce slots.
    pub max_reduce_slots: i32,
    /// The node.
    pub resources: ResourceStatus,
    /// Its attempts.
    pub tasks: Vec<TaskStatus>,
    /// Its health.
    pub health: TaskTrackerHealthStatus,
}

impl TaskTrackerStatus {
    /// Slots of that kind.
    pub fn max_slots(&self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.max_map_slots,
            TaskKind::Reduce => self.max_reduce_slots,
        }
    }

    /// Slots of that kind held by reported attempts.
    pub fn occupied_slots(&self, kind: TaskKind) -> i32 {
        self.tasks.iter().filter(|t| t.kind() == kind && t.occupies_slots()).map(|t| t.slots).sum()
    }

    /// Attempts of that kind that hold slots (Hadoop 1.2.1: countMapTasks counts tasks, not slots).
    pub fn running_tasks(&self, kind: TaskKind) -> i32 {
        self.tasks.iter().filter(|t| t.kind() == kind && t.occupies_slots()).count() as i32
    }
}

/// What a TaskTracker is told to do (Hadoop 1.2.1: TaskTrackerAction).
#[derive(Debug, Clone, PartialEq)]
pub enum TaskTrackerAction {
    /// Start an attempt.
    Launch(Box<Task>),
    /// End an attempt and clean up after it.
    KillTask(TaskAttemptId),
    /// Clean up after a job.
    KillJob(JobId),
    /// Forget everything and register anew.
    Reinit,
    /// Let an attempt commit its output.
    CommitTask(TaskAttemptId),
}

/// The answer to a heartbeat (Hadoop 1.2.1: HeartbeatResponse).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HeartbeatResponse {
    /// To be sent back with the next heartbeat.
    pub response_id: i16,
    /// Milliseconds until the next heartbeat.
    pub interval_ms: i32,
    /// In order: launches, task kills, job kills, commits.
    pub actions: Vec<TaskTrackerAction>,
    /// Jobs whose completion events start over.
    pub recovered_jobs: Vec<JobId>,
}
