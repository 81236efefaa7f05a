//! Why a job or a task does not run now: one case for each reason, the figures by arithmetic.

mod bench;

use std::time::Duration;

use bench::{Bench, TaskTracker};
use jobtracker_core::{
    Allocations, Caller, CapacityQueueSettings, CapacitySettings, Effect, FairSettings, LocalityDelays, PoolAllocation,
    SchedulerKind, Settings, SplitWithRacks, Submission, WhyNot,
};
use types::{JobId, JobState, SplitMeta, TaskKind, TaskState};

fn bench_of(queue: CapacityQueueSettings) -> Bench {
    let queues = vec![queue];
    Bench::new(Settings {
        scheduler: SchedulerKind::Capacity(CapacitySettings { queues, ..CapacitySettings::default() }),
        map_slot_memory_mb: 100,
        reduce_slot_memory_mb: 100,
        map_memory_max_mb: 1000,
        reduce_memory_max_mb: 1000,
        ..Settings::default()
    })
}

fn fair_bench(allocations: Allocations, wait_ms: u64) -> Bench {
    let wait = Duration::from_millis(wait_ms);
    let locality_delays = Some(LocalityDelays { node: wait, rack: wait });
    let fair = FairSettings { allocations, locality_delays, ..FairSettings::default() };
    Bench::new(Settings { scheduler: SchedulerKind::Fair(Box::new(fair)), ..Settings::default() })
}

/// Submits a job of a user without setup and cleanup whose maps take so many slots.
fn submit(bench: &mut Bench, user: &str, maps: i32, slots: i64) -> JobId {
    submit_to(bench, user, maps, slots, user)
}

/// Likewise, to a pool.
fn submit_to(bench: &mut Bench, user: &str, maps: i32, slots: i64, pool: &str) -> JobId {
    let submission = Submission {
        caller: Caller::named(user),
        pool: pool.to_owned(),
        setup_and_cleanup: false,
        slow_start: Some(1.0),
        map_memory_mb: slots * 100,
        reduce_memory_mb: 100,
        ..bench.submission(maps, 1)
    };
    let asked = |bench: &Bench, job: &JobId| {
        bench.effects.iter().any(|effect| matches!(effect, Effect::ReadSplits { job: asked } if asked == job))
    };
    let job = bench.submit_it(submission);
    if asked(bench, &job) {
        let split = SplitMeta { locations: vec!["far".to_owned()], start_offset: 0, input_length: 1 };
        let split = SplitWithRacks { split, racks: vec!["/far-rack".to_owned()] };
        bench.jt.splits_read(bench.now(), &job, Ok(vec![split; maps as usize]));
        bench.after();
    }
    job
}

fn map_reason(bench: &Bench, job: &JobId) -> WhyNot {
    bench.jt.explain_job(job).unwrap().remove(0)
}

fn joined(bench: &mut Bench, host: &str, maps: i32) -> TaskTracker {
    let mut tracker = TaskTracker::new(host, maps, 1);
    bench.join(&mut tracker);
    tracker
}

#[test]
fn a_job_is_explained_from_its_submission_to_its_end() {
    let mut bench = Bench::new(Settings::default());
    assert_eq!(bench.jt.explain_job(&JobId::new("201312011200", 9)), None);
    let waiting = bench.submit_only(1, 0);
    assert_eq!(bench.jt.explain_job(&waiting), Some(vec![WhyNot::ReadingSplits]));
    bench.kill(&waiting);
    assert_eq!(bench.jt.explain_job(&waiting), Some(vec![WhyNot::Over(JobState::Killed)]));

    let framed = bench.submit(1, 0);
    assert_eq!(bench.jt.explain_job(&framed), Some(vec![WhyNot::SetupFirst]));
}

#[test]
fn tasks_of_a_job_are_explained() {
    let mut bench = Bench::new(Settings::default());
    let job = submit(&mut bench, "alice", 2, 1);
    let slow_start = WhyNot::SlowStart { done: 0, needed: 2 };
    assert_eq!(bench.jt.explain_job(&job), Some(vec![WhyNot::NoTrackers, slow_start.clone()]));
    let mut tracker = joined(&mut bench, "a", 1);
    assert_eq!(map_reason(&bench, &job), WhyNot::NextHeartbeat(TaskKind::Map));
    bench.beat(&mut tracker);
    let no_slot = WhyNot::NoFreeSlot { kind: TaskKind::Map, slots: 1 };
    assert_eq!(bench.jt.explain_job(&job), Some(vec![no_slot.clone(), slow_start]));
    let of_map = |bench: &Bench, number| bench.jt.explain_task(&job.task(TaskKind::Map, number));
    assert_eq!(of_map(&bench, 0), Some(Vec::new()));
    assert_eq!(of_map(&bench, 1), Some(vec![no_slot]));
    assert_eq!(of_map(&bench, 7), None);
    bench.jt.set_safe_mode(&Caller::named("mapred"), true).unwrap();
    assert_eq!(of_map(&bench, 1), Some(vec![WhyNot::SafeMode]));
    bench.jt.set_safe_mode(&Caller::named("mapred"), false).unwrap();
    for attempt in ["m_000000_0", "m_000001_0"] {
        tracker.finish(attempt, TaskState::Succeeded);
        bench.beat(&mut tracker);
    }
    assert_eq!(map_reason(&bench, &job), WhyNot::NothingWaits(TaskKind::Map));
}

