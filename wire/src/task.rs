//! Tasks and attempts' reports, in wire order. Whether one is a map's or a reduce's stands before it, or in a class
//! name, or is known otherwise; so their readers take the kind.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{
    Counters, JobState, JvmTask, MapTaskCompletionEventsUpdate, Phase, ReduceProgress, SortedRange, SortedRanges, Task,
    TaskAttemptId, TaskDetail, TaskKind, TaskSplitIndex, TaskState, TaskStatus,
};

use crate::Writable;
use crate::ids::TASK_ATTEMPT_ID_MIN;
use crate::writable::{read_enum, read_list, write_list};

impl Writable for SortedRange {
    fn write(&self, out: &mut DataOutput) {
        out.long(self.start);
        out.long(self.length);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(SortedRange { start: input.long()?, length: input.long()? })
    }
}

impl Writable for SortedRanges {
    fn write(&self, out: &mut DataOutput) {
        out.long(self.indices);
        write_list(&self.ranges, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(SortedRanges { indices: input.long()?, ranges: read_list(input, 16, "ranges")? })
    }
}

/// Writes a status without a mark of its kind (Hadoop 1.2.1: MapTaskStatus.write, ReduceTaskStatus.write).
pub fn write_task_status(status: &TaskStatus, out: &mut DataOutput) {
    status.attempt.write(out);
    out.float(status.progress);
    out.int(status.slots);
    out.text(status.state.name());
    out.text(&status.diagnostics);
    out.text(&status.state_string);
    out.text(status.phase.name());
    out.long(status.start_time);
    out.long(status.finish_time);
    out.bool(status.counters.is_some());
    out.long(status.output_size);
    if let Some(counters) = &status.counters {
        counters.write(out);
    }
    status.next_records.write(out);
    if let Some(reduce) = &status.reduce {
        out.long(reduce.shuffle_finish);
        out.long(reduce.sort_finish);
        write_list(&reduce.failed_fetches, out);
    }
}

/// Reads a status of the given kind.
pub fn read_task_status(input: &mut DataInput<'_>, kind: TaskKind) -> Result<TaskStatus, DecodeError> {
    let attempt = TaskAttemptId::read(input)?;
    let progress = input.float()?;
    let slots = input.int()?;
    let state = read_enum(input, "attempt state", TaskState::from_name)?;
    let diagnostics = input.text()?;
    let state_string = input.text()?;
    let phase = read_enum(input, "attempt phase", Phase::from_name)?;
    let start_time = input.long()?;
    let finish_time = input.long()?;
    let includes_counters = input.bool()?;
    let output_size = input.long()?;
    let counters = includes_counters.then(|| Counters::read(input)).transpose()?;
    let next_records = SortedRange::read(input)?;
    let reduce = (kind == TaskKind::Reduce).then(|| read_reduce_progress(input)).transpose()?;
    Ok(TaskStatus {
        attempt,
        progress,
        slots,
        state,
        diagnostics,
        state_string,
        phase,
        start_time,
        finish_time,
        output_size,
        counters,
        next_records,
        reduce,
    })
}

fn read_reduce_progress(input: &mut DataInput<'_>) -> Result<ReduceProgress, DecodeError> {
    Ok(ReduceProgress {
        shuffle_finish: input.long()?,
        sort_finish: input.long()?,
        failed_fetches: read_list(input, TASK_ATTEMPT_ID_MIN, "failed fetches")?,
    })
}

/// A status with the mark of its kind before it (Hadoop 1.2.1: TaskStatus.writeTaskStatus).
impl Writable for TaskStatus {
    fn write(&self, out: &mut DataOutput) {
        out.bool(self.kind().is_map());
        write_task_status(self, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let kind = TaskKind::from_is_map(input.bool()?);
        read_task_status(input, kind)
    }
}

impl Writable for TaskSplitIndex {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.split_location);
        out.vlong(self.start_offset);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(TaskSplitIndex { split_location: input.text()?, start_offset: input.vlong()? })
    }
}

