//! A JobTracker that is started anew in the place of one that ran a job.

mod support;

use std::time::Instant;

use configuration::Configuration;
use jobtracker::{Daemon, StartError};
use support::{FakeTracker, JobFiles, client, site, start, submit};
use types::TaskTrackerAction;
use wire::mapred::job_submission::{GetAllJobs, GetNewJobId};

/// Starts as soon as the port is free again.
async fn start_again(conf: &Configuration) -> Daemon {
    let end = Instant::now() + support::DEADLINE;
    loop {
        match jobtracker::start(conf.clone(), None).await {
            Ok(daemon) => return daemon,
            Err(StartError::Listen { .. }) if Instant::now() < end => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_jobs_are_gone_trackers_begin_anew_and_ids_are_not_given_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut conf = site(dir.path());
    let first = start(conf.clone()).await;
    conf.set_from("mapred.job.tracker", first.rpc_address().to_string(), "mapred-site.xml");
    let ann = client(&first, "ann");
    let old = submit(&ann, &JobFiles::new(2, 0)).await.unwrap().job;
    let mut tracker = FakeTracker::new(first.rpc_address(), "host-a");
    tracker.beat().await;
    // Its connections stay open, as those of a killed process would not.
    tracker.client.close().await;
    ann.close().await;
    drop(first);

    let second = start_again(&conf).await;
    assert_eq!(second.rpc_address().to_string(), conf.entry("mapred.job.tracker").unwrap().value);
    tracker.told.clear();
    let answer = tracker.beat().await;
    assert_eq!(tracker.told, [TaskTrackerAction::Reinit]);
    assert_eq!(answer.recovered_jobs, []);
    assert_eq!(ann.call(&GetAllJobs {}).await.unwrap(), []);
    let new = ann.call(&GetNewJobId {}).await.unwrap();
    assert_ne!(new, old);
    let left = std::fs::read_dir(dir.path().join("tmp/mapred/system")).unwrap().flatten();
    assert_eq!(left.filter(|entry| entry.file_name().to_string_lossy().starts_with("job_")).count(), 0);
}
