//! Hosts that a job avoids since too many of its attempts failed there (Hadoop 1.2.1:
//! JobInProgress.addTrackerTaskFailure, shouldRunOnTaskTracker).

use std::collections::BTreeMap;

use crate::topology::HostKey;

/// The share of the cluster's trackers at which a job stops to avoid hosts.
const AVOIDED_FRACTION: f64 = 0.25;

/// Failures by host.
#[derive(Debug)]
pub(crate) struct FlakyHosts {
    failures: BTreeMap<HostKey, i32>,
    failures_max: i32,
    flaky: usize,
    /// Trackers in the cluster when the job was last asked for a task.
    pub(crate) cluster_size: usize,
}

impl FlakyHosts {
    pub(crate) fn new(failures_max: i32) -> Self {
        FlakyHosts { failures: BTreeMap::new(), failures_max, flaky: 0, cluster_size: 0 }
    }

    fn few_are_flaky(&self) -> bool {
        (self.flaky as f64) < self.cluster_size as f64 * AVOIDED_FRACTION
    }

    /// An attempt failed on that host.
    pub(crate) fn add_failure(&mut self, host: HostKey) {
        if self.few_are_flaky() {
            let failures = self.failures.entry(host).or_default();
            *failures += 1;
            if *failures == self.failures_max {
                self.flaky += 1;
            }
        }
    }

    /// Whether the job may use that host.
    pub(crate) fn may_use(&self, host: HostKey) -> bool {
        !(self.few_are_flaky() && self.failures.get(&host).is_some_and(|failures| *failures >= self.failures_max))
    }

    /// Hosts with too many failures.
    pub(crate) fn avoided(&self) -> impl Iterator<Item = HostKey> + '_ {
        self.failures.iter().filter(|(_, failures)| **failures >= self.failures_max).map(|(host, _)| *host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;

    fn after_four_failures(cluster_size: usize) -> bool {
        let host = Topology::new(2).host("h");
        let mut flaky = FlakyHosts { cluster_size, ..FlakyHosts::new(4) };
        for _ in 0..4 {
            flaky.add_failure(host);
        }
        flaky.may_use(host)
    }

    #[test]
    fn four_failures_shut_a_host_out_of_five_but_not_of_four() {
        assert!(after_four_failures(4));
        assert!(!after_four_failures(5));
    }
}
