//! Only one JobTracker may use a system directory: the first holds a lock on a file there, and others refuse to start. If
//! the file is not the one that was locked any more, somebody else has taken the directory over, and this one must stop.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

/// The file's name.
pub(crate) const LOCK: &str = "jobtracker.lock";
/// How much of another's file is told.
const HOLDER_BYTES_MAX: u64 = 200;

/// Why the lock cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Somebody else has it.
    #[error("{}, which {holder} uses; stop that one, or name another directory", directory.display())]
    Held {
        /// The system directory.
        directory: PathBuf,
        /// Who, as it wrote into the file.
        holder: String,
    },
    /// The file cannot be used.
    #[error("{} cannot be locked", path.display())]
    File {
        /// The file.
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// The lock, let go when dropped.
#[derive(Debug)]
pub(crate) struct DirectoryLock {
    path: PathBuf,
    file: Flock<File>,
}

/// A way to see whether the lock still counts.
#[derive(Debug, Clone)]
pub(crate) struct Fence {
    path: PathBuf,
    inode: u64,
}

impl DirectoryLock {
    /// Takes the lock of a directory that exists. `holder` is told to those that come later.
    pub(crate) fn take(directory: &Path, holder: &str) -> Result<DirectoryLock, LockError> {
        let path = directory.join(LOCK);
        let failed = |source| LockError::File { path: path.clone(), source };
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
            let file = match Flock::lock(file.map_err(failed)?, FlockArg::LockExclusiveNonblock) {
                Ok(file) => file,
                Err((mut file, Errno::EWOULDBLOCK)) => {
                    let mut holder = String::new();
                    // What cannot be read is only not told.
                    let _ = Read::by_ref(&mut file).take(HOLDER_BYTES_MAX).read_to_string(&mut holder);
                    let holder = format!("another JobTracker ({})", holder.trim());
                    return Err(LockError::Held { directory: directory.to_owned(), holder });
                }
                Err((_, error)) => return Err(failed(error.into())),
            };
            let lock = DirectoryLock { path: path.clone(), file };
            // Another may have removed the file between its opening and its locking.
            if lock.fence().map_err(failed)?.holds() {
                lock.file.set_len(0).and_then(|()| (&*lock.file).write_all(holder.as_bytes())).map_err(failed)?;
                return Ok(lock);
            }
        }
    }

    /// A way to see whether the lock still counts.
    pub(crate) fn fence(&self) -> io::Result<Fence> {
        Ok(Fence { path: self.path.clone(), inode: self.file.metadata()?.ino() })
    }
}

impl Fence {
    /// Whether the file that was locked is still the directory's.
    pub(crate) fn holds(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|found| found.ino() == self.inode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_until_the_first_is_gone() {
        let dir = tempfile::tempdir().unwrap();
        let first = DirectoryLock::take(dir.path(), "process 1 on a").unwrap();
        let error = DirectoryLock::take(dir.path(), "process 2 on b").unwrap_err().to_string();
        assert!(error.contains("another JobTracker (process 1 on a) uses"), "{error}");
        drop(first);
        DirectoryLock::take(dir.path(), "process 2 on b").unwrap();
    }

    #[test]
    fn the_first_sees_that_its_directory_was_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let first = DirectoryLock::take(dir.path(), "1").unwrap();
        let fence = first.fence().unwrap();
        assert!(fence.holds());
        std::fs::remove_file(dir.path().join(LOCK)).unwrap();
        assert!(!fence.holds());
        let second = DirectoryLock::take(dir.path(), "2").unwrap();
        assert!(second.fence().unwrap().holds() && !fence.holds());
    }
}
