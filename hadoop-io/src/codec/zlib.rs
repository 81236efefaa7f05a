//! zlib streams in a row, read as one (Hadoop 1.2.1: DecompressorStream goes on with the stream behind the one that
//! ended).

use std::io::{self, BufRead, Read};

use flate2::bufread::ZlibDecoder;

use super::input::{self, Input};

/// See the module.
pub(super) struct Reader<R>(State<R>);

enum State<R> {
    Inside(Box<ZlibDecoder<Input<R>>>),
    /// Where the last stream ended.
    Ended(u64),
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(source: Input<R>) -> Self {
        Reader(State::Inside(Box::new(ZlibDecoder::new(source))))
    }

    pub(super) fn position(&self) -> u64 {
        match &self.0 {
            State::Inside(decoder) => decoder.get_ref().position(),
            State::Ended(position) => *position,
        }
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while let State::Inside(decoder) = &mut self.0 {
            let read = decoder.read(buf)?;
            if read > 0 {
                return Ok(read);
            }
            if decoder.total_in() == 0 {
                return Err(input::empty());
            }
            if decoder.get_mut().is_at_end()? {
                self.0 = State::Ended(self.position());
            } else if let State::Inside(decoder) = std::mem::replace(&mut self.0, State::Ended(0)) {
                *self = Reader::new(decoder.into_inner());
            }
        }
        Ok(0)
    }
}
