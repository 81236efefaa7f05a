//! The pages on the HTTP port, at 1.2.1's addresses, with its parameters and facts and our own HTML. A page is made from
//! plain copies of the core's state, which the driver hands out between events; only the fair scheduler's page changes
//! anything.

mod capacity_scheduler;
mod conf;
mod explain;
mod failures;
mod fair_scheduler;
mod history;
mod html;
mod jmx;
mod job_details;
mod job_list;
mod job_tasks;
mod logs;
mod machines;
mod overview;
mod queue_details;
mod task_details;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::any;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::state::Shared;
use daemon_shell::Stopped;

/// The parameters of a request, the last of each name.
type Parameters = Query<BTreeMap<String, String>>;
/// What every page is given.
type Site = State<Arc<Shared>>;

const STYLE: &str = "body { font-family: sans-serif; font-size: 90%; } table { border-collapse: collapse; } \
                     th { background: #dde; text-align: left; } pre { margin: 0; white-space: pre-wrap; }\n";

/// Serves until the task is dropped.
pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    if let Err(error) = axum::serve(listener, router(shared)).await {
        tracing::error!(%error, "the pages are no longer served");
    }
}

fn router(shared: Arc<Shared>) -> Router {
    // Hadoop's servlets do not care for the method, and scripts POST to pages they only want to read.
    Router::new()
        .route("/", any(|| async { Redirect::to("/jobtracker.jsp") }))
        .route("/index.html", any(|| async { Redirect::to("/jobtracker.jsp") }))
        .route("/jobtracker.jsp", any(overview::page))
        .route("/machines.jsp", any(machines::page))
        .route("/jobdetails.jsp", any(job_details::page))
        .route("/jobtasks.jsp", any(job_tasks::page))
        .route("/taskdetails.jsp", any(task_details::page))
        .route("/taskstats.jsp", any(task_details::counters_page))
        .route("/jobfailures.jsp", any(failures::page))
        .route("/jobblacklistedtrackers.jsp", any(failures::avoided_page))
        .route("/jobqueue_details.jsp", any(queue_details::page))
        .route("/howdah/explain", any(explain::page))
        .route("/jobconf.jsp", any(conf::job_page))
        .route("/conf", any(conf::site_page))
        .route("/jmx", any(jmx::page))
        .merge(history::routes())
        .route("/scheduler", any(scheduler_page))
        .route("/logs", any(|| async { Redirect::to("/logs/") }))
        .route("/logs/", any(logs::list))
        .route("/logs/{*path}", any(logs::file))
        .route("/static/hadoop.css", any(|| async { ([(header::CONTENT_TYPE, "text/css")], STYLE) }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no page of that address\n") })
        .with_state(shared)
}

/// The page of the scheduler at work.
async fn scheduler_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    match fair_scheduler::page(&shared, &parameters).await {
        Some(answer) => answer,
        None => capacity_scheduler::page(State(shared)).await,
    }
}

/// Why there is no page.
enum NoPage {
    /// A sentence with status 200, as 1.2.1 answers a job or task that it does not know.
    Sentence(String),
    /// A status and a sentence.
    Status(StatusCode, String),
    /// Status and error code of the JSON form.
    Json(StatusCode, u32, String),
    /// The daemon is ending.
    Stopped,
}

impl From<Stopped> for NoPage {
    fn from(_: Stopped) -> Self {
        NoPage::Stopped
    }
}

impl IntoResponse for NoPage {
    fn into_response(self) -> Response {
        match self {
            NoPage::Sentence(text) => {
                let mut page = html::Page::new("Hadoop", None);
                page.heading(2, &text);
                Html(page.finish(&[("jobtracker.jsp", "Go back to JobTracker")])).into_response()
            }
            NoPage::Status(status, text) => (status, text + "\n").into_response(),
            NoPage::Json(status, code, text) => {
                (status, Json(json!({ "errorDescription": text, "errorCode": code }))).into_response()
            }
            NoPage::Stopped => (StatusCode::SERVICE_UNAVAILABLE, "the JobTracker is shutting down\n").into_response(),
        }
    }
}

type PageResult = Result<Response, NoPage>;

/// The form that is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Html,
    Json,
}

/// Reads `format`; others than JSON are not implemented, which 1.2.1 says with that status.
fn format(parameters: &BTreeMap<String, String>) -> Result<Format, NoPage> {
    match parameters.get("format").map(String::as_str) {
        None => Ok(Format::Html),
        Some("json") => Ok(Format::Json),
        Some(other) => {
            Err(NoPage::Status(StatusCode::NOT_IMPLEMENTED, format!("format {other} is not implemented; json is")))
        }
    }
}

/// An id from a parameter. A missing one is answered as 1.2.1's page does, one that cannot be read with status 500.
fn id<T: std::str::FromStr>(
    parameters: &BTreeMap<String, String>,
    name: &str,
    form: Format,
    what: &str,
) -> Result<T, NoPage> {
    let text = match (parameters.get(name), form) {
        (Some(text), _) => text,
        (None, Format::Html) => return Err(NoPage::Sentence(format!("Missing '{name}'!"))),
        (None, Format::Json) => return Err(NoPage::Json(StatusCode::BAD_REQUEST, 4100, format!("Missing {what}"))),
    };
    text.parse().map_err(|_| {
        NoPage::Status(StatusCode::INTERNAL_SERVER_ERROR, format!("{what} string : {text} is not properly formed"))
    })
}

/// A job or task that nobody knows.
fn unknown(form: Format, sentence: String, description: String) -> NoPage {
    match form {
        Format::Html => NoPage::Sentence(sentence),
        Format::Json => NoPage::Json(StatusCode::NOT_FOUND, 4101, description),
    }
}

fn html_answer(page: String) -> PageResult {
    Ok(Html(page).into_response())
}

fn json_answer(value: Value) -> PageResult {
    Ok(Json(value).into_response())
}
