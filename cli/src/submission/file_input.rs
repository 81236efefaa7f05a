//! Input files and their splits (Hadoop 1.2.1: mapred.FileInputFormat, mapreduce.lib.input.FileInputFormat).

use std::sync::Arc;

use configuration::{Configuration, keys};
use hadoop_io::Codec;
use storage::{BlockLocation, FileStatus, FileSystem, Path};
use wire::splits::FileSplit;

use super::inputs::InputSplit;
use crate::console::Console;
use crate::error::CliError;
use crate::session::Session;

/// A file's last split may be larger than the others by this part.
const SPLIT_SLOP: f64 = 1.1;
/// SequenceFiles are not cut finer than their sync marks stand.
const SEQUENCE_FILE_MIN: u64 = 2000;
/// The file of a MapFile that holds the records.
const MAP_FILE_DATA: &str = "data";

const INVALID_INPUT_OLD: &str = "org.apache.hadoop.mapred.InvalidInputException";
const INVALID_INPUT_NEW: &str = "org.apache.hadoop.mapreduce.lib.input.InvalidInputException";

/// A file and where it is.
struct InputFile {
    status: FileStatus,
    file_system: Arc<dyn FileSystem>,
}

/// The splits of the job's input files, in the order of the files.
pub(super) fn splits(
    session: &Session,
    conf: &mut Configuration,
    is_sequence_file: bool,
    new_api: bool,
    console: &mut Console<'_>,
) -> Result<Vec<InputSplit>, CliError> {
    let mut files = list(session, conf, new_api, console)?;
    for file in files.iter_mut().filter(|file| file.status.is_dir) {
        if !is_sequence_file {
            if new_api {
                continue; // The new interface finds out when the map opens it.
            }
            return Err(CliError::io(format!("Not a file: {}", file.status.path)));
        }
        file.status = file.file_system.status(&file.status.path.child(MAP_FILE_DATA))?;
    }
    conf.set_key(&keys::MAPREDUCE_INPUT_NUM_FILES, files.len());
    let min = if is_sequence_file { SEQUENCE_FILE_MIN } else { 1 };
    let sizes = if new_api { Sizes::of_new_api(conf, min)? } else { Sizes::of_old_api(conf, min, &files)? };
    let mut splits = Vec::new();
    for file in &files {
        let can_be_cut = is_sequence_file || can_be_cut(conf, file.status.path.name())?;
        cut(file, sizes, can_be_cut, new_api, &mut splits)?;
    }
    Ok(splits)
}

/// Between which sizes a split lies: the block's, but at most `max` and at least `min`.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    min: u64,
    max: u64,
}

impl Sizes {
    fn of_new_api(conf: &Configuration, format_min: u64) -> Result<Self, CliError> {
        let max = conf.get_optional(&keys::MAPRED_MAX_SPLIT_SIZE)?.unwrap_or(i64::MAX);
        Ok(Sizes { min: min_size(conf, format_min)?, max: u64::try_from(max).unwrap_or(0) })
    }

    /// The old interface aims at a number of maps.
    fn of_old_api(conf: &Configuration, format_min: u64, files: &[InputFile]) -> Result<Self, CliError> {
        let total: u64 = files.iter().map(|file| file.status.length).sum();
        let maps = u64::try_from(conf.get(&keys::MAPRED_MAP_TASKS)?).unwrap_or(0).max(1);
        Ok(Sizes { min: min_size(conf, format_min)?, max: total / maps })
    }

    fn of_block(self, block: u64) -> u64 {
        self.min.max(self.max.min(block))
    }
}

fn min_size(conf: &Configuration, format_min: u64) -> Result<u64, CliError> {
    Ok(u64::try_from(conf.get(&keys::MAPRED_MIN_SPLIT_SIZE)?).unwrap_or(0).max(format_min))
}

fn cut(
    file: &InputFile,
    sizes: Sizes,
    can_be_cut: bool,
    new_api: bool,
    splits: &mut Vec<InputSplit>,
) -> Result<(), CliError> {
    let FileStatus { path, length, block_size, .. } = &file.status;
    let blocks = file.file_system.block_locations(&file.status, 0, *length)?;
    let mut push = |start: u64, length: u64, hosts: Vec<String>| {
        let split = FileSplit { path: path.to_string(), start: start as i64, length: length as i64 };
        let stored = if new_api { split.store_new() } else { split.store_old() };
        splits.push(InputSplit { stored, hosts, length });
    };
    if *length == 0 || !can_be_cut {
        push(0, *length, hosts_at(&blocks, 0));
        return Ok(());
    }
    let size = sizes.of_block(*block_size);
    let mut left = *length;
    while left as f64 / size as f64 > SPLIT_SLOP {
        push(length - left, size, hosts_at(&blocks, length - left));
        left -= size;
    }
    if left > 0 {
        push(length - left, left, hosts_at(&blocks, length - left));
    }
    Ok(())
}

/// Hosts of the block in which a split starts.
fn hosts_at(blocks: &[BlockLocation], offset: u64) -> Vec<String> {
    let block = blocks.iter().find(|block| (block.offset..block.offset + block.length).contains(&offset));
    block.map(|block| block.hosts.clone()).unwrap_or_default()
}

/// Whether a text file of that name may be cut: compressed ones mostly may not.
fn can_be_cut(conf: &Configuration, name: &str) -> Result<bool, CliError> {
    let codecs = conf.get(&keys::IO_COMPRESSION_CODECS)?;
    let codec = Codec::of_file(name).filter(|codec| codecs.iter().any(|named| named.trim() == codec.class_name()));
    Ok(codec.is_none_or(Codec::is_splittable))
}

