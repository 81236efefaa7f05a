//! Where the allocations stand, and when they are to be read again: once the file has changed and has been left alone
//! for a while, so that no half-written one is read (Hadoop 1.2.1: PoolManager.reloadAllocsIfNecessary).

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use configuration::{ConfigError, Configuration, keys};
use jobtracker_core::Allocations;
use types::Millis;

use super::allocations;

/// Between two looks at the file.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// How long a changed file is left alone.
const SETTLE_MS: Millis = 5000;
/// The file's name where the site names none.
const DEFAULT_NAME: &str = "fair-scheduler.xml";
/// No allocation file is longer.
const BYTES_MAX: usize = 16 << 20;

/// The allocation file.
#[derive(Debug)]
pub(crate) struct AllocationFile {
    path: PathBuf,
    /// When the file that was read last was written.
    read_as_of: Option<SystemTime>,
}

impl AllocationFile {
    /// The file that the site names, or else the one beside the site files, if it is there.
    pub(super) fn find(conf: &Configuration, conf_dir: Option<&Path>) -> Result<Option<AllocationFile>, ConfigError> {
        let named = conf.get_optional(&keys::MAPRED_FAIRSCHEDULER_ALLOCATION_FILE)?.filter(|path| !path.is_empty());
        let beside = || conf_dir.map(|dir| dir.join(DEFAULT_NAME)).filter(|path| path.exists());
        let path = named.map(PathBuf::from).or_else(beside);
        Ok(path.map(|path| AllocationFile { path, read_as_of: None }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file as it is.
    pub(super) fn load(&mut self) -> Result<Allocations, ConfigError> {
        let unreadable = |source| ConfigError::Read { path: self.path.clone(), source };
        let file = std::fs::File::open(&self.path).map_err(unreadable)?;
        let written = file.metadata().and_then(|metadata| metadata.modified()).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        let name = self.path.display().to_string();
        if bytes.len() > BYTES_MAX {
            return Err(ConfigError::TooLong { file: name, limit: BYTES_MAX });
        }
        let (allocations, warnings) = allocations::parse(&name, &bytes)?;
        for warning in warnings {
            tracing::warn!("{warning}");
        }
        self.read_as_of = Some(written);
        Ok(allocations)
    }

    /// Looks whether the file has changed and has been left alone since, and reads it if so. One that is broken is read
    /// again at each look until it is mended.
    pub(super) fn look(&mut self, now: Millis) -> Option<Result<Allocations, ConfigError>> {
        let found = self.look_at_it(now);
        if matches!(found, Some(Err(_))) {
            self.read_as_of = None;
        }
        found
    }

    fn look_at_it(&mut self, now: Millis) -> Option<Result<Allocations, ConfigError>> {
        let written = match std::fs::metadata(&self.path).and_then(|metadata| metadata.modified()) {
            Ok(written) => written,
            Err(source) => return Some(Err(ConfigError::Read { path: self.path.clone(), source })),
        };
        let age = now - wall(written);
        // A file from the future would never settle.
        if Some(written) == self.read_as_of || (0..=SETTLE_MS).contains(&age) {
            return None;
        }
        Some(self.load())
    }
}

fn wall(time: SystemTime) -> Millis {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_400_000_000_000;

    /// Writes a file as of so long before now.
    fn write(path: &Path, text: &str, age: Millis) {
        std::fs::write(path, text).unwrap();
        let written = UNIX_EPOCH + Duration::from_millis((NOW - age) as u64);
        std::fs::File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
    }

    fn pools(allocations: Allocations) -> Vec<String> {
        allocations.pools.into_keys().collect()
    }

    #[test]
    fn a_changed_file_is_read_once_it_has_settled() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(DEFAULT_NAME);
        assert!(AllocationFile::find(&Configuration::new(), Some(dir.path())).unwrap().is_none());
        write(&path, "<allocations><pool name='a'/></allocations>", 60_000);
        let mut file = AllocationFile::find(&Configuration::new(), Some(dir.path())).unwrap().unwrap();
        assert_eq!(pools(file.load().unwrap()), ["a"]);
        assert!(file.look(NOW).is_none(), "nothing has changed");

        write(&path, "<allocations><pool name='b'/></allocations>", 5000);
        assert!(file.look(NOW).is_none(), "it may still be written");
        assert_eq!(pools(file.look(NOW + 1).unwrap().unwrap()), ["b"]);
        assert!(file.look(NOW + 1).is_none());
        // An older file that takes its place counts, too.
        write(&path, "<allocations><pool name='c'/></allocations>", 90_000);
        assert_eq!(pools(file.look(NOW).unwrap().unwrap()), ["c"]);
    }

    #[test]
    fn a_broken_file_is_told_until_it_is_mended() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pools.xml");
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_FAIRSCHEDULER_ALLOCATION_FILE, path.display());
        let mut file = AllocationFile::find(&conf, None).unwrap().unwrap();
        let error = file.load().unwrap_err().to_string();
        assert!(error.contains("pools.xml: cannot be read"), "{error}");

        write(&path, "<allocations>\n<pool name='a'>\n<weight>NaN</weight></pool></allocations>", 60_000);
        for _ in 0..2 {
            let error = file.look(NOW).unwrap().unwrap_err().to_string();
            assert!(error.contains("pools.xml: line 3: ") && error.contains("NaN"), "{error}");
        }
        for text in ["<allocations/>", "<allocations></allocations>"] {
            write(&path, text, 30_000);
            assert_eq!(file.look(NOW).unwrap().unwrap(), Allocations::default());
            // Gone and back as it was.
            std::fs::remove_file(&path).unwrap();
            assert!(file.look(NOW).unwrap().is_err());
        }
    }
}
