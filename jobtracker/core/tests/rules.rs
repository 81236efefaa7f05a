//! Rules of Hadoop 1.2.1's JobTracker, one test each: who may do what, which jobs are taken, what a failure costs, what
//! takes a tracker out of service.

mod bench;

use std::collections::BTreeSet;
use std::time::Duration;

use bench::{Bench, TaskTracker};
use jobtracker_core::{
    Caller, ClientError, Effect, HeartbeatError, HostLists, QueueSettings, ReportKind, Settings, SkipSettings,
    Submission, SubmitError,
};
use types::{
    AccessControlList, ExceptionKind, JobAcl, JobPriority, JobState, SortedRange, TaskKind, TaskState, TipStatus,
    counter_names,
};

/// A cluster of one tracker with a running job, whose setup is done.
fn running_job(
    settings: Settings,
    submission: impl FnOnce(Submission) -> Submission,
) -> (Bench, TaskTracker, types::JobId) {
    let mut bench = Bench::new(settings);
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let asked = bench.submission(2, 1);
    let job = bench.submit_with_splits(submission(asked));
    let orders = bench.beat(&mut tracker);
    let setup = orders[0].strip_prefix("launch ").unwrap().to_owned();
    tracker.finish(&setup, TaskState::Succeeded);
    bench.beat(&mut tracker);
    (bench, tracker, job)
}

fn refused(bench: &mut Bench, change: impl FnOnce(&mut Submission)) -> SubmitError {
    let mut submission = bench.submission(1, 1);
    change(&mut submission);
    let error = bench.jt.submit_job(bench.now(), submission).unwrap_err();
    bench.after();
    error
}

#[test]
fn jobs_are_refused_with_hadoops_words() {
    let stopped = QueueSettings { running: false, ..QueueSettings::open("closed") };
    let mut bench = Bench::new(Settings {
        queues: vec![QueueSettings::open("default"), stopped],
        tasks_per_job_max: 10,
        ..Settings::default()
    });
    let error = refused(&mut bench, |s| s.queue = "nowhere".to_owned());
    assert_eq!(error.exception().message, "java.io.IOException: Queue \"nowhere\" does not exist");
    let error = refused(&mut bench, |s| s.queue = "closed".to_owned());
    assert_eq!(error.exception().message, "Queue \"closed\" is not running");
    let error = refused(&mut bench, |s| s.maps = 10);
    assert_eq!(error.to_string(), "The number of tasks for this job 11 exceeds the configured limit 10");
    let error = refused(&mut bench, |s| s.user_name = Some("bob".to_owned()));
    let text = "The username bob obtained from the conf doesn't match the username alice the user authenticated as";
    assert_eq!(error.to_string(), text);
    let error = refused(&mut bench, |s| s.maps = -1);
    assert!(matches!(error, SubmitError::Negative { value: -1, .. }));
    assert!(bench.jt.all_jobs().is_empty());
}

#[test]
fn a_job_that_is_known_gets_its_status_again() {
    let mut bench = Bench::new(Settings::default());
    let submission = bench.submission(1, 0);
    let first = bench.jt.submit_job(bench.now(), submission.clone()).unwrap();
    assert_eq!(bench.jt.submit_job(bench.now(), submission).unwrap(), first);
    assert_eq!(bench.jt.all_jobs().len(), 1);
}

#[test]
fn memory_counts_only_where_the_cluster_sets_all_four_limits() {
    let limits = Settings { map_slot_memory_mb: 512, reduce_slot_memory_mb: 512, ..Settings::default() };
    let mut bench = Bench::new(limits.clone());
    bench.submit(1, 0);
    let mut bench = Bench::new(Settings { map_memory_max_mb: 1024, reduce_memory_max_mb: 1024, ..limits });
    let error = refused(&mut bench, |_| ());
    assert!(error.to_string().ends_with("(-1 memForMapTasks -1 memForReduceTasks): Invalid job requirements."));
    let error = refused(&mut bench, |s| (s.map_memory_mb, s.reduce_memory_mb) = (2048, 512));
    assert!(error.to_string().ends_with("Exceeds the cluster's max-memory-limit."));
}

