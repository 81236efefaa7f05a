//! A JobTracker that is started anew in the place of one that ran a job.

mod support;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use configuration::Configuration;
use jobtracker::Daemon;
use rpc::client::Client;
use support::{FakeTracker, JobFiles, assert_succeeded, client, site, start, status, submit};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use types::{JobId, JobPriority, JobState, TaskTrackerAction};
use wire::mapred::job_submission::{
    CancelDelegationToken, GetAllJobs, GetClusterStatus, GetDelegationToken, GetJobCounters, GetNewJobId,
    GetTaskCompletionEvents, RenewDelegationToken, SetJobPriority,
};

/// A JobTracker and the site that it, and whoever comes after it, is started with.
struct Scene {
    dir: tempfile::TempDir,
    conf: Configuration,
    daemon: Option<Daemon>,
}

impl Scene {
    async fn start(properties: &[(&str, &str)]) -> Scene {
        let dir = tempfile::tempdir().unwrap();
        let mut conf = site(dir.path());
        for (name, value) in properties {
            conf.set_from(*name, *value, "mapred-site.xml");
        }
        let daemon = start(conf.clone()).await;
        conf.set_from("mapred.job.tracker", daemon.rpc_address().to_string(), "mapred-site.xml");
        Scene { dir, conf, daemon: Some(daemon) }
    }

    fn daemon(&self) -> &Daemon {
        self.daemon.as_ref().unwrap()
    }

    fn system(&self) -> std::path::PathBuf {
        self.dir.path().join("tmp/mapred/system")
    }

    fn tracker(&self) -> FakeTracker {
        FakeTracker::new(self.daemon().rpc_address(), "host-a")
    }

    /// Ends the JobTracker as it stands.
    async fn stop(&mut self, clients: &[&Client]) {
        // Their connections stay open, as those of a killed process would not.
        for client in clients {
            client.close().await;
        }
        self.daemon = None;
    }

    /// Starts one in its place, as soon as the port is free again.
    async fn start_again(&mut self) {
        let daemon = support::start_again(&self.conf).await;
        assert_eq!(daemon.rpc_address().to_string(), self.conf.entry("mapred.job.tracker").unwrap().value);
        self.daemon = Some(daemon);
    }

    async fn restart(&mut self, clients: &[&Client]) {
        self.stop(clients).await;
        self.start_again().await;
    }
}

