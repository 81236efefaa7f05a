//! The disk below the system directory is full: nothing new is taken, what runs goes on, and nothing is lost once there is
//! room again. Needs root, for a small file system of its own; it says so and ends where it cannot have one.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use support::{FakeTracker, JobFiles, assert_succeeded, client, site, start, status, submit};

/// Tells the inner run from the outer one.
const INSIDE: &str = "HOWDAH_TEST_INSIDE";

#[test]
fn a_full_disk_refuses_jobs_and_lets_running_ones_go_on() {
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        return runtime.block_on(with_a_small_disk());
    }
    // A private mount namespace goes with its process, whatever happens.
    let may_mount = Command::new("unshare").args(["-m", "true"]).status().is_ok_and(|status| status.success());
    if !may_mount {
        eprintln!("not tested: this user may not have a mount namespace");
        return;
    }
    let mut inner = Command::new("unshare");
    inner.arg("-m").arg(std::env::current_exe().unwrap()).args(["--exact", "--nocapture"]);
    let done = inner.arg("a_full_disk_refuses_jobs_and_lets_running_ones_go_on").env(INSIDE, "1").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "{}\n{}", text(&done.stdout), text(&done.stderr));
}

async fn with_a_small_disk() {
    let dir = tempfile::tempdir().unwrap();
    let system = dir.path().join("tmp/mapred/system");
    std::fs::create_dir_all(&system).unwrap();
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"]).arg(&system).status().unwrap();
    assert!(mounted.success());
    let mut conf = site(dir.path());
    let daemon = start(conf.clone()).await;
    conf.set_from("mapred.job.tracker", daemon.rpc_address().to_string(), "mapred-site.xml");
    let ann = client(&daemon, "ann");
    let job = submit(&ann, &JobFiles::new(60, 1)).await.unwrap().job;
    let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
    tracker.beat().await;

    let filler = system.join("filler");
    fill(&filler);
    let refused = submit(&ann, &JobFiles::new(1, 0)).await.unwrap_err().to_string();
    assert!(refused.contains("No space left on device"), "{refused}");
    assert_succeeded(&tracker.beat_until_over(&ann, &job).await);
    let refused = submit(&ann, &JobFiles::new(1, 0)).await.unwrap_err().to_string();
    assert!(refused.contains("No space left on device"), "{refused}");

    std::fs::remove_file(&filler).unwrap();
    let end = Instant::now() + support::DEADLINE;
    let next = loop {
        match submit(&ann, &JobFiles::new(1, 0)).await {
            Ok(status) => break status.job,
            Err(error) => assert!(Instant::now() < end, "still refused: {error}"),
        }
        tokio::task::yield_now().await;
    };
    ann.close().await;
    tracker.client.close().await;
    drop(daemon);
    let daemon = support::start_again(&conf).await;
    let ann = client(&daemon, "ann");
    assert_succeeded(&status(&ann, &job).await);
    assert_succeeded(&tracker.beat_until_over(&ann, &next).await);
}

/// Takes all room that is left.
fn fill(path: &Path) {
    use std::io::Write;
    let mut file = std::fs::File::create(path).unwrap();
    while file.write_all(&[7; 512]).is_ok() {}
    while file.write_all(&[7]).is_ok() {}
}
