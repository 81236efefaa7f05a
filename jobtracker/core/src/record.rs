//! What a restarted JobTracker must know: the changes that the driver keeps in a journal before it answers whoever caused
//! them. [`crate::JobTracker::take_records`] gives them, [`crate::JobTracker::restore`] makes a state of them again.
//!
//! A job is kept as what happened to it, in order: since the core is deterministic, the same happenings make the same
//! job. Only what changes its course is kept, not progress. What all jobs share is kept as what it is now.

use std::collections::BTreeSet;

use types::{JobId, JobPriority, Millis, Now, TaskAttemptId, TaskKind, TaskStatus};

use crate::faulty_trackers::HostFaults;
use crate::submission::{SplitWithRacks, Submission};

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Of a job.
    Job(JobRecord),
    /// Of what all jobs share.
    Cluster(ClusterRecord),
}

/// Something that happened to a job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRecord {
    /// Which job.
    pub job: JobId,
    /// When.
    pub at: Millis,
    /// What.
    pub change: JobChange,
}

/// What happened to a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobChange {
    /// It was taken. Comes first; one that comes later stands in place of all before.
    Submitted(Box<Submission>),
    /// Its splits are known.
    Inited(Vec<SplitWithRacks>),
    /// An attempt was handed out.
    Launched {
        /// Of which task.
        task: TaskPlace,
        /// To whom.
        tracker: TrackerPlace,
        /// How many trackers there were.
        cluster_size: usize,
    },
    /// The cleanup of an attempt was handed out.
    CleanupLaunched {
        /// Of which attempt's task.
        task: TaskPlace,
        /// Which attempt.
        number: i32,
        /// To whom.
        tracker: TrackerPlace,
    },
    /// An attempt reported a new state, or what went wrong.
    Reported {
        /// What it reported.
        status: Box<TaskStatus>,
        /// Whether safe mode was on.
        safe_mode: bool,
        /// How many trackers there were when the job last asked.
        cluster_size: usize,
    },
    /// An attempt was ended without a report of its own.
    Ended {
        /// What stands in place of one.
        status: Box<TaskStatus>,
        /// Whether safe mode was on.
        safe_mode: bool,
        /// How many trackers there were when the job last asked.
        cluster_size: usize,
    },
    /// The tracker of an attempt was lost.
    Lost {
        /// Of which task.
        task: TaskPlace,
        /// Which attempt.
        number: i32,
        /// What to tell of it.
        reason: String,
    },
    /// Something of the job was lost with a tracker on that host.
    HostPenalized {
        /// The host.
        host: String,
        /// How many trackers there were when the job last asked.
        cluster_size: usize,
    },
    /// A user wants an attempt to end.
    KillWished {
        /// Of which task.
        task: TaskPlace,
        /// Which attempt.
        number: i32,
        /// Whether it is to count as failed.
        fail: bool,
    },
    /// A user wants the job to end.
    Killed,
    /// It failed for that reason.
    Failed(String),
    /// It has another priority.
    Priority(JobPriority),
}

/// A task within its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskPlace {
    /// Map or reduce, by its id.
    pub kind: TaskKind,
    /// Its number.
    pub number: i32,
}

/// A tracker, with all that a job must know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackerPlace {
    /// Its name.
    pub name: String,
    /// Its host.
    pub host: String,
    /// Its rack path.
    pub rack: String,
    /// The port of its pages and of its shuffle.
    pub http_port: i32,
}

/// A change of what all jobs share.
#[derive(Debug, Clone, PartialEq)]
pub enum ClusterRecord {
    /// A tracker is registered, and as described.
    Tracker {
        /// Where it is.
        place: TrackerPlace,
        /// Its map slots.
        map_slots: i32,
        /// Its reduce slots.
        reduce_slots: i32,
    },
    /// A tracker is not registered any more.
    TrackerGone {
        /// Its name.
        name: String,
    },
    /// A host has these faults.
    Faults(HostFaults),
    /// A host has no faults.
    NoFaults {
        /// The host.
        host: String,
    },
}

/// Whether changes are noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    /// Nobody wants them.
    #[default]
    Off,
    /// They are.
    On,
    /// They are being made again.
    Restoring,
}

/// Changes that the driver has not taken yet.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    mode: Mode,
    /// How deep inside a change we are that is noted as a whole.
    depth: u32,
    records: Vec<Record>,
    /// When the last change was noted.
    last_at: Millis,
    /// Jobs from before a restart that were not over then.
    pub(crate) restored: BTreeSet<JobId>,
}

impl Journal {
    pub(crate) fn new(on: bool) -> Self {
        Journal { mode: if on { Mode::On } else { Mode::Off }, ..Journal::default() }
    }

    /// While a state is made from records, nothing is noted.
    pub(crate) fn set_restoring(&mut self, restoring: bool, on: bool) {
        self.mode = match (restoring, on) {
            (true, _) => Mode::Restoring,
            (false, true) => Mode::On,
            (false, false) => Mode::Off,
        };
    }

    pub(crate) fn is_restoring(&self) -> bool {
        self.mode == Mode::Restoring
    }

    /// Whether a job's change would be noted now.
    pub(crate) fn wants(&self) -> bool {
        self.mode == Mode::On && self.depth == 0
    }

    /// Notes a job's change, unless it is part of one that is noted already.
    pub(crate) fn note(&mut self, now: Now, job: &JobId, change: impl FnOnce() -> JobChange) {
        if self.wants() {
            self.last_at = now.wall.0;
            self.note_late(job, change);
        }
    }

    /// Notes a change of which nobody needs to know exactly when it was made.
    pub(crate) fn note_late(&mut self, job: &JobId, change: impl FnOnce() -> JobChange) {
        if self.wants() {
            self.records.push(Record::Job(JobRecord { job: job.clone(), at: self.last_at, change: change() }));
        }
    }

    pub(crate) fn set_last_at(&mut self, at: Millis) {
        self.last_at = at;
    }

    /// What follows, up to [`Journal::leave`], is part of the change noted last.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Notes a change of what all jobs share.
    pub(crate) fn note_cluster(&mut self, change: impl FnOnce() -> ClusterRecord) {
        if self.mode == Mode::On {
            self.records.push(Record::Cluster(change()));
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.records)
    }
}

impl TaskPlace {
    /// The task of an attempt.
    pub(crate) fn of(attempt: &TaskAttemptId) -> Self {
        TaskPlace { kind: attempt.kind(), number: attempt.task.number }
    }
}
