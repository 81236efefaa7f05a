//! Pools that have gone without their shares for too long take slots back, from the youngest tasks of pools that have
//! more than theirs (Hadoop 1.2.1: FairScheduler.preemptTasksIfNecessary, preemptTasks, tasksToPreempt).

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use types::{Millis, Now, TaskAttemptId, TaskKind};

use super::Fair;
use crate::cluster::Cluster;
use crate::effect::Effect;
use crate::scheduler::Jobs;

/// Slots are taken back, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preemption {
    /// Which slots.
    pub kind: TaskKind,
    /// Who claims them.
    pub claims: Vec<PreemptionClaim>,
    /// Attempts that are to die, in order, and whether they were asked just now: those that were asked before and still
    /// run count again.
    pub victims: Vec<(TaskAttemptId, bool)>,
    /// Nothing is done about it.
    pub only_told: bool,
}

/// What a pool claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreemptionClaim {
    /// Which pool.
    pub pool: String,
    /// Slots that it lacks of its minimum.
    pub for_min_share: i32,
    /// Slots that it lacks of its fair share.
    pub for_fair_share: i32,
}

impl PreemptionClaim {
    fn slots(&self) -> i32 {
        self.for_min_share.max(self.for_fair_share)
    }
}

impl Fair {
    /// Notes which pools have their minimum, and half their fair share.
    pub(super) fn note_who_has_enough(&mut self, now: Now) {
        for (name, pool) in &mut self.pools {
            for kind in TaskKind::BOTH {
                let min_share = self.settings.allocations.min_share(name, kind);
                let side = pool.side_mut(kind);
                if !side.is_below_min_share(min_share) {
                    side.had_min_share = now.mono;
                }
                if !side.is_below_half_share() {
                    side.had_half_share = now.mono;
                }
            }
        }
    }

    pub(super) fn preempt_if_due(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs) {
        if !self.settings.preemption || now.mono - self.last_preemption_check < self.settings.preemption_interval {
            return;
        }
        self.last_preemption_check = now.mono;
        for kind in TaskKind::BOTH {
            let claims = self.claims(now, kind);
            if claims.is_empty() {
                continue;
            }
            let only_told = self.settings.preemption_only_told;
            let wanted = claims.iter().map(PreemptionClaim::slots).fold(0, i32::saturating_add);
            let victims = if only_told { Vec::new() } else { self.preempt(cluster, jobs, kind, wanted) };
            cluster.effects.push(Effect::Preemption(Preemption { kind, claims, victims, only_told }));
        }
    }

    fn claims(&self, now: Now, kind: TaskKind) -> Vec<PreemptionClaim> {
        let allocations = &self.settings.allocations;
        let longer = |since, timeout: Option<Duration>| timeout.is_some_and(|timeout| now.mono - since > timeout);
        let claims = self.pools.iter().map(|(name, pool)| {
            let side = pool.side(kind);
            let lacks = |due: bool, wanted: i32| if due { (wanted - side.running).max(0) } else { 0 };
            let min_share = allocations.min_share(name, kind).min(side.demand);
            let fair_share = side.share.min(f64::from(side.demand)) as i32;
            PreemptionClaim {
                pool: name.to_string(),
                for_min_share: lacks(longer(side.had_min_share, allocations.min_share_timeout(name)), min_share),
                for_fair_share: lacks(longer(side.had_half_share, allocations.fair_share_timeout), fair_share),
            }
        });
        claims.filter(|claim| claim.slots() > 0).collect()
    }

    /// Has so many tasks killed, youngest first, as long as their pools have more than their share. Quirk: one that was
    /// asked to die before and has not yet uses up a kill all the same.
    fn preempt(
        &self,
        cluster: &mut Cluster,
        jobs: &mut Jobs,
        kind: TaskKind,
        mut wanted: i32,
    ) -> Vec<(TaskAttemptId, bool)> {
        let mut left: BTreeMap<Arc<str>, i32> =
            self.pools.iter().map(|(name, pool)| (name.clone(), pool.side(kind).running)).collect();
        let mut victims = Vec::new();
        for (_, attempt, pool) in self.candidates(jobs, kind) {
            let Some(left) = left.get_mut(&pool) else { continue };
            let share = self.pools.get(&pool).map_or(0.0, |pool| pool.side(kind).share);
            if f64::from(*left) <= share {
                continue;
            }
            let job = jobs.get_mut(attempt.job());
            let killed = job.is_some_and(|job| job.kill_attempt(cluster, &attempt, false));
            victims.push((attempt, killed));
            wanted -= 1;
            if wanted == 0 {
                break;
            }
            *left -= 1;
        }
        victims
    }

    /// Running attempts of pools that have more than their share, youngest first; none that no tracker has told of.
    fn candidates(&self, jobs: &Jobs, kind: TaskKind) -> Vec<(Reverse<Millis>, TaskAttemptId, Arc<str>)> {
        let mut candidates = Vec::new();
        for (name, pool) in &self.pools {
            let side = pool.side(kind);
            if f64::from(side.running) <= side.share {
                continue;
            }
            for key in &side.order {
                let Some(job) = self.jobs.get(*key).and_then(|known| jobs.get(known.id())) else { continue };
                let attempts = job.running_attempt_starts(kind).into_iter();
                candidates.extend(attempts.map(|(start, attempt)| (Reverse(start), attempt, name.clone())));
            }
        }
        candidates.sort();
        candidates
    }
}
