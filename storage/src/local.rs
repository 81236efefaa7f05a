//! Files of this machine as Java's LocalFileSystem keeps them: with a checksum sidecar beside each, which is hidden,
//! moved and deleted with its file (Hadoop 1.2.1: fs.LocalFileSystem, fs.RawLocalFileSystem).

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path as OsPath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use configuration::{ConfigError, Configuration, keys};

use crate::Result;
use crate::checksum::{LocalInput, LocalOutput, SumWriter, Sums};
use crate::copy::copy;
use crate::error::StorageError;
use crate::file_system::{CreateOptions, FileStatus, FileSystem, Input, Output, Statistics};
use crate::path::Path;

mod names;

/// The local disk.
#[derive(Debug, Clone)]
pub struct LocalFileSystem {
    checksums: bool,
    bytes_per_checksum: u32,
    block_size: u64,
    /// How much is read at once.
    buffer_bytes: usize,
    working_directory: PathBuf,
    statistics: Arc<Statistics>,
}

impl Default for LocalFileSystem {
    fn default() -> Self {
        let working_directory = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
        LocalFileSystem {
            checksums: true,
            bytes_per_checksum: 512,
            block_size: 32 << 20,
            buffer_bytes: 4096,
            working_directory,
            statistics: Arc::default(),
        }
    }
}

impl LocalFileSystem {
    /// The local disk with 1.2.1's settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// The local disk without checksums: no sidecar is written, read, hidden or moved.
    pub fn raw() -> Self {
        LocalFileSystem { checksums: false, ..Self::default() }
    }

    /// The local disk with a configuration's settings.
    pub fn from_configuration(conf: &Configuration) -> std::result::Result<Self, ConfigError> {
        let stretch = conf.get(&keys::IO_BYTES_PER_CHECKSUM)?;
        let block_size = conf.get(&keys::FS_LOCAL_BLOCK_SIZE)?;
        let buffer_bytes = conf.get_or(&keys::IO_FILE_BUFFER_SIZE, 4096);
        let unusable = |key, expected| conf.refuse(key, expected);
        Ok(LocalFileSystem {
            bytes_per_checksum: u32::try_from(stretch)
                .map_err(|_| unusable(&keys::IO_BYTES_PER_CHECKSUM, "a whole number, 1 or more"))?,
            block_size: u64::try_from(block_size).unwrap_or(32 << 20),
            buffer_bytes: usize::try_from(buffer_bytes).unwrap_or(4096).clamp(512, 16 << 20),
            ..Self::default()
        })
    }

    /// The same disk seen from another working directory.
    pub fn at(&self, working_directory: impl Into<PathBuf>) -> Self {
        LocalFileSystem { working_directory: working_directory.into(), ..self.clone() }
    }

    fn os_path(&self, path: &Path) -> Result<PathBuf> {
        if !matches!(path.scheme(), None | Some("file")) || path.authority().is_some() {
            return Err(StorageError::Unsupported {
                path: path.clone(),
                operation: "a scheme or host other than file:",
            });
        }
        Ok(self.working_directory.join(path.as_local()))
    }

    fn status_of(&self, os_path: &OsPath, metadata: &fs::Metadata) -> FileStatus {
        FileStatus {
            path: Path::local(os_path),
            length: metadata.len(),
            is_dir: metadata.is_dir(),
            replication: 1,
            block_size: self.block_size,
            modified_ms: metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000,
            accessed_ms: metadata.atime() * 1000 + metadata.atime_nsec() / 1_000_000,
            mode: metadata.mode() & 0o7777,
            owner: names::user_name(metadata.uid()),
            group: names::group_name(metadata.gid()),
        }
    }

    /// The sidecar for a file that is about to be written; a stale one of an earlier file goes.
    fn make_sums(&self, os_path: &OsPath) -> io::Result<Option<SumWriter>> {
        if !self.checksums {
            return Ok(None);
        }
        let file = File::create(sidecar(os_path))?;
        SumWriter::new(file, self.bytes_per_checksum, &self.statistics).map(Some)
    }

    fn open_sums(&self, os_path: &OsPath) -> Option<Sums> {
        if !self.checksums {
            return None;
        }
        Sums::open(File::open(sidecar(os_path)).ok()?, &self.statistics, self.buffer_bytes)
    }

