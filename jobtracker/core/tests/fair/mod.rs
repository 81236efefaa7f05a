//! What scenarios of the fair scheduler have beside those of all: its settings, updates with demands and shares, waits for
//! locality, slots taken back, jobs that change pools.

mod settings;

use std::collections::{BTreeMap, BTreeSet};

use jobtracker_core::{Effect, FairJobView, FairShareView, FairView, PoolView, SchedulerKind};
use serde::Deserialize;
use serde_json::Value;

use super::{Job, Replay, Scenario, Step, spell};

/// What its scenarios have of their own.
#[derive(Deserialize)]
pub(crate) struct FairScenario {
    #[serde(default)]
    verbose: bool,
    allocations: Option<String>,
}

/// What their steps have of their own.
#[derive(Deserialize)]
pub(crate) struct FairStep {
    pool: Option<String>,
    /// Level of the last map, milliseconds waited, passed over.
    #[serde(default)]
    delay: BTreeMap<String, (String, u64, bool)>,
    /// Map demand and share, reduce demand and share.
    #[serde(default)]
    pools: BTreeMap<String, [f64; 4]>,
    runnable: Option<Value>,
    preempted: Option<Vec<String>>,
    asked: Option<Vec<String>>,
}

/// The scheduler with a scenario's settings and allocations.
pub(crate) fn scheduler(scenario: &Scenario) -> SchedulerKind {
    let allocations = scenario.fair.allocations.as_deref().unwrap_or_default();
    SchedulerKind::Fair(Box::new(settings::settings(&scenario.conf, allocations)))
}

/// The pool of a job.
pub(crate) fn pool_of(scenario: &Scenario, job: &Job) -> String {
    let by_property = match scenario.conf.get("mapred.fairscheduler.poolnameproperty").map(String::as_str) {
        Some("mapred.job.queue.name") => job.queue.as_deref().unwrap_or("default"),
        Some(other) => panic!("no property {other}"),
        None => job.user.as_deref().unwrap_or("u"),
    };
    job.pool.as_deref().unwrap_or(by_property).to_owned()
}

fn view(replay: &Replay<'_>) -> FairView {
    replay.bench.jt.fair_view(replay.bench.now()).unwrap()
}

/// A job changes its pool.
pub(crate) fn set_pool(replay: &mut Replay<'_>, step: &Step) {
    let job = &replay.jobs[&step.job.unwrap()];
    assert!(replay.bench.jt.set_fair_pool(replay.bench.now(), job, step.fair.pool.as_ref().unwrap()));
}

/// Demands and shares are computed anew: what pools and jobs can use and should have.
pub(crate) fn update(replay: &mut Replay<'_>, step: &Step) {
    replay.bench.jt.deadline_reached(replay.bench.now());
    let at = format!("{} at {} ({})", replay.scenario.name, step.t, replay.scenario.rule);
    let view = view(replay);
    let pools = view.pools.iter().filter(|pool| pool.jobs > 0 || pool.maps.demand > 0 || pool.reduces.demand > 0);
    let shares = |pool: &PoolView| {
        let (maps, reduces) = (pool.maps, pool.reduces);
        [f64::from(maps.demand), maps.fair_share, f64::from(reduces.demand), reduces.fair_share]
    };
    let pools: BTreeMap<String, [f64; 4]> = pools.map(|pool| (pool.name.clone(), shares(pool))).collect();
    let expected = &step.fair.pools;
    assert!(pools.keys().eq(expected.keys()), "pools {pools:?}, not {expected:?}, {at}");
    for (name, shares) in &pools {
        check_close(shares, &expected[name], &format!("pool {name}, {at}"));
    }
    check_runnable(step, &view, &at);
}

/// Either the jobs that may run, or each with its demands, shares and weights.
fn check_runnable(step: &Step, view: &FairView, at: &str) {
    let runnable: Vec<&FairJobView> = view.jobs.iter().filter(|job| job.runnable).collect();
    let numbers = |job: &FairJobView| {
        let of = |share: FairShareView| [f64::from(share.demand), share.fair_share, share.weight];
        [of(job.maps), of(job.reduces)].concat()
    };
    match step.fair.runnable.as_ref().unwrap() {
        Value::Array(expected) => {
            let expected: BTreeSet<&str> = expected.iter().map(|job| job.as_str().unwrap()).collect();
            let found: Vec<String> = runnable.iter().map(|job| job.job.number.to_string()).collect();
            assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected, "runnable jobs, {at}");
        }
        Value::Object(expected) => {
            assert_eq!(runnable.len(), expected.len(), "runnable jobs {runnable:?}, not {expected:?}, {at}");
            for job in runnable {
                let expected = expected[&job.job.number.to_string()].clone();
                let expected: Vec<f64> = serde_json::from_value(expected).unwrap();
                check_close(&numbers(job), &expected, &format!("{}, {at}", job.job));
            }
        }
        other => panic!("{other}"),
    }
}

fn check_close(found: &[f64], expected: &[f64], what: &str) {
    let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= 1e-5);
    assert!(close && found.len() == expected.len(), "{found:?}, not {expected:?}, {what}");
}

/// After a heartbeat: how long each job has waited for a place near its data.
pub(crate) fn check_delays(replay: &Replay<'_>, step: &Step) {
    if !replay.scenario.fair.verbose || replay.scenario.fair.allocations.is_none() {
        return;
    }
    let delay = |job: &FairJobView| (job.locality.to_owned(), job.waited.as_millis() as u64, job.skipped);
    let delays = view(replay).jobs.into_iter().map(|job| (job.job.number.to_string(), delay(&job)));
    let delays: BTreeMap<String, _> = delays.filter(|(_, delay)| *delay != ("NODE".to_owned(), 0, false)).collect();
    assert_eq!(delays, step.fair.delay, "delays, {} at {}", replay.scenario.name, step.t);
}

/// The update before has looked whether slots are to be taken back, too.
pub(crate) fn check_preemption(replay: &mut Replay<'_>, step: &Step) {
    let mut victims = Vec::new();
    for effect in std::mem::take(&mut replay.preemptions) {
        if let Effect::Preemption(preemption) = effect {
            victims.extend(preemption.victims);
        }
    }
    let all: Vec<String> = victims.iter().map(|(attempt, _)| spell(attempt)).collect();
    let killed = victims.iter().filter(|(_, killed)| *killed).map(|(attempt, _)| spell(attempt)).collect();
    let at = format!("{} at {}", replay.scenario.name, step.t);
    let FairStep { preempted, asked, .. } = &step.fair;
    assert_eq!(Some(killed), *preempted, "preempted, {at}");
    assert_eq!(all, *asked.as_ref().or(preempted.as_ref()).unwrap(), "asked to die, {at}");
}
