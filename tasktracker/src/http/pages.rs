//! `tasktracker.jsp`, the first page, and the daemon's own log files.

use std::fmt::Write;
use std::path::Path;

use hyper::StatusCode;
use tasktracker_core::{AttemptView, JobAtHand, View};

use super::Services;
use super::reply::{Content, FileStream, Reply, error, escape, html};
use crate::localizer::layout;

/// The first page leads to the other.
pub(super) fn index() -> Reply {
    html("<html><head><meta HTTP-EQUIV=\"REFRESH\" content=\"0;url=tasktracker.jsp\"/></head></html>\n".into())
}

/// The tracker and its attempts (Hadoop 1.2.1: webapps/task/tasktracker.jsp).
pub(super) async fn tasktracker(services: &Services) -> Reply {
    html(tasktracker_page(&services.tracker.view().await))
}

fn tasktracker_page(view: &View) -> String {
    let name = escape(&view.name);
    let mut page = format!(
        "<!DOCTYPE html>\n<html>\n<title>{name} Task Tracker Status</title>\n<body>\n<h1>{name} Task Tracker Status</h1>\n\
         <b>Version:</b> Howdah {}<br>\n<b>Map slots:</b> {} ({} free) <b>Reduce slots:</b> {} ({} free)<br>\n",
        env!("CARGO_PKG_VERSION"),
        view.map_slots.0,
        view.map_slots.1,
        view.reduce_slots.0,
        view.reduce_slots.1,
    );
    let running = |attempt: &&AttemptView| attempt.status.occupies_slots();
    table(&mut page, "Running tasks", view.attempts.iter().filter(running));
    table(&mut page, "Non-Running Tasks", view.attempts.iter().filter(|attempt| !running(attempt)));
    let of_running_jobs = view.attempts.iter().filter(|attempt| is_at_hand(view, attempt));
    table(&mut page, "Tasks from Running Jobs", of_running_jobs);
    jobs(&mut page, view);
    children(&mut page, view);
    page.push_str("<h2>Local Logs</h2>\n<a href=\"/logs/\">Log</a> directory\n<hr />\n</body></html>\n");
    page
}

fn table<'a>(page: &mut String, title: &str, attempts: impl Iterator<Item = &'a AttemptView>) {
    let _ = writeln!(
        page,
        "<h2>{title}</h2>\n<table border=2 cellpadding=\"5\" cellspacing=\"2\">\n\
         <tr><td align=\"center\">Task Attempts</td><td>Status</td><td>Progress</td><td>Errors</td></tr>"
    );
    for attempt in attempts {
        let status = &attempt.status;
        let _ = writeln!(
            page,
            "<tr><td><a href=\"/tasklog?attemptid={id}{cleanup}\">{id}</a></td><td>{state}</td><td>{progress:.2}%</td>\
             <td><pre>{errors}</pre></td></tr>",
            id = status.attempt,
            cleanup = if attempt.task_cleanup { "&cleanup=true" } else { "" },
            state = status.state.name(),
            progress = status.progress * 100.0,
            errors = escape(&status.diagnostics),
        );
    }
    page.push_str("</table>\n");
}

fn is_at_hand(view: &View, attempt: &AttemptView) -> bool {
    view.jobs.iter().any(|at_hand| at_hand.job == *attempt.status.attempt.job())
}

fn jobs(page: &mut String, view: &View) {
    page.push_str(
        "<h2>Jobs</h2>\n<table border=2 cellpadding=\"5\" cellspacing=\"2\">\n\
         <tr><td>Job</td><td>Child of maps and reduces</td><td>Why</td></tr>\n",
    );
    for JobAtHand { job, child } in &view.jobs {
        let (kind, reason) = match child {
            Some((kind, reason)) => (format!("{kind:?}"), escape(reason)),
            None => ("its files are on their way".to_owned(), String::new()),
        };
        let _ = writeln!(page, "<tr><td>{job}</td><td>{kind}</td><td>{reason}</td></tr>");
    }
    page.push_str("</table>\n");
}

