//! `jobdetailshistory.jsp` and `jobconf_history.jsp`: one job that is over, and its configuration.

use axum::extract::State;
use configuration::Configuration;
use job_history::{JobHistory, Zone, bad_nodes, summary, time_with_difference};
use wire::history::{Key, counters_from_text};

use super::super::conf::entries;
use super::super::html::{Cell, Page, grouped};
use super::super::{NoPage, PageResult, Parameters, Site, html_answer};
use super::files::{configuration, history, log_file};
use super::history_link;

/// Answers `jobdetailshistory.jsp`.
pub(super) async fn page(State(shared): Site, parameters: Parameters) -> PageResult {
    let (job, file) = history(&shared, &parameters).await?;
    let title = format!("Hadoop Job {} on History Viewer", job.id());
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    facts(&mut page, &job, &file);
    kinds(&mut page, &job, &file);
    page.heading(2, "Counters");
    page.table(&["Group", "Counter", "Map", "Reduce", "Total"], counter_rows(&job));
    for status in ["FAILED", "KILLED"] {
        nodes(&mut page, &job, &file, status);
    }
    html_answer(page.finish(&[("jobhistoryhome.jsp", "Go back to Job History Viewer")]))
}

fn facts(page: &mut Page, job: &JobHistory, file: &str) {
    let values = &job.values;
    let [submitted, launched, finished] =
        [Key::SubmitTime, Key::LaunchTime, Key::FinishTime].map(|key| values.number(key));
    page.fact("User", values.get(Key::User));
    page.fact("JobName", values.get(Key::JobName));
    page.fact("JobConf", history_link("jobconf_history.jsp", file, "", values.get(Key::JobConf)));
    page.fact("Submitted At", time_with_difference(Zone::Local, submitted, 0));
    page.fact("Launched At", time_with_difference(Zone::Local, launched, submitted));
    page.fact("Finished At", time_with_difference(Zone::Local, finished, launched));
    let status = values.get(Key::JobStatus);
    page.fact("Status", if status.is_empty() { "Incomplete" } else { status });
    page.fact("Failure Info", Cell::Lines(values.get(Key::FailReason).to_owned()));
    page.fact("More", history_link("analysejobhistory.jsp", file, "", "Analyse This Job"));
    page.fact("File", history_link("historyfile", file, "", file));
}

fn kinds(page: &mut Page, job: &JobHistory, file: &str) {
    let rows =
        [("SETUP", "Setup"), ("MAP", "Map"), ("REDUCE", "Reduce"), ("CLEANUP", "Cleanup")].map(|(kind, word)| {
            let sum = summary(job, kind);
            let tasks = |status: &str, number: String| {
                history_link("jobtaskshistory.jsp", file, &format!("&taskType={kind}&status={status}"), number)
            };
            vec![
                word.into(),
                tasks("all", sum.total.to_string()),
                tasks("SUCCESS", sum.successful.to_string()),
                tasks("FAILED", sum.failed.to_string()),
                tasks("KILLED", sum.killed.to_string()),
                time_with_difference(Zone::Local, sum.started, 0).into(),
                time_with_difference(Zone::Local, sum.finished, sum.started).into(),
            ]
        });
    let total = "Total Tasks(successful+failed+killed)";
    let head = ["Kind", total, "Successful tasks", "Failed tasks", "Killed tasks", "Start Time", "Finish Time"];
    page.table(&head, rows.into());
}

fn counter_rows(job: &JobHistory) -> Vec<Vec<Cell>> {
    let of = |key| counters_from_text(job.values.get(key)).unwrap_or_default();
    let [maps, reduces, total] = [Key::MapCounters, Key::ReduceCounters, Key::Counters].map(of);
    let groups = total.groups.iter().flat_map(|group| group.counters.iter().map(move |counter| (group, counter)));
    groups
        .map(|(group, counter)| {
            let part = |part: &types::Counters| grouped(part.get(&group.name, &counter.name).unwrap_or(0));
            vec![
                (&group.display).into(),
                (&counter.display).into(),
                part(&maps).into(),
                part(&reduces).into(),
                grouped(counter.value).into(),
            ]
        })
        .collect()
}

fn nodes(page: &mut Page, job: &JobHistory, file: &str, status: &str) {
    let nodes = bad_nodes(job, status);
    if nodes.is_empty() {
        return;
    }
    page.heading(2, &format!("{status} task attempts by nodes"));
    let rows = nodes.into_iter().map(|(host, tasks)| {
        let links = tasks.into_iter().map(|task| {
            let encoded = wire::history::url_encode(file);
            (format!("taskdetailshistory.jsp?logFile={encoded}&tipid={task}"), task.to_owned())
        });
        vec![host.into(), Cell::Links(links.collect())]
    });
    page.table(&["Hostname", "Tasks"], rows.collect());
}

/// Answers `jobconf_history.jsp`.
pub(super) async fn configuration_page(State(shared): Site, parameters: Parameters) -> PageResult {
    let path = log_file(&shared, &parameters)?;
    let bytes = configuration(&shared, &path).await?;
    let conf = Configuration::from_bytes("job.xml", &bytes)
        .map_err(|error| NoPage::Status(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let title = format!("Job Configuration: {}", path.name());
    let mut page = Page::new(&title, None);
    page.heading(2, &title);
    entries(&mut page, &conf);
    html_answer(page.finish(&[("jobhistoryhome.jsp", "Go back to Job History Viewer")]))
}
