//! `/tasklog`: the logs of an attempt (Hadoop 1.2.1: mapred.TaskLogServlet).

use std::io::{self, Read};
use std::sync::Arc;

use configuration::{Configuration, keys};
use hyper::{Response, StatusCode};
use types::{AccessControlList, TaskAttemptId};

use super::Services;
use super::reply::{Content, FileStream, Reply, error, escape, escape_bytes, html, parameter};
use crate::localizer::layout;
use crate::user_logs::{LogName, UserLogs};

const PATH: &str = "/tasklog";
/// The most of one log that a page shows: pages are put together in memory. Plain text has no limit.
const PAGE_BYTES_MAX: u64 = 8 << 20;

/// What a request asks for.
#[derive(Debug, PartialEq)]
struct Wish {
    attempt: TaskAttemptId,
    filter: Option<LogName>,
    start: i64,
    end: i64,
    plain: bool,
    cleanup: bool,
}

/// Answers a request.
pub(super) async fn answer(services: &Services, query: &str) -> Reply {
    let wish = match parse(query) {
        Ok(wish) => wish,
        Err(reply) => return *reply,
    };
    let dir = services.logs.attempt_dir(&wish.attempt, wish.cleanup);
    if !dir.exists() {
        let attempt = &wish.attempt;
        let reason = format!(
            "Task log directory for task {attempt} does not exist. May be cleaned up by Task Tracker, if older logs."
        );
        return error(StatusCode::GONE, PATH, &reason);
    }
    let user = parameter(query, "user.name");
    if let Err(reason) = may_view(services, &wish, user.as_deref()) {
        return error(StatusCode::UNAUTHORIZED, PATH, &reason);
    }
    let logs = Arc::clone(&services.logs);
    let answered =
        tokio::task::spawn_blocking(move || if wish.plain { plain(&logs, &wish) } else { in_html(&logs, &wish) });
    answered.await.unwrap_or_else(|_| error(StatusCode::INTERNAL_SERVER_ERROR, PATH, "the log could not be read"))
}

