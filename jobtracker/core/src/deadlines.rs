//! What happens because nothing happened: trackers fall silent, attempts never appear or vanish, finished jobs grow old,
//! a scheduler takes stock (Hadoop 1.2.1: JobTracker.ExpireTrackers, ExpireLaunchingTasks, RetireJobs).

use std::time::Duration;

use types::{Monotonic, Now};

use crate::JobTracker;

/// Hadoop expires what has been silent for longer than the interval.
const LONGER: Duration = Duration::from_millis(1);

impl JobTracker {
    pub(crate) fn first_deadline(&self) -> Option<Monotonic> {
        let expiry = self.cluster.settings.tracker_expiry + LONGER;
        let silent = self.cluster.trackers.first_watched().map(|at| at + expiry);
        let watched = self.cluster.first_watched().map(|at| at + expiry);
        [silent, watched, self.retirement.next_check(), self.scheduler.next_tick()].into_iter().flatten().min()
    }

    pub(crate) fn expire(&mut self, now: Now) {
        let since = Monotonic(now.mono.0.saturating_sub(self.cluster.settings.tracker_expiry));
        while let Some(tracker) = self.cluster.trackers.pop_silent(since) {
            self.remove_tracker(now, tracker);
        }
        while let Some(id) = self.cluster.pop_watched_before(since) {
            let Some(job) = self.jobs.get_mut(id.job()) else { continue };
            let Some(task) = job.find(id.kind(), id.task.number) else { continue };
            if let Some(heard) = job.expire_attempt(now, &mut self.cluster, task, id.number, since) {
                if let Some(attempt) = job.task_mut(task).attempt_mut(id.number) {
                    attempt.watched = heard;
                }
                self.cluster.watch_again(heard, id);
            }
        }
        if self.scheduler.next_tick().is_some_and(|at| at <= now.mono) {
            self.scheduler.tick(now, &mut self.cluster, &mut self.jobs);
        }
        self.settle(now);
        self.retirement.check(now, &mut self.cluster, &mut self.jobs);
    }
}
