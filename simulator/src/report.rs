//! What a run has to tell.

use std::fmt;

use types::JobState;

/// A run in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Virtual milliseconds until the last job ended.
    pub end_ms: u64,
    /// Events played.
    pub events: u64,
    /// Heartbeats that the core took, resends included.
    pub heartbeats: u64,
    /// Answers that were lost and sent again.
    pub resent: u64,
    /// Heartbeats that came early because the core had something for the tracker.
    pub woken: u64,
    /// Attempts launched, cleanups included.
    pub launched: u64,
    /// Trackers that the core gave up or that started anew.
    pub reinitialized: u64,
    /// How often the JobTracker was killed and started again.
    pub jobtracker_restarts: u64,
    /// How often a wall clock leapt.
    pub clock_steps: u64,
    /// Map outputs that had to be made again.
    pub obsolete: u64,
    /// How the jobs ended, in the order of their numbers.
    pub jobs: Vec<JobState>,
    /// When each job was submitted and when it ended, in virtual milliseconds.
    pub times_ms: Vec<(u64, u64)>,
}

impl Report {
    /// How many jobs ended that way.
    pub fn ended(&self, state: JobState) -> usize {
        self.jobs.iter().filter(|job| **job == state).count()
    }
}

/// A run that broke something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The seed to replay.
    pub seed: u64,
    /// When, in virtual milliseconds.
    pub at_ms: u64,
    /// What.
    pub broken: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {} at {} ms: {}", self.seed, self.at_ms, self.broken)
    }
}

impl std::error::Error for Failure {}
