//! The report of `hadoop job -history` (Hadoop 1.2.1: HistoryViewer). Scripts read it, so every blank is 1.2.1's; only the
//! job's name and what comes from it are right here, where 1.2.1 cuts the file's name at the wrong places.

use std::fmt::{self, Write};

use chrono::NaiveDateTime;
use types::Counters;
use wire::history::{Key, counters_from_text};

use crate::analysis::{Analysis, Part};
use crate::summary::{bad_nodes, summary};
use crate::times::{Zone, time_difference, time_with_difference};
use crate::{AttemptHistory, JobHistory};

/// The kinds of tasks, in the order of the report.
const KINDS: [&str; 4] = ["SETUP", "MAP", "REDUCE", "CLEANUP"];
/// So many of the slowest tasks are listed.
const SLOWEST_SHOWN: usize = 10;
const RULE: &str = "=====================================";
const LIST_RULE: &str = "====================================================";

/// The whole report; with `all` also the tasks that succeeded and all attempts.
pub fn report(job: &JobHistory, all: bool, zone: Zone) -> String {
    let mut out = String::new();
    // A string takes everything.
    let _ = write_report(&mut out, job, all, zone);
    out
}

fn write_report(out: &mut String, job: &JobHistory, all: bool, zone: Zone) -> fmt::Result {
    write_details(out, job, zone)?;
    write_summary(out, job, zone)?;
    write_analysis(out, job, zone)?;
    for kind in KINDS {
        write_tasks(out, job, kind, "FAILED", zone)?;
        write_tasks(out, job, kind, "KILLED", zone)?;
    }
    if all {
        KINDS.iter().try_for_each(|kind| write_tasks(out, job, kind, "SUCCESS", zone))?;
        KINDS.iter().try_for_each(|kind| write_attempts(out, job, kind, zone))?;
    }
    write_bad_nodes(out, job, "FAILED")?;
    write_bad_nodes(out, job, "KILLED")
}

fn write_details(out: &mut String, job: &JobHistory, zone: Zone) -> fmt::Result {
    let values = &job.values;
    let [submitted, launched, finished] =
        [Key::SubmitTime, Key::LaunchTime, Key::FinishTime].map(|key| values.number(key));
    writeln!(out, "\nHadoop job: {}\n{RULE}", job.id())?;
    // No record of a job names its JobTracker's host.
    writeln!(out, "Job tracker host name: n/a\njob tracker start time: {}", tracker_start(job.id()))?;
    writeln!(out, "User: {}\nJobName: {}", values.get(Key::User), values.get(Key::JobName))?;
    writeln!(out, "JobConf: {}", values.get(Key::JobConf))?;
    writeln!(out, "Submitted At: {}", time_with_difference(zone, submitted, 0))?;
    writeln!(out, "Launched At: {}", time_with_difference(zone, launched, submitted))?;
    writeln!(out, "Finished At: {}", time_with_difference(zone, finished, launched))?;
    let status = values.get(Key::JobStatus);
    write!(out, "Status: {}", if status.is_empty() { "Incomplete" } else { status })?;
    write_counters(out, job)?;
    writeln!(out, "\n{RULE}")
}

/// The minute in a job's name, which is in its JobTracker's time, as Java's `Date.toString` has it but for the zone.
fn tracker_start(job: &str) -> String {
    let minute = job.split('_').nth(1).unwrap_or_default();
    let start = NaiveDateTime::parse_from_str(&format!("{minute}00"), "%Y%m%d%H%M%S").ok();
    match start {
        Some(start) => start.format("%a %b %d %H:%M:%S %Y").to_string(),
        None => "n/a".to_owned(),
    }
}

fn write_counters(out: &mut String, job: &JobHistory) -> fmt::Result {
    let of = |key| counters_from_text(job.values.get(key)).unwrap_or_default();
    let [maps, reduces, total] = [Key::MapCounters, Key::ReduceCounters, Key::Counters].map(of);
    let row = |out: &mut String, cells: [&str; 5]| {
        write!(out, "|{:<30}|{:<30}|{:<10}|{:<10}|{:<10}", cells[0], cells[1], cells[2], cells[3], cells[4])
    };
    out.push_str("\nCounters: \n\n");
    row(out, ["Group Name", "Counter name", "Map Value", "Reduce Value", "Total Value"])?;
    write!(out, "|\n{}", "-".repeat(87))?;
    for group in &total.groups {
        for counter in &group.counters {
            let part = |counters: &Counters| {
                let found = counters.groups.iter().find(|other| other.name == group.name);
                let found = found.and_then(|g| g.counters.iter().find(|c| c.display == counter.display));
                grouped(found.map_or(0, |counter| counter.value))
            };
            out.push('\n');
            let value = grouped(counter.value);
            row(out, [&group.display, &counter.display, &part(&maps), &part(&reduces), &value])?;
        }
    }
    Ok(())
}

