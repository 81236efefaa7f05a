//! Brings the files of jobs and attempts to this machine, and takes them away again (Hadoop 1.2.1: mapred.JobLocalizer,
//! TaskTracker.initializeJob, filecache.*).
//!
//! Everything here blocks: the driver calls it from threads that may. Which process then runs is `launcher`'s affair.

mod acls;
mod archive;
mod cache;
mod cache_list;
mod deletion;
mod error;
mod files;
mod inputs;
mod job;
pub mod layout;
mod local_dirs;
mod secrets;
mod task;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use configuration::Configuration;
use storage::Storage;
use twins::Choice;
use types::{Credentials, JobId, Task, TaskAttemptId};

pub use deletion::{Deletion, remove};
pub use error::{LocalizeError, chain};
pub(crate) use files::make_dirs;
pub use local_dirs::LocalDirs;
pub use secrets::{JobSecret, JobSecrets};
pub use task::LocalizedTask;

use crate::launch_spec::LocalResource;
use crate::user_logs::UserLogs;

/// What every operation here answers.
pub type Result<T> = std::result::Result<T, LocalizeError>;

/// The files of a job on this machine, and what they say.
#[derive(Debug)]
pub struct LocalizedJob {
    /// The job.
    pub id: JobId,
    /// Its user.
    pub user: String,
    /// Its configuration, as the local job.xml has it.
    pub conf: Configuration,
    /// The local job.xml: an attempt's `Task.job_file`.
    pub job_xml: PathBuf,
    /// The local token file.
    pub token_file: PathBuf,
    /// What the token file holds.
    pub credentials: Credentials,
    /// The folder of the job's unpacked jar, if it has a jar.
    pub jars_dir: Option<PathBuf>,
    /// The folder that its attempts here share (`job.local.dir`).
    pub work_dir: PathBuf,
    /// The files and archives of its cache, archives last.
    pub resources: Vec<LocalResource>,
    /// The class path's entries from the cache.
    pub cache_class_path: Vec<PathBuf>,
    /// Which child runs its maps and reduces.
    pub child: Choice,
    /// Which child runs its setup and cleanup attempts.
    pub setup_cleanup_child: Choice,
}

impl LocalizedJob {
    /// The password of the job's token.
    pub fn secret(&self) -> &[u8] {
        self.credentials.token(Credentials::JOB_TOKEN).map_or(&[], |token| &token.password)
    }

    /// Which child runs an attempt of it.
    pub fn choice(&self, task: &Task) -> &Choice {
        if task.is_map_or_reduce() { &self.child } else { &self.setup_cleanup_child }
    }
}

type Slot = Arc<Mutex<Option<Arc<LocalizedJob>>>>;

/// Localizes jobs and attempts.
pub struct Localizer {
    conf: Configuration,
    storage: Arc<Storage>,
    dirs: Arc<LocalDirs>,
    logs: Arc<UserLogs>,
    deletion: Arc<Deletion>,
    secrets: Arc<JobSecrets>,
    cache: cache::Cache,
    jobs: Mutex<HashMap<JobId, Slot>>,
}

impl std::fmt::Debug for Localizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Localizer").field("dirs", &self.dirs).finish_non_exhaustive()
    }
}

impl Localizer {
    /// A localizer over these local directories. `conf` is the TaskTracker's own configuration.
    ///
    /// # Errors
    /// If the configuration holds a bad value, or the machine has no thread to delete with.
    pub fn new(conf: Configuration, storage: Arc<Storage>, dirs: Arc<LocalDirs>, logs: Arc<UserLogs>) -> Result<Self> {
        let deletion =
            Arc::new(Deletion::start().map_err(LocalizeError::local("start a thread for", Path::new("deletion")))?);
        let cache = cache::Cache::new(&conf, Arc::clone(&dirs), Arc::clone(&deletion))?;
        Ok(Localizer { conf, storage, dirs, logs, deletion, secrets: Arc::default(), cache, jobs: Mutex::default() })
    }

    /// The passwords of the jobs that are here: for the shuffle server and the umbilical.
    pub fn secrets(&self) -> Arc<JobSecrets> {
        Arc::clone(&self.secrets)
    }

    /// The local directories.
    pub fn dirs(&self) -> &Arc<LocalDirs> {
        &self.dirs
    }

    /// What deletes in the background.
    pub fn deletion(&self) -> &Arc<Deletion> {
        &self.deletion
    }

