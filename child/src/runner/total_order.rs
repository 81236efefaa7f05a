//! Partitions that are ranges of keys, cut at points that a SequenceFile lists.
//!
//! Hadoop 1.2.1: mapred.lib.TotalOrderPartitioner and examples.terasort.TeraSort.TotalOrderPartitioner, whose tries are
//! walked here without being built.

use std::cmp::Ordering;

use configuration::keys;
use hadoop_io::sequence_file::Reader;
use storage::Path;
use twins::{DataType, Plan};

use super::data;
use crate::api::{Partitioner, Result, TaskContext, TaskError};

/// The name of the list where the job does not say another: a link in the task's directory, made by the cache.
const DEFAULT_LIST: &str = "_partition.lst";
/// The most cut points that are read.
const POINTS_MAX: usize = 1 << 20;

/// Cut points of mapred.lib.TotalOrderPartitioner.
pub(super) struct TotalOrder {
    key: DataType,
    points: Vec<Vec<u8>>,
    /// Keys of bytes go through the trie of this depth.
    trie_depth: Option<usize>,
}

impl TotalOrder {
    pub(super) fn new(plan: &Plan, ctx: &TaskContext) -> Result<Self> {
        let key = plan.map_output_key;
        let list = ctx.conf.get(&keys::TOTAL_ORDER_PARTITIONER_PATH)?;
        let path = if list == DEFAULT_LIST { local_list(ctx)? } else { from_working_directory(&list, ctx)? };
        let points = read_points(&path, key, ctx)?;
        let reduces = ctx.conf.get_or(&keys::MAPRED_REDUCE_TASKS, 1);
        if points.len() as i64 != i64::from(reduces) - 1 {
            return Err(unreadable("Wrong number of partitions in keyset"));
        }
        if points.windows(2).any(|pair| data::compare_values(key, &pair[0], &pair[1]) != Ordering::Less) {
            return Err(unreadable("Split points are out of order"));
        }
        let natural = ctx.conf.get_or(&keys::TOTAL_ORDER_PARTITIONER_NATURAL_ORDER, true);
        let depth = ctx.conf.get_or(&keys::TOTAL_ORDER_PARTITIONER_MAX_TRIE_DEPTH, 2);
        let bytes = matches!(key, DataType::Text | DataType::Bytes | DataType::TypedBytes);
        let trie_depth = (natural && bytes).then(|| usize::try_from(depth).unwrap_or(0));
        let points = match trie_depth {
            Some(_) => points.iter().map(|point| body(key, point).to_vec()).collect(),
            None => points,
        };
        Ok(TotalOrder { key, points, trie_depth })
    }

    /// How many of `points` come before a key or are equal to it.
    fn search(&self, key: &[u8]) -> usize {
        self.points.partition_point(|point| data::compare_values(self.key, point, key) != Ordering::Greater)
    }
}

impl Partitioner for TotalOrder {
    fn partition(&self, key: &[u8], _value: &[u8], _partitions: u32) -> i32 {
        let found = match self.trie_depth {
            Some(depth) => walk(&self.points, body(self.key, key), depth),
            None => self.search(key),
        };
        found as i32
    }
}

fn body(kind: DataType, serialized: &[u8]) -> &[u8] {
    match kind {
        DataType::Text => data::body_after_vint(serialized),
        _ => serialized.get(4..).unwrap_or_default(),
    }
}

/// Goes down the trie that TotalOrderPartitioner.buildTrie would build.
fn walk(points: &[Vec<u8>], key: &[u8], depth_max: usize) -> usize {
    let (mut lower, mut upper, mut prefix) = (0, points.len(), Vec::new());
    while prefix.len() < depth_max && lower != upper {
        let byte = key.get(prefix.len()).copied().unwrap_or(0);
        let from = |prefix: &[u8], byte: u8| {
            let bound = [prefix, &[byte]].concat();
            lower + points[lower..upper].partition_point(|point| *point < bound)
        };
        let start = if byte == 0 { lower } else { from(&prefix, byte) };
        let end = if byte == 255 { upper } else { from(&prefix, byte + 1) };
        (lower, upper) = (start, end);
        // Quirk: what is below byte 255 is cut as if it were below byte 127.
        prefix.push(if byte == 255 { 127 } else { byte });
    }
    lower + points[lower..upper].partition_point(|point| point[..] <= *key)
}

/// Cut points of TeraSort's own partitioner: a key that equals a point goes before it.
pub(super) struct TeraSort {
    points: Vec<Vec<u8>>,
}

