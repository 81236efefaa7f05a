//! Files that other crates than `wire` read and write: configuration, and records with their indexes.

use std::io::Cursor;

use configuration::Configuration;
use hadoop_io::spill_index::{self, IndexRecord};
use hadoop_io::{Codec, FormatError, ifile, sequence_file};

use super::{Recoded, vector_file};

/// How a file is read and written back.
type Recode = fn(&[u8]) -> Recoded;

/// Files whose records come back, but not their bytes, and why.
pub(super) const OTHER_BYTES: &[(&str, &str)] =
    &[("ifile-deflate.bin", OTHER_ZLIB), ("seq-record.bin", OTHER_ZLIB), ("seq-block.bin", OTHER_ZLIB)];

const OTHER_ZLIB: &str = "another implementation of zlib finds other matches";

/// Keys and values as they were serialized.
type Records = Vec<(Vec<u8>, Vec<u8>)>;

pub(super) const FILES: &[(&str, Recode)] = &[
    ("conf.xml", xml),
    ("submit-job.xml", xml),
    ("local-job.xml", xml),
    ("local-attempt-job.xml", xml),
    ("job-acls.xml", xml),
    ("ifile-none.bin", |bytes| segment(bytes, None)),
    ("ifile-empty.bin", |bytes| segment(bytes, None)),
    ("ifile-deflate.bin", |bytes| segment(bytes, Some(Codec::Default))),
    ("spill-two.index", index),
    ("map-file.out.index", index),
    ("map-file.out", map_output),
    ("seq-none.bin", sequence),
    ("seq-record.bin", sequence),
    ("seq-block.bin", sequence),
];

fn xml(bytes: &[u8]) -> Recoded {
    Configuration::from_bytes("vector", bytes).map(|conf| conf.to_xml()).map_err(|error| error.to_string())
}

fn segment(bytes: &[u8], codec: Option<Codec>) -> Recoded {
    let records = read_segment(bytes, codec).map_err(|error| error.to_string())?;
    let written = write_segment(&records, codec).map_err(|error| error.to_string())?;
    assert_eq!(read_segment(&written, codec).map_err(|error| error.to_string())?, records);
    Ok(written)
}

fn read_segment(bytes: &[u8], codec: Option<Codec>) -> Result<Records, FormatError> {
    let mut reader = ifile::Reader::new(Cursor::new(bytes.to_vec()), bytes.len() as u64, codec)?;
    let mut records = Vec::new();
    while reader.next()? {
        records.push((reader.key().to_vec(), reader.value().to_vec()));
    }
    Ok(records)
}

fn write_segment(records: &Records, codec: Option<Codec>) -> std::io::Result<Vec<u8>> {
    let mut writer = ifile::Writer::new(Vec::new(), codec);
    for (key, value) in records {
        writer.append(key, value)?;
    }
    writer.finish().map(|(bytes, _)| bytes)
}

fn index(bytes: &[u8]) -> Recoded {
    spill_index::decode(bytes).map(|records| spill_index::encode(&records)).map_err(|error| error.to_string())
}

/// All segments of a map's output, as its index says.
fn map_output(bytes: &[u8]) -> Recoded {
    let index = vector_file("files/map-file.out.index");
    let mut recoded = Vec::new();
    for IndexRecord { start, part_len, .. } in spill_index::decode(&index).map_err(|error| error.to_string())? {
        let end = (start + part_len) as usize;
        recoded.extend(segment(&bytes[start as usize..end], None)?);
    }
    Ok(recoded)
}

/// A SequenceFile, written with the mark that it has.
fn sequence(bytes: &[u8]) -> Recoded {
    recode_sequence(bytes).map_err(|error| error.to_string())
}

fn recode_sequence(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut reader = sequence_file::Reader::new(Cursor::new(bytes), bytes.len() as u64)?;
    let (header, mark) = (reader.header().clone(), *reader.sync_mark());
    let records = read_sequence(&mut reader)?;
    assert_eq!(records.len(), 60);
    let mut writer = sequence_file::Writer::new(Vec::new(), &header, mark).expect("a vector takes all");
    for (key, value) in &records {
        writer.append(key, value).expect("a vector takes all");
    }
    let written = writer.finish().expect("a vector takes all");
    let mut again = sequence_file::Reader::new(Cursor::new(&written), written.len() as u64)?;
    assert_eq!((again.header(), again.sync_mark()), (&header, &mark));
    assert_eq!(read_sequence(&mut again)?, records);
    Ok(written)
}

fn read_sequence(
    reader: &mut sequence_file::Reader<impl std::io::Read + std::io::Seek>,
) -> Result<Records, FormatError> {
    let (mut records, mut key, mut value) = (Vec::new(), Vec::new(), Vec::new());
    while reader.next(&mut key, &mut value)? {
        records.push((key.clone(), value.clone()));
    }
    Ok(records)
}
