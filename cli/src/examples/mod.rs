//! `examples`: jobs of Hadoop's examples jar that run without a jar and without Java. Classes in the job are the jar's,
//! so that they mean what people know; only the native child can run them, since no jar goes along.

mod grep;
mod sleep;
mod sort;
mod wordcount;

use configuration::{Configuration, keys};
use types::JobState;

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::{self, LOGGER};
use crate::session::Session;
use crate::{Exit, FAILED, submission};

const PROGRAMS: [(&str, &str); 4] = [
    ("grep", "A map/reduce program that counts the matches of a regex in the input."),
    ("sleep", "A job that sleeps at each map and reduce task."),
    ("sort", "A map/reduce program that sorts the data written by the random writer."),
    ("wordcount", "A map/reduce program that counts the words in the input files."),
];

/// Runs an example. What it throws ends with 255, as in Hadoop's driver of examples.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let Some((name, args)) = args.split_first() else {
        console.out("An example program must be given as the first argument.");
        return Ok(list(console));
    };
    let result = match name.as_str() {
        "grep" => grep::run(args, console),
        "sleep" => sleep::run(args, console),
        "sort" => sort::run(args, console),
        "wordcount" => wordcount::run(args, console),
        other => {
            console.out(format_args!("Unknown program '{other}' chosen."));
            return Ok(list(console));
        }
    };
    Ok(result.unwrap_or_else(|error| {
        console.err(error.chain());
        FAILED
    }))
}

fn list(console: &mut Console<'_>) -> Exit {
    console.out("Valid program names are:");
    for (name, about) in PROGRAMS {
        console.out(format_args!("  {name}: {about}"));
    }
    FAILED
}

/// Submits a job and watches it to its end; its last state.
fn submit_and_watch(
    session: &Session,
    tracker: &JobTracker,
    conf: &mut Configuration,
    console: &mut Console<'_>,
) -> Result<JobState, CliError> {
    let profile = submission::submit(session, tracker, conf, console)?;
    let status = monitor::monitor(tracker, conf, &profile.job, console)?;
    if status.state != JobState::Succeeded {
        console.info(LOGGER, format_args!("Job Failed: {}", status.failure_info));
    }
    Ok(status.state)
}

/// Runs a job of the old interface; a job that does not succeed is an error (Hadoop 1.2.1: JobClient.runJob).
fn run_job(
    session: &Session,
    tracker: &JobTracker,
    conf: &mut Configuration,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    match submit_and_watch(session, tracker, conf, console)? {
        JobState::Succeeded => Ok(()),
        _ => Err(CliError::io("Job failed!")),
    }
}

/// A job's configuration with a name.
fn named_job(session: &Session, name: &str) -> Configuration {
    let mut conf = session.conf.clone();
    conf.set_key(&keys::MAPRED_JOB_NAME, name);
    submission::set_working_directory(session, &mut conf);
    conf
}
