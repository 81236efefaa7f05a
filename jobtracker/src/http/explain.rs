//! `/howdah/explain?id=ID`, an address of our own: why a job or a task does not run now, a line for each reason. `hadoop
//! job -explain` asks it.

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use jobtracker_core::WhyNot;
use types::{JobId, TaskId};

use super::{NoPage, PageResult, Parameters, Site};

/// Answers `/howdah/explain`.
pub(super) async fn page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let id = parameters.get("id").cloned().unwrap_or_default();
    let reasons = match (id.parse::<JobId>(), id.parse::<TaskId>()) {
        (Ok(job), _) => shared.core.ask(move |core, _| core.explain_job(&job)).await?,
        (_, Ok(task)) => shared.core.ask(move |core, _| core.explain_task(&task)).await?,
        _ => {
            let text = format!("{id:?} is neither the id of a job nor of a task");
            return Err(NoPage::Status(StatusCode::BAD_REQUEST, text));
        }
    };
    let reasons = reasons.ok_or_else(|| NoPage::Status(StatusCode::NOT_FOUND, format!("{id} is not known")))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], lines(&reasons)).into_response())
}

fn lines(reasons: &[WhyNot]) -> String {
    match reasons {
        [] => "it runs, or has run\n".to_owned(),
        reasons => reasons.iter().map(|reason| format!("{reason}\n")).collect(),
    }
}
