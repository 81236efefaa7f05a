//! `mapred.system.dir`: what TaskTrackers read there (job tokens) and what a restarted JobTracker must know (Hadoop
//! 1.2.1: JobTracker.initialize, getSystemDirectoryForJob, generateAndStoreJobTokens, RecoveryManager).

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use crate::directory_lock::LOCK;
use configuration::keys;
use storage::{CreateOptions, FileSystem, Path, Storage, StorageError};
use types::{Credentials, JobId};
use wire::Writable;
use wire::job_info::{JobInfo, RestartCount};

const MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
const JOB_INFO: &str = "job-info";
const JOB_TOKEN: &str = "jobToken";
const RESTARTS: &str = "jobtracker.info";
const RESTARTS_NEW: &str = "jobtracker.info.recover";
/// Ours: the identifier of the last start, and how many starts before had the same.
const STARTS: &str = "jobtracker.starts";
const STARTS_BYTES_MAX: u64 = 1024;

/// Why the directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SystemDirectoryError {
    /// It belongs to somebody else.
    #[error("{} is \"{path}\", which belongs to {owner}; give it to {user} or name another", keys::MAPRED_SYSTEM_DIR.name())]
    Owner {
        /// The directory.
        path: Path,
        /// Whose it is.
        owner: String,
        /// Who we are.
        user: String,
    },
    /// A file operation failed.
    #[error("{} cannot be used", keys::MAPRED_SYSTEM_DIR.name())]
    Storage(#[source] StorageError),
}

impl From<StorageError> for SystemDirectoryError {
    fn from(error: StorageError) -> Self {
        SystemDirectoryError::Storage(error)
    }
}

/// The directory.
#[derive(Clone)]
pub(crate) struct SystemDirectory {
    file_system: Arc<dyn FileSystem>,
    root: Path,
}

impl SystemDirectory {
    /// The directory of that name on the default file system; nothing is touched yet.
    pub(crate) fn new(storage: &Storage, name: &str) -> Result<SystemDirectory, StorageError> {
        let path = Path::parse(name)?;
        let file_system = storage.find(keys::MAPRED_SYSTEM_DIR.name(), &path)?;
        Ok(SystemDirectory { root: file_system.qualify(&path), file_system })
    }

    /// Its whole name, as TaskTrackers are told it.
    pub(crate) fn path(&self) -> &Path {
        &self.root
    }

    /// The directory on the local disk.
    pub(crate) fn local_root(&self) -> &std::path::Path {
        self.root.as_local()
    }

    /// Checks whose it is, and makes it if it is not there.
    pub(crate) fn open(&self, user: &str) -> Result<(), SystemDirectoryError> {
        match self.file_system.status(&self.root) {
            Ok(status) if status.owner != user => {
                let (path, user) = (self.root.clone(), user.to_owned());
                return Err(SystemDirectoryError::Owner { path, owner: status.owner, user });
            }
            Ok(status) if status.mode & 0o777 != MODE => {
                let mode = format!("{:o}", status.mode);
                tracing::warn!(path = %self.root, mode, "mapred.system.dir was open to others; its mode is 700 now");
                self.file_system.set_permission(&self.root, MODE)?;
            }
            Ok(_) => (),
            Err(error) if error.is_not_found() => (),
            Err(error) => return Err(error.into()),
        }
        self.file_system.mkdirs(&self.root, Some(MODE))?;
        Ok(())
    }

    /// Empties it but for its lock, unless what is there is to be kept, and notes this start. Returns how many starts
    /// before had the same identifier, which is no finer than a minute: their jobs must not have the ids of this one's.
    pub(crate) fn begin(&self, identifier: &str, keep: bool) -> Result<i32, SystemDirectoryError> {
        let starts_before = self.starts_before(identifier);
        if !keep {
            for entry in self.file_system.list(&self.root)? {
                if entry.path.name() != LOCK {
                    self.file_system.delete(&entry.path, true)?;
                }
            }
        }
        self.write_durably(&self.root.child(STARTS), format!("{identifier} {starts_before}\n").as_bytes())?;
        Ok(starts_before)
    }

    fn starts_before(&self, identifier: &str) -> i32 {
        let text = self.file_system.read_to_vec(&self.root.child(STARTS), STARTS_BYTES_MAX).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut words = text.split_whitespace();
        match (words.next(), words.next().and_then(|count| count.parse::<i32>().ok())) {
            (Some(last), Some(count)) if last == identifier => count.saturating_add(1),
            _ => 0,
        }
    }

    /// How often a JobTracker has gone on with what was there, as `jobtracker.info` says.
    pub(crate) fn restarts(&self) -> Option<i32> {
        let bytes = self.file_system.read_to_vec(&self.root.child(RESTARTS), STARTS_BYTES_MAX).ok()?;
        RestartCount::from_bytes(&bytes).ok().map(|count| count.0)
    }

    /// Notes that in `jobtracker.info`: 0 for the first start after the directory was made.
    pub(crate) fn note_restarts(&self, count: i32) -> Result<(), SystemDirectoryError> {
        let (new, path) = (self.root.child(RESTARTS_NEW), self.root.child(RESTARTS));
        self.write_durably(&new, &RestartCount(count).to_bytes())?;
        self.file_system.delete(&path, false)?;
        self.file_system.rename(&new, &path)?;
        Ok(())
    }

