//! What scenarios of the capacity scheduler have beside those of all: its settings, jobs that wait, trackers that are
//! kept free, what queues use.

use std::collections::BTreeMap;

use jobtracker_core::{CapacityQueueSettings, CapacitySettings, QueueSettings, SchedulerKind, Settings};
use types::TaskKind;

use super::{Replay, Scenario, Step};

/// Settings of the JobTracker that matter to this scheduler.
pub(crate) fn settings(scenario: &Scenario) -> Settings {
    let memory = |key: &str| scenario.conf.get(key).map_or(-1, |mb| mb.parse().unwrap());
    Settings {
        queues: queue_names(scenario).map(QueueSettings::open).collect(),
        map_slot_memory_mb: memory("mapred.cluster.map.memory.mb"),
        reduce_slot_memory_mb: memory("mapred.cluster.reduce.memory.mb"),
        map_memory_max_mb: memory("mapred.cluster.max.map.memory.mb"),
        reduce_memory_max_mb: memory("mapred.cluster.max.reduce.memory.mb"),
        init_on_call: true,
        ..Settings::default()
    }
}

fn queue_names(scenario: &Scenario) -> impl Iterator<Item = &str> {
    scenario.conf.get("mapred.queue.names").map_or("default", String::as_str).split(',')
}

/// The scheduler with a scenario's `capacity-scheduler.xml`.
pub(crate) fn scheduler(scenario: &Scenario) -> SchedulerKind {
    let get = |key: &str| scenario.capacity.get(&format!("mapred.capacity-scheduler.{key}"));
    let number = |key: &str, default: i32| get(key).map_or(default, |value| value.parse().unwrap());
    let queue = |name: &str| {
        let get = |key: &str| get(&format!("queue.{name}.{key}"));
        let number = |key: &str, default: i32| get(key).map_or(default, |value| value.parse().unwrap());
        CapacityQueueSettings {
            capacity_max: get("maximum-capacity").map(|percent| percent.parse().unwrap()),
            user_limit_percent: number("minimum-user-limit-percent", 100),
            user_limit_factor: get("user-limit-factor").map_or(1.0, |factor| factor.parse().unwrap()),
            supports_priority: get("supports-priority").is_some_and(|value| value == "true"),
            tasks_max: number("maximum-initialized-active-tasks", 200_000),
            tasks_per_user_max: number("maximum-initialized-active-tasks-per-user", 100_000),
            accept_factor: number("init-accept-jobs-factor", 10),
            ..CapacityQueueSettings::new(name, get("capacity").unwrap().parse().unwrap())
        }
    };
    SchedulerKind::Capacity(CapacitySettings {
        queues: queue_names(scenario).map(queue).collect(),
        system_jobs_max: number("maximum-system-jobs", 5000),
        tasks_per_heartbeat_max: number("maximum-tasks-per-heartbeat", 32767),
        tasks_after_offswitch_max: number("maximum-tasks-after-offswitch", 0),
    })
}

/// After a round of initialisations: the jobs that still wait.
pub(crate) fn check_waiting(replay: &Replay<'_>, step: &Step) {
    if step.what != "init" {
        return;
    }
    let queues = replay.bench.jt.capacity_queues().into_iter().filter(|queue| queue.waiting_jobs > 0);
    let waiting = queues.map(|queue| {
        let jobs = replay.bench.jt.jobs_from_queue(&queue.name);
        let last = jobs.len() - queue.waiting_jobs as usize;
        (queue.name, jobs[last..].iter().map(|status| status.job.number).collect())
    });
    let waiting: BTreeMap<String, Vec<i32>> = waiting.collect();
    assert_eq!(waiting, step.waiting, "jobs that wait, {} at {}", replay.scenario.name, step.t);
}

/// After a heartbeat: which trackers are kept free for whom.
pub(crate) fn check_reservations(replay: &mut Replay<'_>, step: &Step) {
    if step.what != "hb" {
        return;
    }
    let mut reserved: BTreeMap<String, BTreeMap<String, i32>> = BTreeMap::new();
    for (tracker, kind, job) in replay.bench.jt.reservations() {
        let host = tracker.trim_start_matches("tracker_").split(':').next().unwrap();
        let spec = replay.scenario.trackers.iter().find(|spec| spec.host == host).unwrap();
        let letter = if kind == TaskKind::Map { "m" } else { "r" };
        reserved.entry(spec.id.clone()).or_default().insert(letter.to_owned(), job.number);
    }
    assert_eq!(reserved, step.reserved, "trackers kept free, {} at {}", replay.scenario.name, step.t);
    replay.reserved = reserved;
}

/// After a heartbeat: capacities, and what is used. The scenarios say what Hadoop counted when the heartbeat began and
/// with the maps that it gave, but for the one that ended its loop; so used slots are compared where nothing was given
/// and no tracker was reserved or released.
pub(crate) fn check_queues(replay: &Replay<'_>, step: &Step) {
    let Some(recorded) = &step.queues else { return };
    let at = format!("{} at {}", replay.scenario.name, step.t);
    for queue in replay.bench.jt.capacity_queues() {
        let [maps, maps_used, reduces, reduces_used] = recorded[&queue.name];
        assert_eq!([queue.maps.capacity, queue.reduces.capacity], [maps, reduces], "capacities, {at}");
        if step.assign.is_empty() && step.reserved == replay.reserved {
            assert_eq!([queue.maps.used, queue.reduces.used], [maps_used, reduces_used], "used slots, {at}");
        }
    }
}
