//! A whole job, heartbeat by heartbeat: the actions that Hadoop 1.2.1's JobTracker sends, in their order, and the
//! faults that end otherwise.

mod bench;

use bench::{Bench, TaskTracker};
use jobtracker_core::{Caller, Effect, HistoryRecord, ReportKind, Settings};
use types::{CompletionStatus, JobState, TaskState, TipStatus, counter_names};

#[test]
fn two_maps_and_a_reduce() {
    let mut bench = Bench::new(Settings { early_reduces: false, ..Settings::default() });
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(2, 1);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000003_0"]);
    assert_eq!(bench.status(&job).state, JobState::Prep);
    tracker.finish("m_000003_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000000_0", "kill m_000003_0"]);
    assert_eq!(bench.status(&job).state, JobState::Running);
    // The splits lie elsewhere, so there is one map per heartbeat.
    assert_eq!(bench.beat(&mut tracker), ["launch m_000001_0"]);
    assert!(bench.beat(&mut tracker).is_empty());
    tracker.finish("m_000000_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["launch r_000000_0"]);
    assert_eq!(bench.status(&job).map_progress, 0.5);
    tracker.finish("m_000001_0", TaskState::Succeeded);
    assert!(bench.beat(&mut tracker).is_empty());
    tracker.set("r_000000_0", TaskState::CommitPending);
    assert_eq!(bench.beat(&mut tracker), ["commit r_000000_0"]);
    assert_eq!(bench.beat(&mut tracker), ["commit r_000000_0"]);
    tracker.finish("r_000000_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000002_0", "kill r_000000_0"]);
    assert_eq!(bench.status(&job).state, JobState::Running);
    tracker.finish("m_000002_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["kill job"]);
    let status = bench.status(&job);
    assert_eq!(status.state, JobState::Succeeded);
    let progress = [status.setup_progress, status.map_progress, status.reduce_progress, status.cleanup_progress];
    assert_eq!(progress, [1.0; 4]);

    let caller = Caller::named("alice");
    let counters = bench.jt.job_counters(&caller, &job).unwrap().unwrap();
    let count = |name| counters.get(counter_names::JOB, name);
    assert_eq!(count("TOTAL_LAUNCHED_MAPS"), Some(2));
    assert_eq!(count("TOTAL_LAUNCHED_REDUCES"), Some(1));
    assert_eq!(count("NUM_FAILED_MAPS"), None);
    assert!(count("SLOTS_MILLIS_MAPS").unwrap() > 0);
    let events = bench.jt.completion_events(&job, 0, 100);
    assert_eq!(events.len(), 5);
    assert!(events.iter().all(|event| event.status == CompletionStatus::Succeeded));
    assert_eq!(events[1].tracker_http.as_deref(), Some("http://h1:50060"));
    assert!(!events[0].is_map, "a setup is no map");
    let reports = bench.jt.task_reports(&caller, &job, ReportKind::Map).unwrap();
    assert_eq!(reports.len(), 2);
    assert!(reports.iter().all(|report| report.status == TipStatus::Complete));

    let names: Vec<&str> = bench.history.iter().map(record_name).collect();
    let expected = "JobSubmitted JobPriority JobInited \
        TaskStarted AttemptStarted AttemptFinished TaskFinished JobStarted \
        TaskStarted TaskStarted AttemptStarted AttemptFinished TaskFinished \
        TaskStarted AttemptStarted AttemptFinished TaskFinished \
        AttemptStarted AttemptFinished TaskFinished \
        TaskStarted AttemptStarted AttemptFinished TaskFinished JobFinished";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(bench.ended.len(), 1);
    assert_eq!(bench.ended[0].staging_dir, Some(format!("file:/staging/{job}")));
}

fn record_name(record: &HistoryRecord) -> &'static str {
    match record {
        HistoryRecord::JobSubmitted { .. } => "JobSubmitted",
        HistoryRecord::JobPriority { .. } => "JobPriority",
        HistoryRecord::JobInited { .. } => "JobInited",
        HistoryRecord::JobStarted { .. } => "JobStarted",
        HistoryRecord::JobFinished { .. } => "JobFinished",
        HistoryRecord::JobUnsuccessful { .. } => "JobUnsuccessful",
        HistoryRecord::TaskStarted { .. } => "TaskStarted",
        HistoryRecord::TaskUpdated { .. } => "TaskUpdated",
        HistoryRecord::TaskFinished { .. } => "TaskFinished",
        HistoryRecord::TaskFailed { .. } => "TaskFailed",
        HistoryRecord::AttemptStarted { .. } => "AttemptStarted",
        HistoryRecord::AttemptFinished { .. } => "AttemptFinished",
        HistoryRecord::AttemptUnsuccessful { .. } => "AttemptUnsuccessful",
    }
}

#[test]
fn reduces_start_early_once_no_more_maps_wait_than_run() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    bench.submit(3, 1);
    bench.beat(&mut tracker);
    tracker.finish("m_000004_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000000_0", "kill m_000004_0"]);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000001_0", "launch r_000000_0"]);
}

