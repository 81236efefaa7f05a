//! Plays many seeds of the simulated cluster, each a storm of its own ([`Scenario::of_soak`]), and names those that break
//! something. `soak [SEEDS] [--first SEED] [--fresh SEEDS]`, or `soak --seed SEED` to play one again and keep its log.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use simulator::{Failure, Report, Scenario, run};

const USAGE: &str = "usage: soak [SEEDS] [--first SEED] [--fresh SEEDS] | soak --seed SEED";
const SEEDS: u64 = 10_000;
/// Where the log of a seed that is played again is left.
const LOGS: &str = "target/soak";
/// Seeds between two lines that tell how far it is.
const TOLD_EVERY: usize = 500;

/// What to play.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    Seeds(Vec<u64>),
    Again(u64),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let plan = plan(&arguments, fresh_seed());
    let outcome = match plan {
        Ok(Plan::Seeds(seeds)) => soak(&seeds),
        Ok(Plan::Again(seed)) => again(seed),
        Err(error) => Err(error),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("soak: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A seed that was never played, far from the fixed ones.
fn fresh_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

fn plan(arguments: &[String], fresh_from: u64) -> Result<Plan, String> {
    let (mut number, mut first, mut fresh, mut again) = (None, 0, 0, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || {
            let text = rest.next().ok_or_else(|| format!("{argument} needs a number; {USAGE}"))?;
            whole(text)
        };
        match argument.as_str() {
            "--first" => first = value()?,
            "--fresh" => fresh = value()?,
            "--seed" => again = Some(value()?),
            text if number.is_none() => number = Some(whole(text)?),
            text => return Err(format!("{text} is one argument too many; {USAGE}")),
        }
    }
    if let Some(seed) = again {
        return Ok(Plan::Again(seed));
    }
    if fresh > 0 {
        println!("fresh seeds: {fresh_from} to {}", fresh_from + fresh - 1);
    }
    let fixed = first..first.saturating_add(number.unwrap_or(SEEDS));
    Ok(Plan::Seeds(fixed.chain(fresh_from..fresh_from + fresh).collect()))
}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text} is no number of seeds; expected a whole number, 0 or more; {USAGE}"))
}

/// What all runs came to.
#[derive(Debug, Default)]
struct Sum {
    events: u64,
    launched: u64,
    restarts: u64,
    clock_steps: u64,
    resent: u64,
    failures: Vec<Failure>,
}

impl Sum {
    fn add(&mut self, outcome: Result<Report, Failure>) {
        match outcome {
            Ok(report) => {
                self.events += report.events;
                self.launched += report.launched;
                self.restarts += report.jobtracker_restarts;
                self.clock_steps += report.clock_steps;
                self.resent += report.resent;
            }
            Err(failure) => {
                eprintln!("{failure}\n  to play it again: cargo xtask soak --seed {}", failure.seed);
                self.failures.push(failure);
            }
        }
    }
}

/// Plays seeds on all processors.
fn soak(seeds: &[u64]) -> Result<(), String> {
    let began = Instant::now();
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Sum::default());
    let play = || {
        while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = run(*seed, &Scenario::of_soak(*seed));
            sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(outcome);
            let played = next.load(Ordering::Relaxed);
            if played.is_multiple_of(TOLD_EVERY) {
                println!("{played} of {} seeds, {:.0} s", seeds.len(), began.elapsed().as_secs_f64());
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |number| number.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(play))));
    let sum = sum.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    println!(
        "{} seeds in {:.0} s: {} events, {} attempts launched, {} answers sent again, {} restarts of the JobTracker, {} \
         leaps of a clock",
        seeds.len(),
        began.elapsed().as_secs_f64(),
        sum.events,
        sum.launched,
        sum.resent,
        sum.restarts,
        sum.clock_steps,
    );
    if sum.failures.is_empty() {
        return Ok(());
    }
    let mut failed: Vec<u64> = sum.failures.iter().map(|failure| failure.seed).collect();
    failed.sort_unstable();
    Err(format!("{} seeds failed: {failed:?}", failed.len()))
}

/// Plays a seed again and keeps what happened.
fn again(seed: u64) -> Result<(), String> {
    let (outcome, log) = Scenario::of_soak(seed).replay(seed);
    let file = Path::new(LOGS).join(format!("seed-{seed}.log"));
    std::fs::create_dir_all(LOGS)
        .and_then(|()| std::fs::write(&file, log.join("\n")))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    println!("what happened: {}", file.display());
    outcome.map(|report| println!("{report:?}")).map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &str, expected: Result<Plan, &str>) {
        let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
        match (plan(&arguments, 1_000_000), expected) {
            (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
            (planned, expected) => assert_eq!(planned, expected.map_err(str::to_owned)),
        }
    }

    #[test]
    fn seeds_are_fixed_and_fresh_ones_or_one_again() {
        check("3", Ok(Plan::Seeds(vec![0, 1, 2])));
        check("2 --first 7 --fresh 2", Ok(Plan::Seeds(vec![7, 8, 1_000_000, 1_000_001])));
        check("--seed 9", Ok(Plan::Again(9)));
        check("--first", Err("--first needs a number"));
        check("many", Err("many is no number of seeds"));
        check("1 2", Err("2 is one argument too many"));
    }
}
