//! Queues with guaranteed shares of the cluster (Hadoop 1.2.1: contrib capacity-scheduler, CapacityTaskScheduler): the
//! emptiest queue goes first, users share their queue, a job whose tasks need several slots gets trackers kept free for
//! it, and jobs are initialised only as far as limits allow. Settings in `settings`, one queue in `queue`, what is used
//! in `usage`, a heartbeat in `assign`, trackers kept free in `reservations`, texts in `info`. This file keeps the books.

mod assign;
mod check;
mod info;
mod java_order;
mod queue;
mod reservations;
mod settings;
mod usage;

use std::collections::{BTreeMap, BTreeSet};

use types::{JobId, Monotonic, Now, Task, TaskKind};

use super::{JobOrder, Jobs, TaskScheduler};
use crate::cluster::Cluster;
use crate::error::SubmitError;
use crate::explain::WhyNot;
use crate::job::JobInProgress;
use crate::settings::{SchedulerKind, Settings};
use crate::submission::Submission;
use crate::trackers::{PerKind, TrackerKey};
use crate::views::CapacityQueueView;

pub use settings::{CapacityQueueSettings, CapacitySettings, JobLimits};

use assign::Round;
use queue::{Entry, Queue, Stage};
use reservations::Reservations;
use usage::Holding;

/// The scheduler.
#[derive(Debug)]
pub(super) struct Capacity {
    settings: CapacitySettings,
    /// MiB of a map slot and of a reduce slot, if tasks are given slots by their memory.
    slot_memory: Option<[i64; 2]>,
    /// Bytes that a reduce of a job that sets no limit may read; no limit if 0 or less.
    reduce_input_limit: i64,
    queues: Vec<Queue>,
    by_name: BTreeMap<String, usize>,
    /// The queues as they were last served, for maps and for reduces.
    orders: [Vec<usize>; 2],
    /// Jobs that are not over.
    members: BTreeMap<JobId, Member>,
    reservations: Reservations,
    /// Slots that reduces need which may start.
    needed_reduce_slots: i64,
}

/// A job as its queue has it.
#[derive(Debug)]
pub(super) struct Member {
    queue: usize,
    place: JobOrder,
    user: String,
    stage: Stage,
    /// Maps and reduces.
    tasks: i32,
    /// Slots of a map and of a reduce.
    slots: PerKind,
    /// Trackers kept free for it.
    reserved: PerKind,
    holdings: [Holding; 2],
    needed_reduce_slots: i64,
}

impl Member {
    fn holding(&self, kind: TaskKind) -> Holding {
        self.holdings[kind as usize]
    }

    fn entry(&self) -> Entry<'_> {
        Entry { place: &self.place, user: &self.user, tasks: self.tasks }
    }

    /// What a job holds now.
    fn holding_of(&self, kind: TaskKind, job: &JobInProgress) -> Holding {
        if self.stage != Stage::Running {
            return Holding::default();
        }
        let tasks = job.running_attempts(kind);
        let waits = job.counts(kind).pending > 0 && (kind.is_map() || job.may_reduce());
        Holding { tasks, slots: (tasks + self.reserved.get(kind)) * self.slots.get(kind), waits }
    }
}

/// Whether a job may have a task of a kind to give: one that waits, or one that runs and may lag. Reduces that may not
/// start yet count where being asked for one has an effect all the same: a tracker is kept free for the job, or the job
/// fails by what its reduces would read (`input_limit` is the site's).
fn may_give(kind: TaskKind, job: &JobInProgress, slots: i32, input_limit: i64) -> bool {
    let (speculates, may_start) = match kind {
        TaskKind::Map => (job.submission.map_speculation, true),
        TaskKind::Reduce => {
            let limited = job.submission.reduce_input_limit.unwrap_or(input_limit) > 0;
            let may_start = job.may_reduce() || job.may_reduce_early() || slots > 1 || limited;
            (job.submission.reduce_speculation, may_start)
        }
    };
    let has_any = job.counts(kind).pending > 0 || (speculates && job.running_attempts(kind) > 0);
    job.is_running() && may_start && has_any
}

