//! `jobdetails.jsp`: one job.

use std::collections::BTreeMap;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect};
use configuration::{Configuration, keys};
use jobtracker_core::{JobView, TaskCounts};
use serde_json::{Value, json};
use types::{Counters, JobId, JobState};
use wire::history::url_encode;

use super::history::done_file_of;
use super::html::{Cell, Page, duration, grouped, link, percent, time};
use super::{Format, PageResult, Parameters, Site, format, html_answer, id, json_answer, unknown};
use crate::state::Shared;
use daemon_shell::wall_millis;

/// A page of something running loads itself again after so many seconds where nobody says otherwise.
const REFRESH_S: u32 = 60;

/// Answers `jobdetails.jsp`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let form = format(&parameters)?;
    let job: JobId = id(&parameters, "jobid", form, if form == Format::Json { "JobID" } else { "JobId" })?;
    let asked = job.clone();
    let Some(view) = shared.core.ask(move |core, _| core.job_view(&asked)).await? else {
        if form == Format::Html
            && let Some(file) = done_file_of(&shared, &job).await?
        {
            let address = format!("/jobdetailshistory.jsp?logFile={}", url_encode(&file.to_string()));
            return Ok(Redirect::to(&address).into_response());
        }
        return Err(unknown(form, format!("Job {job} not known!"), format!("JobID {job} Not Found")));
    };
    let conf = super::conf::job_configuration(&shared, &job).await;
    match form {
        Format::Html => html_answer(to_html(&shared, &view, conf.as_ref(), &parameters)),
        Format::Json => json_answer(to_json(&shared, &view, conf.as_ref())),
    }
}

/// What the submitting client says of itself.
fn submit_host(conf: Option<&Configuration>) -> (String, String) {
    let text = |key: &configuration::Key<String>| conf.map(|conf| conf.get_or(key, String::new())).unwrap_or_default();
    (text(&keys::MAPREDUCE_JOB_SUBMITHOST), text(&keys::MAPREDUCE_JOB_SUBMITHOSTADDRESS))
}

/// How a setup or cleanup stands: its two tasks are one to the reader.
fn phase(counts: &TaskCounts, state: JobState) -> &'static str {
    match counts {
        counts if counts.finished > 0 => "Successful",
        counts if counts.running > 0 => "Running",
        counts if counts.failed_attempts > 0 && state.is_complete() => "Failed",
        counts if counts.killed > 0 && state.is_complete() => "Killed",
        counts if counts.total == 0 => "None",
        _ => "Pending",
    }
}

fn state_word(state: JobState) -> &'static str {
    match state {
        JobState::Running => "Running",
        JobState::Succeeded => "Succeeded",
        JobState::Failed => "Failed",
        JobState::Prep => "Pending",
        JobState::Killed => "Killed",
    }
}

fn to_html(
    shared: &Shared,
    view: &JobView,
    conf: Option<&Configuration>,
    parameters: &BTreeMap<String, String>,
) -> String {
    let (status, profile) = (&view.status, &view.profile);
    let job = &status.job;
    let title = format!("Hadoop {job} on {}", shared.identity.host);
    let wanted = parameters.get("refresh").and_then(|seconds| seconds.parse().ok()).unwrap_or(REFRESH_S);
    let mut page = Page::new(&title, (!status.state.is_complete() && wanted > 0).then_some(wanted));
    page.heading(1, &title);
    page.fact("User", &profile.user);
    page.fact("Job Name", &profile.name);
    page.fact("Job File", link(format!("jobconf.jsp?jobid={job}"), &profile.job_file));
    let (host, address) = submit_host(conf);
    page.fact("Submit Host", host);
    page.fact("Submit Host Address", address);
    page.fact("Queue", &profile.queue);
    page.fact("Job-ACLs", acls(shared, view));
    if let Some(child) = shared.child_choices.describe(job) {
        page.fact("Child", child);
    }
    page.fact("Job Setup", phase(&view.setup, status.state));
    page.fact("Status", state_word(status.state));
    if status.failure_info != "NA" {
        page.fact("Failure Info", Cell::Lines(status.failure_info.clone()));
    }
    times(&mut page, view);
    page.fact("Job Cleanup", phase(&view.cleanup, status.state));
    if !view.avoided_hosts.is_empty() {
        let address = format!("jobblacklistedtrackers.jsp?jobid={job}");
        page.fact("Black-listed TaskTrackers", link(address, view.avoided_hosts.len()));
    }
    page.table(
        &["Kind", "% Complete", "Num Tasks", "Pending", "Running", "Complete", "Killed", "Failed/Killed Task Attempts"],
        vec![
            counts_row(job, "map", status.map_progress, &view.maps),
            counts_row(job, "reduce", status.reduce_progress, &view.reduces),
        ],
    );
    page.heading(2, "Counters");
    page.table(&["Group", "Counter", "Map", "Reduce", "Total"], counter_rows(view));
    page.finish(&[("jobtracker.jsp", "Go back to JobTracker")])
}

fn acls(shared: &Shared, view: &JobView) -> String {
    if !shared.settings.core.acls_enabled {
        return "All users are allowed".to_owned();
    }
    let lists = view.status.acls.iter().map(|(acl, list)| format!("{}: {list}", acl.name()));
    lists.collect::<Vec<_>>().join("; ")
}