    /// Stores what must be known of a job before its submission is answered; it is on the disk when this returns.
    pub(crate) fn store_job(&self, info: &JobInfo, credentials: &Credentials) -> Result<(), StorageError> {
        let directory = self.root.child(&info.job.to_string());
        self.file_system.mkdirs(&directory, Some(MODE))?;
        self.write_durably(&directory.child(JOB_INFO), &info.to_bytes())?;
        let tokens = wire::credentials::write_storage(credentials);
        self.write_durably(&directory.child(JOB_TOKEN), &tokens)?;
        for directory in [&directory, &self.root] {
            self.sync_directory(directory)?;
        }
        Ok(())
    }

    /// A job is over: only its journal stays, until the job leaves memory.
    pub(crate) fn close_job(&self, job: &JobId) {
        let directory = self.root.child(&job.to_string());
        for name in [JOB_INFO, JOB_TOKEN] {
            if let Err(error) = self.file_system.delete(&directory.child(name), false) {
                tracing::warn!(%job, name, %error, "cannot remove a file of the job from the system directory");
            }
        }
    }

    /// Removes what is stored of a job.
    pub(crate) fn remove_job(&self, job: &JobId) {
        let directory = self.root.child(&job.to_string());
        if let Err(error) = self.file_system.delete(&directory, true) {
            tracing::warn!(%job, %error, "cannot remove the job from the system directory");
        }
    }

    fn write_durably(&self, path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
        let mut file = self.file_system.create(path, CreateOptions::OVERWRITE.with_mode(FILE_MODE))?;
        let written = file.write_all(bytes).and_then(|()| file.sync()).and_then(|()| file.close());
        written.map_err(|source| StorageError::from_io(path, "write", source))
    }

    /// A name is durable once its directory is.
    fn sync_directory(&self, directory: &Path) -> Result<(), StorageError> {
        if directory.scheme() != Some("file") {
            return Ok(());
        }
        let synced = std::fs::File::open(directory.as_local()).and_then(|file| file.sync_all());
        synced.map_err(|source| StorageError::from_io(directory, "sync", source))
    }
}

/// Wipes `jobTracker/` below each local directory, as every start of 1.2.1 does. A directory that cannot be wiped is no
/// reason not to start: nothing of ours is kept there.
pub(crate) fn wipe_local_directories(local_dirs: &[PathBuf]) {
    for directory in local_dirs.iter().map(|dir| dir.join("jobTracker")).filter(|dir| dir.exists()) {
        if let Err(error) = std::fs::remove_dir_all(&directory) {
            tracing::warn!(directory = %directory.display(), %error, "cannot wipe a local directory");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use storage::LocalFileSystem;
    use types::Token;

    fn in_temp() -> (tempfile::TempDir, SystemDirectory) {
        let dir = tempfile::tempdir().unwrap();
        let storage = Storage::local(LocalFileSystem::new());
        let system = SystemDirectory::new(&storage, &format!("{}/system", dir.path().display())).unwrap();
        (dir, system)
    }

    fn me(dir: &tempfile::TempDir) -> String {
        LocalFileSystem::new().status(&Path::local(dir.path())).unwrap().owner
    }

    #[test]
    fn a_start_empties_the_directory_and_closes_it_to_others() {
        let (dir, system) = in_temp();
        let path = dir.path().join("system");
        std::fs::create_dir_all(path.join("job_1_0001")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        system.open(&me(&dir)).unwrap();
        assert_eq!(system.begin("201301010000", false).unwrap(), 0);
        system.note_restarts(0).unwrap();
        assert!(!path.join("job_1_0001").exists());
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o700);
        assert_eq!(std::fs::read(path.join("jobtracker.info")).unwrap(), [0, 0, 0, 0]);
    }

    #[test]
    fn starts_within_one_minute_are_counted() {
        let (dir, system) = in_temp();
        system.open(&me(&dir)).unwrap();
        let counts = ["201301010000", "201301010000", "201301010000", "201301010001"]
            .map(|identifier| system.begin(identifier, false).unwrap());
        assert_eq!(counts, [0, 1, 2, 0]);
    }

    #[test]
    fn somebody_elses_directory_is_refused() {
        let (dir, system) = in_temp();
        std::fs::create_dir(dir.path().join("system")).unwrap();
        let error = system.open("somebody-else").unwrap_err().to_string();
        assert!(error.starts_with("mapred.system.dir is \"file:/"), "{error}");
        assert!(error.ends_with("give it to somebody-else or name another"), "{error}");
    }

    #[test]
    fn a_job_is_stored_and_removed() {
        let (dir, system) = in_temp();
        system.open(&me(&dir)).unwrap();
        let job = JobId::new("201301010000", 7);
        let info = JobInfo { job: job.clone(), user: "ann".into(), submit_dir: Some("file:/s/job".into()) };
        let mut credentials = Credentials::default();
        credentials.set_token(Credentials::JOB_TOKEN, Token { password: vec![1; 20], ..Token::default() });
        system.store_job(&info, &credentials).unwrap();
        let stored = dir.path().join("system/job_201301010000_0007");
        assert_eq!(JobInfo::from_bytes(&std::fs::read(stored.join("job-info")).unwrap()).unwrap(), info);
        let token = std::fs::read(stored.join("jobToken")).unwrap();
        assert_eq!(wire::credentials::read_storage(&token).unwrap(), credentials);
        system.remove_job(&job);
        assert!(!stored.exists());
    }
}