#[test]
fn a_lost_answer_is_sent_again_and_nothing_is_launched_twice() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    bench.submit(1, 0);
    let lost = bench.raw_beat(&tracker);
    let again = bench.raw_beat(&tracker);
    assert_eq!(lost, again);
    assert_eq!(lost.actions.len(), 1);
}

#[test]
fn a_tracker_that_nobody_knows_starts_anew() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    tracker.response_id = 7;
    let answer = bench.raw_beat(&tracker);
    assert_eq!(answer.actions, [types::TaskTrackerAction::Reinit]);
    assert_eq!((answer.response_id, answer.interval_ms), (7, 300));
    bench.join(&mut tracker);
    assert!(bench.beat(&mut tracker).is_empty());
}

#[test]
fn an_attempt_that_fails_is_cleaned_up_and_tried_again_four_times() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 1, 1);
    bench.join(&mut tracker);
    let job = bench.submit(1, 0);
    bench.beat(&mut tracker);
    tracker.finish("m_000002_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000000_0", "kill m_000002_0"]);
    for attempt in 0..4 {
        let id = format!("m_000000_{attempt}");
        tracker.finish(&id, TaskState::FailedUnclean);
        assert_eq!(bench.beat(&mut tracker), [format!("launch {id} cleanup")]);
        tracker.finish(&id, TaskState::Failed);
        let next = match attempt {
            3 => "launch m_000001_0".to_owned(),
            _ => format!("launch m_000000_{}", attempt + 1),
        };
        let orders = bench.beat(&mut tracker);
        assert_eq!(orders.first(), Some(&next));
    }
    tracker.finish("m_000001_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["kill job"]);
    let status = bench.status(&job);
    assert_eq!(status.state, JobState::Failed);
    let reason =
        "# of failed Map Tasks exceeded allowed limit. FailedCount: 1. LastFailedTask: task_201312011200_0001_m_000000";
    assert_eq!(status.failure_info, reason);
    let events = bench.jt.completion_events(&job, 0, 100);
    let statuses: Vec<_> = events.iter().map(|event| event.status).collect();
    use CompletionStatus::{Failed, Succeeded, TipFailed};
    assert_eq!(statuses, [Succeeded, Failed, Failed, Failed, TipFailed, Succeeded]);
}

#[test]
fn a_killed_job_ends_by_way_of_its_cleanup() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(1, 0);
    bench.beat(&mut tracker);
    tracker.finish("m_000002_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    bench.beat(&mut tracker);
    bench.kill(&job);
    let orders = bench.beat(&mut tracker);
    assert_eq!(orders, ["launch m_000001_0", "kill m_000000_0"]);
    assert_eq!(bench.cleanup_state, Some(JobState::Killed));
    tracker.finish("m_000000_0", TaskState::KilledUnclean);
    assert!(bench.beat(&mut tracker).is_empty());
    assert_eq!(bench.status(&job).state, JobState::Running);
    tracker.finish("m_000001_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut tracker), ["kill job"]);
    assert_eq!(bench.status(&job).state, JobState::Killed);
}

#[test]
fn a_job_that_is_killed_before_its_splits_are_read_ends_at_once() {
    let mut bench = Bench::new(Settings::default());
    let job = bench.submit_only(1, 0);
    bench.kill(&job);
    assert_eq!(bench.status(&job).state, JobState::Killed);
    bench.jt.splits_read(bench.now(), &job, Ok(Vec::new()));
    assert_eq!(bench.status(&job).state, JobState::Killed);
}

#[test]
fn wrong_splits_fail_the_job() {
    let mut bench = Bench::new(Settings::default());
    let job = bench.submit_only(2, 0);
    bench.jt.splits_read(bench.now(), &job, Ok(Vec::new()));
    let status = bench.status(&job);
    assert_eq!(status.state, JobState::Failed);
    assert!(status.failure_info.starts_with("Job initialization failed:\nNumber of maps in JobConf"));
}

#[test]
fn a_lost_tracker_gives_back_its_maps() {
    let mut bench = Bench::new(Settings { early_reduces: false, ..Settings::default() });
    let mut first = TaskTracker::new("h1", 2, 2);
    let mut second = TaskTracker::new("h2", 2, 2);
    bench.join(&mut first);
    bench.join(&mut second);
    let job = bench.submit(1, 1);
    bench.beat(&mut first);
    first.finish("m_000002_0", TaskState::Succeeded);
    assert_eq!(bench.beat(&mut first), ["launch m_000000_0", "kill m_000002_0"]);
    first.finish("m_000000_0", TaskState::Succeeded);
    bench.beat(&mut first);
    assert_eq!(bench.jt.completion_events(&job, 0, 9)[1].status, CompletionStatus::Succeeded);
    for _ in 0..3 {
        bench.advance(250_000);
        bench.beat(&mut second);
    }
    assert!(bench.jt.tracker_view(&first.name()).is_none());
    let events = bench.jt.completion_events(&job, 0, 9);
    assert_eq!(events[1].status, CompletionStatus::Obsolete);
    let (attempt, status) = (&events[2].attempt, events[2].status);
    assert_eq!(
        (attempt.to_string().as_str(), status),
        ("attempt_201312011200_0001_m_000000_0", CompletionStatus::Killed)
    );
    assert!(second.has("m_000000_1"), "the map runs again: {second:?}");
    let diagnostics = bench.jt.task_diagnostics(&Caller::named("alice"), attempt).unwrap();
    assert_eq!(diagnostics, ["Lost task tracker: tracker_h1:localhost/127.0.0.1:40001"]);
}

#[test]
fn an_attempt_that_never_appears_fails() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    bench.submit(1, 0);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000002_0"]);
    tracker.forget("m_000002_0");
    for _ in 0..3 {
        bench.advance(250_000);
        bench.beat(&mut tracker);
    }
    assert!(tracker.has("m_000002_1"));
}

