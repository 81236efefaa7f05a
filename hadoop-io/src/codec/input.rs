//! The compressed side of a stream: counts what is used up, and says where something is wrong.

use std::io::{self, BufRead, Read};

/// A buffered source that knows how much of it was used up.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    position: u64,
}

impl<R> Input<R> {
    pub(super) fn new(inner: R) -> Self {
        Input { inner, position: 0 }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }
}

impl<R: BufRead> Input<R> {
    /// Whether nothing is left.
    pub(super) fn is_at_end(&mut self) -> io::Result<bool> {
        loop {
            match self.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                filled => return Ok(filled?.is_empty()),
            }
        }
    }
}

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buf)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.position += amount as u64;
    }
}

/// A stream of no bytes, where the format has at least a header.
pub(super) fn empty() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "a compressed stream of no bytes")
}

/// A stream that ends too early.
pub(super) fn cut(inside: &str) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("the compressed stream ends inside {inside}"))
}

/// Bytes that are not what they should be.
pub(super) fn corrupt(problem: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.into())
}

/// The same error, with its place; reads that are to be tried again pass.
pub(super) fn at(error: io::Error, position: u64) -> io::Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    io::Error::new(error.kind(), format!("{error}, near byte {position} of the compressed stream"))
}
