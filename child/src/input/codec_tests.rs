//! Compressed text: bzip2 by splits against what Hadoop's reader finds, and files that are cut or damaged.

use std::sync::Arc;

use configuration::{Configuration, keys};
use hadoop_io::Codec;
use hadoop_io::sequence_file::{Compression, Header, Writer as SequenceWriter};
use storage::{LocalFileSystem, Path, Storage};

use super::lines::Lines;
use super::sequence::Records;
use crate::api::{FileSplit, RecordReader, Reporter, Result, TaskContext};

const BLOCKS: &[u8] = include_bytes!("../../../hadoop-io/tests/data/blocks.bz2");

fn context(pairs: &[(&str, &str)]) -> TaskContext {
    let mut conf = Configuration::new();
    let codecs: Vec<&str> = Codec::ALL.iter().map(|codec| codec.class_name()).collect();
    conf.set_key(&keys::IO_COMPRESSION_CODECS, codecs.join(","));
    pairs.iter().for_each(|(name, value)| conf.set(*name, *value));
    TaskContext {
        conf: Arc::new(conf),
        storage: Arc::new(Storage::local(LocalFileSystem::new())),
        attempt: "attempt_202612010000_0001_m_000000_0".parse().unwrap(),
        partition: 0,
        secret: Arc::from(&b""[..]),
        work_dir: std::env::temp_dir(),
        output_dir: None,
        reporter: Reporter::new(),
    }
}

struct TextFile {
    directory: tempfile::TempDir,
    name: String,
    len: u64,
}

impl TextFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(name), bytes).unwrap();
        TextFile { directory, name: name.to_owned(), len: bytes.len() as u64 }
    }

    fn open(&self, start: u64, length: u64, new_api: bool) -> Result<Lines> {
        let path = Path::local(self.directory.path().join(&self.name));
        Lines::open(&FileSplit { path, start, length }, new_api, &context(&[]))
    }

    fn read(&self, start: u64, length: u64, new_api: bool) -> Result<Found> {
        let mut lines = self.open(start, length, new_api)?;
        let mut found = Found { count: 0, first: -1, last: -1, text: Vec::new(), position: 0 };
        let (mut key, mut value) = (Vec::new(), Vec::new());
        while lines.next(&mut key, &mut value)? {
            found.last = i64::from_be_bytes(key[..].try_into().unwrap());
            if found.count == 0 {
                found.first = found.last;
            }
            found.count += 1;
            found.text.extend_from_slice(lines.line());
            found.text.push(b'\n');
        }
        found.position = lines.position();
        Ok(found)
    }
}

#[derive(Debug)]
struct Found {
    count: u64,
    first: i64,
    last: i64,
    text: Vec<u8>,
    position: u64,
}

#[test]
fn splits_of_bzip2_files_give_the_lines_that_hadoops_give() {
    let file = TextFile::new("blocks.bz2", BLOCKS);
    let cases = include_str!("bzip2_cases.tsv").lines().filter(|line| !line.starts_with('#'));
    for (number, case) in cases.enumerate() {
        let (start, rest) = case.split_once('\t').unwrap();
        let (length, expected) = rest.split_once('\t').unwrap();
        let found = file.read(start.parse().unwrap(), length.parse().unwrap(), number % 2 == 1).unwrap();
        let Found { count, first, last, text, position } = found;
        let found = format!("{count}\t{first}\t{last}\t{:x}\t{position}", crc32fast::hash(&text));
        assert_eq!(found, expected, "{case}");
    }
}

/// Where Hadoop loses a block.
#[test]
fn a_split_that_ends_with_a_blocks_mark_loses_nothing() {
    let file = TextFile::new("blocks.bz2", BLOCKS);
    let whole = file.read(0, file.len, false).unwrap().text;
    for mark in [3266, 6661, 8429] {
        let (first, second) = (file.read(0, mark, false).unwrap(), file.read(mark, file.len - mark, false).unwrap());
        assert!([first.text, second.text].concat() == whole, "cut at {mark}");
    }
}

fn packed(codec: Codec, text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = codec.writer(Vec::new());
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_file_that_is_cut_fails_with_its_name_and_the_place() {
    let text: String = (0..2000).map(|n| format!("line {n} of {}\n", n * 7 % 31)).collect();
    for codec in Codec::ALL {
        let bytes = packed(codec, text.as_bytes());
        let name = format!("a{}", codec.extension());
        let file = TextFile::new(&name, &bytes);
        assert!(file.read(0, file.len, true).unwrap().text == text.as_bytes(), "{codec:?}");
        let cut = TextFile::new(&name, &bytes[..bytes.len() * 2 / 3]);
        let error = cut.read(0, cut.len, true).unwrap_err().to_string();
        assert!(error.contains(&name) && error.contains("near byte "), "{codec:?}: {error}");
    }
}

#[test]
fn a_sequence_file_that_is_cut_fails_with_its_name_and_the_place() {
    let class = "org.apache.hadoop.io.BytesWritable".to_owned();
    for codec in Codec::ALL {
        for compression in [Compression::Record(codec), Compression::Block(codec)] {
            let (key_class, value_class) = (class.clone(), class.clone());
            let header = Header { key_class, value_class, compression, metadata: Default::default() };
            let mut writer = SequenceWriter::new(Vec::new(), &header, [7; 16]).unwrap();
            for n in 0..50u32 {
                writer.append(&n.to_be_bytes(), &[n as u8; 100]).unwrap();
            }
            let bytes = writer.finish().unwrap();
            let cut = bytes.len() - 3;
            let file = TextFile::new("records", &bytes[..cut]);
            let path = Path::local(file.directory.path().join(&file.name));
            let split = FileSplit { path, start: 0, length: file.len };
            let mut records = Records::open(&split, &context(&[])).unwrap();
            let (mut key, mut value) = (Vec::new(), Vec::new());
            let error = loop {
                match records.next(&mut key, &mut value) {
                    Ok(true) => {}
                    Ok(false) => panic!("{compression:?}: no error"),
                    Err(error) => break error.to_string(),
                }
            };
            assert!(error.contains(&format!("records, before byte {cut}: ")), "{compression:?}: {error}");
        }
    }
}

#[test]
fn a_codec_that_the_job_does_not_list_is_no_codec() {
    let file = TextFile::new("a.gz", b"plain\n");
    let path = Path::local(file.directory.path().join(&file.name));
    let split = FileSplit { path, start: 0, length: file.len };
    let bzip2 = [(keys::IO_COMPRESSION_CODECS.name(), "org.apache.hadoop.io.compress.BZip2Codec")];
    let mut lines = Lines::open(&split, false, &context(&bzip2)).unwrap();
    assert_eq!(lines.next_line().unwrap(), Some(0));
    assert_eq!(lines.line(), b"plain");
    let strange = [(keys::IO_COMPRESSION_CODECS.name(), "my.Codec")];
    assert!(Lines::open(&split, false, &context(&strange)).is_err_and(|error| error.to_string().contains("my.Codec")));
}
