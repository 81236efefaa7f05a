//! Input splits as a client leaves them in the staging directory: `job.split` with the splits themselves, and
//! `job.splitmetainfo` with what the JobTracker needs (Hadoop 1.2.1: mapreduce.split.JobSplitWriter, JobSplit,
//! SplitMetaInfoReader; mapred.FileSplit, mapreduce.lib.input.FileSplit).

use std::collections::BTreeSet;

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::SplitMeta;

use crate::Writable;

const SPLIT_MAGIC: &[u8; 3] = b"SPL";
const SPLIT_VERSION: i32 = 1;
const META_MAGIC: &[u8; 8] = b"META-SPL";
const META_VERSION: i32 = 1;

/// The old API's class of a piece of a file.
pub const OLD_FILE_SPLIT: &str = "org.apache.hadoop.mapred.FileSplit";
/// The new API's class of a piece of a file.
pub const NEW_FILE_SPLIT: &str = "org.apache.hadoop.mapreduce.lib.input.FileSplit";

impl Writable for SplitMeta {
    fn write(&self, out: &mut DataOutput) {
        out.vint(self.locations.len() as i32);
        self.locations.iter().for_each(|host| out.text(host));
        out.vlong(self.start_offset);
        out.vlong(self.input_length);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let count = input.vcount(1, "hosts of a split")?;
        Ok(SplitMeta {
            locations: (0..count).map(|_| input.text()).collect::<Result<_, _>>()?,
            start_offset: input.vlong()?,
            input_length: input.vlong()?,
        })
    }
}

/// The file `job.splitmetainfo`: map number by map number.
pub fn write_meta(splits: &[SplitMeta]) -> Vec<u8> {
    let mut out = DataOutput::new();
    out.bytes(META_MAGIC);
    out.vint(META_VERSION);
    out.vint(splits.len() as i32);
    splits.iter().for_each(|split| split.write(&mut out));
    out.into_bytes()
}

/// Reads `job.splitmetainfo`.
pub fn read_meta(bytes: &[u8]) -> Result<Vec<SplitMeta>, DecodeError> {
    let mut input = DataInput::new(bytes);
    if input.bytes(META_MAGIC.len(), "split meta magic")? != META_MAGIC {
        return Err(input.error("split meta magic", "is not META-SPL"));
    }
    let version = input.vint()?;
    if version != META_VERSION {
        return Err(input.error("split meta version", format!("{version}; only {META_VERSION} is known")));
    }
    let count = input.vcount(3, "splits of a job")?;
    (0..count).map(|_| SplitMeta::read(&mut input)).collect()
}

/// A split as it is stored: its Java class and what that class wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSplit {
    /// The class's Java name.
    pub class: String,
    /// Its own bytes.
    pub body: Vec<u8>,
}

/// Writes `job.split`.
#[derive(Debug)]
pub struct SplitWriter {
    out: DataOutput,
}

impl Default for SplitWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl SplitWriter {
    /// Starts the file.
    pub fn new() -> Self {
        let mut out = DataOutput::new();
        out.bytes(SPLIT_MAGIC);
        out.int(SPLIT_VERSION);
        SplitWriter { out }
    }

    /// Appends a split; where in the file it starts.
    pub fn push(&mut self, split: &StoredSplit) -> i64 {
        let offset = self.out.len() as i64;
        self.out.text(&split.class);
        self.out.bytes(&split.body);
        offset
    }

    /// The file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }
}

/// Fails unless `bytes` begin as `job.split` does.
pub fn check_split_header(bytes: &[u8]) -> Result<(), DecodeError> {
    let mut input = DataInput::new(bytes);
    if input.bytes(SPLIT_MAGIC.len(), "split magic")? != SPLIT_MAGIC {
        return Err(input.error("split magic", "is not SPL"));
    }
    match input.int()? {
        SPLIT_VERSION => Ok(()),
        version => Err(input.error("split version", format!("{version}; only {SPLIT_VERSION} is known"))),
    }
}

