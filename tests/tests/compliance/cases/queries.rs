//! What any client may ask the JobTracker, answered by direct calls: of jobs that exist and of jobs that do not.

use types::{CompletionStatus, JobId, JobPriority, JobState, JobTrackerState, TaskKind, TipStatus};
use wire::ipc::GetProtocolVersion;
use wire::mapred::job_submission::{
    self, GetAllJobs, GetCleanupTaskReports, GetClusterStatus, GetFilesystemName, GetJobCounters, GetJobProfile,
    GetJobStatus, GetMapTaskReports, GetNewJobId, GetQueueAclsForCurrentUser, GetQueueAdmins, GetQueueInfo, GetQueues,
    GetReduceTaskReports, GetSetupTaskReports, GetStagingAreaDir, GetSystemDir, GetTaskCompletionEvents,
    GetTaskDiagnostics, JobsToComplete, KillJob, KillTask, SetJobPriority,
};

use crate::bench::{Bench, shown};
use crate::case::Case;
use crate::cell::Part;
use crate::job::refusal;

const CLUSTER: &str = "queries of the cluster";
const JOBS: &str = "queries of a job";
const UNKNOWN: &str = "queries of an unknown job";

/// A job that was never submitted.
fn nobody() -> JobId {
    JobId::new("200101010000", 9)
}

