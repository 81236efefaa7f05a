//! Sums over the counters of tasks, and their limit (Hadoop 1.2.1: JobInProgress.getCounters,
//! checkCounterLimitsAndFail).

use types::{Counters, Now, TaskKind, counter_names};

use super::JobInProgress;
use crate::cluster::Cluster;
use crate::settings::Settings;

impl JobInProgress {
    /// The sum over all tasks of a kind.
    pub(crate) fn kind_counters(&self, kind: TaskKind) -> Counters {
        let mut sum = Counters::new();
        self.add_kind_counters(&mut sum, kind);
        sum
    }

    fn add_kind_counters(&self, sum: &mut Counters, kind: TaskKind) {
        for tip in self.tasks(kind).iter().take(self.desired(kind) as usize) {
            sum.add_all(tip.counters());
        }
    }

    /// The job's own counters and the sums over its tasks.
    pub(crate) fn all_counters(&self) -> Counters {
        let mut sum = self.counters.clone();
        for kind in TaskKind::BOTH {
            self.add_kind_counters(&mut sum, kind);
        }
        sum
    }

    /// Counts slots that lay fallow for the job, times the milliseconds.
    pub(crate) fn count_fallow(&mut self, kind: TaskKind, slot_millis: i64) {
        let counter = if kind.is_map() { "FALLOW_SLOTS_MILLIS_MAPS" } else { "FALLOW_SLOTS_MILLIS_REDUCES" };
        if slot_millis != 0 {
            self.counters.increment(counter_names::JOB, counter, slot_millis);
        }
    }

    /// Fails the job if it has too many counters.
    pub(super) fn fail_by_counters(&mut self, now: Now, cluster: &mut Cluster) {
        if exceed_limits(&self.all_counters(), &cluster.settings) {
            let reason = format!("Counters Exceeded: Limit: {}", cluster.settings.counters_max);
            self.fail(now, cluster, reason);
        }
    }
}

/// Whether there are too many counters or groups.
pub(crate) fn exceed_limits(counters: &Counters, settings: &Settings) -> bool {
    counters.len() > settings.counters_max || counters.groups.len() > settings.counter_groups_max
}
