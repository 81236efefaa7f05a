//! Reads a sequence file, from its start or from any sync mark.

use std::fmt;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};

use super::{Compression, Header, SYNC_ENTRY_LEN, SYNC_ESCAPE, SYNC_LEN, Sync, wrong};
use crate::Codec;
use crate::codec::Decompressor;
use crate::format::{FormatError, Result};
use crate::stream;

/// What is read at once. A reader of a split that read far ahead would count bytes that are not its own.
const BUFFER_LEN: usize = 4096;

/// The longest value: an array of Java's holds no more.
const VALUE_LEN_MAX: u64 = i32::MAX as u64;

/// A stream that knows where it stands without asking.
struct Positioned<R> {
    inner: BufReader<R>,
    at: u64,
}

impl<R: Read> Read for Positioned<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buf)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Read + Seek> Positioned<R> {
    fn go_to(&mut self, at: u64) -> io::Result<()> {
        self.inner.seek(SeekFrom::Start(at))?;
        self.at = at;
        Ok(())
    }
}

type Part = BufReader<Decompressor<Cursor<Vec<u8>>>>;

/// A block whose records are being given out; its parts are decompressed as they are needed.
struct Block {
    left: usize,
    key_lens: Part,
    keys: Part,
    value_lens: Part,
    values: Part,
}

/// Reads a sequence file.
pub struct Reader<R> {
    source: Positioned<R>,
    header: Header,
    sync: Sync,
    end: u64,
    sync_seen: bool,
    block: Option<Block>,
    packed: Vec<u8>,
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("header", &self.header).field("at", &self.source.at).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads the header of a file of `len` bytes.
    ///
    /// # Errors
    /// If it is no sequence file, or its codec has no twin.
    pub fn new(source: R, len: u64) -> Result<Self> {
        let mut source = Positioned { inner: BufReader::with_capacity(BUFFER_LEN, source), at: 0 };
        let (header, sync) = Header::read(&mut source)?;
        Ok(Reader { source, header, sync, end: len, sync_seen: false, block: None, packed: Vec::new() })
    }

    /// Classes, compression, metadata.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The file's sync mark.
    pub fn sync_mark(&self) -> &Sync {
        &self.sync
    }

    /// Where the reader stands in the file; within a block, behind it.
    pub fn position(&self) -> u64 {
        self.source.at
    }

    /// Whether the last [`Reader::next`] passed a sync mark. A split ends before the first record behind its end that
    /// follows a mark (Hadoop 1.2.1: SequenceFileRecordReader.next).
    pub fn sync_seen(&self) -> bool {
        self.sync_seen
    }

    /// Goes to the first sync mark that starts at `position` or later, or to the end (Hadoop 1.2.1: Reader.sync).
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn sync(&mut self, position: u64) -> Result<()> {
        self.block = None;
        if position + SYNC_ENTRY_LEN >= self.end {
            return Ok(self.source.go_to(self.end)?);
        }
        // Quirk: what precedes the mark is not looked at, so the escape may lie before `position`.
        self.source.go_to(position + 4)?;
        let mut window: Sync = stream::read_array(&mut self.source, "a sync mark")?;
        let mut oldest = 0;
        while self.source.at < self.end {
            if (0..SYNC_LEN).all(|at| window[(oldest + at) % SYNC_LEN] == self.sync[at]) {
                let mark = self.source.at - SYNC_ENTRY_LEN;
                return Ok(self.source.go_to(mark)?);
            }
            [window[oldest]] = stream::read_array(&mut self.source, "a sync mark")?;
            oldest = (oldest + 1) % SYNC_LEN;
        }
        Ok(())
    }

