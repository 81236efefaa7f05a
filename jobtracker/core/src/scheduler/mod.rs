//! Which job a free slot goes to. A scheduler chooses the job; the job chooses the task. A new scheduler is a file or
//! folder here and a row in [`make`].

mod capacity;
mod fair;
mod fifo;
mod job_queue;
mod limit;

use std::collections::BTreeMap;
use std::fmt::Debug;

use types::{JobId, JobPriority, Millis, Monotonic, Now, Task, TaskKind};

use crate::cluster::Cluster;
use crate::error::SubmitError;
use crate::explain::WhyNot;
use crate::job::JobInProgress;
use crate::settings::{SchedulerKind, Settings};
use crate::submission::Submission;
use crate::trackers::{PerKind, TrackerKey};
use crate::views::CapacityQueueView;

pub use capacity::{CapacityQueueSettings, CapacitySettings, JobLimits};

pub(crate) use fair::Fair;
pub use fair::{
    Allocations, FairJobView, FairSettings, FairShareView, FairView, LocalityDelays, NewJobBoost, PoolAllocation,
    PoolMode, PoolShareView, PoolView, Preemption, PreemptionClaim,
};

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

/// A scheduler (Hadoop 1.2.1: TaskScheduler and the listeners that its makes register).
pub(crate) trait TaskScheduler: Debug + Send {
    /// Whether a job that passed all other checks is taken (Hadoop 1.2.1: TaskScheduler.checkJobSubmission).
    fn check_submission(&self, _jobs: &Jobs, _submission: &Submission) -> Result<(), SubmitError> {
        Ok(())
    }

    /// A job was taken; it stands in `jobs`. Sooner or later the scheduler has it initialised
    /// ([`JobInProgress::initialize`]).
    fn job_added(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder);

    /// A job's priority has changed.
    fn job_reordered(&mut self, old: JobOrder, new: JobOrder);

    /// Something has happened to a job that is not over, or is over just now.
    fn job_changed(&mut self, _now: Now, _job: &JobInProgress) {}

    /// A job is over.
    fn job_ended(&mut self, order: &JobOrder);

    /// Chooses tasks for a tracker that has just reported.
    fn assign_tasks(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs, tracker: TrackerKey) -> Vec<Task>;

    /// The jobs of a queue, in order, as far as the scheduler knows queues.
    fn jobs(&self, queue: &str) -> Vec<JobId>;

    /// What clients are told of a queue, if anything (Hadoop 1.2.1: QueueManager.setSchedulerInfo).
    fn queue_info(&self, _cluster: &Cluster, _queue: &str) -> Option<String> {
        None
    }

    /// What clients are told of a job that is not over, if anything (Hadoop 1.2.1: JobInProgress.setSchedulingInfo).
    fn job_info(&self, _job: &JobId) -> Option<String> {
        None
    }

    /// A job is over; what is kept for it elsewhere is given back. Comes before [`TaskScheduler::job_ended`].
    fn job_ending(&mut self, _now: Now, _job: &mut JobInProgress) {}

    /// A tracker is gone, or gets no tasks any more.
    fn tracker_lost(&mut self, _now: Now, _jobs: &mut Jobs, _tracker: TrackerKey) {}

    /// Jobs may have become free to be initialised: one ended or changed its priority, or limits were read anew.
    fn initialize_jobs(&mut self, _cluster: &mut Cluster, _jobs: &mut Jobs) {}

    /// Takes new settings of its own kind (Hadoop 1.2.1: TaskScheduler.refresh).
    fn refresh(&mut self, _settings: &SchedulerKind) {}

    /// Slots of the whole cluster that are kept free for a job.
    fn reserved_slots(&self) -> PerKind {
        PerKind::default()
    }

    /// Its queues, if it has queues with capacities.
    fn capacity_queues(&self) -> Vec<CapacityQueueView> {
        Vec::new()
    }

    /// The trackers that are kept free, for which kind of tasks of which job.
    fn reservations(&self) -> Vec<(TrackerKey, TaskKind, JobId)> {
        Vec::new()
    }

    /// Why a job is not initialised yet, if the scheduler holds it back.
    fn why_held_back(&self, _job: &JobInProgress) -> Option<String> {
        None
    }

    /// Which limit of the scheduler keeps a running job from one more task of a kind, if one does.
    fn why_limited(&self, _job: &JobInProgress, _kind: TaskKind) -> Option<String> {
        None
    }

    /// How long a job waits for slots near its data, if it does, in a cluster of so many trackers.
    fn locality_wait(&self, _job: &JobInProgress, _trackers: usize) -> Option<WhyNot> {
        None
    }

    /// Whether reduces may start before enough maps are done, where the site wants it.
    fn starts_reduces_early(&self) -> bool {
        false
    }

    /// Checks its own books against the jobs; the error says what is wrong.
    fn check(&self, _jobs: &Jobs) -> Result<(), String> {
        Ok(())
    }

    /// When [`TaskScheduler::tick`] is due, if ever.
    fn next_tick(&self) -> Option<Monotonic> {
        None
    }

    /// Does what the scheduler does from time to time, whoever reports.
    fn tick(&mut self, _now: Now, _cluster: &mut Cluster, _jobs: &mut Jobs) {}

    /// The fair scheduler, if it is that.
    fn as_fair(&self) -> Option<&Fair> {
        None
    }

    /// Likewise, to be told something.
    fn as_fair_mut(&mut self) -> Option<&mut Fair> {
        None
    }
}

/// Makes the scheduler that the settings name.
pub(crate) fn make(now: Now, settings: &Settings) -> Box<dyn TaskScheduler> {
    match &settings.scheduler {
        SchedulerKind::Capacity(capacity) => Box::new(capacity::Capacity::new(capacity, settings)),
        SchedulerKind::Fifo => Box::<fifo::Fifo>::default(),
        SchedulerKind::LimitTasksPerJob { running_tasks_max } => Box::new(limit::Limit::new(*running_tasks_max)),
        SchedulerKind::Fair(settings) => Box::new(Fair::new(now, (**settings).clone())),
    }
}