/// Java's `DecimalFormat`: a comma before each three digits.
pub fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::from(if value < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn write_summary(out: &mut String, job: &JobHistory, zone: Zone) -> fmt::Result {
    out.push_str("\nTask Summary\n============================\n");
    out.push_str("Kind\tTotal\tSuccessful\tFailed\tKilled\tStartTime\tFinishTime\n");
    for (kind, word) in KINDS.iter().zip(["Setup", "Map", "Reduce", "Cleanup"]) {
        let sum = summary(job, kind);
        write!(out, "\n{word}\t{}\t{}\t\t{}\t{}", sum.total, sum.successful, sum.failed, sum.killed)?;
        write!(out, "\t{}", time_with_difference(zone, sum.started, 0))?;
        write!(out, "\t{}", time_with_difference(zone, sum.finished, sum.started))?;
    }
    out.push_str("\n============================\n\n");
    Ok(())
}

fn write_analysis(out: &mut String, job: &JobHistory, zone: Zone) -> fmt::Result {
    if !job.succeeded() {
        out.push_str("No Analysis available as job did not finish\n");
        return Ok(());
    }
    out.push_str("\nAnalysis\n=========\n");
    for part in &Analysis::of(job).parts {
        write_part(out, job, part, zone)?;
    }
    out.push_str("=========\n");
    Ok(())
}

fn write_part(out: &mut String, job: &JobHistory, part: &Part<'_>, zone: Zone) -> fmt::Result {
    let (stage, name) = (part.stage, part.stage.name());
    let time = |attempt: &AttemptHistory| time_difference(0, stage.duration(attempt));
    if let Some(best) = part.slowest.last() {
        writeln!(out, "\nTime taken by best performing {name} task {}: {}", best.get(Key::TaskId), time(best))?;
    }
    writeln!(out, "Average time taken by {name} tasks: {}", time_difference(0, part.average))?;
    writeln!(out, "Worse performing {name} tasks: \nTaskId\t\tTimetaken")?;
    for attempt in part.slowest.iter().take(SLOWEST_SHOWN) {
        writeln!(out, "{} {}", attempt.get(Key::TaskId), time(attempt))?;
    }
    let end = time_with_difference(zone, part.last_end(), job.values.number(Key::LaunchTime));
    let last = part.last.get(Key::TaskId);
    writeln!(out, "The last {name} task {last} finished at (relative to the Job launch time): {end}")
}

fn write_tasks(out: &mut String, job: &JobHistory, kind: &str, status: &str, zone: Zone) -> fmt::Result {
    writeln!(out, "\n{status} {kind} task list for {}", job.id())?;
    let splits = if kind == "MAP" { "\tInputSplits" } else { "" };
    writeln!(out, "TaskId\t\tStartTime\tFinishTime\tError{splits}\n{LIST_RULE}")?;
    let is_listed =
        |(_, task): &(_, &crate::TaskHistory)| task.kind() == kind && task.values.get(Key::TaskStatus) == status;
    for (name, task) in job.tasks.iter().filter(is_listed) {
        let (start, finish) = (task.values.number(Key::StartTime), task.values.number(Key::FinishTime));
        let (started, finished) = (time_with_difference(zone, start, 0), time_with_difference(zone, finish, start));
        write!(out, "{name}\t{started}\t{finished}\t{}", task.values.get(Key::Error))?;
        if kind == "MAP" {
            write!(out, "\t{}", task.values.get(Key::Splits))?;
        }
        out.push('\n');
    }
    Ok(())
}

fn write_attempts(out: &mut String, job: &JobHistory, kind: &str, zone: Zone) -> fmt::Result {
    let reduces = kind == "REDUCE";
    writeln!(out, "\n{kind} task list for {}", job.id())?;
    let phases = if reduces { "\tShuffleFinished\tSortFinished" } else { "" };
    writeln!(out, "TaskId\t\tStartTime{phases}\tFinishTime\tHostName\tError\tTaskLogs\n{LIST_RULE}")?;
    for (_, attempt) in job.attempts().filter(|(task, _)| task.kind() == kind) {
        let [start, shuffled, sorted, finish] =
            [Key::StartTime, Key::ShuffleFinished, Key::SortFinished, Key::FinishTime].map(|key| attempt.number(key));
        write!(out, "{}\t{}\t", attempt.get(Key::TaskAttemptId), time_with_difference(zone, start, 0))?;
        if reduces {
            // 1.2.1 has no tab after the second.
            let (shuffle, sort) =
                (time_with_difference(zone, shuffled, start), time_with_difference(zone, sorted, shuffled));
            write!(out, "{shuffle}\t{sort}")?;
        }
        let finished = time_with_difference(zone, finish, start);
        let logs = task_logs_url(attempt).unwrap_or_else(|| "n/a".to_owned());
        writeln!(out, "{finished}\t{}\t{}{logs}", attempt.get(Key::Hostname), attempt.get(Key::Error))?;
    }
    Ok(())
}

/// Where an attempt's logs are shown, if its record tells (Hadoop 1.2.1: JobHistory.getTaskLogsUrl).
pub fn task_logs_url(attempt: &AttemptHistory) -> Option<String> {
    let [port, tracker, name] = [Key::HttpPort, Key::TrackerName, Key::TaskAttemptId].map(|key| attempt.get(key));
    if port.is_empty() || tracker.is_empty() || name.is_empty() {
        return None;
    }
    let host = tracker.split(':').next().unwrap_or_default();
    let host = host.strip_prefix("tracker_").unwrap_or(host);
    Some(format!("http://{host}:{port}/tasklog?attemptid={name}"))
}

fn write_bad_nodes(out: &mut String, job: &JobHistory, status: &str) -> fmt::Result {
    let nodes = bad_nodes(job, status);
    if nodes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{status} task attempts by nodes\nHostname\tFailedTasks\n===============================")?;
    for (host, tasks) in nodes {
        write!(out, "{host}\t")?;
        tasks.iter().try_for_each(|task| write!(out, "{task}, "))?;
        out.push('\n');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        for (value, text) in [(8_576_135_168, "8,576,135,168"), (-1000, "-1,000"), (999, "999"), (0, "0")] {
            assert_eq!(grouped(value), text);
        }
    }
}
