//! Tasks as they are handed out, and attempts as they report.

use crate::job::named_enum;
use crate::{Counters, JobId, JobState, JvmId, Millis, TaskAttemptId, TaskCompletionEvent, TaskKind, TaskSplitIndex};

named_enum! {
    /// The state of an attempt (Hadoop 1.2.1: TaskStatus.State).
    TaskState {
        /// Its child runs it.
        Running = "RUNNING",
        /// Done.
        Succeeded = "SUCCEEDED",
        /// Failed; counts towards the task's limit.
        Failed = "FAILED",
        /// Handed out; no child has it yet.
        Unassigned = "UNASSIGNED",
        /// Killed; does not count.
        Killed = "KILLED",
        /// Wants to commit its output and waits for leave.
        CommitPending = "COMMIT_PENDING",
        /// Failed; its output must still be cleaned up.
        FailedUnclean = "FAILED_UNCLEAN",
        /// Killed; its output must still be cleaned up.
        KilledUnclean = "KILLED_UNCLEAN",
    }
}

impl TaskState {
    /// Whether no further state follows.
    pub fn is_terminal(self) -> bool {
        matches!(self, TaskState::Succeeded | TaskState::Failed | TaskState::Killed)
    }

    /// Whether the attempt waits for, or is in, its cleanup.
    pub fn is_unclean(self) -> bool {
        matches!(self, TaskState::FailedUnclean | TaskState::KilledUnclean)
    }
}

named_enum! {
    /// What an attempt is at (Hadoop 1.2.1: TaskStatus.Phase).
    Phase {
        /// Not begun.
        Starting = "STARTING",
        /// Mapping.
        Map = "MAP",
        /// Fetching map output.
        Shuffle = "SHUFFLE",
        /// Merging it.
        Sort = "SORT",
        /// Reducing.
        Reduce = "REDUCE",
        /// Cleaning up.
        Cleanup = "CLEANUP",
    }
}

/// A run of records (Hadoop 1.2.1: SortedRanges.Range).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SortedRange {
    /// First index.
    pub start: i64,
    /// How many.
    pub length: i64,
}

/// Records to skip (Hadoop 1.2.1: SortedRanges).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SortedRanges {
    /// Records in all ranges together.
    pub indices: i64,
    /// In ascending order.
    pub ranges: Vec<SortedRange>,
}

/// An attempt's report (Hadoop 1.2.1: TaskStatus, MapTaskStatus, ReduceTaskStatus).
#[derive(Debug, Clone, PartialEq)]
pub struct TaskStatus {
    /// Which attempt.
    pub attempt: TaskAttemptId,
    /// 0 to 1.
    pub progress: f32,
    /// Slots it takes.
    pub slots: i32,
    /// Where it stands.
    pub state: TaskState,
    /// What went wrong since the last report.
    pub diagnostics: String,
    /// What it says it does.
    pub state_string: String,
    /// What it is at.
    pub phase: Phase,
    /// 0 before.
    pub start_time: Millis,
    /// 0 before.
    pub finish_time: Millis,
    /// Bytes of map output, or -1.
    pub output_size: i64,
    /// Present where the report carries counters.
    pub counters: Option<Counters>,
    /// The records it works on now, in skip mode.
    pub next_records: SortedRange,
    /// What only a reduce reports; its presence tells a reduce's status from a map's.
    pub reduce: Option<ReduceProgress>,
}

/// What only a reduce reports.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReduceProgress {
    /// When the shuffle ended; 0 before.
    pub shuffle_finish: Millis,
    /// When the sort ended; 0 before.
    pub sort_finish: Millis,
    /// Maps whose output could not be fetched since the last report.
    pub failed_fetches: Vec<TaskAttemptId>,
}

