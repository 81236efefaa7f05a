//! Which map output to fetch next: what is known, what is copied, which hosts are busy or punished.
//!
//! Plain state, told the time. Hadoop 1.2.1: ReduceTask.ReduceCopier.fetchOutputs and getMapCompletionEvents.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use types::{CompletionStatus, TaskAttemptId, TaskCompletionEvent};

use super::fetch::Location;

/// A host's first penalty, and how it grows with each failure of the same map.
const PENALTY: (Duration, f64) = (Duration::from_secs(10), 1.3);

/// The share of failed fetches at which a reduce counts as unhealthy, of copied maps at which it has come far enough,
/// and of stalled time at which it counts as stalled.
const UNHEALTHY_SHARE: f64 = 0.5;
const FAR_ENOUGH_SHARE: f64 = 0.5;
const STALLED_SHARE: f64 = 0.5;

/// So many maps that fail for good end an unhealthy reduce.
const FAILED_MAPS_MAX: usize = 5;

/// Failures of one map that end the reduce.
const ABORT_FAILURES_MIN: u32 = 30;

/// What the settings say of failures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailureRules {
    /// Each so many failures of a map are reported (`mapreduce.reduce.shuffle.maxfetchfailures`).
    pub(crate) report_every: u32,
    /// A read error is reported at once (`mapreduce.reduce.shuffle.notify.readerror`).
    pub(crate) report_read_errors: bool,
}

/// What follows from a failed fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Consequence {
    /// The JobTracker is told.
    pub(crate) report: bool,
    /// The reduce gives up, for this reason.
    pub(crate) give_up: Option<&'static str>,
}

/// The state of a shuffle.
pub(crate) struct FetchPlan {
    maps: usize,
    rules: FailureRules,
    hosts: BTreeMap<String, VecDeque<Location>>,
    busy: HashSet<String>,
    penalties: HashMap<String, Instant>,
    obsolete: HashSet<TaskAttemptId>,
    copied: HashSet<i32>,
    fetched: usize,
    failures: HashMap<TaskAttemptId, u32>,
    failures_total: usize,
    failed_maps: HashSet<i32>,
    started: Instant,
    last_success: Instant,
}

impl FetchPlan {
    pub(crate) fn new(maps: usize, rules: FailureRules, now: Instant) -> Self {
        FetchPlan {
            maps,
            rules,
            hosts: BTreeMap::new(),
            busy: HashSet::new(),
            penalties: HashMap::new(),
            obsolete: HashSet::new(),
            copied: HashSet::new(),
            fetched: 0,
            failures: HashMap::new(),
            failures_total: 0,
            failed_maps: HashSet::new(),
            started: now,
            last_success: now,
        }
    }

    /// Forgets what the tracker told before.
    pub(crate) fn reset(&mut self) {
        self.obsolete.clear();
        self.hosts.clear();
    }

    /// Takes a completion event; true if it brought an output to fetch. An address that is none is the error.
    pub(crate) fn event(&mut self, event: &TaskCompletionEvent) -> Result<bool, String> {
        match event.status {
            CompletionStatus::Succeeded => {
                let location = event
                    .tracker_http
                    .as_deref()
                    .and_then(|tracker| Location::new(event.attempt.clone(), tracker))
                    .ok_or_else(|| format!("the tracker of {} is at {:?}", event.attempt, event.tracker_http))?;
                self.hosts.entry(location.host.clone()).or_default().push_back(location);
                Ok(true)
            }
            CompletionStatus::Failed | CompletionStatus::Killed | CompletionStatus::Obsolete => {
                self.obsolete.insert(event.attempt.clone());
                Ok(false)
            }
            CompletionStatus::TipFailed => {
                self.copied.insert(event.attempt.task.number);
                Ok(false)
            }
        }
    }

