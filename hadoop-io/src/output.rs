//! Java's `DataOutput` and Hadoop's `WritableUtils`, into a growing buffer.

/// The most UTF-16 units that [`DataOutput::utf8`] writes; the rest is cut, as Hadoop cuts it.
const UTF8_UNITS_MAX: usize = 0xffff / 3;

/// A buffer that is written in Java's byte order.
#[derive(Debug, Clone, Default)]
pub struct DataOutput {
    bytes: Vec<u8>,
}

/// How many bytes [`DataOutput::vlong`] writes for `value`.
pub fn vlong_len(value: i64) -> usize {
    if (-112..=127).contains(&value) {
        return 1;
    }
    let magnitude = if value < 0 { !value } else { value };
    1 + (64 - magnitude.leading_zeros() as usize).div_ceil(8)
}

impl DataOutput {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty buffer with room.
    pub fn with_capacity(capacity: usize) -> Self {
        DataOutput { bytes: Vec::with_capacity(capacity) }
    }

    /// What was written.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes were written.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Empties the buffer and keeps its room.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// One byte, 0 or 1.
    pub fn bool(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Two bytes.
    pub fn short(&mut self, value: i16) {
        self.bytes(&value.to_be_bytes());
    }

    /// Two bytes, unsigned.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_be_bytes());
    }

    /// Four bytes.
    pub fn int(&mut self, value: i32) {
        self.bytes(&value.to_be_bytes());
    }

    /// Eight bytes.
    pub fn long(&mut self, value: i64) {
        self.bytes(&value.to_be_bytes());
    }

    /// Four bytes of IEEE-754.
    pub fn float(&mut self, value: f32) {
        self.bytes(&value.to_be_bytes());
    }

    /// Eight bytes of IEEE-754.
    pub fn double(&mut self, value: f64) {
        self.bytes(&value.to_be_bytes());
    }

    /// One to nine bytes (Hadoop 1.2.1: WritableUtils.writeVLong).
    pub fn vlong(&mut self, value: i64) {
        if (-112..=127).contains(&value) {
            return self.bytes.push(value as u8);
        }
        let (magnitude, base) = if value < 0 { (!value, -120i32) } else { (value, -112) };
        let len = vlong_len(value) - 1;
        self.bytes.push((base - len as i32) as u8);
        self.bytes(&magnitude.to_be_bytes()[8 - len..]);
    }

    /// A vlong that fits 32 bits; the same bytes.
    pub fn vint(&mut self, value: i32) {
        self.vlong(i64::from(value));
    }

    /// vint length and UTF-8 (Hadoop 1.2.1: io.Text).
    pub fn text(&mut self, text: &str) {
        self.vlong(text.len() as i64);
        self.bytes(text.as_bytes());
    }

    /// u16 length and one code per UTF-16 unit, with U+0000 as a single 0 (Hadoop 1.2.1: io.UTF8).
    ///
    /// Quirk: a text of more than 21845 units is cut there, as Hadoop cuts it.
    pub fn utf8(&mut self, text: &str) {
        self.utf16_coded(text, UTF8_UNITS_MAX, false);
    }

    /// Java's `writeUTF`: u16 length and modified UTF-8, with U+0000 as `c0 80`. Cut as [`DataOutput::utf8`] cuts,
    /// where Java would throw.
    pub fn modified_utf(&mut self, text: &str) {
        self.utf16_coded(text, UTF8_UNITS_MAX, true);
    }

    fn utf16_coded(&mut self, text: &str, units_max: usize, long_zero: bool) {
        let start = self.bytes.len();
        self.u16(0);
        for unit in text.encode_utf16().take(units_max) {
            match unit {
                0 if long_zero => self.bytes(&[0xc0, 0x80]),
                0..=0x7f => self.bytes.push(unit as u8),
                0x80..=0x7ff => self.bytes(&[0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
                _ => self.bytes(&[
                    0xe0 | (unit >> 12) as u8,
                    0x80 | ((unit >> 6) & 0x3f) as u8,
                    0x80 | (unit & 0x3f) as u8,
                ]),
            }
        }
        let len = (self.bytes.len() - start - 2) as u16;
        self.bytes[start..start + 2].copy_from_slice(&len.to_be_bytes());
    }

    /// int length and UTF-8; null is -1 (Hadoop 1.2.1: WritableUtils.writeString).
    pub fn wstring(&mut self, text: Option<&str>) {
        match text {
            None => self.int(-1),
            Some(text) => {
                self.int(text.len() as i32);
                self.bytes(text.as_bytes());
            }
        }
    }

    /// int count and as many strings (Hadoop 1.2.1: WritableUtils.writeStringArray).
    pub fn wstrings<S: AsRef<str>>(&mut self, texts: &[Option<S>]) {
        self.int(texts.len() as i32);
        for text in texts {
            self.wstring(text.as_ref().map(AsRef::as_ref));
        }
    }

    /// vint length and bytes.
    pub fn vbytes(&mut self, bytes: &[u8]) {
        self.vlong(bytes.len() as i64);
        self.bytes(bytes);
    }
}
