//! Reads the blocks of a bzip2 file that belong to a split.
//!
//! Hadoop 1.2.1: BZip2Codec.createInputStream with READ_MODE.BYBLOCK, CBZip2InputStream. Its reader tells as position
//! where the mark of the current block ends, and moves it on when the first byte of the next block is read; whoever reads
//! lines ends by that. Streams in a row are read as one.
//!
//! Different from Hadoop on purpose: there the position of all blocks but the first is one more, so that a block whose
//! mark ends exactly where a split does is read by no split.

use std::fmt;
use std::io::{self, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bzip2::Decompress;

use super::bzip2_bits::{BLOCK_MARK, Bits, END_MARK, MARK_BITS};
use super::input::{at, corrupt, cut};

/// Makes a block of any stream the first block of one.
const STREAM_HEAD: &[u8] = b"BZh9\x31\x41\x59\x26\x53\x59";

/// How many bits too many the decoder may have taken when it has a whole block.
const READ_AHEAD_BITS: u64 = 64;

/// A file that has no mark up to here is no bzip2 file; a large one should not be read to its end to find that.
const FIRST_MARK_MAX: u64 = 1 << 20;

/// A block that is being given out.
struct Block {
    decoder: Decompress,
    /// Where the bits start that the decoder has not taken, but for its reading ahead.
    bit: u64,
    /// Where the block's own bits start.
    start: u64,
    whole: bool,
}

/// See the module.
pub struct Bzip2Split<S> {
    bits: Bits<S>,
    block: Option<Block>,
    start: u64,
    position: Arc<AtomicU64>,
    bytes: Vec<u8>,
}

impl<S> fmt::Debug for Bzip2Split<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bzip2Split").field("position", &self.position).finish_non_exhaustive()
    }
}

impl<S: Read + Seek> Bzip2Split<S> {
    /// Goes to the first block of the split that starts at this byte.
    ///
    /// # Errors
    /// What the stream below fails with, or if its start is not that of a bzip2 file.
    pub fn open(source: S, start: u64) -> io::Result<Self> {
        let mut bits = Bits::new(source);
        bits.seek(0)?;
        // The first mark stands behind a header of four bytes, others may stand anywhere: look back as far.
        let mut from = match bits.find_block(0, FIRST_MARK_MAX)? {
            Some(mark) => start.saturating_sub(byte_behind(mark)),
            None => {
                check_empty(&mut bits)?;
                0
            }
        };
        let mut mark = Self::go_to(&mut bits, from)?;
        if mark.map_or(bits.end(), byte_behind) <= start {
            from = start;
            mark = Self::go_to(&mut bits, from)?;
        }
        let position = mark.map_or(bits.end(), byte_behind);
        let block = mark.map(Block::new).transpose()?;
        Ok(Bzip2Split { bits, block, start: from, position: Arc::new(AtomicU64::new(position)), bytes: Vec::new() })
    }

    fn go_to(bits: &mut Bits<S>, byte: u64) -> io::Result<Option<u64>> {
        bits.seek(byte)?;
        bits.find_block(byte * 8, u64::MAX)
    }

    /// Where the split was begun to be read: its own start, or somewhat before (Hadoop 1.2.1: getAdjustedStart).
    pub fn start(&self) -> u64 {
        self.start
    }

    /// What is told as position in the compressed file, for others to look at.
    pub fn position(&self) -> Arc<AtomicU64> {
        self.position.clone()
    }

    /// Reads of the current block only; 0 at its end.
    fn read_block(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(block) = &mut self.block else { return Ok(0) };
        let mut filled = 0;
        while filled < buf.len() {
            if !block.whole {
                block.feed(&mut self.bits, &mut self.bytes)?;
            }
            let made = block.take(&mut buf[filled..])?;
            block.whole |= made > 0;
            filled += made;
            if made == 0 && block.whole {
                break;
            }
        }
        Ok(filled)
    }

    /// Goes to the block behind the one that ended; to none at the end of the file.
    fn next_block(&mut self) -> io::Result<()> {
        let Some(block) = self.block.take() else { return Ok(()) };
        let mark = match block.find_mark(&mut self.bits)? {
            (BLOCK_MARK, behind) => Some(behind),
            (_, behind) => self.bits.find_block(behind, u64::MAX)?,
        };
        self.block = mark.map(Block::new).transpose()?;
        self.position.store(mark.map_or(self.bits.end(), byte_behind), Ordering::Relaxed);
        Ok(())
    }

    fn byte(&self) -> u64 {
        self.block.as_ref().map_or(self.bits.end(), |block| block.bit / 8)
    }
}

impl<S: Read + Seek> Read for Bzip2Split<S> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let read = (|| {
            let read = self.read_block(buf)?;
            if read > 0 || self.block.is_none() {
                return Ok(read);
            }
            self.next_block()?;
            self.read_block(&mut buf[..1])
        })();
        read.map_err(|error| at(error, self.byte()))
    }
}

impl Block {
    /// A block whose mark ends at this bit.
    fn new(bit: u64) -> io::Result<Self> {
        let mut decoder = Decompress::new(false);
        decoder.decompress(STREAM_HEAD, &mut []).map_err(|_| corrupt("a bzip2 decoder refuses to start"))?;
        Ok(Block { decoder, bit, start: bit, whole: false })
    }

    /// Gives the decoder more bits. With no room for what it makes, it stops at the end of the block.
    fn feed<S: Read + Seek>(&mut self, bits: &mut Bits<S>, bytes: &mut Vec<u8>) -> io::Result<()> {
        bits.bytes_from(self.bit, bytes)?;
        if bytes.is_empty() {
            return Err(cut("a bzip2 block"));
        }
        let before = self.decoder.total_in();
        self.decoder.decompress(bytes, &mut []).map_err(|_| corrupt("a bzip2 block is corrupt"))?;
        let used = self.decoder.total_in() - before;
        self.bit += used * 8;
        self.whole = used < bytes.len() as u64;
        Ok(())
    }

    /// Takes what the decoder makes without more bits; it checks the block's checksum at the end.
    fn take(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let before = self.decoder.total_out();
        self.decoder.decompress(&[], buf).map_err(|_| corrupt("a bzip2 block is corrupt"))?;
        Ok((self.decoder.total_out() - before) as usize)
    }

    /// The mark behind the block, and where it ends.
    fn find_mark<S: Read + Seek>(&self, bits: &mut Bits<S>) -> io::Result<(u64, u64)> {
        for bit in self.bit.saturating_sub(READ_AHEAD_BITS).max(self.start)..=self.bit {
            match bits.mark_at(bit)? {
                Some(mark @ (BLOCK_MARK | END_MARK)) => return Ok((mark, bit + MARK_BITS)),
                Some(_) => {}
                None => return Err(cut("a bzip2 stream")),
            }
        }
        Err(corrupt("no mark stands behind a bzip2 block"))
    }
}

/// The byte behind the one that holds the bit before this one.
fn byte_behind(bit: u64) -> u64 {
    bit.div_ceil(8)
}

/// A file without a block must be an empty one, or an empty stream.
fn check_empty<S: Read + Seek>(bits: &mut Bits<S>) -> io::Result<()> {
    bits.seek(0)?;
    let mark = bits.mark_at(32)?;
    match (bits.end(), mark) {
        (0, _) | (_, Some(END_MARK)) => Ok(()),
        (_, None) => Err(at(cut("a bzip2 header"), bits.end())),
        _ => Err(at(corrupt("no bzip2 block is there"), 0)),
    }
}
