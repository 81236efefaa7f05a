//! Text as records: lines keyed by their offset, or cut in two at a separator.
//!
//! Hadoop 1.2.1: mapred.LineRecordReader, mapreduce.lib.input.LineRecordReader and the two KeyValueLineRecordReaders.
//! A split owns each line that starts in it, its first one excepted if the split is not the file's first: so the line
//! that begins exactly at a split's end belongs to it.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use configuration::keys;
use hadoop_io::codec::Bzip2Split;
use storage::Path;

use super::{LineReader, compressed, reading};
use crate::api::{FileSplit, RecordReader, Result, TaskContext};
use crate::log;
use crate::runner::data::put_text;

/// Lines, keyed by where they start.
pub(super) struct Lines {
    reader: LineReader<Box<dyn Read + Send>>,
    path: Path,
    start: u64,
    at: u64,
    end: u64,
    line_max: u64,
    /// How far the compressed file was read, if it is compressed.
    compressed: Option<Arc<AtomicU64>>,
    new_api: bool,
    line: Vec<u8>,
}

impl Lines {
    pub(super) fn open(split: &FileSplit, new_api: bool, ctx: &TaskContext) -> Result<Self> {
        let path = split.path.clone();
        let codec = compressed::codec_of(&path, &ctx.conf)?;
        let mut file = ctx.storage.for_path(&path)?.open(&path)?;
        let buffer_size = usize::try_from(ctx.conf.get_or(&keys::IO_FILE_BUFFER_SIZE, 4096)).unwrap_or(4096);
        let mut start = split.start;
        let (reader, position): (LineReader<Box<dyn Read + Send>>, _) = match codec {
            Some(codec) if codec.is_splittable() => {
                let blocks = Bzip2Split::open(file, start).map_err(reading(&path))?;
                let position = blocks.position();
                start = blocks.start();
                // What was read so far decides where the split ends, so a buffer may not reach into the next block.
                (LineReader::of_pipe(Box::new(blocks), buffer_size), Some(position))
            }
            Some(codec) => {
                let (counted, position) = compressed::Counted::new(file);
                (LineReader::new(Box::new(codec.reader(counted)), buffer_size), Some(position))
            }
            None => {
                compressed::seek(&mut file, start).map_err(reading(&path))?;
                (LineReader::new(Box::new(file), buffer_size), None)
            }
        };
        let line_max = ctx.conf.get_or(&keys::MAPRED_LINERECORDREADER_MAXLENGTH, i32::MAX);
        let mut lines = Lines {
            reader,
            path,
            start,
            at: start,
            end: split.start.saturating_add(split.length),
            line_max: u64::try_from(line_max).unwrap_or(0),
            compressed: position,
            new_api,
            line: Vec::new(),
        };
        if lines.start != 0 {
            lines.at += lines.read(0, lines.to_consume())?;
            lines.start = lines.at;
        }
        Ok(lines)
    }

    fn read(&mut self, keep: u64, consume: u64) -> Result<u64> {
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        self.reader.read_line(&mut self.line, keep, consume).map_err(reading(&self.path))
    }

    /// Hadoop 1.2.1: LineRecordReader.maxBytesToConsume.
    fn to_consume(&self) -> u64 {
        match self.compressed {
            Some(_) => i32::MAX as u64,
            None => self.end.saturating_sub(self.at).min(i32::MAX as u64),
        }
    }

    fn file_position(&self) -> u64 {
        self.compressed.as_ref().map_or(self.at, |position| position.load(Ordering::Relaxed))
    }

    /// The line that was read last.
    pub(super) fn line(&self) -> &[u8] {
        &self.line
    }

    /// Reads the next line; its offset, or none at the end.
    pub(super) fn next_line(&mut self) -> Result<Option<u64>> {
        let mut key = self.at;
        let mut last = 0;
        while self.file_position() <= self.end {
            if !self.new_api {
                key = self.at;
            }
            last = self.read(self.line_max, self.to_consume().max(self.line_max))?;
            self.at += last;
            if last < self.line_max {
                return Ok((last > 0).then_some(key));
            }
            let class = if self.new_api { "mapreduce.lib.input.LineRecordReader" } else { "mapred.LineRecordReader" };
            log::info(class, format_args!("Skipped line of size {last} at pos {}", self.at - last));
        }
        // Quirk: the new interface's reader gives an over-long line at the end of its split, cut; the old one does not.
        Ok((self.new_api && last > 0).then_some(key))
    }
}

impl RecordReader for Lines {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        let Some(offset) = self.next_line()? else { return Ok(false) };
        key.clear();
        key.extend_from_slice(&offset.to_be_bytes());
        value.clear();
        put_text(value, &self.line);
        Ok(true)
    }

    fn progress(&self) -> f32 {
        if self.start == self.end {
            return 0.0;
        }
        let (done, all) = (self.file_position() as f64 - self.start as f64, self.end as f64 - self.start as f64);
        (done / all).min(1.0) as f32
    }

    fn position(&self) -> u64 {
        self.at
    }
}

/// Lines cut at the first separator: what is before it is the key.
pub(super) struct KeyValueLines {
    lines: Lines,
    separator: u8,
}

impl KeyValueLines {
    pub(super) fn open(split: &FileSplit, new_api: bool, separator: &str, ctx: &TaskContext) -> Result<Self> {
        // Quirk: the low byte of the first UTF-16 unit, whatever it is.
        let separator = separator.encode_utf16().next().unwrap_or(u16::from(b'\t')) as u8;
        Ok(KeyValueLines { lines: Lines::open(split, new_api, ctx)?, separator })
    }
}

impl RecordReader for KeyValueLines {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        if self.lines.next_line()?.is_none() {
            return Ok(false);
        }
        let line = &self.lines.line;
        let (before, after) = match memchr::memchr(self.separator, line) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (&line[..], &[][..]),
        };
        key.clear();
        put_text(key, before);
        value.clear();
        put_text(value, after);
        Ok(true)
    }

    fn progress(&self) -> f32 {
        self.lines.progress()
    }

    fn position(&self) -> u64 {
        self.lines.position()
    }
}