    /// Puts the next record in place of what `key` and `value` hold; false at the end of the file.
    ///
    /// # Errors
    /// If the file is broken.
    pub fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        key.clear();
        value.clear();
        match self.header.compression {
            Compression::None => self.next_single(key, value),
            Compression::Record(codec) => {
                let mut packed = std::mem::take(&mut self.packed);
                packed.clear();
                let found = self.next_single(key, &mut packed)?;
                if found {
                    codec.unpack(&packed, value)?;
                }
                self.packed = packed;
                Ok(found)
            }
            Compression::Block(codec) => self.next_in_block(codec, key, value),
        }
    }

    fn next_single(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        let Some(record_len) = self.record_len()? else { return Ok(false) };
        let key_len = stream::read_len(&mut self.source, "a key's length")?;
        let value_len = record_len.checked_sub(key_len).ok_or(FormatError::Length {
            what: "a key's length",
            value: key_len as i64,
            expected: "at most the record's",
        })?;
        stream::read_bytes(&mut self.source, key_len, key, "a key")?;
        stream::read_bytes(&mut self.source, value_len, value, "a value")?;
        Ok(true)
    }

    fn record_len(&mut self) -> Result<Option<usize>> {
        if self.source.at >= self.end {
            return Ok(None);
        }
        let mut len = stream::read_int(&mut self.source, "a record's length")?;
        self.sync_seen = len == SYNC_ESCAPE;
        if self.sync_seen {
            self.check_mark()?;
            if self.source.at >= self.end {
                return Ok(None);
            }
            len = stream::read_int(&mut self.source, "a record's length")?;
        }
        if len == SYNC_ESCAPE {
            return Ok(None);
        }
        stream::length(i64::from(len), "a record's length").map(Some)
    }

    fn check_mark(&mut self) -> Result<()> {
        let mark: Sync = stream::read_array(&mut self.source, "a sync mark")?;
        if mark == self.sync { Ok(()) } else { Err(wrong("a sync mark in it is not its own")) }
    }

    fn next_in_block(&mut self, codec: Codec, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        self.sync_seen = false;
        if self.block.as_ref().is_none_or(|block| block.left == 0) {
            self.block = None;
            if self.source.at >= self.end {
                return Ok(false);
            }
            match self.read_block(codec)? {
                None => return Ok(false),
                Some(block) => self.block = Some(block),
            }
        }
        let Some(block) = self.block.as_mut().filter(|block| block.left > 0) else { return Ok(false) };
        block.left -= 1;
        let key_len = stream::read_vlen(&mut block.key_lens, "a key's length")?;
        stream::read_bytes(&mut block.keys, key_len, key, "a key")?;
        let value_len = stream::read_vlen(&mut block.value_lens, "a value's length")?;
        stream::read_bytes(&mut block.values, value_len, value, "a value")?;
        Ok(true)
    }

    fn read_block(&mut self, codec: Codec) -> Result<Option<Block>> {
        // Quirk: a file that is cut before the values of a block ends there without an error (Reader.next).
        let (left, key_lens, keys) = match self.read_block_keys() {
            Err(FormatError::Truncated(_)) => return Ok(None),
            keys => keys?,
        };
        let value_lens = self.read_packed("a block's value lengths")?;
        let values = self.read_packed("a block's values")?;
        let part = |bytes| BufReader::with_capacity(16 << 10, codec.buffered_reader(Cursor::new(bytes)));
        Ok(Some(Block {
            left,
            key_lens: part(key_lens),
            keys: part(keys),
            value_lens: part(value_lens),
            values: part(values),
        }))
    }

    fn read_block_keys(&mut self) -> Result<(usize, Vec<u8>, Vec<u8>)> {
        stream::read_int(&mut self.source, "a block's escape")?;
        self.check_mark()?;
        self.sync_seen = true;
        let left = stream::read_vlen(&mut self.source, "a block's record count")?;
        let key_lens = self.read_packed("a block's key lengths")?;
        Ok((left, key_lens, self.read_packed("a block's keys")?))
    }

    fn read_packed(&mut self, what: &'static str) -> Result<Vec<u8>> {
        let len = stream::read_vlen(&mut self.source, what)?;
        let mut bytes = Vec::new();
        stream::read_bytes(&mut self.source, len, &mut bytes, what)?;
        Ok(bytes)
    }
}

impl Codec {
    /// Appends the decompressed bytes.
    fn unpack(self, bytes: &[u8], into: &mut Vec<u8>) -> Result<()> {
        let before = into.len();
        let read = self.buffered_reader(bytes).take(VALUE_LEN_MAX + 1).read_to_end(into);
        if into.len() as u64 > before as u64 + VALUE_LEN_MAX {
            let (what, value) = ("a value's length after decompression", VALUE_LEN_MAX as i64 + 1);
            return Err(FormatError::Length { what, value, expected: "at most 2147483647" });
        }
        read.map(|_| ()).map_err(|error| stream::truncated(error, "a compressed value"))
    }
}