#[test]
fn access_lists_let_owners_administrators_and_the_named_in() {
    let queue = QueueSettings {
        submitters: AccessControlList::parse("alice"),
        administrators: AccessControlList::parse(" operators"),
        ..QueueSettings::open("default")
    };
    let settings = Settings { acls_enabled: true, queues: vec![queue], ..Settings::default() };
    let mut bench = Bench::new(settings);
    let mut submission = bench.submission(1, 0);
    submission.acls =
        vec![(JobAcl::ViewJob, AccessControlList::parse("carol")), (JobAcl::ModifyJob, AccessControlList::default())];
    let job = bench.submit_it(submission);
    let error = refused(&mut bench, |s| s.caller = Caller::named("bob"));
    assert_eq!(error.exception().kind, ExceptionKind::AccessControl);

    let operator = Caller { groups: vec!["operators".to_owned()], ..Caller::named("oscar") };
    for caller in [Caller::named("alice"), Caller::named("carol"), Caller::named("mapred"), operator.clone()] {
        bench.jt.task_reports(&caller, &job, ReportKind::Map).unwrap();
    }
    let error = bench.jt.job_counters(&Caller::named("bob"), &job).unwrap_err();
    let text = format!("User bob cannot perform operation VIEW_JOB_COUNTERS on {job} that is in the queue default");
    assert_eq!(error, ClientError::Access(text));
    let error = bench.jt.kill_job(bench.now(), &Caller::named("carol"), &job).unwrap_err();
    assert_eq!(error.exception().kind, ExceptionKind::AccessControl);
    bench.jt.kill_job(bench.now(), &operator, &job).unwrap();
    assert_eq!(bench.status(&job).state, JobState::Killed);
    bench.after();
    let refusals = bench.effects.iter().filter(|e| matches!(e, Effect::Audit(record) if record.refused.is_some()));
    assert_eq!(refusals.count(), 3);
}

#[test]
fn a_killed_attempt_costs_nothing_and_a_failed_one_does() {
    let (mut bench, mut tracker, job) = running_job(Settings::default(), |s| s);
    let kill = |bench: &mut Bench, number, fail| {
        let attempt = job.task(TaskKind::Map, 0).attempt(number);
        bench.jt.kill_task(bench.now(), &Caller::named("alice"), &attempt, fail).unwrap()
    };
    bench.beat(&mut tracker);
    assert!(kill(&mut bench, 0, false));
    assert!(!kill(&mut bench, 0, true), "it was asked already");
    let orders = bench.beat(&mut tracker);
    assert!(orders.contains(&"kill m_000000_0".to_owned()), "{orders:?}");
    assert!(bench.beat(&mut tracker).contains(&"kill m_000000_0".to_owned()), "told until it is dead");
    tracker.finish("m_000000_0", TaskState::KilledUnclean);
    assert_eq!(bench.beat(&mut tracker)[0], "launch m_000000_0 cleanup");
    tracker.finish("m_000000_0", TaskState::Killed);
    assert_eq!(bench.beat(&mut tracker)[0], "launch m_000000_1");
    bench.beat(&mut tracker);
    assert!(kill(&mut bench, 1, true));
    bench.beat(&mut tracker);
    tracker.finish("m_000000_1", TaskState::KilledUnclean);
    bench.beat(&mut tracker);
    tracker.finish("m_000000_1", TaskState::Failed);
    bench.beat(&mut tracker);
    let view = bench.jt.job_view(&job).unwrap();
    assert_eq!((view.maps.killed_attempts, view.maps.failed_attempts), (1, 1));
    let attempt = job.task(TaskKind::Map, 0).attempt(1);
    let diagnostics = bench.jt.task_diagnostics(&Caller::named("alice"), &attempt).unwrap();
    assert_eq!(diagnostics[0], format!("Request received to fail task '{attempt}' by user"));
    assert_eq!(diagnostics[1], "Task has been FAILED_UNCLEAN by the user");
}

