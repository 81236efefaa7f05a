//! The reader of a split that a Pipes program reads by itself: it only knows how far the program says that it is.
//!
//! Hadoop 1.2.1: mapred.pipes.PipesNonJavaInputFormat.PipesDummyRecordReader.

use crate::api::{RecordReader, Result};

/// How far the program is.
#[derive(Debug, Default)]
pub(super) struct Progress(f32);

impl RecordReader for Progress {
    /// Takes the key, a float, for the program's progress. There is always a next record.
    fn next(&mut self, key: &mut Vec<u8>, _value: &mut Vec<u8>) -> Result<bool> {
        if let Some(bytes) = key.first_chunk() {
            self.0 = f32::from_be_bytes(*bytes);
        }
        Ok(true)
    }

    fn progress(&self) -> f32 {
        self.0
    }

    fn position(&self) -> u64 {
        0
    }
}
