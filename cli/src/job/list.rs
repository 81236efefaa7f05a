//! `job -list [all]`, `-list-active-trackers`, `-list-blacklisted-trackers`.

use wire::mapred::job_submission::{GetAllJobs, GetClusterStatus, JobsToComplete};

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::{JobTracker, is_local};
use crate::session::Session;
use crate::{Exit, job_list};

/// Prints the jobs that have not ended. Where there is no JobTracker there are none.
pub(super) fn running(session: &Session, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let jobs = if is_local(session)? { Vec::new() } else { JobTracker::connect(session)?.call(&JobsToComplete {})? };
    console.out(format_args!("{} jobs currently running", jobs.len()));
    job_list::print(&jobs, console);
    Ok(0)
}

/// Prints all jobs.
pub(super) fn all(session: &Session, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let jobs = if is_local(session)? { Vec::new() } else { JobTracker::connect(session)?.call(&GetAllJobs {})? };
    console.out(format_args!("{} jobs submitted", jobs.len()));
    console.out("States are:\n\tRunning : 1\tSucceded : 2\tFailed : 3\tPrep : 4");
    job_list::print(&jobs, console);
    Ok(0)
}

/// Prints the names of the active or of the blacklisted trackers.
pub(super) fn trackers(session: &Session, blacklisted: bool, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let status = JobTracker::connect(session)?.call(&GetClusterStatus { detailed: true })?;
    for name in if blacklisted { status.blacklisted } else { status.active } {
        console.out(name);
    }
    Ok(0)
}
