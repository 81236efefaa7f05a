//! What clients see of jobs, queues and the cluster, in wire order.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{
    AccessControlList, ClusterStatus, CompletionStatus, Counters, JobAcl, JobId, JobPriority, JobProfile, JobQueueInfo,
    JobState, JobStatus, JobTrackerState, QueueAclsInfo, TaskAttemptId, TaskCompletionEvent, TaskId, TaskReport,
    TipStatus,
};

use crate::Writable;
use crate::ids::TASK_ATTEMPT_ID_MIN;
use crate::writable::{read_enum, write_texts};

impl Writable for JobStatus {
    fn write(&self, out: &mut DataOutput) {
        self.job.write(out);
        out.float(self.setup_progress);
        out.float(self.map_progress);
        out.float(self.reduce_progress);
        out.float(self.cleanup_progress);
        out.int(self.state.number());
        out.long(self.start_time);
        out.text(&self.user);
        out.text(self.priority.name());
        out.text(&self.scheduling_info);
        out.int(self.acls.len() as i32);
        for (acl, list) in &self.acls {
            out.text(acl.name());
            list.write(out);
        }
        out.text(&self.failure_info);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JobStatus {
            job: JobId::read(input)?,
            setup_progress: input.float()?,
            map_progress: input.float()?,
            reduce_progress: input.float()?,
            cleanup_progress: input.float()?,
            state: read_job_state(input)?,
            start_time: input.long()?,
            user: input.text()?,
            priority: read_enum(input, "job priority", JobPriority::from_name)?,
            scheduling_info: input.text()?,
            acls: read_acls(input)?,
            failure_info: input.text()?,
        })
    }
}

fn read_job_state(input: &mut DataInput<'_>) -> Result<JobState, DecodeError> {
    let number = input.int()?;
    JobState::from_number(number).ok_or_else(|| input.error("job state", format!("{number} is not in 1 to 5")))
}

fn read_acls(input: &mut DataInput<'_>) -> Result<Vec<(JobAcl, AccessControlList)>, DecodeError> {
    (0..input.count(2, "job ACLs")?)
        .map(|_| Ok((read_enum(input, "job ACL", JobAcl::from_name)?, AccessControlList::read(input)?)))
        .collect()
}

impl Writable for JobProfile {
    fn write(&self, out: &mut DataOutput) {
        self.job.write(out);
        out.text(&self.job_file);
        out.text(&self.url);
        out.text(&self.user);
        out.text(&self.name);
        out.text(&self.queue);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JobProfile {
            job: JobId::read(input)?,
            job_file: input.text()?,
            url: input.text()?,
            user: input.text()?,
            name: input.text()?,
            queue: input.text()?,
        })
    }
}

impl Writable for ClusterStatus {
    fn write(&self, out: &mut DataOutput) {
        write_trackers(self.active_count, &self.active, out);
        write_trackers(self.blacklisted_count, &self.blacklisted, out);
        write_trackers(self.graylisted_count, &self.graylisted, out);
        out.int(self.excluded_count);
        out.long(self.tracker_expiry_ms);
        out.int(self.running_maps);
        out.int(self.running_reduces);
        out.int(self.map_slots);
        out.int(self.reduce_slots);
        out.long(self.used_memory);
        out.long(self.max_memory);
        out.text(self.state.name());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let (active_count, active) = read_trackers(input)?;
        let (blacklisted_count, blacklisted) = read_trackers(input)?;
        let (graylisted_count, graylisted) = read_trackers(input)?;
        Ok(ClusterStatus {
            active_count,
            active,
            blacklisted_count,
            blacklisted,
            graylisted_count,
            graylisted,
            excluded_count: input.int()?,
            tracker_expiry_ms: input.long()?,
            running_maps: input.int()?,
            running_reduces: input.int()?,
            map_slots: input.int()?,
            reduce_slots: input.int()?,
            used_memory: input.long()?,
            max_memory: input.long()?,
            state: read_enum(input, "JobTracker state", JobTrackerState::from_name)?,
        })
    }
}

/// The number, then the names; where there are names, both counts are theirs.
fn write_trackers(count: i32, names: &[String], out: &mut DataOutput) {
    out.int(if names.is_empty() { count } else { names.len() as i32 });
    write_texts(names, out);
}

fn read_trackers(input: &mut DataInput<'_>) -> Result<(i32, Vec<String>), DecodeError> {
    let count = input.int()?;
    let names = input.count(1, "tracker names")?;
    Ok((count, (0..names).map(|_| input.text()).collect::<Result<_, _>>()?))
}

impl Writable for TaskReport {
    fn write(&self, out: &mut DataOutput) {
        self.task.write(out);
        out.float(self.progress);
        out.text(&self.state);
        out.long(self.start_time);
        out.long(self.finish_time);
        out.wstrings(&self.diagnostics);
        self.counters.write(out);
        out.text(self.status.name());
        match (self.status, &self.successful) {
            (TipStatus::Running, _) => {
                out.vint(self.running.len() as i32);
                self.running.iter().for_each(|attempt| attempt.write(out));
            }
            (TipStatus::Complete, Some(attempt)) => attempt.write(out),
            // Java's default attempt id stands for "none".
            (TipStatus::Complete, None) => {
                JobId::new("", 0).task(types::TaskKind::Reduce, 0).attempt(0).write(out);
            }
            _ => (),
        }
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let mut report = TaskReport {
            task: TaskId::read(input)?,
            progress: input.float()?,
            state: input.text()?,
            start_time: input.long()?,
            finish_time: input.long()?,
            diagnostics: input.wstrings()?,
            counters: Counters::read(input)?,
            status: read_enum(input, "task status", TipStatus::from_name)?,
            running: Vec::new(),
            successful: None,
        };
        match report.status {
            TipStatus::Running => {
                let count = input.vcount(TASK_ATTEMPT_ID_MIN, "running attempts")?;
                report.running = (0..count).map(|_| TaskAttemptId::read(input)).collect::<Result<_, _>>()?;
            }
            TipStatus::Complete => report.successful = Some(TaskAttemptId::read(input)?),
            _ => (),
        }
        Ok(report)
    }
}

impl Writable for TaskCompletionEvent {
    fn write(&self, out: &mut DataOutput) {
        self.attempt.write(out);
        out.vint(self.id_within_job);
        out.bool(self.is_map);
        out.text(self.status.name());
        out.wstring(self.tracker_http.as_deref());
        out.vint(self.run_time_ms);
        out.vint(self.event_id);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(TaskCompletionEvent {
            attempt: TaskAttemptId::read(input)?,
            id_within_job: input.vint()?,
            is_map: input.bool()?,
            status: read_enum(input, "completion status", CompletionStatus::from_name)?,
            tracker_http: input.wstring()?,
            run_time_ms: input.vint()?,
            event_id: input.vint()?,
        })
    }
}

impl Writable for JobQueueInfo {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.name);
        out.text(&self.state);
        out.text(&self.scheduling_info);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JobQueueInfo { name: input.text()?, state: input.text()?, scheduling_info: input.text()? })
    }
}

impl Writable for QueueAclsInfo {
    fn write(&self, out: &mut DataOutput) {
        out.text(&self.queue);
        out.wstrings(&self.operations);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(QueueAclsInfo { queue: input.text()?, operations: input.wstrings()? })
    }
}
