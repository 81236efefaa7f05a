//! The logs of attempts: where they lie, how they are read, and when they go (Hadoop 1.2.1: mapred.TaskLog,
//! UserLogCleaner).
//!
//! An attempt's files lie in one of the local directories; a link in the log directory leads there.

mod truncation;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use types::{JobId, TaskAttemptId};
use wire::task_log::LogIndex;

pub use truncation::LogSizes;

use crate::localizer::{LocalDirs, LocalizeError, Result, layout, make_dirs, remove};
use crate::task_controller::LinuxTaskController;

/// The most that an index of logs may hold.
const INDEX_BYTES_MAX: u64 = 64 << 10;

/// One of the files of an attempt's logs (Hadoop 1.2.1: TaskLog.LogName).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogName {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// What the program logs.
    Syslog,
    /// The profiler's output.
    Profile,
    /// The debug script's output.
    DebugOut,
}

impl LogName {
    /// Reads a request's word, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "stdout" => Some(LogName::Stdout),
            "stderr" => Some(LogName::Stderr),
            "syslog" => Some(LogName::Syslog),
            "profile" => Some(LogName::Profile),
            "debugout" => Some(LogName::DebugOut),
            _ => None,
        }
    }

    /// The file's name.
    pub fn file_name(self) -> &'static str {
        match self {
            LogName::Stdout => "stdout",
            LogName::Stderr => "stderr",
            LogName::Syslog => "syslog",
            LogName::Profile => "profile.out",
            LogName::DebugOut => "debugout",
        }
    }
}

/// The logs of this TaskTracker's attempts.
#[derive(Debug)]
pub struct UserLogs {
    root: PathBuf,
    dirs: Arc<LocalDirs>,
    next: AtomicUsize,
    deadlines: Mutex<HashMap<JobId, Duration>>,
    users: Option<Arc<LinuxTaskController>>,
}