impl Capacity {
    pub(super) fn new(capacity: &CapacitySettings, settings: &Settings) -> Self {
        let memory = [settings.map_slot_memory_mb, settings.reduce_slot_memory_mb];
        let limits = [settings.map_memory_max_mb, settings.reduce_memory_max_mb];
        let by_memory = memory.iter().chain(&limits).all(|limit| *limit >= 0) && memory.iter().all(|mb| *mb > 0);
        let mut scheduler = Capacity {
            settings: capacity.clone(),
            slot_memory: by_memory.then_some(memory),
            reduce_input_limit: settings.reduce_input_limit,
            queues: Vec::new(),
            by_name: BTreeMap::new(),
            orders: Default::default(),
            members: BTreeMap::new(),
            reservations: Reservations::default(),
            needed_reduce_slots: 0,
        };
        scheduler.set_queues();
        scheduler
    }

    /// Takes the queues of the settings; those that are there already stay where they are.
    fn set_queues(&mut self) {
        for settings in &self.settings.queues {
            match self.by_name.get(&settings.name) {
                Some(at) => self.queues[*at].refresh(settings, self.settings.system_jobs_max),
                None => {
                    self.by_name.insert(settings.name.clone(), self.queues.len());
                    self.queues.push(Queue::new(settings.clone(), self.settings.system_jobs_max));
                }
            }
        }
        let names = java_order::sorted(self.by_name.keys().map(String::as_str));
        let order: Vec<usize> = names.into_iter().map(|name| self.by_name[name]).collect();
        self.orders = [order.clone(), order];
    }

    /// Puts the emptiest queue first; equally full ones stay in the order in which they were.
    fn sort_queues(&mut self, kind: TaskKind) {
        let queues = &self.queues;
        self.orders[kind as usize]
            .sort_by(|a, b| queues[*a].usage(kind).fullness().total_cmp(&queues[*b].usage(kind).fullness()));
    }

    fn queue(&self, name: &str) -> Option<&Queue> {
        self.by_name.get(name).map(|at| &self.queues[*at])
    }

    /// Slots that a task of a job takes (Hadoop 1.2.1: JobConf.computeNumSlotsPerMap).
    fn slots_per_task(&self, submission: &Submission) -> PerKind {
        let Some(slot_memory) = self.slot_memory else { return PerKind { maps: 1, reduces: 1 } };
        PerKind::of(|kind| {
            let memory = if kind.is_map() { submission.map_memory_mb } else { submission.reduce_memory_mb };
            let slots = (memory as f32 / slot_memory[kind as usize] as f32).ceil() as i32;
            slots.max(1)
        })
    }

    fn slots_of(&self, kind: TaskKind, job: &JobId) -> i32 {
        self.members.get(job).map_or(1, |member| member.slots.get(kind))
    }

    /// Brings what a job holds, and whether it has anything to give, up to date.
    fn recount(&mut self, job: &JobInProgress) {
        let Some(member) = self.members.get_mut(&job.id) else { return };
        let queue = &mut self.queues[member.queue];
        if member.stage != Stage::Running && job.is_running() {
            queue.remove(member.entry(), member.stage);
            member.stage = Stage::Running;
            queue.add(member.entry(), member.stage);
        }
        for kind in TaskKind::BOTH {
            let (old, new) = (member.holding(kind), member.holding_of(kind, job));
            if old != new {
                queue.usage_mut(kind).replace(&member.user, old, new);
                member.holdings[kind as usize] = new;
            }
            let gives = may_give(kind, job, member.slots.get(kind), self.reduce_input_limit);
            queue.set_giver(kind, &member.place, member.stage == Stage::Running && gives);
        }
        let waits = member.holding(TaskKind::Reduce).waits;
        let pending = i64::from(job.counts(TaskKind::Reduce).pending) * i64::from(member.slots.reduces);
        let needed = if waits { pending } else { 0 };
        self.needed_reduce_slots += needed - member.needed_reduce_slots;
        member.needed_reduce_slots = needed;
    }

    /// Counts a task that this heartbeat gives before its job is counted anew; the slots that it takes.
    fn count_given(&mut self, kind: TaskKind, job: &JobId) -> i32 {
        let Some(member) = self.members.get_mut(job) else { return 1 };
        let (old, slots) = (member.holding(kind), member.slots.get(kind));
        let new = Holding { tasks: old.tasks + 1, slots: old.slots + slots, ..old };
        self.queues[member.queue].usage_mut(kind).replace(&member.user, old, new);
        member.holdings[kind as usize] = new;
        slots
    }

