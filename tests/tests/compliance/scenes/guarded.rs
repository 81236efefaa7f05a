//! A JobTracker of the cell's make with access lists and three queues, and jobs of several users there. Nothing runs: it has
//! no TaskTracker.

use std::path::PathBuf;

use howdah_tests::harness::{Cluster, ClusterOptions};
use rpc::blocking::Client;
use rpc::{CallError, ClientOptions};
use types::{Credentials, JobId, JobStatus, JobTrackerState};
use wire::mapred::job_submission::{self, GetClusterStatus, GetNewJobId, GetStagingAreaDir, SubmitJob};

use crate::bench::Bench;
use crate::files::{DEADLINE, await_that, write};

/// Whoever submits jobs there.
pub(crate) const OWNER: &str = "olga";
/// Somebody who may look at the jobs that say so.
pub(crate) const FRIEND: &str = "fred";

pub(crate) struct Guarded {
    pub(crate) cluster: Cluster,
    /// A job that its owner alone may look at.
    pub(crate) own: JobId,
    /// A job that its owner's friend may look at.
    pub(crate) shown: JobId,
}

pub(super) fn play(bench: &Bench) -> Guarded {
    let mut options = ClusterOptions::of(bench.cell.jobtracker)
        .set("mapred.queue.names", "default,stopped,guarded")
        .set("mapred.queue.stopped.state", "STOPPED")
        .set("mapred.acls.enabled", "true")
        .set("mapred.queue.default.acl-submit-job", "*")
        // Whoever administers a queue may do anything with its jobs, and that would be everybody.
        .set("mapred.queue.default.acl-administer-jobs", "nobody-else")
        .set("mapred.queue.stopped.acl-submit-job", "*")
        .set("mapred.queue.guarded.acl-submit-job", FRIEND);
    options.tasktrackers.clear();
    let cluster = Cluster::start(bench.cluster.install(), &options);
    // Hadoop's answers this question before it takes jobs.
    await_that("the JobTracker runs", || {
        let status = cluster.rpc_client().call(&GetClusterStatus { detailed: false });
        status.is_ok_and(|status| status.state == JobTrackerState::Running)
    });
    let submit = |more: &[(&str, &str)]| submit(&cluster, OWNER, "default", more).expect("it may submit").job;
    let own = submit(&[]);
    let shown = submit(&[("mapreduce.job.acl-view-job", FRIEND)]);
    Guarded { own, shown, cluster }
}

/// A client of that JobTracker's, as a user.
pub(crate) fn client(cluster: &Cluster, user: &str) -> Client {
    let options = ClientOptions { call_timeout: Some(DEADLINE), ..ClientOptions::for_user(user) };
    Client::new(format!("127.0.0.1:{}", cluster.rpc_port), job_submission::NAME, options)
}

/// Submits a job of nothing as a user.
pub(crate) fn submit(
    cluster: &Cluster,
    user: &str,
    queue: &str,
    more: &[(&str, &str)],
) -> Result<JobStatus, CallError> {
    let rpc = client(cluster, user);
    let job = rpc.call(&GetNewJobId {}).expect("an id");
    let area = rpc.call(&GetStagingAreaDir {}).expect("a directory");
    let dir = format!("{area}/{job}");
    let mut conf = String::from("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (key, value) in [("user.name", user), ("mapred.job.queue.name", queue)].iter().chain(more) {
        conf.push_str(&format!("<property><name>{key}</name><value>{value}</value></property>\n"));
    }
    conf.push_str("</configuration>\n");
    write(&PathBuf::from(dir.trim_start_matches("file:")).join("job.xml"), &conf);
    rpc.call(&SubmitJob { job, submit_dir: dir, credentials: Credentials::default() })
}
