//! What the core tells of a job, as the records of 1.2.1's history files: which keys, in which order (Hadoop 1.2.1:
//! JobHistory.JobInfo, Task, MapAttempt, ReduceAttempt).

use jobtracker_core::{HistoryRecord, Submission, TaskType};
use types::{JobState, TaskAttemptId, TaskKind};
use wire::history::{Key, Record, RecordType, counters_to_text};

/// The record of one event.
pub(super) fn record_of(event: &HistoryRecord) -> Record {
    use HistoryRecord as H;
    let job = || Record::new(RecordType::Job).with(Key::JobId, event.job());
    match event {
        H::JobSubmitted { submit_time, submission, view_job, modify_job, .. } => {
            submitted(submission, *submit_time, view_job, modify_job)
        }
        H::JobPriority { priority, .. } => job().with(Key::JobPriority, priority.name()),
        H::JobInited { launch_time, maps, reduces, .. } => job()
            .with(Key::LaunchTime, launch_time)
            .with(Key::TotalMaps, maps)
            .with(Key::TotalReduces, reduces)
            .with(Key::JobStatus, JobState::Prep.name()),
        H::JobStarted { .. } => job().with(Key::JobStatus, JobState::Running.name()),
        H::JobFinished {
            finish_time,
            finished_maps,
            finished_reduces,
            failed_maps,
            failed_reduces,
            map_counters,
            reduce_counters,
            counters,
            ..
        } => job()
            .with(Key::FinishTime, finish_time)
            .with(Key::JobStatus, "SUCCESS")
            .with(Key::FinishedMaps, finished_maps)
            .with(Key::FinishedReduces, finished_reduces)
            .with(Key::FailedMaps, failed_maps)
            .with(Key::FailedReduces, failed_reduces)
            .with(Key::MapCounters, counters_to_text(map_counters))
            .with(Key::ReduceCounters, counters_to_text(reduce_counters))
            .with(Key::Counters, counters_to_text(counters)),
        H::JobUnsuccessful { state, finish_time, finished_maps, finished_reduces, reason, .. } => {
            let record = job()
                .with(Key::FinishTime, finish_time)
                .with(Key::JobStatus, state.name())
                .with(Key::FinishedMaps, finished_maps)
                .with(Key::FinishedReduces, finished_reduces);
            if *state == JobState::Failed { record.with(Key::FailReason, reason) } else { record }
        }
        _ => task_record(event),
    }
}

fn submitted(submission: &Submission, submit_time: i64, view_job: &str, modify_job: &str) -> Record {
    let workflow = &submission.workflow;
    Record::new(RecordType::Job)
        .with(Key::JobId, &submission.job)
        .with(Key::JobName, &submission.name)
        .with(Key::User, &submission.caller.user)
        .with(Key::SubmitTime, submit_time)
        .with(Key::JobConf, &submission.job_file)
        .with(Key::ViewJob, view_job)
        .with(Key::ModifyJob, modify_job)
        .with(Key::JobQueue, &submission.queue)
        .with(Key::WorkflowId, &workflow.id)
        .with(Key::WorkflowName, &workflow.name)
        .with(Key::WorkflowNodeName, &workflow.node_name)
        .with(Key::WorkflowAdjacencies, &workflow.adjacencies)
        .with(Key::WorkflowTags, &workflow.tags)
}

fn task_record(event: &HistoryRecord) -> Record {
    use HistoryRecord as H;
    match event {
        H::TaskStarted { task, task_type, start_time, splits } => Record::new(RecordType::Task)
            .with(Key::TaskId, task)
            .with(Key::TaskType, task_type.name())
            .with(Key::StartTime, start_time)
            .with(Key::Splits, splits),
        H::TaskUpdated { task, finish_time } => {
            Record::new(RecordType::Task).with(Key::TaskId, task).with(Key::FinishTime, finish_time)
        }
        H::TaskFinished { task, task_type, finish_time, counters } => Record::new(RecordType::Task)
            .with(Key::TaskId, task)
            .with(Key::TaskType, task_type.name())
            .with(Key::TaskStatus, "SUCCESS")
            .with(Key::FinishTime, finish_time)
            .with(Key::Counters, counters_to_text(counters)),
        H::TaskFailed { task, task_type, finish_time, error, failed_by } => Record::new(RecordType::Task)
            .with(Key::TaskId, task)
            .with(Key::TaskType, task_type.name())
            .with(Key::TaskStatus, "FAILED")
            .with(Key::FinishTime, finish_time)
            .with(Key::Error, error)
            .with(Key::TaskAttemptId, failed_by.as_ref().map(TaskAttemptId::to_string).unwrap_or_default()),
        _ => attempt_record(event),
    }
}

