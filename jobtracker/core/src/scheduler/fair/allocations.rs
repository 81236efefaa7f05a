//! What the fair scheduler is told: its settings, and the allocations of pools and users as plain values
//! (Hadoop 1.2.1: FairScheduler.start, PoolManager). The daemon reads them from configuration and allocation file.

use std::collections::BTreeMap;
use std::time::Duration;

use types::TaskKind;

/// Where jobs go that name no pool.
pub(crate) const DEFAULT_POOL: &str = "default";

/// The fair scheduler's settings. The default is Hadoop 1.2.1's.
#[derive(Debug, Clone, PartialEq)]
pub struct FairSettings {
    /// The allocations in force at start.
    pub allocations: Allocations,
    /// Jobs may name pools that the allocations do not (`mapred.fairscheduler.allow.undeclared.pools`).
    pub undeclared_pools: bool,
    /// A heartbeat brings several tasks (`mapred.fairscheduler.assignmultiple`).
    pub assign_multiple: bool,
    /// Most maps of one heartbeat, if limited (`mapred.fairscheduler.assignmultiple.maps`).
    pub maps_max: Option<i32>,
    /// Most reduces of one heartbeat, if limited (`mapred.fairscheduler.assignmultiple.reduces`).
    pub reduces_max: Option<i32>,
    /// Jobs weigh by the logarithm of their tasks (`mapred.fairscheduler.sizebasedweight`).
    pub size_based_weight: bool,
    /// How young jobs weigh more (`NewJobWeightBooster`), if they do.
    pub new_job_boost: Option<NewJobBoost>,
    /// Pools take slots back (`mapred.fairscheduler.preemption`).
    pub preemption: bool,
    /// They only tell that they would (`mapred.fairscheduler.preemption.only.log`).
    pub preemption_only_told: bool,
    /// How often that is looked at (`mapred.fairscheduler.preemption.interval`).
    pub preemption_interval: Duration,
    /// How often demands and shares are computed anew (`mapred.fairscheduler.update.interval`).
    pub update_interval: Duration,
    /// They are computed at once when a job begins or ends, or when its reduces may start.
    pub update_at_once: bool,
    /// How long a job waits for a node, then for a rack of its data; `None` is by the heartbeats' interval
    /// (`mapred.fairscheduler.locality.delay` and its two companions).
    pub locality_delays: Option<LocalityDelays>,
    /// How far above the average load a tracker may be, as a share of its slots (`mapred.fairscheduler.load.max.diff`).
    pub load_difference_max: f32,
}

/// How long jobs wait for a place near their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalityDelays {
    /// Before a map may run in the rack of its data.
    pub node: Duration,
    /// Before it may run anywhere.
    pub rack: Duration,
}

/// Young jobs weigh more (Hadoop 1.2.1: NewJobWeightBooster).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewJobBoost {
    /// By this factor (`mapred.newjobweightbooster.factor`).
    pub factor: f64,
    /// For so long after their submission (`mapred.newjobweightbooster.duration`).
    pub duration: Duration,
}

impl Default for FairSettings {
    fn default() -> Self {
        FairSettings {
            allocations: Allocations::default(),
            undeclared_pools: true,
            assign_multiple: true,
            maps_max: None,
            reduces_max: None,
            size_based_weight: false,
            new_job_boost: None,
            preemption: false,
            preemption_only_told: false,
            preemption_interval: Duration::from_millis(15_000),
            update_interval: Duration::from_millis(500),
            update_at_once: true,
            locality_delays: None,
            load_difference_max: 0.0,
        }
    }
}

/// How jobs share a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PoolMode {
    /// By weight.
    #[default]
    Fair,
    /// By priority and age.
    Fifo,
}

impl PoolMode {
    /// The word on pages.
    pub fn name(self) -> &'static str {
        match self {
            PoolMode::Fair => "FAIR",
            PoolMode::Fifo => "FIFO",
        }
    }
}

/// One pool of the allocation file.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolAllocation {
    /// Map slots that it gets before others.
    pub maps_min: i32,
    /// Reduce slots that it gets before others.
    pub reduces_min: i32,
    /// Map slots that it takes at most.
    pub maps_max: Option<i32>,
    /// Reduce slots that it takes at most.
    pub reduces_max: Option<i32>,
    /// Jobs that run at once at most.
    pub running_jobs_max: Option<i32>,
    /// How much it gets compared to others.
    pub weight: f64,
    /// After how long below its minimum it takes slots back.
    pub min_share_timeout: Option<Duration>,
    /// How its jobs share it.
    pub mode: Option<PoolMode>,
}

impl Default for PoolAllocation {
    fn default() -> Self {
        PoolAllocation {
            maps_min: 0,
            reduces_min: 0,
            maps_max: None,
            reduces_max: None,
            running_jobs_max: None,
            weight: 1.0,
            min_share_timeout: None,
            mode: None,
        }
    }
}

/// The allocation file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Allocations {
    /// The pools that it names.
    pub pools: BTreeMap<String, PoolAllocation>,
    /// How many jobs of a user run at once at most.
    pub users: BTreeMap<String, i32>,
    /// Likewise, of users that it does not name.
    pub user_jobs_max: Option<i32>,
    /// How many jobs of a pool run at once at most where the pool does not say.
    pub pool_jobs_max: Option<i32>,
    /// After how long below half its fair share a pool takes slots back.
    pub fair_share_timeout: Option<Duration>,
    /// After how long below its minimum, where the pool does not say.
    pub min_share_timeout: Option<Duration>,
    /// How jobs share a pool that does not say.
    pub mode: PoolMode,
}

impl Allocations {
    pub(super) fn min_share(&self, pool: &str, kind: TaskKind) -> i32 {
        self.pools.get(pool).map_or(0, |pool| match kind {
            TaskKind::Map => pool.maps_min,
            TaskKind::Reduce => pool.reduces_min,
        })
    }

    pub(super) fn max_share(&self, pool: &str, kind: TaskKind) -> Option<i32> {
        self.pools.get(pool).and_then(|pool| match kind {
            TaskKind::Map => pool.maps_max,
            TaskKind::Reduce => pool.reduces_max,
        })
    }

    pub(super) fn weight(&self, pool: &str) -> f64 {
        self.pools.get(pool).map_or(1.0, |pool| pool.weight)
    }

    pub(super) fn min_share_timeout(&self, pool: &str) -> Option<Duration> {
        self.pools.get(pool).and_then(|pool| pool.min_share_timeout).or(self.min_share_timeout)
    }

    pub(super) fn pool_jobs_max(&self, pool: &str) -> i32 {
        let own = self.pools.get(pool).and_then(|pool| pool.running_jobs_max);
        own.or(self.pool_jobs_max).unwrap_or(i32::MAX)
    }

    pub(super) fn user_jobs_max(&self, user: &str) -> i32 {
        self.users.get(user).copied().or(self.user_jobs_max).unwrap_or(i32::MAX)
    }
}
