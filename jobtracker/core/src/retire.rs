//! Finished jobs leave memory after a time; a small record of each stays a while longer (Hadoop 1.2.1:
//! JobTracker.RetireJobs).

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use types::{Counters, JobId, JobProfile, JobState, JobStatus, Monotonic, Now};

use crate::cluster::Cluster;
use crate::effect::Effect;
use crate::job::JobInProgress;
use crate::scheduler::Jobs;
use crate::views::JobView;

/// What is kept of a job that has left memory.
#[derive(Debug)]
pub(crate) struct RetiredJob {
    pub(crate) view: JobView,
}

impl RetiredJob {
    fn new(job: &JobInProgress, cluster: &Cluster) -> Self {
        RetiredJob { view: JobView { retired: true, ..job.view(cluster) } }
    }

    pub(crate) fn status(&self) -> &JobStatus {
        &self.view.status
    }

    pub(crate) fn profile(&self) -> &JobProfile {
        &self.view.profile
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.view.counters
    }
}

/// Finished jobs in memory, and the records of those that have left.
#[derive(Debug)]
pub(crate) struct Retirement {
    /// Finished jobs by user, in the order in which they ended.
    finished: BTreeMap<String, VecDeque<(Monotonic, JobId)>>,
    retired: BTreeMap<JobId, RetiredJob>,
    retired_order: VecDeque<JobId>,
    next_check: Monotonic,
}

impl Retirement {
    pub(crate) fn new(now: Now, check: Duration) -> Self {
        Retirement {
            finished: BTreeMap::new(),
            retired: BTreeMap::new(),
            retired_order: VecDeque::new(),
            next_check: now.mono + check,
        }
    }

    /// A job is over.
    pub(crate) fn job_ended(&mut self, now: Now, user: &str, job: JobId) {
        self.finished.entry(user.to_owned()).or_default().push_back((now.mono, job));
    }

    /// When to look next; never while there is nothing to look at.
    pub(crate) fn next_check(&self) -> Option<Monotonic> {
        (!self.finished.is_empty()).then_some(self.next_check)
    }

    pub(crate) fn get(&self, job: &JobId) -> Option<&RetiredJob> {
        self.retired.get(job)
    }

    /// In the order in which they left memory.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &RetiredJob> {
        self.retired_order.iter().filter_map(|job| self.retired.get(job))
    }

    /// Lets jobs leave that ended long ago, or whose user has too many.
    pub(crate) fn check(&mut self, now: Now, cluster: &mut Cluster, jobs: &mut Jobs) {
        if now.mono < self.next_check {
            return;
        }
        let settings = &cluster.settings;
        self.next_check = now.mono + settings.retire_check;
        let mut leaving = Vec::new();
        for finished in self.finished.values_mut() {
            let too_old = |(at, _): &(Monotonic, JobId)| now.mono - *at > settings.retire_interval;
            while finished.len() > settings.complete_user_jobs_max || finished.front().is_some_and(too_old) {
                leaving.extend(finished.pop_front().map(|(_, job)| job));
            }
        }
        self.finished.retain(|_, finished| !finished.is_empty());
        for id in leaving {
            if let Some(job) = jobs.remove(&id) {
                debug_assert!(!matches!(job.status.state, JobState::Running | JobState::Prep));
                cluster.effects.push(Effect::JobRetired(id.clone()));
                self.keep(cluster.settings.retired_jobs_max, id, RetiredJob::new(&job, cluster));
            }
        }
    }

    fn keep(&mut self, most: usize, id: JobId, job: RetiredJob) {
        self.retired.insert(id.clone(), job);
        self.retired_order.push_back(id);
        while self.retired_order.len() > most {
            if let Some(oldest) = self.retired_order.pop_front() {
                self.retired.remove(&oldest);
            }
        }
    }
}
