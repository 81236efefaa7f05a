//! Deleting what may be large, off the paths that somebody waits on (Hadoop 1.2.1: mapred.CleanupQueue).
//!
//! What is to go is first renamed into `toBeDeleted` of its local directory, so that its name is free at once, and a
//! TaskTracker that ends before it is gone finds it there at its next start.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use super::layout::TO_BE_DELETED;

/// A thread that deletes, and the queue before it.
#[derive(Debug)]
pub struct Deletion {
    sender: Mutex<Sender<PathBuf>>,
    pending: Arc<Pending>,
    number: AtomicU64,
}

#[derive(Debug, Default)]
struct Pending {
    count: Mutex<usize>,
    zero: Condvar,
}

impl Deletion {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the machine has no thread for it.
    pub fn start() -> io::Result<Self> {
        let (sender, receiver) = channel();
        let pending = Arc::<Pending>::default();
        let of_thread = Arc::clone(&pending);
        thread::Builder::new().name("deletion".into()).spawn(move || run(&receiver, &of_thread))?;
        Ok(Deletion { sender: Mutex::new(sender), pending, number: AtomicU64::new(0) })
    }

    /// Takes `path`, a file or directory below the local directory `root`, out of the way at once and deletes it later.
    pub fn delete(&self, root: &Path, path: &Path) {
        if fs::symlink_metadata(path).is_err() {
            return;
        }
        self.queue(self.move_away(root, path).unwrap_or_else(|_| path.to_owned()));
    }

    /// Deletes later whatever an earlier TaskTracker left to be deleted.
    pub fn delete_leftovers(&self, root: &Path) {
        let Ok(entries) = fs::read_dir(root.join(TO_BE_DELETED)) else { return };
        for entry in entries.flatten() {
            self.queue(entry.path());
        }
    }

    /// Waits until all that was asked for so far is gone.
    pub fn wait(&self) {
        let guard = self.pending.count.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        drop(self.pending.zero.wait_while(guard, |count| *count > 0));
    }

    fn move_away(&self, root: &Path, path: &Path) -> io::Result<PathBuf> {
        let bin = root.join(TO_BE_DELETED);
        fs::create_dir_all(&bin)?;
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let target = bin.join(format!("{}_{:016x}_{number}", std::process::id(), fastrand::u64(..)));
        fs::rename(path, &target)?;
        Ok(target)
    }

    fn queue(&self, path: PathBuf) {
        *self.pending.count.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += 1;
        let sender = self.sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Err(unsent) = sender.send(path) {
            remove(&unsent.0);
            self.pending.done();
        }
    }
}

impl Pending {
    fn done(&self) {
        let mut count = self.count.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *count -= 1;
        if *count == 0 {
            self.zero.notify_all();
        }
    }
}

fn run(receiver: &Receiver<PathBuf>, pending: &Pending) {
    for path in receiver {
        remove(&path);
        pending.done();
    }
}

/// Deletes a file, a link or a directory with all in it. Folders that their owner made unreadable are opened first.
pub fn remove(path: &Path) {
    let is_dir = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let removed =
        if is_dir { fs::remove_dir_all(path).or_else(|_| open_and_remove(path)) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), %error, "cannot delete; it stays on the disk");
        }
        _ => {}
    }
}

fn open_and_remove(path: &Path) -> io::Result<()> {
    open_dirs(path)?;
    fs::remove_dir_all(path)
}

fn open_dirs(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_dirs(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_at_once_and_disks_soon() {
        let root = tempfile::tempdir().unwrap();
        let deletion = Deletion::start().unwrap();
        let dir = root.path().join("a/b");
        fs::create_dir_all(dir.join("c")).unwrap();
        fs::write(dir.join("c/file"), "x").unwrap();
        deletion.delete(root.path(), &dir);
        assert!(!dir.exists());
        deletion.delete(root.path(), &root.path().join("nothing"));
        deletion.wait();
        assert_eq!(fs::read_dir(root.path().join(TO_BE_DELETED)).unwrap().count(), 0);
    }

    #[test]
    fn what_an_earlier_tracker_left_is_deleted() {
        let root = tempfile::tempdir().unwrap();
        let left = root.path().join(TO_BE_DELETED).join("1_0_0");
        fs::create_dir_all(left.join("x")).unwrap();
        let deletion = Deletion::start().unwrap();
        deletion.delete_leftovers(root.path());
        deletion.wait();
        assert!(!left.exists());
    }

    #[test]
    fn links_go_and_what_they_point_at_stays() {
        let root = tempfile::tempdir().unwrap();
        let kept = root.path().join("kept");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("file"), "x").unwrap();
        let dir = root.path().join("dir");
        fs::create_dir(&dir).unwrap();
        std::os::unix::fs::symlink(&kept, dir.join("link")).unwrap();
        remove(&dir);
        assert!(!dir.exists() && kept.join("file").exists());
    }
}
