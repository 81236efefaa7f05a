//! `job -kill-task ATTEMPT` and `job -fail-task ATTEMPT`.

use types::TaskAttemptId;
use wire::mapred::job_submission::KillTask;

use super::parse_id;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Ends an attempt; `should_fail` counts it as a failure.
pub(super) fn run(
    session: &Session,
    attempt: &str,
    should_fail: bool,
    console: &mut Console<'_>,
) -> Result<Exit, CliError> {
    let id: TaskAttemptId = parse_id(attempt, "TaskAttemptId")?;
    let ended = JobTracker::connect(session)?.call(&KillTask { attempt: id, should_fail })?;
    match (ended, should_fail) {
        (true, false) => console.out(format_args!("Killed task {attempt}")),
        (true, true) => console.out(format_args!("Killed task {attempt} by failing it")),
        (false, false) => console.out(format_args!("Could not kill task {attempt}")),
        (false, true) => console.out(format_args!("Could not fail task {attempt}")),
    }
    Ok(if ended { 0 } else { FAILED })
}
