//! The files of one job's history while it runs, and where they go when it is over (Hadoop 1.2.1:
//! JobHistory.JobInfo.logSubmitted, JobHistoryFilesManager).

use std::path::PathBuf;

use chrono::{Local, TimeZone};
use storage::{CreateOptions, Output, Path, Storage, StorageError};
use types::{JobId, Millis};

use super::history_cleaner::{HistoryAges, HistoryCleaner};

const DIRECTORY_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o744;
/// Ends the names of the copies of `job.xml`.
pub(super) const CONF_SUFFIX: &str = "_conf.xml";

/// Where history goes, whatever the job.
#[derive(Debug, Clone)]
pub(crate) struct HistorySettings {
    /// Histories of running jobs.
    pub(crate) running: String,
    /// Histories of jobs that are over.
    pub(crate) done: String,
    /// `<JobTracker's host>_<its start>_`, a directory of the done histories.
    pub(crate) tracker: String,
    /// The local log directory, which holds a copy of each `job.xml`.
    pub(crate) log_dir: PathBuf,
    /// How long done histories are kept.
    pub(crate) ages: HistoryAges,
}

/// Makes files where the settings say.
pub(super) struct HistoryPlaces {
    storage: Storage,
    settings: HistorySettings,
    cleaner: HistoryCleaner,
}

/// One file that records are written to.
struct HistoryFile {
    path: Path,
    output: Box<dyn Output>,
}

/// The open files of one job. One that cannot be written is given up, and the job goes on without it.
pub(super) struct JobHistory {
    job: JobId,
    central: Option<HistoryFile>,
    user: Option<HistoryFile>,
    /// The copy of `job.xml` beside the central file.
    conf: Option<Path>,
}

impl HistoryPlaces {
    pub(super) fn new(storage: Storage, settings: HistorySettings) -> HistoryPlaces {
        let cleaner = HistoryCleaner::new(settings.done.clone(), settings.log_dir.clone(), settings.ages);
        HistoryPlaces { storage, settings, cleaner }
    }

    /// Opens a job's files and stores copies of its `job.xml` beside them and in the log directory.
    pub(super) fn open(&self, job: &JobId, name: &str, conf: &[u8], user_directory: Option<&Path>) -> JobHistory {
        let central_directory = Path::parse(&self.settings.running);
        let central = central_directory.as_ref().ok().and_then(|dir| self.file(job, dir, name));
        let user = user_directory.and_then(|dir| self.file(job, dir, name));
        let conf_name = conf_name(job);
        let mut conf_path = None;
        if let (Some(_), Ok(directory)) = (&central, &central_directory) {
            conf_path = self.conf_copy(job, &directory.child(&conf_name), conf);
        }
        if let (Some(_), Some(directory)) = (&user, user_directory) {
            self.conf_copy(job, &directory.child(&conf_name), conf);
        }
        let local = self.settings.log_dir.join(&conf_name);
        if let Err(error) = std::fs::write(&local, conf) {
            tracing::warn!(%job, path = %local.display(), %error, "cannot keep a copy of the job's configuration");
        }
        JobHistory { job: job.clone(), central, user, conf: conf_path }
    }

    fn file(&self, job: &JobId, directory: &Path, name: &str) -> Option<HistoryFile> {
        let path = directory.child(name);
        let made = self.storage.for_path(directory).and_then(|files| {
            files.mkdirs(directory, None)?;
            files.create(&path, CreateOptions::OVERWRITE.with_mode(FILE_MODE))
        });
        match made {
            Ok(output) => Some(HistoryFile { path, output }),
            Err(error) => {
                tracing::warn!(%job, %path, error = super::split_reader::chain(&error), "the job runs without this history file");
                None
            }
        }
    }

    fn conf_copy(&self, job: &JobId, path: &Path, conf: &[u8]) -> Option<Path> {
        let options = CreateOptions::OVERWRITE.with_mode(FILE_MODE);
        match self.storage.for_path(path).and_then(|files| files.write_all(path, conf, options)) {
            Ok(()) => Some(path.clone()),
            Err(error) => {
                tracing::warn!(%job, %path, %error, "cannot keep a copy of the job's configuration");
                None
            }
        }
    }

    /// Closes a job's files and moves the central ones to where histories of jobs that are over stand; removes old ones
    /// there.
    pub(super) fn end(&mut self, history: JobHistory, now: Millis) {
        let JobHistory { job, central, user, conf } = history;
        if let Some(file) = user {
            close(&job, file);
        }
        let Some(path) = central.and_then(|file| close(&job, file)) else { return };
        for path in [Some(path), conf].into_iter().flatten() {
            if let Err(error) = self.move_to_done(&job, &path, now) {
                tracing::warn!(%job, %path, error = super::split_reader::chain(&error), "the history stays where it was written");
            }
        }
        self.cleaner.clean_if_due(&self.storage, now);
    }

    fn move_to_done(&self, job: &JobId, path: &Path, now: Millis) -> Result<(), StorageError> {
        let mut directory = Path::parse(&self.settings.done)?;
        for part in ["version-1", &self.settings.tracker, &date_path(now), &serial_directory(job)] {
            directory = directory.child(part);
        }
        let (from, to) = (self.storage.for_path(path)?, self.storage.for_path(&directory)?);
        to.mkdirs(&directory, Some(DIRECTORY_MODE))?;
        let target = directory.child(path.name());
        if from.root() == to.root() {
            return from.rename(path, &target);
        }
        let bytes = from.read_to_vec(path, u64::MAX)?;
        to.write_all(&target, &bytes, CreateOptions::OVERWRITE.with_mode(FILE_MODE))?;
        from.delete(path, false).map(|_| ())
    }
}

impl JobHistory {
    /// Appends a record to every file that is still written.
    pub(super) fn append(&mut self, line: &str) {
        self.on_each(|output| output.write_all(line.as_bytes()));
    }

    /// Hands what is buffered to the system, so that readers see it.
    pub(super) fn flush(&mut self) {
        self.on_each(|output| output.flush());
    }

    fn on_each(&mut self, action: impl Fn(&mut dyn Output) -> std::io::Result<()>) {
        for slot in [&mut self.central, &mut self.user] {
            let Some(file) = slot else { continue };
            if let Err(error) = action(file.output.as_mut()) {
                tracing::warn!(job = %self.job, path = %file.path, %error, "the job goes on without this history file");
                *slot = None;
            }
        }
    }
}

fn close(job: &JobId, file: HistoryFile) -> Option<Path> {
    match file.output.close() {
        Ok(()) => Some(file.path),
        Err(error) => {
            tracing::warn!(%job, path = %file.path, %error, "cannot close the history file");
            None
        }
    }
}

/// The name of the copies of `job.xml`.
pub(crate) fn conf_name(job: &JobId) -> String {
    format!("{job}{CONF_SUFFIX}")
}

/// `YYYY/MM/DD` of local time.
fn date_path(now: Millis) -> String {
    match Local.timestamp_millis_opt(now).earliest() {
        Some(time) => time.format("%Y/%m/%d").to_string(),
        None => "1970/01/01".to_owned(),
    }
}

/// The first six of the nine digits of a job's number: a thousand jobs share a directory.
fn serial_directory(job: &JobId) -> String {
    format!("{:09}", job.number).chars().take(6).collect()
}
