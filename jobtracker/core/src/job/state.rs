//! The life of a job (Hadoop 1.2.1: JobInProgress.changeStateTo).
//!
//! ```text
//!            set up            cleaned up, all done
//!   PREP ─────────────> RUNNING ─────────────> SUCCEEDED
//!    │                     │
//!    ├──> FAILED  <────────┤   cleaned up after a failure; at once if never initialised
//!    └──> KILLED  <────────┘   cleaned up after a kill; at once if never initialised
//! ```
//! A job that is being killed or failed stays where it is until its cleanup is done.

use types::JobState;

/// What may happen to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobEvent {
    /// Its setup attempt succeeded.
    SetUp,
    /// Its cleanup committed the job.
    Succeed,
    /// It is over and failed.
    Fail,
    /// It is over and was killed.
    Kill,
}

/// The next state, or `None` where the event means nothing.
pub(crate) fn next(state: JobState, event: JobEvent) -> Option<JobState> {
    match (state, event) {
        (JobState::Prep, JobEvent::SetUp) => Some(JobState::Running),
        (JobState::Running, JobEvent::Succeed) => Some(JobState::Succeeded),
        (JobState::Prep | JobState::Running, JobEvent::Fail) => Some(JobState::Failed),
        (JobState::Prep | JobState::Running, JobEvent::Kill) => Some(JobState::Killed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_state_and_event() {
        use JobEvent::{Fail, Kill, SetUp, Succeed};
        use JobState::{Failed, Killed, Prep, Running, Succeeded};
        let events = [SetUp, Succeed, Fail, Kill];
        let table = [
            (Prep, [Some(Running), None, Some(Failed), Some(Killed)]),
            (Running, [None, Some(Succeeded), Some(Failed), Some(Killed)]),
            (Succeeded, [None; 4]),
            (Failed, [None; 4]),
            (Killed, [None; 4]),
        ];
        for (state, row) in table {
            for (event, expected) in events.into_iter().zip(row) {
                assert_eq!(next(state, event), expected, "{state:?} told {event:?}");
            }
        }
    }
}
