//! Hadoop's frame around codecs that know blocks only: the length of a block, then its chunks, each a length and as many
//! compressed bytes. Lengths are four bytes, big-endian.
//!
//! Hadoop 1.2.1: BlockCompressorStream, BlockDecompressorStream, SnappyCodec; later Hadoops' Lz4Codec.

use std::io::{self, BufRead, Read, Write};

use super::input::{Input, corrupt, cut};
use crate::format::FormatError;
use crate::stream;

/// `io.compression.codec.snappy.buffersize` and its like where nothing is set.
const BUFFER_LEN: usize = 256 << 10;

/// The largest chunk that is believed, compressed or not: Hadoop's are as large as its buffer.
const CHUNK_LEN_MAX: usize = 64 << 20;

/// What compresses a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Algorithm {
    Snappy,
    Lz4,
}

impl Algorithm {
    /// How much goes into a block, so that the reader's buffer holds it however badly it compresses (Hadoop 1.2.1:
    /// SnappyCodec.createOutputStream).
    fn block_len(self) -> usize {
        match self {
            Algorithm::Snappy => BUFFER_LEN - (BUFFER_LEN / 6 + 32),
            Algorithm::Lz4 => BUFFER_LEN - (BUFFER_LEN / 255 + 16),
        }
    }

    fn pack(self, bytes: &[u8], into: &mut Vec<u8>) -> io::Result<()> {
        let room = match self {
            Algorithm::Snappy => snap::raw::max_compress_len(bytes.len()),
            Algorithm::Lz4 => lz4_flex::block::get_maximum_output_size(bytes.len()),
        };
        into.resize(room, 0);
        let len = match self {
            Algorithm::Snappy => snap::raw::Encoder::new().compress(bytes, into).map_err(io::Error::other)?,
            Algorithm::Lz4 => lz4_flex::block::compress_into(bytes, into).map_err(io::Error::other)?,
        };
        into.truncate(len);
        Ok(())
    }

    /// No more than this comes out of so many bytes: a copy of 64 bytes takes three, a run of 255 one.
    fn unpacked_len_max(self, packed_len: usize) -> usize {
        match self {
            Algorithm::Snappy => packed_len.saturating_mul(22),
            Algorithm::Lz4 => packed_len.saturating_mul(255),
        }
    }

    /// Puts what is in a chunk in place of what `into` holds: at most `len_max` bytes.
    fn unpack(self, packed: &[u8], len_max: usize, into: &mut Vec<u8>) -> io::Result<()> {
        let len_max = len_max.min(self.unpacked_len_max(packed.len())).min(CHUNK_LEN_MAX);
        into.clear();
        let unpacked = match self {
            Algorithm::Snappy => {
                let len = snap::raw::decompress_len(packed).map_err(|error| corrupt(format!("snappy: {error}")))?;
                if len > len_max {
                    return Err(corrupt(format!("snappy: a chunk of {len} bytes where at most {len_max} can be")));
                }
                into.resize(len, 0);
                snap::raw::Decoder::new().decompress(packed, into).map_err(|error| format!("snappy: {error}"))
            }
            Algorithm::Lz4 => {
                into.resize(len_max, 0);
                lz4_flex::block::decompress_into(packed, into).map_err(|error| format!("lz4: {error}"))
            }
        };
        into.truncate(unpacked.map_err(corrupt)?);
        if into.is_empty() { Err(corrupt("a chunk of nothing")) } else { Ok(()) }
    }
}

/// Writes blocks of one chunk each.
pub(super) struct BlockWriter<W> {
    sink: W,
    algorithm: Algorithm,
    block: Vec<u8>,
    packed: Vec<u8>,
    empty: bool,
}

impl<W: Write> BlockWriter<W> {
    pub(super) fn new(sink: W, algorithm: Algorithm) -> Self {
        BlockWriter { sink, algorithm, block: Vec::new(), packed: Vec::new(), empty: true }
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.empty = false;
        self.sink.write_all(&(self.block.len() as u32).to_be_bytes())?;
        if self.block.is_empty() {
            return Ok(());
        }
        self.algorithm.pack(&self.block, &mut self.packed)?;
        self.block.clear();
        self.sink.write_all(&(self.packed.len() as u32).to_be_bytes())?;
        self.sink.write_all(&self.packed)
    }

    /// Ends the stream; one of nothing is a block of no bytes.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.empty || !self.block.is_empty() {
            self.write_block()?;
        }
        Ok(self.sink)
    }
}

impl<W: Write> Write for BlockWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.algorithm.block_len() - self.block.len();
        let taken = bytes.len().min(room);
        self.block.extend_from_slice(&bytes[..taken]);
        if taken == room {
            self.write_block()?;
        }
        Ok(taken)
    }

    /// A block goes out when it is full.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Reads blocks of any number of chunks.
pub(super) struct BlockReader<R> {
    input: Input<R>,
    algorithm: Algorithm,
    /// What the chunks to come of this block hold.
    left: usize,
    packed: Vec<u8>,
    chunk: Vec<u8>,
    at: usize,
}

impl<R: BufRead> BlockReader<R> {
    pub(super) fn new(input: Input<R>, algorithm: Algorithm) -> Self {
        BlockReader { input, algorithm, left: 0, packed: Vec::new(), chunk: Vec::new(), at: 0 }
    }

    pub(super) fn position(&self) -> u64 {
        self.input.position()
    }

    /// Goes to the next chunk; false at the end.
    fn next_chunk(&mut self) -> io::Result<bool> {
        while self.left == 0 {
            if self.input.is_at_end()? {
                return Ok(false);
            }
            self.left = self.length("a block's length", i32::MAX as usize)?;
        }
        let len = self.length("a chunk's length", CHUNK_LEN_MAX)?;
        self.packed.clear();
        stream::read_bytes(&mut self.input, len, &mut self.packed, "a chunk").map_err(broken)?;
        self.algorithm.unpack(&self.packed, self.left, &mut self.chunk)?;
        self.left -= self.chunk.len();
        self.at = 0;
        Ok(true)
    }

    fn length(&mut self, what: &'static str, max: usize) -> io::Result<usize> {
        let len = stream::read_int(&mut self.input, what).map_err(broken)?;
        usize::try_from(len)
            .ok()
            .filter(|len| *len <= max)
            .ok_or_else(|| corrupt(format!("{what} is {len}; expected 0 to {max}")))
    }
}

fn broken(error: FormatError) -> io::Error {
    match error {
        FormatError::Io(error) => error,
        FormatError::Truncated(inside) => cut(inside),
        other => corrupt(other.to_string()),
    }
}

impl<R: BufRead> Read for BlockReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() && !self.next_chunk()? {
            return Ok(0);
        }
        let ready = &self.chunk[self.at..];
        let len = ready.len().min(buf.len());
        buf[..len].copy_from_slice(&ready[..len]);
        self.at += len;
        Ok(len)
    }
}
