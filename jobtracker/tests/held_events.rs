//! A client that waits for its job hears of its end at once; one that asks but once is answered at once.

mod support;

use std::time::{Duration, Instant};

use support::{DEADLINE, FakeTracker, JobFiles, assert_succeeded, client, site, start, status, submit};
use types::CompletionStatus;
use wire::mapred::job_submission::GetTaskCompletionEvents;

/// The longest that a question may be held.
const HELD_MAX: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_second_question_of_a_connection_is_held_until_the_job_ends() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let job = submit(&client, &JobFiles::new(1, 1)).await.unwrap().job;
    let ask = GetTaskCompletionEvents { job: job.clone(), from: 0, max: 100 };
    assert_eq!(client.call(&ask).await.unwrap(), [], "no tracker has come yet");

    let (working, end) = (job.clone(), Instant::now() + DEADLINE);
    let address = daemon.rpc_address();
    let other = support::client(&daemon, "bob");
    let tracker =
        tokio::spawn(async move { FakeTracker::new(address, "host-a").beat_until_over(&other, &working).await });
    let mut events = Vec::new();
    while events.is_empty() {
        let asked = Instant::now();
        events = client.call(&ask).await.unwrap();
        assert!(!events.is_empty() || asked.elapsed() >= HELD_MAX, "nothing was told after {:?}", asked.elapsed());
        assert!(Instant::now() < end, "no event within {DEADLINE:?}");
    }
    assert_succeeded(&tracker.await.unwrap());
    assert!(events.iter().all(|event| event.status == CompletionStatus::Succeeded), "{events:?}");
    // A job that is over has nobody to wait for it.
    let beyond = GetTaskCompletionEvents { job: job.clone(), from: 100, max: 100 };
    let asked = Instant::now();
    assert_eq!(client.call(&beyond).await.unwrap(), []);
    assert!(asked.elapsed() < HELD_MAX, "held for {:?}", asked.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_question_and_questions_about_several_jobs_are_answered_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut conf = site(dir.path());
    let daemon = start(conf.clone()).await;
    let several = client(&daemon, "ann");
    let mut asks = Vec::new();
    for _ in 0..2 {
        let job = submit(&several, &JobFiles::new(1, 0)).await.unwrap().job;
        asks.push(GetTaskCompletionEvents { job, from: 0, max: 100 });
    }
    let begun = Instant::now();
    for ask in asks.iter().cycle().take(6) {
        assert_eq!(several.call(ask).await.unwrap(), []);
    }
    assert!(begun.elapsed() < HELD_MAX, "six questions took {:?}", begun.elapsed());
    drop(daemon);

    let dir = tempfile::tempdir().unwrap();
    conf = site(dir.path());
    conf.set_from("howdah.jobtracker.hold.events", "false", "mapred-site.xml");
    let daemon = start(conf).await;
    let client = client(&daemon, "ann");
    let job = submit(&client, &JobFiles::new(1, 0)).await.unwrap().job;
    let ask = GetTaskCompletionEvents { job: job.clone(), from: 0, max: 100 };
    let begun = Instant::now();
    for _ in 0..3 {
        assert_eq!(client.call(&ask).await.unwrap(), []);
    }
    assert!(begun.elapsed() < HELD_MAX, "three questions took {:?}", begun.elapsed());
    assert!(!status(&client, &job).await.state.is_complete());
}
