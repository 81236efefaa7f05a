//! Which hosts are not to be trusted (Hadoop 1.2.1: JobTracker.FaultyTrackersInfo). The blacklist comes from health
//! scripts alone and takes a host out of service; the graylist comes from jobs that avoided a host, and is only shown.

use std::collections::{BTreeMap, BTreeSet};

use types::Millis;

use crate::settings::Settings;
use crate::topology::HostKey;

/// Faults by host.
#[derive(Debug)]
pub(crate) struct FaultyTrackers {
    hosts: BTreeMap<HostKey, Faults>,
    /// Hosts whose faults have changed and were not taken yet.
    changed: BTreeSet<HostKey>,
    bucket_ms: i64,
    buckets: usize,
    faults_max: i32,
    average_threshold: f64,
}

#[derive(Debug)]
struct Faults {
    buckets: Vec<i32>,
    rotated: Millis,
    unhealthy: Option<String>,
    graylisted: Option<String>,
}

/// The cluster's size, which the graylist depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClusterSize {
    /// Trackers that are not blacklisted.
    pub(crate) active: usize,
    pub(crate) blacklisted: usize,
    pub(crate) graylisted: usize,
}

/// Most of the cluster that may be graylisted.
const GRAYLIST_FRACTION: f64 = 0.5;

impl FaultyTrackers {
    pub(crate) fn new(settings: &Settings) -> Self {
        let window = settings.fault_window.as_millis().max(1) as i64;
        // A bucket wider than the window would never turn.
        let bucket_ms = (settings.fault_bucket.as_millis().max(1) as i64).min(window);
        FaultyTrackers {
            hosts: BTreeMap::new(),
            changed: BTreeSet::new(),
            bucket_ms,
            buckets: (window / bucket_ms).max(1) as usize,
            faults_max: settings.tracker_blacklists_max,
            average_threshold: settings.average_blacklist_threshold,
        }
    }

    /// Whether no host has any fault, the usual case.
    pub(crate) fn is_quiet(&self) -> bool {
        self.hosts.is_empty()
    }

    pub(crate) fn is_blacklisted(&self, host: HostKey) -> bool {
        self.hosts.get(&host).is_some_and(|faults| faults.unhealthy.is_some())
    }

    pub(crate) fn is_graylisted(&self, host: HostKey) -> bool {
        self.hosts.get(&host).is_some_and(|faults| faults.graylisted.is_some())
    }

    /// Why a host is on a list; empty if it is on none.
    pub(crate) fn reason(&self, host: HostKey) -> String {
        let Some(faults) = self.hosts.get(&host) else { return String::new() };
        [&faults.unhealthy, &faults.graylisted].into_iter().flatten().cloned().collect::<Vec<_>>().join("\n")
    }

    /// Faults that still count.
    pub(crate) fn count(&self, host: HostKey) -> i32 {
        self.hosts.get(&host).map_or(0, |faults| faults.buckets.iter().sum())
    }

    /// A tracker was restarted by hand: all is forgiven. Tells whether the host was blacklisted.
    pub(crate) fn forgive(&mut self, host: HostKey) -> bool {
        let faults = self.hosts.remove(&host);
        if faults.is_some() {
            self.changed.insert(host);
        }
        faults.is_some_and(|faults| faults.unhealthy.is_some())
    }

    /// Lets a host's faults age.
    pub(crate) fn age(&mut self, now: Millis, host: HostKey) {
        let (bucket_ms, faults_max) = (self.bucket_ms, self.faults_max);
        if let Some(faults) = self.hosts.get_mut(&host) {
            if faults.count(now, bucket_ms) < faults_max && faults.graylisted.take().is_some() {
                self.changed.insert(host);
            }
            if faults.is_clean() {
                self.changed.insert(host);
                self.hosts.remove(&host);
            }
        }
    }

    /// A job that succeeded had avoided the host.
    pub(crate) fn add_fault(&mut self, now: Millis, host: HostKey, cluster: ClusterSize) {
        let (bucket_ms, buckets) = (self.bucket_ms, self.buckets);
        self.changed.insert(host);
        let faults = self.hosts.entry(host).or_insert_with(|| Faults::new(now, bucket_ms, buckets));
        faults.rotate(now, bucket_ms);
        faults.buckets[(now / bucket_ms) as usize % buckets] += 1;
        let count = faults.count(now, bucket_ms);
        if self.is_too_many(now, count, cluster)
            && let Some(faults) = self.hosts.get_mut(&host)
        {
            faults.graylisted = Some(format!("{count} failures on the tracker"));
        }
    }

    fn is_too_many(&mut self, now: Millis, count: i32, cluster: ClusterSize) -> bool {
        if count < self.faults_max {
            return false;
        }
        let bucket_ms = self.bucket_ms;
        let sum: i64 = self.hosts.values_mut().map(|faults| i64::from(faults.count(now, bucket_ms))).sum();
        let average = sum as f64 / cluster.active as f64;
        f64::from(count) - average > self.average_threshold * average
            && (cluster.graylisted as f64) < (cluster.active + cluster.blacklisted) as f64 * GRAYLIST_FRACTION
    }

