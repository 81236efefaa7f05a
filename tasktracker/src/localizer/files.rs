//! Small helpers for local files with modes, and for fetching files from a job's file system.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use storage::Storage;

use super::Result;
use super::error::LocalizeError;

/// The largest token file that is believed.
const TOKEN_FILE_BYTES_MAX: u64 = 16 << 20;

/// Makes a directory with all above it; the last one gets `mode`, whatever the umask says.
pub(crate) fn make_dirs(dir: &Path, mode: u32) -> Result<()> {
    DirBuilder::new().recursive(true).mode(mode).create(dir).map_err(LocalizeError::local("create", dir))?;
    fs::set_permissions(dir, Permissions::from_mode(mode)).map_err(LocalizeError::local("set the mode of", dir))
}

/// Makes a directory; every one that had to be made gets `mode`, whatever the umask says.
pub(super) fn make_open_dirs(dir: &Path, mode: u32) -> Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    if let Some(above) = dir.parent() {
        make_open_dirs(above, mode)?;
    }
    make_dirs(dir, mode)
}

/// Writes a file that must not be half there: beside it first, then renamed. Nobody sees it with another mode.
pub(super) fn write_file(path: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!("-work-{:016x}", fastrand::u64(..)));
    let beside = path.with_file_name(name);
    let written = write_new(&beside, bytes, mode).and_then(|()| fs::rename(&beside, path));
    written.inspect_err(|_| drop(fs::remove_file(&beside))).map_err(LocalizeError::local("write", path))
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.set_permissions(Permissions::from_mode(mode))?;
    file.write_all(bytes)
}

/// Reads a small file of the job's file system.
pub(super) fn fetch_small(storage: &Storage, path: &storage::Path) -> Result<Vec<u8>> {
    fetch_small_inner(storage, path).map_err(|source| LocalizeError::Fetch { what: path.to_string(), source })
}

fn fetch_small_inner(storage: &Storage, path: &storage::Path) -> storage::Result<Vec<u8>> {
    storage.for_path(path)?.read_to_vec(path, TOKEN_FILE_BYTES_MAX)
}

/// Copies a file of the job's file system to a local file that is not there yet; answers its length.
pub(super) fn fetch(storage: &Storage, from: &storage::Path, to: &Path, mode: u32) -> Result<u64> {
    let fail = |source| LocalizeError::Fetch { what: from.to_string(), source };
    let mut input = storage.for_path(from).and_then(|system| system.open(from)).map_err(fail)?;
    let local = LocalizeError::local("write", to);
    let copied = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(to)?;
        file.set_permissions(Permissions::from_mode(mode))?;
        io::copy(&mut input, &mut file)
    })();
    copied.map_err(local)
}

/// Adds permission bits to everything in a directory, itself included; links are left alone.
pub(super) fn add_mode(path: &Path, bits: u32) -> Result<()> {
    let metadata = fs::symlink_metadata(path).map_err(LocalizeError::local("look at", path))?;
    if metadata.is_symlink() {
        return Ok(());
    }
    let mode = metadata.permissions().mode() & 0o7777;
    if mode | bits != mode {
        fs::set_permissions(path, Permissions::from_mode(mode | bits))
            .map_err(LocalizeError::local("set the mode of", path))?;
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path).map_err(LocalizeError::local("list", path))? {
            add_mode(&entry.map_err(LocalizeError::local("list", path))?.path(), bits)?;
        }
    }
    Ok(())
}

/// The bytes of all files in a directory (Hadoop 1.2.1: FileUtil.getDU).
pub(super) fn disk_use(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    let inside: u64 = if metadata.is_dir() {
        fs::read_dir(path).map_or(0, |entries| entries.flatten().map(|entry| disk_use(&entry.path())).sum())
    } else {
        0
    };
    metadata.len() + inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_do_not_depend_on_the_umask() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a/b");
        make_dirs(&dir, 0o777).unwrap();
        assert_eq!(fs::metadata(&dir).unwrap().permissions().mode() & 0o7777, 0o777);
        write_file(&dir.join("f"), b"x", 0o640).unwrap();
        write_file(&dir.join("f"), b"yy", 0o640).unwrap();
        assert_eq!(fs::metadata(dir.join("f")).unwrap().permissions().mode() & 0o7777, 0o640);
        assert_eq!(fs::read(dir.join("f")).unwrap(), b"yy");
        add_mode(root.path(), 0o555).unwrap();
        assert_eq!(fs::metadata(dir.join("f")).unwrap().permissions().mode() & 0o7777, 0o755);
    }
}
