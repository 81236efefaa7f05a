//! Merges of fetched outputs: in memory to disk, on disk to fewer files, and the last one, which feeds the reduce.
//!
//! Hadoop 1.2.1: ReduceTask.ReduceCopier's InMemFSMergeThread, LocalFSMerger and createKVIterator.

use std::sync::Arc;

use hadoop_io::{Codec, ifile};

use super::shuffle::{DiskOutput, MemoryOutput, Outputs, Shared};
use crate::api::{RawComparator, Result};
use crate::combine::Combining;
use crate::disk::Disks;
use crate::map::OUTPUT_DIR;
use crate::merge::{self, MergedStream, Segment, Settings, Source};
use crate::reporter::{CounterHandle, Reporter};

/// What every merge of a reduce needs.
#[derive(Clone)]
pub(crate) struct MergeTools {
    pub(crate) comparator: Arc<dyn RawComparator>,
    pub(crate) combining: Option<Combining>,
    pub(crate) disks: Disks,
    pub(crate) codec: Option<Codec>,
    pub(crate) factor: usize,
    /// Records read from disk count here.
    pub(crate) spilled: CounterHandle,
    pub(crate) reporter: Reporter,
    /// The attempt, which names intermediate files.
    pub(crate) attempt: String,
}

impl MergeTools {
    fn settings(&self, factor: usize) -> Settings {
        Settings {
            comparator: self.comparator.clone(),
            disks: self.disks.clone(),
            codec: self.codec,
            factor,
            temporary: self.attempt.clone(),
            reporter: self.reporter.clone(),
            disk_reads: Some(self.spilled.clone()),
            disk_writes: None,
        }
    }

    /// Merges all segments at once.
    fn merge_at_once(&self, segments: Vec<Segment>) -> Result<MergedStream> {
        let count = segments.len();
        merge::merge(segments, 0, self.settings(count.max(2)))
    }

    /// Merges outputs that are in memory into a file, combined if asked.
    fn memory_to_disk(&self, outputs: Vec<MemoryOutput>, combine: bool) -> Result<DiskOutput> {
        let size = outputs.iter().map(|output| output.bytes.len() as u64).sum();
        let name = format!("{OUTPUT_DIR}/map_{}.out", outputs.first().map_or(0, |output| output.map));
        let mut stream = self.merge_at_once(outputs.into_iter().map(in_memory).collect())?;
        let path = self.disks.for_write(&name, size)?;
        let mut writer = ifile::Writer::new(self.disks.create(&path)?, self.codec);
        match self.combining.as_ref().filter(|_| combine) {
            Some(combining) => combining.run(&mut stream, &mut writer, &path)?,
            None => merge::write_all(&mut stream, &mut writer, &path, &self.reporter)?,
        }
        let written = merge::finish(writer, &path)?;
        Ok(DiskOutput { path, len: written.part_len, raw_len: written.raw_len })
    }
}

fn in_memory(output: MemoryOutput) -> Segment {
    let len = output.bytes.len() as u64;
    Segment::new(Source::Memory(output.bytes, Some(Box::new(output.reservation))), len, len)
}

fn on_disk(output: DiskOutput) -> Segment {
    let source = Source::Disk { path: output.path, offset: 0, delete: true };
    Segment::new(source, output.len, output.raw_len)
}

/// Merges outputs in memory while others are fetched.
pub(crate) struct MemoryMerger {
    shared: Arc<Shared>,
    tools: MergeTools,
}

impl MemoryMerger {
    pub(crate) fn new(shared: Arc<Shared>, tools: MergeTools) -> Self {
        MemoryMerger { shared, tools }
    }

    pub(crate) fn run(&self) {
        while self.shared.memory.wait_for_merge() {
            let outputs = self.shared.take_memory();
            crate::log::info(
                "mapred.ReduceTask",
                format_args!("Initiating in-memory merge with {} segments...", outputs.len()),
            );
            match self.tools.memory_to_disk(outputs, true) {
                Ok(output) => self.shared.add_disk(output),
                Err(error) => return self.shared.fail(error),
            }
        }
    }
}

/// Merges files while outputs are fetched, so that the last merge has few.
pub(crate) struct DiskMerger {
    shared: Arc<Shared>,
    tools: MergeTools,
}

impl DiskMerger {
    pub(crate) fn new(shared: Arc<Shared>, tools: MergeTools) -> Self {
        DiskMerger { shared, tools }
    }

    pub(crate) fn run(&self) {
        let factor = self.tools.factor;
        let mut number = 0;
        while let Some(outputs) = self.shared.take_disk(2 * factor - 1, factor) {
            number += 1;
            match self.merge(outputs, number) {
                Ok(output) => self.shared.add_disk(output),
                Err(error) => return self.shared.fail(error),
            }
        }
    }

    fn merge(&self, outputs: Vec<DiskOutput>, number: u32) -> Result<DiskOutput> {
        let size = outputs.iter().map(|output| output.len).sum();
        let path = self.tools.disks.for_write(&format!("{OUTPUT_DIR}/{number}.merged"), size)?;
        let mut stream = self.tools.merge_at_once(outputs.into_iter().map(on_disk).collect())?;
        let mut writer = ifile::Writer::new(self.tools.disks.create(&path)?, self.tools.codec);
        merge::write_all(&mut stream, &mut writer, &path, &self.tools.reporter)?;
        let written = merge::finish(writer, &path)?;
        Ok(DiskOutput { path, len: written.part_len, raw_len: written.raw_len })
    }
}

/// The records of all outputs in order. As much as the reduce may keep stays in memory; the rest goes to disk, unless
/// there are so many files already that it joins their merge.
pub(crate) fn final_merge(mut outputs: Outputs, tools: &MergeTools) -> Result<MergedStream> {
    let mut leaving = take_leaving(&mut outputs);
    if !leaving.is_empty() && tools.factor > outputs.disk.len() {
        outputs.disk.push(tools.memory_to_disk(std::mem::take(&mut leaving), false)?);
    }
    crate::log::info("mapred.ReduceTask", format_args!("Merging {} files", outputs.disk.len()));
    let mut disk: Vec<Segment> = outputs.disk.into_iter().map(on_disk).collect();
    merge::smallest_first(&mut disk);
    let mut segments: Vec<Segment> = outputs.memory.into_iter().map(in_memory).collect();
    let in_memory_count = leaving.len();
    if in_memory_count + disk.len() > 0 {
        let mut all: Vec<Segment> = leaving.into_iter().map(in_memory).collect();
        all.append(&mut disk);
        let raw_len = all.iter().map(Segment::raw_len).sum();
        let stream = merge::merge(all, in_memory_count, tools.settings(tools.factor))?;
        if segments.is_empty() {
            return Ok(stream);
        }
        segments.push(Segment::new(Source::Stream(Box::new(stream)), raw_len, raw_len));
    }
    tools.merge_at_once(segments)
}

/// Takes outputs out of memory, the first ones first, until the rest may stay.
fn take_leaving(outputs: &mut Outputs) -> Vec<MemoryOutput> {
    let mut full: u64 = outputs.memory.iter().map(|output| output.bytes.len() as u64).sum();
    let mut count = 0;
    while full > outputs.limits.keep {
        full -= outputs.memory[count].bytes.len() as u64;
        count += 1;
    }
    outputs.memory.drain(..count).collect()
}
