//! The state of a whole MapReduce cluster: jobs, tasks, attempts, trackers, queues, and every decision about them.
//!
//! Pure: no I/O, no clock, no thread, no lock, nothing in hash order. Each event is one method that is handed `now` and
//! gives back a value; what is to be done outside queues up as [`Effect`]s, which the driver takes after each event.
//! The daemon `jobtracker` and the `simulator` drive the very same code.

#![forbid(unsafe_code)]

mod access;
mod administration;
mod cluster;
mod deadlines;
mod effect;
mod error;
mod explain;
mod faulty_trackers;
mod heartbeat;
mod invariants;
mod job;
mod queries;
mod queues;
mod record;
mod restore;
mod retire;
mod scheduler;
mod settings;
mod submission;
mod submit;
mod task;
mod topology;
mod trackers;
mod views;

use std::collections::BTreeSet;

use types::{HeartbeatResponse, JobId, JobPriority, JobStatus, Monotonic, Now, TaskAttemptId, TaskKind};

use cluster::Cluster;
use job::Readiness;
use queues::Queues;
use retire::Retirement;
use scheduler::{JobOrder, Jobs, TaskScheduler};
use trackers::TrackerKey;

pub use effect::{AuditRecord, AuditRefusal, Effect, HistoryRecord, JobEnded, JobSummary, Locality, TaskType};
pub use error::{ClientError, HeartbeatError, SubmitError};
pub use explain::WhyNot;
pub use faulty_trackers::HostFaults;
pub use record::{ClusterRecord, JobChange, JobRecord, Record, TaskPlace, TrackerPlace};
pub use scheduler::{
    Allocations, CapacityQueueSettings, CapacitySettings, FairJobView, FairSettings, FairShareView, FairView,
    JobLimits, LocalityDelays, NewJobBoost, PoolAllocation, PoolMode, PoolShareView, PoolView, Preemption,
    PreemptionClaim,
};
pub use settings::{HostLists, Identity, QueueSettings, SchedulerKind, Settings};
pub use submission::{Caller, Notification, SkipSettings, SplitWithRacks, Submission, Workflow};
pub use views::{
    AttemptView, CapacityQueueView, JobView, ReportKind, SlotsView, TaskCounts, TaskView, Totals, TrackerView,
};

/// A TaskTracker's report and what it asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Heartbeat {
    /// The report.
    pub status: types::TaskTrackerStatus,
    /// The TaskTracker was started by hand: its faults are forgiven.
    pub restarted: bool,
    /// Its first heartbeat, or its first after it was told to reinitialize.
    pub initial_contact: bool,
    /// Whether it wants tasks.
    pub accept_new_tasks: bool,
    /// The id of the last answer it got; -1 before the first.
    pub response_id: i16,
    /// The rack path of its host, found by the daemon; `/default-rack` if unknown.
    pub rack: String,
}

/// Why a tracker wants a heartbeat.
enum Want {
    /// To be told something.
    Orders,
    /// To take a task.
    Task,
}

/// The cluster's state.
#[derive(Debug)]
pub struct JobTracker {
    cluster: Cluster,
    jobs: Jobs,
    scheduler: Box<dyn TaskScheduler>,
    queues: Queues,
    retirement: Retirement,
    next_job: i32,
    /// Jobs that are not over.
    incomplete: BTreeSet<JobId>,
    /// Jobs of which a setup or a cleanup waits for a slot.
    special_jobs: BTreeSet<JobId>,
    /// How many jobs have maps and reduces that wait for a slot.
    jobs_with_maps: usize,
    jobs_with_reduces: usize,
}

impl JobTracker {
    /// A JobTracker that knows nobody yet.
    pub fn new(settings: Settings, identity: Identity, now: Now) -> Self {
        JobTracker {
            scheduler: scheduler::make(now, &settings),
            queues: Queues::new(settings.queues.clone()),
            retirement: Retirement::new(now, settings.retire_check),
            next_job: identity.first_job,
            jobs: Jobs::new(),
            incomplete: BTreeSet::new(),
            special_jobs: BTreeSet::new(),
            jobs_with_maps: 0,
            jobs_with_reduces: 0,
            cluster: Cluster::new(settings, identity),
        }
    }

