//! A class path whose jars come first: Java makes archives for such only, since folders may change.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The most files of folders on the class path that are compared with the jars' entries.
const FILES_MAX: usize = 4096;

/// The jars of a class path, and what else there is on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sorted {
    /// In their order.
    pub(super) jars: Vec<String>,
    /// In their order.
    pub(super) others: Vec<String>,
}

impl Sorted {
    /// Jars, then the rest.
    pub(super) fn all(&self) -> Vec<String> {
        self.jars.iter().chain(&self.others).cloned().collect()
    }
}

/// Puts the jars first, if that changes nothing: no folder may hold a file that a jar has too, since the first one wins.
pub(super) fn sort(class_path: &[String]) -> Option<Sorted> {
    let (jars, others): (Vec<_>, Vec<_>) = class_path.iter().cloned().partition(|entry| is_jar(entry));
    if jars.is_empty() {
        return None;
    }
    let mut files = HashSet::new();
    for entry in &others {
        collect(Path::new(entry), "", &mut files)?;
    }
    let clash = !files.is_empty() && jars.iter().any(|jar| holds_any(jar, &files));
    (!clash).then_some(Sorted { jars, others })
}

fn is_jar(entry: &str) -> bool {
    let path = Path::new(entry);
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jar")) && path.is_file()
}

fn collect(dir: &Path, prefix: &str, files: &mut HashSet<String>) -> Option<()> {
    // What is not there holds nothing; nor does what cannot be read, for Java either.
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_str()?);
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name);
        }
        if files.len() > FILES_MAX {
            return None;
        }
    }
    Some(())
}

/// A jar that cannot be read holds nothing for Java either.
fn holds_any(jar: &str, files: &HashSet<String>) -> bool {
    let Ok(file) = fs::File::open(jar) else { return false };
    let Ok(zip) = zip::ZipArchive::new(std::io::BufReader::new(file)) else { return false };
    zip.file_names().any(|name| files.contains(name))
}
