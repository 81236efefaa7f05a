//! The passwords of the jobs that are on this machine.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use types::JobId;

/// What is needed to answer somebody who proves to belong to a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobSecret {
    /// The job's user.
    pub user: String,
    /// The password of the job's token.
    pub password: Vec<u8>,
}

/// The passwords by job (Hadoop 1.2.1: mapreduce.security.token.JobTokenSecretManager, on the TaskTracker).
#[derive(Debug, Default)]
pub struct JobSecrets {
    jobs: RwLock<HashMap<JobId, JobSecret>>,
}

impl JobSecrets {
    /// The job's, if it is here.
    pub fn get(&self, job: &JobId) -> Option<JobSecret> {
        self.jobs.read().unwrap_or_else(PoisonError::into_inner).get(job).cloned()
    }

    /// Notes a job's.
    pub fn put(&self, job: &JobId, secret: JobSecret) {
        self.jobs.write().unwrap_or_else(PoisonError::into_inner).insert(job.clone(), secret);
    }

    /// Forgets a job's.
    pub fn remove(&self, job: &JobId) {
        self.jobs.write().unwrap_or_else(PoisonError::into_inner).remove(job);
    }

    /// Forgets all.
    pub fn clear(&self) {
        self.jobs.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
