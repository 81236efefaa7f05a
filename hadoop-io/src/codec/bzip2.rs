//! bzip2 streams in a row, read as one from their start. Text files are read by splits instead: see `bzip2_split`.

use std::io::{self, BufRead, Read};

use bzip2::{Decompress, Status};

use super::input::{self, Input};

/// See the module.
pub(super) struct Reader<R> {
    input: Input<R>,
    decoder: Option<Decompress>,
    started: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: Input<R>) -> Self {
        Reader { input, decoder: None, started: false }
    }

    pub(super) fn position(&self) -> u64 {
        self.input.position()
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let chunk = self.input.fill_buf()?;
            let at_end = chunk.is_empty();
            if self.decoder.is_none() && at_end {
                return if self.started { Ok(0) } else { Err(input::empty()) };
            }
            self.started = true;
            let decoder = self.decoder.get_or_insert_with(|| Decompress::new(false));
            let (used, made) = (decoder.total_in(), decoder.total_out());
            let status = decoder.decompress(chunk, buf);
            let (used, made) = (decoder.total_in() - used, decoder.total_out() - made);
            self.input.consume(used as usize);
            match status.map_err(|_| input::corrupt("a bzip2 block is corrupt"))? {
                Status::StreamEnd => self.decoder = None,
                Status::MemNeeded => return Err(io::ErrorKind::OutOfMemory.into()),
                _ if at_end && made == 0 => return Err(input::cut("a bzip2 block")),
                _ => {}
            }
            if made > 0 {
                return Ok(made as usize);
            }
        }
    }
}
