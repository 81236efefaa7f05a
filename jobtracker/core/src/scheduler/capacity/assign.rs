//! One heartbeat: which queue, which job a tracker's free slots go to
//! (Hadoop 1.2.1: CapacityTaskScheduler.assignTasks, TaskSchedulingMgr.assignTasks, getTaskFromQueue).

use types::{JobId, Now, Task, TaskKind};

use super::Capacity;
use crate::cluster::Cluster;
use crate::job::Reach;
use crate::scheduler::{JobOrder, Jobs};
use crate::trackers::TrackerKey;

/// What was found for a tracker.
enum Found {
    Nothing,
    /// The tracker is kept free for a job, so that nobody gets its slots.
    Reserved,
    Task {
        task: Box<Task>,
        job: JobId,
        /// Whether it came out of the search near the tracker.
        local: bool,
    },
}

/// One heartbeat's assignment.
pub(super) struct Round<'a> {
    pub(super) scheduler: &'a mut Capacity,
    pub(super) now: Now,
    pub(super) cluster: &'a mut Cluster,
    pub(super) jobs: &'a mut Jobs,
    pub(super) tracker: TrackerKey,
    /// Jobs whose reservations have changed.
    pub(super) rebooked: Vec<JobId>,
}

impl Round<'_> {
    /// Slots of the tracker that its report leaves free.
    fn free_slots(&self, kind: TaskKind) -> i32 {
        let tracker = self.cluster.trackers.get(self.tracker);
        tracker.map_or(0, |tracker| tracker.slots.get(kind) - tracker.occupied.get(kind))
    }

    fn all_slots(&self, kind: TaskKind) -> i32 {
        self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.slots.get(kind))
    }

    /// Maps until the slots, the tasks or a limit end.
    pub(super) fn assign_maps(&mut self) -> Vec<Task> {
        let mut tasks = Vec::new();
        let mut free = self.free_slots(TaskKind::Map);
        let mut anywhere = true;
        let mut after_offswitch = self.scheduler.settings.tasks_after_offswitch_max;
        while free > 0 {
            self.scheduler.sort_queues(TaskKind::Map);
            let Found::Task { task, job, local } = self.find(TaskKind::Map, free, anywhere) else { break };
            tasks.push(*task);
            if tasks.len() as i64 >= i64::from(self.scheduler.settings.tasks_per_heartbeat_max) {
                break;
            }
            // At most one map per heartbeat that is not local, lest trackers take each other's local ones.
            anywhere &= local;
            if !anywhere {
                if after_offswitch == 0 {
                    break;
                }
                after_offswitch -= 1;
            }
            free -= self.scheduler.count_given(TaskKind::Map, &job);
        }
        tasks
    }

    /// Jobs whose maps have just been given may have reduces to give now.
    pub(super) fn recount_givers(&mut self, maps: &[Task]) {
        for task in maps {
            if let Some(job) = self.jobs.get(task.attempt.job()) {
                self.scheduler.recount(job);
            }
        }
    }

    /// At most one reduce.
    pub(super) fn assign_reduce(&mut self) -> Option<Task> {
        let free = self.free_slots(TaskKind::Reduce);
        if free <= 0 {
            return None;
        }
        self.scheduler.sort_queues(TaskKind::Reduce);
        match self.find(TaskKind::Reduce, free, true) {
            Found::Task { task, .. } => Some(*task),
            Found::Nothing | Found::Reserved => None,
        }
    }

    fn find(&mut self, kind: TaskKind, free: i32, anywhere: bool) -> Found {
        if let Some(job) = self.scheduler.reservations.job_at(kind, self.tracker).cloned() {
            return self.serve_reservation(kind, free, job);
        }
        for at in 0..self.scheduler.queues.len() {
            let queue = self.scheduler.orders[kind as usize][at];
            if !self.scheduler.queues[queue].usage(kind).is_below_max(1) {
                continue;
            }
            match self.find_in_queue(kind, queue, free, anywhere) {
                Found::Nothing => {}
                found => return found,
            }
        }
        Found::Nothing
    }

    /// A reserved tracker serves its job alone, once it has room; queue and user limits are not asked again.
    fn serve_reservation(&mut self, kind: TaskKind, free: i32, job: JobId) -> Found {
        if free < self.scheduler.slots_of(kind, &job) {
            self.reserve(kind, &job, free);
            return Found::Reserved;
        }
        self.scheduler.release(self.now.mono, self.jobs, kind, self.tracker);
        self.rebooked.push(job.clone());
        if kind.is_map()
            && let Some(job) = self.jobs.get_mut(&job)
        {
            job.end_locality_wait();
        }
        self.obtain(kind, &job, true)
    }

    /// The first job within its limits that has a task for the tracker.
    fn find_in_queue(&mut self, kind: TaskKind, queue: usize, free: i32, anywhere: bool) -> Found {
        let mut last: Option<JobOrder> = None;
        while let Some(place) = self.scheduler.queues[queue].next_giver(kind, last.as_ref()) {
            let job = place.job.clone();
            last = Some(place);
            let Some(member) = self.scheduler.members.get(&job) else { continue };
            let (slots, reserved) = (member.slots.get(kind), member.reserved.get(kind));
            if !self.scheduler.queues[queue].may_take(kind, &member.user, slots) {
                continue;
            }
            if slots <= free {
                match self.obtain(kind, &job, anywhere) {
                    Found::Nothing => continue,
                    found => return found,
                }
            }
            let pending = self.jobs.get(&job).map_or(0, |job| job.counts(kind).pending);
            if pending > 0 && reserved < pending && slots <= self.all_slots(kind) {
                self.reserve(kind, &job, self.free_slots(kind));
                return Found::Reserved;
            }
        }
        Found::Nothing
    }

    fn reserve(&mut self, kind: TaskKind, job: &JobId, slots: i32) {
        self.scheduler.reserve(self.now.mono, self.jobs, kind, self.tracker, job, slots);
        self.rebooked.push(job.clone());
    }

    fn obtain(&mut self, kind: TaskKind, id: &JobId, anywhere: bool) -> Found {
        let several_slots = self.scheduler.slots_of(kind, id) > 1;
        let trackers = self.cluster.active_trackers();
        let spare_reduces = self.scheduler.spare_reduce_slots(self.cluster);
        let Some(job) = self.jobs.get_mut(id) else { return Found::Nothing };
        let found = |task, local| Found::Task { task: Box::new(task), job: id.clone(), local };
        if kind == TaskKind::Reduce {
            let early =
                self.cluster.settings.early_reduces && spare_reduces > 0 && !job.may_reduce() && job.may_reduce_early();
            let task = job.obtain_reduce(self.now, self.cluster, self.tracker, early);
            return task.map_or(Found::Nothing, |task| found(task, true));
        }
        job.note_opportunity();
        if let Some(task) = job.obtain_map(self.now, self.cluster, self.tracker, Reach::NodeOrRack) {
            return found(task, true);
        }
        if several_slots || (anywhere && job.may_leave_rack(trackers)) {
            let task = job.obtain_map(self.now, self.cluster, self.tracker, Reach::NonLocal);
            return task.map_or(Found::Nothing, |task| found(task, false));
        }
        Found::Nothing
    }
}
