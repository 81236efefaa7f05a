//! One registered attempt: its status, how a child's reports are merged into it, and what a failure or kill makes of it
//! (Hadoop 1.2.1: TaskTracker.TaskInProgress, TaskStatus.statusUpdate).

use std::time::Duration;

use types::{JvmId, Monotonic, Phase, Task, TaskAttemptId, TaskState, TaskStatus};

/// How an attempt that did not succeed ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Counts towards the task's limit.
    Failed,
    /// Does not.
    Killed,
}

/// Where an attempt stands with its slots and child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Waits for slots.
    Queued,
    /// Has slots; its job's files are being brought.
    Localizing,
    /// Has slots and a child.
    Launched {
        /// The child.
        jvm: JvmId,
    },
    /// Its child has exited without a word; a `done` may still be on its way.
    Exited {
        /// The child that was.
        jvm: JvmId,
        /// Then it has failed.
        until: Monotonic,
    },
    /// Its child has exited and it has failed; the job's script looks at what is left.
    Debugged,
    /// Ended; holds no slots.
    Ended,
}

/// A registered attempt.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) task: Task,
    pub(crate) status: TaskStatus,
    pub(crate) stage: Stage,
    /// Succeeded, or its cleanup did.
    pub(crate) done: bool,
    pub(crate) killed: bool,
    pub(crate) last_progress: Monotonic,
    pub(crate) timeout: Option<Duration>,
    /// Its directories go once its child has exited.
    pub(crate) clean_at_exit: bool,
    /// A reduce that knows of every map has asked whether there is more.
    pub(crate) asked_in_vain: bool,
}

impl Attempt {
    /// An attempt as the JobTracker hands it out.
    pub(crate) fn new(task: Task, now: Monotonic) -> Self {
        let mut status = TaskStatus::unassigned(task.attempt.clone(), task.slots_required);
        status.state = task.status.state;
        status.state_string = "initializing".to_owned();
        status.counters = task.status.counters.clone().or(status.counters);
        if task.task_cleanup {
            status.phase = Phase::Cleanup;
        }
        let stage = Stage::Queued;
        let timeout = Some(Duration::from_secs(600));
        Attempt {
            task,
            status,
            stage,
            done: false,
            killed: false,
            last_progress: now,
            timeout,
            clean_at_exit: false,
            asked_in_vain: false,
        }
    }

    /// Whether it is that attempt, or that attempt's cleanup.
    pub(crate) fn is(&self, attempt: &TaskAttemptId, task_cleanup: bool) -> bool {
        self.task.attempt == *attempt && self.task.task_cleanup == task_cleanup
    }

    pub(crate) fn holds_slots(&self) -> bool {
        !matches!(self.stage, Stage::Queued | Stage::Ended)
    }

    /// The child that has it, or had it until just now.
    pub(crate) fn jvm(&self) -> Option<&JvmId> {
        match &self.stage {
            Stage::Launched { jvm } | Stage::Exited { jvm, .. } => Some(jvm),
            Stage::Queued | Stage::Localizing | Stage::Debugged | Stage::Ended => None,
        }
    }

    /// Whether its task cleanup is under way (Hadoop 1.2.1: TaskStatus.inTaskCleanupPhase).
    pub(crate) fn in_cleanup(&self) -> bool {
        in_cleanup(&self.status)
    }

    /// Hadoop 1.2.1: TaskInProgress.canBeLaunched.
    pub(crate) fn can_be_launched(&self) -> bool {
        self.status.state == TaskState::Unassigned || self.status.state.is_unclean()
    }

    /// Whether a child may be working on it.
    pub(crate) fn is_active(&self) -> bool {
        matches!(self.status.state, TaskState::Running | TaskState::CommitPending) || self.in_cleanup()
    }

    /// When silence fails it.
    pub(crate) fn times_out_at(&self) -> Option<Monotonic> {
        let timeout = self.timeout?;
        let child_works = matches!(self.stage, Stage::Launched { .. });
        (child_works && self.is_active() && !self.killed && !self.done).then(|| self.last_progress + timeout)
    }

    pub(crate) fn add_diagnostics(&mut self, text: &str) {
        self.status.diagnostics.push_str(text);
    }

    /// Sets the finish time, which only an attempt that started has.
    pub(crate) fn finish_at(&mut self, wall: i64) {
        if self.status.start_time > 0 {
            self.status.finish_time = wall;
        }
    }

    /// Whether a report is taken (Hadoop 1.2.1: TaskInProgress.reportProgress).
    pub(crate) fn accepts(&self, report: &TaskStatus) -> bool {
        let mine = self.status.state;
        let back = (mine == TaskState::CommitPending || mine.is_unclean())
            && matches!(report.state, TaskState::Running | TaskState::Unassigned);
        self.is_active() && !self.done && !back
    }

    /// Merges a report: diagnostics and failed fetches add up, times only move forward, the rest is replaced.
    pub(crate) fn merge(&mut self, report: TaskStatus, now: Monotonic) {
        let status = &mut self.status;
        status.progress = report.progress;
        status.state = report.state;
        status.state_string = report.state_string;
        status.next_records = report.next_records;
        status.diagnostics.push_str(&report.diagnostics);
        status.phase = report.phase;
        status.output_size = report.output_size;
        if report.counters.is_some() {
            status.counters = report.counters;
        }
        if report.start_time > 0 {
            status.start_time = report.start_time;
        }
        if report.finish_time > 0 && status.start_time > 0 {
            status.finish_time = report.finish_time;
        }
        if let (Some(mine), Some(theirs)) = (&mut status.reduce, report.reduce) {
            if theirs.shuffle_finish > 0 {
                mine.shuffle_finish = theirs.shuffle_finish;
            }
            if theirs.sort_finish > 0 {
                mine.sort_finish = theirs.sort_finish;
            }
            mine.failed_fetches.extend(theirs.failed_fetches);
        }
        self.last_progress = now;
    }

    /// The state after a failure or kill (Hadoop 1.2.1: TaskInProgress.setTaskFailState).
    pub(crate) fn end_state(&self, end: End) -> TaskState {
        let cleanable = self.task.is_map_or_reduce() && self.status.phase != Phase::Cleanup;
        match (self.status.state, end, cleanable) {
            (TaskState::FailedUnclean, _, _) | (_, End::Failed, false) => TaskState::Failed,
            (TaskState::KilledUnclean, _, _) | (_, End::Killed, false) => TaskState::Killed,
            (_, End::Failed, true) => TaskState::FailedUnclean,
            (_, End::Killed, true) => TaskState::KilledUnclean,
        }
    }

    /// The state after success: of the attempt, or of the cleanup after it.
    pub(crate) fn success_state(&self) -> TaskState {
        match self.status.state {
            TaskState::FailedUnclean if self.in_cleanup() => TaskState::Failed,
            TaskState::KilledUnclean if self.in_cleanup() => TaskState::Killed,
            _ => TaskState::Succeeded,
        }
    }
}

/// Whether a status is that of a task cleanup under way.
pub(crate) fn in_cleanup(status: &TaskStatus) -> bool {
    status.phase == Phase::Cleanup && status.state.is_unclean()
}

/// Whether a reported status is the last word on its attempt for the JobTracker.
pub(crate) fn is_final(status: &TaskStatus) -> bool {
    let open = matches!(status.state, TaskState::Running | TaskState::Unassigned | TaskState::CommitPending);
    !open && !in_cleanup(status)
}
