//! `jobfailures.jsp` and `jobblacklistedtrackers.jsp`: what went wrong in a job, and where it no longer runs.

use axum::extract::{Query, State};
use jobtracker_core::{AttemptView, ReportKind};
use types::{JobId, TaskState};

use super::html::{Cell, Page, link};
use super::task_details::log_links;
use super::{Format, NoPage, PageResult, Parameters, Site, html_answer, id, unknown};

/// Answers `jobfailures.jsp`: attempts that failed or were killed.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let job: JobId = id(&parameters, "jobid", Format::Html, "JobId")?;
    let kinds: &[ReportKind] = match parameters.get("kind").map(String::as_str) {
        None | Some("all") => &[ReportKind::Map, ReportKind::Reduce],
        Some("map") => &[ReportKind::Map],
        Some("reduce") => &[ReportKind::Reduce],
        Some(other) => return Err(NoPage::Sentence(format!("Kind {other} not supported."))),
    };
    let states: &[TaskState] = match parameters.get("cause").map(String::as_str) {
        None => &[TaskState::Failed, TaskState::Killed],
        Some("failed") => &[TaskState::Failed],
        Some("killed") => &[TaskState::Killed],
        Some(other) => return Err(NoPage::Sentence(format!("Cause '{other}' is not an 'failed' or 'killed'."))),
    };
    let asked = job.clone();
    let found = shared
        .core
        .ask(move |core, _| {
            core.job_status(&asked)?;
            Some(kinds.iter().flat_map(|kind| core.task_views(&asked, *kind)).collect::<Vec<_>>())
        })
        .await?;
    let Some(tasks) = found else {
        return Err(unknown(Format::Html, format!("Job {job} not found."), String::new()));
    };
    let title = format!("Hadoop {job} failures on {}", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    let attempts = tasks.iter().flat_map(|task| &task.attempts);
    let rows = attempts.filter(|attempt| states.contains(&attempt.status.state)).map(row).collect();
    page.table(&["Attempt", "Task", "Machine", "State", "Error", "Logs"], rows);
    let details = format!("jobdetails.jsp?jobid={job}");
    html_answer(page.finish(&[(&details, "Go back to the job"), ("jobtracker.jsp", "Go back to JobTracker")]))
}

fn row(attempt: &AttemptView) -> Vec<Cell> {
    let id = &attempt.status.attempt;
    vec![
        id.into(),
        link(format!("taskdetails.jsp?tipid={}", id.task), &id.task),
        (&attempt.host).into(),
        attempt.status.state.name().into(),
        Cell::Lines(attempt.diagnostics.join("\n")),
        log_links(attempt),
    ]
}

/// Answers `jobblacklistedtrackers.jsp`.
pub(super) async fn avoided_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let job: JobId = id(&parameters, "jobid", Format::Html, "JobId")?;
    let asked = job.clone();
    let Some(view) = shared.core.ask(move |core, _| core.job_view(&asked)).await? else {
        return Err(unknown(Format::Html, format!("Job {job} not known!"), String::new()));
    };
    let title = format!("Hadoop {job} - Black-listed task-trackers");
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    page.table(&["TaskTracker"], view.avoided_hosts.iter().map(|host| vec![host.into()]).collect());
    let details = format!("jobdetails.jsp?jobid={job}");
    html_answer(page.finish(&[(&details, "Go back to the job")]))
}
