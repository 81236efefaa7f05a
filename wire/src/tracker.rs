//! What a TaskTracker tells and is told, in wire order.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{
    HeartbeatResponse, JobId, ResourceStatus, Task, TaskAttemptId, TaskTrackerAction, TaskTrackerHealthStatus,
    TaskTrackerStatus,
};

use crate::Writable;
use crate::ids::{JOB_ID_MIN, TASK_ATTEMPT_ID_MIN};
use crate::writable::{read_list, write_list};

impl Writable for ResourceStatus {
    fn write(&self, out: &mut DataOutput) {
        out.vlong(self.total_virtual);
        out.vlong(self.total_physical);
        out.vlong(self.available_virtual);
        out.vlong(self.available_physical);
        out.vlong(self.map_slot_mb);
        out.vlong(self.reduce_slot_mb);
        out.vlong(self.available_space);
        out.vlong(self.cumulative_cpu_ms);
        out.vlong(self.cpu_frequency_khz);
        out.vint(self.processors);
        out.float(self.cpu_usage);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(ResourceStatus {
            total_virtual: input.vlong()?,
            total_physical: input.vlong()?,
            available_virtual: input.vlong()?,
            available_physical: input.vlong()?,
            map_slot_mb: input.vlong()?,
            reduce_slot_mb: input.vlong()?,
            available_space: input.vlong()?,
            cumulative_cpu_ms: input.vlong()?,
            cpu_frequency_khz: input.vlong()?,
            processors: input.vint()?,
            cpu_usage: input.float()?,
        })
    }
}

impl Writable for TaskTrackerHealthStatus {
    fn write(&self, out: &mut DataOutput) {
        out.bool(self.healthy);
        out.text(&self.report);
        out.long(self.last_reported);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(TaskTrackerHealthStatus { healthy: input.bool()?, report: input.text()?, last_reported: input.long()? })
    }
}

impl Writable for TaskTrackerStatus {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.name);
        out.text(&self.host);
        out.int(self.http_port);
        out.int(self.task_failures);
        out.int(self.dir_failures);
        out.int(self.max_map_slots);
        out.int(self.max_reduce_slots);
        self.resources.write(out);
        write_list(&self.tasks, out);
        self.health.write(out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(TaskTrackerStatus {
            name: input.text()?,
            host: input.text()?,
            http_port: input.int()?,
            task_failures: input.int()?,
            dir_failures: input.int()?,
            max_map_slots: input.int()?,
            max_reduce_slots: input.int()?,
            resources: ResourceStatus::read(input)?,
            tasks: read_list(input, TASK_ATTEMPT_ID_MIN, "attempts of a tracker")?,
            health: TaskTrackerHealthStatus::read(input)?,
        })
    }
}

/// Writes the action's type, then the action, which does not repeat it.
impl Writable for TaskTrackerAction {
    fn write(&self, out: &mut DataOutput) {
        out.text(action_type(self));
        match self {
            TaskTrackerAction::Launch(task) => task.write(out),
            TaskTrackerAction::KillTask(attempt) | TaskTrackerAction::CommitTask(attempt) => attempt.write(out),
            TaskTrackerAction::KillJob(job) => job.write(out),
            TaskTrackerAction::Reinit => (),
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let name = input.text()?;
        Ok(match name.as_str() {
            "LAUNCH_TASK" => TaskTrackerAction::Launch(Box::new(Task::read(input)?)),
            "KILL_TASK" => TaskTrackerAction::KillTask(TaskAttemptId::read(input)?),
            "KILL_JOB" => TaskTrackerAction::KillJob(JobId::read(input)?),
            "REINIT_TRACKER" => TaskTrackerAction::Reinit,
            "COMMIT_TASK" => TaskTrackerAction::CommitTask(TaskAttemptId::read(input)?),
            _ => return Err(input.error("tracker action", format!("{name:?} is none of its names"))),
        })
    }
}

fn action_type(action: &TaskTrackerAction) -> &'static str {
    match action {
        TaskTrackerAction::Launch(_) => "LAUNCH_TASK",
        TaskTrackerAction::KillTask(_) => "KILL_TASK",
        TaskTrackerAction::KillJob(_) => "KILL_JOB",
        TaskTrackerAction::Reinit => "REINIT_TRACKER",
        TaskTrackerAction::CommitTask(_) => "COMMIT_TASK",
    }
}

impl Writable for HeartbeatResponse {
    fn write(&self, out: &mut DataOutput) {
        out.short(self.response_id);
        out.int(self.interval_ms);
        out.vint(self.actions.len() as i32);
        self.actions.iter().for_each(|action| action.write(out));
        write_list(&self.recovered_jobs, out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let response_id = input.short()?;
        let interval_ms = input.int()?;
        let count = input.vcount(JOB_ID_MIN, "tracker actions")?;
        let actions = (0..count).map(|_| TaskTrackerAction::read(input)).collect::<Result<_, _>>()?;
        let recovered_jobs = read_list(input, JOB_ID_MIN, "recovered jobs")?;
        Ok(HeartbeatResponse { response_id, interval_ms, actions, recovered_jobs })
    }
}
