//! One run of a task: what it reported, where it runs, and what its TaskTracker was told about it.

use types::{Monotonic, Phase, TaskState, TaskStatus};

use crate::effect::Locality;
use crate::trackers::TrackerKey;

/// One run of a task.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// The last report; `None` until the first.
    pub(crate) status: Option<TaskStatus>,
    /// Where it was started.
    pub(crate) tracker: TrackerKey,
    /// Where it is registered now, so that reports from there count and orders go there.
    pub(crate) entry: Option<TrackerKey>,
    /// Where its cleanup was started, if it needed one.
    pub(crate) cleanup: Option<TrackerKey>,
    /// Whether it, or its cleanup, runs.
    pub(crate) active: bool,
    /// Whether it is counted among its job's running attempts.
    pub(crate) counted: bool,
    /// When it is to be looked at for silence, less the silence that it is allowed.
    pub(crate) watched: Monotonic,
    /// When its tracker last told of it, once its child has it.
    pub(crate) last_reported: Option<Monotonic>,
    /// To be killed (false) or failed (true), by wish of a user.
    pub(crate) kill: Option<bool>,
    /// Its tracker runs it, but it counts no more.
    pub(crate) given_up: bool,
    /// Whether its TaskTracker was told to end it because its task has no more use for it.
    pub(crate) closed: bool,
    /// Whether its TaskTracker was told at all to end it.
    pub(crate) kill_told: bool,
    /// Whether its TaskTracker was told to let it commit.
    pub(crate) commit_told: bool,
    /// What went wrong, piece by piece.
    pub(crate) diagnostics: Vec<String>,
    /// How near its input it ran.
    pub(crate) locality: Locality,
    /// Whether another attempt of the task ran when it was started.
    pub(crate) speculative: bool,
    /// How many reduces could not fetch its output.
    pub(crate) fetch_failures: i32,
}

impl Attempt {
    pub(crate) fn new(tracker: TrackerKey, now: Monotonic) -> Self {
        Attempt {
            status: None,
            tracker,
            entry: Some(tracker),
            cleanup: None,
            active: true,
            counted: false,
            watched: now,
            last_reported: None,
            kill: None,
            given_up: false,
            closed: false,
            kill_told: false,
            commit_told: false,
            diagnostics: Vec::new(),
            locality: Locality::OffSwitch,
            speculative: false,
            fetch_failures: 0,
        }
    }

    /// Its state; `None` if nothing was reported yet.
    pub(crate) fn state(&self) -> Option<TaskState> {
        self.status.as_ref().map(|status| status.state)
    }

    pub(crate) fn is_state(&self, state: TaskState) -> bool {
        self.state() == Some(state)
    }

    /// Where it runs, or ran last.
    pub(crate) fn place(&self) -> TrackerKey {
        self.cleanup.unwrap_or(self.tracker)
    }

    /// Whether it waits for a cleanup attempt that is not started yet.
    pub(crate) fn waits_for_cleanup(&self) -> bool {
        !self.active && self.state().is_some_and(TaskState::is_unclean)
    }

    /// Whether its tracker is told to end it until it has.
    pub(crate) fn must_end(&self) -> bool {
        self.kill.is_some() || self.given_up
    }

    /// Whether a user may still kill it (Hadoop 1.2.1: TaskInProgress.killTask).
    pub(crate) fn can_be_killed(&self) -> bool {
        let Some(status) = &self.status else { return false };
        let runs = matches!(status.state, TaskState::Running | TaskState::CommitPending | TaskState::Unassigned);
        let in_cleanup = status.phase == Phase::Cleanup && status.state.is_unclean();
        (runs || in_cleanup) && self.kill.is_none()
    }
}