/// Writes a task without a mark of its kind (Hadoop 1.2.1: MapTask.write, ReduceTask.write).
///
/// A split index is written for a map proper only. The status takes the task's kind: a reduce without
/// [`TaskStatus::reduce`] is written with times 0 and no failed fetches.
pub fn write_task(task: &Task, out: &mut DataOutput) {
    out.text(&task.job_file);
    task.attempt.write(out);
    out.int(task.partition);
    out.int(task.slots_required);
    write_status_of(task, out);
    task.skip_ranges.write(out);
    out.bool(task.skipping);
    out.bool(task.job_cleanup.is_some());
    if let Some(state) = task.job_cleanup {
        out.text(state.name());
    }
    out.bool(task.job_setup);
    out.bool(task.write_skip_records);
    out.bool(task.task_cleanup);
    out.text(&task.user);
    match &task.detail {
        TaskDetail::Map(split) if task.is_map_or_reduce() => split.write(out),
        TaskDetail::Map(_) => (),
        TaskDetail::Reduce { maps } => out.int(*maps),
    }
}

fn write_status_of(task: &Task, out: &mut DataOutput) {
    if task.status.kind() == task.kind() {
        return write_task_status(&task.status, out);
    }
    let reduce = (!task.kind().is_map()).then(ReduceProgress::default);
    write_task_status(&TaskStatus { reduce, ..task.status.clone() }, out);
}

/// Reads a task of the given kind.
pub fn read_task(input: &mut DataInput<'_>, kind: TaskKind) -> Result<Task, DecodeError> {
    let job_file = input.text()?;
    let attempt = TaskAttemptId::read(input)?;
    let partition = input.int()?;
    let slots_required = input.int()?;
    let status = read_task_status(input, kind)?;
    let skip_ranges = SortedRanges::read(input)?;
    let skipping = input.bool()?;
    let is_job_cleanup = input.bool()?;
    let job_cleanup =
        is_job_cleanup.then(|| read_enum(input, "state of a job's cleanup", job_state_of_name)).transpose()?;
    let job_setup = input.bool()?;
    let write_skip_records = input.bool()?;
    let task_cleanup = input.bool()?;
    let user = input.text()?;
    let detail = match kind {
        TaskKind::Map if is_job_cleanup || job_setup || task_cleanup => TaskDetail::Map(TaskSplitIndex::default()),
        TaskKind::Map => TaskDetail::Map(TaskSplitIndex::read(input)?),
        TaskKind::Reduce => TaskDetail::Reduce { maps: input.int()? },
    };
    Ok(Task {
        job_file,
        attempt,
        partition,
        slots_required,
        status,
        skip_ranges,
        skipping,
        job_cleanup,
        job_setup,
        write_skip_records,
        task_cleanup,
        user,
        detail,
    })
}

fn job_state_of_name(name: &str) -> Option<JobState> {
    (1..=5).filter_map(JobState::from_number).find(|state| state.name() == name)
}

/// A task with the mark of its kind before it, as in a launch action (Hadoop 1.2.1: LaunchTaskAction.write).
impl Writable for Task {
    fn write(&self, out: &mut DataOutput) {
        out.bool(self.kind().is_map());
        write_task(self, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let kind = TaskKind::from_is_map(input.bool()?);
        read_task(input, kind)
    }
}

impl Writable for JvmTask {
    fn write(&self, out: &mut DataOutput) {
        out.bool(self.should_die);
        out.bool(self.task.is_some());
        if let Some(task) = &self.task {
            task.write(out);
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let should_die = input.bool()?;
        let has_task = input.bool()?;
        Ok(JvmTask { should_die, task: has_task.then(|| Task::read(input)).transpose()? })
    }
}

impl Writable for MapTaskCompletionEventsUpdate {
    fn write(&self, out: &mut DataOutput) {
        out.bool(self.reset);
        write_list(&self.events, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(MapTaskCompletionEventsUpdate {
            reset: input.bool()?,
            events: read_list(input, TASK_ATTEMPT_ID_MIN, "completion events")?,
        })
    }
}
