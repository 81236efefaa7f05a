//! Comparing what two clusters wrote.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use hadoop_io::{Codec, sequence_file};

/// The `part-*` files of an output directory, by name.
pub fn part_files(dir: &Path) -> BTreeMap<String, PathBuf> {
    let listing = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    listing
        .map(|entry| entry.expect("a directory entry").path())
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            name.starts_with("part-").then_some((name, path))
        })
        .collect()
}

/// Fails unless both directories hold the same part files with the same bytes, after decompression where the names say
/// that they are compressed.
pub fn same_text(expected: &Path, actual: &Path) {
    let (expected, actual) = (part_files(expected), part_files(actual));
    assert!(!expected.is_empty(), "no part files to compare with");
    assert_eq!(expected.keys().collect::<Vec<_>>(), actual.keys().collect::<Vec<_>>());
    for (name, path) in &expected {
        let (left, right) = (read_text(path), read_text(&actual[name]));
        assert!(left == right, "{name} differs: {} bytes and {} bytes", left.len(), right.len());
    }
}

fn read_text(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Some(codec) = Codec::of_file(&path.to_string_lossy()) else { return bytes };
    let mut text = Vec::new();
    codec.reader(&bytes[..]).read_to_end(&mut text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

/// Fails unless both directories hold SequenceFiles with the same header, but for the random sync mark, and the same
/// records in the same order.
pub fn same_sequence_files(expected: &Path, actual: &Path) {
    let (expected, actual) = (part_files(expected), part_files(actual));
    assert!(!expected.is_empty(), "no part files to compare with");
    assert_eq!(expected.keys().collect::<Vec<_>>(), actual.keys().collect::<Vec<_>>());
    for (name, path) in &expected {
        let (left, right) = (read_sequence_file(path), read_sequence_file(&actual[name]));
        assert_eq!(left.0, right.0, "the header of {name}");
        assert!(left.1 == right.1, "{name}: {} and {} records, which differ", left.1.len(), right.1.len());
    }
}

type Records = Vec<(Vec<u8>, Vec<u8>)>;

fn read_sequence_file(path: &Path) -> (String, Records) {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let len = file.metadata().unwrap_or_else(|error| panic!("{}: {error}", path.display())).len();
    let mut reader = sequence_file::Reader::new(std::io::BufReader::new(file), len)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // The sync mark is random and stands beside the header, not in it.
    let header = format!("{:?}", reader.header());
    let mut records = Vec::new();
    let (mut key, mut value) = (Vec::new(), Vec::new());
    while reader.next(&mut key, &mut value).unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
        records.push((key.clone(), value.clone()));
    }
    (header, records)
}
