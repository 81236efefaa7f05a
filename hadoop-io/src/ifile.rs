//! Segments of sorted records between map and reduce (Hadoop 1.2.1: mapred.IFile).
//!
//! vint key length, vint value length, key, value; twice -1 at the end; all of it maybe compressed; then the CRC-32 of
//! the bytes on disk. An empty segment is six bytes long.

use std::fmt;
use std::io::{self, Read, Write};

use crate::checksum::{ChecksumReader, ChecksumWriter};
use crate::codec::{Codec, Compressor};
use crate::format::{FormatError, Result};
use crate::stream::vlong_tail;
use crate::{DataOutput, vlong_len};

/// The end mark.
const END: [u8; 2] = [0xff, 0xff];

/// The most that a record's two lengths take.
const LENGTHS_MAX: usize = 18;

/// What is read or written at once.
const BUFFER_LEN: usize = 32 << 10;

/// A segment that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// Bytes before compression, end mark included, checksum not.
    pub raw_len: u64,
    /// Bytes on disk, checksum included.
    pub part_len: u64,
    /// Records.
    pub records: u64,
}

enum Sink<W: Write> {
    Plain(ChecksumWriter<W>),
    Packed(Box<Compressor<ChecksumWriter<W>>>),
}

/// Writes one segment.
pub struct Writer<W: Write> {
    sink: Sink<W>,
    buffer: DataOutput,
    raw_len: u64,
    records: u64,
}

impl<W: Write> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("records", &self.records).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<W> {
    /// Writes into `sink` from where it stands.
    pub fn new(sink: W, codec: Option<Codec>) -> Self {
        let sink = ChecksumWriter::new(sink);
        let sink = match codec {
            None => Sink::Plain(sink),
            Some(codec) => Sink::Packed(Box::new(codec.writer(sink))),
        };
        Writer { sink, buffer: DataOutput::new(), raw_len: 0, records: 0 }
    }

    /// Appends a record.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn append(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        let (key_len, value_len) = (key.len() as i64, value.len() as i64);
        self.buffer.vlong(key_len);
        self.buffer.vlong(value_len);
        self.put(key)?;
        self.put(value)?;
        self.raw_len += (key.len() + value.len() + vlong_len(key_len) + vlong_len(value_len)) as u64;
        self.records += 1;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() <= BUFFER_LEN {
            self.buffer.bytes(bytes);
            return Ok(());
        }
        self.flush_buffer()?;
        if bytes.len() >= BUFFER_LEN {
            return self.sink().write_all(bytes);
        }
        self.buffer.bytes(bytes);
        Ok(())
    }

    fn sink(&mut self) -> &mut dyn Write {
        match &mut self.sink {
            Sink::Plain(sink) => sink,
            Sink::Packed(sink) => sink,
        }
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let written = self.sink().write_all(buffer.as_bytes());
        buffer.clear();
        self.buffer = buffer;
        written
    }

    /// Records so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Bytes before compression so far.
    pub fn raw_len(&self) -> u64 {
        self.raw_len
    }

    /// Ends the segment; gives back the stream below, not flushed.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn finish(mut self) -> io::Result<(W, Written)> {
        self.buffer.bytes(&END);
        self.flush_buffer()?;
        let sink = match self.sink {
            Sink::Plain(sink) => sink,
            Sink::Packed(sink) => sink.finish()?,
        };
        let (sink, part_len) = sink.finish()?;
        Ok((sink, Written { raw_len: self.raw_len + END.len() as u64, part_len, records: self.records }))
    }
}

/// Reads the records of one segment. Key and value are lent from the reader's buffer, which grows to the largest record
/// that really is there.
pub struct Reader {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    consumed: u64,
    ended: bool,
    key: (usize, usize),
    value: (usize, usize),
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("consumed", &self.consumed).finish_non_exhaustive()
    }
}

impl Reader {
    /// Reads a segment of `part_len` bytes, its checksum included, from where `source` stands.
    ///
    /// # Errors
    /// If that cannot be a segment.
    pub fn new(source: impl Read + Send + 'static, part_len: u64, codec: Option<Codec>) -> Result<Self> {
        let checked = ChecksumReader::new(source, part_len)?;
        Ok(match codec {
            None => Self::of_records(checked),
            Some(codec) => Self::of_records(codec.reader(checked)),
        })
    }

    /// Reads records that are neither compressed nor checked.
    pub fn of_records(source: impl Read + Send + 'static) -> Self {
        Reader {
            source: Box::new(source),
            buffer: Vec::new(),
            at: 0,
            filled: 0,
            consumed: 0,
            ended: false,
            key: (0, 0),
            value: (0, 0),
        }
    }