fn children(page: &mut String, view: &View) {
    page.push_str(
        "<h2>Child processes</h2>\n<table border=2 cellpadding=\"5\" cellspacing=\"2\">\n\
         <tr><td>Child</td><td>Program</td><td>State</td><td>Process</td><td>Attempts run</td></tr>\n",
    );
    for child in &view.children {
        let pid = child.pid.map(|pid| pid.to_string()).unwrap_or_default();
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{:?}</td><td>{:?}</td><td>{pid}</td><td>{}</td></tr>",
            child.jvm, child.kind, child.state, child.ran
        );
    }
    page.push_str("</table>\n");
}

/// A file of the log directory, or the list of them.
pub(super) async fn daemon_log(dir: &Path, name: &str) -> Reply {
    if name.is_empty() {
        return log_list(dir);
    }
    let path = format!("/logs/{name}");
    if !layout::is_plain_name(name) || name.contains('%') {
        return error(StatusCode::NOT_FOUND, &path, &path);
    }
    let place = dir.join(name);
    // A link could lead to a file that the log directory does not hold.
    let length = match std::fs::symlink_metadata(&place) {
        Ok(metadata) if metadata.is_file() => metadata.len(),
        _ => return error(StatusCode::NOT_FOUND, &path, &path),
    };
    match tokio::fs::File::open(&place).await {
        Ok(file) => {
            let stream = FileStream { first: None, file: Some(file), remaining: length, ended: None, taken: 0 };
            let mut reply = Reply::new(Content::Stream(Box::new(stream)));
            let plain = hyper::header::HeaderValue::from_static("text/plain; charset=utf-8");
            reply.headers_mut().insert(hyper::header::CONTENT_TYPE, plain);
            reply
        }
        Err(_) => error(StatusCode::NOT_FOUND, &path, &path),
    }
}

fn log_list(dir: &Path) -> Reply {
    let mut names: Vec<_> = std::fs::read_dir(dir)
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.metadata().ok()?)))
                .collect()
        })
        .unwrap_or_default();
    names.retain(|(_, metadata): &(String, std::fs::Metadata)| metadata.is_file());
    names.sort_by(|a, b| a.0.cmp(&b.0));
    let mut page = String::from(
        "<html><head><title>Directory: /logs/</title></head><body>\n<h1>Directory: /logs/</h1>\n<table>\n",
    );
    for (name, metadata) in names {
        let name = escape(&name);
        let _ =
            writeln!(page, "<tr><td><a href=\"/logs/{name}\">{name}</a></td><td>{} bytes</td></tr>", metadata.len());
    }
    page.push_str("</table></body></html>\n");
    html(page)
}

#[cfg(test)]
mod tests {
    use tasktracker_core::ChildKind;

    use super::*;

    #[test]
    fn the_page_names_the_tracker_and_its_attempts_and_escapes_what_users_wrote() {
        let task = crate::test_data::map_task();
        let mut status = task.status;
        status.state = types::TaskState::Running;
        status.progress = 0.159_2;
        status.diagnostics = "<script>".into();
        let attempt = AttemptView { status, task_cleanup: false, user: "root".into(), reported: true, jvm: None };
        let job = JobAtHand {
            job: attempt.status.attempt.job().clone(),
            child: Some((ChildKind::Java, "<x> has no twin".into())),
        };
        let view = View {
            name: "tracker_h:h/127.0.0.1:1".into(),
            attempts: vec![attempt],
            jobs: vec![job],
            ..View::default()
        };
        let page = tasktracker_page(&view);
        assert!(page.contains("<title>tracker_h:h/127.0.0.1:1 Task Tracker Status</title>"), "{page}");
        assert!(page.contains("</a></td><td>RUNNING</td><td>15.92%</td><td><pre>&lt;script&gt;</pre></td>"), "{page}");
        assert!(page.contains("<td>Java</td><td>&lt;x&gt; has no twin</td>"), "{page}");
    }
}
