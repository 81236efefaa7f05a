//! The pages about jobs that are over, from their history files. Each names its file by `logFile`, as 1.2.1's do; only files
//! below the folders of histories are opened (Hadoop 1.2.1: webapps/job/*history*.jsp).

mod analysis;
mod files;
mod home;
mod job;
mod tasks;

use axum::Router;
use axum::response::Redirect;
use axum::routing::any;
use wire::history::url_encode;

use super::html::{Cell, link};
use crate::state::Shared;

pub(super) use files::done_file_of;

/// The addresses of these pages.
pub(super) fn routes() -> Router<std::sync::Arc<Shared>> {
    Router::new()
        .route("/jobhistory.jsp", any(|| async { Redirect::to("/jobhistoryhome.jsp") }))
        .route("/jobhistoryhome.jsp", any(home::page))
        .route("/jobdetailshistory.jsp", any(job::page))
        .route("/jobconf_history.jsp", any(job::configuration_page))
        .route("/jobtaskshistory.jsp", any(tasks::list_page))
        .route("/taskdetailshistory.jsp", any(tasks::attempts_page))
        .route("/taskstatshistory.jsp", any(tasks::counters_page))
        .route("/analysejobhistory.jsp", any(analysis::page))
        .route("/gethistory.jsp", any(files::find_page))
        .route("/historyfile", any(files::file_page))
}

/// A link to one of these pages for a file, with more parameters (`&name=value`).
fn history_link(page: &str, log_file: &str, more: &str, text: impl ToString) -> Cell {
    link(format!("{page}?logFile={}{more}", url_encode(log_file)), text)
}
