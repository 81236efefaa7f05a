//! `jobtasks.jsp`: the tasks of one kind of a job, a page of them at a time.

use axum::extract::{Query, State};
use jobtracker_core::{ReportKind, TaskView};
use serde_json::{Value, json};
use types::{JobId, TipStatus};

use super::html::{Cell, Page, link, percent, time, time_and_duration};
use super::{Format, NoPage, PageResult, Parameters, Site, format, html_answer, id, json_answer, unknown};

/// Tasks on one page.
const PER_PAGE: usize = 2000;

/// The tasks that a page shows.
struct Shown<'a> {
    job: &'a JobId,
    kind: &'a str,
    state: &'a str,
    page: usize,
    tasks: &'a [&'a TaskView],
    first: usize,
    all: usize,
}

/// Answers `jobtasks.jsp`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let form = format(&parameters)?;
    let job: JobId = id(&parameters, "jobid", form, if form == Format::Json { "JobID" } else { "JobId" })?;
    let kind_name = parameters.get("type").map_or("map", String::as_str);
    let kind = kind_of(kind_name)?;
    let state = parameters.get("state").map_or("all", String::as_str);
    let number = parameters.get("pagenum").and_then(|page| page.parse().ok()).unwrap_or(1).max(1);
    let asked = job.clone();
    let found = shared.core.ask(move |core, _| core.job_status(&asked).map(|_| core.task_views(&asked, kind))).await?;
    let Some(tasks) = found else {
        return Err(unknown(form, format!("Job {job} not found."), format!("JobID {job} Not Found")));
    };
    let wanted: Vec<&TaskView> = tasks.iter().filter(|task| is_in_state(task, state)).collect();
    let first = ((number - 1) * PER_PAGE).min(wanted.len());
    let shown = Shown {
        job: &job,
        kind: kind_name,
        state,
        page: number,
        tasks: &wanted[first..wanted.len().min(first + PER_PAGE)],
        first,
        all: wanted.len(),
    };
    match form {
        Format::Html => html_answer(to_html(&shared.identity.host, &shown)),
        Format::Json => json_answer(to_json(&shown)),
    }
}

fn kind_of(name: &str) -> Result<ReportKind, NoPage> {
    match name {
        "map" => Ok(ReportKind::Map),
        "reduce" => Ok(ReportKind::Reduce),
        "setup" => Ok(ReportKind::Setup),
        "cleanup" => Ok(ReportKind::Cleanup),
        other => Err(NoPage::Sentence(format!("Type {other} not supported; map, reduce, setup and cleanup are."))),
    }
}

fn is_in_state(task: &TaskView, state: &str) -> bool {
    let status = task.report.status;
    match state {
        "pending" => status == TipStatus::Pending,
        "running" => status == TipStatus::Running,
        "completed" => status == TipStatus::Complete,
        "failed" => status == TipStatus::Failed,
        "killed" => matches!(status, TipStatus::Killed | TipStatus::Failed),
        _ => true,
    }
}

fn to_html(host: &str, shown: &Shown<'_>) -> String {
    let Shown { job, kind, state, page: number, tasks, first, all } = shown;
    let title = format!("Hadoop {kind} task list for {job} on {host}");
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    if *state != "all" {
        page.heading(2, &format!("Tasks that are {state}"));
    }
    let rows = tasks.iter().map(|task| row(task)).collect();
    page.table(&["Task", "Complete", "Status", "Start Time", "Finish Time", "Errors", "Counters"], rows);
    let there = |number: usize| format!("jobtasks.jsp?jobid={job}&type={kind}&state={state}&pagenum={number}");
    let (before, after) = (there(number.saturating_sub(1)), there(number + 1));
    let details = format!("jobdetails.jsp?jobid={job}");
    let mut back = vec![(details.as_str(), "Go back to the job"), ("jobtracker.jsp", "Go back to JobTracker")];
    if first + tasks.len() < *all {
        back.insert(0, (&after, "Next tasks"));
    }
    if *number > 1 {
        back.insert(0, (&before, "Tasks before"));
    }
    page.finish(&back)
}

fn row(task: &TaskView) -> Vec<Cell> {
    let report = &task.report;
    let errors = report.diagnostics.iter().flatten().cloned().collect::<Vec<_>>().join("\n");
    let counters = report.counters.groups.iter().map(|group| group.counters.len()).sum::<usize>();
    vec![
        link(format!("taskdetails.jsp?tipid={}", report.task), &report.task),
        percent(report.progress).into(),
        (&report.state).into(),
        time(report.start_time).into(),
        time_and_duration(report.finish_time, report.start_time).into(),
        Cell::Lines(errors),
        link(format!("taskstats.jsp?tipid={}", report.task), counters),
    ]
}

fn to_json(shown: &Shown<'_>) -> Value {
    let tasks = shown.tasks.iter().map(|task| {
        let report = &task.report;
        json!({
            "taskId": report.task.to_string(),
            "completionPercent": report.progress * 100.0,
            "status": report.state,
            "startTime": time(report.start_time),
            "finishTime": time(report.finish_time),
            "durationSecs": if report.finish_time > 0 { (report.finish_time - report.start_time) / 1000 } else { 0 },
        })
    });
    json!({
        "jobId": shown.job.to_string(),
        "type": shown.kind,
        "state": shown.state,
        "pageNum": shown.page,
        "startIndex": shown.first,
        "endIndex": shown.first + shown.tasks.len(),
        "tasksInfo": tasks.collect::<Vec<_>>(),
    })
}