fn times(page: &mut Page, view: &JobView) {
    let (status, started) = (&view.status, view.status.start_time);
    page.fact("Started at", time(started));
    let word = match status.state {
        JobState::Succeeded => "Finished",
        JobState::Failed => "Failed",
        JobState::Killed => "Killed",
        JobState::Running | JobState::Prep => {
            page.fact("Running for", duration(wall_millis() - started));
            return;
        }
    };
    page.fact(&format!("{word} at"), time(view.finish_time));
    page.fact(&format!("{word} in"), duration(view.finish_time - started));
}

fn counts_row(job: &JobId, kind: &str, progress: f32, counts: &TaskCounts) -> Vec<Cell> {
    let tasks = |number: i32, state: &str| match number {
        0 => 0.into(),
        number => link(format!("jobtasks.jsp?jobid={job}&type={kind}&pagenum=1{state}"), number),
    };
    let failures = |number: i32, cause: &str| {
        (format!("jobfailures.jsp?jobid={job}&kind={kind}&cause={cause}"), number.to_string())
    };
    let (failed, killed) = (counts.failed_attempts, counts.killed_attempts);
    let attempts = match (failed, killed) {
        (0, 0) => "0 / 0".into(),
        _ => Cell::Links(vec![failures(failed, "failed"), failures(killed, "killed")]),
    };
    vec![
        link(format!("jobtasks.jsp?jobid={job}&type={kind}&pagenum=1"), kind),
        percent(progress).into(),
        counts.total.into(),
        tasks(counts.pending, "&state=pending"),
        tasks(counts.running, "&state=running"),
        tasks(counts.finished, "&state=completed"),
        tasks(counts.killed, "&state=killed"),
        attempts,
    ]
}

fn counter_rows(view: &JobView) -> Vec<Vec<Cell>> {
    let of = |counters: &Counters, group: &str, name: &str| grouped(counters.get(group, name).unwrap_or(0));
    let mut rows = Vec::new();
    for group in &view.counters.groups {
        for (at, counter) in group.counters.iter().enumerate() {
            rows.push(vec![
                if at == 0 { (&group.display).into() } else { "".into() },
                (&counter.display).into(),
                of(&view.map_counters, &group.name, &counter.name).into(),
                of(&view.reduce_counters, &group.name, &counter.name).into(),
                grouped(counter.value).into(),
            ]);
        }
    }
    rows
}

fn to_json(shared: &Shared, view: &JobView, conf: Option<&Configuration>) -> Value {
    let (status, profile) = (&view.status, &view.profile);
    let (host, address) = submit_host(conf);
    let over = status.state.is_complete();
    let until = if over { view.finish_time } else { wall_millis() };
    let seconds = (until - status.start_time).max(0) / 1000;
    json!({
        "jobId": status.job.to_string(),
        "metaInfo": {
            "jobTrackerName": shared.identity.host,
            "userName": profile.user,
            "jobName": profile.name,
            "jobFileLocation": profile.job_file,
            "jobSubmissionHostName": host,
            "jobSubmissionHostAddress": address,
            "jobSetupStatus": phase(&view.setup, status.state),
            "jobCleanupStatus": phase(&view.cleanup, status.state),
            "jobStatus": state_word(status.state),
            "jobStatusInfo": (status.failure_info != "NA").then_some(&status.failure_info),
            "jobSchedulingInfo": (status.scheduling_info != "NA").then_some(&status.scheduling_info),
            "jobStartTimingInfo": { "timestamp": time(status.start_time), "durationSecs": if over { 0 } else { seconds } },
            "jobFinishTimingInfo": over.then(|| json!({ "timestamp": time(view.finish_time), "durationSecs": seconds })),
            "numFlakyTaskTrackers": view.avoided_hosts.len(),
            "child": shared.child_choices.describe(&status.job),
        },
        "mapTaskSummary": summary_json(status.map_progress, &view.maps),
        "reduceTaskSummary": summary_json(status.reduce_progress, &view.reduces),
        "jobCounterGroupsInfo": counters_json(view),
    })
}

fn summary_json(progress: f32, counts: &TaskCounts) -> Value {
    json!({
        "progressPercentage": progress * 100.0,
        "taskStats": {
            "numTotalTasks": counts.total,
            "numPendingTasks": counts.pending,
            "numRunningTasks": counts.running,
            "numFinishedTasks": counts.finished,
            "numKilledTasks": counts.killed,
            "numFailedTaskAttempts": counts.failed_attempts,
            "numKilledTaskAttempts": counts.killed_attempts,
        },
    })
}

fn counters_json(view: &JobView) -> Value {
    let groups = view.counters.groups.iter().map(|group| {
        let counters = group.counters.iter().map(|counter| {
            json!({
                "name": counter.display,
                "mapValue": view.map_counters.get(&group.name, &counter.name).unwrap_or(0),
                "reduceValue": view.reduce_counters.get(&group.name, &counter.name).unwrap_or(0),
                "totalValue": counter.value,
            })
        });
        json!({ "groupName": group.display, "jobCountersInfo": counters.collect::<Vec<_>>() })
    });
    groups.collect()
}
