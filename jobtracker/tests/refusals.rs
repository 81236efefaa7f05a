//! Jobs that are refused, calls that are refused, and what the client is told.

mod support;

use support::{JobFiles, client, get, site, start, submit};
use types::ExceptionKind;
use wire::ipc::GetProtocolVersion;
use wire::mapred::inter_tracker;
use wire::mapred::job_submission::{
    CancelDelegationToken, GetAllJobs, GetDelegationToken, GetJobStatus, GetQueueAclsForCurrentUser, GetQueueInfo,
    GetQueues, GetTaskDiagnostics, KillJob, RenewDelegationToken, SetJobPriority,
};
use wire::mapred::{admin, refresh_authorization_policy, refresh_user_mappings};

async fn refusal(files: JobFiles) -> String {
    let dir = tempfile::tempdir().unwrap();
    let mut conf = site(dir.path());
    conf.set_from("mapred.user.jobconf.limit", "3000", "mapred-site.xml");
    conf.set_from("mapred.jobtracker.maxtasks.per.job", "10", "mapred-site.xml");
    let daemon = start(conf).await;
    let client = client(&daemon, "ann");
    let error = submit(&client, &files).await.unwrap_err();
    let error = error.remote().unwrap_or_else(|| panic!("{error}"));
    assert_eq!(error.kind, ExceptionKind::Io);
    // Nothing of the job stays.
    let system = dir.path().join("tmp/mapred/system");
    let left =
        std::fs::read_dir(system).unwrap().flatten().filter(|e| e.file_name().to_string_lossy().starts_with("job_"));
    assert_eq!(left.count(), 0);
    assert_eq!(client.call(&GetAllJobs {}).await.unwrap(), []);
    error.message.clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_check_of_a_submission_says_what_is_wrong() {
    let cases = [
        (JobFiles::new(1, 1).set("user.name", "bob"), "bob"),
        (
            JobFiles::new(1, 1).set("mapred.job.queue.name", "none"),
            "java.io.IOException: Queue \"none\" does not exist",
        ),
        (JobFiles::new(1, 1).set("x", "y".repeat(4000)), "java.io.IOException: Exceeded max jobconf size: "),
        (
            JobFiles::new(9, 9),
            "java.io.IOException: The number of tasks for this job 18 exceeds the configured limit 10",
        ),
        (JobFiles::new(1, 1).set("mapred.job.priority", "URGENT"), "JobPriority.URGENT"),
        (
            JobFiles::new(1, 1).set("mapred.output.dir", "hdfs://nn:8020/out"),
            "mapred.output.dir is \"hdfs://nn:8020/out\"",
        ),
        (JobFiles::new(1, 1).set("mapred.input.dir", "/a,s3n://b/c"), "the scheme s3n"),
        (
            JobFiles::new(1, 1).set("howdah.child.native", "always").set("mapred.mapper.class", "my.Mapper"),
            "howdah.child.native is always, but",
        ),
    ];
    for (files, told) in cases {
        let message = refusal(files).await;
        assert!(message.contains(told), "{told:?} is not in {message:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_without_files_or_of_broken_xml_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let job = client.call(&wire::mapred::job_submission::GetNewJobId {}).await.unwrap();
    let submit_dir = format!("file:{}/none/{job}", dir.path().display());
    let credentials = types::Credentials::default();
    let call = wire::mapred::job_submission::SubmitJob { job: job.clone(), submit_dir, credentials };
    let error = client.call(&call).await.unwrap_err().to_string();
    assert!(error.contains("job.xml does not exist"), "{error}");
    let broken = dir.path().join("none").join(job.to_string());
    std::fs::create_dir_all(&broken).unwrap();
    std::fs::write(broken.join("job.xml"), "<configuration><property>").unwrap();
    let error = client.call(&call).await.unwrap_err().to_string();
    assert!(error.contains("job.xml: line 1"), "{error}");
    assert_eq!(get(&daemon, "/jobtracker.jsp").await.0, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_whose_splits_are_wrong_fails_with_the_cause() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let files = JobFiles::new(1, 0).set("mapred.map.tasks", 3);
    let job = submit(&client, &files).await.unwrap().job;
    let end = std::time::Instant::now() + support::DEADLINE;
    loop {
        let status = support::status(&client, &job).await;
        if status.state.is_complete() {
            assert_eq!(status.state, types::JobState::Failed);
            assert!(status.failure_info.contains('3'), "{}", status.failure_info);
            return;
        }
        assert!(std::time::Instant::now() < end, "still {:?}", status.state);
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_unknown_is_null_or_told() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let job = types::JobId::new("201301010000", 99);
    assert_eq!(client.call(&GetJobStatus { job: job.clone() }).await.unwrap(), None);
    client.call(&KillJob { job: job.clone() }).await.unwrap();
    let bad = SetJobPriority { job: job.clone(), priority: "URGENT".into() };
    assert!(client.call(&bad).await.unwrap_err().to_string().contains("JobPriority.URGENT"));
    assert_eq!(client.call(&GetQueueInfo { queue: "none".into() }).await.unwrap(), None);
    assert_eq!(client.call(&GetQueues {}).await.unwrap()[0].name, "default");
    assert_eq!(client.call(&GetQueueAclsForCurrentUser {}).await.unwrap().len(), 1);
    let attempt = job.task(types::TaskKind::Map, 0).attempt(0);
    let diagnostics = client.call(&GetTaskDiagnostics { attempt }).await;
    assert!(diagnostics.is_err() || diagnostics.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delegation_tokens_are_given_renewed_and_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let client = client(&daemon, "ann");
    let renewer = wire::object_writable::Text("ann/host@REALM".into());
    let token = client.call(&GetDelegationToken { renewer }).await.unwrap().unwrap();
    assert_eq!(token.kind, "MAPREDUCE_DELEGATION_TOKEN");
    assert!(client.call(&RenewDelegationToken { token: token.clone() }).await.unwrap() > 0);
    client.call(&CancelDelegationToken { token: token.clone() }).await.unwrap();
    let error = client.call(&RenewDelegationToken { token }).await.unwrap_err();
    assert_eq!(error.remote().unwrap().kind, ExceptionKind::InvalidToken);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administrators_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let me = std::process::Command::new("id").arg("-un").output().unwrap().stdout;
    let options = rpc::ClientOptions::for_user(String::from_utf8(me).unwrap().trim());
    let of = |protocol: &str| rpc::client::Client::new(daemon.rpc_address().to_string(), protocol, options.clone());
    let admins = of(admin::NAME);
    admins.call(&admin::RefreshQueues {}).await.unwrap();
    admins.call(&admin::RefreshNodes {}).await.unwrap();
    let safe_mode = |action| admin::SetSafeMode { action };
    assert!(admins.call(&safe_mode(types::SafeModeAction::Enter)).await.unwrap());
    let client = client(&daemon, "ann");
    let error = submit(&client, &JobFiles::new(1, 1)).await.unwrap_err();
    assert_eq!(error.remote().unwrap().kind, ExceptionKind::SafeMode);
    assert!(!admins.call(&safe_mode(types::SafeModeAction::Leave)).await.unwrap());
    submit(&client, &JobFiles::new(1, 1)).await.unwrap();

    let mappings = of(refresh_user_mappings::NAME);
    mappings.call(&refresh_user_mappings::RefreshUserToGroupsMappings {}).await.unwrap();
    mappings.call(&refresh_user_mappings::RefreshSuperUserGroupsConfiguration {}).await.unwrap();
    let policy = of(refresh_authorization_policy::NAME);
    let error = policy.call(&refresh_authorization_policy::RefreshServiceAcl {}).await.unwrap_err();
    assert_eq!(error.remote().unwrap().kind, ExceptionKind::Authorization);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiting_tracker_is_answered_as_soon_as_there_is_work() {
    let dir = tempfile::tempdir().unwrap();
    let daemon = start(site(dir.path())).await;
    let mut tracker = support::FakeTracker::new(daemon.rpc_address(), "host-a");
    tracker.beat().await;
    tracker.beat().await;
    let hello = GetProtocolVersion { protocol: format!("howdah.tracker.1:{}", tracker.name), client_version: 1 };
    let waiting = rpc::client::Client::new(
        daemon.rpc_address().to_string(),
        inter_tracker::NAME,
        rpc::ClientOptions::for_user("mapred"),
    );
    let held = waiting.call(&hello);
    tokio::pin!(held);
    let two_intervals = std::time::Duration::from_millis(600);
    let early = tokio::time::timeout(two_intervals, &mut held).await;
    assert!(early.is_err(), "answered {early:?} without work");

    let client = client(&daemon, "ann");
    let job = submit(&client, &JobFiles::new(1, 0)).await.unwrap().job;
    // The job is there; its setup is work, perhaps only once the splits are read.
    assert_eq!(held.await.unwrap(), 1);
    support::assert_succeeded(&tracker.beat_until_over(&client, &job).await);
}