/// A piece of a file (Hadoop 1.2.1: mapred.FileSplit, mapreduce.lib.input.FileSplit).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSplit {
    /// The file's URI.
    pub path: String,
    /// Its first byte.
    pub start: i64,
    /// How many bytes.
    pub length: i64,
}

impl FileSplit {
    /// The split as the old API stores it.
    pub fn store_old(&self) -> StoredSplit {
        let mut out = DataOutput::new();
        out.utf8(&self.path);
        out.long(self.start);
        out.long(self.length);
        StoredSplit { class: OLD_FILE_SPLIT.to_owned(), body: out.into_bytes() }
    }

    /// The split as the new API stores it.
    pub fn store_new(&self) -> StoredSplit {
        let mut out = DataOutput::new();
        out.text(&self.path);
        out.long(self.start);
        out.long(self.length);
        StoredSplit { class: NEW_FILE_SPLIT.to_owned(), body: out.into_bytes() }
    }
}

/// A split that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Split {
    /// A piece of a file, stored by the old or by the new API.
    File(FileSplit),
    /// Any other class; its body ends where only the class knows.
    Other(String),
}

/// Reads the split at which the input stands. Of a class that is no file split only the name is read.
pub fn read_split(input: &mut DataInput<'_>) -> Result<Split, DecodeError> {
    let class = input.text()?;
    let path = match class.as_str() {
        OLD_FILE_SPLIT => input.utf8()?,
        NEW_FILE_SPLIT => input.text()?,
        _ => return Ok(Split::Other(class)),
    };
    Ok(Split::File(FileSplit { path, start: input.long()?, length: input.long()? }))
}

/// The files of the splits at the start of `job.split`, each named once, in order: as far as `bytes` reach and the splits
/// are pieces of files.
///
/// # Errors
/// If `bytes` do not begin as `job.split` does.
pub fn first_files(bytes: &[u8]) -> Result<Vec<String>, DecodeError> {
    check_split_header(bytes)?;
    let mut input = DataInput::new(&bytes[SPLIT_MAGIC.len() + size_of::<i32>()..]);
    let mut files: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    while let Ok(Split::File(split)) = read_split(&mut input) {
        if seen.insert(split.path.clone()) {
            files.push(split.path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_read_back_at_the_offsets_that_were_told() {
        let splits = [("file:/in/a", 0, 10), ("file:/in/b", 10, 5)].map(|(path, start, length)| FileSplit {
            path: path.to_owned(),
            start,
            length,
        });
        let mut writer = SplitWriter::new();
        let offsets = [writer.push(&splits[0].store_old()), writer.push(&splits[1].store_new())];
        let bytes = writer.into_bytes();
        check_split_header(&bytes).unwrap();
        assert_eq!(offsets[0], 7);
        for (offset, split) in offsets.into_iter().zip(splits) {
            let mut input = DataInput::new(&bytes[offset as usize..]);
            assert_eq!(read_split(&mut input).unwrap(), Split::File(split));
        }
        assert!(check_split_header(b"SPL\0\0\0\x02").is_err());
    }

    #[test]
    fn the_first_files_are_named_once_up_to_a_split_of_another_kind() {
        let file = |path: &str| FileSplit { path: path.to_owned(), start: 0, length: 1 };
        let mut writer = SplitWriter::new();
        writer.push(&file("file:/in/b").store_old());
        writer.push(&file("file:/in/a").store_new());
        writer.push(&file("file:/in/b").store_old());
        let third = writer.push(&file("file:/in/c").store_old()) as usize;
        writer.push(&StoredSplit { class: "my.Split".to_owned(), body: vec![0] });
        writer.push(&file("file:/in/d").store_old());
        let bytes = writer.into_bytes();
        assert_eq!(first_files(&bytes).unwrap(), ["file:/in/b", "file:/in/a", "file:/in/c"]);
        assert_eq!(first_files(&bytes[..third + 3]).unwrap(), ["file:/in/b", "file:/in/a"]);
        assert!(first_files(b"SPL").is_err());
    }
}
