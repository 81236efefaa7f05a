//! A job on this tracker: whether its files are here, its registered attempts, and what its reduces know of its maps
//! (Hadoop 1.2.1: TaskTracker.RunningJob, FetchStatus).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use types::{CompletionStatus, TaskCompletionEvent};

use crate::child::RunId;
use crate::memory::MemoryLimits;

/// What the daemon found in a job's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobInfo {
    /// The local path of `job.xml`, which children read.
    pub job_file: String,
    /// How many attempts a child may run; nothing for no limit.
    pub tasks_per_child: Option<u32>,
    /// Silence after which an attempt is failed; nothing for never.
    pub task_timeout: Option<Duration>,
    /// Whether maps and reduces run natively.
    pub native: bool,
    /// Why they do not; empty if they do.
    pub java_reason: String,
    /// Whether setup and cleanup attempts run natively.
    pub native_setup_cleanup: bool,
    /// Whether a script of the job looks at its failed maps, and at its failed reduces.
    pub debugs: (bool, bool),
    /// What one of its maps may use.
    pub map_memory: MemoryLimits,
    /// What one of its reduces may use.
    pub reduce_memory: MemoryLimits,
}

/// Where a job stands on this tracker.
#[derive(Debug, Clone)]
pub(crate) enum Localization {
    /// An attempt brings the files here.
    Running { by: RunId },
    /// The files are here.
    Done,
    /// The last try failed; the next attempt tries again.
    NotYet,
}

/// A job on this tracker.
#[derive(Debug, Clone)]
pub(crate) struct LocalJob {
    pub(crate) user: String,
    pub(crate) localization: Localization,
    /// What the files say, once they were here.
    pub(crate) info: Option<JobInfo>,
    /// Attempts that hold slots and wait for the files.
    pub(crate) waiting: Vec<RunId>,
    pub(crate) runs: BTreeSet<RunId>,
    pub(crate) events: Option<MapEvents>,
    /// The JobTracker said that it is over while its files were being brought.
    pub(crate) over: bool,
}

impl LocalJob {
    pub(crate) fn new(user: String) -> Self {
        LocalJob {
            user,
            localization: Localization::NotYet,
            info: None,
            waiting: Vec::new(),
            runs: BTreeSet::new(),
            events: None,
            over: false,
        }
    }

    pub(crate) fn info(&self) -> Option<&JobInfo> {
        self.info.as_ref()
    }
}

/// The completion events of a job's maps, as far as they were fetched.
#[derive(Debug, Clone, Default)]
pub(crate) struct MapEvents {
    pub(crate) maps: i32,
    /// The job's next event to ask for; counts events of reduces too.
    pub(crate) next: i32,
    pub(crate) events: Vec<TaskCompletionEvent>,
    /// The attempt that settled each map: it has output, or there is none for good.
    settled: BTreeMap<i32, i32>,
    pub(crate) fetching: bool,
    /// Ask again as soon as the answer on its way has come.
    pub(crate) again: bool,
    /// The answer on its way was asked for before a reset and is to be dropped.
    pub(crate) stale: bool,
}

impl MapEvents {
    pub(crate) fn new(maps: i32) -> Self {
        MapEvents { maps, ..Self::default() }
    }

    /// Takes an answer; events that are not of maps only move the position.
    pub(crate) fn append(&mut self, fetched: Vec<TaskCompletionEvent>) {
        self.next = self.next.saturating_add(i32::try_from(fetched.len()).unwrap_or(i32::MAX));
        for event in fetched.into_iter().filter(|event| event.is_map) {
            self.settle(&event);
            self.events.push(event);
        }
    }

    /// Forgets all: the JobTracker restarted and counts anew.
    pub(crate) fn reset(&mut self) {
        self.next = 0;
        self.events.clear();
        self.settled.clear();
        self.stale = self.fetching;
    }

    /// At most `max` events from the `from`th on.
    pub(crate) fn slice(&self, from: i32, max: i32) -> Vec<TaskCompletionEvent> {
        let from = usize::try_from(from).unwrap_or(0).min(self.events.len());
        let max = usize::try_from(max).unwrap_or(0);
        self.events[from..].iter().take(max).cloned().collect()
    }

    /// Whether every map has output to fetch, or none for good, as far as is known.
    pub(crate) fn complete(&self) -> bool {
        i32::try_from(self.settled.len()).unwrap_or(i32::MAX) >= self.maps
    }

    fn settle(&mut self, event: &TaskCompletionEvent) {
        let (map, attempt) = (event.attempt.task.number, event.attempt.number);
        match event.status {
            CompletionStatus::Succeeded | CompletionStatus::TipFailed => {
                self.settled.insert(map, attempt);
            }
            CompletionStatus::Obsolete | CompletionStatus::Failed | CompletionStatus::Killed => {
                if self.settled.get(&map) == Some(&attempt) {
                    self.settled.remove(&map);
                }
            }
        }
    }
}
