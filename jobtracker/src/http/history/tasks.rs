//! `jobtaskshistory.jsp`, `taskdetailshistory.jsp` and `taskstatshistory.jsp`: tasks of a job that is over, the attempts of
//! one, and the counters of an attempt or a task.

use axum::extract::State;
use axum::http::StatusCode;
use job_history::{AttemptHistory, JobHistory, TaskHistory, Zone, time_with_difference};
use wire::history::{Key, counters_from_text};

use super::super::html::{Cell, Page, grouped};
use super::super::{NoPage, PageResult, Parameters, Site, html_answer};
use super::files::history;
use super::history_link;

const BACK: (&str, &str) = ("jobhistoryhome.jsp", "Go back to Job History Viewer");

fn times(start: i64, finish: i64) -> [Cell; 2] {
    [time_with_difference(Zone::Local, start, 0).into(), time_with_difference(Zone::Local, finish, start).into()]
}

/// Answers `jobtaskshistory.jsp`: the tasks of a kind and a status, or of any with `all`.
pub(super) async fn list_page(State(shared): Site, parameters: Parameters) -> PageResult {
    let (job, file) = history(&shared, &parameters).await?;
    let of = |name: &str| parameters.get(name).map(String::as_str).unwrap_or_default();
    let (kind, status) = (of("taskType"), of("status"));
    let title = format!("{status} {kind} task list for {}", job.id());
    let mut page = Page::new(&title, None);
    page.heading(2, &title);
    let wanted = |task: &TaskHistory| {
        task.kind() == kind
            && (status == "all"
                || task.values.get(Key::TaskStatus) == status
                || task.attempts.values().any(|attempt| attempt.get(Key::TaskStatus) == status))
    };
    let rows = job.tasks.iter().filter(|(_, task)| wanted(task)).map(|(name, task)| {
        let values = &task.values;
        let [started, finished] = times(values.number(Key::StartTime), values.number(Key::FinishTime));
        let details = history_link("taskdetailshistory.jsp", &file, &format!("&tipid={name}"), name);
        vec![details, started, finished, Cell::Lines(values.get(Key::Error).to_owned())]
    });
    page.table(&["Task Id", "Start Time", "Finish Time", "Error"], rows.collect());
    html_answer(page.finish(&[BACK]))
}

/// Answers `taskdetailshistory.jsp`: the attempts of a task.
pub(super) async fn attempts_page(State(shared): Site, parameters: Parameters) -> PageResult {
    let (job, file) = history(&shared, &parameters).await?;
    let (name, task) = task(&job, &parameters, "tipid")?;
    let title = format!("{name} attempts for {}", job.id());
    let mut page = Page::new(&title, None);
    page.heading(2, &title);
    let is_reduce = task.kind() == "REDUCE";
    let phases: &[&str] = if is_reduce { &["Shuffle Finished", "Sort Finished"] } else { &[] };
    let head =
        [&["Task Id", "Start Time"], phases, &["Finish Time", "Host", "Error", "Task Logs", "Counters"]].concat();
    page.table(&head, task.attempts.values().map(|attempt| attempt_row(attempt, &file, is_reduce)).collect());
    if task.kind() == "MAP" {
        page.heading(3, "Input Split Locations");
        let splits = task.values.get(Key::Splits).split(',').filter(|split| !split.is_empty());
        page.table(&["Location"], splits.map(|split| vec![split.into()]).collect());
    }
    html_answer(page.finish(&[BACK]))
}

fn attempt_row(attempt: &AttemptHistory, file: &str, is_reduce: bool) -> Vec<Cell> {
    let [start, shuffled, sorted, finish] =
        [Key::StartTime, Key::ShuffleFinished, Key::SortFinished, Key::FinishTime].map(|key| attempt.number(key));
    let [started, finished] = times(start, finish);
    let name = attempt.get(Key::TaskAttemptId);
    let mut row = vec![name.into(), started];
    if is_reduce {
        row.push(time_with_difference(Zone::Local, shuffled, start).into());
        row.push(time_with_difference(Zone::Local, sorted, shuffled).into());
    }
    let counters = counters_from_text(attempt.get(Key::Counters)).unwrap_or_default();
    let count: usize = counters.groups.iter().map(|group| group.counters.len()).sum();
    row.push(finished);
    row.push(attempt.get(Key::Hostname).into());
    row.push(Cell::Lines(attempt.get(Key::Error).to_owned()));
    row.push(logs(attempt));
    row.push(history_link("taskstatshistory.jsp", file, &format!("&attemptid={name}"), count));
    row
}

fn logs(attempt: &AttemptHistory) -> Cell {
    let Some(url) = job_history::task_logs_url(attempt) else { return "n/a".into() };
    let part = |start: i64, text: &str| (format!("{url}&start={start}"), text.to_owned());
    Cell::Links(vec![part(-4097, "Last 4KB"), part(-8193, "Last 8KB"), (url.clone() + "&all=true", "All".to_owned())])
}

fn task<'a>(job: &'a JobHistory, parameters: &Parameters, name: &str) -> Result<(&'a String, &'a TaskHistory), NoPage> {
    let wanted = parameters.get(name).map(String::as_str).unwrap_or_default();
    let found = job.tasks.get_key_value(wanted);
    found.ok_or_else(|| NoPage::Status(StatusCode::NOT_FOUND, format!("{} has no task {wanted:?}", job.id())))
}

/// Answers `taskstatshistory.jsp`: the counters of `attemptid`, or of the task `taskid`.
pub(super) async fn counters_page(State(shared): Site, parameters: Parameters) -> PageResult {
    let (job, _) = history(&shared, &parameters).await?;
    let (name, text) = match parameters.get("attemptid") {
        Some(wanted) => {
            let mut attempts = job.tasks.values().flat_map(|task| &task.attempts);
            let found = attempts.find(|(name, _)| *name == wanted);
            let missing = || NoPage::Status(StatusCode::NOT_FOUND, format!("{} has no attempt {wanted:?}", job.id()));
            let (name, attempt) = found.ok_or_else(missing)?;
            (name, attempt.get(Key::Counters))
        }
        None => {
            let (name, task) = task(&job, &parameters, "taskid")?;
            (name, task.values.get(Key::Counters))
        }
    };
    let counters = counters_from_text(text).unwrap_or_default();
    let title = format!("Counters for {name}");
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    for group in &counters.groups {
        page.heading(3, &group.display);
        let rows = group.counters.iter().map(|counter| vec![(&counter.display).into(), grouped(counter.value).into()]);
        page.table(&["Counter", "Value"], rows.collect());
    }
    html_answer(page.finish(&[BACK]))
}
