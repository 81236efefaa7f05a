//! Records between a task and its command in binary: raw bytes after their length, or typed bytes, which begin with a
//! code of their type.
//!
//! Hadoop 1.2.1: streaming.io.RawBytesInputWriter, RawBytesOutputReader, TypedBytesInputWriter, TypedBytesOutputReader;
//! typedbytes.TypedBytesInput.readRaw, TypedBytesWritableOutput.

use std::io::{self, BufReader, Read};

use hadoop_io::{DataInput, DecodeError};
use twins::{DataType, OutputReader};

use super::super::data;
use super::super::words::text_to_string;
use super::pipe::Lines;
use crate::input::LineReader;

/// Type codes of typed bytes.
mod code {
    pub(super) const BYTES: u8 = 0;
    pub(super) const BYTE: u8 = 1;
    pub(super) const BOOL: u8 = 2;
    pub(super) const INT: u8 = 3;
    pub(super) const LONG: u8 = 4;
    pub(super) const FLOAT: u8 = 5;
    pub(super) const DOUBLE: u8 = 6;
    pub(super) const STRING: u8 = 7;
    pub(super) const VECTOR: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const MAP: u8 = 10;
    pub(super) const WRITABLE: u8 = 50;
    pub(super) const APPLICATION_MAX: u8 = 200;
    pub(super) const MARKER: u8 = 255;
}

/// How deep typed bytes may be nested.
const DEPTH_MAX: u32 = 1000;

/// Appends a value after its length; byte arrays carry theirs already.
pub(super) fn put_raw(kind: DataType, serialized: &[u8], out: &mut Vec<u8>) {
    if !matches!(kind, DataType::Bytes | DataType::TypedBytes) {
        out.extend_from_slice(&(serialized.len() as i32).to_be_bytes());
    }
    out.extend_from_slice(serialized);
}

/// Appends a value as typed bytes.
///
/// # Errors
/// If the bytes are no value of the type.
pub(super) fn put_typed(kind: DataType, serialized: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
    match kind {
        DataType::TypedBytes => out.extend_from_slice(data::bytes_body(serialized)?),
        DataType::Bytes => {
            data::bytes_body(serialized)?;
            put(code::BYTES, serialized, out);
        }
        DataType::Byte => put(code::BYTE, serialized, out),
        DataType::Boolean => put(code::BOOL, serialized, out),
        DataType::Int => put(code::INT, serialized, out),
        DataType::Long => put(code::LONG, serialized, out),
        DataType::VInt => put(code::INT, &DataInput::new(serialized).vint()?.to_be_bytes(), out),
        DataType::VLong => put(code::LONG, &DataInput::new(serialized).vlong()?.to_be_bytes(), out),
        DataType::Float => put(code::FLOAT, serialized, out),
        DataType::Double => put(code::DOUBLE, serialized, out),
        DataType::Text => {
            // What is no UTF-8 goes as Java decodes it.
            let text = text_to_string(data::text_body(serialized)?);
            put(code::STRING, &(text.len() as i32).to_be_bytes(), out);
            out.extend_from_slice(text.as_bytes());
        }
        DataType::Null | DataType::IntPair => {
            let class = kind.class_name();
            let len = 4 + class.len() + serialized.len();
            put(code::WRITABLE, &(len as i32).to_be_bytes(), out);
            out.extend_from_slice(&(class.len() as i32).to_be_bytes());
            out.extend_from_slice(class.as_bytes());
            out.extend_from_slice(serialized);
        }
    }
    Ok(())
}

fn put(code: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(code);
    out.extend_from_slice(bytes);
}

/// Cuts what a command says into lines, or into keys and values in turn.
pub(super) enum Records<R> {
    /// Lines.
    Text(LineReader<R>),
    /// After their length.
    Raw(BufReader<R>),
    /// By their type.
    Typed(BufReader<R>),
}

