//! Tells an address that a job is over: an HTTP GET, tried again where the job says so. Each job's notifications wait for
//! nobody else's; in 1.2.1 one slow address held up all others (Hadoop 1.2.1: JobEndNotifier).

use std::time::Duration;

use jobtracker_core::Notification;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use types::{JobId, JobState};

/// Bytes of a status line at most.
const STATUS_LINE_MAX: u64 = 4096;

/// Sends the notification until it is taken or the tries are used up.
pub(super) async fn notify(job: JobId, state: JobState, notification: Notification) {
    let url = notification.url.replace("$jobId", &job.to_string()).replace("$jobStatus", state.name());
    let interval = Duration::from_millis(u64::try_from(notification.interval_ms).unwrap_or(0));
    let timeout = Duration::from_millis(u64::try_from(notification.timeout_ms).unwrap_or(0).max(1));
    for left in (0..=notification.retries.max(0)).rev() {
        let outcome = tokio::time::timeout(timeout, get(&url)).await;
        let problem = match outcome {
            Ok(Ok(200)) => return,
            Ok(Ok(status)) => format!("status {status}"),
            Ok(Err(problem)) => problem,
            Err(_) => format!("no answer within {timeout:?}"),
        };
        tracing::warn!(%job, url, problem, tries_left = left, "cannot tell that the job is over");
        if left > 0 {
            tokio::time::sleep(interval).await;
        }
    }
}

/// Gets an address; the status of the answer.
async fn get(url: &str) -> Result<u16, String> {
    let rest = url.strip_prefix("http://").ok_or("only http:// addresses can be told")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let path = if path.starts_with('/') { escape(path) } else { format!("/{}", escape(path)) };
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let address = if has_port { authority.to_owned() } else { format!("{authority}:80") };
    let stream = TcpStream::connect(&address).await.map_err(|error| error.to_string())?;
    let mut stream = BufReader::new(stream);
    let request = format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\nAccept: */*\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut line = Vec::new();
    let mut limited = (&mut stream).take(STATUS_LINE_MAX);
    limited.read_until(b'\n', &mut line).await.map_err(|error| error.to_string())?;
    let line = String::from_utf8_lossy(&line);
    let status =
        line.strip_prefix("HTTP/").and_then(|rest| rest.split(' ').nth(1)).and_then(|code| code.trim().parse().ok());
    status.ok_or_else(|| format!("{:?} is no HTTP answer", line.trim_end()))
}

/// Escapes what must not stand in a request line; what is escaped already stays.
fn escape(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'!'..=b'~' if !b"\"<>\\^`{|}".contains(&byte) => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// Answers requests with these statuses, one each, and gives back their first lines.
    async fn serve(listener: TcpListener, statuses: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        for status in statuses {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            stream.read_line(&mut line).await.unwrap();
            lines.push(line.trim_end().to_owned());
            stream.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").as_bytes()).await.unwrap();
        }
        lines
    }

    #[tokio::test]
    async fn a_failed_try_is_repeated_as_often_as_the_job_says() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/done?id=$jobId&how=$jobStatus now", listener.local_addr().unwrap());
        let notification = Notification { url, retries: 2, interval_ms: 1, timeout_ms: 20_000 };
        let told = notify(JobId::new("1", 2), JobState::Killed, notification);
        let (lines, ()) = tokio::join!(serve(listener, &["500 No", "200 OK"]), told);
        assert_eq!(lines, ["GET /done?id=job_1_0002&how=KILLED%20now HTTP/1.1"; 2]);
    }

    #[tokio::test]
    async fn nobody_there_is_given_up() {
        let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let notification =
            Notification { url: format!("http://{address}"), retries: 1, interval_ms: 1, timeout_ms: 20_000 };
        notify(JobId::new("1", 2), JobState::Succeeded, notification).await;
        assert!(get("https://h/").await.is_err());
    }
}
