//! History files: which one a page means, where a job's lies, and the file as it is.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use job_history::JobHistory;
use storage::Path;
use types::JobId;
use wire::history::{parse_job_file_name, url_encode};

use super::super::{Format, NoPage, PageResult, Parameters, Site, id};
use crate::effects::conf_name;
use crate::state::Shared;

/// A history of a hundred thousand attempts; more than that would be no page to read.
const FILE_BYTES_MAX: u64 = 256 << 20;
/// Folders of done histories that one search looks into: ten years of days, a thousand jobs each.
const FOLDERS_MAX: usize = 4_000;

/// The file that a page is asked about. 1.2.1 answers a missing parameter with status 500.
pub(super) fn log_file(shared: &Shared, parameters: &Parameters) -> Result<Path, NoPage> {
    let problem = |text: String| NoPage::Status(StatusCode::INTERNAL_SERVER_ERROR, text);
    let text = parameters.get("logFile").filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| problem("Can not create a Path from a null string".to_owned()))?;
    let path = Path::parse(text).map_err(|error| problem(error.to_string()))?;
    let path = shared.storage.qualify(&path).map_err(|error| problem(error.to_string()))?;
    let folders = [&shared.settings.history_dir, &shared.settings.history_done_dir];
    let is_history = folders.into_iter().filter_map(|folder| Path::parse(folder).ok()).any(|folder| {
        let folder = shared.storage.qualify(&folder).unwrap_or(folder);
        path.to_string().strip_prefix(&folder.to_string()).is_some_and(|rest| rest.starts_with('/'))
    });
    if !is_history || text.contains("..") {
        return Err(NoPage::Status(StatusCode::NOT_FOUND, format!("{text} is no history file of this JobTracker")));
    }
    Ok(path)
}

/// Runs file work where it may block.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, NoPage> {
    tokio::task::spawn_blocking(work).await.map_err(|_| NoPage::Stopped)
}

async fn read(shared: &Arc<Shared>, path: Path) -> Result<Vec<u8>, NoPage> {
    let (shared, shown) = (shared.clone(), path.to_string());
    let read = blocking(move || shared.storage.for_path(&path)?.read_to_vec(&path, FILE_BYTES_MAX)).await?;
    read.map_err(|error| NoPage::Status(StatusCode::NOT_FOUND, format!("cannot read {shown}: {error}")))
}

/// The history that a page is asked about, and its file's name for further links.
pub(super) async fn history(shared: &Arc<Shared>, parameters: &Parameters) -> Result<(JobHistory, String), NoPage> {
    let path = log_file(shared, parameters)?;
    let name = path.to_string();
    let bytes = read(shared, path).await?;
    let job = blocking(move || JobHistory::parse(&String::from_utf8_lossy(&bytes))).await?;
    let job = job.map_err(|error| NoPage::Status(StatusCode::INTERNAL_SERVER_ERROR, format!("{name}: {error}")))?;
    Ok((job, name))
}

/// The configuration that lies beside a history.
pub(super) async fn configuration(shared: &Arc<Shared>, log_file: &Path) -> Result<Vec<u8>, NoPage> {
    let job = parse_job_file_name(log_file.name()).map(|name| name.job);
    let conf = job.and_then(|job| Some(log_file.parent()?.child(&conf_name(&job))));
    let unnamed = || NoPage::Status(StatusCode::NOT_FOUND, format!("{log_file} is not named like a job's history"));
    read(shared, conf.ok_or_else(unnamed)?).await
}

/// All done histories, as far as they may be looked at; blocks.
pub(super) fn done_files(shared: &Shared) -> Vec<Path> {
    let Ok(done) = Path::parse(&shared.settings.history_done_dir) else { return Vec::new() };
    let Ok(files) = shared.storage.for_path(&done) else { return Vec::new() };
    let (mut folders, mut found, mut looked) = (vec![done], Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        looked += 1;
        if looked > FOLDERS_MAX {
            break;
        }
        // One that the cleaner has just removed is no trouble.
        for status in files.list(&folder).unwrap_or_default() {
            match status.is_dir {
                true => folders.push(status.path),
                false if parse_job_file_name(status.path.name()).is_some() => found.push(status.path),
                false => (),
            }
        }
    }
    found
}

/// The done history of a job.
pub(in super::super) async fn done_file_of(shared: &Arc<Shared>, job: &JobId) -> Result<Option<Path>, NoPage> {
    let (shared, job) = (shared.clone(), job.clone());
    blocking(move || {
        done_files(&shared)
            .into_iter()
            .find(|path| parse_job_file_name(path.name()).is_some_and(|name| name.job == job))
    })
    .await
}

/// Answers `gethistory.jsp`: leads to a job's file.
pub(super) async fn find_page(State(shared): Site, Query(parameters): Parameters) -> PageResult {
    let job: JobId = id(&parameters, "jobid", Format::Html, "JobId")?;
    match done_file_of(&shared, &job).await? {
        Some(path) => {
            Ok(Redirect::to(&format!("/historyfile?logFile={}", url_encode(&path.to_string()))).into_response())
        }
        None => Err(NoPage::Status(StatusCode::BAD_REQUEST, format!("Job {job} not known"))),
    }
}

/// Answers `historyfile`: the file itself.
pub(super) async fn file_page(State(shared): Site, parameters: Parameters) -> PageResult {
    let path = log_file(&shared, &parameters)?;
    let bytes = read(&shared, path).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}