#[test]
fn a_job_may_allow_some_of_its_maps_to_fail() {
    let allow = |s| Submission { map_failures_percent: 50, map_attempts_max: 1, ..s };
    let (mut bench, mut tracker, job) = running_job(Settings::default(), allow);
    bench.beat(&mut tracker);
    tracker.finish("m_000000_0", TaskState::Failed);
    tracker.finish("m_000001_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    tracker.finish("r_000000_0", TaskState::Succeeded);
    let orders = bench.beat(&mut tracker);
    assert_eq!(orders[0], "launch m_000002_0", "the cleanup: {orders:?}");
    assert_eq!(bench.cleanup_state, Some(JobState::Succeeded));
    tracker.finish("m_000002_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    assert_eq!(bench.status(&job).state, JobState::Succeeded);
    let counters = bench.jt.job_counters(&Caller::named("alice"), &job).unwrap().unwrap();
    assert_eq!(counters.get(counter_names::JOB, "NUM_FAILED_MAPS"), Some(1));
    let reports = bench.jt.task_reports(&Caller::named("alice"), &job, ReportKind::Map).unwrap();
    assert_eq!([reports[0].status, reports[1].status], [TipStatus::Complete, TipStatus::Killed]);
}

#[test]
fn a_setup_that_fails_four_times_fails_the_job_which_is_still_cleaned_up() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(1, 0);
    for attempt in 0..4 {
        let setup = format!("m_000002_{attempt}");
        assert_eq!(bench.beat(&mut tracker)[0], format!("launch {setup}"));
        tracker.finish(&setup, TaskState::Failed);
    }
    assert_eq!(bench.beat(&mut tracker)[0], "launch m_000001_0");
    assert_eq!(bench.cleanup_state, Some(JobState::Failed));
    tracker.finish("m_000001_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    let status = bench.status(&job);
    assert_eq!(status.state, JobState::Failed);
    assert_eq!(status.failure_info, "JobSetup Task Failure, Task: task_201312011200_0001_m_000002");
}

#[test]
fn a_cleanup_that_fails_four_times_fails_the_job_at_once() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(0, 0);
    bench.beat(&mut tracker);
    tracker.finish("m_000001_0", TaskState::Succeeded);
    for attempt in 0..4 {
        let cleanup = format!("m_000000_{attempt}");
        assert_eq!(bench.beat(&mut tracker)[0], format!("launch {cleanup}"));
        tracker.finish(&cleanup, TaskState::Failed);
    }
    bench.beat(&mut tracker);
    let status = bench.status(&job);
    assert_eq!(status.state, JobState::Failed);
    assert_eq!(status.failure_info, "JobCleanup Task Failure, Task: task_201312011200_0001_m_000000");
}

#[test]
fn of_two_attempts_only_the_first_commits() {
    let slow = |s| Submission { maps: 3, reduces: 0, ..s };
    let (mut bench, mut first, _) = running_job(Settings::default(), slow);
    let mut second = TaskTracker::new("h2", 2, 2);
    bench.join(&mut second);
    bench.beat(&mut first);
    bench.beat(&mut second);
    assert!(first.has("m_000000_0") && first.has("m_000001_0") && second.has("m_000002_0"));
    for map in ["m_000000_0", "m_000001_0"] {
        first.finish(map, TaskState::Succeeded);
    }
    bench.advance(61_000);
    bench.beat(&mut first);
    assert!(first.has("m_000002_1"), "{first:?}");
    first.set("m_000002_1", TaskState::CommitPending);
    assert_eq!(bench.beat(&mut first), ["commit m_000002_1"]);
    second.set("m_000002_0", TaskState::CommitPending);
    assert_eq!(bench.beat(&mut second), ["kill m_000002_0"]);
    first.finish("m_000002_1", TaskState::Succeeded);
    bench.beat(&mut first);
    second.finish("m_000002_0", TaskState::Succeeded);
    bench.beat(&mut second);
    let attempt = bench.jt.task_views(&types::JobId::new("201312011200", 1), ReportKind::Map)[2].attempts[0].clone();
    assert_eq!(attempt.status.state, TaskState::Killed, "it came second");
}

#[test]
fn excluded_hosts_leave_at_once_and_are_refused() {
    let (mut bench, tracker, _) = running_job(Settings::default(), |s| s);
    let lists = HostLists { include: BTreeSet::new(), exclude: BTreeSet::from(["h1".to_owned()]) };
    let error = bench.jt.refresh_hosts(bench.now(), &Caller::named("bob"), lists.clone()).unwrap_err();
    assert_eq!(error.to_string(), "bob is not authorized to refresh nodes.");
    bench.jt.refresh_hosts(bench.now(), &Caller::named("mapred"), lists).unwrap();
    bench.after();
    let status = bench.jt.cluster_status(true);
    assert_eq!((status.active_count, status.excluded_count, status.map_slots), (0, 1, 0));
    let refused = bench.try_beat(&tracker).unwrap_err();
    assert_eq!(refused, HeartbeatError::Disallowed { tracker: tracker.name() });
    assert_eq!(refused.exception().kind, ExceptionKind::DisallowedTaskTracker);
}

#[test]
fn bad_health_takes_a_tracker_out_of_service_until_it_is_well() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    tracker.healthy = false;
    bench.submit(1, 0);
    assert!(bench.beat(&mut tracker).is_empty());
    let status = bench.jt.cluster_status(true);
    assert_eq!((status.active_count, status.blacklisted_count, status.map_slots), (0, 1, 0));
    assert!(!bench.jt.wants_heartbeat(&tracker.name()));
    assert_eq!(bench.jt.tracker_view(&tracker.name()).unwrap().reason, "ERROR by test");
    tracker.healthy = true;
    assert_eq!(bench.beat(&mut tracker), ["launch m_000002_0"]);
    assert_eq!(bench.jt.cluster_status(false).map_slots, 2);
}

