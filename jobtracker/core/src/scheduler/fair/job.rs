//! What the fair scheduler knows of a job, and how near its data the job's next map must run
//! (Hadoop 1.2.1: FairScheduler.JobInfo, JobSchedulable, LocalityLevel).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use types::{JobId, JobPriority, Millis, TaskKind};

use super::allocations::{FairSettings, LocalityDelays};
use super::pool::Both;
use crate::effect::Locality;
use crate::job::{JobInProgress, Reach};
use crate::scheduler::JobOrder;

/// A job's place in the scheduler's table.
pub(super) type JobKey = usize;

/// A job.
#[derive(Debug)]
pub(super) struct FairJob {
    pub(super) order: JobOrder,
    pub(super) user: String,
    pub(super) pool: Arc<str>,
    /// The limits of its user and its pool let it run.
    pub(super) runnable: bool,
    /// Whose limit kept it back at the last update, if one did.
    pub(super) over: Option<Over>,
    /// Slots that it uses.
    pub(super) running: Both<i32>,
    /// Slots that it can use, by the last update.
    pub(super) demand: Both<i32>,
    /// Slots that it should have, by the last update.
    pub(super) share: Both<f64>,
    pub(super) delay: Delay,
    /// Where it stood when it was last looked at.
    pub(super) stage: Stage,
}

/// Whose jobs are as many as may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    User,
    Pool,
}

/// How far a job is, as far as shares depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stage {
    pub(super) runs: bool,
    pub(super) may_reduce: bool,
    pub(super) over: bool,
}

impl Stage {
    pub(super) fn of(job: &JobInProgress) -> Self {
        let runs = job.is_running();
        Stage { runs, may_reduce: runs && job.may_reduce(), over: job.is_over() }
    }
}

/// How long a job has been passed over for want of a place near its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Delay {
    /// Where its last map ran.
    pub(super) level: Level,
    pub(super) waited: Duration,
    /// It was asked for maps in the last heartbeat and launched none.
    pub(super) skipped: bool,
}

/// How near its data a map runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Level {
    #[default]
    Node,
    Rack,
    Any,
}

impl Level {
    pub(super) fn of(locality: Locality) -> Self {
        match locality {
            Locality::NodeLocal => Level::Node,
            Locality::GroupLocal | Locality::RackLocal => Level::Rack,
            Locality::OffSwitch => Level::Any,
        }
    }

    pub(super) fn reach(self) -> Reach {
        match self {
            Level::Node => Reach::Node,
            Level::Rack => Reach::NodeOrRack,
            Level::Any => Reach::Any,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Level::Node => "NODE",
            Level::Rack => "RACK",
            Level::Any => "ANY",
        }
    }
}

impl Delay {
    /// How far from its data the next map may run (Hadoop 1.2.1: FairScheduler.getAllowedLocalityLevel).
    pub(super) fn allowed(&self, delays: LocalityDelays) -> Level {
        match self.level {
            Level::Node if self.waited >= delays.node + delays.rack => Level::Any,
            Level::Node if self.waited >= delays.node => Level::Rack,
            Level::Node => Level::Node,
            Level::Rack if self.waited >= delays.rack => Level::Any,
            Level::Rack => Level::Rack,
            Level::Any => Level::Any,
        }
    }

    /// A heartbeat comes: what was passed over in the last one has waited since.
    pub(super) fn heartbeat(&mut self, since_last: Duration) {
        if std::mem::take(&mut self.skipped) {
            self.waited += since_last;
        }
    }

    pub(super) fn launched(&mut self, level: Level) {
        self.level = level;
        self.waited = Duration::ZERO;
    }
}

impl FairJob {
    pub(super) fn new(job: &JobInProgress, pool: Arc<str>) -> Self {
        FairJob {
            order: JobOrder::of(job),
            user: job.status.user.clone(),
            pool,
            runnable: false,
            over: None,
            running: Both::default(),
            demand: Both::default(),
            share: Both::default(),
            delay: Delay::default(),
            stage: Stage::default(),
        }
    }

