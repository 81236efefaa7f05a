//! A restart: the system directory is taken, what an earlier JobTracker left there becomes the core's state, and jobs
//! that it left without a journal are submitted again (Hadoop 1.2.1: JobTracker.RecoveryManager).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jobtracker_core::{Caller, Effect, Identity, JobChange, JobTracker, Submission};
use types::{JobId, Now};
use wire::Writable;
use wire::job_info::JobInfo;

use crate::daemon::StartError;
use crate::directory_lock::{DirectoryLock, LockError};
use crate::effects::system_directory::{SystemDirectoryError, wipe_local_directories};
use crate::effects::{Effects, chain, staging};
use crate::journal::{Found, FoundJob};
use crate::state::Shared;
use crate::submission::{self, Request};

/// Between attempts to use a system directory that cannot be used just now.
const RETRY: Duration = Duration::from_secs(1);
/// Job numbers between two starts within one minute, which share an identifier.
const NUMBERS_PER_START: i32 = 10_000;

/// A system directory that is ready.
pub(crate) struct Prepared {
    pub(crate) lock: DirectoryLock,
    /// The first job's number.
    pub(crate) first_job: i32,
    restarts: i32,
    found: Found,
}

/// What an earlier JobTracker had done after the end of a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AfterEnd {
    /// What follows its end was done.
    pub(crate) closed: bool,
    /// Whoever wanted to know was told.
    pub(crate) notified: bool,
}

/// Takes the system directory, however long its disk takes, and reads what is there.
pub(crate) async fn prepare(shared: &Arc<Shared>) -> Result<Prepared, StartError> {
    let lock = persist(shared, take_directory).await?;
    let (first_job, restarts, found) = persist(shared, read_directory).await?;
    Ok(Prepared { lock, first_job, restarts, found })
}