#[test]
fn a_job_avoids_a_host_on_which_four_attempts_failed() {
    let mut bench = Bench::new(Settings::default());
    let mut trackers: Vec<TaskTracker> = (0..5).map(|n| TaskTracker::new(&format!("h{n}"), 2, 0)).collect();
    for tracker in &mut trackers {
        bench.join(tracker);
    }
    let many = Submission { map_attempts_max: 9, ..bench.submission(40, 0) };
    let job = bench.submit_with_splits(many);
    bench.beat(&mut trackers[0]);
    trackers[0].finish("m_000041_0", TaskState::Succeeded);
    for _ in 0..8 {
        bench.beat(&mut trackers[0]);
        let running: Vec<String> = trackers[0].attempts.keys().cloned().collect();
        for map in running {
            trackers[0].finish(&map, TaskState::Failed);
        }
    }
    assert_eq!(bench.jt.job_view(&job).unwrap().avoided_hosts, ["h0"]);
    bench.beat(&mut trackers[0]);
    assert!(trackers[0].attempts.is_empty());
    bench.beat(&mut trackers[1]);
    assert!(!trackers[1].attempts.is_empty());
}

#[test]
fn nothing_starts_or_counts_in_safe_mode() {
    let (mut bench, mut tracker, job) = running_job(Settings::default(), |s| Submission { map_attempts_max: 1, ..s });
    bench.jt.set_safe_mode(&Caller::named("mapred"), true).unwrap();
    let error = refused(&mut bench, |_| ());
    assert_eq!(error.to_string(), "JobTracker is in safe-mode set by admin mapred");
    assert_eq!(
        bench.jt.kill_job(bench.now(), &Caller::named("alice"), &job).unwrap_err().exception().kind,
        ExceptionKind::SafeMode
    );
    tracker.finish("m_000000_0", TaskState::Failed);
    assert!(bench.beat(&mut tracker).is_empty());
    bench.jt.set_safe_mode(&Caller::named("mapred"), false).unwrap();
    let orders = bench.beat(&mut tracker);
    assert_eq!(orders[0], "launch m_000000_1", "the failure did not count: {orders:?}");
}

#[test]
fn too_many_counters_or_too_much_reduce_input_fail_a_job() {
    let settings = Settings { counters_max: 3, ..Settings::default() };
    let (mut bench, mut tracker, job) = running_job(settings, |s| Submission { reduces: 0, ..s });
    bench.beat(&mut tracker);
    for map in ["m_000000_0", "m_000001_0"] {
        tracker.count(map, &["a", "b", "c", "d"]);
        tracker.finish(map, TaskState::Succeeded);
    }
    bench.beat(&mut tracker);
    assert_eq!(bench.status(&job).failure_info, "Counters Exceeded: Limit: 3");
    assert_eq!(bench.cleanup_state, Some(JobState::Failed));
    let error = bench.jt.job_counters(&Caller::named("alice"), &job).unwrap_err();
    assert_eq!(error.to_string(), "Counters Exceeded limit: 3");

    let limited = |s| Submission { reduce_input_limit: Some(100), slow_start: Some(1.0), ..s };
    let (mut bench, mut tracker, job) = running_job(Settings::default(), limited);
    bench.beat(&mut tracker);
    for map in ["m_000000_0", "m_000001_0"] {
        tracker.attempts.get_mut(map).unwrap().output_size = 1000;
        tracker.finish(map, TaskState::Succeeded);
    }
    bench.beat(&mut tracker);
    assert_eq!(bench.status(&job).failure_info, "Job exceeded Reduce Input limit  Limit:  100 Estimated: 2000");
}

