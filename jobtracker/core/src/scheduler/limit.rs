//! First in, first out, but jobs that run fewer tasks than a limit go before those that run more (Hadoop 1.2.1:
//! LimitTasksPerJobTaskScheduler). One task per heartbeat.

use types::{JobId, Now, Task, TaskKind};

use super::job_queue::JobQueue;
use super::{JobOrder, Jobs, TaskScheduler};
use crate::cluster::Cluster;
use crate::job::{JobInProgress, Reach};
use crate::trackers::TrackerKey;

/// The scheduler.
#[derive(Debug)]
pub(super) struct Limit {
    queue: JobQueue,
    /// Running maps and reduces of a job below which it goes first.
    running_tasks_max: Option<i64>,
}

impl Limit {
    pub(super) fn new(running_tasks_max: Option<i64>) -> Self {
        Limit { queue: JobQueue::default(), running_tasks_max }
    }

    fn is_under_limit(&self, job: &JobInProgress) -> bool {
        let running: i64 = TaskKind::BOTH.into_iter().map(|kind| i64::from(job.running_attempts(kind))).sum();
        self.running_tasks_max.is_some_and(|limit| running < limit)
    }
}

impl TaskScheduler for Limit {
    fn job_added(&mut self, _now: Now, cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder) {
        self.queue.add(cluster, jobs, order);
    }

    fn job_reordered(&mut self, old: JobOrder, new: JobOrder) {
        self.queue.reorder(&old, new);
    }

    fn job_ended(&mut self, order: &JobOrder) {
        self.queue.remove(order);
    }

    /// Maps of jobs under the limit, their reduces, then maps and reduces of any job; without a limit only the latter.
    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task> {
        let running = self.queue.running(jobs);
        let passes: &[bool] = if self.running_tasks_max.is_some() { &[true, false] } else { &[false] };
        for only_under_limit in passes {
            for kind in TaskKind::BOTH {
                if !has_room(cluster, jobs, &running, tracker, kind) {
                    continue;
                }
                for id in &running {
                    let Some(job) = jobs.get_mut(id) else { continue };
                    if *only_under_limit && !self.is_under_limit(job) {
                        continue;
                    }
                    let task = match kind {
                        TaskKind::Map => job.obtain_map(now, cluster, tracker, Reach::Any),
                        TaskKind::Reduce => job.obtain_reduce(now, cluster, tracker, false),
                    };
                    if let Some(task) = task {
                        return vec![task];
                    }
                }
            }
        }
        Vec::new()
    }

    /// Quirk: every queue has all jobs, as under FIFO.
    fn jobs(&self, _queue: &str) -> Vec<JobId> {
        self.queue.all()
    }

    /// Only the first queue tells the limit (Hadoop 1.2.1: LimitTasksPerJobTaskScheduler.start).
    fn queue_info(&self, cluster: &Cluster, queue: &str) -> Option<String> {
        let first = cluster.settings.queues.first().is_some_and(|first| first.name == queue);
        first.then(|| format!("Maximum Tasks Per Job :: {}", self.running_tasks_max.unwrap_or(i64::MAX)))
    }
}

/// Whether the tracker runs fewer tasks of a kind than its part of what all jobs need, and has a slot left.
fn has_room(cluster: &Cluster, jobs: &Jobs, running: &[JobId], tracker: TrackerKey, kind: TaskKind) -> bool {
    let Some(known) = cluster.trackers.get(tracker) else { return false };
    let trackers = cluster.active_trackers();
    if trackers == 0 {
        return false;
    }
    let needs = |id: &JobId| jobs.get(id).map_or(0, |job| i64::from(job.desired(kind)) - i64::from(job.finished(kind)));
    let needed: i64 = running.iter().map(needs).sum();
    let share = (needed as f64 / trackers as f64).ceil() as i64;
    let most = share.min(i64::from(known.slots.get(kind)));
    i64::from(known.running.get(kind)) < most && known.free_slots(kind) > 0
}