    fn delete_os(&self, os_path: &OsPath, is_dir: bool, recursive: bool) -> io::Result<()> {
        if is_dir && recursive {
            return fs::remove_dir_all(os_path);
        }
        if is_dir {
            return fs::remove_dir(os_path);
        }
        if self.checksums {
            ignore_missing(fs::remove_file(sidecar(os_path)))?;
        }
        fs::remove_file(os_path)
    }

    /// Moves the sidecar with its file; a stale one at the target goes if there is none to move.
    fn move_sums(&self, from: &OsPath, to: &OsPath) -> io::Result<()> {
        if !self.checksums {
            return Ok(());
        }
        match fs::rename(sidecar(from), sidecar(to)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => ignore_missing(fs::remove_file(sidecar(to))),
            moved => moved,
        }
    }
}

/// Whether a name is that of a sidecar.
pub fn is_checksum_file(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".crc")
}

/// `dir/.NAME.crc` for `dir/NAME`.
fn sidecar(os_path: &OsPath) -> PathBuf {
    let name = os_path.file_name().unwrap_or_default().to_string_lossy();
    os_path.with_file_name(format!(".{name}.crc"))
}

fn ignore_missing(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

fn failed<'a>(path: &'a Path, operation: &'static str) -> impl Fn(io::Error) -> StorageError + 'a {
    move |source| StorageError::from_io(path, operation, source)
}

impl FileSystem for LocalFileSystem {
    fn root(&self) -> Path {
        Path::local("/")
    }

    fn working_directory(&self) -> Path {
        Path::local(&self.working_directory)
    }

    fn home_directory(&self) -> Path {
        Path::local(std::env::var_os("HOME").map_or_else(|| PathBuf::from("/"), PathBuf::from))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn Input>> {
        let os_path = self.os_path(path)?;
        let data = File::open(&os_path).map_err(failed(path, "open"))?;
        if data.metadata().map_err(failed(path, "open"))?.is_dir() {
            return Err(StorageError::IsADirectory { path: path.clone() });
        }
        let sums = self.open_sums(&os_path);
        let input = LocalInput::new(path.clone(), data, sums, self.statistics.clone(), self.buffer_bytes);
        Ok(Box::new(input.map_err(failed(path, "open"))?))
    }

    fn create(&self, path: &Path, options: CreateOptions) -> Result<Box<dyn Output>> {
        let os_path = self.os_path(path)?;
        if let Some(parent) = os_path.parent() {
            fs::create_dir_all(parent).map_err(failed(path, "make the directory above"))?;
        }
        let mut open = OpenOptions::new();
        open.write(true);
        match options.overwrite {
            true => open.create(true).truncate(true),
            false => open.create_new(true),
        };
        // Never wider than wanted, not even for a moment.
        if let Some(mode) = options.mode {
            open.mode(mode);
        }
        let data = open.open(&os_path).map_err(failed(path, "create"))?;
        if let Some(mode) = options.mode {
            data.set_permissions(Permissions::from_mode(mode)).map_err(failed(path, "set the mode of"))?;
        }
        let sums = self.make_sums(&os_path).map_err(failed(path, "create the checksum file of"))?;
        Ok(Box::new(LocalOutput::new(data, sums, self.statistics.clone())))
    }

    fn append(&self, path: &Path) -> Result<Box<dyn Output>> {
        // Java's LocalFileSystem cannot either: the last checksum would have to be made again.
        if self.checksums {
            return Err(StorageError::Unsupported { path: path.clone(), operation: "append" });
        }
        let data = OpenOptions::new().append(true).open(self.os_path(path)?).map_err(failed(path, "append to"))?;
        Ok(Box::new(LocalOutput::new(data, None, self.statistics.clone())))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let source = self.os_path(from)?;
        let mut target = self.os_path(to)?;
        let is_dir = fs::metadata(&source).map_err(failed(from, "rename"))?.is_dir();
        if fs::metadata(&target).is_ok_and(|there| there.is_dir()) && source != target {
            // An empty directory takes the place of one; what is no directory goes into it.
            if is_dir && fs::rename(&source, &target).is_ok() {
                return Ok(());
            }
            target.push(source.file_name().unwrap_or_default());
        }
        match fs::rename(&source, &target) {
            Ok(()) if is_dir => Ok(()),
            Ok(()) => self.move_sums(&source, &target).map_err(failed(from, "rename the checksum file of")),
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                copy(self, from, self, &Path::local(&target), true)
            }
            Err(error) => Err(failed(from, "rename")(error)),
        }
    }

    fn delete(&self, path: &Path, recursive: bool) -> Result<bool> {
        let os_path = self.os_path(path)?;
        // A link is deleted, not what it points to.
        let there = match fs::symlink_metadata(&os_path) {
            Ok(there) => there,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(false);
            }
            Err(error) => return Err(failed(path, "delete")(error)),
        };
        self.delete_os(&os_path, there.is_dir(), recursive).map_err(failed(path, "delete"))?;
        Ok(true)
    }

    fn mkdirs(&self, path: &Path, mode: Option<u32>) -> Result<()> {
        let os_path = self.os_path(path)?;
        match fs::create_dir_all(&os_path) {
            // Something is there, and it is no directory.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(StorageError::NotADirectory { path: path.clone() });
            }
            made => made.map_err(failed(path, "make the directory"))?,
        }
        match mode {
            Some(mode) => self.set_permission(path, mode),
            None => Ok(()),
        }
    }

    fn status(&self, path: &Path) -> Result<FileStatus> {
        let os_path = self.os_path(path)?;
        let metadata = match fs::metadata(&os_path) {
            // Below a file there is nothing.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(StorageError::NotFound { path: path.clone() });
            }
            metadata => metadata.map_err(failed(path, "look at"))?,
        };
        Ok(self.status_of(&os_path, &metadata))
    }

    fn list(&self, path: &Path) -> Result<Vec<FileStatus>> {
        let own = self.status(path)?;
        if !own.is_dir {
            return Ok(vec![own]);
        }
        let os_path = self.os_path(path)?;
        let mut found = Vec::new();
        for entry in fs::read_dir(&os_path).map_err(failed(path, "list"))? {
            let entry = entry.map_err(failed(path, "list"))?;
            if self.checksums && is_checksum_file(&entry.file_name().to_string_lossy()) {
                continue;
            }
            // What has gone since, and a link to nothing, is no content.
            match fs::metadata(entry.path()) {
                Ok(metadata) => found.push(self.status_of(&entry.path(), &metadata)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(path, "list")(error)),
            }
        }
        found.sort_by(|a, b| a.path.name().cmp(b.path.name()));
        Ok(found)
    }

    fn set_permission(&self, path: &Path, mode: u32) -> Result<()> {
        let set = fs::set_permissions(self.os_path(path)?, Permissions::from_mode(mode));
        set.map_err(failed(path, "set the mode of"))
    }

    fn set_times(&self, path: &Path, modified_ms: Option<i64>, accessed_ms: Option<i64>) -> Result<()> {
        let time = |ms: i64| UNIX_EPOCH + Duration::from_millis(u64::try_from(ms).unwrap_or(0));
        let mut times = FileTimes::new();
        if let Some(ms) = modified_ms {
            times = times.set_modified(time(ms));
        }
        if let Some(ms) = accessed_ms {
            times = times.set_accessed(time(ms));
        }
        let set = File::open(self.os_path(path)?).and_then(|file| file.set_times(times));
        set.map_err(failed(path, "set the times of"))
    }

    fn set_owner(&self, path: &Path, owner: Option<&str>, group: Option<&str>) -> Result<()> {
        let unknown = |what| failed(path, what)(io::Error::new(io::ErrorKind::InvalidInput, "no such name"));
        let uid = owner.map(|name| names::user_id(name).ok_or_else(|| unknown("find the user for"))).transpose()?;
        let gid = group.map(|name| names::group_id(name).ok_or_else(|| unknown("find the group for"))).transpose()?;
        chown(self.os_path(path)?, uid, gid).map_err(failed(path, "set the owner of"))
    }

    fn default_block_size(&self) -> u64 {
        self.block_size
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

#[cfg(test)]
mod tests;
