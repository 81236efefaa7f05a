//! The job's output with its counters (Hadoop 1.2.1: ReduceTask.OldTrackingRecordWriter, NewTrackingRecordWriter,
//! MapTask.DirectMapOutputCollector).

use std::sync::Arc;

use storage::FileSystem;

use crate::api::{Collector, Library, RecordWriter, Result, TaskContext};
use crate::counters;
use crate::reporter::{CounterHandle, Reporter};

/// A writer of output records.
pub(crate) struct TrackedWriter {
    writer: Box<dyn RecordWriter>,
    records: CounterHandle,
    bytes: CounterHandle,
    /// Where the bytes are counted; nowhere if the output is no files.
    file_system: Option<Arc<dyn FileSystem>>,
    reporter: Reporter,
}

impl TrackedWriter {
    /// Opens the output; its records count as `records`.
    pub(crate) fn open(library: &Arc<dyn Library>, ctx: &TaskContext, records: CounterHandle) -> Result<Self> {
        let file_system = match &ctx.output_dir {
            Some(dir) => Some(ctx.storage.for_path(dir)?),
            None => None,
        };
        let bytes = counters::bytes_written(&ctx.reporter);
        let before = written(&file_system);
        let writer = library.writer(ctx)?;
        bytes.add((written(&file_system) - before) as i64);
        Ok(TrackedWriter { writer, records, bytes, file_system, reporter: ctx.reporter.clone() })
    }

    /// Ends the output.
    pub(crate) fn close(mut self) -> Result<()> {
        let before = written(&self.file_system);
        self.writer.close()?;
        self.bytes.add((written(&self.file_system) - before) as i64);
        Ok(())
    }
}

fn written(file_system: &Option<Arc<dyn FileSystem>>) -> u64 {
    file_system.as_ref().map_or(0, |file_system| file_system.statistics().bytes_written())
}

impl Collector for TrackedWriter {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        // Only what goes through the writer counts: a reducer may write other files too.
        let before = written(&self.file_system);
        self.writer.write(key, value)?;
        self.bytes.add((written(&self.file_system) - before) as i64);
        self.records.add(1);
        self.reporter.alive();
        Ok(())
    }
}
