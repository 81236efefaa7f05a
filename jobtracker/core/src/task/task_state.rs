//! The life of a task (Hadoop 1.2.1: TaskInProgress.isComplete, isFailed, kill).
//!
//! ```text
//!          an attempt succeeds
//!   OPEN ──────────────────────> COMPLETE { winner }
//!    │  <──────────────────────
//!    │     a map's output is lost
//!    └──> KILLED   out of attempts, or the job ends
//! ```
//! Whether attempts run is no state of the task: a complete or killed task may still have some that are yet to end.

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Still to be done, whether or not an attempt runs.
    Open,
    /// Done.
    Complete {
        /// The attempt that did it.
        winner: i32,
    },
    /// Never to be done.
    Killed,
}

/// What may happen to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskEvent {
    /// That attempt succeeded.
    Succeeded(i32),
    /// The output of that attempt is gone.
    OutputLost(i32),
    /// Out of attempts, or the job ends.
    Kill,
}

impl Outcome {
    /// The next state, or `None` where the event means nothing.
    pub(crate) fn next(self, event: TaskEvent) -> Option<Outcome> {
        match (self, event) {
            (Outcome::Open, TaskEvent::Succeeded(winner)) => Some(Outcome::Complete { winner }),
            (Outcome::Complete { winner }, TaskEvent::OutputLost(attempt)) if winner == attempt => Some(Outcome::Open),
            (Outcome::Open, TaskEvent::Kill) => Some(Outcome::Killed),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_state_and_event() {
        use Outcome::{Complete, Killed, Open};
        use TaskEvent::{Kill, OutputLost, Succeeded};
        let table = [
            (Open, Succeeded(1), Some(Complete { winner: 1 })),
            (Open, OutputLost(1), None),
            (Open, Kill, Some(Killed)),
            (Complete { winner: 1 }, Succeeded(2), None),
            (Complete { winner: 1 }, OutputLost(1), Some(Open)),
            (Complete { winner: 1 }, OutputLost(2), None),
            (Complete { winner: 1 }, Kill, None),
            (Killed, Succeeded(1), None),
            (Killed, OutputLost(1), None),
            (Killed, Kill, None),
        ];
        for (state, event, next) in table {
            assert_eq!(state.next(event), next, "{state:?} told {event:?}");
        }
    }
}