impl TeraSort {
    pub(super) fn new(ctx: &TaskContext) -> Result<Self> {
        let points = read_points(&local_list(ctx)?, DataType::Text, ctx)?;
        Ok(TeraSort { points: points.iter().map(|point| data::body_after_vint(point).to_vec()).collect() })
    }

    /// Quirk: Java's trie has no branch for a byte over 127 at a place where it still branches.
    fn has_branch(&self, key: &[u8]) -> bool {
        let ascii = |at: usize| key.get(at).is_none_or(u8::is_ascii);
        let below = |byte: u8| self.points.iter().any(|point| point.first() == Some(&byte));
        self.points.is_empty() || (ascii(0) && (key.is_empty() || ascii(1) || !below(key[0])))
    }
}

impl Partitioner for TeraSort {
    fn partition(&self, key: &[u8], _value: &[u8], _partitions: u32) -> i32 {
        let key = data::body_after_vint(key);
        if !self.has_branch(key) {
            return -1;
        }
        self.points.partition_point(|point| point[..] < *key) as i32
    }
}

/// The list as Java's local file system finds it, which looks from the job's working directory if the default file
/// system is local; else the cache's link.
fn local_list(ctx: &TaskContext) -> Result<Path> {
    let in_job = from_working_directory(DEFAULT_LIST, ctx)?;
    if ctx.storage.for_path(&in_job)?.exists(&in_job)? {
        return Ok(in_job);
    }
    Ok(Path::local(ctx.work_dir.join(DEFAULT_LIST)))
}

/// A path as the job's file system sees it (Hadoop 1.2.1: JobConf.getWorkingDirectory).
pub(super) fn from_working_directory(path: &str, ctx: &TaskContext) -> Result<Path> {
    let path = Path::parse(path)?;
    match ctx.conf.get_optional(&keys::MAPRED_WORKING_DIR)? {
        Some(directory) => Ok(Path::parse(&directory)?.resolve(&path)),
        None => Ok(ctx.storage.qualify(&path)?),
    }
}

fn read_points(path: &Path, key: DataType, ctx: &TaskContext) -> Result<Vec<Vec<u8>>> {
    let file_system = ctx.storage.for_path(path)?;
    let len = file_system.status(path)?.length;
    let broken = |error: hadoop_io::FormatError| unreadable(&format!("{path}: {error}"));
    let mut reader = Reader::new(file_system.open(path)?, len).map_err(broken)?;
    let found = reader.header().key_class.clone();
    if found != key.class_name() {
        return Err(unreadable(&format!("wrong key class: {} is not class {found}", key.class_name())));
    }
    let (mut points, mut point, mut value) = (Vec::new(), Vec::new(), Vec::new());
    while reader.next(&mut point, &mut value).map_err(broken)? {
        if points.len() == POINTS_MAX {
            return Err(unreadable(&format!("{path} lists more than {POINTS_MAX} cut points")));
        }
        data::check(key, &point).map_err(|error| unreadable(&format!("{path}: {error}")))?;
        points.push(std::mem::take(&mut point));
    }
    Ok(points)
}

fn unreadable(why: &str) -> TaskError {
    TaskError::Failed {
        exception: "java.lang.IllegalArgumentException",
        message: format!("Can't read partitions file: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[&[u8]]) -> Vec<Vec<u8>> {
        points.iter().map(|point| point.to_vec()).collect()
    }

    #[test]
    fn the_trie_finds_what_a_search_finds() {
        let points = points(&[b"aa", b"ab", b"b", b"bcd", b"n\xc3\xa9", b"z"]);
        for key in
            [&b""[..], b"a", b"aa", b"aaz", b"ab", b"abz", b"b", b"bc", b"bcd", b"bcda", b"n\xc3\xa9", b"zz", b"~"]
        {
            let plain = points.partition_point(|point| point[..] <= *key);
            for depth in 0..4 {
                assert_eq!(walk(&points, key, depth), plain, "{key:?} at depth {depth}");
            }
        }
    }

    #[test]
    fn terasort_sends_a_cut_point_before_its_cut_and_has_no_branch_for_high_bytes() {
        let tera = TeraSort { points: points(&[b"ab", b"b"]) };
        let partition = |key: &[u8]| {
            let mut text = Vec::new();
            data::put_text(&mut text, key);
            tera.partition(&text, &[], 3)
        };
        assert_eq!([partition(b"ab"), partition(b"abc"), partition(b"b"), partition(b"c")], [0, 1, 1, 2]);
        assert_eq!([partition(b"\xc3\xa9"), partition(b"a\xc3"), partition(b"c\xc3")], [-1, -1, 2]);
    }
}
