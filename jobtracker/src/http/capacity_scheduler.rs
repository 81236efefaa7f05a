//! `/scheduler` under the capacity scheduler: what each queue may use and uses
//! (Hadoop 1.2.1: CapacitySchedulerServlet), and whether the last refresh failed.

use axum::extract::State;
use axum::http::StatusCode;
use jobtracker_core::{CapacityQueueView, SlotsView};

use super::html::{Cell, Page, link};
use super::overview::encoded;
use super::{NoPage, PageResult, Site, html_answer};

const HEAD: &[&str] = &[
    "Queue",
    "Running Jobs",
    "Pending Jobs",
    "Capacity Percentage",
    "Map Task Capacity",
    "Map Task Used Capacity",
    "Running Maps",
    "Reduce Task Capacity",
    "Reduce Task Used Capacity",
    "Running Reduces",
];

/// Answers `/scheduler`.
pub(super) async fn page(State(shared): Site) -> PageResult {
    let queues = shared.core.ask(|core, _| core.capacity_queues()).await?;
    if queues.is_empty() {
        let text = "this scheduler has no page".to_owned();
        return Err(NoPage::Status(StatusCode::NOT_FOUND, text));
    }
    let title = format!("{} Job Scheduler Administration", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    if let Some(problem) = shared.queue_problem() {
        page.heading(2, "The last refresh failed; the queues are as they were before");
        page.fact("Reason", problem);
    }
    page.heading(2, "Queues");
    page.table(HEAD, queues.iter().map(row).collect());
    html_answer(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")]))
}

fn row(queue: &CapacityQueueView) -> Vec<Cell> {
    vec![
        link(format!("jobqueue_details.jsp?queueName={}", encoded(&queue.name)), &queue.name),
        (queue.running_jobs + queue.initializing_jobs).into(),
        queue.waiting_jobs.into(),
        format!("{:.1}%", queue.capacity).into(),
        queue.maps.capacity.into(),
        used(queue.maps).into(),
        queue.maps.running.into(),
        queue.reduces.capacity.into(),
        // Hadoop divides this one by the map capacity.
        used(queue.reduces).into(),
        queue.reduces.running.into(),
    ]
}

fn used(slots: SlotsView) -> String {
    let share = if slots.capacity == 0 { 0.0 } else { slots.used as f32 * 100.0 / slots.capacity as f32 };
    format!("{} ({share:.1}% of Capacity)", slots.used)
}
