//! Clusters of hundreds of trackers under seeded faults: the core's invariants after every event, and in the end every
//! job has ended.
//!
//! `HOWDAH_SEED=n` plays that seed alone; `HOWDAH_SEEDS=n` plays n seeds beside the fixed ones. A seed that fails is
//! printed, and what happened under it is left in a file.

use std::path::PathBuf;

use simulator::{Faults, Report, Scenario, Workload, run};
use types::JobState;

/// Plays a seed; if it fails, leaves the log of its replay.
fn play(seed: u64, scenario: &Scenario) -> Report {
    match run(seed, scenario) {
        Ok(report) => report,
        Err(failure) => {
            let (again, log) = scenario.replay(seed);
            assert_eq!(again.as_ref().err(), Some(&failure), "a replay goes another way");
            let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("seed-{seed}.log"));
            std::fs::write(&file, log.join("\n")).unwrap();
            panic!("{failure}\nwhat happened: {}", file.display());
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text:?}; expected a whole number, 0 or more")))
}

/// The seeds to play: those given, or the fixed ones and as many more as asked for.
fn seeds(fixed: std::ops::Range<u64>) -> Vec<u64> {
    match number("HOWDAH_SEED") {
        Some(seed) => vec![seed],
        None => fixed.chain(1_000..1_000 + number("HOWDAH_SEEDS").unwrap_or(0)).collect(),
    }
}

#[test]
fn all_jobs_succeed_in_calm_weather() {
    for seed in seeds(0..1) {
        let report = play(seed, &Scenario::calm(200));
        println!("seed {seed}: {report:?}");
        assert_eq!(report.ended(JobState::Succeeded), report.jobs.len());
        assert_eq!((report.resent, report.reinitialized, report.obsolete), (0, 0, 0));
    }
}

#[test]
fn every_job_ends_in_a_storm() {
    let (mut reinitialized, mut clock_steps) = (0, 0);
    for seed in seeds(1..3) {
        let report = play(seed, &Scenario::storm(200));
        println!("seed {seed}: {report:?}");
        let ended: usize =
            [JobState::Succeeded, JobState::Failed, JobState::Killed].map(|s| report.ended(s)).iter().sum();
        assert_eq!(ended, report.jobs.len());
        assert!(report.resent > 0 && report.jobtracker_restarts > 0, "the storm was none: {report:?}");
        clock_steps += report.clock_steps;
        reinitialized += report.reinitialized;
    }
    assert!(clock_steps > 0, "no clock leapt");
    assert!(reinitialized > 0, "no storm kept a tracker away until it was given up");
}

#[test]
fn small_clusters_hold_too() {
    for seed in seeds(10..18) {
        for trackers in [1, 2, 5] {
            // A single slow tracker takes its time.
            play(seed, &Scenario { calm_ms: 4 * 3_600_000, ..Scenario::storm(trackers) });
        }
    }
}

#[test]
fn a_jobtracker_made_from_its_records_is_what_it_was_after_any_event() {
    for seed in seeds(20..24) {
        let scenario = Scenario { restore_every: 1, storm_ms: 120_000, ..Scenario::storm(4) };
        let scenario = Scenario { workload: Workload { jobs: 5, maps: 0..12, ..scenario.workload }, ..scenario };
        play(seed, &scenario);
    }
}

#[test]
fn jobs_go_on_when_the_jobtracker_is_killed_in_calm_weather() {
    for seed in seeds(30..34) {
        let faults = Faults { gap_ms: 2_000..20_000, jobtracker_restarts: u32::MAX - 100, ..Faults::none() };
        let report = play(seed, &Scenario { faults, storm_ms: 200_000, ..Scenario::calm(20) });
        assert_eq!(report.ended(JobState::Succeeded), report.jobs.len());
        assert_eq!((report.reinitialized, report.obsolete), (0, 0), "{report:?}");
        assert!(report.jobtracker_restarts > 5, "{report:?}");
    }
}

#[test]
fn the_capacity_scheduler_holds_in_any_weather() {
    for seed in seeds(40..42) {
        let report = play(seed, &Scenario::calm(40).under_capacity());
        assert_eq!(report.ended(JobState::Succeeded), report.jobs.len());
    }
    for seed in seeds(42..45) {
        for trackers in [2, 5, 40] {
            play(seed, &Scenario { calm_ms: 4 * 3_600_000, ..Scenario::storm(trackers).under_capacity() });
        }
    }
}

#[test]
fn the_fair_scheduler_holds_in_a_storm() {
    for seed in seeds(46..49) {
        for trackers in [3, 40] {
            play(seed, &Scenario { calm_ms: 4 * 3_600_000, ..Scenario::storm(trackers).under_fair() });
        }
    }
}

#[test]
fn the_fair_scheduler_goes_on_when_the_jobtracker_is_killed() {
    for seed in seeds(50..52) {
        let scenario = Scenario { restore_every: 1, storm_ms: 120_000, ..Scenario::storm(4) };
        let scenario = Scenario { workload: Workload { jobs: 5, maps: 0..12, ..scenario.workload }, ..scenario };
        play(seed, &Scenario { calm_ms: 4 * 3_600_000, ..scenario.under_fair() });
    }
}

#[test]
fn a_seed_always_goes_the_same_way() {
    let scenario = Scenario::storm(20);
    let (first, log) = scenario.replay(7);
    let (second, again) = scenario.replay(7);
    assert_eq!(first, second);
    assert_eq!(log, again);
    assert_eq!(first, run(7, &scenario));
}

/// Under this seed a tracker lets one order to kill pass, and the attempt that it kept waits for leave to commit later.
#[test]
fn an_attempt_that_may_not_commit_is_told_to_end_until_it_does() {
    play(349, &Scenario::of_soak(349));
}
