//! Which job a free slot goes to. A scheduler chooses the job; the job chooses the task. A new scheduler is a file or
//! folder here and a row in [`make`].

mod fifo;

use std::collections::BTreeMap;
use std::fmt::Debug;

use types::{JobId, JobPriority, Millis, Now, Task};

use crate::cluster::Cluster;
use crate::job::JobInProgress;
use crate::settings::SchedulerKind;
use crate::trackers::TrackerKey;

/// All jobs in memory, by id.
pub(crate) type Jobs = BTreeMap<JobId, JobInProgress>;

/// What orders jobs that wait.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct JobOrder {
    pub(crate) priority: JobPriority,
    pub(crate) start_time: Millis,
    pub(crate) job: JobId,
}

impl JobOrder {
    pub(crate) fn of(job: &JobInProgress) -> Self {
        JobOrder { priority: job.status.priority, start_time: job.status.start_time, job: job.id.clone() }
    }
}

/// A scheduler (Hadoop 1.2.1: TaskScheduler).
pub(crate) trait TaskScheduler: Debug + Send {
    /// A job was taken.
    fn job_added(&mut self, order: JobOrder);
    /// A job's priority has changed.
    fn job_reordered(&mut self, old: JobOrder, new: JobOrder);
    /// A job is over.
    fn job_ended(&mut self, order: &JobOrder);
    /// Chooses tasks for a tracker that has just reported.
    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task>;
    /// The jobs of a queue, in order, as far as the scheduler knows queues.
    fn jobs(&self, queue: &str) -> Vec<JobId>;
}

/// Makes the scheduler of that kind.
pub(crate) fn make(kind: SchedulerKind) -> Box<dyn TaskScheduler> {
    match kind {
        SchedulerKind::Fifo => Box::<fifo::Fifo>::default(),
    }
}
