//! One heartbeat's assignment: map or reduce, which pool, which job, and how near its data
//! (Hadoop 1.2.1: FairScheduler.assignTasks, PoolSchedulable.assignTask, JobSchedulable.assignTask,
//! CapBasedLoadManager).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use types::{Monotonic, Now, Task, TaskKind};

use super::Fair;
use super::allocations::PoolMode;
use super::job::{JobKey, Level};
use super::order::{Place, sort_by_fairness};
use super::pool::{Both, PoolSide, Standing};
use crate::cluster::Cluster;
use crate::job::JobInProgress;
use crate::scheduler::Jobs;
use crate::trackers::TrackerKey;

/// What a heartbeat has come to.
struct Round<'a> {
    now: Now,
    cluster: &'a mut Cluster,
    jobs: &'a mut Jobs,
    tracker: TrackerKey,
    /// Slots that all pools can use, and use.
    runnable: Both<i64>,
    running: Both<i64>,
    assigned: Both<i32>,
    /// No more of the kind in this heartbeat.
    closed: Both<bool>,
    /// Jobs that were asked for maps, and those of them that gave one.
    asked: BTreeSet<JobKey>,
    launched: BTreeSet<JobKey>,
}

impl Fair {
    pub(super) fn assign(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        jobs: &mut Jobs,
        tracker: TrackerKey,
    ) -> Vec<Task> {
        self.count_waits(now);
        if cluster.safe_mode {
            return Vec::new();
        }
        let sum = |of: fn(&PoolSide) -> i32| {
            Both::of(|kind| self.pools.values().map(|pool| i64::from(of(pool.side(kind)))).sum())
        };
        let mut round = Round {
            now,
            cluster,
            jobs,
            tracker,
            runnable: sum(|side| side.demand),
            running: sum(|side| side.running),
            assigned: Both::default(),
            closed: Both::default(),
            asked: BTreeSet::new(),
            launched: BTreeSet::new(),
        };
        let tasks = self.fill(&mut round);
        for key in round.asked.difference(&round.launched) {
            if let Some(job) = self.jobs.get_mut(*key) {
                job.delay.skipped = true;
            }
        }
        tasks
    }

    fn count_waits(&mut self, now: Now) {
        let since_last = self.last_heartbeat.map_or(Duration::ZERO, |last| now.mono - last);
        self.last_heartbeat = Some(now.mono);
        for job in self.jobs.iter_mut() {
            job.delay.heartbeat(since_last);
        }
    }

    fn fill(&mut self, round: &mut Round<'_>) -> Vec<Task> {
        let most = Both::of(|kind| self.tasks_max(round, kind));
        let mut tasks = Vec::new();
        loop {
            for kind in TaskKind::BOTH {
                let full = round.assigned.get(kind) >= most.get(kind)
                    || round.running.get(kind) == round.runnable.get(kind)
                    || !round.load_allows(self.settings.load_difference_max, kind);
                *round.closed.get_mut(kind) |= full;
            }
            let Some(kind) = round.next_kind() else { return tasks };
            if !self.settings.assign_multiple && !tasks.is_empty() {
                return tasks;
            }
            match self.assign_one(round, kind) {
                Some(task) => {
                    *round.assigned.get_mut(kind) += 1;
                    *round.running.get_mut(kind) += 1;
                    tasks.push(task);
                }
                None => *round.closed.get_mut(kind) = true,
            }
        }
    }

    /// How many tasks a heartbeat brings at most. (Hadoop gives one even where no slot is free, if told to give one.)
    fn tasks_max(&self, round: &Round<'_>, kind: TaskKind) -> i32 {
        let free = round.cluster.trackers.get(round.tracker).map_or(0, |tracker| tracker.free_slots(kind)).max(0);
        let most = match kind {
            _ if !self.settings.assign_multiple => Some(1),
            TaskKind::Map => self.settings.maps_max,
            TaskKind::Reduce => self.settings.reduces_max,
        };
        most.map_or(free, |most| most.clamp(0, free))
    }

    /// A task of the neediest pool that has one.
    fn assign_one(&mut self, round: &mut Round<'_>, kind: TaskKind) -> Option<Task> {
        let allocations = &self.settings.allocations;
        let standing = |name: &Arc<str>, side: &PoolSide| {
            side.standing(allocations.min_share(name, kind), allocations.weight(name))
        };
        let mut pools: Vec<(Standing, Arc<str>)> =
            self.pools.iter().map(|(name, pool)| (standing(name, pool.side(kind)), name.clone())).collect();
        // Pools come by name, which settles ties.
        pools.sort_by(|a, b| a.0.cmp(b.0));
        pools.into_iter().find_map(|(_, pool)| self.assign_from_pool(round, kind, &pool))
    }

