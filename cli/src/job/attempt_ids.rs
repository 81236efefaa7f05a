//! `job -list-attempt-ids ID TYPE STATE`: attempts of a job's tasks of one kind and state.

use types::{JobId, TaskReport, TipStatus};
use wire::mapred::job_submission::{
    GetCleanupTaskReports, GetMapTaskReports, GetReduceTaskReports, GetSetupTaskReports,
};

use super::parse_id;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Prints ids of attempts; a type or state that is not known prints none.
///
/// Quirk: the exit code is 255 in any case (Hadoop 1.2.1: JobClient.run never sets it).
pub(super) fn run(
    session: &Session,
    job: &str,
    kind: &str,
    state: &str,
    console: &mut Console<'_>,
) -> Result<Exit, CliError> {
    let job: JobId = parse_id(job, "JobId")?;
    let tracker = JobTracker::connect(session)?;
    let reports = match kind {
        "map" => tracker.call(&GetMapTaskReports { job })?,
        "reduce" => tracker.call(&GetReduceTaskReports { job })?,
        "setup" => tracker.call(&GetSetupTaskReports { job })?,
        "cleanup" => tracker.call(&GetCleanupTaskReports { job })?,
        _ => Vec::new(),
    };
    for report in reports.iter().filter(|report| state_name(report.status) == state) {
        print(report, console);
    }
    Ok(FAILED)
}

fn state_name(status: TipStatus) -> &'static str {
    match status {
        TipStatus::Pending => "pending",
        TipStatus::Running => "running",
        TipStatus::Complete => "completed",
        TipStatus::Failed => "failed",
        TipStatus::Killed => "killed",
    }
}

/// Only tasks that run or are complete name attempts.
fn print(report: &TaskReport, console: &mut Console<'_>) {
    for attempt in report.running.iter().chain(&report.successful) {
        console.out(attempt);
    }
}
