//! Tasks and their attempts.

mod attempt;
mod attempt_state;
mod skip;
mod task_in_progress;
mod task_state;

pub(crate) use attempt::Attempt;
pub(crate) use attempt_state::{Refused, Step, step};
pub(crate) use task_in_progress::{Bucket, SplitPlaces, TaskInProgress, TaskSpec};
pub(crate) use task_state::{Outcome, TaskEvent};