    /// The next output to fetch: of a host that is neither busy, which it is from now on, nor punished.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Location> {
        let (copied, obsolete) = (&self.copied, &self.obsolete);
        for locations in self.hosts.values_mut() {
            locations
                .retain(|location| !copied.contains(&location.map.task.number) && !obsolete.contains(&location.map));
        }
        self.hosts.retain(|_, locations| !locations.is_empty());
        self.penalties.retain(|_, until| *until > now);
        let free = |host: &&String| !self.busy.contains(*host) && !self.penalties.contains_key(*host);
        let hosts: Vec<&String> = self.hosts.keys().filter(free).collect();
        let host = fastrand::choice(hosts)?.clone();
        let location = self.hosts.get_mut(&host)?.pop_front()?;
        self.busy.insert(host);
        Some(location)
    }

    /// When the next penalty ends.
    pub(crate) fn next_deadline(&self) -> Option<Instant> {
        self.penalties.values().min().copied()
    }

    /// Whether an output that arrived is still wanted; it counts as copied from now on.
    pub(crate) fn fetched(&mut self, location: &Location, now: Instant) -> bool {
        self.busy.remove(&location.host);
        let wanted = !self.obsolete.contains(&location.map) && self.copied.insert(location.map.task.number);
        if wanted {
            self.fetched += 1;
            self.last_success = now;
            self.failed_maps.remove(&location.map.task.number);
        }
        wanted
    }

    /// Takes a failure: the output is tried again, its host is punished.
    pub(crate) fn failed(&mut self, location: Location, read_error: bool, now: Instant) -> Consequence {
        self.busy.remove(&location.host);
        self.failures_total += 1;
        let failures = self.failures.entry(location.map.clone()).or_default();
        *failures += 1;
        let failures = *failures;
        let (first, growth) = PENALTY;
        let penalty = first.mul_f64(growth.powi(failures.min(40) as i32));
        self.penalties.insert(location.host.clone(), now + penalty);
        let report =
            (self.rules.report_read_errors && read_error) || failures.is_multiple_of(self.rules.report_every.max(1));
        let mut give_up = None;
        if failures >= ABORT_FAILURES_MIN.max(self.maps as u32 / 10) {
            give_up = Some("Exceeded the abort failure limit; bailing-out.");
        } else if failures == self.rules.report_every {
            self.failed_maps.insert(location.map.task.number);
            give_up = self.is_hopeless(now).then_some("Exceeded MAX_FAILED_UNIQUE_FETCHES; bailing-out.");
        }
        self.hosts.entry(location.host.clone()).or_default().push_front(location);
        Consequence { report, give_up }
    }

    fn is_hopeless(&self, now: Instant) -> bool {
        let failed_share = self.failures_total as f64 / (self.failures_total + self.fetched) as f64;
        let copied_share = self.fetched as f64 / self.maps as f64;
        let stalled = now.duration_since(self.last_success).as_secs_f64();
        let progressed = self.last_success.duration_since(self.started).as_secs_f64();
        let many = self.failed_maps.len() >= FAILED_MAPS_MAX.min(self.maps) || self.failed_maps.len() == self.missing();
        many && failed_share >= UNHEALTHY_SHARE
            && (copied_share < FAR_ENOUGH_SHARE || stalled / progressed >= STALLED_SHARE)
    }

    /// Maps that are not copied yet.
    pub(crate) fn missing(&self) -> usize {
        self.maps.saturating_sub(self.copied.len())
    }

    /// Outputs that were fetched.
    pub(crate) fn fetched_count(&self) -> usize {
        self.fetched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: FailureRules = FailureRules { report_every: 10, report_read_errors: true };

    fn event(map: i32, attempt: i32, status: CompletionStatus, host: &str) -> TaskCompletionEvent {
        let attempt = format!("attempt_1_0001_m_{map:06}_{attempt}").parse().unwrap();
        TaskCompletionEvent {
            attempt,
            id_within_job: map,
            is_map: true,
            status,
            tracker_http: Some(format!("http://{host}:50060")),
            run_time_ms: 0,
            event_id: 0,
        }
    }

    fn plan(maps: usize, now: Instant) -> FetchPlan {
        FetchPlan::new(maps, RULES, now)
    }

    #[test]
    fn a_host_gives_one_output_at_a_time() {
        let now = Instant::now();
        let mut plan = plan(3, now);
        for (map, host) in [(0, "a"), (1, "a"), (2, "b")] {
            assert_eq!(plan.event(&event(map, 0, CompletionStatus::Succeeded, host)), Ok(true));
        }
        let first = plan.next(now).unwrap();
        let second = plan.next(now).unwrap();
        assert_ne!(first.host, second.host);
        assert_eq!(plan.next(now), None);
        assert!(plan.fetched(&first, now) && plan.fetched(&second, now));
        let third = plan.next(now).unwrap();
        assert!(plan.fetched(&third, now));
        assert_eq!((plan.missing(), plan.fetched_count()), (0, 3));
    }

    #[test]
    fn obsolete_output_is_not_fetched_and_failed_maps_count_as_copied() {
        let now = Instant::now();
        let mut plan = plan(2, now);
        plan.event(&event(0, 0, CompletionStatus::Succeeded, "a")).unwrap();
        plan.event(&event(0, 0, CompletionStatus::Obsolete, "a")).unwrap();
        assert_eq!(plan.next(now), None);
        plan.event(&event(0, 1, CompletionStatus::Succeeded, "b")).unwrap();
        assert_eq!(plan.next(now).unwrap().host, "b");
        plan.event(&event(1, 0, CompletionStatus::TipFailed, "a")).unwrap();
        assert_eq!(plan.missing(), 1);
        assert!(plan.event(&event(1, 0, CompletionStatus::Succeeded, "")).is_err());
    }

    #[test]
    fn a_failing_host_is_left_alone_for_longer_and_longer() {
        let now = Instant::now();
        let mut plan = plan(40, now);
        plan.event(&event(0, 0, CompletionStatus::Succeeded, "a")).unwrap();
        let location = plan.next(now).unwrap();
        assert_eq!(plan.failed(location, false, now), Consequence { report: false, give_up: None });
        assert_eq!(plan.next(now + Duration::from_millis(12_999)), None);
        let location = plan.next(now + Duration::from_millis(13_001)).unwrap();
        assert_eq!(plan.failed(location, true, now), Consequence { report: true, give_up: None });
        assert_eq!(plan.next_deadline(), Some(now + Duration::from_millis(16_900)));
    }

    #[test]
    fn thirty_failures_of_one_map_end_the_reduce() {
        let now = Instant::now();
        let mut plan = plan(40, now);
        let location = Location::new("attempt_1_0001_m_000000_0".parse().unwrap(), "http://a:1").unwrap();
        for failure in 1..30 {
            let consequence = plan.failed(location.clone(), false, now);
            assert_eq!(consequence, Consequence { report: failure % 10 == 0, give_up: None }, "{failure}");
        }
        assert!(plan.failed(location, false, now).give_up.is_some());
    }

    #[test]
    fn a_reduce_that_gets_nothing_gives_up_with_its_last_maps() {
        let now = Instant::now();
        let mut plan = plan(1, now);
        let location = Location::new("attempt_1_0001_m_000000_0".parse().unwrap(), "http://a:1").unwrap();
        let consequences: Vec<_> = (0..10).map(|_| plan.failed(location.clone(), false, now)).collect();
        assert!(consequences[..9].iter().all(|consequence| consequence.give_up.is_none()));
        assert_eq!(consequences[9].give_up, Some("Exceeded MAX_FAILED_UNIQUE_FETCHES; bailing-out."));
    }
}
