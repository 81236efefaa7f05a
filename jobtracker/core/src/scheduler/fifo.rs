//! First in, first out, by priority (Hadoop 1.2.1: JobQueueTaskScheduler): the load is spread over the trackers, and a
//! little of the cluster is kept free for attempts that fail or lag.

use types::{JobId, Now, Task, TaskKind};

use super::job_queue::JobQueue;
use super::{JobOrder, Jobs, TaskScheduler};
use crate::cluster::Cluster;
use crate::job::{JobInProgress, Reach};
use crate::trackers::TrackerKey;

/// Clusters up to this size keep nothing free.
const UNPADDED_CLUSTER: usize = 3;

/// The scheduler.
#[derive(Debug, Default)]
pub(super) struct Fifo {
    queue: JobQueue,
}

impl TaskScheduler for Fifo {
    fn job_added(&mut self, _now: Now, cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder) {
        self.queue.add(cluster, jobs, order);
    }

    fn job_reordered(&mut self, old: JobOrder, new: JobOrder) {
        self.queue.reorder(&old, new);
    }

    fn starts_reduces_early(&self) -> bool {
        true
    }

    fn job_ended(&mut self, order: &JobOrder) {
        self.queue.remove(order);
    }

    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task> {
        if cluster.safe_mode {
            return Vec::new();
        }
        let running = self.queue.running(jobs);
        let mut round = Round { now, cluster, jobs, tracker, running, spare_reduces: 0 };
        round.spare_reduces = round.spare_reduce_slots();
        let mut tasks = round.assign_maps();
        tasks.extend(round.assign_reduce());
        tasks
    }

    /// Quirk: every queue has all jobs (Hadoop 1.2.1: JobQueueTaskScheduler.getJobs); `hadoop queue -info -showJobs`
    /// shows it.
    fn jobs(&self, _queue: &str) -> Vec<JobId> {
        self.queue.all()
    }
}

/// One heartbeat's assignment.
struct Round<'a> {
    now: Now,
    cluster: &'a mut Cluster,
    jobs: &'a mut Jobs,
    tracker: TrackerKey,
    /// Running jobs, in order.
    running: Vec<JobId>,
    /// Reduce slots that stay free once every reduce that may start by 1.2.1's rule has one.
    spare_reduces: i64,
}

impl Round<'_> {
    fn running_jobs(&self) -> impl Iterator<Item = &JobInProgress> {
        self.running.iter().map(|id| &self.jobs[id])
    }

    fn tracker_slots(&self, kind: TaskKind) -> i32 {
        self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.slots.get(kind))
    }

    fn tracker_running(&self, kind: TaskKind) -> i32 {
        self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.running.get(kind))
    }

    /// How many more tasks of a kind the tracker should run: its share of the cluster's load, less what it runs.
    fn room(&self, kind: TaskKind) -> i32 {
        let cluster_slots = self.cluster.trackers.slots.get(kind);
        if cluster_slots <= 0 {
            return -self.tracker_running(kind);
        }
        let counts = |job: &&JobInProgress| kind == TaskKind::Map || job.may_reduce() || self.may_reduce_early(job);
        let load: i64 = self
            .running_jobs()
            .filter(counts)
            .map(|job| i64::from(job.desired(kind)) - i64::from(job.finished(kind)))
            .sum();
        let slots = self.tracker_slots(kind);
        let share = (load as f64 / f64::from(cluster_slots) * f64::from(slots)).ceil();
        // What it runs is a number of tasks, not of slots; still, slots that it reports as taken are not given away.
        let free = self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.free_slots(kind));
        ((share as i32).min(slots) - self.tracker_running(kind)).min(free)
    }

    /// Whether so much of the cluster is taken that only the first job is served
    /// (Hadoop 1.2.1: JobQueueTaskScheduler.exceededPadding).
    fn padding_is_exceeded(&self, kind: TaskKind) -> bool {
        let slots = self.cluster.trackers.slots.get(kind);
        let running = self.cluster.trackers.running.get(kind);
        let padded = self.cluster.active_trackers() > UNPADDED_CLUSTER;
        let mut needed = 0i64;
        // Quirk: jobs without reduces do not count, not even for maps; tasks that are done do.
        self.running_jobs().filter(|job| job.desired(TaskKind::Reduce) != 0).any(|job| {
            needed += i64::from(job.desired(kind));
            let pad = (needed as f32 * self.cluster.settings.capacity_pad) as i32;
            let pad = if padded { pad.min(self.tracker_slots(kind)) } else { 0 };
            running + pad >= slots
        })
    }

    fn assign_maps(&mut self) -> Vec<Task> {
        let mut tasks = Vec::new();
        let room = self.room(TaskKind::Map);
        if room <= 0 {
            return tasks;
        }
        let only_first = self.padding_is_exceeded(TaskKind::Map);
        for _ in 0..room {
            let Some((task, local)) = self.assign_map() else { break };
            tasks.push(task);
            // At most one map per heartbeat that is not local, lest trackers take each other's local ones.
            if !local || only_first {
                break;
            }
        }
        tasks
    }

    /// The first map of the first job that has any, and whether it came out of the search for local ones.
    fn assign_map(&mut self) -> Option<(Task, bool)> {
        for id in &self.running {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            for (reach, local) in [(Reach::NodeOrRack, true), (Reach::NonLocal, false)] {
                if let Some(task) = job.obtain_map(self.now, self.cluster, self.tracker, reach) {
                    return Some((task, local));
                }
            }
        }
        None
    }

    /// At most one reduce.
    fn assign_reduce(&mut self) -> Option<Task> {
        if self.room(TaskKind::Reduce) <= 0 {
            return None;
        }
        let only_first = self.padding_is_exceeded(TaskKind::Reduce);
        for id in &self.running {
            let job = &self.jobs[id];
            if job.desired(TaskKind::Reduce) == 0 {
                continue;
            }
            let early = !job.may_reduce() && self.may_reduce_early(job);
            let job = self.jobs.get_mut(id)?;
            let task = job.obtain_reduce(self.now, self.cluster, self.tracker, early);
            if task.is_some() || only_first {
                return task;
            }
        }
        None
    }

    fn spare_reduce_slots(&self) -> i64 {
        let may_start = self.running_jobs().filter(|job| job.may_reduce());
        let needed: i64 = may_start.map(|job| i64::from(job.counts(TaskKind::Reduce).pending)).sum();
        i64::from(self.cluster.free_slots(TaskKind::Reduce)) - needed
    }

    /// Whether a reduce of a job may start though too few of its maps are done: few enough wait, and as many reduce
    /// slots stay free as the reduces of other jobs need.
    fn may_reduce_early(&self, job: &JobInProgress) -> bool {
        self.cluster.settings.early_reduces && self.spare_reduces > 0 && job.may_reduce_early()
    }
}