    /// Empties the local directories and makes the tracker's own folders anew, at a start and at a reinitialization;
    /// logs stay (Hadoop 1.2.1: TaskTracker.initialize, deleteUserDirectories).
    ///
    /// # Errors
    /// If a folder cannot be made.
    pub fn wipe(&self) -> Result<()> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.secrets.clear();
        self.cache.forget_all();
        for root in self.dirs.all() {
            for (name, mode) in [
                (layout::SUBDIR, layout::MODE_PUBLIC),
                (layout::PRIVATE_DIR, layout::MODE_PRIVATE),
                (layout::LOG_TMP_DIR, layout::MODE_PUBLIC),
            ] {
                let dir = root.join(name);
                self.deletion.delete(root, &dir);
                files::make_dirs(&dir, mode)?;
            }
            files::make_dirs(&root.join(layout::USERLOGS), layout::MODE_PUBLIC)?;
            self.deletion.delete_leftovers(root);
        }
        Ok(())
    }

    /// Brings a task's job here, once: a second caller waits for the first and gets the same answer; after a failure the
    /// next caller tries again. `system_dir` is the JobTracker's, where the token file lies.
    ///
    /// # Errors
    /// If anything of the job cannot be had; then nothing of it is left here.
    pub fn localize_job(&self, task: &Task, system_dir: &storage::Path) -> Result<Arc<LocalizedJob>> {
        let id = task.attempt.job();
        let slot = {
            let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(jobs.entry(id.clone()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = &*slot {
            return Ok(Arc::clone(job));
        }
        match job::localize(self, task, system_dir) {
            Ok(job) => {
                let job = Arc::new(job);
                self.secrets.put(id, JobSecret { user: job.user.clone(), password: job.secret().to_vec() });
                *slot = Some(Arc::clone(&job));
                Ok(job)
            }
            Err(error) => {
                self.delete_job_files(&task.user, id);
                Err(error)
            }
        }
    }

    /// The job, if it is here.
    pub fn job(&self, id: &JobId) -> Option<Arc<LocalizedJob>> {
        let slot = Arc::clone(self.jobs.lock().unwrap_or_else(PoisonError::into_inner).get(id)?);
        let job = slot.lock().unwrap_or_else(PoisonError::into_inner);
        job.clone()
    }

    /// Makes the folders of an attempt, and an empty working directory.
    ///
    /// # Errors
    /// If a folder or file cannot be made.
    pub fn localize_task(&self, job: &LocalizedJob, task: &Task) -> Result<LocalizedTask> {
        task::localize(self, job, task)
    }

    /// Deletes the files of an attempt (Hadoop 1.2.1: TaskTracker.TaskInProgress.removeTaskFiles). Its logs stay.
    pub fn clean_attempt(&self, user: &str, attempt: &TaskAttemptId, cleanup: bool) {
        if !layout::is_plain_name(user) {
            return;
        }
        let dir = layout::attempt_dir(user, attempt, cleanup);
        self.delete_everywhere(&dir);
        self.delete_everywhere(&layout::private(&dir));
    }

    /// Deletes an attempt's working directory alone, when its map output is still wanted.
    pub fn clean_work_dir(&self, user: &str, attempt: &TaskAttemptId, cleanup: bool) {
        if layout::is_plain_name(user) {
            self.delete_everywhere(&layout::work_dir(user, attempt, cleanup));
            self.delete_everywhere(&layout::private(&layout::attempt_dir(user, attempt, cleanup)));
        }
    }

    /// Deletes all of a job's files but its logs, and gives its cache entries back (Hadoop 1.2.1: TaskTracker.purgeJob).
    pub fn clean_job(&self, user: &str, job: &JobId) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).remove(job);
        self.secrets.remove(job);
        self.delete_job_files(user, job);
    }

    /// Forgets a job and gives its cache entries back, but leaves its files on the disk: for `keep.failed.task.files`.
    pub fn forget_job(&self, job: &JobId) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).remove(job);
        self.secrets.remove(job);
        self.cache.release(job);
    }

    fn delete_job_files(&self, user: &str, job: &JobId) {
        self.cache.release(job);
        if layout::is_plain_name(user) {
            let dir = layout::job_dir(user, job);
            self.delete_everywhere(&dir);
            self.delete_everywhere(&layout::private(&dir));
        }
    }

    fn delete_everywhere(&self, relative: &Path) {
        for root in self.dirs.all() {
            self.deletion.delete(root, &root.join(relative));
        }
    }
}

/// Makes and checks the directories of `mapred.local.dir`; answers those that work and how many do not
/// (Hadoop 1.2.1: mapred.TaskTracker.LocalStorage.checkDirs).
pub fn check_local_dirs(names: &[PathBuf]) -> (Vec<PathBuf>, usize) {
    let (good, bad): (Vec<_>, Vec<_>) = names.iter().cloned().partition(|dir| match check_dir(dir) {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(dir = %dir.display(), %error, "this directory of mapred.local.dir is not used");
            false
        }
    });
    (good, bad.len())
}

fn check_dir(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    fs::read_dir(dir)?;
    // A disk that went read-only, or is full of inodes, shows only when something is written.
    tempfile_in(dir)
}

fn tempfile_in(dir: &Path) -> std::io::Result<()> {
    let probe = dir.join(format!(".probe_{}_{:016x}", std::process::id(), fastrand::u64(..)));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}