    /// Goes to the next record; false at the end, when the checksum was found right.
    ///
    /// # Errors
    /// If the segment is cut or broken.
    #[expect(clippy::should_implement_trait, reason = "a lending iterator")]
    pub fn next(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.fill(LENGTHS_MAX, 2)?;
        let ahead = &self.buffer[self.at..self.filled];
        let (key_len, key_size) = vlong_at(ahead, 0)?;
        let (value_len, value_size) = vlong_at(ahead, key_size)?;
        self.take(key_size + value_size);
        if (key_len, value_len) == (-1, -1) {
            self.ended = true;
            self.drain()?;
            return Ok(false);
        }
        let key_len = crate::stream::length(key_len, "a key's length")?;
        let value_len = crate::stream::length(value_len, "a value's length")?;
        self.fill(key_len + value_len, key_len + value_len)?;
        self.key = (self.at, self.at + key_len);
        self.value = (self.key.1, self.key.1 + value_len);
        self.take(key_len + value_len);
        Ok(true)
    }

    /// The key of the current record.
    pub fn key(&self) -> &[u8] {
        &self.buffer[self.key.0..self.key.1]
    }

    /// The value of the current record.
    pub fn value(&self) -> &[u8] {
        &self.buffer[self.value.0..self.value.1]
    }

    /// Bytes of records and end mark read so far.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    fn take(&mut self, len: usize) {
        self.at += len;
        self.consumed += len as u64;
    }

    /// Reads the rest, so that the checksum is checked.
    fn drain(&mut self) -> Result<()> {
        if self.at < self.filled || self.source.read(&mut [0])? > 0 {
            return Err(FormatError::WrongFormat { format: "segment", problem: "bytes follow its end mark".into() });
        }
        Ok(())
    }

    /// Tries to have `wanted` bytes in the buffer, and fails if there are not at least `needed`.
    fn fill(&mut self, wanted: usize, needed: usize) -> Result<()> {
        if self.filled - self.at >= wanted {
            return Ok(());
        }
        self.buffer.copy_within(self.at..self.filled, 0);
        self.filled -= self.at;
        self.at = 0;
        while self.filled < wanted {
            if self.filled == self.buffer.len() {
                // Doubles only after the bytes came, so that a false length cannot claim memory.
                let len = (self.buffer.len() * 2).max(BUFFER_LEN);
                self.buffer.resize(len, 0);
            }
            let read = match self.source.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                break;
            }
            self.filled += read;
        }
        if self.filled < needed { Err(FormatError::Truncated("a record")) } else { Ok(()) }
    }
}

/// Reads the records of a segment that is in memory, neither compressed nor with a checksum.
#[derive(Debug)]
pub struct MemoryReader {
    bytes: Vec<u8>,
    at: usize,
    ended: bool,
    key: (usize, usize),
    value: (usize, usize),
}

impl MemoryReader {
    /// Reads these bytes, end mark included.
    pub fn new(bytes: Vec<u8>) -> Self {
        MemoryReader { bytes, at: 0, ended: false, key: (0, 0), value: (0, 0) }
    }

    /// Goes to the next record; false at the end.
    ///
    /// # Errors
    /// If the segment is cut or broken.
    #[expect(clippy::should_implement_trait, reason = "a lending iterator")]
    pub fn next(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let (key_len, key_size) = vlong_at(&self.bytes, self.at)?;
        let (value_len, value_size) = vlong_at(&self.bytes, self.at + key_size)?;
        self.at += key_size + value_size;
        if (key_len, value_len) == (-1, -1) {
            self.ended = true;
            return Ok(false);
        }
        let key_len = crate::stream::length(key_len, "a key's length")?;
        let value_len = crate::stream::length(value_len, "a value's length")?;
        if key_len + value_len > self.bytes.len() - self.at {
            return Err(FormatError::Truncated("a record"));
        }
        self.key = (self.at, self.at + key_len);
        self.value = (self.key.1, self.key.1 + value_len);
        self.at = self.value.1;
        Ok(true)
    }

    /// The key of the current record.
    pub fn key(&self) -> &[u8] {
        &self.bytes[self.key.0..self.key.1]
    }

    /// The value of the current record.
    pub fn value(&self) -> &[u8] {
        &self.bytes[self.value.0..self.value.1]
    }

    /// Bytes read so far.
    pub fn consumed(&self) -> u64 {
        self.at as u64
    }
}

