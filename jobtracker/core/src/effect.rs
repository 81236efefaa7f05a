//! What the core wants done outside. The driver takes the effects after each event, in order, and does them; the only
//! one with an answer is [`Effect::ReadSplits`], whose answer is [`crate::JobTracker::splits_read`].

use types::{Counters, JobId, JobPriority, JobState, Millis, TaskAttemptId, TaskId};

use crate::scheduler::Preemption;
use crate::submission::{Notification, Submission};

/// A wish of the core's.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Read a job's split meta file and find the racks of its hosts.
    ReadSplits {
        /// Whose.
        job: JobId,
    },
    /// Append to a job's history.
    History(HistoryRecord),
    /// A job is over: clean up after it and tell whoever wants to know.
    JobEnded(Box<JobEnded>),
    /// A job has left memory: nothing of it need be kept for a restart.
    JobRetired(JobId),
    /// A line for the audit log.
    Audit(AuditRecord),
    /// A pool takes slots back, or would: tell the operators.
    Preemption(Preemption),
}

/// A job is over.
#[derive(Debug, Clone, PartialEq)]
pub struct JobEnded {
    /// Which.
    pub job: JobId,
    /// How it ended.
    pub state: JobState,
    /// Its staging directory, to be removed; `None` if it is to stay.
    pub staging_dir: Option<String>,
    /// Whether its delegation tokens are to be cancelled.
    pub cancel_tokens: bool,
    /// Whom to tell.
    pub notification: Option<Notification>,
    /// A line for the job summary log.
    pub summary: JobSummary,
}

/// What the job summary log tells (Hadoop 1.2.1: JobInProgress.JobSummary).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSummary {
    /// When it was submitted.
    pub submit_time: Millis,
    /// When it was initialised.
    pub launch_time: Millis,
    /// When its first map was launched; 0 if none was.
    pub first_map_launch: Millis,
    /// When its first reduce was launched; 0 if none was.
    pub first_reduce_launch: Millis,
    /// When its first setup attempt was launched; 0 if none was.
    pub first_setup_launch: Millis,
    /// When its first cleanup attempt was launched; 0 if none was.
    pub first_cleanup_launch: Millis,
    /// When it ended.
    pub finish_time: Millis,
    /// Its maps.
    pub maps: i32,
    /// Slots of each map.
    pub slots_per_map: i32,
    /// Its reduces.
    pub reduces: i32,
    /// Slots of each reduce.
    pub slots_per_reduce: i32,
    /// Whose it was.
    pub user: String,
    /// Its queue.
    pub queue: String,
    /// Seconds of map slots it took.
    pub map_slot_seconds: i64,
    /// Seconds of reduce slots it took.
    pub reduce_slot_seconds: i64,
    /// Map slots of the cluster at its end.
    pub cluster_map_slots: i32,
    /// Reduce slots of the cluster at its end.
    pub cluster_reduce_slots: i32,
    /// Its name.
    pub name: String,
}

/// What the audit log tells (Hadoop 1.2.1: AuditLogger).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// Who asked.
    pub user: String,
    /// From where.
    pub address: String,
    /// For what: `KILL_JOB`, `SUBMIT_JOB`…
    pub operation: &'static str,
    /// `<job> in queue <queue>`, or a job id.
    pub target: String,
    /// What was wrong and who would have been let in; `None` where it succeeded.
    pub refused: Option<AuditRefusal>,
}

/// Why an operation was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRefusal {
    /// Who would have been let in.
    pub permissions: String,
    /// What was wrong.
    pub description: String,
}

/// What history calls a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TaskType {
    /// Sets the job up.
    Setup,
    /// Maps.
    Map,
    /// Reduces.
    Reduce,
    /// Cleans the job up.
    Cleanup,
}

impl TaskType {
    /// The word in history: `SETUP`, `MAP`, `REDUCE`, `CLEANUP`.
    pub fn name(self) -> &'static str {
        match self {
            TaskType::Setup => "SETUP",
            TaskType::Map => "MAP",
            TaskType::Reduce => "REDUCE",
            TaskType::Cleanup => "CLEANUP",
        }
    }
}

/// Where an attempt ran relative to its input, as history spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Locality {
    /// On a host of its split.
    NodeLocal,
    /// In a node group of its split.
    GroupLocal,
    /// In a rack of its split.
    RackLocal,
    /// Elsewhere.
    OffSwitch,
}

impl Locality {
    /// The word in history.
    pub fn name(self) -> &'static str {
        match self {
            Locality::NodeLocal => "NODE_LOCAL",
            Locality::GroupLocal => "GROUP_LOCAL",
            Locality::RackLocal => "RACK_LOCAL",
            Locality::OffSwitch => "OFF_SWITCH",
        }
    }
}

