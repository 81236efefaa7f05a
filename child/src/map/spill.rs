//! Sorted runs of map output on disk, and their merge into the attempt's one output file.
//!
//! Hadoop 1.2.1: MapTask.MapOutputBuffer.sortAndSpill, spillSingleRecord and mergeParts; MapOutputFile for the names.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hadoop_io::spill_index::{self, IndexRecord};
use hadoop_io::{Codec, ifile};

use super::buffer::Buffer;
use crate::api::{RawComparator, Result, TaskError};
use crate::combine::Combining;
use crate::disk::{CountedFile, Disks};
use crate::merge::{self, Segment, Source};
use crate::reporter::{CounterHandle, Reporter};
use crate::sort::Algorithm;
use crate::sorted::Sorted;

/// What Java reckons for a partition's header.
const HEADER_LEN: u64 = 150;

/// The directory of an attempt's output.
pub(crate) const OUTPUT_DIR: &str = "output";

/// How spills are written and merged.
pub(crate) struct SpillSettings {
    pub(crate) partitions: u32,
    pub(crate) disks: Disks,
    pub(crate) codec: Option<Codec>,
    pub(crate) comparator: Arc<dyn RawComparator>,
    pub(crate) combining: Option<Combining>,
    /// A final merge of at least so many spills combines again.
    pub(crate) spills_for_combine: usize,
    pub(crate) factor: usize,
    pub(crate) algorithm: Algorithm,
    pub(crate) reporter: Reporter,
    pub(crate) spilled: CounterHandle,
    /// The attempt, which names intermediate files.
    pub(crate) attempt: String,
}

/// A run on disk.
struct Spill {
    path: PathBuf,
    index: Vec<IndexRecord>,
}

/// The runs of one attempt.
pub(crate) struct Spills {
    settings: SpillSettings,
    spills: Vec<Spill>,
}