/// The vlong at `offset`, and its size.
fn vlong_at(bytes: &[u8], offset: usize) -> Result<(i64, usize)> {
    let cut = FormatError::Truncated("a record's lengths");
    let Some(&first) = bytes.get(offset) else { return Err(cut) };
    let (tail, negative) = vlong_tail(first);
    if tail == 0 {
        return Ok((i64::from(first as i8), 1));
    }
    let Some(rest) = bytes.get(offset + 1..offset + 1 + tail) else { return Err(cut) };
    let magnitude = rest.iter().fold(0i64, |value, byte| (value << 8) | i64::from(*byte));
    Ok((if negative { !magnitude } else { magnitude }, 1 + tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &[u8] = include_bytes!("../tests/data/ifile-none.bin");
    const DEFLATE: &[u8] = include_bytes!("../tests/data/ifile-deflate.bin");
    const EMPTY: &[u8] = include_bytes!("../tests/data/ifile-empty.bin");

    fn records(bytes: &[u8], codec: Option<Codec>) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let mut reader = Reader::new(io::Cursor::new(bytes.to_vec()), bytes.len() as u64, codec)?;
        let mut records = Vec::new();
        while reader.next()? {
            records.push((reader.key().to_vec(), reader.value().to_vec()));
        }
        Ok(records)
    }

    fn expected() -> Vec<(Vec<u8>, Vec<u8>)> {
        vec![(b"\x05apple".to_vec(), vec![0, 0, 0, 1]), (b"\x04pear".to_vec(), vec![0, 0, 1, 44])]
    }

    #[test]
    fn reads_what_hadoop_wrote() {
        assert_eq!(records(NONE, None).unwrap(), expected());
        assert_eq!(records(DEFLATE, Some(Codec::Default)).unwrap(), expected());
        assert_eq!(records(EMPTY, None).unwrap(), []);
    }

    #[test]
    fn writes_what_hadoop_wrote() {
        let mut writer = Writer::new(Vec::new(), None);
        for (key, value) in expected() {
            writer.append(&key, &value).unwrap();
        }
        let (bytes, written) = writer.finish().unwrap();
        assert_eq!(bytes, NONE);
        assert_eq!(written, Written { raw_len: 25, part_len: 29, records: 2 });
        let (bytes, written) = Writer::new(Vec::new(), None).finish().unwrap();
        assert_eq!(bytes, EMPTY);
        assert_eq!(written, Written { raw_len: 2, part_len: 6, records: 0 });
    }

    #[test]
    fn records_larger_than_the_buffer_come_back() {
        for codec in std::iter::once(None).chain(Codec::ALL.map(Some)) {
            let mut writer = Writer::new(Vec::new(), codec);
            let mut given = Vec::new();
            for size in [0, 1, 127, 128, BUFFER_LEN - 1, BUFFER_LEN, 3 * BUFFER_LEN, 1 << 20, 5] {
                let record = (vec![b'k'; size], vec![b'v'; size / 2]);
                writer.append(&record.0, &record.1).unwrap();
                given.push(record);
            }
            let (bytes, written) = writer.finish().unwrap();
            assert_eq!(bytes.len() as u64, written.part_len);
            assert_eq!(records(&bytes, codec).unwrap(), given);
        }
    }

    #[test]
    fn every_flipped_bit_is_found() {
        for (bytes, codec) in [(NONE, None), (DEFLATE, Some(Codec::Default)), (EMPTY, None)] {
            for bit in 0..bytes.len() * 8 {
                let mut bad = bytes.to_vec();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(records(&bad, codec).is_err(), "bit {bit}");
            }
            for len in 0..bytes.len() {
                assert!(records(&bytes[..len], codec).is_err(), "cut at {len}");
            }
        }
    }

    #[test]
    fn a_segment_that_is_cut_or_damaged_is_an_error_in_each_codec() {
        for codec in Codec::ALL {
            let mut writer = Writer::new(Vec::new(), Some(codec));
            for (key, value) in expected() {
                writer.append(&key, &value).unwrap();
            }
            let (bytes, _) = writer.finish().unwrap();
            assert_eq!(records(&bytes, Some(codec)).unwrap(), expected());
            for at in 0..bytes.len() {
                let mut bad = bytes.clone();
                bad[at] ^= 0x10;
                assert!(records(&bad, Some(codec)).is_err(), "{codec:?}, byte {at}");
                assert!(records(&bytes[..at], Some(codec)).is_err(), "{codec:?} cut at {at}");
            }
        }
    }

    #[test]
    fn a_false_length_claims_no_memory() {
        let mut bytes = DataOutput::new();
        bytes.vlong(i64::from(i32::MAX));
        bytes.vlong(1);
        bytes.bytes(&[0; 100]);
        let mut reader = Reader::of_records(io::Cursor::new(bytes.into_bytes()));
        assert!(matches!(reader.next(), Err(FormatError::Truncated(_))));
        assert!(reader.buffer.len() <= 2 * BUFFER_LEN);
    }
}
