//! Children of the TaskTracker: one that was killed may end long after the JobTracker has heard of it; what a reduce is
//! told when it asks.

use std::time::Duration;

use tasktracker_core::{Effect, JobInfo, NodeReport, Settings, TaskTracker};
use types::{
    CompletionStatus, HeartbeatResponse, JvmContext, JvmId, Monotonic, Now, Task, TaskAttemptId, TaskCompletionEvent,
    TaskDetail, TaskSplitIndex, TaskState, TaskStatus, TaskTrackerAction, Wall,
};

fn at(ms: u64) -> Now {
    Now { mono: Monotonic(Duration::from_millis(ms)), wall: Wall(1_000_000 + ms as i64) }
}

fn tracker() -> TaskTracker {
    let settings = Settings {
        name: "tracker_h:h/127.0.0.1:1".into(),
        host: "h".into(),
        http_port: 1,
        map_slots: 1,
        reduce_slots: 1,
        sigkill_delay: Duration::from_secs(5),
        min_space_start: 0,
        min_space_kill: 0,
        counters_max: 120,
        counter_groups_max: 50,
        events_batch: 500,
        seed: 7,
    };
    TaskTracker::new(settings, true)
}

fn map() -> Task {
    let attempt: TaskAttemptId = "attempt_1_0001_m_000000_0".parse().unwrap();
    Task {
        job_file: "file:/job.xml".into(),
        status: TaskStatus::unassigned(attempt.clone(), 1),
        attempt,
        partition: 0,
        slots_required: 1,
        skip_ranges: Default::default(),
        skipping: false,
        job_cleanup: None,
        job_setup: false,
        write_skip_records: false,
        task_cleanup: false,
        user: "u".into(),
        detail: TaskDetail::Map(TaskSplitIndex { split_location: String::new(), start_offset: 0 }),
    }
}

fn beat(core: &mut TaskTracker, now: Now, response_id: i16, actions: Vec<TaskTrackerAction>) -> Vec<TaskStatus> {
    let told = core.heartbeat(now, &NodeReport::default()).status.tasks;
    let response = HeartbeatResponse { response_id, interval_ms: 300, actions, recovered_jobs: Vec::new() };
    core.heartbeat_answered(now, response);
    told
}

fn reduce() -> Task {
    let attempt: TaskAttemptId = "attempt_1_0001_r_000000_0".parse().unwrap();
    Task {
        status: TaskStatus::unassigned(attempt.clone(), 1),
        attempt,
        detail: TaskDetail::Reduce { maps: 1 },
        ..map()
    }
}

/// A tracker whose only child runs the task.
fn running(task: Task, native: bool) -> (TaskTracker, JvmId) {
    let mut core = tracker();
    let job = task.attempt.job().clone();
    beat(&mut core, at(0), 1, vec![TaskTrackerAction::Launch(Box::new(task))]);
    let info = JobInfo {
        job_file: "/local/job.xml".into(),
        tasks_per_child: Some(1),
        task_timeout: Some(Duration::from_secs(600)),
        native,
        java_reason: String::new(),
        native_setup_cleanup: native,
    };
    core.job_localized(at(1), &job, Ok(info));
    let spawned = core.take_effects().into_iter().find_map(|effect| match effect {
        Effect::SpawnChild { jvm, .. } => Some(jvm),
        _ => None,
    });
    let jvm = spawned.expect("a child is spawned");
    core.child_started(&jvm, 4711);
    (core, jvm)
}

#[test]
fn the_end_of_a_child_is_no_news_once_its_killed_attempt_was_told() {
    let (mut core, jvm) = running(map(), false);
    beat(&mut core, at(300), 2, vec![TaskTrackerAction::KillTask(map().attempt)]);
    let told = beat(&mut core, at(600), 3, Vec::new());
    assert_eq!(told.len(), 1);
    assert!(matches!(told[0].state, TaskState::Killed | TaskState::KilledUnclean), "{:?}", told[0].state);
    assert!(beat(&mut core, at(900), 4, Vec::new()).is_empty());
    core.child_exited(at(1000), &jvm, 143);
    assert_eq!(core.broken_invariant(), None);
    assert!(!core.has_children());
    let cleaned = core.take_effects().into_iter().any(|effect| matches!(effect, Effect::CleanAttempt { .. }));
    assert!(cleaned, "its files go once nobody writes them any more");
    assert_eq!(core.view().map_slots, (1, 1));
}

#[test]
fn the_first_question_in_vain_of_a_java_reduce_is_answered_late_and_no_other() {
    for native in [false, true] {
        let (mut core, jvm) = running(reduce(), native);
        let context = JvmContext { jvm: jvm.clone(), pid: "4711".into() };
        let task = core.get_task(&context).expect("its task").task.expect("its task");
        let done = TaskCompletionEvent {
            event_id: 0,
            attempt: map().attempt,
            id_within_job: 0,
            is_map: true,
            status: CompletionStatus::Succeeded,
            tracker_http: Some("http://h:1".into()),
            run_time_ms: 1,
        };
        core.map_events_fetched(task.attempt.job(), Some(vec![done]));
        let mut ask = |from| core.map_events(&task.attempt, from, 100, &jvm).unwrap().expect("every map is known");
        assert_eq!((ask(0).events.len(), ask(1).events.len()), (1, 0));
        assert_eq!(core.answers_late(&task.attempt), !native);
        assert!(!core.answers_late(&task.attempt), "later questions keep the distance that the first one gave them");
    }
}
