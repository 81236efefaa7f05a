//! `jobqueue_details.jsp`: the jobs of a queue, in the scheduler's order.

use axum::extract::{Query, State};

use super::html::Page;
use super::job_list::{HEAD, JobLine, lines};
use super::{NoPage, PageResult, Parameters, Site, html_answer};

/// Answers `jobqueue_details.jsp`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let name = parameters.get("queueName").cloned().unwrap_or_default();
    let asked = name.clone();
    let found = shared
        .core
        .ask(move |core, _| core.queue_info(&asked).map(|info| (info, lines(core, core.jobs_from_queue(&asked)))))
        .await?;
    // 1.2.1 shows all jobs under a made-up name for a queue that does not exist.
    let Some((info, jobs)) = found else {
        return Err(NoPage::Sentence(format!("Queue \"{name}\" does not exist")));
    };
    let title = format!("Hadoop Job Queue Scheduling Information on {}", shared.identity.host);
    let mut page = Page::new(&title, None);
    page.heading(1, &title);
    page.fact("Queue", &info.name);
    page.fact("State", &info.state);
    page.fact("Scheduling Information", &info.scheduling_info);
    page.heading(2, "Job Summary (in the order of the scheduler)");
    page.table(HEAD, jobs.iter().map(JobLine::row).collect());
    html_answer(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")]))
}