    pub(super) fn id(&self) -> &JobId {
        &self.order.job
    }

    /// What it weighs in its pool (Hadoop 1.2.1: FairScheduler.getJobWeight).
    pub(super) fn weight(&self, settings: &FairSettings, wall: Millis, kind: TaskKind) -> f64 {
        if !self.runnable {
            return 1.0;
        }
        let by_size = match settings.size_based_weight {
            true => f64::from(*self.demand.get(kind)).ln_1p() / std::f64::consts::LN_2,
            false => 1.0,
        };
        let boost = settings.new_job_boost.filter(|boost| {
            let age = wall.saturating_sub(self.order.start_time);
            i128::from(age) < i128::try_from(boost.duration.as_millis()).unwrap_or(i128::MAX)
        });
        by_size * priority_factor(self.order.priority) * boost.map_or(1.0, |boost| boost.factor)
    }

    /// What it has by weight: not a number where it has nothing and weighs nothing, as jobs do whose size is their
    /// weight and that have nothing to run.
    pub(super) fn ratio(&self, settings: &FairSettings, wall: Millis, kind: TaskKind) -> f64 {
        f64::from(*self.running.get(kind)) / self.weight(settings, wall, kind)
    }
}

fn priority_factor(priority: JobPriority) -> f64 {
    match priority {
        JobPriority::VeryHigh => 4.0,
        JobPriority::High => 2.0,
        JobPriority::Normal => 1.0,
        JobPriority::Low => 0.5,
        JobPriority::VeryLow => 0.25,
    }
}

/// All jobs of the scheduler; a job keeps its key.
#[derive(Debug, Default)]
pub(super) struct JobTable {
    jobs: Vec<Option<FairJob>>,
    free: Vec<JobKey>,
    by_id: BTreeMap<JobId, JobKey>,
}

impl JobTable {
    pub(super) fn insert(&mut self, job: FairJob) -> JobKey {
        let id = job.id().clone();
        let key = match self.free.pop() {
            Some(key) => {
                self.jobs[key] = Some(job);
                key
            }
            None => {
                self.jobs.push(Some(job));
                self.jobs.len() - 1
            }
        };
        self.by_id.insert(id, key);
        key
    }

    pub(super) fn remove(&mut self, key: JobKey) -> Option<FairJob> {
        let job = self.jobs.get_mut(key)?.take()?;
        self.by_id.remove(job.id());
        self.free.push(key);
        Some(job)
    }

    pub(super) fn key(&self, id: &JobId) -> Option<JobKey> {
        self.by_id.get(id).copied()
    }

    pub(super) fn get(&self, key: JobKey) -> Option<&FairJob> {
        self.jobs.get(key)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, key: JobKey) -> Option<&mut FairJob> {
        self.jobs.get_mut(key)?.as_mut()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// All jobs, by id.
    pub(super) fn iter(&self) -> impl Iterator<Item = (JobKey, &FairJob)> {
        self.by_id.values().filter_map(|key| Some((*key, self.get(*key)?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut FairJob> {
        self.jobs.iter_mut().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_waits_first_for_a_node_then_for_a_rack() {
        let ms = Duration::from_millis;
        let delays = LocalityDelays { node: ms(2000), rack: ms(3000) };
        let mut delay = Delay::default();
        assert_eq!(delay.allowed(delays), Level::Node);
        delay.heartbeat(ms(9000));
        assert_eq!(delay.waited, ms(0), "it was not passed over");
        for (waited, allowed) in [(2000, Level::Rack), (2999, Level::Rack), (1, Level::Any)] {
            delay.skipped = true;
            delay.heartbeat(ms(waited));
            assert_eq!(delay.allowed(delays), allowed, "after {:?}", delay.waited);
        }
        delay.launched(Level::Rack);
        assert_eq!(delay.allowed(delays), Level::Rack);
        delay.launched(Level::Any);
        assert_eq!(delay.allowed(delays), Level::Any);
    }
}
