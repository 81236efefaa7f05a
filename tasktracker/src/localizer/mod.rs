//! Brings the files of jobs and attempts to this machine, and takes them away again (Hadoop 1.2.1: mapred.JobLocalizer,
//! TaskTracker.initializeJob, filecache.*).
//!
//! Everything here blocks: the driver calls it from threads that may. Which process then runs is `launcher`'s affair.

mod acls;
mod archive;
pub mod as_user;
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
use std::io::ErrorKind;
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
use crate::task_controller::LinuxTaskController;
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

    /// Every file and folder of it that an attempt needs.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let own = [&self.job_xml, &self.token_file, &self.work_dir].into_iter().chain(&self.jars_dir);
        own.chain(self.resources.iter().map(|resource| &resource.path))
    }

    /// Which child runs an attempt of it.
    pub fn choice(&self, task: &Task) -> &Choice {
        if task.is_map_or_reduce() { &self.child } else { &self.setup_cleanup_child }
    }
}

/// Where a job's files are.
#[derive(Debug, Default)]
enum Place {
    /// Not here, or not whole.
    #[default]
    Nowhere,
    Here(Arc<LocalizedJob>),
    /// They were here, but some lie on a disk that is gone; others may be in use.
    Torn,
}

type Slot = Arc<Mutex<Place>>;

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
    users: Option<Arc<LinuxTaskController>>,
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
        Ok(Localizer {
            conf,
            storage,
            dirs,
            logs,
            deletion,
            secrets: Arc::default(),
            cache,
            jobs: Mutex::default(),
            users: None,
        })
    }

    /// The same, for tasks that run as their jobs' users if there is a controller for that.
    pub fn as_users(self, users: Option<Arc<LinuxTaskController>>) -> Self {
        Localizer { users, ..self }
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
        if let Some(users) = &self.users {
            as_user::delete_users(users, &self.dirs);
        }
        for root in self.dirs.all().iter() {
            for (name, _) in TRACKER_DIRS {
                self.deletion.delete(root, &root.join(name));
            }
            make_tracker_dirs(root)?;
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
        if let Place::Here(job) = &*slot {
            return Ok(Arc::clone(job));
        }
        let torn = matches!(*slot, Place::Torn);
        match job::localize(self, task, system_dir, torn) {
            Ok(job) => {
                let job = Arc::new(job);
                self.secrets.put(id, JobSecret { user: job.user.clone(), password: job.secret().to_vec() });
                *slot = Place::Here(Arc::clone(&job));
                Ok(job)
            }
            Err(error) if torn => Err(error),
            Err(error) => {
                self.delete_job_files(&task.user, id);
                Err(error)
            }
        }
    }

    /// The job, if it is here.
    pub fn job(&self, id: &JobId) -> Option<Arc<LocalizedJob>> {
        let slot = Arc::clone(self.jobs.lock().unwrap_or_else(PoisonError::into_inner).get(id)?);
        match &*slot.lock().unwrap_or_else(PoisonError::into_inner) {
            Place::Here(job) => Some(Arc::clone(job)),
            Place::Nowhere | Place::Torn => None,
        }
    }

    /// These local directories do not work any more: jobs and cached files that lie there must be brought anew. Answers
    /// the jobs.
    pub fn disks_lost(&self, lost: &[PathBuf]) -> Vec<JobId> {
        self.cache.forget_below(lost);
        let slots: Vec<(JobId, Slot)> = {
            let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            jobs.iter().map(|(job, slot)| (job.clone(), Arc::clone(slot))).collect()
        };
        let tears = |slot: &Slot| {
            // A job that is being brought at this moment fails by itself, and is brought again.
            let Ok(mut slot) = slot.try_lock() else { return false };
            let tears = matches!(&*slot, Place::Here(job) if job.paths().any(|path| lost.iter().any(|dir| path.starts_with(dir))));
            if tears {
                *slot = Place::Torn;
            }
            tears
        };
        slots.into_iter().filter(|(_, slot)| tears(slot)).map(|(job, _)| job).collect()
    }

    /// This local directory works again: makes the tracker's folders in it, and deletes what is left there of jobs that
    /// are not here any more.
    ///
    /// # Errors
    /// If a folder cannot be made.
    pub fn disk_back(&self, root: &Path) -> Result<()> {
        make_tracker_dirs(root)?;
        self.deletion.delete_leftovers(root);
        for area in [root.join(layout::SUBDIR), root.join(layout::PRIVATE_DIR).join(layout::SUBDIR)] {
            for user in entries(&area) {
                for job in entries(&user.join(layout::JOBCACHE)) {
                    let id = job.file_name().and_then(|name| name.to_str()?.parse::<JobId>().ok());
                    let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
                    if id.is_none_or(|id| !jobs.contains_key(&id)) {
                        self.deletion.delete(root, &job);
                    }
                }
            }
        }
        Ok(())
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
        self.delete_users(user, &dir);
        self.delete_everywhere(&layout::private(&dir));
    }

    /// Deletes an attempt's working directory alone, when its map output is still wanted.
    pub fn clean_work_dir(&self, user: &str, attempt: &TaskAttemptId, cleanup: bool) {
        if layout::is_plain_name(user) {
            self.delete_users(user, &layout::work_dir(user, attempt, cleanup));
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
            self.delete_users(user, &dir);
            self.delete_everywhere(&layout::private(&dir));
        }
    }

    /// Deletes what is the user's.
    fn delete_users(&self, user: &str, relative: &Path) {
        match &self.users {
            Some(users) => as_user::delete(users, user, relative),
            None => self.delete_everywhere(relative),
        }
    }

    fn delete_everywhere(&self, relative: &Path) {
        for root in self.dirs.all().iter() {
            self.deletion.delete(root, &root.join(relative));
        }
    }
}

/// The tracker's own folders in each local directory but that of the logs, which stays when the others are wiped.
const TRACKER_DIRS: [(&str, u32); 3] = [
    (layout::SUBDIR, layout::MODE_PUBLIC),
    (layout::PRIVATE_DIR, layout::MODE_PRIVATE),
    (layout::LOG_TMP_DIR, layout::MODE_PUBLIC),
];

fn make_tracker_dirs(root: &Path) -> Result<()> {
    for (name, mode) in TRACKER_DIRS.into_iter().chain([(layout::USERLOGS, layout::MODE_PUBLIC)]) {
        files::make_dirs(&root.join(name), mode)?;
    }
    Ok(())
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
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
    // A disk that went read-only shows only when something is written. A full one works: whoever writes much looks for
    // room first.
    tempfile_in(dir).or_else(|error| match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Ok(()),
        _ => Err(error),
    })
}

fn tempfile_in(dir: &Path) -> std::io::Result<()> {
    let probe = dir.join(format!(".probe_{}_{:016x}", std::process::id(), fastrand::u64(..)));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}
