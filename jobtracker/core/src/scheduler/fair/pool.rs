//! A pool: jobs that share slots, with what was last computed for it (Hadoop 1.2.1: Pool, PoolSchedulable).

use std::cmp::Ordering;

use types::{Monotonic, TaskKind};

use super::allocations::PoolMode;
use super::job::JobKey;

/// One value for maps and one for reduces.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Both<T> {
    maps: T,
    reduces: T,
}

impl<T> Both<T> {
    pub(super) fn of(value: impl Fn(TaskKind) -> T) -> Self {
        Both { maps: value(TaskKind::Map), reduces: value(TaskKind::Reduce) }
    }

    pub(super) fn get(&self, kind: TaskKind) -> &T {
        match kind {
            TaskKind::Map => &self.maps,
            TaskKind::Reduce => &self.reduces,
        }
    }

    pub(super) fn get_mut(&mut self, kind: TaskKind) -> &mut T {
        match kind {
            TaskKind::Map => &mut self.maps,
            TaskKind::Reduce => &mut self.reduces,
        }
    }
}

/// A pool.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) mode: PoolMode,
    /// Its jobs as they came.
    pub(super) jobs: Vec<JobKey>,
    sides: Both<PoolSide>,
}

/// What a pool has of one kind of slots.
#[derive(Debug)]
pub(super) struct PoolSide {
    /// Its jobs, in the order of the last choice among them.
    pub(super) order: Vec<JobKey>,
    /// Slots that its jobs can use, by the last update.
    pub(super) demand: i32,
    /// Slots that it should have, by the last update.
    pub(super) share: f64,
    /// Slots that its jobs use.
    pub(super) running: i32,
    /// When it last had its minimum, and half its fair share. Quirk: they stand still unless preemption is on
    /// (Hadoop 1.2.1: FairScheduler.updatePreemptionVariables).
    pub(super) had_min_share: Monotonic,
    pub(super) had_half_share: Monotonic,
}

impl Pool {
    pub(super) fn new(now: Monotonic, mode: PoolMode) -> Self {
        let side = |_| PoolSide {
            order: Vec::new(),
            demand: 0,
            share: 0.0,
            running: 0,
            had_min_share: now,
            had_half_share: now,
        };
        Pool { mode, jobs: Vec::new(), sides: Both::of(side) }
    }

    pub(super) fn side(&self, kind: TaskKind) -> &PoolSide {
        self.sides.get(kind)
    }

    pub(super) fn side_mut(&mut self, kind: TaskKind) -> &mut PoolSide {
        self.sides.get_mut(kind)
    }

    pub(super) fn add(&mut self, job: JobKey) {
        self.jobs.push(job);
        for kind in TaskKind::BOTH {
            self.side_mut(kind).order.push(job);
        }
    }

    pub(super) fn remove(&mut self, job: JobKey) {
        self.jobs.retain(|known| *known != job);
        for kind in TaskKind::BOTH {
            self.side_mut(kind).order.retain(|known| *known != job);
        }
    }
}

impl PoolSide {
    pub(super) fn is_below_min_share(&self, min_share: i32) -> bool {
        self.running < min_share.min(self.demand)
    }

    pub(super) fn is_below_half_share(&self) -> bool {
        let wanted = (self.share / 2.0).min(f64::from(self.demand)).floor();
        self.running < wanted as i32
    }

    pub(super) fn standing(&self, min_share: i32, weight: f64) -> Standing {
        let min_share = min_share.min(self.demand);
        if self.running < min_share {
            Standing::BelowMinimum(f64::from(self.running) / f64::from(min_share.max(1)))
        } else {
            // A pool that weighs nothing comes last.
            Standing::ByWeight(if weight > 0.0 { f64::from(self.running) / weight } else { f64::INFINITY })
        }
    }
}

/// How badly off one is: who stands lower comes first (Hadoop 1.2.1: SchedulingAlgorithms.FairShareComparator).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Standing {
    /// What it has of its minimum.
    BelowMinimum(f64),
    /// What it has by weight.
    ByWeight(f64),
}

impl Standing {
    pub(super) fn cmp(self, other: Standing) -> Ordering {
        match (self, other) {
            (Standing::BelowMinimum(a), Standing::BelowMinimum(b)) | (Standing::ByWeight(a), Standing::ByWeight(b)) => {
                a.total_cmp(&b)
            }
            (Standing::BelowMinimum(_), Standing::ByWeight(_)) => Ordering::Less,
            (Standing::ByWeight(_), Standing::BelowMinimum(_)) => Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_neediest_comes_first() {
        let mut side = PoolSide {
            order: Vec::new(),
            demand: 10,
            share: 6.0,
            running: 2,
            had_min_share: Monotonic::default(),
            had_half_share: Monotonic::default(),
        };
        assert_eq!(side.standing(4, 1.0), Standing::BelowMinimum(0.5));
        assert_eq!(side.standing(2, 0.5), Standing::ByWeight(4.0));
        assert!(side.is_below_min_share(3) && !side.is_below_min_share(2) && side.is_below_half_share());
        side.running = 3;
        assert!(!side.is_below_half_share());
        assert_eq!(Standing::BelowMinimum(0.9).cmp(Standing::ByWeight(0.0)), Ordering::Less);
        for weight in [0.0, f64::NAN] {
            assert_eq!(side.standing(0, weight).cmp(side.standing(0, 0.001)), Ordering::Greater);
        }
    }
}
