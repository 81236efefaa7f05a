//! `machines.jsp`: the trackers.

use axum::extract::{Query, State};
use jobtracker_core::TrackerView;

use super::html::{Cell, Page, link};
use super::{NoPage, PageResult, Parameters, Site, html_answer};
use daemon_shell::wall_millis;

const HEAD: &[&str] = &[
    "Name",
    "Host",
    "Rack",
    "# running tasks",
    "Max Map Tasks",
    "Max Reduce Tasks",
    "Task Failures",
    "Directory Failures",
    "Node Health Status",
    "Seconds Since Node Last Healthy",
    "Faults",
    "Reason",
    "Seconds since heartbeat",
];

/// Answers `machines.jsp`; `type` says which trackers, and any other word all, as in 1.2.1.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let kind = parameters.get("type").cloned().unwrap_or_default();
    let trackers = shared.core.ask(|core, _| core.tracker_views()).await?;
    let title = format!("{} Hadoop Machine List", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    if kind == "excluded" {
        page.heading(2, "Excluded Nodes");
        let hosts = crate::settings::hosts(&shared.conf()).map_err(|error| NoPage::Sentence(error.to_string()))?;
        page.table(&["Host Name"], hosts.exclude.iter().map(|host| vec![host.into()]).collect());
        return html_answer(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")]));
    }
    let (heading, wanted): (&str, fn(&TrackerView) -> bool) = match kind.as_str() {
        "active" => ("Active Task Trackers", |tracker| !tracker.blacklisted),
        "blacklisted" => ("Blacklisted Task Trackers", |tracker| tracker.blacklisted),
        "graylisted" => ("Graylisted Task Trackers", |tracker| tracker.graylisted),
        _ => ("Task Trackers", |_| true),
    };
    page.heading(2, heading);
    let now = wall_millis();
    let rows: Vec<_> = trackers.iter().filter(|tracker| wanted(tracker)).map(|tracker| row(tracker, now)).collect();
    page.table(HEAD, rows);
    html_answer(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")]))
}

fn row(tracker: &TrackerView, now: i64) -> Vec<Cell> {
    let status = &tracker.status;
    let health = match (&status.health.healthy, status.health.last_reported) {
        (_, 0) => "N/A".to_owned(),
        (true, _) => "Healthy".to_owned(),
        (false, _) => format!("Unhealthy: {}", status.health.report),
    };
    let since_healthy = match status.health.last_reported {
        0 => 0,
        reported => (now - reported).max(0) / 1000,
    };
    vec![
        link(format!("http://{}:{}/", status.host, status.http_port), &status.name),
        (&status.host).into(),
        (&tracker.rack).into(),
        (tracker.running_maps + tracker.running_reduces).into(),
        status.max_map_slots.into(),
        status.max_reduce_slots.into(),
        status.task_failures.into(),
        status.dir_failures.into(),
        health.into(),
        since_healthy.into(),
        tracker.faults.into(),
        (&tracker.reason).into(),
        ((now - tracker.last_seen).max(0) / 1000).into(),
    ]
}
