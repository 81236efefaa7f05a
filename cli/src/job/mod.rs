//! `job`: asks about jobs and acts on them, a file per option (Hadoop 1.2.1: JobClient.run).

mod attempt_ids;
mod counter;
mod events;
mod explain;
mod history;
mod kill;
mod kill_task;
mod list;
mod priority;
mod status;
mod submit;
mod usage;

use std::str::FromStr;

use types::{ExceptionKind, JobId, JobProfile, JobStatus};
use wire::mapred::job_submission::{GetJobProfile, GetJobStatus};

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

const ILLEGAL_ARGUMENT: &str = "java.lang.IllegalArgumentException";

/// Runs the command. What the JobTracker does not allow is told on standard output, as 1.2.1 does.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match dispatch(&session, &args, console) {
        Err(CliError::Remote(error)) if error.kind == ExceptionKind::AccessControl => {
            console.out(format_args!("{}: {}", wire::exceptions::class_of(&error.kind), error.message));
            Ok(FAILED)
        }
        result => result,
    }
}

fn dispatch(session: &Session, args: &[&str], console: &mut Console<'_>) -> Result<Exit, CliError> {
    match *args {
        ["-submit", file] => submit::run(session, file, console),
        ["-status", job] => status::run(session, job, console),
        ["-counter", job, group, name] => counter::run(session, job, group, name, console),
        ["-kill", job] => kill::run(session, job, console),
        ["-set-priority", job, priority] if usage::PRIORITIES.contains(&priority) => {
            priority::run(session, job, priority, console)
        }
        ["-events", job, from, count] => events::run(session, job, from, count, console),
        ["-explain", id] => explain::run(session, id, console),
        ["-list"] => list::running(session, console),
        ["-list", "all"] => list::all(session, console),
        ["-list-active-trackers"] => list::trackers(session, false, console),
        ["-list-blacklisted-trackers"] => list::trackers(session, true, console),
        ["-list-attempt-ids", job, kind, state] => attempt_ids::run(session, job, kind, state, console),
        ["-kill-task", attempt] => kill_task::run(session, attempt, false, console),
        ["-fail-task", attempt] => kill_task::run(session, attempt, true, console),
        ["-history", dir] => history::run(session, dir, false, console),
        ["-history", "all", dir] => history::run(session, dir, true, console),
        _ => Ok(usage::print(args.first().copied().unwrap_or_default(), console)),
    }
}

/// Reads an id, or fails as Java's `forName` does.
fn parse_id<T: FromStr>(text: &str, kind: &str) -> Result<T, CliError> {
    text.parse().map_err(|_| CliError::java(ILLEGAL_ARGUMENT, format!("{kind} string : {text} is not properly formed")))
}

/// A job that the JobTracker knows; otherwise that is said, and there is nothing.
fn find(
    tracker: &JobTracker,
    text: &str,
    console: &mut Console<'_>,
) -> Result<Option<(JobStatus, JobProfile)>, CliError> {
    let job: JobId = parse_id(text, "JobId")?;
    let status = tracker.call(&GetJobStatus { job: job.clone() })?;
    let profile = tracker.call(&GetJobProfile { job })?;
    let found = status.zip(profile);
    if found.is_none() {
        console.out(format_args!("Could not find job {text}"));
    }
    Ok(found)
}