impl UserLogs {
    /// Logs below `<log_dir>/userlogs`, which is made.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(log_dir: &Path, dirs: Arc<LocalDirs>) -> Result<Self> {
        let log_dir = std::path::absolute(log_dir).map_err(LocalizeError::local("find", log_dir))?;
        let root = log_dir.join(layout::USERLOGS);
        fs::create_dir_all(&root).map_err(LocalizeError::local("create", &root))?;
        Ok(UserLogs { root, dirs, next: AtomicUsize::new(0), deadlines: Mutex::default(), users: None })
    }

    /// The same, of tasks that run as their jobs' users if there is a controller for that.
    pub fn as_users(self, users: Option<Arc<LinuxTaskController>>) -> Self {
        UserLogs { users, ..self }
    }

    /// The controller by which tasks run as their jobs' users, if they do.
    pub(crate) fn users(&self) -> Option<&LinuxTaskController> {
        self.users.as_deref()
    }

    /// Who must own a file of this job's that is shown to others, where tasks run as their jobs' users: a link of one
    /// user's to another's file, or to the TaskTracker's, leads nowhere (Hadoop 1.2.1: SecureIOUtils).
    pub fn owner(&self, job: &JobId) -> io::Result<Option<u32>> {
        match &self.users {
            // The folder lies in one of the TaskTracker's, so nobody else can have exchanged it.
            Some(_) => Ok(Some(fs::symlink_metadata(self.job_dir(job))?.uid())),
            None => Ok(None),
        }
    }

    /// Keeps a job's folder from being cleaned up.
    pub(crate) fn keep(&self, job: &JobId) {
        self.lock().remove(job);
    }

    /// A job's folder (TaskLog.getJobDir).
    pub fn job_dir(&self, job: &JobId) -> PathBuf {
        self.root.join(job.to_string())
    }

    /// An attempt's folder, by its link (TaskLog.getAttemptDir).
    pub fn attempt_dir(&self, attempt: &TaskAttemptId, cleanup: bool) -> PathBuf {
        self.job_dir(attempt.job()).join(layout::attempt_name(attempt, cleanup))
    }

    /// Makes a job's folder, and keeps it from being cleaned up (TaskTracker.saveLogDir, JobLocalizer.initializeJobLogDir).
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create_job_dir(&self, job: &JobId) -> Result<PathBuf> {
        self.lock().remove(job);
        let dir = self.job_dir(job);
        make_dirs(&dir, layout::MODE_JOB_LOGS)?;
        Ok(dir)
    }

    /// Makes an attempt's folder in the next local directory and its link; answers the link
    /// (TaskLog.createTaskAttemptLogDir).
    ///
    /// # Errors
    /// If the folder or the link cannot be made.
    pub fn create_attempt_dir(&self, attempt: &TaskAttemptId, cleanup: bool) -> Result<PathBuf> {
        let link = self.attempt_dir(attempt, cleanup);
        let relative =
            Path::new(layout::USERLOGS).join(attempt.job().to_string()).join(layout::attempt_name(attempt, cleanup));
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let roots = self.dirs.all();
        let real = roots[turn % roots.len()].join(relative);
        make_dirs(&real, layout::MODE_PRIVATE)?;
        match symlink(&real, &link) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // An attempt of this name ran here before, under an earlier JobTracker: its link may lead anywhere.
                fs::remove_file(&link).and_then(|()| symlink(&real, &link))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // The folder of the job was deleted under our hands; the attempt can still have its logs.
                self.create_job_dir(attempt.job())?;
                symlink(&real, &link)
            }
            other => other,
        }
        .map_err(LocalizeError::local("create the link", &link))?;
        Ok(link)
    }

    /// Opens a log from `start` to `end` (negative places count from the end, -1 is the end itself); what follows is
    /// how many bytes that is (TaskLog.Reader).
    ///
    /// # Errors
    /// If the log is not there.
    pub fn open(
        &self,
        attempt: &TaskAttemptId,
        cleanup: bool,
        name: LogName,
        start: i64,
        end: i64,
    ) -> io::Result<io::Take<File>> {
        let dir = self.attempt_dir(attempt, cleanup);
        let owner = self.owner(attempt.job())?;
        let (path, first, length) = locate(&dir, name, owner);
        let mut file = open_owned(&path, owner)?;
        let on_disk = i64::try_from(file.metadata()?.len()).unwrap_or(i64::MAX);
        let size = if length < 0 { on_disk - first } else { length.min(on_disk - first) }.max(0);
        let place = |at: i64| if at < 0 { at.saturating_add(size).saturating_add(1) } else { at };
        let start = place(start).clamp(0, size);
        let end = place(end).clamp(0, size);
        file.seek(SeekFrom::Start((first + start).unsigned_abs()))?;
        Ok(file.take((end - start).max(0).unsigned_abs()))
    }

    /// Whether a log is there.
    pub fn has(&self, attempt: &TaskAttemptId, cleanup: bool, name: LogName) -> bool {
        let owner = self.owner(attempt.job()).ok().flatten();
        locate(&self.attempt_dir(attempt, cleanup), name, owner).0.exists()
    }

    /// Notes that a job is over and until when, in the caller's time, its logs stay.
    pub fn job_finished(&self, job: &JobId, until: Duration) {
        self.lock().insert(job.clone(), until);
    }

    /// Deletes the logs of jobs whose time is over; how many jobs that were.
    pub fn clean(&self, now: Duration) -> usize {
        let mut over = Vec::new();
        self.lock().retain(|job, until| {
            let stays = *until > now;
            if !stays {
                over.push(job.clone());
            }
            stays
        });
        over.iter().for_each(|job| self.delete_job(&job.to_string()));
        over.len()
    }

    /// At a start: logs of earlier jobs stay until `until`, all else in the folders goes
    /// (UserLogCleaner.clearOldUserLogs).
    pub fn adopt(&self, until: Duration) {
        let dirs = self.dirs.all();
        let local = dirs.iter().map(|dir| dir.join(layout::USERLOGS));
        for dir in local.chain([self.root.clone()]) {
            let Ok(entries) = fs::read_dir(&dir) else { continue };
            for entry in entries.flatten() {
                match entry.file_name().to_str().and_then(|name| name.parse::<JobId>().ok()) {
                    Some(job) => self.job_finished(&job, until),
                    None => remove(&entry.path()),
                }
            }
        }
    }

    /// Cleans up every now and then, for as long as the future lives; `now` tells the caller's time
    /// (UserLogCleaner.run).
    pub async fn clean_for_ever(self: Arc<Self>, every: Duration, now: impl Fn() -> Duration + Send) {
        loop {
            tokio::time::sleep(every).await;
            let (logs, now) = (Arc::clone(&self), now());
            if let Ok(jobs @ 1..) = tokio::task::spawn_blocking(move || logs.clean(now)).await {
                tracing::info!(jobs, "deleted logs of jobs that are over long enough");
            }
        }
    }

    fn delete_job(&self, job: &str) {
        if let Some(users) = &self.users {
            return delete_as_owner(users, &self.root.join(job), job);
        }
        for dir in self.dirs.all().iter() {
            remove(&dir.join(layout::USERLOGS).join(job));
        }
        remove(&self.root.join(job));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, Duration>> {
        self.deadlines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Deletes a job's logs as the user whose folder they are in.
fn delete_as_owner(users: &LinuxTaskController, dir: &Path, job: &str) {
    let Ok(found) = fs::symlink_metadata(dir) else { return };
    let Ok(Some(owner)) = nix::unistd::User::from_uid(found.uid().into()) else { return remove(dir) };
    if let Err(error) = users.delete_logs(&owner.name, job) {
        tracing::warn!(job, user = owner.name, %error, "logs cannot be deleted; they stay on the disk");
    }
}

/// Opens a plain file of this owner's. A pipe in its place makes nobody wait.
pub(crate) fn open_owned(path: &Path, owner: Option<u32>) -> io::Result<File> {
    let Some(owner) = owner else { return File::open(path) };
    let file = File::options().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path)?;
    let found = file.metadata()?;
    if found.is_file() && found.uid() == owner {
        return Ok(file);
    }
    let text = format!("{} is not a file of user {owner}, but of {}", path.display(), found.uid());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}

/// The file of a log, where the attempt's part of it starts, and how long that is, -1 for all that follow. An attempt in
/// a child of another attempt writes into that one's files.
fn locate(dir: &Path, name: LogName, owner: Option<u32>) -> (PathBuf, i64, i64) {
    let index = read_index(&dir.join("log.index"), owner);
    match index.as_ref().and_then(|index| Some((index, index.range(name.file_name())?))) {
        Some((index, range)) => (Path::new(&index.directory).join(name.file_name()), range.start.max(0), range.length),
        // Profiles are as a rule not in the index: they are of the whole child, and lie with its first attempt.
        None => (index.map_or(dir.to_owned(), |index| index.directory.into()).join(name.file_name()), 0, -1),
    }
}

fn read_index(path: &Path, owner: Option<u32>) -> Option<LogIndex> {
    let mut text = String::new();
    open_owned(path, owner).ok()?.take(INDEX_BYTES_MAX).read_to_string(&mut text).ok()?;
    LogIndex::parse(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn logs() -> (tempfile::TempDir, UserLogs, TaskAttemptId) {
        let root = tempfile::tempdir().unwrap();
        let dirs: Vec<_> = ["l0", "l1"].iter().map(|name| root.path().join(name)).collect();
        dirs.iter().for_each(|dir| fs::create_dir(dir).unwrap());
        let logs = UserLogs::new(&root.path().join("logs"), Arc::new(LocalDirs::new(dirs))).unwrap();
        (root, logs, "attempt_1_0001_m_000000_0".parse().unwrap())
    }

    fn read(logs: &UserLogs, attempt: &TaskAttemptId, start: i64, end: i64) -> String {
        let mut text = String::new();
        logs.open(attempt, false, LogName::Stdout, start, end).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn links_lead_to_local_directories_in_turn() {
        let (root, logs, attempt) = logs();
        logs.create_job_dir(attempt.job()).unwrap();
        let link = logs.create_attempt_dir(&attempt, false).unwrap();
        assert_eq!(link, root.path().join("logs/userlogs/job_1_0001/attempt_1_0001_m_000000_0"));
        let real = root.path().join("l0/userlogs/job_1_0001/attempt_1_0001_m_000000_0");
        assert_eq!(fs::read_link(&link).unwrap(), real);
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o7777, 0o700);
        let cleanup = logs.create_attempt_dir(&attempt, true).unwrap();
        assert!(fs::read_link(cleanup).unwrap().starts_with(root.path().join("l1")));
        let mode = fs::metadata(logs.job_dir(attempt.job())).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode, 0o710);
        logs.create_attempt_dir(&attempt, false).unwrap();
    }

    #[test]
    fn places_count_from_either_end() {
        let (_root, logs, attempt) = logs();
        logs.create_job_dir(attempt.job()).unwrap();
        let dir = logs.create_attempt_dir(&attempt, false).unwrap();
        fs::write(dir.join("stdout"), "0123456789").unwrap();
        for (start, end, expected) in [
            (0, -1, "0123456789"),
            (2, 5, "234"),
            (-4, -1, "789"),
            (0, -3, "01234567"),
            (5, 2, ""),
            (99, -1, ""),
            (i64::MIN, i64::MAX, "0123456789"),
        ] {
            assert_eq!(read(&logs, &attempt, start, end), expected, "{start} {end}");
        }
    }

    #[test]
    fn a_reused_child_writes_into_its_first_attempts_files() {
        let (_root, logs, first) = logs();
        let second: TaskAttemptId = "attempt_1_0001_m_000001_0".parse().unwrap();
        logs.create_job_dir(first.job()).unwrap();
        let first_dir = logs.create_attempt_dir(&first, false).unwrap();
        let second_dir = logs.create_attempt_dir(&second, false).unwrap();
        fs::write(first_dir.join("stdout"), "firstsecondthird").unwrap();
        let index = format!("LOG_DIR:{}\nstdout:5 6\nstderr:0 0\nsyslog:0 0\n", first_dir.display());
        fs::write(second_dir.join("log.index"), index).unwrap();
        assert_eq!(read(&logs, &second, 0, -1), "second");
        assert_eq!(read(&logs, &second, 3, 99), "ond");
    }

    #[test]
    fn logs_go_when_their_time_is_over() {
        let (root, logs, attempt) = logs();
        logs.create_job_dir(attempt.job()).unwrap();
        logs.create_attempt_dir(&attempt, false).unwrap();
        fs::create_dir(root.path().join("logs/userlogs/rubbish")).unwrap();
        logs.adopt(Duration::from_secs(10));
        assert!(!root.path().join("logs/userlogs/rubbish").exists());
        assert_eq!(logs.clean(Duration::from_secs(9)), 0);
        assert!(logs.job_dir(attempt.job()).exists());
        assert_eq!(logs.clean(Duration::from_secs(10)), 1);
        assert!(!logs.job_dir(attempt.job()).exists());
        assert!(!root.path().join("l0/userlogs/job_1_0001").exists());
        logs.create_job_dir(attempt.job()).unwrap();
        assert_eq!(logs.clean(Duration::MAX), 0, "a job that is here again is not cleaned up");
    }
}
