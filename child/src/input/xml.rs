//! What stands between two marks, marks included, as keys of texts (Hadoop 1.2.1: streaming.StreamXmlRecordReader
//! without `slowmatch`, whose patterns are Java's).
//!
//! Quirk: the reader hardly counts what it passes, so that a split goes on far beyond its end, and its records come
//! again from the splits after it. Jobs live with it by one map for each file.

use std::io::{self, Read};

use configuration::keys;
use storage::Path;

use super::{compressed, reading};
use crate::api::{FileSplit, RecordReader, Result, TaskContext, TaskError};
use crate::runner::data::put_text;

/// The size of Java's BufferedInputStream, which reads ahead of the marks.
const BUFFER_BYTES: usize = 8192;
/// A record may not be longer than a text can be.
const RECORD_MAX: usize = i32::MAX as usize;

/// Records between two marks.
pub(super) struct Marked {
    bytes: Buffered,
    path: Path,
    begin: Vec<u8>,
    end_mark: Vec<u8>,
    start: u64,
    end: u64,
    /// How far the reader believes to be.
    at: u64,
    record: Vec<u8>,
}

impl Marked {
    pub(super) fn open(split: &FileSplit, ctx: &TaskContext) -> Result<Self> {
        let path = split.path.clone();
        let mut file = ctx.storage.for_path(&path)?.open(&path)?;
        let mark = |name: &str| -> Result<Vec<u8>> {
            let key = keys::STREAM_RECORDREADER.name_for(name);
            let mark = ctx.conf.text(&key)?.filter(|mark| !mark.is_empty());
            let missing = || TaskError::io_exception(format!("JobConf: missing required property: {key}"));
            mark.map(String::into_bytes).ok_or_else(missing)
        };
        let (begin, end_mark) = (mark("begin")?, mark("end")?);
        compressed::seek(&mut file, split.start).map_err(reading(&path))?;
        let mut records = Marked {
            bytes: Buffered::new(Box::new(file), split.start),
            path,
            begin,
            end_mark,
            start: split.start,
            end: split.start.saturating_add(split.length),
            at: split.start,
            record: Vec::new(),
        };
        records.find_begin()?;
        Ok(records)
    }

    /// Goes to where the next record begins; false if there is none.
    ///
    /// Quirk: a byte that ends a partial match is not looked at as a mark's first.
    fn find_begin(&mut self) -> Result<bool> {
        self.bytes.keep_from_here();
        let mut matched = 0;
        while matched < self.begin.len() {
            let Some(byte) = self.bytes.next().map_err(reading(&self.path))? else { return Ok(false) };
            if byte == self.begin[matched] {
                matched += 1;
            } else {
                matched = 0;
                self.bytes.keep_from_here();
            }
        }
        self.bytes.go_back();
        Ok(true)
    }

    /// Takes all up to the end mark, and it; false if it does not come.
    fn take_record(&mut self) -> Result<bool> {
        self.record.clear();
        self.bytes.keep_from_here();
        let mut matched = 0;
        while matched < self.end_mark.len() {
            let Some(byte) = self.bytes.next().map_err(reading(&self.path))? else { return Ok(false) };
            if byte == self.end_mark[matched] {
                matched += 1;
                continue;
            }
            self.record.extend_from_slice(&self.end_mark[..matched]);
            self.record.push(byte);
            self.at += matched as u64;
            matched = 0;
            self.bytes.keep_from_here();
            if self.record.len() > RECORD_MAX {
                return Err(TaskError::io_exception(format!("{}: a record of more than 2 GiB", self.path)));
            }
        }
        self.record.extend_from_slice(&self.end_mark);
        self.at += self.end_mark.len() as u64;
        self.bytes.keep_from_here();
        Ok(true)
    }
}

impl RecordReader for Marked {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        if self.at >= self.end || !self.find_begin()? || !self.take_record()? {
            return Ok(false);
        }
        key.clear();
        put_text(key, &self.record);
        value.clear();
        put_text(value, b"");
        Ok(true)
    }

    fn progress(&self) -> f32 {
        if self.end == self.start {
            return 1.0;
        }
        (self.position() - self.start) as f32 / (self.end - self.start) as f32
    }

    fn position(&self) -> u64 {
        self.bytes.read
    }
}

/// Bytes one by one, and back to a place that is kept.
struct Buffered {
    source: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    at: usize,
    kept: usize,
    /// How far the source was read.
    read: u64,
}

impl Buffered {
    fn new(source: Box<dyn Read + Send>, start: u64) -> Self {
        Buffered { source, buffer: Vec::new(), at: 0, kept: 0, read: start }
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        self.at += 1;
        Ok(Some(self.buffer[self.at - 1]))
    }

    /// Fills the buffer behind the bytes that are kept; a mark longer than it makes it grow.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.drain(..self.kept);
        self.at -= self.kept;
        self.kept = 0;
        let room = if self.at < BUFFER_BYTES { BUFFER_BYTES - self.at } else { self.at };
        let got = self.source.by_ref().take(room as u64).read_to_end(&mut self.buffer)?;
        self.read += got as u64;
        Ok(got > 0)
    }

    fn keep_from_here(&mut self) {
        self.kept = self.at;
    }

    fn go_back(&mut self) {
        self.at = self.kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(bytes: &'static [u8], start: u64, length: u64) -> Vec<String> {
        let mut reader = Marked {
            bytes: Buffered::new(Box::new(&bytes[start as usize..]), start),
            path: Path::parse("/in").unwrap(),
            begin: b"<p>".to_vec(),
            end_mark: b"</p>".to_vec(),
            start,
            end: start + length,
            at: start,
            record: Vec::new(),
        };
        reader.find_begin().unwrap();
        let (mut key, mut value, mut found) = (Vec::new(), Vec::new(), Vec::new());
        while reader.next(&mut key, &mut value).unwrap() {
            assert_eq!(value, [0]);
            found.push(String::from_utf8(key[1..].to_vec()).unwrap());
        }
        found
    }

    #[test]
    fn records_are_what_stands_between_marks() {
        assert_eq!(records(b"x<p>a</p>y <p>b</ </p><p>c", 0, 26), ["<p>a</p>", "<p>b</ </p>"]);
        assert!(records(b"<<p>a</p>", 0, 9).is_empty(), "a byte that ends a partial match is no first byte");
    }

    #[test]
    fn a_split_counts_little_but_its_end_marks() {
        let text = b"<p>a</p><p>b</p><p>c</p><p>d</p>";
        // Each record moves the reader by the four bytes of its end mark.
        assert_eq!(records(text, 0, 8).len(), 2);
        assert_eq!(records(text, 8, 8), ["<p>b</p>", "<p>c</p>"]);
    }
}