impl<R: Read> Records<R> {
    /// Reads `source` in buffers of at most `buffer_size` bytes.
    pub(super) fn new(kind: OutputReader, source: R, buffer_size: usize) -> Self {
        match kind {
            OutputReader::Text => Records::Text(LineReader::of_pipe(source, buffer_size)),
            OutputReader::RawBytes => Records::Raw(BufReader::with_capacity(buffer_size, source)),
            OutputReader::TypedBytes => Records::Typed(BufReader::with_capacity(buffer_size, source)),
        }
    }

    /// Takes the next record: a line, or a key and its value; false at the end.
    ///
    /// # Errors
    /// If the stream breaks, or ends within a record, or holds what is none.
    pub(super) fn next(&mut self, scratch: &mut Vec<u8>, into: &mut Lines) -> io::Result<bool> {
        match self {
            Records::Text(lines) => {
                let read = lines.read_line(scratch, usize::MAX, u64::MAX)? > 0;
                if read {
                    into.push(scratch);
                }
                Ok(read)
            }
            Records::Raw(source) => {
                // Quirk: a negative length ends the output, as its end does.
                let Some(len) = raw_length(source)?.filter(|len| *len >= 0) else { return Ok(false) };
                body(source, len, scratch)?;
                into.push(scratch);
                let len = raw_length(source)?.ok_or_else(|| invalid("a key without a value".to_owned()))?;
                scratch.clear();
                append(source, len, scratch)?;
                into.push(scratch);
                Ok(true)
            }
            Records::Typed(source) => {
                scratch.clear();
                if !typed(source, scratch, 0)? {
                    return Ok(false);
                }
                into.push(scratch);
                scratch.clear();
                if !typed(source, scratch, 0)? {
                    return Err(invalid("a key without a value".to_owned()));
                }
                into.push(scratch);
                Ok(true)
            }
        }
    }

    /// Whether the next record, or part of it, was read already.
    pub(super) fn holds_more(&self) -> bool {
        match self {
            Records::Text(lines) => lines.holds_more(),
            Records::Raw(source) | Records::Typed(source) => !source.buffer().is_empty(),
        }
    }
}

fn body(source: &mut impl Read, len: i32, into: &mut Vec<u8>) -> io::Result<()> {
    into.clear();
    append(source, len, into)
}

