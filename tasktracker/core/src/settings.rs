//! What the daemon tells the core once: who the tracker is and how much it may run.

use std::time::Duration;

use types::{ResourceStatus, TaskKind, TaskTrackerHealthStatus};

/// Settings of a TaskTracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// `tracker_<host>:<report host>/<ip>:<port>`.
    pub name: String,
    /// The host it runs on.
    pub host: String,
    /// The port of its pages and shuffle server.
    pub http_port: i32,
    /// Map slots.
    pub map_slots: i32,
    /// Reduce slots.
    pub reduce_slots: i32,
    /// Between SIGTERM and SIGKILL; zero sends SIGKILL at once.
    pub sigkill_delay: Duration,
    /// Ask for work only while a local directory has more bytes free; 0 for no limit.
    pub min_space_start: i64,
    /// Kill attempts, one at each heartbeat, while no local directory has more bytes free; 0 for no limit.
    pub min_space_kill: i64,
    /// Bytes of address space that all attempts together may use; nothing if the site does not watch it.
    pub memory_total: Option<u64>,
    /// The most counters of an attempt.
    pub counters_max: usize,
    /// The most groups of counters of an attempt.
    pub counter_groups_max: usize,
    /// Completion events asked for at a time.
    pub events_batch: i32,
    /// Where the numbers of children start from; any value, best one that differs from start to start.
    pub seed: u64,
}

impl Settings {
    /// Slots of that kind.
    pub fn slots(&self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.map_slots,
            TaskKind::Reduce => self.reduce_slots,
        }
    }
}

/// What the daemon measures before each heartbeat.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeReport {
    /// Memory, processors and disk.
    pub resources: ResourceStatus,
    /// Bytes free in the local directory that has most.
    pub free_space: i64,
    /// Local directories given up so far.
    pub dir_failures: i32,
    /// What the health script says.
    pub health: TaskTrackerHealthStatus,
}

impl Default for NodeReport {
    fn default() -> Self {
        NodeReport {
            resources: ResourceStatus::default(),
            free_space: i64::MAX,
            dir_failures: 0,
            health: TaskTrackerHealthStatus::default(),
        }
    }
}