/// All input files; directories are looked into once.
fn list(
    session: &Session,
    conf: &Configuration,
    new_api: bool,
    console: &mut Console<'_>,
) -> Result<Vec<InputFile>, CliError> {
    let patterns = input_paths(&conf.text(keys::MAPRED_INPUT_DIR.name())?.unwrap_or_default());
    if patterns.is_empty() {
        return Err(CliError::io("No input paths specified in job"));
    }
    let accepts = path_filter(conf)?;
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for pattern in patterns {
        let pattern = Path::parse(&pattern)?;
        let file_system = session.storage.find(keys::MAPRED_INPUT_DIR.name(), &pattern)?;
        let pattern = file_system.qualify(&pattern);
        let Some(matches) = storage::glob(file_system.as_ref(), &pattern)? else {
            problems.push(format!("Input path does not exist: {pattern}"));
            continue;
        };
        let matches: Vec<FileStatus> = matches.into_iter().filter(|status| accepts(status.path.name())).collect();
        if matches.is_empty() {
            problems.push(format!("Input Pattern {pattern} matches 0 files"));
        }
        for found in matches {
            let inside = if found.is_dir { file_system.list(&found.path)? } else { vec![found.clone()] };
            let inside = inside.into_iter().filter(|status| !found.is_dir || accepts(status.path.name()));
            files.extend(inside.map(|status| InputFile { status, file_system: file_system.clone() }));
        }
    }
    if !problems.is_empty() {
        let class = if new_api { INVALID_INPUT_NEW } else { INVALID_INPUT_OLD };
        return Err(CliError::java(class, problems.join("\n")));
    }
    let logger = if new_api { "input.FileInputFormat" } else { "mapred.FileInputFormat" };
    console.info(logger, format_args!("Total input paths to process : {}", files.len()));
    Ok(files)
}

/// Which names count: hidden ones never, and none that the job's own filter refuses.
fn path_filter(conf: &Configuration) -> Result<impl Fn(&str) -> bool + use<>, CliError> {
    let mut refused: &[&str] = &[];
    if let Some(class) = conf.get_optional(&keys::MAPRED_INPUT_PATH_FILTER_CLASS)? {
        // Names that begin with an underscore are hidden anyhow, so that both of Hadoop's own filters add nothing.
        refused = match twins::PathFilter::of_class(&class, twins::Api::Old) {
            Some(twins::PathFilter::NoLogs) => &["_logs"],
            Some(twins::PathFilter::OutputFiles) => &["_logs", "_SUCCESS"],
            None => {
                let key = keys::MAPRED_INPUT_PATH_FILTER_CLASS.name();
                return Err(CliError::ForeignPathFilter { class, key });
            }
        };
    }
    Ok(move |name: &str| !name.starts_with(['_', '.']) && !refused.contains(&name))
}

/// Takes a list of paths apart at commas that no backslash escapes (Hadoop 1.2.1: StringUtils.split).
fn input_paths(list: &str) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut chars = list.chars();
    while let Some(c) = chars.next() {
        let last = paths.len() - 1;
        match c {
            '\\' => paths[last].extend(chars.next()),
            ',' => paths.push(String::new()),
            c => paths[last].push(c),
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}

/// Adds input paths, which commas part, to a job of the old interface; each is seen from the working directory.
pub(crate) fn add_old_input(session: &Session, conf: &mut Configuration, paths: &str) -> Result<(), CliError> {
    let file_system = session.storage.default_file_system();
    let working_directory = file_system.working_directory();
    for path in split_at_commas(paths) {
        let path = working_directory.resolve(&Path::parse(&path)?);
        add_input(conf, &path)?;
    }
    Ok(())
}

/// Adds one input path to a job of the new interface.
pub(crate) fn add_new_input(session: &Session, conf: &mut Configuration, path: &str) -> Result<(), CliError> {
    let path = Path::parse(path)?;
    let path = session.storage.find(keys::MAPRED_INPUT_DIR.name(), &path)?.qualify(&path);
    add_input(conf, &path)
}

fn add_input(conf: &mut Configuration, path: &Path) -> Result<(), CliError> {
    let escaped = path.to_string().replace('\\', "\\\\").replace(',', "\\,");
    let list = match conf.text(keys::MAPRED_INPUT_DIR.name())? {
        Some(list) => format!("{list},{escaped}"),
        None => escaped,
    };
    conf.set_key(&keys::MAPRED_INPUT_DIR, list);
    Ok(())
}

/// Takes a list apart at commas that stand in no braces (Hadoop 1.2.1: FileInputFormat.getPathStrings).
fn split_at_commas(list: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut parts = vec![String::new()];
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => (),
        }
        let last = parts.len() - 1;
        parts[last].push(c);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_paths_come_apart_where_hadoop_takes_them_apart() {
        assert_eq!(input_paths("a,b\\,c,d\\\\e,,"), ["a", "b,c", "d\\e"]);
        assert_eq!(split_at_commas("a,{b,c}/d,e"), ["a", "{b,c}/d", "e"]);
    }

    #[test]
    fn sizes_follow_block_goal_and_minimum() {
        let block = 32 << 20;
        assert_eq!(Sizes { min: 1, max: i64::MAX as u64 }.of_block(block), block);
        assert_eq!(Sizes { min: 1, max: 100 }.of_block(block), 100);
        assert_eq!(Sizes { min: 2000, max: 100 }.of_block(block), 2000);
    }
}