impl TaskStatus {
    /// The status of an attempt that was only just handed out.
    pub fn unassigned(attempt: TaskAttemptId, slots: i32) -> Self {
        let kind = attempt.kind();
        TaskStatus {
            attempt,
            progress: 0.0,
            slots,
            state: TaskState::Unassigned,
            diagnostics: String::new(),
            state_string: String::new(),
            phase: if kind.is_map() { Phase::Map } else { Phase::Shuffle },
            start_time: 0,
            finish_time: 0,
            output_size: -1,
            counters: Some(Counters::new()),
            next_records: SortedRange::default(),
            reduce: (!kind.is_map()).then(ReduceProgress::default),
        }
    }

    /// Map or reduce.
    pub fn kind(&self) -> TaskKind {
        if self.reduce.is_some() { TaskKind::Reduce } else { TaskKind::Map }
    }

    /// Whether the attempt holds its slots (Hadoop 1.2.1: TaskTrackerStatus.countOccupiedMapSlots).
    pub fn occupies_slots(&self) -> bool {
        matches!(self.state, TaskState::Running | TaskState::Unassigned)
            || (self.phase == Phase::Cleanup && self.state.is_unclean())
    }
}

/// An attempt as it is handed to a TaskTracker and to a child (Hadoop 1.2.1: Task, MapTask, ReduceTask).
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The URL of `job.xml`; a local path once the TaskTracker has localized it.
    pub job_file: String,
    /// Which attempt.
    pub attempt: TaskAttemptId,
    /// The task's index: the map's number, or the reduce's partition.
    pub partition: i32,
    /// Slots it takes.
    pub slots_required: i32,
    /// Its status so far. A map's has no `reduce`, a reduce's has.
    pub status: TaskStatus,
    /// Records to skip.
    pub skip_ranges: SortedRanges,
    /// Whether skip mode is on.
    pub skipping: bool,
    /// Present for the job's cleanup attempt: the state the job is to end in.
    pub job_cleanup: Option<JobState>,
    /// The job's setup attempt.
    pub job_setup: bool,
    /// Whether skipped records are written out.
    pub write_skip_records: bool,
    /// The cleanup of an attempt that failed or was killed.
    pub task_cleanup: bool,
    /// Whose job it is.
    pub user: String,
    /// What a map or a reduce has of its own.
    pub detail: TaskDetail,
}

/// What a map or a reduce has of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskDetail {
    /// A map's split; written only for real maps, neither setup nor cleanup.
    Map(TaskSplitIndex),
    /// How many maps the reduce fetches from.
    Reduce {
        /// The job's maps.
        maps: i32,
    },
}

impl Task {
    /// Map or reduce: the kind of slot and of id.
    pub fn kind(&self) -> TaskKind {
        match self.detail {
            TaskDetail::Map(_) => TaskKind::Map,
            TaskDetail::Reduce { .. } => TaskKind::Reduce,
        }
    }

    /// Whether it is a map or reduce proper: no setup, job cleanup or task cleanup.
    pub fn is_map_or_reduce(&self) -> bool {
        self.job_cleanup.is_none() && !self.job_setup && !self.task_cleanup
    }
}

/// Who calls on the umbilical (Hadoop 1.2.1: JvmContext).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JvmContext {
    /// The child.
    pub jvm: JvmId,
    /// Its process id, as text.
    pub pid: String,
}

/// The answer to `getTask` (Hadoop 1.2.1: JvmTask).
#[derive(Debug, Clone, PartialEq)]
pub struct JvmTask {
    /// The child is to end.
    pub should_die: bool,
    /// What it is to run, if anything.
    pub task: Option<Task>,
}

/// The answer to `getMapCompletionEvents` (Hadoop 1.2.1: MapTaskCompletionEventsUpdate).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapTaskCompletionEventsUpdate {
    /// Forget what was told before.
    pub reset: bool,
    /// The events.
    pub events: Vec<TaskCompletionEvent>,
}

impl MapTaskCompletionEventsUpdate {
    /// Whether any event is of that job.
    pub fn concerns(&self, job: &JobId) -> bool {
        self.events.iter().any(|event| event.attempt.job() == job)
    }
}
