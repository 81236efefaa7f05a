//! Primitive encodings straight from and to streams. Lengths are believed only as far as bytes follow.

use std::io::{self, Read, Write};

use crate::format::{FormatError, Result};

/// What is reserved at once for a length that was read, whatever it says.
const RESERVE_MAX: usize = 1 << 20;

pub(crate) fn read_array<const N: usize>(source: &mut impl Read, what: &'static str) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes).map_err(|error| truncated(error, what))?;
    Ok(bytes)
}

/// An early end as the format's own error.
pub(crate) fn truncated(error: io::Error, what: &'static str) -> FormatError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => FormatError::Truncated(what),
        _ => FormatError::Io(error),
    }
}

pub(crate) fn read_int(source: &mut impl Read, what: &'static str) -> Result<i32> {
    Ok(i32::from_be_bytes(read_array(source, what)?))
}

/// How many bytes follow the first one of a vlong, and whether the number is negative.
pub(crate) fn vlong_tail(first: u8) -> (usize, bool) {
    match first as i8 {
        byte @ -120..=-113 => ((-112 - i32::from(byte)) as usize, false),
        byte if byte < -120 => ((-120 - i32::from(byte)) as usize, true),
        _ => (0, false),
    }
}

pub(crate) fn read_vlong(source: &mut impl Read, what: &'static str) -> Result<i64> {
    let [first] = read_array(source, what)?;
    let (tail, negative) = vlong_tail(first);
    if tail == 0 {
        return Ok(i64::from(first as i8));
    }
    let mut bytes = [0; 8];
    source.read_exact(&mut bytes[8 - tail..]).map_err(|error| truncated(error, what))?;
    let value = i64::from_be_bytes(bytes);
    Ok(if negative { !value } else { value })
}

/// A length: a vlong from 0 to the greatest int.
pub(crate) fn read_vlen(source: &mut impl Read, what: &'static str) -> Result<usize> {
    length(read_vlong(source, what)?, what)
}

/// A length: an int of 0 or more.
pub(crate) fn read_len(source: &mut impl Read, what: &'static str) -> Result<usize> {
    length(i64::from(read_int(source, what)?), what)
}

pub(crate) fn length(value: i64, what: &'static str) -> Result<usize> {
    match i32::try_from(value) {
        Ok(len) if len >= 0 => Ok(len as usize),
        _ => Err(FormatError::Length { what, value, expected: "0 to 2147483647" }),
    }
}

/// Appends `len` bytes; room is made only as they come.
pub(crate) fn read_bytes(source: &mut impl Read, len: usize, into: &mut Vec<u8>, what: &'static str) -> Result<()> {
    into.reserve(len.min(RESERVE_MAX));
    let read = source.by_ref().take(len as u64).read_to_end(into)?;
    if read < len { Err(FormatError::Truncated(what)) } else { Ok(()) }
}

pub(crate) fn read_text(source: &mut impl Read, what: &'static str) -> Result<String> {
    let len = read_vlen(source, what)?;
    let mut bytes = Vec::new();
    read_bytes(source, len, &mut bytes, what)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Counts the bytes that go through.
#[derive(Debug)]
pub(crate) struct CountingWriter<W> {
    pub(crate) inner: W,
    pub(crate) count: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
