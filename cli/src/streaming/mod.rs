//! `streaming`: jobs whose mapper and reducer are commands (Hadoop 1.2.1: streaming.StreamJob). Files of `-file` go
//! through the distributed cache, since there is no jar to put them into; a task finds them in its directory all the
//! same.

mod conf;
mod options;
mod usage;

use configuration::keys;
use types::{JobProfile, JobState};
use wire::mapred::job_submission::KillJob;

use self::options::{Options, Problem};
use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::{Pace, status_of};
use crate::session::Session;
use crate::submission;

/// The name under which Hadoop's streaming client logs.
const LOGGER: &str = "streaming.StreamJob";

/// Runs the command. Every failure ends with one line more, as 1.2.1's client ends.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    if args.is_empty() {
        console.err("No Arguments Given!");
        return Ok(1);
    }
    let exit = match Session::open(args) {
        Ok((session, rest)) => run_with(session, rest, console)?,
        Err(error) => {
            console.error(LOGGER, error.chain());
            1
        }
    };
    if exit != 0 {
        console.err("Streaming Command Failed!");
    }
    Ok(exit)
}

fn run_with(mut session: Session, args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let options = match Options::parse(args) {
        Ok(options) => options,
        Err(Problem::Arguments(problem)) => {
            console.error(LOGGER, problem);
            usage::print(args.first().is_some_and(|first| first == "-info"), console);
            return Ok(1);
        }
        Err(Problem::File(problem)) => {
            console.err(problem);
            return Ok(1);
        }
    };
    for name in &options.deprecated {
        console.warn(LOGGER, name);
    }
    match conf::build(&mut session, &options) {
        Ok(mut conf) => Ok(submit_and_watch(&session, &options, &mut conf, console)),
        Err(error) => {
            console.err(error.message());
            Ok(1)
        }
    }
}

fn submit_and_watch(
    session: &Session,
    options: &Options,
    conf: &mut configuration::Configuration,
    console: &mut Console<'_>,
) -> Exit {
    let tracker = match JobTracker::connect(session) {
        Ok(tracker) => tracker,
        Err(error) => return launch_failed(&error, console),
    };
    let profile = match submission::submit(session, &tracker, conf, console) {
        Ok(profile) => profile,
        Err(error) => return launch_failed(&error, console),
    };
    match watch(session, &tracker, &profile, options, console) {
        Ok(JobState::Succeeded) => return 0,
        Ok(_) => (),
        Err(error) => console.error(LOGGER, format_args!("Error Launching job : {}", error.message())),
    }
    console.info(LOGGER, "killJob...");
    if let Err(error) = tracker.call(&KillJob { job: profile.job }) {
        console.warn(LOGGER, error.message());
        return 5;
    }
    1
}

/// Says why there is no job; the exit code tells which kind of reason it is.
fn launch_failed(error: &CliError, console: &mut Console<'_>) -> Exit {
    let message = error.message();
    match error.class().and_then(|class| class.rsplit('.').next()) {
        Some("FileNotFoundException") => {
            console.error(LOGGER, format_args!("Error launching job , bad input path : {message}"));
            2
        }
        Some("InvalidJobConfException") => {
            console.error(LOGGER, format_args!("Error launching job , Invalid job conf : {message}"));
            3
        }
        Some("FileAlreadyExistsException") => {
            console.error(LOGGER, format_args!("Error launching job , Output path already exists : {message}"));
            4
        }
        _ => {
            console.error(LOGGER, format_args!("Error Launching job : {message}"));
            5
        }
    }
}

fn watch(
    session: &Session,
    tracker: &JobTracker,
    profile: &JobProfile,
    options: &Options,
    console: &mut Console<'_>,
) -> Result<JobState, CliError> {
    let job = &profile.job;
    let dirs = session.conf.get(&keys::MAPRED_LOCAL_DIR)?;
    console.info(LOGGER, format_args!("getLocalDirs(): [{}]", dirs.join(", ")));
    console.info(LOGGER, format_args!("Running job: {job}"));
    tell_how_to_kill(tracker, profile, console);
    let pace = Pace::start();
    let mut last_report = None;
    loop {
        let status = status_of(tracker, job)?;
        let [map, reduce] = [status.map_progress, status.reduce_progress].map(|progress| (progress * 100.0).round());
        let report = format!(" map {map}%  reduce {reduce}%");
        if last_report.as_ref() != Some(&report) {
            console.info(LOGGER, &report);
            last_report = Some(report);
        }
        match status.state {
            JobState::Succeeded => {
                console.info(LOGGER, format_args!("Job complete: {job}"));
                console.info(LOGGER, format_args!("Output: {}", options.output));
                return Ok(status.state);
            }
            JobState::Failed | JobState::Killed => {
                tell_how_to_kill(tracker, profile, console);
                console.error(LOGGER, format_args!("Job not successful. Error: {}", status.failure_info));
                return Ok(status.state);
            }
            JobState::Running | JobState::Prep => pace.wait(),
        }
    }
}

fn tell_how_to_kill(tracker: &JobTracker, profile: &JobProfile, console: &mut Console<'_>) {
    let home = std::env::var("HADOOP_HOME").or_else(|_| std::env::var("HOWDAH_HOME"));
    let home = home.unwrap_or_else(|_| "UNDEF".to_owned());
    let (key, address) = (keys::MAPRED_JOB_TRACKER.name(), tracker.address());
    console.info(LOGGER, "To kill this job, run:");
    console.info(LOGGER, format_args!("{home}/bin/hadoop job  -D{key}={address} -kill {}", profile.job));
    console.info(LOGGER, format_args!("Tracking URL: {}", profile.url));
}
