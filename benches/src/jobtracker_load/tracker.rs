//! A TaskTracker that is nothing but its heartbeats: attempts it is given end after a fixed time, and cost it nothing.

use std::time::{Duration, Instant};

use types::{
    HeartbeatResponse, Phase, ResourceStatus, Task, TaskState, TaskStatus, TaskTrackerAction, TaskTrackerHealthStatus,
    TaskTrackerStatus,
};
use wire::mapred::inter_tracker::Heartbeat;

/// One simulated node.
#[derive(Debug)]
pub(super) struct LoadTracker {
    host: String,
    response_id: i16,
    initial: bool,
    /// What runs, and when each attempt ends.
    attempts: Vec<(TaskStatus, Instant)>,
    /// Maps that have ended and were told.
    pub(super) maps_told: usize,
}

impl LoadTracker {
    pub(super) fn new(number: usize) -> LoadTracker {
        LoadTracker { host: host(number), response_id: -1, initial: true, attempts: Vec::new(), maps_told: 0 }
    }

    /// The next heartbeat. Attempts whose time is over are told as succeeded.
    pub(super) fn beat(&mut self, now: Instant) -> Heartbeat {
        for (status, end) in &mut self.attempts {
            if *end <= now {
                status.state = TaskState::Succeeded;
                status.progress = 1.0;
                status.finish_time = status.start_time + 1;
            }
        }
        Heartbeat {
            status: TaskTrackerStatus {
                name: format!("tracker_{}:localhost/127.0.0.1:4000", self.host),
                host: self.host.clone(),
                http_port: 50060,
                task_failures: 0,
                dir_failures: 0,
                max_map_slots: 2,
                max_reduce_slots: 2,
                resources: ResourceStatus::default(),
                tasks: self.attempts.iter().map(|(status, _)| status.clone()).collect(),
                health: TaskTrackerHealthStatus { healthy: true, report: String::new(), last_reported: 0 },
            },
            restarted: false,
            initial_contact: self.initial,
            accept_new_tasks: true,
            response_id: self.response_id,
        }
    }

    /// Takes the answer: forgets what was told as ended, begins what is to be launched.
    pub(super) fn answered(&mut self, response: HeartbeatResponse, now: Instant, each_takes: Duration) {
        self.response_id = response.response_id;
        self.initial = false;
        let told = |status: &TaskStatus| status.state.is_terminal();
        self.maps_told += self.attempts.iter().filter(|(status, _)| told(status) && is_map(status)).count();
        self.attempts.retain(|(status, _)| !told(status));
        for action in response.actions {
            match action {
                TaskTrackerAction::Launch(task) => self.attempts.push(begin(&task, now, each_takes)),
                TaskTrackerAction::Reinit => {
                    self.attempts.clear();
                    self.initial = true;
                }
                _ => (),
            }
        }
    }
}

/// The name of a node, which splits name, too: an address, so that Hadoop asks no name server, which would be measured
/// instead.
pub(super) fn host(number: usize) -> String {
    format!("127.1.{}.{}", number / 250, number % 250 + 1)
}

/// Setup and cleanup attempts are in that phase from the beginning.
fn is_map(status: &TaskStatus) -> bool {
    status.attempt.kind().is_map() && status.phase == Phase::Map
}

fn begin(task: &Task, now: Instant, each_takes: Duration) -> (TaskStatus, Instant) {
    let mut status = TaskStatus::unassigned(task.attempt.clone(), task.slots_required);
    let frames = task.job_setup || task.job_cleanup.is_some();
    status.state = TaskState::Running;
    status.phase = if frames { Phase::Cleanup } else { Phase::Map };
    status.start_time = chrono::Utc::now().timestamp_millis();
    (status, if frames { now } else { now + each_takes })
}