fn parse(query: &str) -> Result<Wish, Box<Reply>> {
    let refuse = |status, reason: String| Box::new(error(status, PATH, &reason));
    let bad = |reason: String| refuse(StatusCode::BAD_REQUEST, reason);
    let id = parameter(query, "attemptid").ok_or_else(|| bad("Argument attemptid is required".into()))?;
    let filter = match parameter(query, "filter") {
        Some(name) => Some(LogName::parse(&name).ok_or_else(|| bad(format!("Illegal value for filter: {name}")))?),
        None => None,
    };
    let number = |name, otherwise| match parameter(query, name) {
        Some(text) => text
            .parse::<i64>()
            .map_err(|_| refuse(StatusCode::INTERNAL_SERVER_ERROR, format!("For input string: \"{text}\""))),
        None => Ok(otherwise),
    };
    let (start, end) = (number("start", 0)?, number("end", -1)?);
    let is = |name| parameter(query, name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let attempt = id.parse().map_err(|_| {
        let reason = format!("TaskAttemptId string : {id} is not properly formed");
        refuse(StatusCode::INTERNAL_SERVER_ERROR, reason)
    })?;
    let wish = Wish { attempt, filter, start, end, plain: is("plaintext"), cleanup: is("cleanup") };
    if wish.plain && filter.is_none() {
        let text = "You must supply a value for `filter' (STDOUT, STDERR, or SYSLOG) if you set plainText = true";
        return Err(bad(text.into()));
    }
    Ok(wish)
}

/// The log as it is.
fn plain(logs: &UserLogs, wish: &Wish) -> Reply {
    let name = wish.filter.unwrap_or(LogName::Stdout);
    match logs.open(&wish.attempt, wish.cleanup, name, wish.start, wish.end) {
        Ok(piece) => {
            let remaining = piece.limit();
            let file = Some(tokio::fs::File::from_std(piece.into_inner()));
            let stream = FileStream { first: None, file, remaining, ended: None, taken: 0 };
            let mut reply = Response::new(Content::Stream(Box::new(stream)));
            let html = hyper::header::HeaderValue::from_static("text/html; charset=utf-8");
            reply.headers_mut().insert(hyper::header::CONTENT_TYPE, html);
            reply
        }
        Err(_) if name == LogName::DebugOut => html(String::new()),
        Err(cause) => not_readable(wish, name, &cause),
    }
}

fn in_html(logs: &UserLogs, wish: &Wish) -> Reply {
    let attempt = escape(&wish.attempt.to_string());
    let mut page =
        format!("<html>\n<title>Task Logs: '{attempt}'</title>\n<body>\n<h1>Task Logs: '{attempt}'</h1><br>\n")
            .into_bytes();
    let always = [LogName::Stdout, LogName::Stderr];
    let if_there = [LogName::Syslog, LogName::DebugOut, LogName::Profile];
    let names: Vec<LogName> = match wish.filter {
        Some(name) => vec![name],
        None => {
            let there = if_there.into_iter().filter(|name| logs.has(&wish.attempt, wish.cleanup, *name));
            always.into_iter().chain(there).collect()
        }
    };
    for name in names {
        if let Err(cause) = add_log(logs, wish, name, &mut page) {
            return not_readable(wish, name, &cause);
        }
    }
    page.extend_from_slice(b"</body></html>\n");
    super::reply::page("text/html; charset=utf-8", page)
}

fn add_log(logs: &UserLogs, wish: &Wish, name: LogName, page: &mut Vec<u8>) -> io::Result<()> {
    page.extend_from_slice(format!("<br><b><u>{} logs</u></b><br>\n<pre>\n", name.file_name()).as_bytes());
    match logs.open(&wish.attempt, wish.cleanup, name, wish.start, wish.end) {
        Ok(piece) => {
            let cut = piece.limit() > PAGE_BYTES_MAX;
            let mut bytes = Vec::new();
            piece.take(PAGE_BYTES_MAX).read_to_end(&mut bytes)?;
            page.extend_from_slice(&escape_bytes(&bytes));
            if cut {
                let note = format!("\n... the page shows {PAGE_BYTES_MAX} bytes; plaintext=true shows all");
                page.extend_from_slice(note.as_bytes());
            }
            page.extend_from_slice(b"</pre></td></tr></table><hr><br>\n");
            Ok(())
        }
        Err(_) if name == LogName::DebugOut => {
            page.extend_from_slice(b"</pre><hr><br>\n");
            Ok(())
        }
        Err(cause) => Err(cause),
    }
}

fn not_readable(wish: &Wish, name: LogName, cause: &io::Error) -> Reply {
    let reason = format!("Failed to retrieve {} log for task: {}", name.file_name(), wish.attempt);
    tracing::warn!(attempt = %wish.attempt, log = name.file_name(), error = %cause, "a log cannot be read");
    error(StatusCode::GONE, PATH, &reason)
}

/// Whether the caller may see the job's logs; everybody may unless ACLs are on (TaskLogServlet.checkAccessForTaskLogs).
fn may_view(services: &Services, wish: &Wish, user: Option<&str>) -> Result<(), String> {
    let Some(user) = user.filter(|_| services.conf.get_or(&keys::MAPRED_ACLS_ENABLED, false)) else { return Ok(()) };
    let job = wish.attempt.job();
    let Ok(acls) = std::fs::read(services.logs.job_dir(job).join(layout::ACLS_FILE)) else { return Ok(()) };
    let acls = Configuration::from_bytes(layout::ACLS_FILE, &acls).map_err(|error| error.to_string())?;
    let groups = groups_of(user);
    let allows = |conf: &Configuration, name: &str| {
        let text = conf.text(name).ok().flatten().unwrap_or_default();
        AccessControlList::parse(&text).allows(user, &groups)
    };
    let queue = acls.get_or(&keys::MAPRED_JOB_QUEUE_NAME, String::from("default"));
    let is_owner = acls.text(keys::USER_NAME.name()).ok().flatten().as_deref() == Some(user);
    let may = is_owner
        || allows(&acls, keys::MAPREDUCE_JOB_ACL_VIEW_JOB.name())
        || allows(&acls, &keys::MAPRED_QUEUE_ACL_ADMINISTER_JOBS.name_for(&queue))
        || allows(&services.conf, keys::MAPREDUCE_CLUSTER_ADMINISTRATORS.name());
    if may { Ok(()) } else { Err(format!("User {user} failed to view tasklogs of job {job}!")) }
}

fn groups_of(user: &str) -> Vec<String> {
    let Ok(Some(found)) = nix::unistd::User::from_name(user) else { return Vec::new() };
    let Ok(name) = std::ffi::CString::new(user) else { return Vec::new() };
    let ids = nix::unistd::getgrouplist(&name, found.gid).unwrap_or_default();
    let groups = ids.into_iter().filter_map(|id| nix::unistd::Group::from_gid(id).ok().flatten());
    groups.map(|group| group.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_worded_as_hadoops() {
        let attempt = "attemptid=attempt_1_0001_m_000000_0";
        for (query, status, text) in [
            (String::new(), 400, "Argument attemptid is required"),
            (format!("{attempt}&filter=foo"), 400, "Illegal value for filter: foo"),
            (format!("{attempt}&start=x"), 500, "For input string: \"x\""),
            ("attemptid=x".into(), 500, "TaskAttemptId string : x is not properly formed"),
            (
                format!("{attempt}&plaintext=true"),
                400,
                "You must supply a value for `filter' (STDOUT, STDERR, or SYSLOG) if you set plainText = true",
            ),
        ] {
            let reply = parse(&query).unwrap_err();
            let reason = reply.extensions().get::<hyper::ext::ReasonPhrase>().unwrap();
            assert_eq!((reply.status().as_u16(), reason.as_bytes()), (status, text.as_bytes()), "{query}");
        }
        let wish = parse(&format!("{attempt}&filter=SysLog&start=-5&plaintext=TRUE&cleanup=true")).ok().unwrap();
        assert_eq!((wish.filter, wish.start, wish.end), (Some(LogName::Syslog), -5, -1));
        assert!(wish.plain && wish.cleanup);
    }
}
