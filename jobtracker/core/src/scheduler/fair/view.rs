//! What pages show of the fair scheduler.

use std::time::Duration;

use types::{JobId, Now, TaskKind};

use super::Fair;
use super::allocations::PoolMode;
use super::pool::Both;

/// The scheduler as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct FairView {
    /// Its pools, by name.
    pub pools: Vec<PoolView>,
    /// Its jobs, by id.
    pub jobs: Vec<FairJobView>,
}

/// A pool as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolView {
    /// Its name.
    pub name: String,
    /// How many jobs it has.
    pub jobs: usize,
    /// How they share it.
    pub mode: PoolMode,
    /// Its map slots.
    pub maps: PoolShareView,
    /// Its reduce slots.
    pub reduces: PoolShareView,
}

/// What a pool has of one kind of slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoolShareView {
    /// What it gets before others.
    pub min_share: i32,
    /// What it takes at most.
    pub max_share: Option<i32>,
    /// What it uses.
    pub running: i32,
    /// What it can use.
    pub demand: i32,
    /// What it should have.
    pub fair_share: f64,
}

/// A job as pages show it.
#[derive(Debug, Clone, PartialEq)]
pub struct FairJobView {
    /// Which.
    pub job: JobId,
    /// Its pool.
    pub pool: String,
    /// The limits of its user and its pool let it run.
    pub runnable: bool,
    /// Its map slots.
    pub maps: FairShareView,
    /// Its reduce slots.
    pub reduces: FairShareView,
    /// How near its data its last map ran: `NODE`, `RACK` or `ANY`.
    pub locality: &'static str,
    /// How long it has been passed over since for want of a place near its data.
    pub waited: Duration,
    /// It was passed over in the last heartbeat.
    pub skipped: bool,
}

/// What a job has of one kind of slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FairShareView {
    /// What it uses.
    pub running: i32,
    /// What it can use.
    pub demand: i32,
    /// What it should have.
    pub fair_share: f64,
    /// What it weighs in its pool.
    pub weight: f64,
}

impl Fair {
    pub(crate) fn view(&self, now: Now) -> FairView {
        FairView { pools: self.pool_views(), jobs: self.job_views(now) }
    }

    fn pool_views(&self) -> Vec<PoolView> {
        let allocations = &self.settings.allocations;
        let pools = self.pools.iter().map(|(name, pool)| {
            let shares = |kind| {
                let side = pool.side(kind);
                PoolShareView {
                    min_share: allocations.min_share(name, kind),
                    max_share: allocations.max_share(name, kind),
                    running: side.running,
                    demand: side.demand,
                    fair_share: side.share,
                }
            };
            PoolView {
                name: name.to_string(),
                jobs: pool.jobs.len(),
                mode: pool.mode,
                maps: shares(TaskKind::Map),
                reduces: shares(TaskKind::Reduce),
            }
        });
        pools.collect()
    }

    fn job_views(&self, now: Now) -> Vec<FairJobView> {
        let jobs = self.jobs.iter().map(|(_, job)| {
            let shares = Both::of(|kind| FairShareView {
                running: *job.running.get(kind),
                demand: *job.demand.get(kind),
                fair_share: *job.share.get(kind),
                weight: job.weight(&self.settings, now.wall.0, kind),
            });
            FairJobView {
                job: job.id().clone(),
                pool: job.pool.to_string(),
                runnable: job.runnable,
                maps: *shares.get(TaskKind::Map),
                reduces: *shares.get(TaskKind::Reduce),
                locality: job.delay.level.name(),
                waited: job.delay.waited,
                skipped: job.delay.skipped,
            }
        });
        jobs.collect()
    }
}