    /// Reduce slots that stay free once every reduce that may start by 1.2.1's rule has one.
    fn spare_reduce_slots(&self, cluster: &Cluster) -> i64 {
        i64::from(cluster.free_slots(TaskKind::Reduce)) - self.needed_reduce_slots
    }

    fn reserve(
        &mut self,
        now: Monotonic,
        jobs: &mut Jobs,
        kind: TaskKind,
        tracker: TrackerKey,
        job: &JobId,
        slots: i32,
    ) {
        let is_new = self.reservations.job_at(kind, tracker).is_none();
        let fallow = self.reservations.reserve(now, kind, tracker, job, slots);
        if let Some(job) = jobs.get_mut(job) {
            job.count_fallow(kind, fallow.slot_millis);
        }
        if let Some(member) = self.members.get_mut(job) {
            member.reserved.add(kind, i32::from(is_new));
        }
    }

    /// Keeps a tracker free no longer; the job for which it was.
    fn release(&mut self, now: Monotonic, jobs: &mut Jobs, kind: TaskKind, tracker: TrackerKey) -> Option<JobId> {
        let (id, fallow) = self.reservations.release(now, kind, tracker)?;
        if let Some(job) = jobs.get_mut(&id) {
            job.count_fallow(kind, fallow.slot_millis);
        }
        if let Some(member) = self.members.get_mut(&id) {
            member.reserved.add(kind, -1);
        }
        Some(id)
    }

    /// Which waiting jobs of a queue may be initialised now: in order, until the queue is at its limits; a user who is
    /// at his is passed over.
    fn choose_to_init(&mut self, queue: usize) -> Vec<JobId> {
        let mut chosen = Vec::new();
        let mut users_at_limit = BTreeSet::new();
        let waiting: Vec<JobId> = self.queues[queue].waiting().map(|place| place.job.clone()).collect();
        for id in waiting {
            let Some(member) = self.members.get_mut(&id) else { continue };
            let queue = &mut self.queues[queue];
            if !queue.may_init(member.tasks) {
                break;
            }
            if users_at_limit.contains(&member.user) {
                continue;
            }
            if !queue.may_init_for(&member.user, member.tasks) {
                users_at_limit.insert(member.user.clone());
                continue;
            }
            queue.remove(member.entry(), Stage::Waiting);
            member.stage = Stage::Initializing;
            queue.add(member.entry(), Stage::Initializing);
            chosen.push(id);
        }
        chosen
    }
}

impl TaskScheduler for Capacity {
    fn check_submission(&self, _jobs: &Jobs, submission: &Submission) -> Result<(), SubmitError> {
        let queue = self.queue(&submission.queue);
        queue.map_or(Ok(()), |queue| queue.check_submission(submission)).map_err(SubmitError::Scheduler)
    }

    fn job_added(&mut self, _now: Now, _cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder) {
        let Some(job) = jobs.get_mut(&order.job) else { return };
        let Some(at) = self.by_name.get(&job.submission.queue).copied() else { return };
        job.slots = self.slots_per_task(&job.submission);
        let member = Member {
            queue: at,
            place: self.queues[at].place(order),
            user: job.status.user.clone(),
            stage: Stage::Waiting,
            tasks: job.submission.maps.saturating_add(job.submission.reduces),
            slots: job.slots,
            reserved: PerKind::default(),
            holdings: Default::default(),
            needed_reduce_slots: 0,
        };
        self.queues[at].add(member.entry(), Stage::Waiting);
        self.members.insert(job.id.clone(), member);
    }

    fn job_reordered(&mut self, _old: JobOrder, new: JobOrder) {
        let Some(member) = self.members.get_mut(&new.job) else { return };
        let queue = &mut self.queues[member.queue];
        let place = queue.place(new);
        if place == member.place {
            return;
        }
        let gives = TaskKind::BOTH.map(|kind| queue.is_giver(kind, &member.place));
        queue.remove(member.entry(), member.stage);
        member.place = place;
        queue.add(member.entry(), member.stage);
        for (kind, gives) in TaskKind::BOTH.into_iter().zip(gives) {
            queue.set_giver(kind, &member.place, gives);
        }
    }

    fn job_changed(&mut self, _now: Now, job: &JobInProgress) {
        if !job.is_over() {
            self.recount(job);
        }
    }

