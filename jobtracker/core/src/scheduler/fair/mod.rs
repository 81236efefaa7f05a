//! Pools share the cluster fairly, and jobs share their pool (Hadoop 1.2.1: FairScheduler and its package). This file
//! keeps pools and jobs; each file beside it is one of the scheduler's decisions.

mod allocations;
mod assign;
mod explain;
mod job;
mod order;
mod pool;
mod preemption;
mod shares;
mod update;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use types::{JobId, Monotonic, Now, Task, TaskKind};

use super::{JobOrder, Jobs, TaskScheduler};
use crate::cluster::Cluster;
use crate::error::SubmitError;
use crate::explain::WhyNot;
use crate::job::JobInProgress;
use crate::submission::Submission;
use crate::trackers::TrackerKey;

use allocations::DEFAULT_POOL;
use job::{FairJob, JobKey, JobTable, Stage};
use pool::Pool;

pub use allocations::{Allocations, FairSettings, LocalityDelays, NewJobBoost, PoolAllocation, PoolMode};
pub use preemption::{Preemption, PreemptionClaim};
pub use view::{FairJobView, FairShareView, FairView, PoolShareView, PoolView};

/// Between updates that are made at once.
const UPDATE_REST: Duration = Duration::from_millis(10);
/// Pools that no allocation names are forgotten with their last job once there are so many.
const POOLS_MAX: usize = 1000;

/// The scheduler.
#[derive(Debug)]
pub(crate) struct Fair {
    settings: FairSettings,
    pools: BTreeMap<Arc<str>, Pool>,
    jobs: JobTable,
    delays: LocalityDelays,
    last_update: Monotonic,
    next_tick: Monotonic,
    /// When a tracker was last asked for, if one was.
    last_heartbeat: Option<Monotonic>,
    last_preemption_check: Monotonic,
}

impl Fair {
    pub(super) fn new(now: Now, settings: FairSettings) -> Self {
        let mut fair = Fair {
            delays: settings.locality_delays.unwrap_or(LocalityDelays { node: Duration::ZERO, rack: Duration::ZERO }),
            last_update: now.mono,
            next_tick: now.mono + settings.update_interval,
            pools: BTreeMap::new(),
            jobs: JobTable::default(),
            last_heartbeat: None,
            last_preemption_check: Monotonic::default(),
            settings,
        };
        fair.take_pools(now.mono);
        fair
    }

    /// Puts new allocations in force.
    pub(crate) fn set_allocations(&mut self, now: Now, allocations: Allocations) {
        self.settings.allocations = allocations;
        self.take_pools(now.mono);
        self.next_tick = self.next_tick.min(now.mono);
    }

    /// The default pool and those that the allocations name are there before any job. Quirk: one that is named no more
    /// keeps its mode (Hadoop 1.2.1: PoolManager.reloadAllocs).
    fn take_pools(&mut self, now: Monotonic) {
        let allocations = &self.settings.allocations;
        for (name, allocation) in &allocations.pools {
            let mode = allocation.mode.unwrap_or(allocations.mode);
            let pool = self.pools.entry(name.as_str().into()).or_insert_with(|| Pool::new(now, mode));
            pool.mode = mode;
        }
        self.pool(now, DEFAULT_POOL);
    }

    /// The name of a pool, which comes to be if there is none.
    fn pool(&mut self, now: Monotonic, name: &str) -> Arc<str> {
        if let Some((name, _)) = self.pools.get_key_value(name) {
            return name.clone();
        }
        let name: Arc<str> = name.into();
        self.pools.insert(name.clone(), Pool::new(now, self.settings.allocations.mode));
        name
    }

    /// Moves a job to another pool, which may be a new one; whether the job is known.
    pub(crate) fn set_pool(&mut self, now: Now, id: &JobId, pool: &str) -> bool {
        let Some(key) = self.jobs.key(id) else { return false };
        let pool = self.pool(now.mono, pool.trim());
        self.leave_pool(key);
        if let Some(job) = self.jobs.get_mut(key) {
            job.pool = pool;
        }
        self.enter_pool(key);
        self.next_tick = self.next_tick.min(now.mono);
        true
    }

    fn enter_pool(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(key) else { return };
        let Some(pool) = self.pools.get_mut(&job.pool) else { return };
        pool.add(key);
        for kind in TaskKind::BOTH {
            pool.side_mut(kind).running += job.running.get(kind);
        }
    }

    fn leave_pool(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(key) else { return };
        let Some(pool) = self.pools.get_mut(&job.pool) else { return };
        pool.remove(key);
        for kind in TaskKind::BOTH {
            pool.side_mut(kind).running -= job.running.get(kind);
        }
    }

