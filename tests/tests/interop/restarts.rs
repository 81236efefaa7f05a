//! Our JobTracker is killed and started again under Hadoop's own TaskTracker, child and client: what runs goes on.

use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};
use types::{CompletionStatus, JobId, TaskKind};
use wire::mapred::job_submission::{GetAllJobs, GetMapTaskReports, GetTaskCompletionEvents};

const DEADLINE: Duration = Duration::from_secs(240);

fn await_that(what: &str, condition: impl FnMut() -> bool) {
    assert!(wait_until(DEADLINE, condition), "not within {DEADLINE:?}: {what}");
}

/// Maps that are done, and the children of attempts that run.
fn progress(cluster: &Cluster, job: &JobId) -> (usize, Vec<nix::unistd::Pid>) {
    let reports = cluster.rpc_client().call(&GetMapTaskReports { job: job.clone() }).unwrap_or_default();
    let done = reports.iter().filter(|report| report.successful.is_some()).count();
    let running = reports.iter().flat_map(|report| &report.running);
    (done, running.filter_map(|attempt| cluster.child_of(attempt)).collect())
}

#[test]
fn hadoops_tasktracker_keeps_its_attempts_and_its_map_output() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let options = ClusterOptions { tasktrackers: vec![Make::Hadoop], ..ClusterOptions::of(Make::Howdah) };
    // Without a policy Hadoop's client ends at the first call that fails; half a second, up to 60 times.
    let options = options
        .set("mapreduce.jobclient.retry.policy.enabled", "true")
        .set("mapreduce.jobclient.retry.policy.spec", "500,60");
    let mut cluster = Cluster::start(&install, &options);
    let args = ["sleep", "-m", "4", "-r", "1", "-mt", "4000", "-rt", "1000"];
    let mut client = cluster.java_jar_in_background("hadoop-examples", &args, "client.log");
    let mut job = None;
    await_that("a job was submitted", || {
        let jobs = cluster.rpc_client().call(&GetAllJobs {}).unwrap_or_default();
        job = jobs.first().map(|status| status.job.clone());
        job.is_some()
    });
    let job = job.expect("awaited");
    let mut children = Vec::new();
    await_that("some maps are done and others run", || {
        let (done, running) = progress(&cluster, &job);
        children = running;
        done > 0 && !children.is_empty()
    });
    cluster.jobtracker.kill();
    cluster.restart_jobtracker();

    assert_eq!(client.exit_code(DEADLINE), Some(0), "{}\n{}", client.log(), cluster.jobtracker.log());
    let call = GetTaskCompletionEvents { job: job.clone(), from: 0, max: 100 };
    let events = cluster.rpc_client().call(&call).expect("events");
    // Setup, four maps, a reduce, cleanup; each ran once.
    assert_eq!(events.len(), 7, "{events:#?}");
    assert!(events.iter().all(|event| event.status == CompletionStatus::Succeeded), "{events:#?}");
    assert!(events.iter().all(|event| event.attempt.number == 0), "{events:#?}");
    assert_eq!(events.iter().filter(|event| event.attempt.kind() == TaskKind::Map && event.is_map).count(), 4);
    let log = cluster.tasktrackers[0].log();
    assert!(!log.contains("ReinitTrackerAction"), "the TaskTracker began anew: {log}");
    let told = client.log();
    assert!(!told.contains("Task Id :") && told.contains("Job complete"), "{told}");
}
