//! Values that several tests start from.

use types::{Task, TaskAttemptId, TaskDetail, TaskSplitIndex, TaskStatus};

/// The first map of a job.
pub(crate) fn map_task() -> Task {
    let attempt: TaskAttemptId = "attempt_202611302130_0001_m_000000_0".parse().unwrap();
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
        user: "root".into(),
        detail: TaskDetail::Map(TaskSplitIndex { split_location: String::new(), start_offset: 0 }),
    }
}
