//! Whether the files of a job's input are such as the native child reads: what the configuration cannot tell.
//!
//! Looks into the headers of the first SequenceFiles that the splits name. What cannot be read here is left to the child,
//! which tells the user.

use std::io::Read;

use configuration::{Configuration, keys};
use hadoop_io::{FormatError, sequence_file};
use wire::splits;

use super::Localizer;

/// How much of the file of splits is looked at.
const SPLITS_LEN_MAX: u64 = 4 << 20;

/// How many headers are read: a job's files are mostly of one make.
const HEADERS_MAX: usize = 16;

/// Why the job needs Java's child, if it does.
pub(super) fn needs_java(localizer: &Localizer, conf: &Configuration) -> Option<String> {
    if !twins::reads_sequence_files(&|name: &str| conf.text(name).ok().flatten()) {
        return None;
    }
    input_files(localizer, conf)?.iter().take(HEADERS_MAX).find_map(|file| strange_header(localizer, file))
}

fn input_files(localizer: &Localizer, conf: &Configuration) -> Option<Vec<String>> {
    let dir = conf.get_optional(&keys::MAPREDUCE_JOB_DIR).ok().flatten()?;
    let path = storage::Path::parse(&dir).ok()?.child(SPLIT_FILE);
    let file = localizer.storage.for_path(&path).and_then(|system| system.open(&path)).ok()?;
    let mut bytes = Vec::new();
    file.take(SPLITS_LEN_MAX).read_to_end(&mut bytes).ok()?;
    splits::first_files(&bytes).ok()
}

/// Hadoop 1.2.1: JobSubmissionFiles.getJobSplitFile.
const SPLIT_FILE: &str = "job.split";

/// A codec without a twin, or a version that only Java reads.
fn strange_header(localizer: &Localizer, file: &str) -> Option<String> {
    let path = storage::Path::parse(file).ok()?;
    let source = localizer.storage.for_path(&path).and_then(|system| system.open(&path)).ok()?;
    match sequence_file::Reader::new(source, 0) {
        Err(error @ (FormatError::UnknownCodec(_) | FormatError::WrongFormat { .. })) => {
            Some(format!("{file}: {error}"))
        }
        _ => None,
    }
}
