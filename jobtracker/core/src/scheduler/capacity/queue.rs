//! One queue: which of its jobs wait, are being initialised, run; how many it accepts and initialises
//! (Hadoop 1.2.1: CapacitySchedulerQueue, JobQueuesManager, JobInitializationPoller.getJobsToInitialize).

use std::collections::{BTreeMap, BTreeSet};

use types::{JobId, JobPriority, TaskKind};

use super::settings::{CapacityQueueSettings, JobLimits};
use super::usage::Usage;
use crate::scheduler::JobOrder;
use crate::submission::Submission;

/// How far a job has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Until the limits let it be initialised.
    Waiting,
    /// Until its setup is done.
    Initializing,
    /// Until it is over.
    Running,
}

/// Jobs of the queue, or of one of its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct JobCounts {
    pub(super) waiting: i32,
    pub(super) initializing: i32,
    pub(super) running: i32,
    /// Tasks of those that do not wait.
    pub(super) active_tasks: i64,
}

/// A queue.
#[derive(Debug)]
pub(super) struct Queue {
    pub(super) settings: CapacityQueueSettings,
    pub(super) limits: JobLimits,
    waiting: BTreeSet<JobOrder>,
    initializing: BTreeSet<JobOrder>,
    running: BTreeSet<JobOrder>,
    /// Running jobs that may have a map, a reduce to give.
    givers: [BTreeSet<JobOrder>; 2],
    pub(super) counts: JobCounts,
    users: BTreeMap<String, JobCounts>,
    usage: [Usage; 2],
}

/// A job as its queue counts it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) place: &'a JobOrder,
    pub(super) user: &'a str,
    pub(super) tasks: i32,
}

impl JobCounts {
    fn add(&mut self, stage: Stage, tasks: i32, sign: i32) {
        match stage {
            Stage::Waiting => self.waiting += sign,
            Stage::Initializing => self.initializing += sign,
            Stage::Running => self.running += sign,
        }
        if stage != Stage::Waiting {
            self.active_tasks += i64::from(sign) * i64::from(tasks);
        }
    }
}

impl Queue {
    pub(super) fn new(settings: CapacityQueueSettings, system_jobs_max: i32) -> Self {
        Queue {
            limits: settings.job_limits(system_jobs_max),
            settings,
            waiting: BTreeSet::new(),
            initializing: BTreeSet::new(),
            running: BTreeSet::new(),
            givers: Default::default(),
            counts: JobCounts::default(),
            users: BTreeMap::new(),
            usage: Default::default(),
        }
    }

    /// Takes new settings; whether priorities count stays as it was.
    pub(super) fn refresh(&mut self, settings: &CapacityQueueSettings, system_jobs_max: i32) {
        let supports_priority = self.settings.supports_priority;
        self.settings = CapacityQueueSettings { supports_priority, ..settings.clone() };
        self.limits = self.settings.job_limits(system_jobs_max);
    }

    /// Where a job stands in this queue.
    pub(super) fn place(&self, order: JobOrder) -> JobOrder {
        match self.settings.supports_priority {
            true => order,
            false => JobOrder { priority: JobPriority::Normal, ..order },
        }
    }

    pub(super) fn usage(&self, kind: TaskKind) -> &Usage {
        &self.usage[kind as usize]
    }

    pub(super) fn usage_mut(&mut self, kind: TaskKind) -> &mut Usage {
        &mut self.usage[kind as usize]
    }

    /// Whether a user may take so many slots of a kind.
    pub(super) fn may_take(&self, kind: TaskKind, user: &str, slots: i32) -> bool {
        let usage = self.usage(kind);
        usage.is_below_max(slots) && usage.is_below_user_limit(user, slots, &self.settings)
    }

    fn list(&mut self, stage: Stage) -> &mut BTreeSet<JobOrder> {
        match stage {
            Stage::Waiting => &mut self.waiting,
            Stage::Initializing => &mut self.initializing,
            Stage::Running => &mut self.running,
        }
    }

    pub(super) fn add(&mut self, entry: Entry<'_>, stage: Stage) {
        self.list(stage).insert(entry.place.clone());
        self.count(entry, stage, 1);
    }

    pub(super) fn remove(&mut self, entry: Entry<'_>, stage: Stage) {
        self.list(stage).remove(entry.place);
        for kind in TaskKind::BOTH {
            self.set_giver(kind, entry.place, false);
        }
        self.count(entry, stage, -1);
    }