pub(super) const CASES: &[Case] = &[
    Case::more(CLUSTER, "the protocol's version is 28, whatever the client's is", |bench| {
        for client_version in [28, 27, 1] {
            let call = GetProtocolVersion { protocol: job_submission::NAME.to_owned(), client_version };
            assert_eq!(bench.rpc().call(&call).expect("a version"), 28);
        }
    }),
    Case::more(CLUSTER, "the version of an unknown protocol is an error that names it", |bench| {
        let call = GetProtocolVersion { protocol: "no.such.Protocol".to_owned(), client_version: 1 };
        let error = refusal(bench.rpc().call(&call));
        assert!(error.message.contains("Unknown protocol to job tracker: no.such.Protocol"), "{error:?}");
    }),
    Case::more(CLUSTER, "job ids count up", |bench| {
        let (first, second) = (bench.rpc().call(&GetNewJobId {}), bench.rpc().call(&GetNewJobId {}));
        let (first, second) = (first.expect("an id"), second.expect("an id"));
        assert_eq!(first.jt_identifier, second.jt_identifier);
        assert!(second.number > first.number, "{first} and {second}");
    }),
    Case::more(CLUSTER, "a user's staging area is below the root of them all", |bench| {
        let dir = bench.rpc().call(&GetStagingAreaDir {}).expect("a directory");
        let user = bench.word_count().ran.job(bench).profile().user;
        let expected = format!("file:{}/{user}/.staging", shown(&bench.path("tmp/mapred/staging")));
        assert_eq!(dir, expected);
    }),
    Case::more(CLUSTER, "the system directory is told", |bench| {
        let dir = bench.rpc().call(&GetSystemDir {}).expect("an answer");
        assert_eq!(dir, Some(format!("file:{}", shown(&bench.path("tmp/mapred/system")))));
    }),
    Case::more(CLUSTER, "the default file system is told", |bench| {
        assert_eq!(bench.rpc().call(&GetFilesystemName {}).expect("an answer"), "file:///");
    }),
    Case::more(CLUSTER, "the cluster's figures are told", |bench| {
        let status = bench.rpc().call(&GetClusterStatus { detailed: false }).expect("a status");
        assert_eq!((status.active_count, status.blacklisted_count, status.excluded_count), (2, 0, 0), "{status:?}");
        assert_eq!((status.map_slots, status.reduce_slots), (6, 4), "{status:?}");
        assert_eq!(status.state, JobTrackerState::Running);
        assert_eq!(status.tracker_expiry_ms, 8000);
        assert!(status.active.is_empty() && status.blacklisted.is_empty(), "names were not asked for: {status:?}");
    }),
    Case::more(CLUSTER, "the trackers are named on demand", |bench| {
        let status = bench.rpc().call(&GetClusterStatus { detailed: true }).expect("a status");
        assert_eq!(status.active.len(), 2, "{status:?}");
        for name in &status.active {
            assert!(name.starts_with("tracker_") && name.contains("/127.0.0.1:"), "{name}");
        }
        assert!(status.graylisted.is_empty(), "{status:?}");
    }),
    Case::more(CLUSTER, "the trackers are listed by the client", |bench| {
        let run = bench.job(&["-list-active-trackers"]).expect_success();
        assert_eq!(run.stdout.lines().filter(|line| line.starts_with("tracker_")).count(), 2, "{}", run.stdout);
        let run = bench.job(&["-list-blacklisted-trackers"]).expect_success();
        assert_eq!(run.stdout, "");
    }),
    Case::more(CLUSTER, "there is one queue by default", |bench| {
        let queues = bench.rpc().call(&GetQueues {}).expect("queues");
        assert_eq!(queues.len(), 1, "{queues:?}");
        assert_eq!((queues[0].name.as_str(), queues[0].state.as_str()), ("default", "running"));
        let queue = bench.rpc().call(&GetQueueInfo { queue: "default".to_owned() }).expect("an answer");
        assert_eq!(queue.as_ref(), queues.first());
    }),
    Case::more(CLUSTER, "a queue that does not exist is null", |bench| {
        assert_eq!(bench.rpc().call(&GetQueueInfo { queue: "nowhere".to_owned() }).expect("an answer"), None);
    }),
    Case::more(CLUSTER, "a queue's administrators are told", |bench| {
        let admins = bench.rpc().call(&GetQueueAdmins { queue: "default".to_owned() }).expect("an answer");
        assert!(admins.everybody, "{admins:?}");
    }),
    Case::more(CLUSTER, "what a user may do in a queue is told", |bench| {
        let acls = bench.rpc().call(&GetQueueAclsForCurrentUser {}).expect("an answer");
        assert_eq!(acls.len(), 1, "{acls:?}");
        let mut operations: Vec<String> = acls[0].operations.iter().flatten().cloned().collect();
        operations.sort();
        assert_eq!(
            (acls[0].queue.as_str(), operations),
            ("default", vec!["acl-administer-jobs".to_owned(), "acl-submit-job".to_owned()])
        );
    }),
    Case::more(CLUSTER, "a queue's jobs are those that have not ended", |bench| {
        let scene = bench.gated();
        assert!(scene.in_queue.contains(&scene.ran.id), "{:?}", scene.in_queue);
    }),
    Case::more(CLUSTER, "a job that has ended is not to complete", |bench| {
        let job = bench.word_count().ran.id.clone();
        let (rest, all) = (bench.rpc().call(&JobsToComplete {}), bench.rpc().call(&GetAllJobs {}));
        assert!(!rest.expect("jobs").iter().any(|status| status.job == job));
        assert!(all.expect("jobs").iter().any(|status| status.job == job));
    }),
    Case::more(JOBS, "a status tells user, priority and progress", |bench| {
        let status = bench.word_count().ran.job(bench).status();
        assert_eq!((status.state, status.priority), (JobState::Succeeded, JobPriority::Normal));
        let progress = [status.setup_progress, status.map_progress, status.reduce_progress, status.cleanup_progress];
        assert_eq!(progress, [1.0; 4]);
        assert_eq!(status.scheduling_info, "NA");
        assert!(status.start_time > 0, "{status:?}");
    }),
    Case::more(JOBS, "a profile tells name, queue, file and page", |bench| {
        let job = bench.word_count().ran.job(bench);
        let profile = job.profile();
        assert_eq!((profile.name.as_str(), profile.queue.as_str(), &profile.job), ("word count", "default", &job.id));
        assert!(profile.job_file.ends_with(&format!("/.staging/{}/job.xml", job.id)), "{profile:?}");
        let page = format!(":{}/jobdetails.jsp?jobid={}", bench.cluster.http_port, job.id);
        assert!(profile.url.starts_with("http://") && profile.url.ends_with(&page), "{profile:?}");
    }),
    Case::more(JOBS, "reports of maps and reduces tell how each went", |bench| {
        let job = bench.word_count().ran.job(bench);
        for (kind, count) in [(TaskKind::Map, 3), (TaskKind::Reduce, 2)] {
            let reports = job.reports(kind);
            assert_eq!(reports.len(), count);
            for (number, report) in reports.iter().enumerate() {
                let task = job.id.task(kind, number as i32);
                assert_eq!(report.task, task);
                assert_eq!((report.status, report.progress), (TipStatus::Complete, 1.0), "{report:?}");
                assert_eq!(report.successful, Some(task.attempt(0)), "{report:?}");
                assert!(report.running.is_empty() && report.diagnostics.is_empty(), "{report:?}");
                assert!(0 < report.start_time && report.start_time <= report.finish_time, "{report:?}");
                assert!(!report.counters.groups.is_empty(), "{report:?}");
            }
        }
    }),
    Case::more(JOBS, "a reduce's state tells its phases", |bench| {
        let reports = bench.word_count().ran.job(bench).reports(TaskKind::Reduce);
        for report in reports {
            assert_eq!(report.state, "reduce > reduce", "{report:?}");
        }
    }),
    Case::more(JOBS, "what a script says about itself is its map's state", |bench| {
        let reports = bench.streamed().ran.job(bench).reports(TaskKind::Map);
        assert!(reports.iter().all(|report| report.state.starts_with("nearly there")), "{reports:#?}");
    }),
    Case::more(JOBS, "the reports of tasks that failed tell why", |bench| {
        let job = bench.failed().ran.job(bench);
        let report = job.reports(TaskKind::Map).remove(0);
        assert_eq!(report.diagnostics.len(), 2, "{report:#?}");
        let texts: Vec<String> = report.diagnostics.into_iter().flatten().collect();
        assert!(texts.iter().all(|text| text.contains("subprocess failed with code 7")), "{texts:#?}");
    })
    .only_ours(Part::TaskTracker, super::failures::LOST_WORDS),
    Case::more(JOBS, "events can be had page by page", |bench| {
        let job = bench.word_count().ran.id.clone();
        let page = |from, max| {
            let call = GetTaskCompletionEvents { job: job.clone(), from, max };
            let events = bench.rpc().call(&call).expect("events");
            events.into_iter().map(|event| event.event_id).collect::<Vec<_>>()
        };
        assert_eq!(page(2, 3), [2, 3, 4]);
        assert_eq!(page(5, 100), [5, 6]);
        assert_eq!(page(7, 10), [0; 0]);
        assert_eq!(page(0, 0), [0; 0]);
    }),
    Case::more(JOBS, "an event tells where its attempt ran", |bench| {
        let job = bench.word_count().ran.job(bench);
        for event in job.events() {
            let address = event.tracker_http.clone().expect("an address");
            let _ = bench.cluster.tracker_at(&address);
            assert!(event.status == CompletionStatus::Succeeded && event.run_time_ms >= 0, "{event:?}");
        }
    }),
    Case::more(JOBS, "an attempt without trouble has no diagnostics", |bench| {
        let job = bench.word_count().ran.job(bench);
        assert_eq!(job.diagnostics(&job.attempt(TaskKind::Map, 0, 0)), "");
    }),
    Case::more(JOBS, "a job that has ended cannot be killed", |bench| {
        let job = bench.word_count().ran.job(bench);
        bench.rpc().call(&KillJob { job: job.id.clone() }).expect("no error");
        assert_eq!(job.status().state, JobState::Succeeded);
        let attempt = job.attempt(TaskKind::Map, 0, 0);
        assert_eq!(bench.rpc().call(&KillTask { attempt, should_fail: true }).ok(), Some(false));
    }),
    Case::more(JOBS, "a priority that does not exist is refused", |bench| {
        let job = bench.word_count().ran.id.clone();
        let error = refusal(bench.rpc().call(&SetJobPriority { job, priority: "URGENT".to_owned() }));
        let text = format!("{}: {}", wire::exceptions::class_of(&error.kind), error.message);
        assert!(text.contains("java.lang.IllegalArgumentException: "), "{error:?}");
    }),
    Case::more(JOBS, "a group of counters has the name that programs know", |bench| {
        let counters = bench.rpc().call(&GetJobCounters { job: bench.word_count().ran.id.clone() });
        let counters = counters.expect("an answer").expect("a known job");
        let names: Vec<&str> = counters.groups.iter().map(|group| group.name.as_str()).collect();
        let expected = [
            "org.apache.hadoop.mapred.JobInProgress$Counter",
            "org.apache.hadoop.mapred.Task$Counter",
            "FileSystemCounters",
            "org.apache.hadoop.mapreduce.lib.input.FileInputFormat$Counter",
            "org.apache.hadoop.mapreduce.lib.output.FileOutputFormat$Counter",
        ];
        for name in expected {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
    }),
    Case::more(UNKNOWN, "its status, profile and counters are null", |bench| {
        let rpc = bench.rpc();
        assert_eq!(rpc.call(&GetJobStatus { job: nobody() }).expect("an answer"), None);
        assert_eq!(rpc.call(&GetJobProfile { job: nobody() }).expect("an answer"), None);
        assert_eq!(rpc.call(&GetJobCounters { job: nobody() }).expect("an answer"), None);
    }),
    Case::more(UNKNOWN, "its reports are empty", |bench| {
        let rpc = bench.rpc();
        let reports = [
            rpc.call(&GetMapTaskReports { job: nobody() }),
            rpc.call(&GetReduceTaskReports { job: nobody() }),
            rpc.call(&GetSetupTaskReports { job: nobody() }),
            rpc.call(&GetCleanupTaskReports { job: nobody() }),
        ];
        for reports in reports {
            assert_eq!(reports.expect("an answer"), []);
        }
    }),
    Case::more(UNKNOWN, "its events and diagnostics are empty", |bench| {
        let call = GetTaskCompletionEvents { job: nobody(), from: 0, max: 10 };
        assert_eq!(bench.rpc().call(&call).expect("an answer"), []);
        let attempt = nobody().task(TaskKind::Map, 0).attempt(0);
        assert_eq!(bench.rpc().call(&GetTaskDiagnostics { attempt }).expect("an answer"), [None; 0]);
    }),
    Case::more(UNKNOWN, "to kill it is no error and does nothing", |bench| {
        bench.rpc().call(&KillJob { job: nobody() }).expect("no error");
        let attempt = nobody().task(TaskKind::Reduce, 3).attempt(1);
        for should_fail in [false, true] {
            let call = KillTask { attempt: attempt.clone(), should_fail };
            assert_eq!(bench.rpc().call(&call).ok(), Some(false));
        }
    }),
    Case::more(UNKNOWN, "the client says that it cannot find it", |bench| {
        let id = nobody().to_string();
        for args in [
            vec!["-status", &id],
            vec!["-kill", &id],
            vec!["-set-priority", &id, "LOW"],
            vec!["-counter", &id, "a", "b"],
        ] {
            let run = bench.job(&args);
            assert_eq!(
                (run.code, run.stdout.as_str()),
                (Some(255), format!("Could not find job {id}\n").as_str()),
                "{run:#?}"
            );
        }
    }),
    Case::more(UNKNOWN, "a malformed id is refused by the client", |bench| {
        let run = bench.job(&["-status", "job_x"]);
        assert_eq!(run.code, Some(1), "{run:#?}");
        assert!(run.stderr.contains("JobId string : job_x is not properly formed"), "{run:#?}");
    }),
    Case::more(CLUSTER, "the queues' access lists are shown by the client", |bench: &Bench| {
        let run = bench.hadoop(crate::bench::Tool::Queue, &["-showacls"]).expect_success();
        assert!(run.stdout.contains("default  submit-job,administer-jobs\n"), "{}", run.stdout);
    }),
];
