//! `job -status ID`: where a job stands, and its counters.

use types::{Counters, JobProfile, JobState, JobStatus};
use wire::mapred::job_submission::GetJobCounters;

use super::find;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Prints a job's state.
pub(super) fn run(session: &Session, job: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let tracker = JobTracker::connect(session)?;
    let Some((status, profile)) = find(&tracker, job, console)? else { return Ok(FAILED) };
    let counters = tracker.call(&GetJobCounters { job: status.job.clone() });
    console.out(format_args!("\n{}", describe(&status, &profile)));
    match counters {
        Ok(Some(counters)) => console.out(tree(&counters)),
        Ok(None) => console.out("Counters not available. Job is retired."),
        Err(error) => console.out(format_args!("Error fetching counters: {}", error.message())),
    }
    Ok(0)
}

fn describe(status: &JobStatus, profile: &JobProfile) -> String {
    let failure = match status.state {
        JobState::Failed => format!("Failure Info: {}", status.failure_info),
        _ => String::new(),
    };
    format!(
        "Job: {}\nfile: {}\ntracking URL: {}\nmap() completion: {}\nreduce() completion: {}\n{failure}",
        profile.job,
        profile.job_file,
        profile.url,
        java_float(status.map_progress),
        java_float(status.reduce_progress),
    )
}

/// The counters, a group or a counter a line (Hadoop 1.2.1: Counters.toString).
fn tree(counters: &Counters) -> String {
    let mut text = format!("Counters: {}", counters.len());
    for group in &counters.groups {
        text.push_str(&format!("\n\t{}", group.display));
        for counter in &group.counters {
            text.push_str(&format!("\n\t\t{}={}", counter.display, counter.value));
        }
    }
    text
}

/// A float between 0 and 1 as Java prints it.
fn java_float(value: f32) -> String {
    if value != 0.0 && value.abs() < 1e-3 {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{mantissa}{point}E{exponent}");
    }
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_in_java() {
        for (value, text) in [(1.0, "1.0"), (0.0, "0.0"), (0.08724085, "0.08724085"), (0.0001, "1.0E-4")] {
            assert_eq!(java_float(value), text);
        }
        assert_eq!(java_float(0.000_123_4), "1.234E-4");
    }
}
