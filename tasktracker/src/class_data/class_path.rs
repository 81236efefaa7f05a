//! A class path whose jars come first: Java makes archives for such only, since folders may change.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The most files of folders on the class path that are compared with the jars' entries.
const FILES_MAX: usize = 4096;
/// The most bytes of such files that are put into a jar of their own.
const FIRST_BYTES_MAX: u64 = 8 << 20;

/// The jars of a class path, and what else there is on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sorted {
    /// In their order.
    pub(super) jars: Vec<String>,
    /// In their order.
    pub(super) others: Vec<String>,
    /// Files of folders, by their names on the class path, that a jar behind the folder has too: a configuration's
    /// `log4j.properties`, as a rule. They must be found first all the same, so they go into a jar before all others.
    pub(super) first: BTreeMap<String, PathBuf>,
}

impl Sorted {
    /// Jars, then the rest.
    pub(super) fn all(&self) -> Vec<String> {
        self.jars.iter().chain(&self.others).cloned().collect()
    }
}

/// Puts the jars first, so that everything is still found where it was; nothing if that cannot be.
pub(super) fn sort(class_path: &[String]) -> Option<Sorted> {
    let mut sorted = Sorted { jars: Vec::new(), others: Vec::new(), first: BTreeMap::new() };
    // Files of folders that no jar so far has.
    let mut open: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut in_jars = HashSet::new();
    for entry in class_path {
        if is_jar(entry) {
            for name in names_of(entry) {
                if let Some(file) = open.remove(&name) {
                    sorted.first.insert(name.clone(), file);
                }
                in_jars.insert(name);
            }
            sorted.jars.push(entry.clone());
        } else {
            let mut files = BTreeMap::new();
            collect(Path::new(entry), "", &mut files)?;
            for (name, file) in files {
                if !in_jars.contains(&name) {
                    open.entry(name).or_insert(file);
                }
            }
            sorted.others.push(entry.clone());
        }
    }
    let bytes: u64 =
        sorted.first.values().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len()).sum();
    (!sorted.jars.is_empty() && bytes <= FIRST_BYTES_MAX).then_some(sorted)
}

/// Writes the jar of the files that must be found first.
pub(super) fn write_first(files: &BTreeMap<String, PathBuf>, jar: &Path) -> io::Result<()> {
    let beside = jar.with_extension("making");
    let mut writer = zip::ZipWriter::new(File::create(&beside)?);
    for (name, file) in files {
        writer.start_file(name.as_str(), zip::write::SimpleFileOptions::default())?;
        writer.write_all(&fs::read(file)?)?;
    }
    writer.finish()?;
    fs::rename(&beside, jar)
}

fn is_jar(entry: &str) -> bool {
    let path = Path::new(entry);
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jar")) && path.is_file()
}

fn collect(dir: &Path, prefix: &str, files: &mut BTreeMap<String, PathBuf>) -> Option<()> {
    // What is not there holds nothing; nor does what cannot be read, for Java either.
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_str()?);
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, entry.path());
        }
        if files.len() > FILES_MAX {
            return None;
        }
    }
    Some(())
}

/// The files of a jar; one that cannot be read holds nothing for Java either.
fn names_of(jar: &str) -> Vec<String> {
    let Ok(file) = File::open(jar) else { return Vec::new() };
    let Ok(zip) = zip::ZipArchive::new(io::BufReader::new(file)) else { return Vec::new() };
    zip.file_names().map(str::to_owned).collect()
}
