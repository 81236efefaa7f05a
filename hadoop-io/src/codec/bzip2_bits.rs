//! A bzip2 file as bits: its blocks start at any bit, behind a mark of 48 bits.

use std::io::{self, Read, Seek, SeekFrom};

/// What stands before a block.
pub(super) const BLOCK_MARK: u64 = 0x3141_5926_5359;
/// What stands at a stream's end.
pub(super) const END_MARK: u64 = 0x1772_4538_5090;
/// How long a mark is.
pub(super) const MARK_BITS: u64 = 48;

/// What is read at once: what Hadoop's buffer holds (Hadoop 1.2.1: CBZip2InputStream), since the reads are counted.
const READ_LEN: usize = 9 << 10;

/// What stays in the buffer before the place that was read last: a decoder may have taken eight bytes too many.
const KEPT_LEN: u64 = 16;

/// See the module. Places are counted in bits from the start of the file.
pub(super) struct Bits<S> {
    source: S,
    buffer: Vec<u8>,
    /// Where the buffer starts, in bytes.
    buffer_at: u64,
    ended: bool,
}

impl<S: Read + Seek> Bits<S> {
    pub(super) fn new(source: S) -> Self {
        Bits { source, buffer: Vec::new(), buffer_at: 0, ended: false }
    }

    /// Goes to a byte.
    pub(super) fn seek(&mut self, byte: u64) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(byte))?;
        self.buffer.clear();
        (self.buffer_at, self.ended) = (byte, false);
        Ok(())
    }

    /// Where the bytes end that are in the buffer, in bytes; after everything was read, where the file ends.
    pub(super) fn end(&self) -> u64 {
        self.buffer_at + self.buffer.len() as u64
    }

    /// Reads on, and forgets what lies well before `bit`; false at the end of the file.
    fn read_more(&mut self, bit: u64) -> io::Result<bool> {
        let forgotten = (bit / 8).saturating_sub(KEPT_LEN).clamp(self.buffer_at, self.end());
        self.buffer.drain(..(forgotten - self.buffer_at) as usize);
        self.buffer_at = forgotten;
        let filled = self.buffer.len();
        self.buffer.resize(filled + READ_LEN, 0);
        let read = loop {
            match self.source.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(!self.ended)
    }

    /// Finds the first block mark that starts at `bit` or behind it; answers where it ends. Gives up about `bytes_max`
    /// bytes further on.
    pub(super) fn find_block(&mut self, bit: u64, bytes_max: u64) -> io::Result<Option<u64>> {
        let mut window = 0u64;
        let mut byte = bit / 8;
        loop {
            while byte >= self.end() {
                if byte - bit / 8 > bytes_max || !self.read_more(byte * 8)? {
                    return Ok(None);
                }
            }
            let ready = &self.buffer[(byte - self.buffer_at) as usize..];
            for (next, value) in (byte + 1..).zip(ready) {
                window = (window << 8) | u64::from(*value);
                let found = (0..8).rev().find(|low| (window >> low) & MARK_MASK == BLOCK_MARK);
                if let Some(low) = found.filter(|low| next * 8 - low >= bit + MARK_BITS) {
                    return Ok(Some(next * 8 - low));
                }
            }
            byte = self.end();
        }
    }

    /// The mark at `bit`, or what stands in its place; none if the file ends before.
    pub(super) fn mark_at(&mut self, bit: u64) -> io::Result<Option<u64>> {
        let last = (bit + MARK_BITS - 1) / 8;
        while last >= self.end() {
            if self.ended || !self.read_more(bit)? {
                return Ok(None);
            }
        }
        let bytes = &self.buffer[(bit / 8 - self.buffer_at) as usize..=(last - self.buffer_at) as usize];
        let window = bytes.iter().fold(0u64, |window, byte| (window << 8) | u64::from(*byte));
        Ok(Some((window >> ((last + 1) * 8 - bit - MARK_BITS)) & MARK_MASK))
    }

    /// Puts the bits from `bit` on, as bytes, in place of what `into` holds; no bytes at the end of the file. The last
    /// byte of the file is filled up with zeros.
    pub(super) fn bytes_from(&mut self, bit: u64, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        // One byte more than is given out, for the bits of the last one.
        while bit / 8 + 1 >= self.end() && !self.ended {
            self.read_more(bit)?;
        }
        let ready = self.buffer.get((bit / 8).saturating_sub(self.buffer_at) as usize..).unwrap_or_default();
        let shift = bit % 8;
        if shift == 0 {
            into.extend_from_slice(ready);
            return Ok(());
        }
        into.extend(ready.windows(2).map(|pair| (pair[0] << shift) | (pair[1] >> (8 - shift))));
        if let (true, Some(last)) = (self.ended, ready.last()) {
            into.push(last << shift);
        }
        Ok(())
    }
}

const MARK_MASK: u64 = (1 << MARK_BITS) - 1;
