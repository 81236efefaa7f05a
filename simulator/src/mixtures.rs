//! Clusters under each scheduler, and the one that a seed of a soak stands for.

use std::time::Duration;

use jobtracker_core::{
    Allocations, CapacityQueueSettings, CapacitySettings, FairSettings, PoolAllocation, PoolMode, QueueSettings,
    SchedulerKind, Settings,
};

use crate::scenario::{Scenario, Workload};

/// A single slow tracker takes its time.
const SOAK_CALM_MS: u64 = 4 * 3_600_000;

impl Scenario {
    /// Two queues of the capacity scheduler, one with a ceiling, and tasks that need one or two slots of a tracker's
    /// three; limits so low that jobs wait. No user's share is less than a task needs.
    pub fn under_capacity(self) -> Self {
        let queues = vec![
            CapacityQueueSettings {
                user_limit_percent: 75,
                supports_priority: true,
                ..CapacityQueueSettings::new("a", 70.0)
            },
            CapacityQueueSettings {
                capacity_max: Some(60.0),
                user_limit_factor: 2.0,
                ..CapacityQueueSettings::new("b", 30.0)
            },
        ];
        let settings = Settings {
            queues: queues.iter().map(|queue| QueueSettings::open(queue.name.clone())).collect(),
            scheduler: SchedulerKind::Capacity(CapacitySettings {
                queues,
                system_jobs_max: 10,
                ..CapacitySettings::default()
            }),
            map_slot_memory_mb: 1000,
            reduce_slot_memory_mb: 1000,
            map_memory_max_mb: 2000,
            reduce_memory_max_mb: 2000,
            ..self.settings
        };
        Scenario { settings, slots: (3, 3), ..self }
    }

    /// The fair scheduler with all that it can do: limits, minimums, preemption, waits for locality, a pool of no weight.
    pub fn under_fair(self) -> Self {
        let pool = |maps_min, maps_max, weight, mode| PoolAllocation {
            maps_min,
            maps_max,
            weight,
            mode: Some(mode),
            min_share_timeout: Some(Duration::from_secs(3)),
            ..PoolAllocation::default()
        };
        let pools = [
            ("user0", pool(4, None, 2.0, PoolMode::Fair)),
            ("user1", pool(0, Some(3), 1.0, PoolMode::Fifo)),
            ("user2", pool(2, None, 0.0, PoolMode::Fair)),
        ];
        let allocations = Allocations {
            pools: pools.map(|(name, pool)| (name.to_owned(), pool)).into(),
            user_jobs_max: Some(3),
            pool_jobs_max: Some(4),
            fair_share_timeout: Some(Duration::from_secs(8)),
            ..Allocations::default()
        };
        let fair = FairSettings {
            allocations,
            size_based_weight: true,
            preemption: true,
            preemption_interval: Duration::from_secs(2),
            ..FairSettings::default()
        };
        let settings = Settings { scheduler: SchedulerKind::Fair(Box::new(fair)), ..self.settings };
        Scenario { settings, ..self }
    }

    /// Jobs that run fewer than five tasks go first.
    pub fn under_limit(self) -> Self {
        let scheduler = SchedulerKind::LimitTasksPerJob { running_tasks_max: Some(5) };
        Scenario { settings: Settings { scheduler, ..self.settings }, ..self }
    }

    /// What a soak plays under a seed: a storm over a cluster of one to forty trackers, under each scheduler in turn. In
    /// one of eight a JobTracker is made from the records after every few events and compared.
    pub fn of_soak(seed: u64) -> Self {
        let sizes = [1, 2, 3, 5, 8, 13, 20, 40];
        let size: usize = sizes[(seed / 4 % sizes.len() as u64) as usize];
        // A queue's ceiling of one tracker's slots is less than some tasks need.
        let size = if seed % 4 == 3 { size.max(2) } else { size };
        let storm = Scenario::storm(size);
        let scenario = match seed / 32 % 8 {
            7 => Scenario {
                restore_every: 7,
                storm_ms: 120_000,
                workload: Workload { jobs: 5, maps: 0..12, ..storm.workload.clone() },
                ..storm
            },
            _ => storm,
        };
        let scenario = Scenario { calm_ms: SOAK_CALM_MS, ..scenario };
        match seed % 4 {
            0 => scenario,
            1 => scenario.under_limit(),
            2 => scenario.under_fair(),
            _ => scenario.under_capacity(),
        }
    }
}
