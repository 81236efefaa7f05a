//! What the engine asks of a job's parts, and what those parts may ask of the engine.
//!
//! The engine (`map`, `reduce`) moves records, sorts, spills, fetches and counts. What the records are and what becomes
//! of them is `input`, `output` and `runner`, which meet these traits. Keys and values travel as the bytes that
//! `Writable.write` makes in Java.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

use configuration::Configuration;
use hadoop_io::DataInput;
use storage::{Path, Storage};
use types::TaskAttemptId;
use wire::splits;

pub use crate::error::{Result, TaskError};
pub use crate::reporter::{CounterHandle, Reporter};

/// Records in, one after the other (Hadoop 1.2.1: mapred.RecordReader, mapreduce.RecordReader).
pub trait RecordReader: Send {
    /// Puts the next record's serialized key and value in place of what `key` and `value` hold; false at the end.
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool>;

    /// How much of the split is done, 0 to 1.
    fn progress(&self) -> f32;

    /// Where the reader stands (Hadoop 1.2.1: mapred.RecordReader.getPos); the old interface counts MAP_INPUT_BYTES by
    /// it.
    fn position(&self) -> u64;

    /// Ends the reading.
    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Records out.
pub trait Collector: Send {
    /// Takes a record.
    fn collect(&mut self, key: &[u8], value: &[u8]) -> Result<()>;
}

/// Turns a split's records into map output: the mapper and what drives it (Hadoop 1.2.1: MapRunnable, Mapper.run).
pub trait MapRunner: Send {
    /// Runs to the end of the input. Input records are counted by `input`, output records by `output`.
    fn run(&mut self, input: &mut dyn RecordReader, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()>;
}

/// Sorted records in groups of equal keys.
pub trait Groups: Send {
    /// Goes to the first record of the next group, past what is left of this one; false at the end.
    fn next_group(&mut self) -> Result<bool>;

    /// Goes to the next record of the group; false at its end. The first call after `next_group` gives its first record.
    fn next_value(&mut self) -> Result<bool>;

    /// The key of the current record; after `next_group` that of the group's first. It changes along a group when the
    /// grouping is coarser than the sorting.
    fn key(&self) -> &[u8];

    /// The value of the current record; only after `next_value` was true.
    fn value(&self) -> &[u8];
}

/// Reduces, or combines. A combiner is made anew for each run (Hadoop 1.2.1: Task.CombinerRunner).
pub trait Reducer: Send {
    /// Runs to the end of the groups and closes the reducer. Groups and records are counted by `input` and `output`.
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()>;
}

/// The values of one group.
pub struct Values<'a>(&'a mut dyn Groups);

impl Values<'_> {
    /// The next value; `None` at the group's end.
    #[expect(clippy::should_implement_trait, reason = "a lending iterator")]
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        Ok(if self.0.next_value()? { Some(self.0.value()) } else { None })
    }

    /// The key of the current record.
    pub fn key(&self) -> &[u8] {
        self.0.key()
    }
}

/// A reducer that sees one group at a time.
pub trait GroupReducer: Send {
    /// Reduces one group; values that are left over are skipped.
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, output: &mut dyn Collector) -> Result<()>;

    /// Ends the reduce; may still put out records.
    fn close(&mut self, _output: &mut dyn Collector) -> Result<()> {
        Ok(())
    }
}

/// Drives a [`GroupReducer`] over all groups.
pub struct PerGroup<R>(pub R);

impl<R: GroupReducer> Reducer for PerGroup<R> {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let mut key = Vec::new();
        while input.next_group()? {
            key.clear();
            key.extend_from_slice(input.key());
            self.0.reduce(&key, &mut Values(&mut *input), output)?;
        }
        self.0.close(output)
    }
}

/// Output of the job.
pub trait RecordWriter: Send {
    /// Writes a record.
    fn write(&mut self, key: &[u8], value: &[u8]) -> Result<()>;

    /// Ends the file.
    fn close(&mut self) -> Result<()>;
}

/// Chooses the reduce of a record.
pub trait Partitioner: Send + Sync {
    /// A number from 0 up to, not including, `partitions`; the engine refuses another. Not asked when there is but one.
    fn partition(&self, key: &[u8], value: &[u8], partitions: u32) -> i32;
}

