//! `/logs/`: the files of the log directory itself. What lies deeper, or behind a link out of it, is not shown.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use super::html::{Page, link};
use super::overview::encoded;
use super::{NoPage, PageResult, Site, html_answer};

/// The most bytes of a file that are sent: its end.
const BYTES_MAX: u64 = 16 << 20;

/// Answers `/logs/`.
pub(super) async fn list(State(shared): Site) -> PageResult {
    let directory = shared.settings.log_dir.clone();
    let read = tokio::task::spawn_blocking(move || {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&directory)?.flatten() {
            if let (Ok(meta), Some(name)) = (entry.metadata(), entry.file_name().to_str())
                && meta.is_file()
            {
                files.push((name.to_owned(), meta.len()));
            }
        }
        files.sort();
        std::io::Result::Ok(files)
    });
    let files = read.await.map_err(|_| NoPage::Stopped)?.map_err(|error| {
        NoPage::Status(StatusCode::INTERNAL_SERVER_ERROR, format!("the log directory cannot be read: {error}"))
    })?;
    let mut page = Page::new("Directory: /logs/", None);
    page.heading(1, "Directory: /logs/");
    let rows =
        files.into_iter().map(|(name, bytes)| vec![link(encoded(&name), &name), format!("{bytes} bytes").into()]);
    page.table(&["File", "Size"], rows.collect());
    html_answer(page.finish(&[("/jobtracker.jsp", "Go back to JobTracker")]))
}

/// Answers a file of the directory.
pub(super) async fn file(State(shared): Site, Path(name): Path<String>) -> PageResult {
    let missing = || NoPage::Status(StatusCode::NOT_FOUND, format!("there is no log file {name}"));
    if name.contains('/') || name.starts_with('.') {
        return Err(missing());
    }
    let path = shared.settings.log_dir.join(&name);
    let read = tokio::task::spawn_blocking(move || {
        use std::io::{Read, Seek, SeekFrom};
        let meta = std::fs::symlink_metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        let mut file = std::fs::File::open(&path).ok()?;
        file.seek(SeekFrom::Start(meta.len().saturating_sub(BYTES_MAX))).ok()?;
        let mut bytes = Vec::new();
        file.take(BYTES_MAX).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    });
    let bytes = read.await.map_err(|_| NoPage::Stopped)?.ok_or_else(missing)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], bytes).into_response())
}