impl Spills {
    pub(crate) fn new(settings: SpillSettings) -> Self {
        Spills { settings, spills: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.spills.len()
    }

    /// Sorts the buffer and writes it, combined, as one run; the buffer is empty afterwards.
    pub(crate) fn spill(&mut self, buffer: &mut Buffer) -> Result<()> {
        buffer.sort(self.settings.algorithm);
        let mut file = self.new_run(buffer.len() as u64)?;
        for mut partition in buffer.partitions(self.settings.partitions) {
            let settings = &self.settings;
            file.segment(settings, |writer, path| match &settings.combining {
                _ if partition.is_empty() => Ok(()),
                Some(combining) => combining.run(&mut partition, writer, path),
                None => merge::write_all(&mut partition, writer, path, &settings.reporter),
            })?;
        }
        self.spills.push(file.finish()?);
        buffer.clear();
        Ok(())
    }

    /// Writes a record that is too large for the buffer as a run of its own; it is not combined.
    pub(crate) fn spill_single(&mut self, partition: u32, key: &[u8], value: &[u8]) -> Result<()> {
        let mut file = self.new_run((key.len() + value.len()) as u64)?;
        for number in 0..self.settings.partitions {
            file.segment(&self.settings, |writer, path| match number == partition {
                true => writer.append(key, value).map_err(TaskError::disk(path)),
                false => Ok(()),
            })?;
        }
        self.spills.push(file.finish()?);
        Ok(())
    }

    fn new_run(&self, len: u64) -> Result<RunFile> {
        let name = format!("{OUTPUT_DIR}/spill{}.out", self.spills.len());
        RunFile::create(&self.settings, &name, len)
    }

    /// Merges the runs into `output/file.out` with its index; returns the length of the file.
    pub(crate) fn merge(mut self) -> Result<u64> {
        let index_len = u64::from(self.settings.partitions) * spill_index::INDEX_RECORD_LEN as u64;
        if self.spills.len() == 1 {
            let spill = self.spills.remove(0);
            let output = spill.path.with_file_name("file.out");
            fs::rename(&spill.path, &output).map_err(TaskError::disk(&spill.path))?;
            let index = output.with_file_name("file.out.index");
            return self.finish(&output, &index, &spill.index);
        }
        let len = self.spills.iter().flat_map(|spill| &spill.index).map(|record| record.part_len).sum();
        let mut file = RunFile::create(&self.settings, &format!("{OUTPUT_DIR}/file.out"), len)?;
        let index = self.settings.disks.for_write(&format!("{OUTPUT_DIR}/file.out.index"), index_len)?;
        for partition in 0..self.settings.partitions {
            self.merge_partition(partition, &mut file)?;
        }
        let merged = file.finish()?;
        for spill in &self.spills {
            fs::remove_file(&spill.path).map_err(TaskError::disk(&spill.path))?;
        }
        self.finish(&merged.path, &index, &merged.index)
    }

    fn finish(&self, output: &Path, index: &Path, records: &[IndexRecord]) -> Result<u64> {
        let mut file = self.settings.disks.create(index)?;
        file.write_all(&spill_index::encode(records)).and_then(|()| file.flush()).map_err(TaskError::disk(index))?;
        Ok(fs::metadata(output).map_err(TaskError::disk(output))?.len())
    }

    fn merge_partition(&self, partition: u32, file: &mut RunFile) -> Result<()> {
        let segment = |spill: &Spill| {
            let record = spill.index[partition as usize];
            let source = Source::Disk { path: spill.path.clone(), offset: record.start, delete: false };
            Segment::new(source, record.part_len, record.raw_len)
        };
        let settings = &self.settings;
        let segments: Vec<Segment> = self.spills.iter().map(segment).collect();
        let merging = merge::Settings {
            comparator: settings.comparator.clone(),
            disks: settings.disks.clone(),
            codec: settings.codec,
            factor: settings.factor,
            temporary: settings.attempt.clone(),
            reporter: settings.reporter.clone(),
            disk_reads: None,
            disk_writes: Some(settings.spilled.clone()),
        };
        // A map of no output writes empty segments that nobody counts or combines.
        let mut stream = merge::merge(segments, 0, merging)?;
        let combining = settings.combining.as_ref().filter(|_| self.spills.len() >= settings.spills_for_combine);
        file.segment(settings, |writer, path| match combining {
            Some(combining) if !self.spills.is_empty() => combining.run(&mut stream, writer, path),
            _ => merge::write_all(&mut stream as &mut dyn Sorted, writer, path, &settings.reporter),
        })
    }
}

/// A file of one segment per partition, being written.
struct RunFile {
    path: PathBuf,
    file: BufWriter<CountedFile>,
    index: Vec<IndexRecord>,
    at: u64,
}

impl RunFile {
    fn create(settings: &SpillSettings, name: &str, len: u64) -> Result<Self> {
        let path = settings.disks.for_write(name, len + u64::from(settings.partitions) * HEADER_LEN)?;
        let file = settings.disks.create(&path)?;
        Ok(RunFile { path, file, index: Vec::with_capacity(settings.partitions as usize), at: 0 })
    }

    fn segment(
        &mut self,
        settings: &SpillSettings,
        write: impl FnOnce(&mut ifile::Writer<&mut BufWriter<CountedFile>>, &Path) -> Result<()>,
    ) -> Result<()> {
        let mut writer = ifile::Writer::new(&mut self.file, settings.codec);
        write(&mut writer, &self.path)?;
        let (_, written) = writer.finish().map_err(TaskError::disk(&self.path))?;
        settings.spilled.add(written.records as i64);
        self.index.push(IndexRecord { start: self.at, raw_len: written.raw_len, part_len: written.part_len });
        self.at += written.part_len;
        Ok(())
    }

    fn finish(mut self) -> Result<Spill> {
        self.file.flush().map_err(TaskError::disk(&self.path))?;
        Ok(Spill { path: self.path, index: self.index })
    }
}
