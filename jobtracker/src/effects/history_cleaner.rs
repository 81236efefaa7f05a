//! Removes histories that are too old, when a job ends and the last look is long enough ago (Hadoop 1.2.1:
//! JobHistory.HistoryCleaner).

use std::path::PathBuf;
use std::time::Duration;

use storage::{FileSystem, Path, Storage, StorageError};
use types::Millis;

use super::history_files::CONF_SUFFIX;

/// Directories below each other at most: tracker, year, month, day, serial number.
const DEPTH_MAX: usize = 8;

/// How long histories are kept, and how often they are looked through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryAges {
    /// `mapreduce.jobhistory.max-age-ms`.
    pub(crate) most: Duration,
    /// `mapreduce.jobhistory.cleaner.interval-ms`.
    pub(crate) interval: Duration,
}

/// Looks through a directory of done histories now and then.
pub(super) struct HistoryCleaner {
    directory: String,
    log_dir: PathBuf,
    ages: HistoryAges,
    last: Millis,
}

fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

impl HistoryCleaner {
    /// A cleaner that looks for the first time when the first job ends.
    pub(super) fn new(directory: String, log_dir: PathBuf, ages: HistoryAges) -> HistoryCleaner {
        HistoryCleaner { directory, log_dir, ages, last: 0 }
    }

    /// Cleans, if it is time.
    pub(super) fn clean_if_due(&mut self, storage: &Storage, now: Millis) {
        if now.saturating_sub(self.last) < millis(self.ages.interval) {
            return;
        }
        self.last = now;
        let oldest = now.saturating_sub(millis(self.ages.most));
        let cleaned = Path::parse(&self.directory).and_then(|directory| {
            let files = storage.for_path(&directory)?;
            if !files.exists(&directory)? {
                return Ok(false);
            }
            clean(files.as_ref(), &directory, oldest, DEPTH_MAX)
        });
        if let Err(error) = cleaned {
            tracing::warn!(directory = self.directory, %error, "old histories cannot be removed");
        }
        clean_log_directory(&self.log_dir, self.ages.most);
    }
}

/// Removes old copies of `job.xml`; whatever cannot be looked at or removed stays.
fn clean_log_directory(log_dir: &std::path::Path, most: Duration) {
    for entry in std::fs::read_dir(log_dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_copy = name.to_str().is_some_and(|name| name.starts_with("job_") && name.ends_with(CONF_SUFFIX));
        let age = entry.metadata().and_then(|meta| meta.modified()).ok().and_then(|changed| changed.elapsed().ok());
        if is_copy && age.is_some_and(|age| age > most) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Removes files that were last changed before `oldest`, and directories that are empty then; whether all went.
fn clean(files: &dyn FileSystem, directory: &Path, oldest: Millis, depth: usize) -> Result<bool, StorageError> {
    let mut all_gone = true;
    for entry in files.list(directory)? {
        let goes = match entry.is_dir {
            true => depth > 0 && clean(files, &entry.path, oldest, depth - 1)?,
            false => entry.modified_ms < oldest,
        };
        if goes {
            files.delete(&entry.path, entry.is_dir)?;
        }
        all_gone &= goes;
    }
    Ok(all_gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage::LocalFileSystem;

    #[test]
    fn only_what_is_old_goes() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("done/h_1_/2010/01/01"), dir.path().join("done/h_1_/2030/01/01"));
        for day in [&old, &new] {
            std::fs::create_dir_all(day).unwrap();
            std::fs::write(day.join("job"), "x").unwrap();
        }
        let logs = dir.path().join("logs");
        std::fs::create_dir(&logs).unwrap();
        for name in ["job_1_0001_conf.xml", "job_1_0002_conf.xml", "daemon.log"] {
            std::fs::write(logs.join(name), "x").unwrap();
        }
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        for name in ["job_1_0001_conf.xml", "daemon.log"] {
            std::fs::File::options().write(true).open(logs.join(name)).unwrap().set_modified(long_ago).unwrap();
        }
        let storage = Storage::local(LocalFileSystem::new());
        let file = Path::local(old.join("job"));
        storage.for_path(&file).unwrap().set_times(&file, Some(1000), None).unwrap();
        let ages = HistoryAges { most: Duration::from_secs(60), interval: Duration::from_secs(1) };
        let mut cleaner = HistoryCleaner::new(dir.path().join("done").display().to_string(), logs.clone(), ages);
        let now = daemon_shell::wall_millis();
        cleaner.clean_if_due(&storage, now);
        assert!(!dir.path().join("done/h_1_/2010").exists());
        assert!(new.join("job").exists());
        assert!(!logs.join("job_1_0001_conf.xml").exists());
        assert!(logs.join("job_1_0002_conf.xml").exists());
        assert!(logs.join("daemon.log").exists());
    }
}
