//! What the fair scheduler does beside the decisions that are recorded of Hadoop's: it looks again as soon as something
//! changes, takes new allocations while jobs run, and lets young jobs weigh more.

mod bench;

use std::time::Duration;

use bench::{Bench, TaskTracker};
use jobtracker_core::{
    Allocations, FairSettings, LocalityDelays, NewJobBoost, PoolAllocation, SchedulerKind, Settings,
};
use types::TaskState;

/// A cluster of one tracker. The jobs' data lies elsewhere, and they do not wait for it.
fn cluster(settings: FairSettings) -> (Bench, TaskTracker) {
    let no_wait = LocalityDelays { node: Duration::ZERO, rack: Duration::ZERO };
    let settings = FairSettings { locality_delays: Some(no_wait), ..settings };
    let mut bench = Bench::new(Settings { scheduler: SchedulerKind::Fair(Box::new(settings)), ..Settings::default() });
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    (bench, tracker)
}

/// Ends the setup that a tracker has been handed; what the next heartbeats bring.
fn set_up(bench: &mut Bench, tracker: &mut TaskTracker) -> [Vec<String>; 2] {
    let orders = bench.beat(tracker);
    tracker.finish(orders[0].strip_prefix("launch ").unwrap(), TaskState::Succeeded);
    [bench.beat(tracker), bench.beat(tracker)]
}

#[test]
fn a_job_that_begins_need_not_wait_for_the_next_update() {
    let hour = Duration::from_secs(3600);
    for (update_at_once, maps) in [(true, 2), (false, 0)] {
        let (mut bench, mut tracker) =
            cluster(FairSettings { update_interval: hour, update_at_once, ..FairSettings::default() });
        bench.submit(2, 0);
        let [_, orders] = set_up(&mut bench, &mut tracker);
        assert_eq!(orders.len(), maps, "{orders:?}");
        // There is nothing more for the tracker, so it is not woken over and over.
        assert!(!bench.jt.wants_heartbeat(&tracker.name()));
    }
}

#[test]
fn new_allocations_count_at_once() {
    let (mut bench, mut tracker) = cluster(FairSettings::default());
    let pool = |maps_max| Allocations {
        pools: [("alice".to_owned(), PoolAllocation { maps_max: Some(maps_max), ..PoolAllocation::default() })].into(),
        ..Allocations::default()
    };
    assert!(bench.jt.set_fair_allocations(bench.now(), pool(0)));
    bench.submit(2, 0);
    let [_, orders] = set_up(&mut bench, &mut tracker);
    assert!(orders.is_empty(), "{orders:?}");
    assert!(bench.jt.set_fair_allocations(bench.now(), pool(1)));
    bench.advance(1);
    assert!(bench.jt.wants_heartbeat(&tracker.name()), "there is work again");
    assert_eq!(bench.beat(&mut tracker).len(), 1);
    let mut fifo = Bench::new(Settings::default());
    assert!(!fifo.jt.set_fair_allocations(fifo.now(), pool(1)) && fifo.jt.fair_view(fifo.now()).is_none());
}

#[test]
fn young_jobs_weigh_more_for_a_while() {
    let boost = NewJobBoost { factor: 3.0, duration: Duration::from_secs(300) };
    let (mut bench, mut tracker) = cluster(FairSettings { new_job_boost: Some(boost), ..FairSettings::default() });
    bench.submit(5, 0);
    set_up(&mut bench, &mut tracker);
    let weight = |bench: &Bench| bench.jt.fair_view(bench.now()).unwrap().jobs[0].maps.weight;
    assert_eq!(weight(&bench), 3.0);
    bench.advance(300_000);
    assert_eq!(weight(&bench), 1.0);
}
