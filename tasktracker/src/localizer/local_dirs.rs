//! The local directories, and in which of them the next file goes (Hadoop 1.2.1: fs.LocalDirAllocator).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The directories of `mapred.local.dir` that work, in their order. Which these are changes as disks fail and come back.
#[derive(Debug)]
pub struct LocalDirs {
    dirs: RwLock<Arc<[PathBuf]>>,
    next: AtomicUsize,
}

impl LocalDirs {
    /// Takes directories that exist.
    pub fn new(dirs: Vec<PathBuf>) -> Self {
        LocalDirs { dirs: RwLock::new(dirs.into()), next: AtomicUsize::new(0) }
    }

    /// All that work now.
    pub fn all(&self) -> Arc<[PathBuf]> {
        Arc::clone(&self.dirs.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on these work and no others.
    pub fn set(&self, dirs: Vec<PathBuf>) {
        *self.dirs.write().unwrap_or_else(PoisonError::into_inner) = dirs.into();
    }

    /// Leaves a directory out until the next check, unless it is the last one.
    pub fn set_aside(&self, dir: &Path) {
        let mut dirs = self.dirs.write().unwrap_or_else(PoisonError::into_inner);
        if dirs.len() > 1 {
            *dirs = dirs.iter().filter(|other| *other != dir).cloned().collect();
        }
    }

    /// The place of `relative` in the next directory, in turn, that has more than `size` bytes free.
    ///
    /// # Errors
    /// If none has.
    pub fn place(&self, relative: &Path, size: u64) -> io::Result<PathBuf> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let dirs = self.all();
        for step in 0..dirs.len() {
            let dir = &dirs[(first + step) % dirs.len()];
            if free_bytes(dir).is_ok_and(|free| free > size) {
                return Ok(dir.join(relative));
            }
        }
        let text = format!(
            "Could not find any valid local directory for {}: mapred.local.dir names {}, none with more than {size} bytes free",
            relative.display(),
            dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(",")
        );
        Err(io::Error::new(io::ErrorKind::StorageFull, text))
    }

    /// The first directory that holds `relative`, with it.
    pub fn find(&self, relative: &Path) -> Option<PathBuf> {
        self.all().iter().map(|dir| dir.join(relative)).find(|path| path.exists())
    }

    /// `relative` in every directory, there or not.
    pub fn everywhere(&self, relative: &Path) -> Vec<PathBuf> {
        self.all().iter().map(|dir| dir.join(relative)).collect()
    }

    /// The most bytes that are free in one directory.
    pub fn free_bytes_max(&self) -> u64 {
        self.all().iter().filter_map(|dir| free_bytes(dir).ok()).max().unwrap_or(0)
    }

    /// The bytes that are free in all directories together, each file system counted once per directory as Hadoop does.
    pub fn free_bytes(&self) -> u64 {
        self.all().iter().filter_map(|dir| free_bytes(dir).ok()).sum()
    }
}

fn free_bytes(dir: &Path) -> io::Result<u64> {
    let status = nix::sys::statvfs::statvfs(dir).map_err(io::Error::from)?;
    Ok(status.blocks_available().saturating_mul(status.fragment_size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_take_turns() {
        let root = tempfile::tempdir().unwrap();
        let dirs: Vec<_> = ["a", "b"].iter().map(|name| root.path().join(name)).collect();
        dirs.iter().for_each(|dir| std::fs::create_dir(dir).unwrap());
        let local = LocalDirs::new(dirs.clone());
        let places: Vec<_> = (0..3).map(|_| local.place(Path::new("x"), 0).unwrap()).collect();
        assert_eq!(places, [dirs[0].join("x"), dirs[1].join("x"), dirs[0].join("x")]);
        assert_eq!(local.find(Path::new("x")), None);
        std::fs::write(dirs[1].join("x"), "").unwrap();
        assert_eq!(local.find(Path::new("x")), Some(dirs[1].join("x")));
    }

    #[test]
    fn a_directory_that_is_gone_or_full_is_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let local = LocalDirs::new(vec![root.path().join("gone"), root.path().to_owned()]);
        assert_eq!(local.place(Path::new("x"), 0).unwrap(), root.path().join("x"));
        assert_eq!(local.place(Path::new("x"), 0).unwrap(), root.path().join("x"));
        let error = local.place(Path::new("x"), u64::MAX).unwrap_err();
        assert!(error.to_string().contains("mapred.local.dir"), "{error}");
    }
}
