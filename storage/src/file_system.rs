//! The trait that every file system meets, and what it hands out.

use std::io::{self, Read, Seek, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Result;
use crate::error::StorageError;
use crate::path::Path;

/// An open file that can be read from any place.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// An open file that is being written. Dropping it without [`Output::close`] leaves a file that is not whole.
pub trait Output: Write + Send {
    /// Writes what is buffered and ends the file.
    fn close(self: Box<Self>) -> io::Result<()>;

    /// Writes what is buffered through to the disk, and goes on.
    fn sync(&mut self) -> io::Result<()>;
}

/// How a file is made.
#[derive(Debug, Clone, Copy)]
pub struct CreateOptions {
    /// Whether a file of that name may go; otherwise making it is atomic and fails if it is there.
    pub overwrite: bool,
    /// The mode, whatever the umask says; `None` for the usual one.
    pub mode: Option<u32>,
    /// The block size, where there are blocks; `None` for the usual one.
    pub block_size: Option<u64>,
    /// How many copies, where there are copies; `None` for the usual number.
    pub replication: Option<u16>,
}

impl CreateOptions {
    /// A new file; one that is there is kept and is an error.
    pub const EXCLUSIVE: CreateOptions =
        CreateOptions { overwrite: false, mode: None, block_size: None, replication: None };
    /// A file in place of whatever file is there.
    pub const OVERWRITE: CreateOptions =
        CreateOptions { overwrite: true, mode: None, block_size: None, replication: None };

    /// The same with a mode.
    pub const fn with_mode(self, mode: u32) -> Self {
        CreateOptions { mode: Some(mode), ..self }
    }
}

/// What is known of a file or directory (Hadoop 1.2.1: fs.FileStatus).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStatus {
    /// The whole name.
    pub path: Path,
    /// Bytes; what the system says for a directory.
    pub length: u64,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// How many copies.
    pub replication: u16,
    /// The size by which a job splits it.
    pub block_size: u64,
    /// Last change, milliseconds since 1970.
    pub modified_ms: i64,
    /// Last read, milliseconds since 1970.
    pub accessed_ms: i64,
    /// Permission bits, sticky bit included.
    pub mode: u32,
    /// User name, or the number of a user without one.
    pub owner: String,
    /// Group name, or the number of a group without one.
    pub group: String,
}

/// Where a stretch of a file lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockLocation {
    /// Host names.
    pub hosts: Vec<String>,
    /// Where it starts.
    pub offset: u64,
    /// How long it is.
    pub length: u64,
}

/// Bytes that went through a file system, checksums included, as Hadoop's FileSystemCounters count them.
#[derive(Debug, Default)]
pub struct Statistics {
    read: AtomicU64,
    written: AtomicU64,
}

impl Statistics {
    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Bytes written so far.
    pub fn bytes_written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Counts bytes that were read.
    pub fn add_read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts bytes that were written.
    pub fn add_written(&self, bytes: u64) {
        self.written.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A file system (Hadoop 1.2.1: fs.FileSystem). Relative paths are seen from its working directory.
pub trait FileSystem: Send + Sync {
    /// Its scheme and authority with the path `/`.
    fn root(&self) -> Path;

    /// Where relative paths start.
    fn working_directory(&self) -> Path;

    /// The user's own directory.
    fn home_directory(&self) -> Path;

    /// Opens a file.
    fn open(&self, path: &Path) -> Result<Box<dyn Input>>;

    /// Makes a file, and the directories above it.
    fn create(&self, path: &Path, options: CreateOptions) -> Result<Box<dyn Output>>;

    /// Opens a file to write at its end.
    fn append(&self, path: &Path) -> Result<Box<dyn Output>>;

    /// Gives a file or directory another name. A target that is a directory takes the source into it; a target that is
    /// a file is replaced.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Deletes; false if nothing was there.
    fn delete(&self, path: &Path, recursive: bool) -> Result<bool>;

    /// Makes a directory and those above it; a mode goes to the last one, whatever the umask says.
    fn mkdirs(&self, path: &Path, mode: Option<u32>) -> Result<()>;

    /// What is known of one file or directory.
    fn status(&self, path: &Path) -> Result<FileStatus>;

    /// The contents of a directory in name order; a file lists itself.
    fn list(&self, path: &Path) -> Result<Vec<FileStatus>>;

    /// Sets the permission bits.
    fn set_permission(&self, path: &Path, mode: u32) -> Result<()>;

    /// Sets the times of last change and last read; `None` leaves one as it is.
    fn set_times(&self, path: &Path, modified_ms: Option<i64>, accessed_ms: Option<i64>) -> Result<()>;

    /// Sets user and group by name; `None` leaves one as it is.
    fn set_owner(&self, path: &Path, owner: Option<&str>, group: Option<&str>) -> Result<()>;

    /// Sets the number of copies; where there are no copies, nothing happens.
    fn set_replication(&self, path: &Path, _replication: u16) -> Result<()> {
        self.status(path).map(|_| ())
    }

    /// Where the bytes from `start` on lie.
    fn block_locations(&self, status: &FileStatus, start: u64, length: u64) -> Result<Vec<BlockLocation>> {
        if start >= status.length {
            return Ok(Vec::new());
        }
        let length = length.min(status.length - start);
        Ok(vec![BlockLocation { hosts: vec!["localhost".to_owned()], offset: start, length }])
    }

    /// The size by which a job splits files that do not say otherwise.
    fn default_block_size(&self) -> u64;

    /// The number of copies of files that do not say otherwise.
    fn default_replication(&self) -> u16 {
        1
    }

    /// What went through so far.
    fn statistics(&self) -> &Statistics;

    /// The whole name of a path on this file system.
    fn qualify(&self, path: &Path) -> Path {
        path.qualify(&self.root(), &self.working_directory())
    }

    /// Whether something is there.
    fn exists(&self, path: &Path) -> Result<bool> {
        match self.status(path) {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether a directory is there.
    fn is_dir(&self, path: &Path) -> Result<bool> {
        match self.status(path) {
            Ok(status) => Ok(status.is_dir),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The whole file, if it has at most `limit` bytes.
    fn read_to_vec(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|source| StorageError::from_io(path, "read", source))?;
        match bytes.len() as u64 > limit {
            true => Err(StorageError::TooLong { path: path.clone(), limit }),
            false => Ok(bytes),
        }
    }

    /// Makes a file of these bytes.
    fn write_all(&self, path: &Path, bytes: &[u8], options: CreateOptions) -> Result<()> {
        let mut output = self.create(path, options)?;
        let written = output.write_all(bytes).and_then(|()| output.close());
        written.map_err(|source| StorageError::from_io(path, "write", source))
    }
}