#[test]
fn limits_of_a_queue_and_its_users_are_named() {
    let queue = CapacityQueueSettings {
        capacity_max: Some(75.0),
        user_limit_factor: 0.5,
        tasks_max: 6,
        tasks_per_user_max: 6,
        ..CapacityQueueSettings::new("default", 100.0)
    };
    let mut bench = bench_of(queue);
    let mut tracker = joined(&mut bench, "a", 4);
    // Each takes maps from anywhere at the second heartbeat.
    let alice = submit(&mut bench, "alice", 3, 1);
    for _ in 0..8 {
        bench.beat(&mut tracker);
    }
    let limit = "user alice may have 2 map slots in queue default, has 2, and a task takes 1";
    assert_eq!(map_reason(&bench, &alice), WhyNot::Limit(limit.to_owned()));
    let held = submit(&mut bench, "bob", 2, 1);
    let by = "queue default initialises 5000 jobs and 6 tasks at a time, and has 1 and 4";
    assert_eq!(bench.jt.explain_job(&held), Some(vec![WhyNot::HeldBack { by: by.to_owned() }]));
    assert!(!tracker.has("2:m_000000_0"));

    let carol = submit(&mut bench, "carol", 1, 1);
    for _ in 0..8 {
        bench.beat(&mut tracker);
    }
    // The ceiling of three slots is reached; carol's job is held back behind bob's.
    assert!(matches!(map_reason(&bench, &carol), WhyNot::HeldBack { .. }));
}

#[test]
fn tasks_of_several_slots_wait_for_room() {
    let queue = CapacityQueueSettings { user_limit_factor: 2.0, ..CapacityQueueSettings::new("default", 100.0) };
    let mut bench = bench_of(queue);
    let mut tracker = joined(&mut bench, "a", 3);
    let large = submit(&mut bench, "alice", 1, 4);
    assert_eq!(map_reason(&bench, &large), WhyNot::TooLarge { kind: TaskKind::Map, slots: 4, most: 3 });
    bench.kill(&large);
    let two = submit(&mut bench, "alice", 2, 2);
    bench.beat(&mut tracker);
    assert!(tracker.has("2:m_000000_0"));
    bench.beat(&mut tracker);
    let reason = WhyNot::TooFewFreeSlots { kind: TaskKind::Map, slots: 2, most_free: 1, reserved: 1 };
    assert_eq!(map_reason(&bench, &two), reason);
}

#[test]
fn a_job_that_waits_for_slots_near_its_data_says_how_long() {
    let mut bench = bench_of(CapacityQueueSettings::new("default", 100.0));
    let mut trackers = ["a", "b", "c", "d"].map(|host| joined(&mut bench, host, 1));
    // One host holds the data of ten maps; with four hosts in the cluster it waits for min(10, 4) / 4 = 1 heartbeat.
    let job = submit(&mut bench, "alice", 10, 1);
    assert_eq!(map_reason(&bench, &job), WhyNot::LocalityWait { missed: 0, until: 1 });
    bench.beat(&mut trackers[0]);
    assert_eq!(map_reason(&bench, &job), WhyNot::LocalityWait { missed: 1, until: 1 });
    bench.beat(&mut trackers[1]);
    assert!(trackers[1].has("m_000000_0"));
}

#[test]
fn limits_of_users_and_pools_are_named() {
    let small = PoolAllocation { maps_max: Some(1), running_jobs_max: Some(2), ..PoolAllocation::default() };
    let allocations = Allocations {
        pools: [("default".to_owned(), small)].into(),
        users: [("alice".to_owned(), 1)].into(),
        ..Allocations::default()
    };
    let mut bench = fair_bench(allocations, 0);
    let mut tracker = joined(&mut bench, "a", 2);
    let first = submit_to(&mut bench, "alice", 2, 1, "default");
    bench.advance(500);
    bench.beat(&mut tracker);
    assert!(tracker.has("m_000000_0"));
    assert_eq!(map_reason(&bench, &first), WhyNot::Limit("pool default may have 1 map slots, and has 1".to_owned()));
    let held_back = |bench: &Bench, job: &JobId, whose: &str| {
        let by = format!("{whose} jobs at a time, and that many come before this one");
        assert_eq!(bench.jt.explain_job(job), Some(vec![WhyNot::HeldBack { by }]));
    };
    let second = submit_to(&mut bench, "alice", 1, 1, "default");
    held_back(&bench, &second, "user alice may run 1");
    submit_to(&mut bench, "bob", 1, 1, "default");
    let third = submit_to(&mut bench, "carol", 1, 1, "default");
    held_back(&bench, &third, "pool default may run 2");
}

#[test]
fn a_job_of_the_fair_scheduler_says_how_long_it_waits_for_its_data() {
    let mut bench = fair_bench(Allocations::default(), 2_000);
    let mut tracker = joined(&mut bench, "a", 1);
    let job = submit(&mut bench, "alice", 1, 1);
    bench.advance(500);
    bench.beat(&mut tracker);
    let reason =
        |waited| WhyNot::LocalityDelay { waited: Duration::from_millis(waited), until: Duration::from_millis(4_000) };
    assert_eq!(map_reason(&bench, &job), reason(0));
    bench.advance(1_000);
    bench.beat(&mut tracker);
    assert!(
        matches!(map_reason(&bench, &job), WhyNot::LocalityDelay { waited, .. } if waited >= Duration::from_secs(1))
    );
    let slow_start = WhyNot::SlowStart { done: 0, needed: 1 };
    assert_eq!(bench.jt.explain_job(&job).unwrap()[1], slow_start, "reduces do not start early here");
}