fn launched(told: &[TaskTrackerAction]) -> Vec<String> {
    let id = |action: &TaskTrackerAction| match action {
        TaskTrackerAction::Launch(task) => Some(task.attempt.to_string()),
        _ => None,
    };
    told.iter().filter_map(id).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_goes_on_wherever_it_was_and_nothing_runs_twice() {
    // After each of so many heartbeats the JobTracker is replaced; the job ends well before the last.
    for beats in 0..8 {
        let mut scene = Scene::start(&[]).await;
        let ann = client(scene.daemon(), "ann");
        let job = submit(&ann, &JobFiles::new(3, 2)).await.unwrap().job;
        let mut tracker = scene.tracker();
        tracker.beat().await;
        for _ in 0..beats {
            tracker.beat().await;
        }
        let had_some = !launched(&tracker.told).is_empty();
        let before = status(&ann, &job).await;
        let events = GetTaskCompletionEvents { job: job.clone(), from: 0, max: 100 };
        let old_events = ann.call(&events).await.unwrap();
        scene.restart(&[&ann, &tracker.client]).await;

        let after = status(&ann, &job).await;
        assert_eq!((after.state, after.start_time), (before.state, before.start_time), "after {beats} heartbeats");
        assert_eq!(ann.call(&events).await.unwrap(), old_events);
        let answer = tracker.beat().await;
        // That heartbeat may have ended it, or have brought the first attempt of it.
        let goes_on = !status(&ann, &job).await.state.is_complete();
        assert!(!goes_on || !had_some || answer.recovered_jobs == [job.clone()], "{:?}", answer.recovered_jobs);
        let ended = tracker.beat_until_over(&ann, &job).await;
        assert_succeeded(&ended);
        assert!(!tracker.told.contains(&TaskTrackerAction::Reinit));
        let launched = launched(&tracker.told);
        let unique: BTreeSet<&String> = launched.iter().collect();
        // Setup, three maps, two reduces, cleanup.
        assert_eq!((launched.len(), unique.len()), (7, 7), "after {beats} heartbeats: {launched:?}");
        assert!(launched.iter().all(|attempt| attempt.ends_with("_0")), "{launched:?}");
        let counters = ann.call(&GetJobCounters { job: job.clone() }).await.unwrap().unwrap();
        assert_eq!(counters.get("g", "done"), Some(5));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_launch_whose_answer_was_lost_runs_again_at_once() {
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let job = submit(&ann, &JobFiles::new(1, 0)).await.unwrap().job;
    let mut tracker = scene.tracker();
    // The setup.
    tracker.beat().await;
    tracker.beat_unheard().await;
    scene.restart(&[&ann, &tracker.client]).await;
    assert_succeeded(&tracker.beat_until_over(&ann, &job).await);
    let launched = launched(&tracker.told);
    let map = format!("{}_1", job.task(types::TaskKind::Map, 0).to_string().replace("task", "attempt"));
    assert!(launched.contains(&map), "{launched:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_a_tracker_that_the_journal_does_not_know_begins_anew() {
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let (mut known, mut other) = (scene.tracker(), FakeTracker::new(scene.daemon().rpc_address(), "host-b"));
    known.beat().await;
    scene.restart(&[&ann, &known.client]).await;
    let active = ann.call(&GetClusterStatus { detailed: false }).await.unwrap();
    assert_eq!((active.active_count, active.map_slots), (1, 2));
    known.beat().await;
    other.pretend_to_be_known();
    other.beat().await;
    assert_eq!((known.told, other.told), (vec![], vec![TaskTrackerAction::Reinit]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn priorities_finished_jobs_and_tokens_survive() {
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let mut tracker = scene.tracker();
    let done = submit(&ann, &JobFiles::new(1, 0)).await.unwrap().job;
    assert_succeeded(&tracker.beat_until_over(&ann, &done).await);
    let waiting = submit(&ann, &JobFiles::new(1, 0)).await.unwrap().job;
    ann.call(&SetJobPriority { job: waiting.clone(), priority: "VERY_HIGH".into() }).await.unwrap();
    let renewer = wire::object_writable::Text("ann".into());
    let token = ann.call(&GetDelegationToken { renewer: renewer.clone() }).await.unwrap().unwrap();
    let cancelled = ann.call(&GetDelegationToken { renewer }).await.unwrap().unwrap();
    ann.call(&CancelDelegationToken { token: cancelled.clone() }).await.unwrap();
    for _ in 0..2 {
        scene.restart(&[&ann, &tracker.client]).await;
        assert_succeeded(&status(&ann, &done).await);
        let waits = status(&ann, &waiting).await;
        assert_eq!((waits.state, waits.priority), (JobState::Prep, JobPriority::VeryHigh));
        assert!(ann.call(&RenewDelegationToken { token: token.clone() }).await.unwrap() > 0);
        assert!(ann.call(&RenewDelegationToken { token: cancelled.clone() }).await.is_err());
    }
    let new = ann.call(&GetNewJobId {}).await.unwrap();
    assert!(![&done, &waiting].contains(&&new));
    assert_succeeded(&tracker.beat_until_over(&ann, &waiting).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_waits_for_a_jobs_end_is_told_after_the_restart() {
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = nobody.local_addr().unwrap();
    drop(nobody);
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let mut tracker = scene.tracker();
    let files = JobFiles::new(1, 0)
        .set("job.end.notification.url", format!("http://{address}/?$jobId=$jobStatus"))
        .set("job.end.retry.attempts", 100)
        .set("job.end.retry.interval", 100_000);
    let job = submit(&ann, &files).await.unwrap().job;
    assert_succeeded(&tracker.beat_until_over(&ann, &job).await);
    scene.stop(&[&ann, &tracker.client]).await;
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    scene.start_again().await;
    let mut line = String::new();
    let accepted = tokio::time::timeout(support::DEADLINE, listener.accept()).await.expect("told in time");
    let mut stream = BufReader::new(accepted.unwrap().0);
    stream.read_line(&mut line).await.unwrap();
    assert_eq!(line.trim_end(), format!("GET /?{job}=SUCCEEDED HTTP/1.1"));
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await.unwrap();
    // Once is enough.
    wait_for_record(&scene.system().join(job.to_string()).join("journal")).await;
    scene.restart(&[&ann]).await;
    assert_succeeded(&status(&ann, &job).await);
    assert!(tokio::time::timeout(Duration::from_millis(300), listener.accept()).await.is_err(), "told twice");
}

/// Waits until a job's journal has the record that says that its end was told: field 16, true.
async fn wait_for_record(journal: &Path) {
    let end = Instant::now() + support::DEADLINE;
    while !std::fs::read(journal).unwrap().windows(3).any(|bytes| bytes == [0x80, 0x01, 0x01]) {
        assert!(Instant::now() < end, "no record of the notification");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_follows_the_last_whole_record_is_set_aside() {
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let mut tracker = scene.tracker();
    let job = submit(&ann, &JobFiles::new(2, 0)).await.unwrap().job;
    tracker.beat().await;
    scene.stop(&[&ann, &tracker.client]).await;
    let (shared, own) = (scene.system().join("journal"), scene.system().join(job.to_string()).join("journal"));
    let whole = std::fs::read(&own).unwrap();
    // A record that was cut off, and rubbish.
    std::fs::OpenOptions::new().append(true).open(&own).unwrap().write_all(&whole[..15]).unwrap();
    std::fs::OpenOptions::new().append(true).open(&shared).unwrap().write_all(b"rubbish").unwrap();
    scene.start_again().await;
    assert_eq!(std::fs::read(format!("{}.bad.1", own.display())).unwrap(), whole[..15]);
    assert_eq!(std::fs::read(format!("{}.bad.1", shared.display())).unwrap(), b"rubbish");
    assert_succeeded(&tracker.beat_until_over(&ann, &job).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_without_a_journal_is_submitted_again() {
    // As one that Hadoop's own JobTracker left.
    let mut scene = Scene::start(&[]).await;
    let ann = client(scene.daemon(), "ann");
    let mut tracker = scene.tracker();
    let job = submit(&ann, &JobFiles::new(2, 0)).await.unwrap().job;
    let dropped = JobFiles::new(1, 0).set("mapreduce.job.restart.recover", false);
    let dropped = submit(&ann, &dropped).await.unwrap().job;
    tracker.beat().await;
    scene.stop(&[&ann, &tracker.client]).await;
    for job in [&job, &dropped] {
        std::fs::remove_file(scene.system().join(job.to_string()).join("journal")).unwrap();
    }
    scene.start_again().await;
    let end = Instant::now() + support::DEADLINE;
    let known = loop {
        let jobs: Vec<JobId> = ann.call(&GetAllJobs {}).await.unwrap().into_iter().map(|status| status.job).collect();
        if !jobs.is_empty() && !scene.system().join(dropped.to_string()).exists() {
            break jobs;
        }
        assert!(Instant::now() < end, "not submitted again: {jobs:?}");
        tokio::task::yield_now().await;
    };
    assert_eq!(known, std::slice::from_ref(&job));
    assert_succeeded(&tracker.beat_until_over(&ann, &job).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_jobs_are_gone_where_the_site_says_so() {
    let mut scene = Scene::start(&[("mapred.jobtracker.restart.recover", "false")]).await;
    let ann = client(scene.daemon(), "ann");
    let old = submit(&ann, &JobFiles::new(2, 0)).await.unwrap().job;
    let mut tracker = scene.tracker();
    tracker.beat().await;
    scene.restart(&[&ann, &tracker.client]).await;
    tracker.told.clear();
    let answer = tracker.beat().await;
    assert_eq!(tracker.told, [TaskTrackerAction::Reinit]);
    assert_eq!(answer.recovered_jobs, []);
    assert_eq!(ann.call(&GetAllJobs {}).await.unwrap(), []);
    let new = ann.call(&GetNewJobId {}).await.unwrap();
    assert_ne!(new, old);
    let left = std::fs::read_dir(scene.system()).unwrap().flatten();
    assert_eq!(left.filter(|entry| entry.file_name().to_string_lossy().starts_with("job_")).count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_jobtracker_is_refused_and_one_whose_directory_is_taken_over_stops() {
    let scene = Scene::start(&[]).await;
    let mut other = scene.conf.clone();
    other.set_from("mapred.job.tracker", "127.0.0.1:0", "mapred-site.xml");
    let error = jobtracker::start(other.clone(), None).await.err().expect("refused").to_string();
    let expected = format!("process {} at 127.0.0.1:{}", std::process::id(), scene.daemon().rpc_address().port());
    assert!(error.starts_with("mapred.system.dir is ") && error.contains(&expected), "{error}");

    let ann = client(scene.daemon(), "ann");
    let staged = submit(&ann, &JobFiles::new(1, 0)).await.unwrap().job;
    std::fs::remove_file(scene.system().join("jobtracker.lock")).unwrap();
    let second = start(other).await;
    let refused = submit(&ann, &JobFiles::new(1, 0)).await;
    assert!(refused.is_err(), "{refused:?}");
    tokio::time::timeout(support::DEADLINE, scene.daemon().fenced()).await.expect("stops");
    assert_eq!(status(&client(&second, "ann"), &staged).await.state, JobState::Prep);
}
