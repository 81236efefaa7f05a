//! Reduces tell which map outputs they could not fetch (Hadoop 1.2.1: JobInProgress.fetchFailureNotification).

use types::{Now, TaskKind, TaskState};

use super::JobInProgress;
use crate::cluster::Cluster;

/// Reports after which a map's output counts as lost…
const REPORTS_MIN: i32 = 3;
/// …if they come from this share of the running reduces.
const REDUCES_FRACTION: f32 = 0.5;

impl JobInProgress {
    /// A reduce could not fetch the output of that map attempt.
    pub(crate) fn fetch_failed(&mut self, now: Now, cluster: &mut Cluster, index: i32, number: i32) {
        let Some(task) = self.find(TaskKind::Map, index) else { return };
        let running = self.running_reduces;
        let Some(attempt) = self.task_mut(task).attempt_mut(number).filter(|a| a.entry.is_some()) else { return };
        attempt.fetch_failures += 1;
        let failures = attempt.fetch_failures;
        if failures >= REPORTS_MIN && is_widespread(failures, running) {
            attempt.fetch_failures = 0;
            self.end_attempt(now, cluster, task, number, TaskState::Failed, "Too many fetch-failures");
        }
    }
}

fn is_widespread(failures: i32, running_reduces: i32) -> bool {
    // No running reduce makes this infinite, and that is enough.
    failures as f32 / running_reduces as f32 >= REDUCES_FRACTION
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_running_reduces_must_complain() {
        assert!(is_widespread(3, 1));
        assert!(is_widespread(3, 6));
        assert!(!is_widespread(3, 7));
        assert!(is_widespread(3, 0));
    }
}