/// Orders keys by their serialized form.
pub trait RawComparator: Send + Sync {
    /// The order in which keys are sorted and merged.
    fn sort(&self, a: &[u8], b: &[u8]) -> Ordering;

    /// Whether keys belong to one group; asked for neighbours only.
    fn same_group(&self, a: &[u8], b: &[u8]) -> bool {
        self.sort(a, b) == Ordering::Equal
    }

    /// A number by which most comparisons can be decided at once: if `prefix(a) < prefix(b)`, then `a` sorts before
    /// `b`. Zero for all keys is always right.
    fn prefix(&self, _key: &[u8]) -> u64 {
        0
    }
}

/// A stretch of a file that a map reads (Hadoop 1.2.1: mapred.FileSplit, mapreduce.lib.input.FileSplit).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSplit {
    /// The file, as the client named it.
    pub path: Path,
    /// Where the stretch starts.
    pub start: u64,
    /// How long it is.
    pub length: u64,
}

/// A map's split as it stands in `job.split`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSplit {
    /// Its Java class.
    pub class: String,
    /// Its serialized bytes, and maybe more behind them: a split does not say how long it is.
    pub bytes: Vec<u8>,
    /// Read already if it is one of Hadoop's two file splits.
    pub file: Option<FileSplit>,
}

impl InputSplit {
    /// How many of the bytes a file split takes: a path with its length, and two longs.
    pub fn stored_body_len(&self) -> Option<usize> {
        self.file.as_ref()?;
        let mut input = DataInput::new(&self.bytes);
        let all = input.remaining();
        let path = if self.class == splits::OLD_FILE_SPLIT { input.utf8() } else { input.text() };
        Some(path.map_or(0, |_| all - input.remaining() + 16))
    }
}

/// An input that was opened.
pub struct OpenInput {
    /// The records.
    pub reader: Box<dyn RecordReader>,
    /// How many of [`InputSplit::bytes`] the split took; ignored for a file split.
    pub split_len: usize,
}

/// What an attempt is and where it works; cheap to clone.
#[derive(Clone)]
pub struct TaskContext {
    /// The job's configuration with the attempt's own values (`mapred.task.id`, `map.input.file`…).
    pub conf: Arc<Configuration>,
    /// File systems; all of the task's bytes go through this one, so that they are counted.
    pub storage: Arc<Storage>,
    /// Which attempt.
    pub attempt: TaskAttemptId,
    /// The map's number or the reduce's partition.
    pub partition: u32,
    /// The password of the job's token.
    pub secret: Arc<[u8]>,
    /// Where the attempt's processes run (`<attempt>/work`).
    pub work_dir: PathBuf,
    /// Where the attempt's output files belong until they are committed (`mapred.work.output.dir`); none if the job has
    /// no output directory.
    pub output_dir: Option<Path>,
    /// Counters, status and signs of life.
    pub reporter: Reporter,
}

/// The parts of one job, as `runner` builds them from the job's configuration (`twins::plan`).
pub trait Library: Send + Sync {
    /// Opens a map's split.
    fn open_input(&self, split: &InputSplit, ctx: &TaskContext) -> Result<OpenInput>;

    /// The mapper with its driver.
    fn map_runner(&self, ctx: &TaskContext) -> Result<Box<dyn MapRunner>>;

    /// Whether map output is combined.
    fn has_combiner(&self) -> bool;

    /// A new combiner for one run over the records of one partition; asked only if there is one.
    fn combiner(&self, ctx: &TaskContext) -> Result<Box<dyn Reducer>>;

    /// The reducer.
    fn reducer(&self, ctx: &TaskContext) -> Result<Box<dyn Reducer>>;

    /// The partitioner.
    fn partitioner(&self, ctx: &TaskContext) -> Result<Box<dyn Partitioner>>;

    /// Sorting and grouping order of map output keys; a combiner groups by the sorting order.
    fn comparator(&self, ctx: &TaskContext) -> Result<Arc<dyn RawComparator>>;

    /// The writer of the job's output: of a map if there are no reduces, else of a reduce. It makes its file under
    /// [`TaskContext::output_dir`] with the name that Java would give it.
    fn writer(&self, ctx: &TaskContext) -> Result<Box<dyn RecordWriter>>;
}