/// The beginning of every record of an attempt.
fn attempt(attempt: &TaskAttemptId, task_type: TaskType) -> Record {
    let kind = match attempt.kind() {
        TaskKind::Map => RecordType::MapAttempt,
        TaskKind::Reduce => RecordType::ReduceAttempt,
    };
    Record::new(kind)
        .with(Key::TaskType, task_type.name())
        .with(Key::TaskId, &attempt.task)
        .with(Key::TaskAttemptId, attempt)
}

fn attempt_record(event: &HistoryRecord) -> Record {
    use HistoryRecord as H;
    match event {
        H::AttemptStarted { attempt: id, task_type, start_time, tracker, http_port, locality, speculative } => {
            let port = if *http_port == -1 { String::new() } else { http_port.to_string() };
            attempt(id, *task_type)
                .with(Key::StartTime, start_time)
                .with(Key::TrackerName, tracker)
                .with(Key::HttpPort, port)
                .with(Key::Locality, locality.name())
                .with(Key::Avataar, if *speculative { "SPECULATIVE" } else { "VIRGIN" })
        }
        H::AttemptFinished { attempt: id, task_type, shuffle_and_sort, finish_time, host, state_string, counters } => {
            let mut record = attempt(id, *task_type).with(Key::TaskStatus, "SUCCESS");
            if let Some((shuffle, sort)) = shuffle_and_sort {
                record = record.with(Key::ShuffleFinished, shuffle).with(Key::SortFinished, sort);
            }
            record
                .with(Key::FinishTime, finish_time)
                .with(Key::Hostname, host)
                .with(Key::StateString, state_string)
                .with(Key::Counters, counters_to_text(counters))
        }
        H::AttemptUnsuccessful { attempt: id, task_type, killed, finish_time, host, error } => attempt(id, *task_type)
            .with(Key::TaskStatus, if *killed { "KILLED" } else { "FAILED" })
            .with(Key::FinishTime, finish_time)
            .with(Key::Hostname, host)
            .with(Key::Error, error),
        // The other kinds are the job's and the task's, which the callers have told already.
        _ => Record::new(RecordType::Job),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jobtracker_core::Locality;
    use types::{Counters, JobId};

    fn check(event: HistoryRecord, expected: &str) {
        assert_eq!(record_of(&event).to_string(), expected);
    }

    /// The expected lines are from a history file that 1.2.1 wrote.
    #[test]
    fn records_are_spelled_as_hadoop_spells_them() {
        let job = JobId::new("202611302130", 2);
        let attempt = job.task(TaskKind::Map, 3).attempt(0);
        check(
            HistoryRecord::JobInited { job: job.clone(), launch_time: 1796074392413, maps: 2, reduces: 1 },
            "Job JOBID=\"job_202611302130_0002\" LAUNCH_TIME=\"1796074392413\" TOTAL_MAPS=\"2\" TOTAL_REDUCES=\"1\" JOB_STATUS=\"PREP\" .\n",
        );
        check(
            HistoryRecord::AttemptStarted {
                attempt: attempt.clone(),
                task_type: TaskType::Setup,
                start_time: 1796074393660,
                tracker: "tracker_localhost:localhost/127.0.0.1:19150".into(),
                http_port: 19160,
                locality: Locality::OffSwitch,
                speculative: false,
            },
            "MapAttempt TASK_TYPE=\"SETUP\" TASKID=\"task_202611302130_0002_m_000003\" TASK_ATTEMPT_ID=\"attempt_202611302130_0002_m_000003_0\" START_TIME=\"1796074393660\" TRACKER_NAME=\"tracker_localhost:localhost/127\\.0\\.0\\.1:19150\" HTTP_PORT=\"19160\" LOCALITY=\"OFF_SWITCH\" AVATAAR=\"VIRGIN\" .\n",
        );
        check(
            HistoryRecord::AttemptFinished {
                attempt,
                task_type: TaskType::Setup,
                shuffle_and_sort: None,
                finish_time: 1,
                host: "/default-rack/localhost".into(),
                state_string: "setup".into(),
                counters: Counters::new(),
            },
            "MapAttempt TASK_TYPE=\"SETUP\" TASKID=\"task_202611302130_0002_m_000003\" TASK_ATTEMPT_ID=\"attempt_202611302130_0002_m_000003_0\" TASK_STATUS=\"SUCCESS\" FINISH_TIME=\"1\" HOSTNAME=\"/default-rack/localhost\" STATE_STRING=\"setup\" COUNTERS=\"\" .\n",
        );
        check(
            HistoryRecord::JobUnsuccessful {
                job,
                state: JobState::Killed,
                finish_time: 1796074440300,
                finished_maps: 2,
                finished_reduces: 0,
                reason: "not told".into(),
            },
            "Job JOBID=\"job_202611302130_0002\" FINISH_TIME=\"1796074440300\" JOB_STATUS=\"KILLED\" FINISHED_MAPS=\"2\" FINISHED_REDUCES=\"0\" .\n",
        );
    }
}
