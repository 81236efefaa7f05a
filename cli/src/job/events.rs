//! `job -events ID FROM COUNT`: completion events.

use types::JobId;
use wire::mapred::job_submission::GetTaskCompletionEvents;

use super::parse_id;
use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::log_url;
use crate::session::Session;

const NUMBER_FORMAT: &str = "java.lang.NumberFormatException";

/// Prints events. Quirk: a job that nobody knows has none.
pub(super) fn run(
    session: &Session,
    job: &str,
    from: &str,
    count: &str,
    console: &mut Console<'_>,
) -> Result<Exit, CliError> {
    let (from, max) = (number(from)?, number(count)?);
    let job: JobId = parse_id(job, "JobId")?;
    let events = JobTracker::connect(session)?.call(&GetTaskCompletionEvents { job: job.clone(), from, max })?;
    console.out(format_args!("Task completion events for {job}"));
    console.out(format_args!("Number of events (from {from}) are: {}", events.len()));
    for event in &events {
        let tracker = event.tracker_http.as_deref().unwrap_or("null");
        console.out(format_args!("{} {} {}", event.status.name(), event.attempt, log_url(tracker, event)));
    }
    Ok(0)
}

fn number(text: &str) -> Result<i32, CliError> {
    text.parse().map_err(|_| CliError::java(NUMBER_FORMAT, format!("For input string: \"{text}\"")))
}
