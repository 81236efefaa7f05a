//! A whole cluster in virtual time: the JobTracker's own core, and models of TaskTrackers, children, network and users.
//!
//! [`run`] plays one scenario under one seed; the same two give the same run, always. After every event the core's
//! invariants are checked, and what it told the outside. When the weather clears at the end, every job must end.
//! Nothing here decides what runs where: every scheduling rule lives in `jobtracker-core`.

#![forbid(unsafe_code)]

mod attempt;
mod checker;
mod children;
mod events;
mod faults;
mod heartbeats;
mod mixtures;
mod network;
mod report;
mod restarts;
mod scenario;
mod shuffle;
mod tracker;
mod workload;
mod world;

pub use report::{Failure, Report};
pub use scenario::{Faults, Scenario, Workload};

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Plays a scenario under a seed. A failure says what broke, when, and under which seed.
pub fn run(seed: u64, scenario: &Scenario) -> Result<Report, Failure> {
    let mut log = Vec::new();
    play(seed, scenario, &mut log, false)
}

impl Scenario {
    /// Plays a seed again, and keeps a line for every event: what [`run`] saw, to be read.
    pub fn replay(&self, seed: u64) -> (Result<Report, Failure>, Vec<String>) {
        let mut log = Vec::new();
        let outcome = play(seed, self, &mut log, true);
        (outcome, log)
    }
}

fn play(seed: u64, scenario: &Scenario, log: &mut Vec<String>, logging: bool) -> Result<Report, Failure> {
    let mut world = world::World::new(seed, scenario, logging.then_some(log));
    // A broken assertion of the core is a finding like any other.
    let outcome = catch_unwind(AssertUnwindSafe(|| world.play()));
    let broken = match outcome {
        Ok(Ok(())) => return Ok(world.report()),
        Ok(Err(broken)) => broken,
        Err(panic) => match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
            (Some(text), _) => format!("panic: {text}"),
            (None, Some(text)) => format!("panic: {text}"),
            (None, None) => "panic".to_owned(),
        },
    };
    Err(Failure { seed, at_ms: world.now_ms(), broken })
}