#[test]
fn three_complaints_of_the_only_reduce_fail_a_map() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(1, 1);
    bench.beat(&mut tracker);
    tracker.finish("m_000002_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    bench.beat(&mut tracker);
    tracker.finish("m_000000_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    assert!(tracker.has("r_000000_0"));
    for complaints in 1..=3 {
        assert!(!tracker.has("m_000000_1"), "after {complaints}");
        tracker.complain("r_000000_0", "m_000000_0");
        bench.beat(&mut tracker);
    }
    bench.beat(&mut tracker);
    assert!(tracker.has("m_000000_1"));
    let events = bench.jt.completion_events(&job, 0, 9);
    assert_eq!((events[1].status, events[2].status), (CompletionStatus::Obsolete, CompletionStatus::Failed));
}

#[test]
fn a_woken_tracker_never_spins() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 1, 1);
    bench.join(&mut tracker);
    bench.beat(&mut tracker);
    let name = tracker.name();
    assert!(!bench.jt.wants_heartbeat(&name));
    let job = bench.submit(3, 0);
    assert!(bench.jt.wants_heartbeat(&name));
    assert_eq!(bench.jt.waiting_tasks(), 1);
    bench.beat(&mut tracker);
    assert!(!bench.jt.wants_heartbeat(&name), "its only map slot is taken");
    tracker.finish("m_000004_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    bench.beat(&mut tracker);
    assert!(!bench.jt.wants_heartbeat(&name));
    bench.kill(&job);
    assert!(bench.jt.wants_heartbeat(&name), "an order to kill and a cleanup wait");
    bench.beat(&mut tracker);
    assert!(!bench.jt.wants_heartbeat(&name));
}

#[test]
fn no_more_trackers_are_woken_than_there_are_tasks() {
    let mut bench = Bench::new(Settings::default());
    let mut trackers: Vec<TaskTracker> = (0..3).map(|n| TaskTracker::new(&format!("h{n}"), 1, 1)).collect();
    for tracker in &mut trackers {
        bench.join(tracker);
        bench.beat(tracker);
    }
    let names: Vec<String> = trackers.iter().map(TaskTracker::name).collect();
    let held = || names.iter().map(String::as_str);
    assert!(bench.jt.trackers_to_wake(held()).is_empty());
    bench.submit(3, 0);
    assert_eq!(bench.jt.trackers_to_wake(held()), [&names[0]], "only the setup waits");
    bench.beat(&mut trackers[0]);
    assert!(bench.jt.trackers_to_wake(held()).is_empty());
    trackers[0].finish("m_000004_0", TaskState::Succeeded);
    bench.beat(&mut trackers[0]);
    assert_eq!(bench.jt.trackers_to_wake(held()), [&names[1], &names[2]], "two maps wait, and the first has no slot");
}

#[test]
fn effects_come_in_order_and_once() {
    let mut bench = Bench::new(Settings::default());
    bench.submit_only(1, 0);
    assert!(matches!(bench.effects.last(), Some(Effect::ReadSplits { .. })));
    assert!(bench.jt.take_effects().is_empty());
}

#[test]
fn an_attempt_that_its_tracker_tells_no_more_of_runs_again() {
    let mut bench = Bench::new(Settings::default());
    let mut tracker = TaskTracker::new("h1", 2, 2);
    bench.join(&mut tracker);
    let job = bench.submit(1, 0);
    bench.beat(&mut tracker);
    tracker.finish("m_000002_0", TaskState::Succeeded);
    bench.beat(&mut tracker);
    bench.beat(&mut tracker);
    tracker.forget("m_000000_0");
    let mut orders = Vec::new();
    for _ in 0..4 {
        bench.advance(250_000);
        orders.extend(bench.beat(&mut tracker));
    }
    assert_eq!(orders[0], "launch m_000000_0 cleanup");
    tracker.finish("m_000000_0", TaskState::Killed);
    assert_eq!(bench.beat(&mut tracker), ["launch m_000000_1"]);
    let attempt = job.task(types::TaskKind::Map, 0).attempt(0);
    let diagnostics = bench.jt.task_diagnostics(&Caller::named("alice"), &attempt).unwrap();
    assert_eq!(diagnostics, ["Vanished from task tracker: tracker_h1:localhost/127.0.0.1:40001"]);
}
