//! The life of an attempt, as the JobTracker sees it through reports (Hadoop 1.2.1: TaskInProgress.updateStatus).
//!
//! ```text
//!  LAUNCHED ──> UNASSIGNED ──> RUNNING ──> COMMIT_PENDING ──> SUCCEEDED ──> FAILED, KILLED
//!      │             │            │               │          (a map whose output was lost)
//!      └─────────────┴────────────┴───────────────┴──> FAILED_UNCLEAN ──> FAILED
//!                                                  └─> KILLED_UNCLEAN ──> KILLED
//! ```
//! Steps may be left out, since a report tells only where the attempt is now; none is ever taken back.

use types::TaskState;

/// What a report does to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The same state again, with newer figures.
    Same,
    /// A new state.
    Changed,
    /// Nothing, for this reason.
    Refused(Refused),
}

/// Why a report changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Its end was reported before.
    Duplicate,
    /// A report that was overtaken by a later one.
    Late,
    /// The attempt was given up; what reports it now must end.
    GivenUp,
}

/// The step from a state (`None`: handed out, not reported yet) when a report tells `reported`.
pub(crate) fn step(current: Option<TaskState>, reported: TaskState) -> Step {
    use TaskState::{CommitPending, Failed, FailedUnclean, Killed, KilledUnclean, Running, Succeeded, Unassigned};
    let Some(current) = current else { return Step::Changed };
    match (current, reported) {
        (Succeeded, Succeeded) | (Failed, Failed) | (Killed, Killed) => Step::Refused(Refused::Duplicate),
        // Hadoop lets one that still runs go on, unseen; here it is told to end.
        (Failed | Killed, _) => Step::Refused(Refused::GivenUp),
        (Succeeded, Failed | Killed) => Step::Changed,
        // Hadoop takes what follows; no honest TaskTracker sends it.
        (Succeeded, _) => Step::Refused(Refused::Late),
        (FailedUnclean | KilledUnclean | CommitPending, Running | Unassigned) => Step::Refused(Refused::Late),
        (FailedUnclean | KilledUnclean, Succeeded) => Step::Refused(Refused::Late),
        // It runs the attempt, not the cleanup that it was given.
        (FailedUnclean | KilledUnclean, CommitPending) => Step::Refused(Refused::GivenUp),
        (FailedUnclean, KilledUnclean) | (KilledUnclean, FailedUnclean) => Step::Refused(Refused::Late),
        (current, reported) if current == reported => Step::Same,
        _ => Step::Changed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One row per state, one letter per report in the order of `TaskState::ALL`: `=` same, `+` changed, `d` duplicate,
    /// `l` late, `g` given up.
    const TABLE: &[(Option<TaskState>, &str)] = &[
        //                                  RSFUKCfk   (f FAILED_UNCLEAN, k KILLED_UNCLEAN)
        (None, "++++++++"),
        (Some(TaskState::Running), "=+++++++"),
        (Some(TaskState::Succeeded), "ld+l+lll"),
        (Some(TaskState::Failed), "ggdggggg"),
        (Some(TaskState::Unassigned), "+++=++++"),
        (Some(TaskState::Killed), "ggggdggg"),
        (Some(TaskState::CommitPending), "l++l+=++"),
        (Some(TaskState::FailedUnclean), "ll+l+g=l"),
        (Some(TaskState::KilledUnclean), "ll+l+gl="),
    ];

    #[test]
    fn every_pair_of_state_and_report() {
        assert_eq!(TABLE.len(), TaskState::ALL.len() + 1);
        for (current, row) in TABLE {
            for (reported, letter) in TaskState::ALL.iter().zip(row.chars()) {
                let expected = match letter {
                    '=' => Step::Same,
                    '+' => Step::Changed,
                    'd' => Step::Refused(Refused::Duplicate),
                    'l' => Step::Refused(Refused::Late),
                    _ => Step::Refused(Refused::GivenUp),
                };
                assert_eq!(step(*current, *reported), expected, "{current:?} told {reported:?}");
            }
        }
    }
}
