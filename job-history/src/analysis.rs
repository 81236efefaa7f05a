//! Which tasks of a job that succeeded took longest, and which came last (Hadoop 1.2.1: HistoryViewer.printJobAnalysis,
//! analysejobhistory.jsp).

use std::cmp::Reverse;

use types::Millis;
use wire::history::Key;

use crate::{AttemptHistory, JobHistory};

/// A stretch of an attempt's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A map from start to end.
    Map,
    /// A reduce until it has all map output.
    Shuffle,
    /// A reduce from there to its end.
    Reduce,
}

impl Stage {
    /// `map`, `shuffle` or `reduce`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Map => "map",
            Stage::Shuffle => "shuffle",
            Stage::Reduce => "reduce",
        }
    }

    /// How long an attempt was in it.
    pub fn duration(self, attempt: &AttemptHistory) -> Millis {
        let [start, shuffled, finish] =
            [Key::StartTime, Key::ShuffleFinished, Key::FinishTime].map(|key| attempt.number(key));
        match self {
            Stage::Map => finish - start,
            Stage::Shuffle => shuffled - start,
            Stage::Reduce => finish - shuffled,
        }
    }

    fn end(self, attempt: &AttemptHistory) -> Millis {
        attempt.number(if self == Stage::Shuffle { Key::ShuffleFinished } else { Key::FinishTime })
    }
}

/// One stage of all tasks. Ties keep the order of the tasks, as a stable sort does.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    /// Which.
    pub stage: Stage,
    /// The attempts that count, slowest first.
    pub slowest: Vec<&'a AttemptHistory>,
    /// The mean time in it.
    pub average: Millis,
    /// The attempt that ended last. 1.2.1 takes a reduce's own end for the shuffle, too.
    pub last: &'a AttemptHistory,
}

impl Part<'_> {
    /// When the last one was through with this stage.
    pub fn last_end(&self) -> Millis {
        self.stage.end(self.last)
    }
}

/// The stages of a job that had any task in them.
#[derive(Debug, Clone)]
pub struct Analysis<'a> {
    /// Maps, shuffles, reduces.
    pub parts: Vec<Part<'a>>,
}

impl<'a> Analysis<'a> {
    /// Looks at the first successful attempt of each map and reduce.
    pub fn of(job: &'a JobHistory) -> Analysis<'a> {
        let maps = successful(job, "MAP");
        let reduces = successful(job, "REDUCE");
        let finished = |key| job.values.number(key);
        let (map_count, reduce_count) = (finished(Key::FinishedMaps), finished(Key::FinishedReduces));
        let mut parts = Vec::new();
        parts.extend(part(Stage::Map, maps, map_count));
        // 1.2.1 sorts one array again and again, so each order is the base of the next.
        let shuffle = part(Stage::Shuffle, reduces, reduce_count);
        let again = shuffle.as_ref().map(|part| by_end(part.slowest.clone()));
        parts.extend(shuffle);
        parts.extend(again.and_then(|reduces| part(Stage::Reduce, reduces, reduce_count)));
        Analysis { parts }
    }
}

/// The first successful attempt of each task of a kind.
fn successful<'a>(job: &'a JobHistory, kind: &str) -> Vec<&'a AttemptHistory> {
    let tasks = job.tasks.values().filter(|task| task.kind() == kind);
    tasks.filter_map(|task| task.attempts.values().find(|attempt| attempt.get(Key::TaskStatus) == "SUCCESS")).collect()
}

fn by_end(mut attempts: Vec<&AttemptHistory>) -> Vec<&AttemptHistory> {
    attempts.sort_by_key(|attempt| Reverse(attempt.number(Key::FinishTime)));
    attempts
}

fn part(stage: Stage, mut attempts: Vec<&AttemptHistory>, count: i64) -> Option<Part<'_>> {
    let total: Millis = attempts.iter().map(|attempt| stage.duration(attempt)).sum();
    attempts.sort_by_key(|attempt| Reverse(stage.duration(attempt)));
    let last = *by_end(attempts.clone()).first()?;
    Some(Part { stage, slowest: attempts, average: if count > 0 { total / count } else { total }, last })
}
