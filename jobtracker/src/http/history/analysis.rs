//! `analysejobhistory.jsp`: which tasks of a job took longest.

use axum::extract::State;
use job_history::{Analysis, Part, Zone, time_difference, time_with_difference};
use wire::history::Key;

use super::super::html::{Cell, Page};
use super::super::{NoPage, PageResult, Parameters, Site, html_answer};
use super::files::history;
use super::history_link;

/// So many slow tasks are shown where nobody says otherwise.
const TASKS: usize = 10;

/// Answers the page; `numTasks` says how many tasks.
pub(super) async fn page(State(shared): Site, parameters: Parameters) -> PageResult {
    let (job, file) = history(&shared, &parameters).await?;
    let title = format!("Hadoop Job {}", job.id());
    if !job.succeeded() {
        return Err(NoPage::Sentence("No Analysis available as job did not finish".to_owned()));
    }
    let tasks = parameters.get("numTasks").and_then(|text| text.parse().ok()).unwrap_or(TASKS);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    let values = &job.values;
    let launched = values.number(Key::LaunchTime);
    page.fact("User", values.get(Key::User));
    page.fact("JobName", values.get(Key::JobName));
    page.fact("Finished At", time_with_difference(Zone::Local, values.number(Key::FinishTime), launched));
    page.fact("Status", values.get(Key::JobStatus));
    for part in &Analysis::of(&job).parts {
        write_part(&mut page, part, &file, launched, tasks);
    }
    html_answer(page.finish(&[("jobhistoryhome.jsp", "Go back to Job History Viewer")]))
}

fn write_part(page: &mut Page, part: &Part<'_>, file: &str, launched: i64, tasks: usize) {
    let stage = part.stage;
    let time = |attempt| time_difference(0, stage.duration(attempt));
    let task = |id: &str| history_link("taskdetailshistory.jsp", file, &format!("&tipid={id}"), id);
    page.heading(3, &format!("Time in {}", stage.name()));
    if let Some(best) = part.slowest.last() {
        page.fact("Best performing task", task(best.get(Key::TaskId)));
        page.fact("Its time", time(best));
    }
    page.fact("Average time", time_difference(0, part.average));
    page.fact("The last task", task(part.last.get(Key::TaskId)));
    page.fact("It finished at", time_with_difference(Zone::Local, part.last_end(), launched));
    let rows = part
        .slowest
        .iter()
        .take(tasks)
        .map(|attempt| -> Vec<Cell> { vec![task(attempt.get(Key::TaskId)), time(attempt).into()] });
    page.table(&["Worse performing tasks", "Time taken"], rows.collect());
}
