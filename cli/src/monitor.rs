//! Watches a job to its end and prints what happens (Hadoop 1.2.1: JobClient.monitorAndPrintJob). The first questions
//! follow each other fast, so that a short job is seen to end at once; those of a long job come once a second, as
//! Hadoop's do.

use std::time::{Duration, Instant};

use configuration::{Configuration, keys};
use types::{CompletionStatus, Counters, JobId, JobStatus, TaskCompletionEvent};
use wire::mapred::job_submission::{GetJobCounters, GetJobStatus, GetTaskCompletionEvents, GetTaskDiagnostics};

use crate::console::Console;
use crate::error::CliError;
use crate::http;
use crate::job_tracker::JobTracker;

/// The name under which Hadoop's client logs.
pub(crate) const LOGGER: &str = "mapred.JobClient";

const POLL_MIN: Duration = Duration::from_millis(10);
const POLL_MAX: Duration = Duration::from_secs(1);
/// A job's end is noticed within this part of the time that it took.
const POLL_SHARE: u32 = 20;
/// Events that are asked for at a time, as Hadoop's client asks.
const EVENTS_MAX: i32 = 10;

/// Which attempts' ends and logs are shown: `jobclient.output.filter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    None,
    Killed,
    Failed,
    Succeeded,
    All,
}

impl Filter {
    fn of_configuration(conf: &Configuration) -> Result<Filter, CliError> {
        let word = conf.get(&keys::JOBCLIENT_OUTPUT_FILTER)?;
        match word.as_str() {
            "NONE" => Ok(Filter::None),
            "KILLED" => Ok(Filter::Killed),
            "FAILED" => Ok(Filter::Failed),
            "SUCCEEDED" => Ok(Filter::Succeeded),
            "ALL" => Ok(Filter::All),
            _ => {
                let expected = "NONE, KILLED, FAILED, SUCCEEDED or ALL";
                Err(conf.refuse(&keys::JOBCLIENT_OUTPUT_FILTER, expected).into())
            }
        }
    }

    fn shows(self, status: CompletionStatus) -> bool {
        match self {
            Filter::None => false,
            Filter::Killed => status == CompletionStatus::Killed,
            Filter::Failed => status == CompletionStatus::Failed,
            Filter::Succeeded => status == CompletionStatus::Succeeded,
            Filter::All => true,
        }
    }
}

/// Waits between two looks at a job.
pub(crate) struct Pace {
    start: Instant,
}

impl Pace {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Pace { start: Instant::now() }
    }

    /// Waits until the next look is due.
    pub(crate) fn wait(&self) {
        std::thread::sleep((self.start.elapsed() / POLL_SHARE).clamp(POLL_MIN, POLL_MAX));
    }
}

/// Watches a job and prints its progress, its failed attempts and its counters; its last state.
pub(crate) fn monitor(
    tracker: &JobTracker,
    conf: &Configuration,
    job: &JobId,
    console: &mut Console<'_>,
) -> Result<JobStatus, CliError> {
    let filter = Filter::of_configuration(conf)?;
    console.info(LOGGER, format_args!("Running job: {job}"));
    let pace = Pace::start();
    let mut last_report = None;
    let mut events_seen = 0;
    let status = loop {
        let status = status_of(tracker, job)?;
        let report = format!(" map {} reduce {}", percent(status.map_progress), percent(status.reduce_progress));
        // Quirk: an aborted job's progress is set to the end; Hadoop's client, which looks once a second, seldom shows it.
        let aborted = status.state.is_complete() && status.state != types::JobState::Succeeded;
        if !aborted && last_report.as_ref() != Some(&report) {
            console.info(LOGGER, &report);
            last_report = Some(report);
        }
        events_seen += show_events(tracker, job, events_seen, filter, console)?;
        if status.state.is_complete() {
            break status;
        }
        pace.wait();
    };
    console.info(LOGGER, format_args!("Job complete: {job}"));
    match tracker.ask(&GetJobCounters { job: job.clone() }) {
        Ok(Some(counters)) => log_counters(&counters, console),
        Ok(None) => (),
        Err(error) => console.info(LOGGER, error.message()),
    }
    Ok(status)
}

/// The state of a job, which must be known.
pub(crate) fn status_of(tracker: &JobTracker, job: &JobId) -> Result<JobStatus, CliError> {
    let status = tracker.ask(&GetJobStatus { job: job.clone() })?;
    status.ok_or_else(|| CliError::io(format!("The job {job} is unknown to the JobTracker at {}", tracker.address())))
}

/// Whole percent, cut (Hadoop 1.2.1: StringUtils.formatPercent).
fn percent(progress: f32) -> String {
    format!("{}%", (f64::from(progress) * 100.0).floor())
}

fn show_events(
    tracker: &JobTracker,
    job: &JobId,
    from: i32,
    filter: Filter,
    console: &mut Console<'_>,
) -> Result<i32, CliError> {
    let mut seen = 0;
    loop {
        let ask = GetTaskCompletionEvents { job: job.clone(), from: from + seen, max: EVENTS_MAX };
        let events = tracker.ask(&ask)?;
        seen += events.len() as i32;
        for event in events.iter().filter(|event| filter.shows(event.status)) {
            show_event(tracker, event, filter, console)?;
        }
        if (events.len() as i32) < EVENTS_MAX {
            return Ok(seen);
        }
    }
}

fn show_event(
    tracker: &JobTracker,
    event: &TaskCompletionEvent,
    filter: Filter,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    console.info(LOGGER, format_args!("Task Id : {}, Status : {}", event.attempt, event.status.name()));
    if filter == Filter::Failed {
        for line in tracker.ask(&GetTaskDiagnostics { attempt: event.attempt.clone() })?.iter().flatten() {
            console.err(line);
        }
    }
    if filter != Filter::Killed {
        show_logs(event, console);
    }
    Ok(())
}

/// Prints what an attempt wrote, each line with the attempt's id before it.
fn show_logs(event: &TaskCompletionEvent, console: &mut Console<'_>) {
    let Some(tracker) = &event.tracker_http else { return };
    for (name, to_stdout) in [("stdout", true), ("stderr", false)] {
        match http::get(&format!("{}&filter={name}", log_url(tracker, event))) {
            Ok(body) => {
                for line in String::from_utf8_lossy(&body).lines().filter(|line| !line.is_empty()) {
                    let line = format!("{}: {line}", event.attempt);
                    if to_stdout { console.out(line) } else { console.err(line) }
                }
            }
            Err(error) => console.warn(LOGGER, format_args!("Error reading task output{error}")),
        }
    }
}

/// Where an attempt's logs are (Hadoop 1.2.1: JobClient.getTaskLogURL).
pub(crate) fn log_url(tracker: &str, event: &TaskCompletionEvent) -> String {
    format!("{tracker}/tasklog?plaintext=true&attemptid={}", event.attempt)
}

/// Logs counters (Hadoop 1.2.1: Counters.log).
fn log_counters(counters: &Counters, console: &mut Console<'_>) {
    console.info(LOGGER, format_args!("Counters: {}", counters.len()));
    for group in &counters.groups {
        console.info(LOGGER, format_args!("  {}", group.display));
        for counter in &group.counters {
            console.info(LOGGER, format_args!("    {}={}", counter.display, counter.value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_cut_not_rounded() {
        for (progress, text) in [(0.0, "0%"), (0.335, "33%"), (2.0 / 3.0, "66%"), (0.9999, "99%"), (1.0, "100%")] {
            assert_eq!(percent(progress), text);
        }
    }
}
