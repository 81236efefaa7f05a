//! The trait of everything that has a binary form of its own, and helpers that the families of Writables share.

use hadoop_io::{DataInput, DataOutput, DecodeError};

/// A value with a binary form (Hadoop 1.2.1: io.Writable). Its length is known only by reading it.
pub trait Writable: Sized {
    /// Appends the value's bytes.
    fn write(&self, out: &mut DataOutput);

    /// Reads one value from where the input stands.
    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError>;

    /// The value's bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = DataOutput::new();
        self.write(&mut out);
        out.into_bytes()
    }

    /// Reads a value that fills `bytes` exactly.
    fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = DataInput::new(bytes);
        let value = Self::read(&mut input)?;
        input.expect_end(std::any::type_name::<Self>())?;
        Ok(value)
    }
}

/// Reads a Text that names one of Java's constants (Hadoop 1.2.1: WritableUtils.readEnum).
pub(crate) fn read_enum<T>(
    input: &mut DataInput<'_>,
    what: &'static str,
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, DecodeError> {
    let name = input.text()?;
    from_name(&name).ok_or_else(|| input.error(what, format!("{name:?} is none of its names")))
}

/// Writes an int count and the items.
pub(crate) fn write_list<T: Writable>(items: &[T], out: &mut DataOutput) {
    out.int(items.len() as i32);
    items.iter().for_each(|item| item.write(out));
}

/// Reads an int count and as many items of at least `min_size` bytes.
pub(crate) fn read_list<T: Writable>(
    input: &mut DataInput<'_>,
    min_size: usize,
    what: &'static str,
) -> Result<Vec<T>, DecodeError> {
    (0..input.count(min_size, what)?).map(|_| T::read(input)).collect()
}

/// Writes an int count and as many Texts.
pub(crate) fn write_texts(texts: &[String], out: &mut DataOutput) {
    out.int(texts.len() as i32);
    texts.iter().for_each(|text| out.text(text));
}
