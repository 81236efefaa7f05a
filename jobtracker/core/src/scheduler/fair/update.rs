//! What is computed anew from time to time: who may run under the limits of users and pools, what jobs and pools can
//! use, and what they should have (Hadoop 1.2.1: FairScheduler.update).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use types::{Now, TaskKind};

use super::allocations::{DEFAULT_POOL, LocalityDelays, PoolMode};
use super::job::{JobKey, Over};
use super::shares::{Claim, fair_shares};
use super::{Fair, POOLS_MAX};
use crate::cluster::Cluster;
use crate::job::JobInProgress;
use crate::scheduler::Jobs;

/// The longest wait for locality that nobody set.
const AUTOMATIC_DELAY_MAX: Duration = Duration::from_millis(15_000);

impl Fair {
    pub(super) fn update(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs) {
        self.last_update = now.mono;
        self.next_tick = now.mono + self.settings.update_interval;
        if self.settings.locality_delays.is_none() {
            let delay = automatic_delay(cluster.next_interval());
            self.delays = LocalityDelays { node: delay, rack: delay };
        }
        self.forget_what_is_over(jobs);
        let mut more = self.admit(cluster, jobs);
        for kind in TaskKind::BOTH {
            more |= self.update_demands(now, jobs, kind);
            self.update_shares(now, cluster, kind);
        }
        if self.settings.preemption {
            self.note_who_has_enough(now);
        }
        if more {
            cluster.more_work();
        }
    }

    fn forget_what_is_over(&mut self, jobs: &Jobs) {
        let is_over = |id| jobs.get(id).is_none_or(JobInProgress::is_over);
        let over: Vec<JobKey> = self.jobs.iter().filter(|(_, job)| is_over(job.id())).map(|(key, _)| key).collect();
        over.into_iter().for_each(|key| self.forget(key));
        if self.pools.len() > POOLS_MAX {
            let declared = &self.settings.allocations.pools;
            self.pools.retain(|name, pool| {
                !pool.jobs.is_empty() || declared.contains_key(&**name) || **name == *DEFAULT_POOL
            });
        }
    }

    /// Says which jobs may run, first come first served, and has those initialised that are not yet. Quirk: a job that
    /// runs is pushed out by one of higher priority (Hadoop 1.2.1: FairScheduler.updateRunnability). Tells whether any
    /// may run that could not before.
    fn admit(&mut self, cluster: &mut Cluster, jobs: &mut Jobs) -> bool {
        let mut more = false;
        let mut waiting: Vec<JobKey> = self.jobs.iter().map(|(key, _)| key).collect();
        waiting.sort_by(|a, b| self.order(*a).cmp(&self.order(*b)));
        let mut by_user: BTreeMap<String, i32> = BTreeMap::new();
        let mut by_pool: BTreeMap<Arc<str>, i32> = BTreeMap::new();
        let allocations = &self.settings.allocations;
        for key in waiting {
            let Some(known) = self.jobs.get_mut(key) else { continue };
            let was_runnable = std::mem::replace(&mut known.runnable, false);
            let Some(job) = jobs.get_mut(known.id()) else { continue };
            let of_user = by_user.entry(known.user.clone()).or_default();
            let of_pool = by_pool.entry(known.pool.clone()).or_default();
            known.over = if *of_user >= allocations.user_jobs_max(&known.user) {
                Some(Over::User)
            } else if *of_pool >= allocations.pool_jobs_max(&known.pool) {
                Some(Over::Pool)
            } else {
                None
            };
            if known.over.is_some() {
                continue;
            }
            *of_user += 1;
            *of_pool += 1;
            if job.is_running() {
                known.runnable = true;
                more |= !was_runnable;
            } else {
                job.initialize(cluster);
            }
        }
        more
    }

    fn order(&self, key: JobKey) -> Option<&crate::scheduler::JobOrder> {
        self.jobs.get(key).map(|job| &job.order)
    }

    /// Sums up what the jobs of each pool can use. Quirk: where a pool's most is reached, its further jobs keep their
    /// old demand (Hadoop 1.2.1: PoolSchedulable.updateDemand). Tells whether a pool can use more than before.
    fn update_demands(&mut self, now: Now, jobs: &Jobs, kind: TaskKind) -> bool {
        let mut more = false;
        for (name, pool) in &mut self.pools {
            let most = self.settings.allocations.max_share(name, kind).unwrap_or(i32::MAX);
            let side = pool.side_mut(kind);
            let old = std::mem::replace(&mut side.demand, 0);
            for key in &side.order {
                let Some(known) = self.jobs.get_mut(*key) else { continue };
                let demand = match jobs.get(known.id()) {
                    Some(job) if known.runnable => job.slot_demand(now.mono, kind),
                    _ => 0,
                };
                *known.demand.get_mut(kind) = demand;
                side.demand = side.demand.saturating_add(demand);
                if side.demand >= most {
                    side.demand = most;
                    break;
                }
            }
            more |= side.demand > old;
        }
        more
    }

    /// Shares the cluster among the pools, and each pool among its jobs.
    fn update_shares(&mut self, now: Now, cluster: &Cluster, kind: TaskKind) {
        let allocations = &self.settings.allocations;
        let claims: Vec<Claim> = self
            .pools
            .iter()
            .map(|(name, pool)| Claim {
                demand: pool.side(kind).demand,
                min_share: allocations.min_share(name, kind),
                weight: allocations.weight(name),
            })
            .collect();
        let shares = fair_shares(&claims, f64::from(cluster.trackers.slots.get(kind)));
        for (pool, share) in self.pools.values_mut().zip(shares) {
            let mode = pool.mode;
            let side = pool.side_mut(kind);
            side.share = share;
            let claim = |key: &JobKey| match self.jobs.get(*key) {
                Some(job) => Claim {
                    demand: *job.demand.get(kind),
                    min_share: 0,
                    weight: job.weight(&self.settings, now.wall.0, kind),
                },
                None => Claim { demand: 0, min_share: 0, weight: 1.0 },
            };
            let shares = match mode {
                PoolMode::Fair => fair_shares(&side.order.iter().map(claim).collect::<Vec<_>>(), share),
                PoolMode::Fifo => vec![0.0; side.order.len()],
            };
            for (key, share) in side.order.iter().zip(shares) {
                if let Some(job) = self.jobs.get_mut(*key) {
                    *job.share.get_mut(kind) = share;
                }
            }
        }
    }
}

/// One and a half heartbeats (Hadoop 1.2.1: FairScheduler.update).
fn automatic_delay(heartbeat: Duration) -> Duration {
    let millis = 1.5 * heartbeat.as_millis() as f64;
    Duration::from_millis(millis as u64).min(AUTOMATIC_DELAY_MAX)
}
