//! How many attempts of each kind there were, how they ended, and on which nodes they did not (Hadoop 1.2.1:
//! HistoryViewer.printTaskSummary, DefaultJobHistoryParser.NodesFilter).

use std::collections::{BTreeMap, BTreeSet};

use types::Millis;
use wire::history::Key;

use crate::JobHistory;

/// The attempts of one kind of task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindSummary {
    /// All attempts.
    pub total: usize,
    /// Those that succeeded; of maps and reduces the number that the job ended with.
    pub successful: i64,
    /// Those that failed.
    pub failed: usize,
    /// Those that were killed.
    pub killed: usize,
    /// When the first one started; 0 where none did.
    pub started: Millis,
    /// When the last one ended; 0 where none did.
    pub finished: Millis,
}

/// Adds up the attempts of a kind: `SETUP`, `MAP`, `REDUCE` or `CLEANUP`.
pub fn summary(job: &JobHistory, kind: &str) -> KindSummary {
    let mut sum = KindSummary::default();
    for (_, attempt) in job.attempts().filter(|(task, _)| task.kind() == kind) {
        let (start, finish) = (attempt.number(Key::StartTime), attempt.number(Key::FinishTime));
        if sum.started == 0 || sum.started > start {
            sum.started = start;
        }
        sum.finished = sum.finished.max(finish);
        sum.total += 1;
        match attempt.get(Key::TaskStatus) {
            "SUCCESS" => sum.successful += 1,
            "FAILED" => sum.failed += 1,
            "KILLED" => sum.killed += 1,
            _ => (),
        }
    }
    match kind {
        "MAP" => sum.successful = job.values.number(Key::FinishedMaps),
        "REDUCE" => sum.successful = job.values.number(Key::FinishedReduces),
        _ => (),
    }
    sum
}

/// The hosts on which attempts ended with that status, and their tasks.
pub fn bad_nodes<'a>(job: &'a JobHistory, status: &str) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut nodes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, attempt) in job.attempts().filter(|(_, attempt)| attempt.get(Key::TaskStatus) == status) {
        nodes.entry(attempt.get(Key::Hostname)).or_default().insert(attempt.get(Key::TaskId));
    }
    nodes
}
