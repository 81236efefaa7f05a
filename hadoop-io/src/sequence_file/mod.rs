//! SequenceFile version 6: keys and values of any serialized form, plain, compressed one by one, or in blocks.
//!
//! Hadoop 1.2.1: io.SequenceFile. Files of versions 4 and 5 can be read too.

mod reader;
mod writer;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};

use crate::format::{FormatError, Result};
use crate::stream;
use crate::{Codec, DataOutput};

pub use reader::Reader;
pub use writer::Writer;

const MAGIC: &[u8; 3] = b"SEQ";
const VERSION: u8 = 6;
const OLDEST_VERSION: u8 = 4;
const SYNC_ESCAPE: i32 = -1;
const SYNC_LEN: usize = 16;

/// Escape and mark together.
const SYNC_ENTRY_LEN: u64 = 4 + SYNC_LEN as u64;

/// How many bytes pass, at least, between two marks of a file that has no blocks.
const SYNC_INTERVAL: u64 = 100 * SYNC_ENTRY_LEN;

/// `io.seqfile.compress.blocksize` where nothing is set.
pub const BLOCK_SIZE: usize = 1_000_000;

/// What is compressed, and how (Hadoop 1.2.1: SequenceFile.CompressionType).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Nothing.
    None,
    /// Each value alone.
    Record(Codec),
    /// Keys and values of many records together.
    Block(Codec),
}

impl Compression {
    /// The codec, if there is one.
    pub fn codec(self) -> Option<Codec> {
        match self {
            Compression::None => None,
            Compression::Record(codec) | Compression::Block(codec) => Some(codec),
        }
    }
}

/// The mark by which a reader finds the next record from anywhere.
pub type Sync = [u8; SYNC_LEN];

/// A mark that no other file has.
pub fn random_sync() -> Sync {
    let mut sync = [0; SYNC_LEN];
    for half in sync.chunks_mut(8) {
        half.copy_from_slice(&RandomState::new().hash_one(0u8).to_be_bytes());
    }
    sync
}

/// What stands at the start of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Java class of the keys.
    pub key_class: String,
    /// Java class of the values.
    pub value_class: String,
    /// How records are compressed.
    pub compression: Compression,
    /// Names and values of the writer's own.
    pub metadata: BTreeMap<String, String>,
}

impl Header {
    fn encode(&self, sync: &Sync) -> Vec<u8> {
        let mut out = DataOutput::new();
        out.bytes(MAGIC);
        out.u8(VERSION);
        out.text(&self.key_class);
        out.text(&self.value_class);
        out.bool(self.compression != Compression::None);
        out.bool(matches!(self.compression, Compression::Block(_)));
        if let Some(codec) = self.compression.codec() {
            out.text(codec.class_name());
        }
        out.int(self.metadata.len() as i32);
        for (name, value) in &self.metadata {
            out.text(name);
            out.text(value);
        }
        out.bytes(sync);
        out.into_bytes()
    }

    fn read(source: &mut impl Read) -> Result<(Self, Sync)> {
        let [magic @ .., version] = stream::read_array::<4>(source, "a sequence file's header")?;
        if &magic != MAGIC {
            return Err(wrong("it does not start with SEQ"));
        }
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(wrong(format!("it has version {version}; expected {OLDEST_VERSION} to {VERSION}")));
        }
        let key_class = stream::read_text(source, "the key class")?;
        let value_class = stream::read_text(source, "the value class")?;
        let [compressed, blocks] = stream::read_array::<2>(source, "the compression flags")?;
        let codec = match (compressed != 0, version) {
            (false, _) => None,
            (true, 4) => Some(Codec::Default),
            (true, _) => Some(Codec::of_class(&stream::read_text(source, "the codec class")?)?),
        };
        let compression = match (codec, blocks != 0) {
            (None, false) => Compression::None,
            (None, true) => return Err(wrong("it has blocks without compression")),
            (Some(codec), false) => Compression::Record(codec),
            (Some(codec), true) => Compression::Block(codec),
        };
        let metadata = if version < VERSION { BTreeMap::new() } else { read_metadata(source)? };
        let sync = stream::read_array(source, "the sync mark")?;
        Ok((Header { key_class, value_class, compression, metadata }, sync))
    }
}

fn wrong(problem: impl Into<String>) -> FormatError {
    FormatError::WrongFormat { format: "SequenceFile", problem: problem.into() }
}

fn read_metadata(source: &mut impl Read) -> Result<BTreeMap<String, String>> {
    let count = stream::read_len(source, "the metadata's size")?;
    let mut metadata = BTreeMap::new();
    for _ in 0..count {
        let name = stream::read_text(source, "a metadata name")?;
        metadata.insert(name, stream::read_text(source, "a metadata value")?);
    }
    Ok(metadata)
}

/// Compresses `bytes` as a stream of its own, in place of what `into` holds.
fn pack(codec: Codec, bytes: &[u8], into: &mut Vec<u8>) -> std::io::Result<()> {
    into.clear();
    let mut packer = codec.writer(&mut *into);
    packer.write_all(bytes)?;
    packer.finish().map(|_| ())
}

#[cfg(test)]
mod tests;