    fn count(&mut self, entry: Entry<'_>, stage: Stage, sign: i32) {
        self.counts.add(stage, entry.tasks, sign);
        let user = self.users.entry(entry.user.to_owned()).or_default();
        user.add(stage, entry.tasks, sign);
        if *user == JobCounts::default() {
            self.users.remove(entry.user);
        }
    }

    /// Notes whether a running job may have a task of a kind to give.
    pub(super) fn set_giver(&mut self, kind: TaskKind, place: &JobOrder, gives: bool) {
        let givers = &mut self.givers[kind as usize];
        if !gives {
            givers.remove(place);
        } else if !givers.contains(place) {
            givers.insert(place.clone());
        }
    }

    /// Whether a running job is among those that may have a task of a kind to give.
    pub(super) fn is_giver(&self, kind: TaskKind, place: &JobOrder) -> bool {
        self.givers[kind as usize].contains(place)
    }

    /// The next running job after a place that may have a task of a kind to give.
    pub(super) fn next_giver(&self, kind: TaskKind, after: Option<&JobOrder>) -> Option<JobOrder> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = after.map_or(Unbounded, Excluded);
        self.givers[kind as usize].range::<JobOrder, _>((from, Unbounded)).next().cloned()
    }

    /// Its jobs: those being initialised, running, waiting (Hadoop 1.2.1: CapacityTaskScheduler.getJobs).
    pub(super) fn jobs(&self) -> Vec<JobId> {
        let all = self.initializing.iter().chain(&self.running).chain(&self.waiting);
        all.map(|order| order.job.clone()).collect()
    }

    /// How many users have jobs here.
    pub(super) fn users(&self) -> usize {
        self.users.len()
    }

    fn of_user(&self, user: &str) -> JobCounts {
        self.users.get(user).copied().unwrap_or_default()
    }

    /// Whether a job is accepted; the error is the text for the client.
    pub(super) fn check_submission(&self, submission: &Submission) -> Result<(), String> {
        let (job, user, queue) = (&submission.job, &submission.caller.user, &self.settings.name);
        let tasks = i64::from(submission.maps) + i64::from(submission.reduces);
        let tasks_max = self.settings.tasks_per_user_max;
        if tasks > i64::from(tasks_max) {
            return Err(format!(
                "Job '{job}' from user '{user}' rejected since it has {tasks} tasks which exceeds the limit of \
                 {tasks_max} tasks per-user which can be initialized for queue '{queue}'"
            ));
        }
        let JobCounts { waiting, initializing, running, .. } = self.counts;
        let accept = self.limits.accept;
        if waiting + initializing + running >= accept {
            return Err(format!(
                "Job '{job}' from user '{user}' rejected since queue '{queue}' already has {waiting} waiting jobs, \
                 {initializing} initializing jobs and {running} running jobs - Exceeds limit of {accept} jobs to accept"
            ));
        }
        let JobCounts { waiting, initializing, running, .. } = self.of_user(user);
        let accept = self.limits.accept_per_user;
        if waiting + initializing + running >= accept {
            return Err(format!(
                "Job '{job}' rejected since user '{user}' already has {waiting} waiting jobs, {initializing} \
                 initializing jobs and {running} running jobs -  Exceeds limit of {accept} jobs to accept in queue \
                 '{queue}' per user"
            ));
        }
        Ok(())
    }

    /// Whether anything waits.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Waiting jobs, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &JobOrder> {
        self.waiting.iter()
    }

    /// Whether the queue's limits let a job of so many tasks be initialised now.
    pub(super) fn may_init(&self, tasks: i32) -> bool {
        fits(self.counts, tasks, self.limits.init, self.settings.tasks_max)
    }

    /// Likewise a user's limits.
    pub(super) fn may_init_for(&self, user: &str, tasks: i32) -> bool {
        fits(self.of_user(user), tasks, self.limits.init_per_user, self.settings.tasks_per_user_max)
    }
}

fn fits(counts: JobCounts, tasks: i32, jobs_max: i32, tasks_max: i32) -> bool {
    counts.running + counts.initializing < jobs_max && counts.active_tasks + i64::from(tasks) <= i64::from(tasks_max)
}
