//! The daemon on loopback: whole jobs over the wire, and what stays on disk.

mod support;

use std::path::Path;

use support::{FakeTracker, JobFiles, assert_succeeded, client, site, start, submit};
use types::{CompletionStatus, TaskTrackerAction};
use wire::history::RecordType;
use wire::mapred::job_submission::{
    GetJobCounters, GetJobProfile, GetMapTaskReports, GetSystemDir, GetTaskCompletionEvents,
};

/// All files below a directory, by their paths from there.
fn files_below(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        for entry in std::fs::read_dir(next).into_iter().flatten().map(Result::unwrap) {
            if entry.path().is_dir() {
                directories.push(entry.path());
            } else {
                found.push(entry.path().strip_prefix(directory).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_runs_from_submission_to_history() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let files = JobFiles::new(3, 1).set("mapred.output.dir", dir.path().join("out").display());
    let submitted = submit(&client, &files).await.unwrap();
    let job = submitted.job.clone();

    let system = client.call(&GetSystemDir {}).await.unwrap().unwrap();
    let stored = Path::new(system.strip_prefix("file:").unwrap()).join(job.to_string());
    assert!(stored.join("job-info").exists());
    let tokens = wire::credentials::read_storage(&std::fs::read(stored.join("jobToken")).unwrap()).unwrap();
    assert_eq!(tokens.token("ShuffleAndJobToken").unwrap().service, job.to_string());

    let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
    assert_succeeded(&tracker.beat_until_over(&client, &job).await);

    // Setup, maps, reduce, cleanup, in that order; the finished reduce and the job are cleaned up.
    let launched: Vec<String> = tracker
        .told
        .iter()
        .filter_map(|action| match action {
            TaskTrackerAction::Launch(task) => Some(task.attempt.task.to_string().split_off(job.to_string().len() + 2)),
            _ => None,
        })
        .collect();
    assert_eq!(launched.len(), 6, "{launched:?}");
    assert_eq!((launched[0].as_str(), launched[5].as_str()), ("m_000004", "m_000003"));
    assert!(tracker.told.iter().any(|action| matches!(action, TaskTrackerAction::CommitTask(_))));

    let profile = client.call(&GetJobProfile { job: job.clone() }).await.unwrap().unwrap();
    assert_eq!((profile.user.as_str(), profile.name.as_str(), profile.queue.as_str()), ("ann", "a_job", "default"));
    let page = format!("http://127.0.0.1:{}/jobdetails.jsp?jobid={job}", daemon.http_address().port());
    assert_eq!(profile.url, page);
    let counters = client.call(&GetJobCounters { job: job.clone() }).await.unwrap().unwrap();
    assert_eq!(counters.get("g", "done"), Some(4));
    let reports = client.call(&GetMapTaskReports { job: job.clone() }).await.unwrap();
    assert_eq!(reports.len(), 3);
    let events = client.call(&GetTaskCompletionEvents { job: job.clone(), from: 0, max: 100 }).await.unwrap();
    assert!(events.iter().all(|event| event.status == CompletionStatus::Succeeded));

    assert_history(dir.path(), &job.to_string()).await;
    wait_until(|| {
        !stored.join("job-info").exists() && !dir.path().join(format!("tmp/mapred/staging/ann/.staging/{job}")).exists()
    })
    .await;
}

async fn wait_until(condition: impl Fn() -> bool) {
    let end = std::time::Instant::now() + support::DEADLINE;
    while !condition() {
        assert!(std::time::Instant::now() < end, "waited in vain");
        tokio::task::yield_now().await;
    }
}

/// The history is where 1.2.1 puts it, twice, and can be read.
async fn assert_history(dir: &Path, job: &str) {
    let history = dir.join("logs/history");
    let done = || {
        files_below(&history.join("done/version-1"))
            .into_iter()
            .find(|path| path.ends_with("_ann_a%5Fjob") && path.contains(job))
    };
    wait_until(|| done().is_some()).await;
    let name = done().unwrap();
    let parts: Vec<&str> = name.split('/').collect();
    assert!(parts[0].starts_with("127.0.0.1_") && parts[0].ends_with('_'), "{name}");
    assert_eq!((parts.len(), parts[4]), (6, "000000"), "{name}");
    let text = std::fs::read_to_string(history.join("done/version-1").join(&name)).unwrap();
    let records = wire::history::parse(&text).unwrap();
    assert_eq!(records[0].kind, RecordType::Meta);
    assert_eq!(records.iter().filter(|record| record.kind == RecordType::MapAttempt).count(), 2 * 5);
    assert!(text.trim_end().lines().last().unwrap().contains("JOB_STATUS=\"SUCCESS\""));
    let user = dir.join("out/_logs/history");
    assert_eq!(std::fs::read_to_string(user.join(parts[5])).unwrap(), text);
    assert!(user.join(format!("{job}_conf.xml")).exists());
    assert!(dir.join(format!("logs/{job}_conf.xml")).exists());
}
