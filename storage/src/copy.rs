//! Copies between file systems (Hadoop 1.2.1: fs.FileUtil).

use std::io;

use crate::Result;
use crate::error::StorageError;
use crate::file_system::{CreateOptions, FileStatus, FileSystem};
use crate::path::Path;

/// Copies a file or a directory with all in it; a target that is a directory takes the source into it. The source may
/// go afterwards.
pub fn copy(
    from: &dyn FileSystem,
    source: &Path,
    to: &dyn FileSystem,
    target: &Path,
    delete_source: bool,
) -> Result<()> {
    let target = if to.is_dir(target)? { target.child(source.name()) } else { target.clone() };
    let status = from.status(source)?;
    if status.is_dir {
        if from.root() == to.root() && to.qualify(&target).starts_with(&from.qualify(source)) {
            // Else it would copy itself into itself without end.
            return Err(StorageError::AlreadyExists { path: target });
        }
        to.mkdirs(&target, None)?;
        for inner in from.list(source)? {
            copy(from, &inner.path, to, &target.child(inner.path.name()), delete_source)?;
        }
    } else {
        copy_file(from, source, to, &target)?;
    }
    if delete_source {
        from.delete(source, true)?;
    }
    Ok(())
}

fn copy_file(from: &dyn FileSystem, source: &Path, to: &dyn FileSystem, target: &Path) -> Result<()> {
    let mut input = from.open(source)?;
    let mut output = to.create(target, CreateOptions::OVERWRITE)?;
    let copied = io::copy(&mut input, &mut output).and_then(|_| output.close());
    copied.map_err(|error| StorageError::from_io(target, "copy", error))
}

/// The order in which parts of a job's output are read: `part-00000` before `part-00001`, and hidden files never.
pub fn merge_order_by_name(mut files: Vec<FileStatus>) -> Vec<FileStatus> {
    files.retain(|file| !file.is_dir && !file.path.name().starts_with(['_', '.']));
    files.sort_by(|a, b| a.path.name().cmp(b.path.name()));
    files
}
