//! A JobTracker under the fair scheduler: its allocation file, its page with what may be changed there, refused pools.

mod support;

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use configuration::Configuration;
use jobtracker::Daemon;
use support::{DEADLINE, FakeTracker, JobFiles, assert_succeeded, client, get, site, start, status, submit};
use types::{ExceptionKind, JobState};

const POOLS: &str = "<allocations><pool name=\"reports\"><minMaps>1</minMaps><maxMaps>7</maxMaps></pool></allocations>";

/// A site with the fair scheduler and that allocation file.
fn fair_site(dir: &Path, allocations: &str) -> Configuration {
    let file = dir.join("pools.xml");
    std::fs::write(&file, allocations).unwrap();
    let mut conf = site(dir);
    for (name, value) in [
        ("mapred.jobtracker.taskScheduler", "org.apache.hadoop.mapred.FairScheduler".to_owned()),
        ("mapred.fairscheduler.allocation.file", file.display().to_string()),
    ] {
        conf.set_from(name, value, "mapred-site.xml");
    }
    conf
}

/// Gets a page until a fact stands there.
async fn wait_for(daemon: &Daemon, address: &str, fact: &str) -> String {
    let end = Instant::now() + DEADLINE;
    loop {
        let (status, body) = get(daemon, address).await;
        assert_eq!(status, 200, "{body}");
        if body.contains(fact) {
            return body;
        }
        assert!(Instant::now() < end, "{fact:?} does not come to stand in {body}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_of_pools_run_and_the_page_changes_them_where_the_site_allows() {
    let dir = tempfile::tempdir().unwrap();
    for allowed in [false, true] {
        let mut conf = fair_site(dir.path(), POOLS);
        conf.set_from("webinterface.private.actions", allowed.to_string(), "mapred-site.xml");
        let daemon = start(conf).await;
        let client = client(&daemon, "ann");
        let files = JobFiles::new(2, 1).set("mapred.fairscheduler.pool", "null").set("mapred.job.name", "<b>");
        let job = submit(&client, &files).await.unwrap().job;
        let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
        let end = Instant::now() + DEADLINE;
        while status(&client, &job).await.state != JobState::Running {
            assert!(Instant::now() < end, "the setup does not end");
            tracker.beat().await;
        }
        let body = wait_for(&daemon, "/scheduler", &job.to_string()).await;
        for fact in ["<td>reports</td><td>0</td><td>1</td><td>7</td>", "<td>null</td><td>1</td>", "FAIR", "&lt;b&gt;"] {
            assert!(body.contains(fact), "{fact:?} is not in {body}");
        }
        assert!(!body.contains("Map Weight") && body.contains("<select") == allowed, "{body}");
        let advanced = wait_for(&daemon, "/scheduler?advanced", "Map Weight").await;
        assert!(advanced.contains("Reduce Weight"), "{advanced}");

        for change in ["setPool=reports", "setPriority=VERY_HIGH&advanced"] {
            let (status, _) = get(&daemon, &format!("/scheduler?{change}&jobid={job}")).await;
            assert_eq!(status, if allowed { 302 } else { 200 }, "{change}");
        }
        let (pool, weight) = if allowed { ("reports", 4) } else { ("null", 1) };
        wait_for(&daemon, "/scheduler?advanced", &format!("<td>{pool}</td><td>1</td>")).await;
        wait_for(&daemon, "/scheduler?advanced", &format!("<td>{weight}.0</td>")).await;
        let (status, body) = get(&daemon, &format!("/scheduler?setPriority=URGENT&jobid={job}")).await;
        assert_eq!(status, if allowed { 500 } else { 200 }, "{body}");
        assert_succeeded(&tracker.beat_until_over(&client, &job).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pool_that_nobody_declared_is_refused_where_the_site_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut conf = fair_site(dir.path(), POOLS);
    conf.set_from("mapred.fairscheduler.allow.undeclared.pools", "false", "mapred-site.xml");
    let daemon = start(conf).await;
    let client = client(&daemon, "ann");
    let error = submit(&client, &JobFiles::new(1, 0)).await.unwrap_err();
    let error = error.remote().unwrap();
    assert_eq!(error.kind, ExceptionKind::UndeclaredPool);
    let text =
        "Pool name: 'ann' is invalid. Add pool name to the fair scheduler allocation file. Valid pools are: reports";
    assert_eq!(error.message, text);
    submit(&client, &JobFiles::new(1, 0).set("mapred.fairscheduler.pool", "reports")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_with_a_broken_file_fails_with_file_and_line() {
    let dir = tempfile::tempdir().unwrap();
    let broken = "<allocations>\n<pool name=\"a\"><weight>heavy</weight></pool></allocations>";
    let error = jobtracker::start(fair_site(dir.path(), broken), None).await.err().unwrap().to_string();
    assert!(error.contains("pools.xml: line 2: weight is \"heavy\"; expected a number, 0 or more"), "{error}");
}

/// The file is looked at every ten seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_file_takes_effect_and_a_broken_one_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(fair_site(dir.path(), POOLS)).await;
    let write = |text: &str, age: u64| {
        let path = dir.path().join("pools.xml");
        std::fs::write(&path, text).unwrap();
        let written = SystemTime::now() - Duration::from_secs(age);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
    };
    write("<allocations><pool name=\"reports\"><minMaps>5</minMaps></pool></allocations>", 60);
    wait_for(&daemon, "/scheduler", "<td>reports</td><td>0</td><td>5</td>").await;
    write("<allocations>\n\n<pool name=\"reports\"><minMaps>six</minMaps></pool></allocations>", 50);
    let body = wait_for(&daemon, "/scheduler", "The allocation file cannot be used").await;
    assert!(body.contains("pools.xml: line 3: minMaps is &quot;six&quot;; expected a whole number"), "{body}");
    assert!(body.contains("<td>reports</td><td>0</td><td>5</td>"), "{body}");
}
