//! `taskdetails.jsp` and `taskstats.jsp`: one task, its attempts and its counters.

use std::collections::BTreeMap;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use jobtracker_core::{AttemptView, TaskView};
use serde_json::{Value, json};
use types::{Counters, TaskAttemptId, TaskId};

use super::html::{Cell, Page, grouped, link, percent, time, time_and_duration};
use super::{Format, NoPage, PageResult, Parameters, Site, format, html_answer, json_answer, unknown};
use crate::state::Shared;

/// The task that `tipid` or `attemptid` names.
fn task_id(parameters: &BTreeMap<String, String>, form: Format) -> Result<TaskId, NoPage> {
    let attempt = parameters.get("attemptid").and_then(|id| id.parse::<TaskAttemptId>().ok());
    let task = parameters.get("tipid").and_then(|id| id.parse::<TaskId>().ok()).or(attempt.map(|id| id.task));
    task.ok_or_else(|| match form {
        Format::Html => NoPage::Sentence("tipid sent is not valid.".to_owned()),
        Format::Json => NoPage::Json(StatusCode::BAD_REQUEST, 4100, "Missing TaskID".to_owned()),
    })
}

async fn find(shared: &Shared, task: &TaskId, form: Format) -> Result<TaskView, NoPage> {
    let asked = task.clone();
    let (known, view) =
        shared.core.ask(move |core, _| (core.job_status(&asked.job).is_some(), core.task_view(&asked))).await?;
    match (known, view) {
        (_, Some(view)) => Ok(view),
        (true, None) => {
            Err(unknown(form, format!("No Task Attempts found of {task}"), format!("TaskID {task} Not Found")))
        }
        (false, None) => {
            let job = &task.job;
            Err(unknown(form, format!("Job {job} not found."), format!("JobID {job} Not Found")))
        }
    }
}

/// Answers `taskdetails.jsp`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let form = format(&parameters)?;
    let task = task_id(&parameters, form)?;
    let view = find(&shared, &task, form).await?;
    if form == Format::Json {
        return json_answer(to_json(&task, &view));
    }
    let mut page = Page::new("Hadoop Task Details", None);
    page.heading(1, &format!("Job {}", task.job));
    page.fact("Task", &task);
    page.fact("Type", view.task_type.name());
    page.heading(2, "All Task Attempts");
    page.table(
        &[
            "Task Attempts",
            "Machine",
            "Status",
            "Progress",
            "Start Time",
            "Finish Time",
            "Errors",
            "Task Logs",
            "Counters",
        ],
        view.attempts.iter().map(attempt_row).collect(),
    );
    page.heading(3, "Input Split Locations");
    page.table(&["Host"], view.split_hosts.iter().map(|host| vec![host.into()]).collect());
    let job = format!("jobdetails.jsp?jobid={}", task.job);
    html_answer(page.finish(&[(&job, "Go back to the job"), ("jobtracker.jsp", "Go back to JobTracker")]))
}

/// Addresses of an attempt's logs on its tracker; none once the tracker is gone.
pub(super) fn log_links(attempt: &AttemptView) -> Cell {
    let Some(port) = attempt.http_port else { return "n/a".into() };
    let log = format!("http://{}:{port}/tasklog?attemptid={}", attempt.host, attempt.status.attempt);
    Cell::Links(vec![
        (format!("{log}&start=-4097"), "Last 4KB".to_owned()),
        (format!("{log}&start=-8193"), "Last 8KB".to_owned()),
        (format!("{log}&all=true"), "All".to_owned()),
    ])
}

fn attempt_row(attempt: &AttemptView) -> Vec<Cell> {
    let status = &attempt.status;
    let machine = match attempt.http_port {
        Some(port) => link(format!("http://{}:{port}/", attempt.host), &attempt.host),
        None => (&attempt.host).into(),
    };
    let counters = status.counters.iter().flat_map(|counters| &counters.groups).map(|group| group.counters.len());
    vec![
        (&status.attempt).into(),
        machine,
        status.state.name().into(),
        percent(status.progress).into(),
        time(status.start_time).into(),
        time_and_duration(status.finish_time, status.start_time).into(),
        Cell::Lines(attempt.diagnostics.join("\n")),
        log_links(attempt),
        link(format!("taskstats.jsp?attemptid={}", status.attempt), counters.sum::<usize>()),
    ]
}

/// Answers `taskstats.jsp`: the counters of an attempt, or of the task.
pub(super) async fn counters_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let form = format(&parameters)?;
    let task = task_id(&parameters, form)?;
    let view = find(&shared, &task, form).await?;
    let attempt = parameters.get("attemptid").and_then(|id| id.parse::<TaskAttemptId>().ok());
    let (name, counters) = match &attempt {
        None => (task.to_string(), view.report.counters.clone()),
        Some(id) => {
            let found = view.attempts.iter().find(|attempt| attempt.status.attempt == *id);
            let missing = || unknown(form, format!("Attempt {id} not found."), format!("TaskAttemptID {id} Not Found"));
            (id.to_string(), found.ok_or_else(missing)?.status.counters.clone().unwrap_or_default())
        }
    };
    if form == Format::Json {
        return json_answer(json!({ "taskId": name, "countersInfo": counters_json(&counters) }));
    }
    let title = format!("Counters for {name}");
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    let rows = counters.groups.iter().flat_map(|group| {
        group
            .counters
            .iter()
            .map(|counter| vec![(&group.display).into(), (&counter.display).into(), grouped(counter.value).into()])
    });
    page.table(&["Group", "Counter", "Value"], rows.collect());
    let details = format!("taskdetails.jsp?tipid={task}");
    html_answer(page.finish(&[(&details, "Go back to the task"), ("jobtracker.jsp", "Go back to JobTracker")]))
}

fn counters_json(counters: &Counters) -> Value {
    let groups = counters.groups.iter().map(|group| {
        let counters = group.counters.iter().map(|counter| json!({ "name": counter.display, "value": counter.value }));
        json!({ "groupName": group.display, "countersInfo": counters.collect::<Vec<_>>() })
    });
    groups.collect()
}

fn to_json(task: &TaskId, view: &TaskView) -> Value {
    let attempts = view.attempts.iter().map(|attempt| {
        let status = &attempt.status;
        let tracker = attempt.http_port.map(|port| format!("http://{}:{port}", attempt.host));
        let log = tracker.as_ref().map(|url| format!("{url}/tasklog?attemptid={}&all=true", status.attempt));
        let took = (status.finish_time - status.start_time).max(0) / 1000;
        json!({
            "attemptId": status.attempt.to_string(),
            "status": status.state.name(),
            "progressPercentage": status.progress * 100.0,
            "taskAttemptTrackerInfo": {
                "name": attempt.tracker, "host": attempt.host, "httpPort": attempt.http_port, "url": tracker,
            },
            "startTimingInfo": { "timestamp": time(status.start_time), "durationSecs": 0 },
            "finishTimingInfo":
                (status.finish_time > 0).then(|| json!({ "timestamp": time(status.finish_time), "durationSecs": took })),
            "taskAttemptLogUrl": log,
        })
    });
    json!({
        "jobId": task.job.to_string(),
        "taskId": task.to_string(),
        "inputSplitLocationsInfo": view.split_hosts,
        "taskAttemptsInfo": attempts.collect::<Vec<_>>(),
    })
}