    fn job_ending(&mut self, now: Now, job: &mut JobInProgress) {
        for kind in TaskKind::BOTH {
            for tracker in self.reservations.trackers_of(kind, &job.id) {
                if let Some((_, fallow)) = self.reservations.release(now.mono, kind, tracker) {
                    job.count_fallow(kind, fallow.slot_millis);
                }
            }
        }
        if let Some(info) = self.job_info(&job.id) {
            job.status.scheduling_info = info;
        }
    }

    fn job_ended(&mut self, order: &JobOrder) {
        let Some(member) = self.members.remove(&order.job) else { return };
        let queue = &mut self.queues[member.queue];
        for kind in TaskKind::BOTH {
            queue.usage_mut(kind).replace(&member.user, member.holding(kind), Holding::default());
        }
        queue.remove(member.entry(), member.stage);
        self.needed_reduce_slots -= member.needed_reduce_slots;
    }

    fn initialize_jobs(&mut self, cluster: &mut Cluster, jobs: &mut Jobs) {
        for queue in 0..self.queues.len() {
            if !self.queues[queue].has_waiting() {
                continue;
            }
            for id in self.choose_to_init(queue) {
                if let Some(job) = jobs.get_mut(&id) {
                    job.initialize(cluster);
                }
            }
        }
    }

    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task> {
        for kind in TaskKind::BOTH {
            for queue in &mut self.queues {
                let settings = queue.settings.clone();
                queue.usage_mut(kind).set_capacity(&settings, cluster.trackers.slots.get(kind));
            }
        }
        if cluster.safe_mode {
            return Vec::new();
        }
        let mut round = Round { scheduler: self, now, cluster, jobs, tracker, rebooked: Vec::new() };
        let mut tasks = round.assign_maps();
        round.recount_givers(&tasks);
        tasks.extend(round.assign_reduce());
        for id in std::mem::take(&mut round.rebooked) {
            if let Some(job) = jobs.get(&id).filter(|job| !job.is_over()) {
                self.recount(job);
            }
        }
        tasks
    }

    fn tracker_lost(&mut self, now: Now, jobs: &mut Jobs, tracker: TrackerKey) {
        for kind in TaskKind::BOTH {
            if let Some(id) = self.release(now.mono, jobs, kind, tracker)
                && let Some(job) = jobs.get(&id).filter(|job| !job.is_over())
            {
                self.recount(job);
            }
        }
    }

    fn refresh(&mut self, settings: &SchedulerKind) {
        if let SchedulerKind::Capacity(settings) = settings {
            self.settings = settings.clone();
            self.set_queues();
        }
    }

    fn jobs(&self, queue: &str) -> Vec<JobId> {
        self.queue(queue).map_or_else(Vec::new, Queue::jobs)
    }

    fn queue_info(&self, _cluster: &Cluster, queue: &str) -> Option<String> {
        self.queue(queue).map(Queue::info)
    }

    fn job_info(&self, job: &JobId) -> Option<String> {
        self.members.get(job).filter(|member| member.stage == Stage::Running).map(Member::info)
    }

    fn reserved_slots(&self) -> PerKind {
        self.reservations.slots()
    }

    fn capacity_queues(&self) -> Vec<CapacityQueueView> {
        self.queue_views()
    }

    fn reservations(&self) -> Vec<(TrackerKey, TaskKind, JobId)> {
        let held = TaskKind::BOTH
            .into_iter()
            .flat_map(|kind| self.reservations.iter(kind).map(move |(tracker, job)| (tracker, kind, job.clone())));
        held.collect()
    }

    fn why_held_back(&self, job: &JobInProgress) -> Option<String> {
        let member = self.members.get(&job.id)?;
        self.queues[member.queue].why_held_back(&member.user, member.tasks)
    }

    fn why_limited(&self, job: &JobInProgress, kind: TaskKind) -> Option<String> {
        let member = self.members.get(&job.id)?;
        self.queues[member.queue].why_limited(kind, &member.user, member.slots.get(kind))
    }

    fn locality_wait(&self, job: &JobInProgress, trackers: usize) -> Option<WhyNot> {
        let (missed, until) = job.locality_wait_left(trackers).filter(|_| job.slots.maps == 1)?;
        Some(WhyNot::LocalityWait { missed, until })
    }

    fn starts_reduces_early(&self) -> bool {
        true
    }

    fn check(&self, jobs: &Jobs) -> Result<(), String> {
        self.check_books(jobs)
    }
}