    fn forget(&mut self, key: JobKey) {
        self.leave_pool(key);
        self.jobs.remove(key);
    }

    /// Counts what a job runs now.
    fn count(&mut self, key: JobKey, job: &JobInProgress) {
        let Some(known) = self.jobs.get_mut(key) else { return };
        let Some(pool) = self.pools.get_mut(&known.pool) else { return };
        for kind in TaskKind::BOTH {
            let running = if job.is_inited() { job.running_attempts(kind) } else { 0 };
            let old = std::mem::replace(known.running.get_mut(kind), running);
            pool.side_mut(kind).running += running - old;
        }
    }
}

impl TaskScheduler for Fair {
    fn check_submission(&self, _jobs: &Jobs, submission: &Submission) -> Result<(), SubmitError> {
        let pools = &self.settings.allocations.pools;
        if self.settings.undeclared_pools || pools.contains_key(&submission.pool) {
            return Ok(());
        }
        Err(SubmitError::UndeclaredPool { pool: submission.pool.clone(), declared: pools.keys().cloned().collect() })
    }

    fn job_added(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder) {
        // A restart may hand in a submission twice.
        if let Some(known) = self.jobs.key(&order.job) {
            self.forget(known);
        }
        let Some(job) = jobs.get(&order.job) else { return };
        let pool = self.pool(now.mono, &job.submission.pool);
        let key = self.jobs.insert(FairJob::new(job, pool));
        self.enter_pool(key);
        self.update(now, cluster, jobs);
    }

    fn job_reordered(&mut self, old: JobOrder, new: JobOrder) {
        if let Some(job) = self.jobs.key(&old.job).and_then(|key| self.jobs.get_mut(key)) {
            job.order = new;
            self.next_tick = self.last_update;
        }
    }

    fn job_changed(&mut self, now: Now, job: &JobInProgress) {
        let Some(key) = self.jobs.key(&job.id) else { return };
        self.count(key, job);
        let Some(known) = self.jobs.get_mut(key) else { return };
        let stage = Stage::of(job);
        if std::mem::replace(&mut known.stage, stage) != stage && self.settings.update_at_once {
            self.next_tick = self.next_tick.min(now.mono.max(self.last_update + UPDATE_REST));
        }
    }

    /// Its place is taken at the next update.
    fn job_ended(&mut self, _order: &JobOrder) {}

    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task> {
        self.assign(now, cluster, jobs, tracker)
    }

    /// Here a queue is a pool (Hadoop 1.2.1: FairScheduler.getJobs).
    fn jobs(&self, queue: &str) -> Vec<JobId> {
        let keys = self.pools.get(queue).map_or(&[][..], |pool| &pool.jobs);
        keys.iter().filter_map(|key| self.jobs.get(*key)).map(|job| job.id().clone()).collect()
    }

    fn why_held_back(&self, job: &JobInProgress) -> Option<String> {
        self.limit_of_jobs(job)
    }

    fn why_limited(&self, job: &JobInProgress, kind: TaskKind) -> Option<String> {
        self.limit_of_slots(job, kind)
    }

    fn locality_wait(&self, job: &JobInProgress, _trackers: usize) -> Option<WhyNot> {
        self.locality_delay(job)
    }

    /// Never while there are no jobs: nothing would change.
    fn next_tick(&self) -> Option<Monotonic> {
        (!self.jobs.is_empty()).then_some(self.next_tick)
    }

    fn tick(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs) {
        self.update(now, cluster, jobs);
        self.preempt_if_due(now, cluster, jobs);
    }

    /// What is counted of each job is what it runs, and pools have the sums.
    fn check(&self, jobs: &Jobs) -> Result<(), String> {
        for (name, pool) in &self.pools {
            for kind in TaskKind::BOTH {
                let mut sum = 0;
                for known in pool.side(kind).order.iter().filter_map(|key| self.jobs.get(*key)) {
                    let counted = *known.running.get(kind);
                    let job = jobs.get(known.id()).filter(|job| !job.is_over() && job.is_inited());
                    let runs = job.map_or(0, |job| job.running_attempts(kind));
                    if counted != runs {
                        return Err(format!("{}: {counted} of {kind:?} are counted, {runs} run", known.id()));
                    }
                    sum += counted;
                }
                if sum != pool.side(kind).running || pool.side(kind).order.len() != pool.jobs.len() {
                    return Err(format!("pool {name}: {:?} does not add up to {sum}", pool.side(kind)));
                }
            }
        }
        Ok(())
    }

    fn as_fair(&self) -> Option<&Fair> {
        Some(self)
    }

    fn as_fair_mut(&mut self) -> Option<&mut Fair> {
        Some(self)
    }
}