/// Believes no length before its bytes are there.
fn append(source: &mut impl Read, len: i32, into: &mut Vec<u8>) -> io::Result<()> {
    let len = u64::try_from(len).map_err(|_| invalid(format!("a length of {len}")))?;
    if source.take(len).read_to_end(into)? as u64 == len { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Quirk: an end within a length is an end like any other.
fn raw_length(source: &mut impl Read) -> io::Result<Option<i32>> {
    let mut bytes = [0; 4];
    match source.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(i32::from_be_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Appends the next typed bytes as they stand; false at the end, and at the mark that ends a list.
fn typed(source: &mut impl Read, into: &mut Vec<u8>, depth: u32) -> io::Result<bool> {
    if depth > DEPTH_MAX {
        return Err(invalid(format!("typed bytes nested deeper than {DEPTH_MAX}")));
    }
    let mut first = [0];
    if source.read(&mut first)? == 0 {
        return Ok(false);
    }
    if first[0] == code::MARKER {
        return Ok(false);
    }
    into.push(first[0]);
    match first[0] {
        code::BYTE | code::BOOL => append(source, 1, into)?,
        code::INT | code::FLOAT => append(source, 4, into)?,
        code::LONG | code::DOUBLE => append(source, 8, into)?,
        code::VECTOR => several(source, 1, into, depth)?,
        code::MAP => several(source, 2, into, depth)?,
        code::LIST => {
            while typed(source, into, depth + 1)? {}
            into.push(code::MARKER);
        }
        code::BYTES | code::STRING | code::WRITABLE..=code::APPLICATION_MAX => {
            let len = length(source, into)?;
            append(source, len, into)?;
        }
        unknown => return Err(invalid(format!("unknown type {unknown}"))),
    }
    Ok(true)
}

/// A count, and so many times `each` values.
fn several(source: &mut impl Read, each: u32, into: &mut Vec<u8>, depth: u32) -> io::Result<()> {
    for _ in 0..length(source, into)? {
        for _ in 0..each {
            if !typed(source, into, depth + 1)? {
                return Err(invalid("an end within a vector or a map".to_owned()));
            }
        }
    }
    Ok(())
}

fn length(source: &mut impl Read, into: &mut Vec<u8>) -> io::Result<i32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    into.extend_from_slice(&bytes);
    Ok(i32::from_be_bytes(bytes))
}

fn invalid(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(kind: OutputReader, bytes: &[u8]) -> io::Result<Vec<Vec<u8>>> {
        let mut records = Records::new(kind, bytes, 16);
        let (mut lines, mut scratch) = (Lines::default(), Vec::new());
        while records.next(&mut scratch, &mut lines)? {}
        Ok(lines.iter().map(<[u8]>::to_vec).collect())
    }

    #[test]
    fn raw_records_are_keys_and_values_after_their_lengths() {
        let bytes = [0, 0, 0, 1, b'k', 0, 0, 0, 2, b'v', b'w', 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(all(OutputReader::RawBytes, &bytes).unwrap(), [&b"k"[..], b"vw", b"", b""]);
        assert_eq!(all(OutputReader::RawBytes, &[0, 0]).unwrap().len(), 0, "an end within a length");
        assert_eq!(all(OutputReader::RawBytes, &[255; 9]).unwrap().len(), 0, "a negative length");
        assert!(all(OutputReader::RawBytes, &bytes[..5]).is_err(), "no value");
        assert!(all(OutputReader::RawBytes, &bytes[..10]).is_err(), "half a value");
        assert!(all(OutputReader::RawBytes, &[0x7f, 255, 255, 255, 1]).is_err(), "2 GiB that are not there");
    }

    #[test]
    fn typed_records_are_as_long_as_their_types_say() {
        let values: [&[u8]; 9] = [
            &[0, 0, 0, 0, 1, 9],
            &[1, 5],
            &[3, 0, 0, 0, 7],
            &[4, 0, 0, 0, 0, 0, 0, 0, 7],
            &[7, 0, 0, 0, 2, b'h', b'i'],
            &[8, 0, 0, 0, 2, 1, 1, 2, 0],
            &[9, 1, 1, 9, 255, 255],
            &[10, 0, 0, 0, 1, 1, 1, 1, 2],
            &[100, 0, 0, 0, 0],
        ];
        for value in values {
            let bytes = [&[2, 1], value].concat();
            assert_eq!(all(OutputReader::TypedBytes, &bytes).unwrap(), [&[2, 1], value], "{value:?}");
            assert!(
                all(OutputReader::TypedBytes, &bytes[..bytes.len() - 1]).is_err() || value[0] == 9,
                "{value:?} cut"
            );
        }
        assert!(all(OutputReader::TypedBytes, &[11, 0]).is_err(), "an unknown type");
        assert!(all(OutputReader::TypedBytes, &[8; 8000]).is_err(), "vectors in vectors without end");
    }

    #[test]
    fn values_are_written_with_the_codes_of_their_types() {
        let typed = |kind, serialized: &[u8]| {
            let mut out = Vec::new();
            put_typed(kind, serialized, &mut out).unwrap();
            out
        };
        assert_eq!(typed(DataType::Text, &[2, b'h', b'i']), [7, 0, 0, 0, 2, b'h', b'i']);
        assert_eq!(typed(DataType::Long, &[0, 0, 0, 0, 0, 0, 0, 5]), [4, 0, 0, 0, 0, 0, 0, 0, 5]);
        assert_eq!(typed(DataType::VInt, &[0x8f, 0x80]), [3, 0, 0, 0, 128]);
        assert_eq!(typed(DataType::Bytes, &[0, 0, 0, 1, 9]), [0, 0, 0, 0, 1, 9]);
        assert_eq!(typed(DataType::TypedBytes, &[0, 0, 0, 2, 1, 9]), [1, 9]);
        let mut raw = Vec::new();
        put_raw(DataType::Text, &[2, b'h', b'i'], &mut raw);
        put_raw(DataType::Bytes, &[0, 0, 0, 1, 9], &mut raw);
        assert_eq!(raw, [0, 0, 0, 3, 2, b'h', b'i', 0, 0, 0, 1, 9]);
    }
}