/// Tries until it succeeds, or can never succeed.
async fn persist<T: Send + 'static>(
    shared: &Arc<Shared>,
    attempt: fn(&Shared) -> Result<T, PrepareError>,
) -> Result<T, StartError> {
    loop {
        let trying = shared.clone();
        match tokio::task::spawn_blocking(move || attempt(&trying)).await.map_err(std::io::Error::other)? {
            Ok(value) => return Ok(value),
            Err(PrepareError::Directory(error @ SystemDirectoryError::Owner { .. })) => {
                return Err(StartError::SystemDirectory(error.to_string()));
            }
            Err(PrepareError::Lock(error @ LockError::Held { .. })) => {
                let key = configuration::keys::MAPRED_SYSTEM_DIR.name();
                return Err(StartError::SystemDirectory(format!("{key} is {error}")));
            }
            Err(error) => {
                tracing::warn!(error = chain(&error), "the system directory cannot be used; trying again");
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum PrepareError {
    #[error(transparent)]
    Directory(#[from] SystemDirectoryError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("the journals cannot be read")]
    Journal(#[source] std::io::Error),
}

fn take_directory(shared: &Shared) -> Result<DirectoryLock, PrepareError> {
    shared.system_directory.open(&shared.identity.user)?;
    let holder = format!("process {} at {}:{}", std::process::id(), shared.identity.host, shared.identity.rpc_port);
    let lock = DirectoryLock::take(shared.system_directory.local_root(), &holder)?;
    shared.journal.fence_by(lock.fence().map_err(PrepareError::Journal)?);
    Ok(lock)
}

/// The first job's number, the restart count, and what is there.
fn read_directory(shared: &Shared) -> Result<(i32, i32, Found), PrepareError> {
    wipe_local_directories(&shared.settings.local_dirs);
    let recover = shared.settings.recover;
    let before = shared.system_directory.restarts();
    let found = match recover {
        true => Found::read(shared.system_directory.local_root(), before).map_err(PrepareError::Journal)?,
        false => Found::default(),
    };
    let starts_before = shared.system_directory.begin(&shared.identity.identifier, recover)?;
    let restarts = before.filter(|_| recover).map_or(0, |count| count.saturating_add(1));
    Ok((1 + NUMBERS_PER_START.saturating_mul(starts_before), restarts, found))
}

/// What the jobs that were found had come to, and those to submit again.
pub(crate) struct Resumed {
    after_end: BTreeMap<JobId, AfterEnd>,
    unjournaled: Vec<JobId>,
}

/// Makes the core's state of what was found, and begins the journal anew.
pub(crate) fn resume(
    shared: &Shared,
    identity: Identity,
    now: Now,
    prepared: Prepared,
) -> Result<(JobTracker, Resumed, DirectoryLock), StartError> {
    let Prepared { lock, restarts, found, .. } = prepared;
    if let Some(tokens) = found.tokens {
        shared.tokens.restore(tokens);
    }
    let mut after_end = BTreeMap::new();
    let mut records = Vec::new();
    for FoundJob { job, records: of_job, closed, notified, log } in found.jobs {
        if !closed {
            remember_files(shared, &of_job);
        }
        records.push(of_job);
        after_end.insert(job.clone(), AfterEnd { closed, notified });
        shared.journal.go_on_with(job, log);
    }
    let settings = shared.settings.core.clone();
    let core = JobTracker::restore(settings, identity, now, found.cluster, records.into_iter().flatten());
    let cannot = |error: std::io::Error| StartError::SystemDirectory(format!("the journal cannot be begun: {error}"));
    shared
        .tokens
        .with_state(|tokens| shared.journal.begin(restarts, core.cluster_records(), tokens))
        .map_err(cannot)?;
    let noted = shared.system_directory.note_restarts(restarts);
    noted.map_err(|error| StartError::SystemDirectory(chain(&error)))?;
    let unfinished = core.jobs_to_complete().len();
    if !after_end.is_empty() || !found.unjournaled.is_empty() {
        tracing::info!(
            jobs = after_end.len(),
            unfinished,
            to_submit_again = found.unjournaled.len(),
            "went on with what an earlier JobTracker left"
        );
    }
    Ok((core, Resumed { after_end, unjournaled: found.unjournaled }, lock))
}

/// What the shell knows of a job that is not over.
fn remember_files(shared: &Shared, records: &[jobtracker_core::JobRecord]) {
    let submission = records.iter().rev().find_map(|record| match &record.change {
        JobChange::Submitted(submission) => Some(submission),
        _ => None,
    });
    if let Some(submission) = submission {
        submission::remember_again(shared, submission);
    }
}

impl Resumed {
    /// Does what still waits to be done for jobs from before.
    pub(crate) fn start_effects(&self, effects: &mut Effects, waiting: Vec<Effect>) {
        for effect in waiting {
            let of_job = match &effect {
                Effect::History(record) => self.after_end.get(record.job()),
                Effect::JobEnded(ended) => self.after_end.get(&ended.job),
                _ => None,
            };
            match of_job {
                Some(after) => effects.start_again(effect, *after),
                None => effects.start(effect),
            }
        }
    }

    /// Submits jobs again of which there is no journal, in the names of their users.
    pub(crate) async fn submit_again(self, shared: Arc<Shared>) {
        for job in self.unjournaled {
            if let Err(problem) = submit_again(&shared, &job).await {
                tracing::warn!(%job, problem, "the job cannot be recovered; what is left of it is removed");
                let (shared, job) = (shared.clone(), job.clone());
                let removed = tokio::task::spawn_blocking(move || {
                    shared.forget_job(&job);
                    shared.journal.forget_job(&job);
                    shared.system_directory.remove_job(&job);
                });
                // A runtime that ends removes nothing; the next start will.
                let _ = removed.await;
            }
        }
    }
}

async fn submit_again(shared: &Arc<Shared>, job: &JobId) -> Result<(), String> {
    let directory = shared.system_directory.local_root().join(job.to_string());
    let text = |error: std::io::Error| error.to_string();
    let info = JobInfo::from_bytes(&std::fs::read(directory.join("job-info")).map_err(text)?);
    let info = info.map_err(|error| format!("job-info: {error}"))?;
    let credentials = wire::credentials::read_storage(&std::fs::read(directory.join("jobToken")).map_err(text)?);
    let credentials = credentials.map_err(|error| format!("jobToken: {error}"))?;
    let groups = shared.groups.of(&info.user).await;
    let request = Request {
        job: job.clone(),
        caller: Caller { user: info.user, groups, address: String::new() },
        submit_dir: info.submit_dir.unwrap_or_default(),
        credentials,
    };
    let preparing = shared.clone();
    let prepared = tokio::task::spawn_blocking(move || submission::prepare(&preparing, request)).await;
    let submission = prepared.map_err(|error| error.to_string())?.map_err(|error| error.message)?;
    if !submission.restart_recover {
        staging::remove(&shared.storage, job, &submission.staging_dir);
        return Err("mapreduce.job.restart.recover is false".to_owned());
    }
    let submission = Submission { recovered: true, ..submission };
    let submitted = shared.core.ask(move |core, now| core.submit_job(now, submission)).await;
    submitted.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    tracing::info!(%job, "job submitted again");
    Ok(())
}