    fn assign_from_pool(&mut self, round: &mut Round<'_>, kind: TaskKind, name: &str) -> Option<Task> {
        let pool = self.pools.get_mut(name)?;
        let (mode, side) = (pool.mode, pool.side_mut(kind));
        if self.settings.allocations.max_share(name, kind).is_some_and(|most| side.running >= most) {
            return None;
        }
        let mut order = std::mem::take(&mut side.order);
        self.sort_jobs(round.now, kind, mode, &mut order);
        let found = order.iter().find_map(|key| self.assign_from_job(round, kind, *key));
        if let Some(pool) = self.pools.get_mut(name) {
            pool.side_mut(kind).order = order;
        }
        found
    }

    fn sort_jobs(&self, now: Now, kind: TaskKind, mode: PoolMode, order: &mut [JobKey]) {
        match mode {
            PoolMode::Fifo => order.sort_by(|a, b| {
                let order = |key: &JobKey| self.jobs.get(*key).map(|job| &job.order);
                order(a).cmp(&order(b))
            }),
            PoolMode::Fair => {
                let place = |key: &JobKey| {
                    let job = self.jobs.get(*key)?;
                    let ratio = job.ratio(&self.settings, now.wall.0, kind);
                    Some(Place { ratio, start_time: job.order.start_time, id: job.id(), key: *key })
                };
                let mut places: Vec<Place<'_>> = order.iter().filter_map(place).collect();
                sort_by_fairness(&mut places);
                order.iter_mut().zip(places).for_each(|(key, place)| *key = place.key);
            }
        }
    }

    fn assign_from_job(&mut self, round: &mut Round<'_>, kind: TaskKind, key: JobKey) -> Option<Task> {
        let known = self.jobs.get(key).filter(|known| known.runnable)?;
        let job = round.jobs.get_mut(known.id()).filter(|job| job.is_running())?;
        let task = match kind {
            TaskKind::Map => {
                round.asked.insert(key);
                let reach = self.allowed_level(round.now.mono, key, job).reach();
                job.obtain_map(round.now, round.cluster, round.tracker, reach)
            }
            TaskKind::Reduce => job.obtain_reduce(round.now, round.cluster, round.tracker, false),
        };
        self.count(key, job);
        let task = task?;
        if kind == TaskKind::Map {
            round.launched.insert(key);
            let level = level_of(job, &task);
            self.jobs.get_mut(key)?.delay.launched(level);
        }
        Some(task)
    }

    /// How far from its data a job's next map may run (Hadoop 1.2.1: FairScheduler.getAllowedLocalityLevel).
    pub(super) fn allowed_level(&self, now: Monotonic, key: JobKey, job: &JobInProgress) -> Level {
        let Some(known) = self.jobs.get(key) else { return Level::Any };
        if job.has_maps_without_place() || self.is_starved(now, &known.pool) {
            return Level::Any;
        }
        known.delay.allowed(self.delays)
    }

    /// Whether a pool has gone without its shares for so long that it takes what it gets.
    fn is_starved(&self, now: Monotonic, name: &str) -> bool {
        let Some(pool) = self.pools.get(name) else { return false };
        let side = pool.side(TaskKind::Map);
        let allocations = &self.settings.allocations;
        let longer = |since, timeout: Option<Duration>| timeout.is_some_and(|timeout| now - since > timeout);
        longer(side.had_min_share, allocations.min_share_timeout(name))
            || longer(side.had_half_share, allocations.fair_share_timeout)
    }
}

/// How near its data a map was given out.
fn level_of(job: &JobInProgress, task: &Task) -> Level {
    let found = job.find(task.attempt.kind(), task.attempt.task.number);
    let attempt = found.and_then(|found| job.task(found).attempt(task.attempt.number));
    attempt.map_or(Level::Any, |attempt| Level::of(attempt.locality))
}

impl Round<'_> {
    /// The kind of which the tracker runs less, of those that are open.
    fn next_kind(&self) -> Option<TaskKind> {
        match (*self.closed.get(TaskKind::Map), *self.closed.get(TaskKind::Reduce)) {
            (true, true) => None,
            (true, false) => Some(TaskKind::Reduce),
            (false, true) => Some(TaskKind::Map),
            (false, false) => {
                let runs = |kind| self.tracker_running(kind) + self.assigned.get(kind);
                Some(if runs(TaskKind::Map) <= runs(TaskKind::Reduce) { TaskKind::Map } else { TaskKind::Reduce })
            }
        }
    }

    fn tracker_running(&self, kind: TaskKind) -> i32 {
        self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.running.get(kind))
    }

    /// Whether the tracker runs less than its part of the load.
    fn load_allows(&self, difference_max: f32, kind: TaskKind) -> bool {
        let slots = self.cluster.trackers.get(self.tracker).map_or(0, |tracker| tracker.slots.get(kind));
        let cluster_slots = self.cluster.trackers.slots.get(kind);
        if cluster_slots <= 0 {
            return false;
        }
        let load = f64::from(difference_max) + *self.runnable.get(kind) as f64 / f64::from(cluster_slots);
        let most = (f64::from(slots) * load.min(1.0)).ceil() as i32;
        self.tracker_running(kind) + self.assigned.get(kind) < most
    }
}
