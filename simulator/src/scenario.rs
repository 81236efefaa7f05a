//! What a run is made of: how large the cluster is, what is asked of it, and what goes wrong.

use std::ops::Range;
use std::time::Duration;

use jobtracker_core::Settings;

/// A cluster, its work and its weather. All times are virtual milliseconds; chances are per thousand.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// TaskTrackers.
    pub trackers: usize,
    /// Racks that they are spread over.
    pub racks: usize,
    /// Map slots and reduce slots of each.
    pub slots: (i32, i32),
    /// How many of the trackers are woken by the JobTracker when it has something for them; the others are stock ones.
    pub woken_trackers: usize,
    /// What the core is set to.
    pub settings: Settings,
    /// The jobs.
    pub workload: Workload,
    /// What goes wrong.
    pub faults: Faults,
    /// How long things go wrong; afterwards all is well and every job must end.
    pub storm_ms: u64,
    /// How long after the storm jobs may take to end.
    pub calm_ms: u64,
    /// After every so many events a JobTracker is made from the records and compared; 0 for never.
    pub restore_every: u64,
}

/// The jobs of a run; each figure is drawn anew for each job.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// How many.
    pub jobs: usize,
    /// Time between two submissions.
    pub gap_ms: Range<u64>,
    /// Maps of a job.
    pub maps: Range<i32>,
    /// Reduces of a job.
    pub reduces: Range<i32>,
    /// Time that an attempt takes.
    pub attempt_ms: Range<u64>,
    /// Hosts that hold a split.
    pub replicas: Range<usize>,
}

/// What goes wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Faults {
    /// Time between two faults of the cluster: crash, freeze, partition, lost output, bad health, a user's or an
    /// administrator's hand.
    pub gap_ms: Range<u64>,
    /// How long such a fault lasts.
    pub lasts_ms: Range<u64>,
    /// Chance that a request or a reply is lost.
    pub lost: u32,
    /// Chance that a request arrives twice.
    pub duplicated: u32,
    /// Time that a message takes.
    pub delay_ms: Range<u64>,
    /// Chance that an attempt fails.
    pub attempt_fails: u32,
    /// Chance that an attempt hangs until its TaskTracker kills it.
    pub attempt_hangs: u32,
    /// How many trackers fail most attempts.
    pub bad_trackers: usize,
    /// How many trackers take ten times as long.
    pub slow_trackers: usize,
    /// How many trackers report what is not so.
    pub lying_trackers: usize,
    /// Share of the cluster's faults in percent that are restarts of the JobTracker.
    pub jobtracker_restarts: u32,
    /// Likewise, steps of somebody's wall clock: a leap ahead or back by up to a day.
    pub clock_steps: u32,
}

impl Faults {
    /// Nothing goes wrong; messages take a millisecond or two.
    pub fn none() -> Self {
        Faults {
            gap_ms: u64::MAX - 1..u64::MAX,
            lasts_ms: 1..2,
            lost: 0,
            duplicated: 0,
            delay_ms: 1..3,
            attempt_fails: 0,
            attempt_hangs: 0,
            bad_trackers: 0,
            slow_trackers: 0,
            lying_trackers: 0,
            jobtracker_restarts: 0,
            clock_steps: 0,
        }
    }

    /// Everything goes wrong that can.
    pub fn storm() -> Self {
        Faults {
            gap_ms: 500..6_000,
            lasts_ms: 5_000..90_000,
            lost: 20,
            duplicated: 20,
            delay_ms: 1..400,
            attempt_fails: 60,
            attempt_hangs: 5,
            bad_trackers: 4,
            slow_trackers: 6,
            lying_trackers: 3,
            jobtracker_restarts: 8,
            clock_steps: 8,
        }
    }
}

impl Scenario {
    /// A cluster of that size where nothing goes wrong.
    pub fn calm(trackers: usize) -> Self {
        let settings = Settings {
            // A heartbeat every few seconds, as in clusters ten times as large.
            heartbeats_per_second: (trackers / 5).max(1) as i32,
            tracker_expiry: Duration::from_secs(45),
            retire_interval: Duration::from_secs(60),
            retire_check: Duration::from_secs(10),
            complete_user_jobs_max: 10,
            journal: true,
            ..Settings::default()
        };
        Scenario {
            trackers,
            racks: trackers.div_ceil(20),
            slots: (2, 2),
            woken_trackers: trackers / 8,
            settings,
            workload: Workload {
                jobs: 16,
                gap_ms: 100..20_000,
                maps: 0..40,
                reduces: 0..8,
                attempt_ms: 500..15_000,
                replicas: 0..4,
            },
            faults: Faults::none(),
            storm_ms: 0,
            calm_ms: 900_000,
            restore_every: 0,
        }
    }

    /// The same cluster in bad weather.
    pub fn storm(trackers: usize) -> Self {
        Scenario { faults: Faults::storm(), storm_ms: 300_000, calm_ms: 900_000, ..Scenario::calm(trackers) }
    }
}
