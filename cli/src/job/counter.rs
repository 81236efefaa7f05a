//! `job -counter ID GROUP NAME`: one number.

use wire::mapred::job_submission::GetJobCounters;

use super::find;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Prints a counter by group and name, not by what people see; one that does not exist is 0.
pub(super) fn run(
    session: &Session,
    job: &str,
    group: &str,
    name: &str,
    console: &mut Console<'_>,
) -> Result<Exit, CliError> {
    let tracker = JobTracker::connect(session)?;
    let Some((status, _)) = find(&tracker, job, console)? else { return Ok(FAILED) };
    match tracker.call(&GetJobCounters { job: status.job }) {
        Ok(Some(counters)) => {
            console.out(counters.get(group, name).unwrap_or(0));
            return Ok(0);
        }
        Ok(None) => console.out(format_args!("Counters not available for retired job {job}")),
        Err(error) => console.out(format_args!("Error fetching counters: {}", error.message())),
    }
    Ok(FAILED)
}
