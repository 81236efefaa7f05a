//! Children of the TaskTracker: one that was killed may end long after the JobTracker has heard of it; what a reduce is
//! told when it asks.

mod support;

use support::{at, beat, info, map, running, settings};
use tasktracker_core::{Effect, JobInfo};
use types::{
    CompletionStatus, JvmContext, Task, TaskAttemptId, TaskCompletionEvent, TaskDetail, TaskState, TaskStatus,
    TaskTrackerAction,
};

fn reduce() -> Task {
    let attempt: TaskAttemptId = "attempt_1_0001_r_000000_0".parse().unwrap();
    Task {
        status: TaskStatus::unassigned(attempt.clone(), 1),
        attempt,
        detail: TaskDetail::Reduce { maps: 1 },
        ..map()
    }
}

#[test]
fn the_end_of_a_child_is_no_news_once_its_killed_attempt_was_told() {
    let (mut core, mut children) = running(settings(), info(), vec![map()]);
    let jvm = children.remove(0);
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
        let job = JobInfo { native, native_setup_cleanup: native, ..info() };
        let (mut core, mut children) = running(settings(), job, vec![reduce()]);
        let jvm = children.remove(0);
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
