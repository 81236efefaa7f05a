//! Takes the mapper's output: into the sort buffer, or straight to the job's output if there are no reduces.
//!
//! Hadoop 1.2.1: MapTask.MapOutputBuffer.collect, flush; DirectMapOutputCollector.

use std::sync::Arc;

use configuration::keys;
use hadoop_io::Codec;

use super::buffer::{Buffer, Limits};
use super::spill::{SpillSettings, Spills};
use crate::api::{Collector, Library, Partitioner, Result, TaskContext, TaskError};
use crate::combine::Combining;
use crate::counters::{names, task_counter};
use crate::disk::Disks;
use crate::output_tracker::TrackedWriter;
use crate::reporter::{CounterHandle, Reporter};
use crate::sort::Algorithm;

/// Map output that goes to reduces.
pub(crate) struct SortingCollector {
    partitions: u32,
    partitioner: Box<dyn Partitioner>,
    buffer: Buffer,
    spills: Spills,
    reporter: Reporter,
    records: CounterHandle,
    bytes: CounterHandle,
    materialized: CounterHandle,
}

impl SortingCollector {
    pub(crate) fn new(library: &Arc<dyn Library>, ctx: &TaskContext, disks: Disks, partitions: u32) -> Result<Self> {
        let conf = &ctx.conf;
        let limits = Limits::from_configuration(conf)?;
        let comparator = library.comparator(ctx)?;
        let reporter = &ctx.reporter;
        let (bytes, records) =
            (task_counter(reporter, names::MAP_OUTPUT_BYTES), task_counter(reporter, names::MAP_OUTPUT_RECORDS));
        let combining = Combining::new(library, &comparator, ctx);
        let settings = SpillSettings {
            partitions,
            disks,
            codec: map_output_codec(ctx)?,
            comparator: comparator.clone(),
            combining,
            spills_for_combine: usize::try_from(conf.get_or(&keys::MIN_NUM_SPILLS_FOR_COMBINE, 3)).unwrap_or(0),
            factor: merge_factor(ctx),
            algorithm: Algorithm::of_class(&conf.get_or(&keys::MAP_SORT_CLASS, String::new())),
            reporter: reporter.clone(),
            spilled: task_counter(reporter, names::SPILLED_RECORDS),
            attempt: ctx.attempt.to_string(),
        };
        Ok(SortingCollector {
            partitions,
            partitioner: library.partitioner(ctx)?,
            buffer: Buffer::new(limits, comparator),
            spills: Spills::new(settings),
            reporter: reporter.clone(),
            records,
            bytes,
            materialized: task_counter(reporter, names::MAP_OUTPUT_MATERIALIZED_BYTES),
        })
    }

    /// Spills the rest and merges; returns the length of the output file.
    pub(crate) fn finish(mut self) -> Result<u64> {
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        drop(self.buffer);
        let len = self.spills.merge()?;
        self.materialized.add(len as i64);
        Ok(len)
    }

    fn spill(&mut self) -> Result<()> {
        self.spills.spill(&mut self.buffer)?;
        self.reporter.alive();
        crate::log::info("mapred.MapTask", format_args!("Finished spill {}", self.spills.count() - 1));
        Ok(())
    }

    fn partition_of(&self, key: &[u8], value: &[u8]) -> Result<u32> {
        if self.partitions == 1 {
            return Ok(0);
        }
        let partition = self.partitioner.partition(key, value, self.partitions);
        u32::try_from(partition)
            .ok()
            .filter(|partition| *partition < self.partitions)
            .ok_or_else(|| TaskError::io_exception(format!("Illegal partition for a key of the map ({partition})")))
    }
}

impl Collector for SortingCollector {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.reporter.alive();
        let partition = self.partition_of(key, value)?;
        if self.buffer.must_spill_before(key, value) {
            self.spill()?;
        }
        if self.buffer.can_hold(key, value) {
            self.buffer.push(partition, key, value);
        } else {
            self.spills.spill_single(partition, key, value)?;
        }
        self.records.add(1);
        self.bytes.add((key.len() + value.len()) as i64);
        Ok(())
    }
}

/// Output of a job without reduces.
pub(crate) struct DirectCollector {
    writer: TrackedWriter,
}

impl DirectCollector {
    pub(crate) fn new(library: &Arc<dyn Library>, ctx: &TaskContext) -> Result<Self> {
        let records = task_counter(&ctx.reporter, names::MAP_OUTPUT_RECORDS);
        Ok(DirectCollector { writer: TrackedWriter::open(library, ctx, records)? })
    }

    pub(crate) fn finish(self) -> Result<()> {
        self.writer.close()
    }
}

impl Collector for DirectCollector {
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.writer.collect(key, value)
    }
}

/// What map output is compressed with.
pub(crate) fn map_output_codec(ctx: &TaskContext) -> Result<Option<Codec>> {
    if !ctx.conf.get_or(&keys::MAPRED_COMPRESS_MAP_OUTPUT, false) {
        return Ok(None);
    }
    let class = ctx.conf.get_or(&keys::MAPRED_MAP_OUTPUT_COMPRESSION_CODEC, Codec::Default.class_name().to_owned());
    let codec = Codec::of_class(class.trim());
    codec.map(Some).map_err(|source| TaskError::Format { what: "map output".to_owned(), source })
}

/// `io.sort.factor`, at least 2: with less no merge would end.
pub(crate) fn merge_factor(ctx: &TaskContext) -> usize {
    usize::try_from(ctx.conf.get_or(&keys::IO_SORT_FACTOR, 10)).unwrap_or(0).max(2)
}
