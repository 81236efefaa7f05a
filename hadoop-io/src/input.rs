//! Java's `DataInput` and Hadoop's `WritableUtils`, over a slice. Nothing is allocated that the slice cannot fill.

use std::fmt;

/// Why bytes are not what they should be, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset from the start of the decoded slice.
    pub offset: usize,
    /// What was being read.
    pub what: &'static str,
    /// What was wrong with it.
    pub problem: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.what, self.offset, self.problem)
    }
}

impl std::error::Error for DecodeError {}

/// A cursor over bytes.
#[derive(Debug, Clone)]
pub struct DataInput<'a> {
    bytes: &'a [u8],
    at: usize,
    missing: Option<usize>,
}

type Result<T> = std::result::Result<T, DecodeError>;

impl<'a> DataInput<'a> {
    /// Starts at the beginning of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        DataInput { bytes, at: 0, missing: None }
    }

    /// How many bytes were read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// How many further bytes, at least, the read that failed would have needed; nothing if no read ran out of bytes.
    /// This is how a reader of a stream without lengths tells "not all there yet" from "wrong".
    pub fn missing(&self) -> Option<usize> {
        self.missing
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// An error at the current place.
    pub fn error(&self, what: &'static str, problem: impl Into<String>) -> DecodeError {
        DecodeError { offset: self.at, what, problem: problem.into() }
    }

    /// Fails unless everything was read.
    pub fn expect_end(&self, what: &'static str) -> Result<()> {
        if self.remaining() == 0 {
            Ok(())
        } else {
            Err(self.error(what, format!("{} bytes too many", self.remaining())))
        }
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        if len > self.remaining() {
            self.missing = Some(len - self.remaining());
            return Err(self.error(what, format!("wants {len} bytes, {} are left", self.remaining())));
        }
        let slice = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(slice)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(N, what)?);
        Ok(out)
    }

    /// One byte; non-zero is true.
    pub fn bool(&mut self) -> Result<bool> {
        Ok(self.u8()? != 0)
    }

    /// One unsigned byte.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>("byte")?[0])
    }

    /// Two bytes, big-endian.
    pub fn short(&mut self) -> Result<i16> {
        Ok(i16::from_be_bytes(self.array("short")?))
    }

    /// Two bytes, big-endian, unsigned.
    pub fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array("unsigned short")?))
    }

    /// Four bytes, big-endian.
    pub fn int(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.array("int")?))
    }

    /// Eight bytes, big-endian.
    pub fn long(&mut self) -> Result<i64> {
        Ok(i64::from_be_bytes(self.array("long")?))
    }

    /// Four bytes of IEEE-754.
    pub fn float(&mut self) -> Result<f32> {
        Ok(f32::from_be_bytes(self.array("float")?))
    }

    /// Eight bytes of IEEE-754.
    pub fn double(&mut self) -> Result<f64> {
        Ok(f64::from_be_bytes(self.array("double")?))
    }

    /// Hadoop's variable-length integer of one to nine bytes (Hadoop 1.2.1: WritableUtils.readVLong).
    pub fn vlong(&mut self) -> Result<i64> {
        let first = self.u8()? as i8;
        if first >= -112 {
            return Ok(i64::from(first));
        }
        let negative = first < -120;
        let len = if negative { -120 - i32::from(first) } else { -112 - i32::from(first) } as usize;
        let mut value: i64 = 0;
        for &byte in self.bytes(len, "vlong")? {
            value = (value << 8) | i64::from(byte);
        }
        Ok(if negative { !value } else { value })
    }

    /// A vlong that must fit 32 bits.
    pub fn vint(&mut self) -> Result<i32> {
        let value = self.vlong()?;
        i32::try_from(value).map_err(|_| self.error("vint", format!("{value} does not fit 32 bits")))
    }

    /// A count of things of at least `min_size` bytes each (as int), refused if the rest of the slice cannot hold them.
    pub fn count(&mut self, min_size: usize, what: &'static str) -> Result<usize> {
        let count = self.int()?;
        self.plausible(i64::from(count), min_size, what)
    }

    /// Like [`DataInput::count`], written as vint.
    pub fn vcount(&mut self, min_size: usize, what: &'static str) -> Result<usize> {
        let count = self.vint()?;
        self.plausible(i64::from(count), min_size, what)
    }

    fn plausible(&mut self, count: i64, min_size: usize, what: &'static str) -> Result<usize> {
        let room = self.remaining() / min_size.max(1);
        match usize::try_from(count) {
            Ok(count) if count <= room => Ok(count),
            Ok(count) => {
                self.missing = Some((count.saturating_mul(min_size.max(1))).saturating_sub(self.remaining()).max(1));
                Err(self.error(what, format!("a count of {count} where {} bytes are left", self.remaining())))
            }
            _ => Err(self.error(what, format!("a count of {count} where {} bytes are left", self.remaining()))),
        }
    }

    /// vint length and UTF-8 (Hadoop 1.2.1: io.Text). Malformed bytes become U+FFFD, as in Java.
    pub fn text(&mut self) -> Result<String> {
        let len = self.vcount(1, "Text length")?;
        Ok(String::from_utf8_lossy(self.bytes(len, "Text")?).into_owned())
    }

    /// u16 length and one code per UTF-16 unit (Hadoop 1.2.1: io.UTF8).
    pub fn utf8(&mut self) -> Result<String> {
        let len = usize::from(self.u16()?);
        let bytes = self.bytes(len, "UTF8")?;
        self.utf16_coded(bytes, "UTF8")
    }

    /// Java's `readUTF`: u16 length and modified UTF-8.
    pub fn modified_utf(&mut self) -> Result<String> {
        let len = usize::from(self.u16()?);
        let bytes = self.bytes(len, "modified UTF-8")?;
        self.utf16_coded(bytes, "modified UTF-8")
    }

    /// Decodes one- to three-byte codes of UTF-16 units, and four-byte codes as UTF8's reader does.
    fn utf16_coded(&self, bytes: &[u8], what: &'static str) -> Result<String> {
        let mut units: Vec<u16> = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let lead = bytes[at];
            let len = match lead {
                0x00..=0x7f => 1,
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => return Err(self.error(what, format!("{lead:#04x} starts no character"))),
            };
            let code = bytes.get(at..at + len).ok_or_else(|| self.error(what, "ends inside a character"))?;
            if code[1..].iter().any(|byte| byte & 0xc0 != 0x80) {
                return Err(self.error(what, format!("{code:02x?} is no character")));
            }
            let tail = code[1..].iter().fold(0u32, |value, byte| (value << 6) | u32::from(byte & 0x3f));
            match len {
                1 => units.push(u16::from(lead)),
                2 => units.push(((u32::from(lead & 0x1f) << 6) | tail) as u16),
                3 => units.push(((u32::from(lead & 0x0f) << 12) | tail) as u16),
                _ => {
                    let point = (u32::from(lead & 0x07) << 18) | tail;
                    let point = char::from_u32(point)
                        .ok_or_else(|| self.error(what, format!("{point:#x} is no code point")))?;
                    units.extend_from_slice(point.encode_utf16(&mut [0; 2]));
                }
            }
            at += len;
        }
        Ok(String::from_utf16_lossy(&units))
    }

    /// int length and UTF-8; -1 is null (Hadoop 1.2.1: WritableUtils.readString).
    pub fn wstring(&mut self) -> Result<Option<String>> {
        let len = self.int()?;
        if len == -1 {
            return Ok(None);
        }
        let len = self.plausible(i64::from(len), 1, "string length")?;
        Ok(Some(String::from_utf8_lossy(self.bytes(len, "string")?).into_owned()))
    }

    /// int count and as many strings; a count of -1 reads as none (Hadoop 1.2.1: WritableUtils.readStringArray).
    pub fn wstrings(&mut self) -> Result<Vec<Option<String>>> {
        let count = self.int()?;
        if count == -1 {
            return Ok(Vec::new());
        }
        let count = self.plausible(i64::from(count), 4, "string count")?;
        (0..count).map(|_| self.wstring()).collect()
    }

    /// vint length and bytes.
    pub fn vbytes(&mut self, what: &'static str) -> Result<Vec<u8>> {
        let len = self.vcount(1, what)?;
        Ok(self.bytes(len, what)?.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataOutput;

    #[test]
    fn lengths_are_bounded_before_they_are_believed() {
        assert!(DataInput::new(&[0x7f, 0xff, 0xff, 0xff]).wstring().is_err());
        assert!(DataInput::new(&[0x8c, 0x7f, 0xff, 0xff, 0xff]).text().is_err());
        assert!(DataInput::new(&[0xff, 0xff]).utf8().is_err());
        assert!(DataInput::new(&[0xff, 0xff, 0xff, 0xfe]).count(1, "things").is_err());
    }

    #[test]
    fn vlongs_of_every_length_round_trip() {
        for shift in 0..64 {
            for value in [1i64 << shift, (1i64 << shift).wrapping_sub(1), !(1i64 << shift)] {
                let mut out = DataOutput::new();
                out.vlong(value);
                let bytes = out.into_bytes();
                assert_eq!(bytes.len(), crate::vlong_len(value));
                let mut input = DataInput::new(&bytes);
                assert_eq!(input.vlong(), Ok(value));
                assert_eq!(input.remaining(), 0);
            }
        }
    }

    #[test]
    fn supplementary_characters_survive_every_string_form() {
        let text = "a\u{0}é€😀";
        let mut out = DataOutput::new();
        out.text(text);
        out.utf8(text);
        out.modified_utf(text);
        out.wstring(Some(text));
        let bytes = out.into_bytes();
        let mut input = DataInput::new(&bytes);
        assert_eq!(input.text().unwrap(), text);
        assert_eq!(input.utf8().unwrap(), text);
        assert_eq!(input.modified_utf().unwrap(), text);
        assert_eq!(input.wstring().unwrap().as_deref(), Some(text));
    }
}
