//! `job -set-priority ID PRIORITY`.

use wire::mapred::job_submission::SetJobPriority;

use super::find;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Sets a job's priority.
pub(super) fn run(session: &Session, job: &str, priority: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let tracker = JobTracker::connect(session)?;
    let Some((status, _)) = find(&tracker, job, console)? else { return Ok(FAILED) };
    tracker.call(&SetJobPriority { job: status.job, priority: priority.to_owned() })?;
    console.out("Changed job priority.");
    Ok(0)
}