#[test]
fn bad_records_are_skipped_after_two_failures() {
    let skip = |s| Submission { skip: SkipSettings { map_records_max: 1, ..SkipSettings::default() }, ..s };
    let (mut bench, mut tracker, _) = running_job(Settings::default(), skip);
    bench.beat(&mut tracker);
    for attempt in 0..2 {
        let map = format!("m_000000_{attempt}");
        let status = tracker.attempts.get_mut(&map).unwrap();
        status.next_records = SortedRange { start: 7, length: 1 };
        tracker.finish(&map, TaskState::Failed);
        bench.beat(&mut tracker);
    }
    let task = bench.last_task.clone().unwrap();
    assert_eq!(bench::short(&task.attempt), "m_000000_2");
    assert!(task.skipping);
    assert_eq!(task.skip_ranges.ranges, [SortedRange { start: 7, length: 1 }]);
}

#[test]
fn urgent_jobs_come_first_and_queues_hide_nothing() {
    let mut bench = Bench::new(Settings::default());
    let (first, second) = (bench.submit(1, 0), bench.submit(1, 0));
    let order = |bench: &Bench| -> Vec<types::JobId> {
        bench.jt.jobs_from_queue("no such queue").into_iter().map(|status| status.job).collect()
    };
    assert_eq!(order(&bench), [first.clone(), second.clone()]);
    bench.jt.set_job_priority(bench.now(), &Caller::named("alice"), &second, JobPriority::VeryHigh).unwrap();
    bench.after();
    assert_eq!(order(&bench), [second.clone(), first]);
    assert_eq!(bench.status(&second).priority, JobPriority::VeryHigh);
}

#[test]
fn finished_jobs_leave_memory_and_are_still_known() {
    let settings = Settings {
        retire_interval: Duration::from_secs(100),
        retire_check: Duration::from_secs(10),
        retired_jobs_max: 1,
        ..Settings::default()
    };
    let mut bench = Bench::new(settings);
    let old: Vec<types::JobId> = (0..2).map(|_| bench.submit_only(1, 0)).collect();
    for job in &old {
        bench.kill(job);
    }
    bench.advance(50_000);
    assert_eq!(bench.jt.job_profile(&old[0]).unwrap().job, old[0]);
    bench.advance(100_000);
    assert_eq!(bench.jt.job_status(&old[0]), None, "the record of the older one is gone too");
    assert_eq!(bench.status(&old[1]).state, JobState::Killed);
    assert!(bench.jt.job_view(&old[1]).unwrap().retired);
    assert_eq!(bench.jt.all_jobs().len(), 1);
    assert!(bench.jt.completion_events(&old[1], 0, 10).is_empty());
}

#[test]
fn heartbeats_slow_down_as_the_cluster_grows() {
    let mut bench = Bench::new(Settings::default());
    for n in 0..60 {
        bench.join(&mut TaskTracker::new(&format!("h{n}"), 1, 1));
    }
    let tracker = TaskTracker { response_id: 0, ..TaskTracker::new("h0", 1, 1) };
    assert_eq!(bench.raw_beat(&tracker).interval_ms, 600);
}

#[test]
fn a_tracker_that_comes_up_again_loses_what_it_ran() {
    let (mut bench, mut tracker, job) = running_job(Settings::default(), |s| Submission { reduces: 0, ..s });
    bench.beat(&mut tracker);
    assert!(tracker.has("m_000000_0"));
    tracker.attempts.clear();
    tracker.response_id = -1;
    let answer = bench.send(&tracker, true, true);
    let launched: Vec<String> = answer
        .actions
        .iter()
        .filter_map(|action| match action {
            types::TaskTrackerAction::Launch(task) => Some(bench::short(&task.attempt)),
            _ => None,
        })
        .collect();
    assert_eq!(launched, ["m_000000_0"], "the cleanup of the lost attempt");
    assert_eq!(bench.jt.job_view(&job).unwrap().maps.finished, 0);
}
