//! Jobs that are not over, by priority, start time and id: the one queue of the schedulers that know no others
//! (Hadoop 1.2.1: JobQueueJobInProgressListener). Its jobs are initialised as they come
//! (EagerTaskInitializationListener).

use std::collections::BTreeSet;

use types::JobId;

use super::{JobOrder, Jobs};
use crate::cluster::Cluster;

/// The queue.
#[derive(Debug, Default)]
pub(super) struct JobQueue {
    queue: BTreeSet<JobOrder>,
}

impl JobQueue {
    pub(super) fn add(&mut self, cluster: &mut Cluster, jobs: &mut Jobs, order: JobOrder) {
        if let Some(job) = jobs.get_mut(&order.job) {
            job.initialize(cluster);
        }
        self.queue.insert(order);
    }

    pub(super) fn reorder(&mut self, old: &JobOrder, new: JobOrder) {
        if self.queue.remove(old) {
            self.queue.insert(new);
        }
    }

    pub(super) fn remove(&mut self, order: &JobOrder) {
        self.queue.remove(order);
    }

    /// All jobs, in order.
    pub(super) fn all(&self) -> Vec<JobId> {
        self.queue.iter().map(|order| order.job.clone()).collect()
    }

    /// Those that run, in order.
    pub(super) fn running(&self, jobs: &Jobs) -> Vec<JobId> {
        let runs = |order: &&JobOrder| jobs.get(&order.job).is_some_and(|job| job.is_running());
        self.queue.iter().filter(runs).map(|order| order.job.clone()).collect()
    }
}
