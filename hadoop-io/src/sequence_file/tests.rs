//! Against the files that Hadoop wrote, and there and back.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

const NONE: &[u8] = include_bytes!("../../tests/data/seq-none.bin");
const RECORD: &[u8] = include_bytes!("../../tests/data/seq-record.bin");
const BLOCK: &[u8] = include_bytes!("../../tests/data/seq-block.bin");

type Records = Vec<(Vec<u8>, Vec<u8>)>;

fn open(bytes: &[u8]) -> Reader<Cursor<Vec<u8>>> {
    Reader::new(Cursor::new(bytes.to_vec()), bytes.len() as u64).unwrap()
}

fn records(bytes: &[u8]) -> Result<Records> {
    let mut reader = Reader::new(Cursor::new(bytes.to_vec()), bytes.len() as u64)?;
    let (mut key, mut value, mut records) = (Vec::new(), Vec::new(), Vec::new());
    while reader.next(&mut key, &mut value)? {
        records.push((key.clone(), value.clone()));
    }
    Ok(records)
}

fn expected() -> Records {
    let record = |number: u64| {
        let mut value = DataOutput::new();
        value.text(&format!("value number {number} padded with some text so that a sync mark is written"));
        (number.to_be_bytes().to_vec(), value.into_bytes())
    };
    (0..60).map(record).collect()
}

#[test]
fn reads_what_hadoop_wrote() {
    for (bytes, compression) in [
        (NONE, Compression::None),
        (RECORD, Compression::Record(Codec::Default)),
        (BLOCK, Compression::Block(Codec::Default)),
    ] {
        let header = open(bytes).header().clone();
        assert_eq!(header.key_class, "org.apache.hadoop.io.LongWritable");
        assert_eq!(header.value_class, "org.apache.hadoop.io.Text");
        assert_eq!(header.compression, compression);
        assert_eq!(header.metadata, BTreeMap::from([("owner".to_owned(), "alice".to_owned())]));
        assert_eq!(records(bytes).unwrap(), expected());
    }
}

#[test]
fn writes_what_hadoop_wrote_where_nothing_is_compressed() {
    let reader = open(NONE);
    let mut writer = Writer::new(Vec::new(), reader.header(), *reader.sync_mark()).unwrap();
    for (key, value) in expected() {
        writer.append(&key, &value).unwrap();
    }
    assert_eq!(writer.written(), NONE.len() as u64);
    assert_eq!(writer.finish().unwrap(), NONE);
}

fn write(compression: Compression, block_size: usize, records: &Records) -> Vec<u8> {
    let header = Header { compression, ..open(NONE).header().clone() };
    let mut writer = Writer::new(Vec::new(), &header, random_sync()).unwrap().with_block_size(block_size);
    for (key, value) in records {
        writer.append(key, value).unwrap();
    }
    writer.finish().unwrap()
}

fn every_compression() -> impl Iterator<Item = Compression> {
    let packed = Codec::ALL.into_iter().flat_map(|codec| [Compression::Record(codec), Compression::Block(codec)]);
    std::iter::once(Compression::None).chain(packed)
}

#[test]
fn reads_what_it_wrote() {
    for compression in every_compression() {
        assert_eq!(records(&write(compression, 1500, &expected())).unwrap(), expected(), "{compression:?}");
        assert_eq!(records(&write(compression, 1500, &Vec::new())).unwrap(), [], "{compression:?}");
        let empty = vec![(Vec::new(), Vec::new()); 3];
        assert_eq!(records(&write(compression, 1500, &empty)).unwrap(), empty, "{compression:?}");
    }
}

/// Each record belongs to exactly one split, wherever the splits are cut.
#[test]
fn splits_share_out_the_records() {
    let codecs = [None, Some(Codec::Default), Some(Codec::Snappy)];
    for compression in every_compression().filter(|compression| codecs.contains(&compression.codec())) {
        let bytes = write(compression, 700, &expected());
        for split_len in [1usize, 19, 20, 100, 333, 2000, 5000, bytes.len()] {
            let mut found = Vec::new();
            for start in (0..bytes.len()).step_by(split_len) {
                found.extend(split(&bytes, start as u64, (start + split_len) as u64));
            }
            assert_eq!(found, expected(), "{compression:?} in splits of {split_len}");
        }
    }
}

/// Hadoop 1.2.1: mapred.SequenceFileRecordReader.
fn split(bytes: &[u8], start: u64, end: u64) -> Records {
    let mut reader = open(bytes);
    if start > reader.position() {
        reader.sync(start).unwrap();
    }
    let (mut key, mut value, mut records) = (Vec::new(), Vec::new(), Vec::new());
    let mut more = reader.position().max(start) < end;
    while more {
        let position = reader.position();
        more = reader.next(&mut key, &mut value).unwrap() && !(position >= end && reader.sync_seen());
        if more {
            records.push((key.clone(), value.clone()));
        }
    }
    records
}

#[test]
fn cut_and_damaged_files_do_no_harm() {
    for bytes in [NONE, RECORD, BLOCK] {
        for len in (0..bytes.len()).step_by(7) {
            let _ = records(&bytes[..len]);
        }
        for at in (0..bytes.len()).step_by(5) {
            let mut bad = bytes.to_vec();
            bad[at] ^= 0xff;
            let _ = records(&bad);
        }
    }
    assert!(records(b"SEQ\x07").is_err());
    assert!(records(b"not a sequence file").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn damaged_files_end(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        position in any::<prop::sample::Index>(),
    ) {
        let few: Records = expected().into_iter().take(12).collect();
        for compression in every_compression() {
            let mut bytes = write(compression, 300, &few);
            for (at, value) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            bytes.truncate(bytes.len() - cut.index(bytes.len()) / 4);
            if let Ok(mut reader) = Reader::new(Cursor::new(bytes.clone()), bytes.len() as u64) {
                let (mut key, mut value) = (Vec::new(), Vec::new());
                let _ = reader.sync(position.index(bytes.len()) as u64);
                let mut found = 0;
                while reader.next(&mut key, &mut value).unwrap_or(false) {
                    found += 1;
                    prop_assert!(key.len() + value.len() < 1 << 20);
                    prop_assert!(found <= bytes.len(), "more records than bytes");
                }
            }
        }
    }
}
