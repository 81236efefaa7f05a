//! SequenceFiles as records, byte for byte as they were written.
//!
//! Hadoop 1.2.1: mapred.SequenceFileRecordReader and mapreduce.lib.input.SequenceFileRecordReader. A split begins at the
//! first sync mark in it and ends before the first record behind its end that follows one.

use hadoop_io::FormatError;
use hadoop_io::sequence_file::Reader;
use storage::{Input, Path};

use super::reading;
use crate::api::{FileSplit, RecordReader, Result, TaskContext, TaskError};
use crate::runner::Classes;

/// See the module.
pub(super) struct Records {
    reader: Reader<Box<dyn Input>>,
    path: Path,
    start: u64,
    end: u64,
    more: bool,
}

impl Records {
    pub(super) fn open(split: &FileSplit, ctx: &TaskContext) -> Result<Self> {
        let path = split.path.clone();
        let file_system = ctx.storage.for_path(&path)?;
        let len = file_system.status(&path)?.length;
        let mut reader = Reader::new(file_system.open(&path)?, len).map_err(broken(&path))?;
        if split.start > reader.position() {
            reader.sync(split.start).map_err(broken(&path))?;
        }
        let (start, end) = (reader.position(), split.start.saturating_add(split.length));
        Ok(Records { reader, path, start, end, more: start < end })
    }

    /// The classes that the file's header names.
    pub(super) fn classes(&self) -> Classes {
        let header = self.reader.header();
        (header.key_class.clone(), header.value_class.clone())
    }
}

fn broken(path: &Path) -> impl FnOnce(FormatError) -> TaskError {
    let what = path.to_string();
    let reading = reading(path);
    move |error| match error {
        FormatError::Io(error) => reading(error),
        source => TaskError::Format { what, source },
    }
}

/// Wraps an error with the place in the file that it lies before.
fn broken_before(path: &Path, position: u64, error: FormatError) -> TaskError {
    TaskError::Format { what: format!("{path}, before byte {position}"), source: error }
}

impl RecordReader for Records {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        if !self.more {
            return Ok(false);
        }
        let before = self.reader.position();
        let found = self.reader.next(key, value);
        let found = found.map_err(|error| broken_before(&self.path, self.reader.position(), error))?;
        self.more = found && !(before >= self.end && self.reader.sync_seen());
        Ok(self.more)
    }

    fn progress(&self) -> f32 {
        if self.start == self.end {
            return 0.0;
        }
        let done = self.reader.position() as f64 - self.start as f64;
        (done / (self.end as f64 - self.start as f64)).min(1.0) as f32
    }

    fn position(&self) -> u64 {
        self.reader.position()
    }
}
