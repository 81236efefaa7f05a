//! An attempt on a simulated tracker: what its child will do, and what it has done so far.

use std::collections::BTreeMap;

use fastrand::Rng;
use types::{Counters, Millis, Phase, Task, TaskAttemptId, TaskKind, TaskState, TaskStatus, counter_names};

use crate::network::happens;

/// How an attempt will go, drawn when it is launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fortune {
    /// How long its own work takes.
    pub(crate) work_ms: u64,
    pub(crate) end: End,
    /// Whether it asks for leave to commit.
    pub(crate) commits: bool,
}

/// How an attempt ends if it is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Succeeds,
    Fails,
    /// Never reports again, until its tracker kills it.
    Hangs,
}

/// Chances of an attempt.
#[derive(Debug, Clone)]
pub(crate) struct Odds {
    pub(crate) work_ms: std::ops::Range<u64>,
    pub(crate) slowness: u64,
    pub(crate) fails: u32,
    pub(crate) hangs: u32,
}

/// After how long a tracker kills an attempt that hangs.
const TASK_TIMEOUT_MS: u64 = 60_000;

impl Fortune {
    pub(crate) fn draw(rng: &mut Rng, odds: &Odds, task: &Task) -> Self {
        let proper = task.is_map_or_reduce();
        let work = rng.u64(odds.work_ms.clone()) * odds.slowness;
        let end = if happens(rng, odds.fails) {
            End::Fails
        } else if proper && happens(rng, odds.hangs) {
            End::Hangs
        } else {
            End::Succeeds
        };
        let work_ms = match (proper, end) {
            (true, End::Hangs) => TASK_TIMEOUT_MS,
            (true, _) => work,
            // Setups and cleanups are short.
            (false, _) => 1 + work / 10,
        };
        // Maps that feed reduces commit nothing.
        let commits = proper && (task.kind() == TaskKind::Reduce || rng.bool());
        Fortune { work_ms, end, commits }
    }
}

/// An attempt.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) task: Task,
    pub(crate) status: TaskStatus,
    pub(crate) fortune: Fortune,
    /// Tells events of this run from those of an earlier run of the same id.
    pub(crate) run: u32,
    /// Whether its end was put into a heartbeat that has not been answered yet.
    pub(crate) reported_end: bool,
    /// Map outputs that a reduce has, by map.
    pub(crate) fetched: BTreeMap<i32, TaskAttemptId>,
    /// How often a reduce could not fetch an output.
    pub(crate) fetch_failures: BTreeMap<TaskAttemptId, u32>,
    /// The completion events that a reduce has read.
    pub(crate) events_read: i32,
}

impl Attempt {
    pub(crate) fn new(task: Task, fortune: Fortune, run: u32, wall: Millis) -> Self {
        let mut status = task.status.clone();
        status.start_time = wall;
        if task.task_cleanup || task.job_cleanup.is_some() {
            status.phase = Phase::Cleanup;
        }
        Attempt {
            task,
            status,
            fortune,
            run,
            reported_end: false,
            fetched: BTreeMap::new(),
            fetch_failures: BTreeMap::new(),
            events_read: 0,
        }
    }

    /// Whether it holds its slot or waits for leave to commit.
    pub(crate) fn is_live(&self) -> bool {
        self.status.occupies_slots() || self.status.state == TaskState::CommitPending
    }

    /// Whether it is a reduce that still fetches.
    pub(crate) fn is_shuffling(&self) -> bool {
        self.task.is_map_or_reduce()
            && self.task.kind() == TaskKind::Reduce
            && self.status.state == TaskState::Running
            && self.status.phase == Phase::Shuffle
    }

    /// The child has it.
    pub(crate) fn start(&mut self) {
        if self.status.state == TaskState::Unassigned {
            self.status.state = TaskState::Running;
        }
    }

    /// Its work is done: it has failed, waits for leave to commit, or has succeeded.
    pub(crate) fn work_done(&mut self, wall: Millis) {
        match self.fortune.end {
            End::Succeeds if self.fortune.commits && self.status.state == TaskState::Running => {
                self.status.progress = 1.0;
                self.status.state = TaskState::CommitPending;
            }
            End::Succeeds => self.succeed(wall),
            End::Fails | End::Hangs => self.fail(wall, "java.lang.RuntimeException: drawn by lot"),
        }
    }

    /// It has succeeded; a cleanup of an attempt ends as that attempt was to end.
    pub(crate) fn succeed(&mut self, wall: Millis) {
        let state = match self.status.state {
            TaskState::FailedUnclean => TaskState::Failed,
            TaskState::KilledUnclean => TaskState::Killed,
            _ => TaskState::Succeeded,
        };
        self.status.progress = 1.0;
        self.status.output_size = if self.task.kind() == TaskKind::Map { 1000 } else { -1 };
        let mut counters = Counters::new();
        counters.increment(counter_names::TASK, "SPILLED_RECORDS", 1);
        self.status.counters = Some(counters);
        self.end(wall, state);
    }

    /// It has failed; what it leaves must be cleaned up if it is a map or reduce that had begun.
    pub(crate) fn fail(&mut self, wall: Millis, why: &str) {
        self.status.diagnostics.push_str(why);
        self.end_badly(wall, TaskState::FailedUnclean, TaskState::Failed);
    }

    /// It is killed.
    pub(crate) fn kill(&mut self, wall: Millis) {
        self.end_badly(wall, TaskState::KilledUnclean, TaskState::Killed);
    }

    fn end_badly(&mut self, wall: Millis, unclean: TaskState, clean: TaskState) {
        let begun = matches!(self.status.state, TaskState::Running | TaskState::CommitPending);
        let state = match self.status.state {
            TaskState::FailedUnclean => TaskState::Failed,
            TaskState::KilledUnclean => TaskState::Killed,
            _ if begun && self.task.is_map_or_reduce() => unclean,
            _ => clean,
        };
        self.end(wall, state);
    }

    fn end(&mut self, wall: Millis, state: TaskState) {
        self.status.state = state;
        self.status.finish_time = wall;
        if state.is_unclean() {
            // Its own end is told once; its cleanup is another's task.
            self.status.phase = if self.status.reduce.is_some() { Phase::Reduce } else { Phase::Map };
        }
    }
}
