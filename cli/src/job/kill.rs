//! `job -kill ID`.

use wire::mapred::job_submission::KillJob;

use super::find;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Kills a job. Quirk: success is told of a job that had ended before, too.
pub(super) fn run(session: &Session, job: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let tracker = JobTracker::connect(session)?;
    let Some((status, _)) = find(&tracker, job, console)? else { return Ok(FAILED) };
    tracker.call(&KillJob { job: status.job })?;
    console.out(format_args!("Killed job {job}"));
    Ok(0)
}
