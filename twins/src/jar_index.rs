//! Builds a [`ClassIndex`] from the jars of a localized job.
//!
//! The only I/O of this crate. A jar that cannot be read, or that is larger than the bounds below, makes the whole
//! index say so, and the job runs in Java.

use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::ClassIndex;

/// The most entries that a jar is searched for.
const ENTRIES_MAX: usize = 200_000;
/// The largest class whose digest is taken: Hadoop's own are under 64 KiB.
const CLASS_BYTES_MAX: u64 = 1 << 20;
/// The largest jar inside a jar that is looked into.
const NESTED_BYTES_MAX: u64 = 128 << 20;

/// Looks into every jar, zip or class directory of `paths`.
pub fn index(paths: &[PathBuf]) -> ClassIndex {
    let mut index = ClassIndex::new();
    for path in paths {
        add(&mut index, path);
    }
    index
}

/// Looks into one jar, zip or class directory.
pub fn add(index: &mut ClassIndex, path: &Path) {
    let name = path.display().to_string();
    let outcome = if path.is_dir() { add_directory(index, &name, path, path) } else { add_file(index, &name, path) };
    if let Err(why) = outcome {
        index.add_unreadable(&name, &why);
    }
}

fn add_file(index: &mut ClassIndex, name: &str, path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    add_zip(index, name, std::io::BufReader::new(file), true)
}

fn add_zip(index: &mut ClassIndex, name: &str, source: impl Read + Seek, with_nested: bool) -> Result<(), String> {
    let mut zip = zip::ZipArchive::new(source).map_err(|e| e.to_string())?;
    if zip.len() > ENTRIES_MAX {
        return Err(format!("{} entries; at most {ENTRIES_MAX} are searched", zip.len()));
    }
    for at in 0..zip.len() {
        let entry_name = zip.name_for_index(at).unwrap_or_default().to_owned();
        if let Some(class) = class_of_entry(&entry_name) {
            let digest = if ClassIndex::wants_digest(&class) { Some(digest_of(&mut zip, at)?) } else { None };
            index.add(name, &class, digest);
        } else if with_nested && is_nested_jar(&entry_name) {
            let bytes = read_entry(&mut zip, at, NESTED_BYTES_MAX)?;
            add_zip(index, &format!("{name}!/{entry_name}"), Cursor::new(bytes), false)?;
        }
    }
    Ok(())
}

fn add_directory(index: &mut ClassIndex, name: &str, root: &Path, directory: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(directory).map_err(|e| e.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|e| e.to_string())?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(|e| e.to_string())?);
        if kind.is_dir() {
            add_directory(index, name, root, &path)?;
            continue;
        }
        let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        if let Some(class) = class_of_entry(&relative) {
            let digest = if ClassIndex::wants_digest(&class) {
                let mut bytes = Vec::new();
                let file = File::open(&path).map_err(|e| e.to_string())?;
                file.take(CLASS_BYTES_MAX).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
                Some(Sha256::digest(&bytes).into())
            } else {
                None
            };
            index.add(name, &class, digest);
        } else if is_nested_jar(&relative) {
            add_file(index, &path.display().to_string(), &path)?;
        }
    }
    Ok(())
}

/// `a/b/C$D.class` is `a.b.C$D`; a TaskTracker also puts `classes/` of the job jar on the class path.
fn class_of_entry(entry: &str) -> Option<String> {
    let path = entry.strip_suffix(".class")?;
    let path = path.strip_prefix("classes/").unwrap_or(path);
    Some(path.trim_start_matches('/').replace('/', "."))
}

/// A TaskTracker puts `lib/*` of the job jar on the class path.
fn is_nested_jar(entry: &str) -> bool {
    entry
        .strip_prefix("lib/")
        .is_some_and(|name| !name.contains('/') && (name.ends_with(".jar") || name.ends_with(".zip")))
}

fn digest_of<R: Read + Seek>(zip: &mut zip::ZipArchive<R>, at: usize) -> Result<[u8; 32], String> {
    Ok(Sha256::digest(read_entry(zip, at, CLASS_BYTES_MAX)?).into())
}

fn read_entry<R: Read + Seek>(zip: &mut zip::ZipArchive<R>, at: usize, max: u64) -> Result<Vec<u8>, String> {
    let entry = zip.by_index(at).map_err(|e| e.to_string())?;
    let name = entry.name().to_owned();
    let mut bytes = Vec::new();
    entry.take(max + 1).read_to_end(&mut bytes).map_err(|e| format!("{name}: {e}"))?;
    if bytes.len() as u64 > max {
        return Err(format!("{name} is larger than {max} bytes"));
    }
    Ok(bytes)
}
