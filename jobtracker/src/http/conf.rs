//! `/conf` and `jobconf.jsp`: the site's configuration, and a job's.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use configuration::Configuration;
use types::JobId;

use super::html::Page;
use super::{Format, NoPage, PageResult, Parameters, Site, html_answer, id, json_answer};
use crate::dump::configuration_json;
use crate::effects::conf_name;
use crate::state::Shared;

/// Answers `/conf`.
pub(super) async fn site_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let conf = shared.conf();
    match parameters.get("format").map_or("xml", String::as_str) {
        "xml" => {
            let body = conf.to_xml_with_defaults();
            Ok(([(header::CONTENT_TYPE, "text/xml; charset=utf-8")], body).into_response())
        }
        "json" => json_answer(configuration_json(&conf)),
        other => Err(NoPage::Status(StatusCode::BAD_REQUEST, format!("Bad format: {other}"))),
    }
}

/// The configuration of a job, running or over, from the copy in the log directory.
pub(super) async fn job_configuration(shared: &Arc<Shared>, job: &JobId) -> Option<Configuration> {
    let path = shared.settings.log_dir.join(conf_name(job));
    let read = tokio::task::spawn_blocking(move || {
        let bytes = std::fs::read(path).ok()?;
        Configuration::from_bytes("job.xml", &bytes).ok()
    });
    read.await.ok().flatten()
}

/// Answers `jobconf.jsp`.
pub(super) async fn job_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let job: JobId = id(&parameters, "jobid", Format::Html, "JobId")?;
    let Some(conf) = job_configuration(&shared, &job).await else {
        return Err(NoPage::Sentence(format!("Job {job} not found.")));
    };
    let title = format!("Job Configuration: JobId - {job}");
    let mut page = Page::new(&title, None);
    page.heading(2, &title);
    entries(&mut page, &conf);
    let details = format!("jobdetails.jsp?jobid={job}");
    html_answer(page.finish(&[(&details, "Go back to the job")]))
}

/// The table of a configuration's entries, by name.
pub(super) fn entries(page: &mut Page, conf: &Configuration) {
    let mut entries: Vec<_> = conf.iter().collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let rows = entries.into_iter().map(|entry| vec![(&entry.name).into(), (&entry.value).into()]);
    page.table(&["name", "value"], rows.collect());
}