/// One line of a job's history, before it is spelled.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryRecord {
    /// `Job … SUBMIT_TIME …`: opens the file.
    JobSubmitted {
        /// When.
        submit_time: Millis,
        /// All that the record tells.
        submission: Box<Submission>,
        /// `VIEW_JOB`, as it counts: `*` when access lists are off.
        view_job: String,
        /// `MODIFY_JOB`, likewise.
        modify_job: String,
        /// The restart count of the JobTracker; 0.
        restarts: i32,
    },
    /// `Job JOBID JOB_PRIORITY`.
    JobPriority {
        /// Which job.
        job: JobId,
        /// Its priority now.
        priority: JobPriority,
    },
    /// `Job JOBID LAUNCH_TIME TOTAL_MAPS TOTAL_REDUCES JOB_STATUS="PREP"`.
    JobInited {
        /// Which job.
        job: JobId,
        /// When.
        launch_time: Millis,
        /// Its maps.
        maps: i32,
        /// Its reduces.
        reduces: i32,
    },
    /// `Job JOBID JOB_STATUS="RUNNING"`.
    JobStarted {
        /// Which job.
        job: JobId,
    },
    /// `Job … JOB_STATUS="SUCCESS"` with all counters.
    JobFinished {
        /// Which job.
        job: JobId,
        /// When.
        finish_time: Millis,
        /// Maps that succeeded.
        finished_maps: i32,
        /// Reduces that succeeded.
        finished_reduces: i32,
        /// Map attempts that failed.
        failed_maps: i32,
        /// Reduce attempts that failed.
        failed_reduces: i32,
        /// Sum over maps.
        map_counters: Counters,
        /// Sum over reduces.
        reduce_counters: Counters,
        /// All counters of the job.
        counters: Counters,
    },
    /// `Job … JOB_STATUS="FAILED"` or `"KILLED"`.
    JobUnsuccessful {
        /// Which job.
        job: JobId,
        /// Failed or killed.
        state: JobState,
        /// When.
        finish_time: Millis,
        /// Maps that succeeded.
        finished_maps: i32,
        /// Reduces that succeeded.
        finished_reduces: i32,
        /// Why it failed; written only for failed jobs.
        reason: String,
    },
    /// `Task TASKID TASK_TYPE START_TIME SPLITS`.
    TaskStarted {
        /// Which task.
        task: TaskId,
        /// What history calls it.
        task_type: TaskType,
        /// When.
        start_time: Millis,
        /// Node paths of its split, comma separated; empty for other than maps.
        splits: String,
    },
    /// `Task TASKID FINISH_TIME`.
    TaskUpdated {
        /// Which task.
        task: TaskId,
        /// When.
        finish_time: Millis,
    },
    /// `Task … TASK_STATUS="SUCCESS" FINISH_TIME COUNTERS`.
    TaskFinished {
        /// Which task.
        task: TaskId,
        /// What history calls it.
        task_type: TaskType,
        /// When.
        finish_time: Millis,
        /// Its counters.
        counters: Counters,
    },
    /// `Task … TASK_STATUS="FAILED" FINISH_TIME ERROR TASK_ATTEMPT_ID`.
    TaskFailed {
        /// Which task.
        task: TaskId,
        /// What history calls it.
        task_type: TaskType,
        /// When.
        finish_time: Millis,
        /// Why.
        error: String,
        /// The attempt that failed it, if one did.
        failed_by: Option<TaskAttemptId>,
    },
    /// `MapAttempt` or `ReduceAttempt` with `START_TIME TRACKER_NAME HTTP_PORT LOCALITY AVATAAR`; comes right before
    /// the attempt's end.
    AttemptStarted {
        /// Which attempt; its kind says which record.
        attempt: TaskAttemptId,
        /// What history calls its task.
        task_type: TaskType,
        /// When.
        start_time: Millis,
        /// Where.
        tracker: String,
        /// That tracker's HTTP port.
        http_port: i32,
        /// How near its input; `OffSwitch` for all but maps.
        locality: Locality,
        /// Whether it was a second attempt beside a running one.
        speculative: bool,
    },
    /// `… TASK_STATUS="SUCCESS" [SHUFFLE_FINISHED SORT_FINISHED] FINISH_TIME HOSTNAME STATE_STRING COUNTERS`.
    AttemptFinished {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What history calls its task.
        task_type: TaskType,
        /// When its shuffle and sort ended; reduces only.
        shuffle_and_sort: Option<(Millis, Millis)>,
        /// When.
        finish_time: Millis,
        /// The node path `/rack/host`.
        host: String,
        /// What it said last.
        state_string: String,
        /// Its counters.
        counters: Counters,
    },
    /// `… TASK_STATUS="FAILED"|"KILLED" FINISH_TIME HOSTNAME ERROR`.
    AttemptUnsuccessful {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What history calls its task.
        task_type: TaskType,
        /// Killed, not failed.
        killed: bool,
        /// When.
        finish_time: Millis,
        /// The host, without rack.
        host: String,
        /// Why.
        error: String,
    },
}

impl HistoryRecord {
    /// The job whose history it belongs to.
    pub fn job(&self) -> &JobId {
        use HistoryRecord as R;
        match self {
            R::JobSubmitted { submission, .. } => &submission.job,
            R::JobPriority { job, .. }
            | R::JobInited { job, .. }
            | R::JobStarted { job }
            | R::JobFinished { job, .. }
            | R::JobUnsuccessful { job, .. } => job,
            R::TaskStarted { task, .. }
            | R::TaskUpdated { task, .. }
            | R::TaskFinished { task, .. }
            | R::TaskFailed { task, .. } => &task.job,
            R::AttemptStarted { attempt, .. }
            | R::AttemptFinished { attempt, .. }
            | R::AttemptUnsuccessful { attempt, .. } => attempt.job(),
        }
    }
}
