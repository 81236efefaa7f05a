//! CRC-32 (IEEE, as zlib's) over streams, with the four bytes at the end that Hadoop puts behind a segment.
//!
//! Hadoop 1.2.1: mapred.IFileInputStream, IFileOutputStream.

use std::io::{self, Read, Write};

use crate::format::FormatError;

/// How long a checksum is.
pub const CHECKSUM_LEN: u64 = 4;

/// The CRC-32 of these bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Passes bytes on and appends their checksum at the end.
#[derive(Debug)]
pub struct ChecksumWriter<W> {
    inner: W,
    crc: crc32fast::Hasher,
    count: u64,
}

impl<W: Write> ChecksumWriter<W> {
    /// Writes to `inner`.
    pub fn new(inner: W) -> Self {
        ChecksumWriter { inner, crc: crc32fast::Hasher::new(), count: 0 }
    }

    /// Writes the checksum; returns the stream below and how many bytes went there, the checksum included.
    ///
    /// # Errors
    /// What the stream below fails with.
    pub fn finish(mut self) -> io::Result<(W, u64)> {
        self.inner.write_all(&self.crc.finalize().to_be_bytes())?;
        Ok((self.inner, self.count + CHECKSUM_LEN))
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Gives the bytes before a checksum, and checks it when they are all read.
#[derive(Debug)]
pub struct ChecksumReader<R> {
    inner: R,
    crc: crc32fast::Hasher,
    left: u64,
    checked: bool,
}

impl<R: Read> ChecksumReader<R> {
    /// Reads from `inner`, which gives `part_len` bytes, the last four of them the checksum.
    ///
    /// # Errors
    /// If there is no room for a checksum.
    pub fn new(inner: R, part_len: u64) -> Result<Self, FormatError> {
        let left = part_len.checked_sub(CHECKSUM_LEN).ok_or(FormatError::Length {
            what: "a segment's length",
            value: part_len as i64,
            expected: "4 or more",
        })?;
        Ok(ChecksumReader { inner, crc: crc32fast::Hasher::new(), left, checked: false })
    }

    fn check(&mut self) -> io::Result<()> {
        let mut stored = [0; 4];
        self.inner.read_exact(&mut stored)?;
        let (stored, computed) = (u32::from_be_bytes(stored), self.crc.clone().finalize());
        self.checked = true;
        if stored == computed {
            Ok(())
        } else {
            Err(FormatError::Checksum { what: "a segment of map output", stored, computed }.into_io())
        }
    }
}

impl<R: Read> Read for ChecksumReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            if !self.checked {
                self.check()?;
            }
            return Ok(0);
        }
        let room = buf.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if room == 0 {
            return Ok(0);
        }
        let read = self.inner.read(&mut buf[..room])?;
        if read == 0 {
            return Err(FormatError::Truncated("a segment of map output").into_io());
        }
        self.crc.update(&buf[..read]);
        self.left -= read as u64;
        Ok(read)
    }
}
