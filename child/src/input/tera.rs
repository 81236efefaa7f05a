//! Inputs of TeraGen and TeraSort: numbers of rows, and lines whose first ten bytes are the key.
//!
//! Hadoop 1.2.1: examples.terasort.TeraGen.RangeInputFormat and TeraInputFormat.

use hadoop_io::DataInput;

use super::lines::Lines;
use crate::api::{FileSplit, InputSplit, RecordReader, Result, TaskContext, TaskError};
use crate::runner::data::put_text;

const KEY_BYTES: usize = 10;

/// A range of row numbers.
pub(super) struct Rows {
    first: i64,
    done: i64,
    count: i64,
}

impl Rows {
    /// Reads the split; also says how many bytes it took.
    pub(super) fn open(split: &InputSplit) -> Result<(Self, usize)> {
        let mut input = DataInput::new(&split.bytes);
        let range = input.vlong().and_then(|first| Ok((first, input.vlong()?)));
        let (first, count) = range.map_err(TaskError::decode(split.class.clone()))?;
        Ok((Rows { first, done: 0, count }, input.position()))
    }
}

impl RecordReader for Rows {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        if self.done >= self.count {
            return Ok(false);
        }
        key.clear();
        key.extend_from_slice(&self.first.wrapping_add(self.done).to_be_bytes());
        value.clear();
        self.done += 1;
        Ok(true)
    }

    fn progress(&self) -> f32 {
        self.done as f32 / self.count as f32
    }

    fn position(&self) -> u64 {
        self.done as u64
    }
}

/// Lines, cut after their tenth byte.
pub(super) struct TeraLines(Lines);

impl TeraLines {
    pub(super) fn open(split: &FileSplit, ctx: &TaskContext) -> Result<Self> {
        Lines::open(split, false, ctx).map(TeraLines)
    }
}

impl RecordReader for TeraLines {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        if self.0.next_line()?.is_none() {
            return Ok(false);
        }
        let line = self.0.line();
        let (first, rest) = line.split_at(line.len().min(KEY_BYTES));
        key.clear();
        put_text(key, first);
        value.clear();
        put_text(value, rest);
        Ok(true)
    }

    fn progress(&self) -> f32 {
        self.0.progress()
    }

    fn position(&self) -> u64 {
        self.0.position()
    }
}
