//! A small tracker with a job, for tests of the core.

#![allow(dead_code, reason = "each test file uses a part")]

use std::time::Duration;

use tasktracker_core::{Effect, JobInfo, MemoryLimits, NodeReport, Settings, TaskTracker};
use types::{
    HeartbeatResponse, JvmId, Monotonic, Now, Task, TaskAttemptId, TaskDetail, TaskSplitIndex, TaskStatus,
    TaskTrackerAction, Wall,
};

pub(crate) fn at(ms: u64) -> Now {
    Now { mono: Monotonic(Duration::from_millis(ms)), wall: Wall(1_000_000 + ms as i64) }
}

/// One slot of each kind.
pub(crate) fn settings() -> Settings {
    Settings {
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
        memory_total: None,
        seed: 7,
    }
}

pub(crate) fn map() -> Task {
    map_number(0)
}

pub(crate) fn map_number(number: i32) -> Task {
    let attempt: TaskAttemptId = format!("attempt_1_0001_m_{number:06}_0").parse().unwrap();
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

pub(crate) fn beat(
    core: &mut TaskTracker,
    now: Now,
    response_id: i16,
    actions: Vec<TaskTrackerAction>,
) -> Vec<TaskStatus> {
    let told = core.heartbeat(now, &NodeReport::default()).status.tasks;
    let response = HeartbeatResponse { response_id, interval_ms: 300, actions, recovered_jobs: Vec::new() };
    core.heartbeat_answered(now, response);
    told
}

/// A job whose children run one attempt each, in Java, without limits.
pub(crate) fn info() -> JobInfo {
    JobInfo {
        job_file: "/local/job.xml".into(),
        tasks_per_child: Some(1),
        task_timeout: Some(Duration::from_secs(600)),
        native: false,
        java_reason: String::new(),
        native_setup_cleanup: false,
        debugs: (false, false),
        map_memory: MemoryLimits::default(),
        reduce_memory: MemoryLimits::default(),
    }
}

/// A tracker that runs these attempts of one job; the process of the first is 4711, of the next 4712.
pub(crate) fn running(settings: Settings, info: JobInfo, tasks: Vec<Task>) -> (TaskTracker, Vec<JvmId>) {
    let mut core = TaskTracker::new(settings, true);
    let count = tasks.len();
    let launches = tasks.into_iter().map(|task| TaskTrackerAction::Launch(Box::new(task)));
    beat(&mut core, at(0), 1, launches.collect());
    core.job_localized(at(1), map().attempt.job(), Ok(info));
    let spawned = core.take_effects().into_iter().filter_map(|effect| match effect {
        Effect::SpawnChild { jvm, .. } => Some(jvm),
        _ => None,
    });
    let children: Vec<JvmId> = spawned.collect();
    assert_eq!(children.len(), count);
    for (jvm, pid) in children.iter().zip(4711..) {
        core.child_started(jvm, pid);
    }
    (core, children)
}
