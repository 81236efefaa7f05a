//! Zstandard frames in a row, read as one; written as frames of a mebibyte each, so that memory stays small.
//!
//! Hadoop 3: ZStandardCodec.

use std::io::{self, BufRead, Read, Write};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::input::{self, Input, corrupt};

/// What a frame holds.
const FRAME_LEN: usize = 1 << 20;

/// Writes frames.
pub(super) struct Writer<W> {
    sink: W,
    frame: Vec<u8>,
    empty: bool,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(sink: W) -> Self {
        Writer { sink, frame: Vec::new(), empty: true }
    }

    fn write_frame(&mut self) -> io::Result<()> {
        self.empty = false;
        self.sink.write_all(&compress_to_vec(&self.frame[..], CompressionLevel::Fastest))?;
        self.frame.clear();
        Ok(())
    }

    /// Ends the stream; one of nothing is a frame of no bytes.
    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.empty || !self.frame.is_empty() {
            self.write_frame()?;
        }
        Ok(self.sink)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(FRAME_LEN - self.frame.len());
        self.frame.extend_from_slice(&bytes[..taken]);
        if self.frame.len() == FRAME_LEN {
            self.write_frame()?;
        }
        Ok(taken)
    }

    /// A frame goes out when it is full.
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Reads frames. The decoder refuses windows of more than 100 MiB.
pub(super) struct Reader<R> {
    input: Input<R>,
    decoder: FrameDecoder,
    inside: bool,
    started: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: Input<R>) -> Self {
        Reader { input, decoder: FrameDecoder::new(), inside: false, started: false }
    }

    pub(super) fn position(&self) -> u64 {
        self.input.position()
    }

    /// Goes to the next frame; false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.inside {
            if self.input.is_at_end()? {
                return if self.started { Ok(false) } else { Err(input::empty()) };
            }
            self.started = true;
            match self.decoder.reset(&mut self.input) {
                Ok(()) => self.inside = true,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    if io::copy(&mut self.input.by_ref().take(length), &mut io::sink())? < length {
                        return Err(input::cut("a skipped frame"));
                    }
                }
                Err(error) => return Err(self.broken(&error)),
            }
        }
        Ok(true)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.inside = false;
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            return Err(corrupt("zstd: a frame's checksum is wrong"));
        }
        Ok(())
    }

    fn broken(&mut self, error: &FrameDecoderError) -> io::Error {
        match self.input.is_at_end() {
            Ok(true) => input::cut("a zstd frame"),
            Ok(false) => corrupt(format!("zstd: {error}")),
            Err(error) => error,
        }
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.next_frame()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                if let Err(error) = self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1)) {
                    return Err(self.broken(&error));
                }
            }
            let read = self.decoder.read(buf)?;
            if read > 0 {
                return Ok(read);
            }
            self.end_frame()?;
        }
        Ok(0)
    }
}