    // Events from TaskTrackers.

    /// Takes a report and answers with orders (Hadoop 1.2.1: JobTracker.heartbeat).
    pub fn heartbeat(&mut self, now: Now, beat: Heartbeat) -> Result<HeartbeatResponse, HeartbeatError> {
        self.process_heartbeat(now, beat)
    }

    /// Whether a heartbeat from that tracker would bring it something now: an order it has not got yet, or perhaps a
    /// task for a slot that its last report and the last answer left free. Once a heartbeat has brought it nothing this
    /// is false until something changes, so that a woken tracker never spins. Cheap.
    pub fn wants_heartbeat(&self, tracker: &str) -> bool {
        self.want_of(tracker).is_some()
    }

    /// Of trackers that may be woken, those that should be now: all for which there are orders, and of those that could
    /// only take a task no more than there are tasks, in the order given.
    pub fn trackers_to_wake<'a>(&self, trackers: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut tasks = None;
        let mut is_due = |tracker: &&str| match self.want_of(tracker) {
            None => false,
            Some(Want::Orders) => true,
            Some(Want::Task) => {
                let left = tasks.get_or_insert_with(|| self.waiting_tasks());
                let due = *left > 0;
                *left = left.saturating_sub(1);
                due
            }
        };
        trackers.into_iter().filter(|tracker| is_due(tracker)).collect()
    }

    fn want_of(&self, tracker: &str) -> Option<Want> {
        let trackers = &self.cluster.trackers;
        let tracker = trackers.key(tracker).and_then(|key| trackers.get(key))?;
        if !tracker.jobs_to_kill.is_empty() || !tracker.strays.is_empty() || self.has_untold_orders(tracker) {
            return Some(Want::Orders);
        }
        let refused = self.cluster.safe_mode || self.cluster.faulty.is_blacklisted(tracker.host);
        if !tracker.accepts_tasks || refused || tracker.idle_at == Some(self.cluster.work) {
            return None;
        }
        let fits = TaskKind::BOTH.into_iter().any(|kind| tracker.free_slots(kind) > 0 && self.has_work(kind));
        fits.then_some(Want::Task)
    }

    fn has_untold_orders(&self, tracker: &trackers::Tracker) -> bool {
        let tip = |id: &TaskAttemptId| {
            let job = self.jobs.get(id.job()).filter(|job| !job.is_over())?;
            Some(job.task(job.find(id.kind(), id.task.number)?))
        };
        let kills = tracker.suspects.iter().any(|id| {
            tip(id).is_some_and(|tip| {
                tip.should_close(id.number) && tip.attempt(id.number).is_some_and(|attempt| !attempt.kill_told)
            })
        });
        kills
            || tracker.commit_pending.iter().any(|id| {
                tip(id).is_some_and(|tip| {
                    tip.should_commit(id.number) && tip.attempt(id.number).is_some_and(|attempt| !attempt.commit_told)
                })
            })
    }

    /// Whether any task waits for a slot of that kind.
    fn has_work(&self, kind: TaskKind) -> bool {
        let waiting = match kind {
            TaskKind::Map => self.jobs_with_maps,
            TaskKind::Reduce => self.jobs_with_reduces,
        };
        waiting > 0 || !self.special_jobs.is_empty()
    }

    /// How many tasks wait for a slot.
    pub fn waiting_tasks(&self) -> usize {
        let jobs = self.incomplete.iter().filter_map(|id| self.jobs.get(id));
        let waiting = jobs.map(|job| {
            let of = |ready: bool, kind| if ready { job.counts(kind).pending.max(0) as usize } else { 0 };
            let ready = job.indexed;
            let special = usize::from(ready.setup)
                + usize::from(ready.cleanup)
                + usize::from(ready.map_cleanups)
                + usize::from(ready.reduce_cleanups);
            special + of(ready.maps, TaskKind::Map) + of(ready.reduces, TaskKind::Reduce)
        });
        waiting.sum()
    }

    // Events from clients.

    /// Gives the next job id (Hadoop 1.2.1: JobTracker.getNewJobId).
    pub fn new_job_id(&mut self) -> JobId {
        let id = JobId::new(self.cluster.identity.identifier.clone(), self.next_job);
        self.next_job += 1;
        id
    }

    /// Takes a job. A job that is known already gets its status, so that a client may try again.
    pub fn submit_job(&mut self, now: Now, submission: Submission) -> Result<JobStatus, SubmitError> {
        self.process_submission(now, submission)
    }

    /// Answers [`Effect::ReadSplits`]. An error fails the job with that text.
    pub fn splits_read(&mut self, now: Now, job: &JobId, splits: Result<Vec<SplitWithRacks>, String>) {
        let Some(job) = self.jobs.get_mut(job).filter(|job| !job.is_inited() && !job.is_over()) else { return };
        let cluster = &mut self.cluster;
        match splits {
            Err(error) => job.fail(now, cluster, init_failure(&error)),
            Ok(splits) => {
                cluster.journal.note(now, &job.id, || JobChange::Inited(splits.clone()));
                cluster.journal.enter();
                if let Err(error) = job.init(now, cluster, splits) {
                    job.fail(now, cluster, init_failure(&error));
                }
                cluster.journal.leave();
            }
        }
        self.settle(now);
    }

    /// Kills a job; an unknown one is ignored, as in Hadoop.
    pub fn kill_job(&mut self, now: Now, caller: &Caller, job: &JobId) -> Result<(), ClientError> {
        self.check_safe_mode()?;
        let Some(job) = self.jobs.get_mut(job) else { return Ok(()) };
        access::check(&mut self.cluster, &self.queues, caller, job, access::Operation::KillJob)
            .map_err(ClientError::Access)?;
        job.kill(now, &mut self.cluster);
        self.settle(now);
        Ok(())
    }

    /// Kills an attempt, or fails it, which counts against its task. False if there is nothing to kill.
    pub fn kill_task(
        &mut self,
        _now: Now,
        caller: &Caller,
        attempt: &TaskAttemptId,
        should_fail: bool,
    ) -> Result<bool, ClientError> {
        self.check_safe_mode()?;
        let Some(job) = self.jobs.get_mut(attempt.job()) else { return Ok(false) };
        if !job.has_registered(attempt) {
            return Ok(false);
        }
        let operation = if should_fail { access::Operation::FailTask } else { access::Operation::KillTask };
        access::check(&mut self.cluster, &self.queues, caller, job, operation).map_err(ClientError::Access)?;
        Ok(job.kill_attempt(&mut self.cluster, attempt, should_fail))
    }

    /// Changes a job's priority; an unknown job is ignored.
    pub fn set_job_priority(
        &mut self,
        now: Now,
        caller: &Caller,
        job: &JobId,
        priority: JobPriority,
    ) -> Result<(), ClientError> {
        let Some(job) = self.jobs.get_mut(job) else { return Ok(()) };
        access::check(&mut self.cluster, &self.queues, caller, job, access::Operation::SetPriority)
            .map_err(ClientError::Access)?;
        self.cluster.journal.note(now, &job.id, || JobChange::Priority(priority));
        let old = JobOrder::of(job);
        job.status.priority = priority;
        self.scheduler.job_reordered(old, JobOrder::of(job));
        self.cluster.history(HistoryRecord::JobPriority { job: job.id.clone(), priority });
        self.initialize_jobs_if_due();
        Ok(())
    }

    fn check_safe_mode(&self) -> Result<(), ClientError> {
        match self.cluster.safe_mode {
            true => Err(ClientError::SafeMode { admin: self.cluster.safe_mode_admin.clone() }),
            false => Ok(()),
        }
    }

    // Time and effects.

    /// When [`JobTracker::deadline_reached`] is to be called next.
    pub fn next_deadline(&self) -> Option<Monotonic> {
        self.first_deadline()
    }

    /// Expires what is due: silent trackers, attempts that never appeared, finished jobs.
    pub fn deadline_reached(&mut self, now: Now) {
        self.expire(now);
    }

    /// Takes the effects queued since the last call, in order.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.cluster.effects)
    }

    /// Takes what a restart must know of what has happened since the last call, in order. It must be kept before anybody
    /// is answered. Nothing unless [`Settings::journal`] is set.
    pub fn take_records(&mut self) -> Vec<Record> {
        self.cluster.note_faults();
        self.cluster.journal.take()
    }

    /// Brings the indexes over all jobs up to date with what has happened to some.
    fn settle(&mut self, now: Now) {
        let mut any_ended = false;
        while let Some(id) = self.cluster.touched.pop_first() {
            let Some(job) = self.jobs.get_mut(&id) else { continue };
            job.skip_cleanup(now, &mut self.cluster);
            self.scheduler.job_changed(now, job);
            let (old, new) = (job.indexed, job.readiness());
            job.indexed = new;
            if new.is_special() {
                self.special_jobs.insert(id.clone());
            } else {
                self.special_jobs.remove(&id);
            }
            self.jobs_with_maps = self.jobs_with_maps + usize::from(new.maps) - usize::from(old.maps);
            self.jobs_with_reduces = self.jobs_with_reduces + usize::from(new.reduces) - usize::from(old.reduces);
            if new != old && new != Readiness::default() {
                self.cluster.more_work();
            }
            if job.is_over() && self.incomplete.remove(&id) {
                self.scheduler.job_ending(now, job);
                self.scheduler.job_ended(&JobOrder::of(job));
                self.retirement.job_ended(now, &job.status.user, id);
                any_ended = true;
            }
        }
        if any_ended {
            self.initialize_jobs_if_due();
        }
    }

    /// Has those jobs initialised that the scheduler held back and holds back no longer.
    pub fn initialize_jobs(&mut self) {
        self.scheduler.initialize_jobs(&mut self.cluster, &mut self.jobs);
    }

    fn initialize_jobs_if_due(&mut self) {
        if !self.cluster.settings.init_on_call {
            self.initialize_jobs();
        }
    }

    /// What ran on a tracker, or lies there, is gone (Hadoop 1.2.1: JobTracker.lostTaskTracker).
    fn lose_attempts(&mut self, now: Now, tracker: TrackerKey) {
        let Some(known) = self.cluster.trackers.get(tracker) else { return };
        let (host, attempts) = (known.host, known.attempts.clone());
        let reason = format!("Lost task tracker: {}", self.cluster.trackers.name(tracker));
        let awaited = known.awaited;
        let mut jobs = BTreeSet::new();
        for id in &attempts {
            let Some(job) = self.jobs.get_mut(id.job()) else { continue };
            let Some(task) = job.find(id.kind(), id.task.number) else { continue };
            if job.lost(now, &mut self.cluster, task, id.number, &reason) {
                jobs.insert(id.job());
            }
        }
        for id in jobs {
            if let Some(job) = self.jobs.get_mut(id) {
                job.penalize_host(now, &mut self.cluster, host);
                if awaited {
                    job.fail_unless_recoverable(now, &mut self.cluster);
                }
            }
        }
        if let Some(known) = self.cluster.trackers.get_mut(tracker) {
            known.forget();
        }
        self.settle(now);
    }

    /// A tracker leaves the cluster.
    fn remove_tracker(&mut self, now: Now, tracker: TrackerKey) {
        self.lose_attempts(now, tracker);
        self.scheduler.tracker_lost(now, &mut self.jobs, tracker);
        let counts = !self.cluster.faulty.is_blacklisted(self.cluster.trackers.host(tracker));
        let name = self.cluster.trackers.name(tracker).to_string();
        self.cluster.journal.note_cluster(|| ClusterRecord::TrackerGone { name });
        self.cluster.trackers.remove(tracker, counts);
    }
}

/// What a job tells that cannot be initialised.
fn init_failure(error: &str) -> String {
    format!("Job initialization failed:\n{error}")
}
