//! How long a job waits for maps near their data before it takes others: in heartbeats at which it was asked for a map
//! (Hadoop 1.2.1: JobInProgress.schedulingOpportunity, scheduleOffSwitch). Only the capacity scheduler waits so.

use std::collections::BTreeSet;

use types::TaskKind;

use super::JobInProgress;
use crate::topology::NodeKey;

/// As many missed opportunities as end any wait (Hadoop 1.2.1: JobInProgress.OVERRIDE).
const NO_WAIT: i64 = 1_000_000;

/// The factor that leaves the wait to the share of the cluster that holds the job's data.
const DEFAULT_FACTOR: f32 = 1.0;

/// A job's patience.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalityWait {
    missed: i64,
    factor: f32,
}

impl LocalityWait {
    pub(super) fn new(factor: f32) -> Self {
        LocalityWait { missed: 0, factor }
    }

    /// The fewer of the cluster's hosts hold data of the job, the shorter it waits, unless the job says how long.
    pub(super) fn calibrate(&mut self, hosts: &BTreeSet<NodeKey>, cluster_hosts: usize) {
        if self.factor == DEFAULT_FACTOR && cluster_hosts > 0 {
            self.factor = (hosts.len() as f32 / cluster_hosts as f32).min(self.factor);
        }
    }

    /// A map near its data was given out.
    pub(super) fn reset(&mut self) {
        self.missed = 0;
    }
}

impl JobInProgress {
    /// The job is asked for a map.
    pub(crate) fn note_opportunity(&mut self) {
        self.locality_wait.missed += 1;
    }

    /// The next map may come from anywhere.
    pub(crate) fn end_locality_wait(&mut self) {
        self.locality_wait.missed = NO_WAIT;
    }

    /// Whether it has waited long enough to take a map from another rack.
    pub(crate) fn may_leave_rack(&self, trackers: usize) -> bool {
        self.opportunities_to_miss(trackers) < self.locality_wait.missed as f32
    }

    fn opportunities_to_miss(&self, trackers: usize) -> f32 {
        let unfinished = i64::from(self.desired(TaskKind::Map)) - i64::from(self.finished(TaskKind::Map));
        unfinished.min(trackers as i64) as f32 * self.locality_wait.factor
    }

    /// While it waits: the opportunities that it missed, and after how many the next may bring a map from anywhere.
    pub(crate) fn locality_wait_left(&self, trackers: usize) -> Option<(i64, i64)> {
        let waits = !self.may_leave_rack(trackers);
        waits.then(|| (self.locality_wait.missed, self.opportunities_to_miss(trackers) as i64))
    }
}