    /// Takes what the health script said. Tells whether the host went onto the blacklist (`Some(true)`) or came off
    /// it.
    pub(crate) fn set_health(&mut self, now: Millis, host: HostKey, healthy: bool, report: &str) -> Option<bool> {
        let was = self.is_blacklisted(host);
        if healthy && !was {
            return None;
        }
        let (bucket_ms, buckets) = (self.bucket_ms, self.buckets);
        let faults = self.hosts.entry(host).or_insert_with(|| Faults::new(now, bucket_ms, buckets));
        let unhealthy = (!healthy).then(|| report.to_owned());
        if faults.unhealthy != unhealthy {
            self.changed.insert(host);
        }
        faults.unhealthy = unhealthy;
        if healthy && faults.count(now, bucket_ms) == 0 && faults.is_clean() {
            self.hosts.remove(&host);
        }
        (was == healthy).then_some(!healthy)
    }
}

/// The faults of a host, as records tell them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFaults {
    /// The host.
    pub host: String,
    /// How many faults, by the time of their bucket.
    pub buckets: Vec<i32>,
    /// The start of the newest bucket.
    pub rotated: Millis,
    /// What the health script said, if it takes the host out of service.
    pub unhealthy: Option<String>,
    /// Why jobs avoid it, if they do.
    pub graylisted: Option<String>,
}

impl FaultyTrackers {
    /// Hosts whose faults have changed since the last call.
    pub(crate) fn take_changed(&mut self) -> BTreeSet<HostKey> {
        std::mem::take(&mut self.changed)
    }

    /// Hosts that have faults.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = HostKey> + '_ {
        self.hosts.keys().copied()
    }

    /// The faults of a host, if it has any.
    pub(crate) fn faults_of(&self, host: HostKey, name: &str) -> Option<HostFaults> {
        let faults = self.hosts.get(&host)?;
        Some(HostFaults {
            host: name.to_owned(),
            buckets: faults.buckets.clone(),
            rotated: faults.rotated,
            unhealthy: faults.unhealthy.clone(),
            graylisted: faults.graylisted.clone(),
        })
    }

    /// Gives a host the faults of a record. Counts whose buckets are not as wide as ours are forgotten.
    pub(crate) fn restore(&mut self, host: HostKey, faults: HostFaults) {
        let HostFaults { buckets, rotated, unhealthy, graylisted, .. } = faults;
        let fits = buckets.len() == self.buckets && rotated % self.bucket_ms == 0;
        let buckets = if fits { buckets } else { vec![0; self.buckets] };
        let rotated = rotated / self.bucket_ms * self.bucket_ms;
        self.hosts.insert(host, Faults { buckets, rotated, unhealthy, graylisted });
    }
}

impl Faults {
    fn new(now: Millis, bucket_ms: i64, buckets: usize) -> Self {
        let rotated = now / bucket_ms * bucket_ms;
        Faults { buckets: vec![0; buckets], rotated, unhealthy: None, graylisted: None }
    }

    /// Empties the buckets that time has passed over.
    fn rotate(&mut self, now: Millis, bucket_ms: i64) {
        let turns = ((now - self.rotated - 1).max(0)) / bucket_ms;
        for _ in 0..turns.min(self.buckets.len() as i64) {
            self.rotated += bucket_ms;
            let at = (self.rotated / bucket_ms) as usize % self.buckets.len();
            self.buckets[at] = 0;
        }
        if turns > self.buckets.len() as i64 {
            self.rotated = now / bucket_ms * bucket_ms;
        }
    }

    fn count(&mut self, now: Millis, bucket_ms: i64) -> i32 {
        self.rotate(now, bucket_ms);
        self.buckets.iter().sum()
    }

    fn is_clean(&self) -> bool {
        self.unhealthy.is_none() && self.graylisted.is_none() && self.buckets.iter().all(|faults| *faults == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;

    const MINUTE: i64 = 60_000;

    #[test]
    fn four_faults_graylist_a_host_until_they_are_three_hours_old() {
        let host = Topology::new(2).host("h");
        let mut faulty = FaultyTrackers::new(&Settings::default());
        let cluster = ClusterSize { active: 10, blacklisted: 0, graylisted: 0 };
        let start = 1_000_000 * 15 * MINUTE + 1;
        for n in 0..4 {
            assert!(!faulty.is_graylisted(host));
            faulty.add_fault(start + n * MINUTE, host, cluster);
        }
        assert!(faulty.is_graylisted(host));
        assert_eq!(faulty.reason(host), "4 failures on the tracker");
        faulty.age(start + 179 * MINUTE, host);
        assert!(faulty.is_graylisted(host));
        faulty.age(start + 196 * MINUTE, host);
        assert!(!faulty.is_graylisted(host));
        assert_eq!(faulty.count(host), 0);
    }

    #[test]
    fn faults_all_over_the_cluster_graylist_nobody() {
        let mut topology = Topology::new(2);
        let hosts = [topology.host("a"), topology.host("b")];
        let mut faulty = FaultyTrackers::new(&Settings::default());
        let cluster = ClusterSize { active: 2, blacklisted: 0, graylisted: 0 };
        for _ in 0..8 {
            for host in hosts {
                faulty.add_fault(MINUTE, host, cluster);
            }
        }
        assert!(!faulty.is_graylisted(hosts[1]));
    }

    #[test]
    fn health_goes_and_comes() {
        let host = Topology::new(2).host("h");
        let mut faulty = FaultyTrackers::new(&Settings::default());
        assert_eq!(faulty.set_health(0, host, true, ""), None);
        assert_eq!(faulty.set_health(0, host, false, "ERROR disk"), Some(true));
        assert_eq!(faulty.set_health(0, host, false, "ERROR disk"), None);
        assert_eq!(faulty.reason(host), "ERROR disk");
        assert_eq!(faulty.set_health(0, host, true, ""), Some(false));
        assert!(!faulty.is_blacklisted(host));
    }
}
