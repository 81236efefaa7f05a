//! The life of one child process, as a table, and the pool of children of one kind of slot with 1.2.1's rules of reuse
//! (Hadoop 1.2.1: JvmManager.JvmManagerForType).
//!
//! ```text
//!             Assign            Ran, more to come
//!   (spawn) ─> Busy <────────────────────────────> Idle
//!               │ Ran, the last one                 │
//!               v                                   │ Dismiss
//!            Exhausted ── Dismiss ──> Leaving <─────┘
//!               │                        │
//!   Kill from any living state ──> Dying │  Exit from any state ──> (gone)
//! ```
//! `Busy`, `Idle` and `Exhausted` count in the pool; `Leaving` (told to end) and `Dying` (signalled) do not.

use std::collections::BTreeMap;

use types::{JobId, JvmId, Monotonic, TaskAttemptId, TaskKind};

use crate::effect::ChildKind;

/// Where a child stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildState {
    /// Has an attempt, perhaps without having asked for it yet.
    Busy,
    /// Waits for another attempt of its job.
    Idle,
    /// Has run as many attempts as it may, and ends by itself.
    Exhausted,
    /// Is told to end, and killed if it does not.
    Leaving,
    /// Has been signalled, or will be as soon as its process id is known.
    Dying,
}

/// What happens to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildEvent {
    /// It gets another attempt.
    Assign,
    /// Its attempt is done, and it may run more.
    Ran,
    /// Its attempt is done, and it was the last one allowed.
    RanAll,
    /// Its place in the pool is needed, or its job is gone.
    Dismiss,
    /// Its attempt is to end now.
    Kill,
}

/// An event that does not fit the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a child that is {state:?} cannot take {event:?}")]
pub struct Refused {
    /// Where the child stands.
    pub state: ChildState,
    /// What was to happen.
    pub event: ChildEvent,
}

impl ChildState {
    /// The state after an event.
    pub fn after(self, event: ChildEvent) -> Result<ChildState, Refused> {
        use ChildEvent as E;
        use ChildState as S;
        match (self, event) {
            (S::Idle, E::Assign) => Ok(S::Busy),
            (S::Busy, E::Ran) => Ok(S::Idle),
            (S::Busy, E::RanAll) => Ok(S::Exhausted),
            (S::Idle | S::Exhausted | S::Leaving, E::Dismiss) => Ok(S::Leaving),
            (S::Dying, E::Dismiss) => Ok(S::Dying),
            (S::Busy | S::Idle | S::Exhausted | S::Leaving | S::Dying, E::Kill) => Ok(S::Dying),
            (state, event) => Err(Refused { state, event }),
        }
    }

    /// Whether a child in this state takes a place in the pool.
    pub fn in_pool(self) -> bool {
        matches!(self, ChildState::Busy | ChildState::Idle | ChildState::Exhausted)
    }
}

/// The number of a registration of an attempt; an attempt and its task cleanup have the same id but not this.
pub(crate) type RunId = u64;

/// One child process.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) kind: ChildKind,
    pub(crate) user: String,
    pub(crate) state: ChildState,
    /// The attempt it has while `Busy`, and after a kill until it has exited.
    pub(crate) run: Option<RunId>,
    /// Whether the attempt's directories are there, so that it can be handed out.
    pub(crate) prepared: bool,
    pub(crate) pid: Option<i32>,
    pub(crate) ran: u32,
    /// How many attempts it may run; nothing for no limit.
    pub(crate) ran_max: Option<u32>,
    /// SIGKILL, or the first signal to a child that was only told to end, is due then.
    pub(crate) signal_at: Option<Monotonic>,
    pub(crate) first: (TaskAttemptId, bool),
    pub(crate) attempts: Vec<(TaskAttemptId, bool)>,
}

impl Child {
    /// Applies an event that this child's owner knows to fit.
    pub(crate) fn apply(&mut self, event: ChildEvent) {
        match self.state.after(event) {
            Ok(state) => self.state = state,
            Err(refused) => panic!("{refused}"),
        }
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.state == ChildState::Busy
    }

    /// Its attempt succeeded.
    pub(crate) fn attempt_ended(&mut self) {
        self.ran += 1;
        self.run = None;
        let all = self.ran_max.is_some_and(|max| self.ran >= max);
        self.apply(if all { ChildEvent::RanAll } else { ChildEvent::Ran });
    }
}

/// What to do for an attempt that needs a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reap {
    /// There is room: start one.
    Spawn,
    /// An idle child of the job takes it.
    Reuse(JvmId),
    /// Dismiss that child, then start one.
    Replace(JvmId),
    /// All children are busy, which the slots should have prevented.
    Inconsistent,
}

/// Chooses a child for an attempt of `job` (Hadoop 1.2.1: JvmManagerForType.reapJvm): reuse happens only when the pool
/// is full; a child of the other program counts as one of another job.
pub(crate) fn reap(
    children: &BTreeMap<JvmId, Child>,
    slot: TaskKind,
    children_max: usize,
    job: &JobId,
    kind: ChildKind,
) -> Reap {
    let pool: Vec<_> = children.iter().filter(|(jvm, child)| jvm.kind == slot && child.state.in_pool()).collect();
    if pool.len() < children_max {
        return Reap::Spawn;
    }
    let same = |jvm: &JvmId, child: &Child| jvm.job == *job && child.kind == kind;
    if let Some((jvm, _)) = pool.iter().find(|(jvm, child)| same(jvm, child) && child.state == ChildState::Idle) {
        return Reap::Reuse((*jvm).clone());
    }
    let victim = |wanted| pool.iter().find(|(_, child)| child.state == wanted).map(|(jvm, _)| (*jvm).clone());
    // An exhausted one ends anyway, so it goes first.
    match victim(ChildState::Exhausted).or_else(|| victim(ChildState::Idle)) {
        Some(jvm) => Reap::Replace(jvm),
        None => Reap::Inconsistent,
    }
}
