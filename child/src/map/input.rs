//! A map's split and its records, counted.
//!
//! Hadoop 1.2.1: MapTask.getSplitDetails, TrackedRecordReader and NewTrackingRecordReader.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use configuration::keys;
use hadoop_io::DataInput;
use storage::{FileSystem, Path, Storage};
use types::TaskSplitIndex;
use wire::splits::{self, Split};

use crate::api::{FileSplit, InputSplit, Library, RecordReader, Result, TaskContext, TaskError};
use crate::counters::{self, names, task_counter};
use crate::reporter::{CounterHandle, Reporter};

/// The most that is read of one split.
const SPLIT_LEN_MAX: u64 = 1 << 20;

/// Reads a split from the job's file of splits.
pub(crate) fn read_split(storage: &Storage, index: &TaskSplitIndex) -> Result<InputSplit> {
    let path = Path::parse(&index.split_location)?;
    let offset = u64::try_from(index.start_offset)
        .map_err(|_| TaskError::io_exception(format!("{path}: a split at offset {}", index.start_offset)))?;
    let mut file = storage.for_path(&path)?.open(&path)?;
    file.seek(SeekFrom::Start(offset)).map_err(TaskError::io(format!("read {path}")))?;
    let mut bytes = Vec::new();
    file.take(SPLIT_LEN_MAX).read_to_end(&mut bytes).map_err(TaskError::io(format!("read {path}")))?;
    parse_split(&bytes).map_err(TaskError::decode(format!("the split at {offset} of {path}")))?
}

fn parse_split(bytes: &[u8]) -> std::result::Result<Result<InputSplit>, hadoop_io::DecodeError> {
    let mut input = DataInput::new(bytes);
    let class = input.text()?;
    let body = input.rest().to_vec();
    let file = match splits::read_split(&mut DataInput::new(bytes))? {
        Split::File(split) => Some(split),
        Split::Other(_) => None,
    };
    Ok(file.map(file_split).transpose().map(|file| InputSplit { class, bytes: body, file }))
}

fn file_split(split: splits::FileSplit) -> Result<FileSplit> {
    let number = |what: &str, value: i64| {
        u64::try_from(value).map_err(|_| TaskError::io_exception(format!("a split's {what} is {value}")))
    };
    Ok(FileSplit {
        path: Path::parse(&split.path)?,
        start: number("start", split.start)?,
        length: number("length", split.length)?,
    })
}

/// How long a split is in the file, its class name included.
fn stored_len(split: &InputSplit, body_len: usize) -> usize {
    let class_len = split.class.len();
    hadoop_io::vlong_len(class_len as i64) + class_len + body_len
}

/// A reader that counts.
pub(crate) struct TrackedReader {
    reader: Box<dyn RecordReader>,
    records: CounterHandle,
    /// Only the old interface counts these.
    input_bytes: Option<CounterHandle>,
    file_bytes: CounterHandle,
    file_system: Option<Arc<dyn FileSystem>>,
    /// The split's file, for messages.
    file: Option<Path>,
    reporter: Reporter,
}

impl TrackedReader {
    /// Opens the split.
    pub(crate) fn open(library: &Arc<dyn Library>, split: &InputSplit, ctx: &TaskContext) -> Result<Self> {
        let reporter = &ctx.reporter;
        let new_api = ctx.conf.get_or(&keys::MAPRED_MAPPER_NEW_API, false);
        let split_bytes = task_counter(reporter, names::SPLIT_RAW_BYTES);
        let records = task_counter(reporter, names::MAP_INPUT_RECORDS);
        let input_bytes = (!new_api).then(|| task_counter(reporter, names::MAP_INPUT_BYTES));
        let file_bytes = counters::bytes_read(reporter);
        let file = split.file.as_ref().map(|file| file.path.clone());
        let file_system = file.as_ref().map(|path| ctx.storage.for_path(path)).transpose()?;
        let before = bytes_read(&file_system);
        let input = library.open_input(split, ctx)?;
        file_bytes.add((bytes_read(&file_system) - before) as i64);
        let body_len = split.stored_body_len().unwrap_or(input.split_len);
        split_bytes.add(stored_len(split, body_len) as i64);
        let reader = input.reader;
        Ok(TrackedReader { reader, records, input_bytes, file_bytes, file_system, file, reporter: reporter.clone() })
    }

    /// Ends the reading.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.close()
    }

    fn failed(&self, error: TaskError) -> TaskError {
        match (&self.file, error) {
            (Some(file), error @ (TaskError::Storage { .. } | TaskError::Io { .. } | TaskError::Format { .. })) => {
                TaskError::io_exception(format!("IO error in map input file {file}: {error}"))
            }
            (_, error) => error,
        }
    }
}

fn bytes_read(file_system: &Option<Arc<dyn FileSystem>>) -> u64 {
    file_system.as_ref().map_or(0, |file_system| file_system.statistics().bytes_read())
}

impl RecordReader for TrackedReader {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        let position = if self.input_bytes.is_some() { self.reader.position() } else { 0 };
        let before = bytes_read(&self.file_system);
        let found = self.reader.next(key, value).map_err(|error| self.failed(error))?;
        // Quirk: what the last, vain look reads counts nowhere.
        if found {
            self.records.add(1);
            self.file_bytes.add((bytes_read(&self.file_system) - before) as i64);
            if let Some(input_bytes) = &self.input_bytes {
                input_bytes.add(self.reader.position().wrapping_sub(position) as i64);
            }
        }
        self.reporter.set_progress(self.reader.progress());
        Ok(found)
    }

    fn progress(&self) -> f32 {
        self.reader.progress()
    }

    fn position(&self) -> u64 {
        self.reader.position()
    }

    fn close(&mut self) -> Result<()> {
        let before = bytes_read(&self.file_system);
        self.reader.close()?;
        self.file_bytes.add((bytes_read(&self.file_system) - before) as i64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_of_both_interfaces_are_read_where_they_stand() {
        let split = splits::FileSplit { path: "file:/in/a".to_owned(), start: 5, length: 10 };
        let mut writer = splits::SplitWriter::new();
        let offsets = [writer.push(&split.store_old()), writer.push(&split.store_new())];
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("job.split");
        let bytes = writer.into_bytes();
        std::fs::write(&file, &bytes).unwrap();
        let storage = Storage::local(storage::LocalFileSystem::new());
        let ends = [offsets[1] as usize, bytes.len()];
        for (offset, end) in offsets.into_iter().zip(ends) {
            let index = TaskSplitIndex { split_location: format!("file:{}", file.display()), start_offset: offset };
            let read = read_split(&storage, &index).unwrap();
            let path = Path::parse("file:/in/a").unwrap();
            let expected = FileSplit { path, start: 5, length: 10 };
            assert_eq!(read.file.as_ref(), Some(&expected));
            assert_eq!(stored_len(&read, read.stored_body_len().unwrap()), end - offset as usize);
        }
    }
}
