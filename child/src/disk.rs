//! The task's own files on local disks: where they go, and how their bytes are counted.
//!
//! Hadoop 1.2.1: LocalDirAllocator, MapOutputFile, and the raw local file system's statistics. These files carry no
//! checksum sidecars.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use storage::FileSystem;

use crate::api::{Result, TaskError};

/// What is written at once.
const BUFFER_LEN: usize = 64 << 10;

/// The directories of one attempt, one per disk.
#[derive(Clone)]
pub(crate) struct Disks {
    dirs: Arc<Vec<PathBuf>>,
    counted: Arc<dyn FileSystem>,
}

impl Disks {
    /// The attempt's directories; `local` is the file system whose statistics count the bytes.
    pub(crate) fn new(dirs: Vec<PathBuf>, local: Arc<dyn FileSystem>) -> Self {
        Disks { dirs: Arc::new(dirs), counted: local }
    }

    /// A place for a new file of about `size` bytes: the first disk, from a random one on, that has room.
    pub(crate) fn for_write(&self, name: &str, size: u64) -> Result<PathBuf> {
        let first = if self.dirs.len() > 1 { fastrand::usize(..self.dirs.len()) } else { 0 };
        let mut last = None;
        for at in 0..self.dirs.len() {
            let path = self.dirs[(first + at) % self.dirs.len()].join(name);
            match make_room(&path, size) {
                Ok(()) => return Ok(path),
                Err(error) => last = Some((path, error)),
            }
        }
        let (path, source) = last.unwrap_or_else(|| (PathBuf::from(name), io::ErrorKind::NotFound.into()));
        Err(TaskError::Failed {
            exception: "org.apache.hadoop.util.DiskChecker$DiskErrorException",
            message: format!("Could not find any valid local directory for {name} ({}: {source})", path.display()),
        })
    }

    /// Makes a file.
    pub(crate) fn create(&self, path: &Path) -> Result<BufWriter<CountedFile>> {
        let file = File::create(path).map_err(TaskError::disk(path))?;
        Ok(BufWriter::with_capacity(BUFFER_LEN, CountedFile { file, counted: self.counted.clone() }))
    }

    /// Opens a file at `offset`.
    pub(crate) fn open(&self, path: &Path, offset: u64) -> Result<CountedFile> {
        let mut file = File::open(path).map_err(TaskError::disk(path))?;
        file.seek(SeekFrom::Start(offset)).map_err(TaskError::disk(path))?;
        Ok(CountedFile { file, counted: self.counted.clone() })
    }
}

/// Makes the directory and checks that the disk has that much left.
fn make_room(path: &Path, size: u64) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(dir)?;
    let free = nix::sys::statvfs::statvfs(dir)?;
    if (free.blocks_available() as u64).saturating_mul(free.fragment_size() as u64) < size {
        return Err(io::ErrorKind::StorageFull.into());
    }
    Ok(())
}

/// A file whose bytes count as the local file system's.
pub(crate) struct CountedFile {
    file: File,
    counted: Arc<dyn FileSystem>,
}

impl Read for CountedFile {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buf)?;
        self.counted.statistics().add_read(read as u64);
        Ok(read)
    }
}

impl Write for CountedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.counted.statistics().add_written(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
