//! Hadoop's key and value types as Rust values.

use std::borrow::Cow;

use hadoop_io::DecodeError;
use twins::DataType;

use crate::runner::data;

/// A type of keys or values: its Java class, and how Rust reads and writes what `Writable.write` makes of it in Java.
pub trait Writable: Send + 'static {
    /// What a mapper or reducer is handed.
    type Read<'a>;
    /// What it puts out, by reference.
    type Put: ?Sized;
    /// Which of Hadoop's types it is.
    const TYPE: DataType;

    /// Reads a serialized value.
    ///
    /// # Errors
    /// If the bytes are none of this type.
    fn read(serialized: &[u8]) -> Result<Self::Read<'_>, DecodeError>;

    /// Appends a serialized value.
    fn put(value: &Self::Put, out: &mut Vec<u8>);
}

/// `Text` as a string: read as Java's `toString` reads it, so that what is not UTF-8 becomes U+FFFD.
#[derive(Debug)]
pub enum Text {}

impl Writable for Text {
    type Read<'a> = Cow<'a, str>;
    type Put = str;
    const TYPE: DataType = DataType::Text;

    fn read(serialized: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
        data::text_body(serialized).map(String::from_utf8_lossy)
    }

    fn put(value: &str, out: &mut Vec<u8>) {
        data::put_text(out, value.as_bytes());
    }
}

/// `Text` as its bytes, which need not be UTF-8.
#[derive(Debug)]
pub enum TextBytes {}

impl Writable for TextBytes {
    type Read<'a> = &'a [u8];
    type Put = [u8];
    const TYPE: DataType = DataType::Text;

    fn read(serialized: &[u8]) -> Result<&[u8], DecodeError> {
        data::text_body(serialized)
    }

    fn put(value: &[u8], out: &mut Vec<u8>) {
        data::put_text(out, value);
    }
}

/// `BytesWritable`.
#[derive(Debug)]
pub enum Bytes {}

impl Writable for Bytes {
    type Read<'a> = &'a [u8];
    type Put = [u8];
    const TYPE: DataType = DataType::Bytes;

    fn read(serialized: &[u8]) -> Result<&[u8], DecodeError> {
        data::bytes_body(serialized)
    }

    fn put(value: &[u8], out: &mut Vec<u8>) {
        data::put_bytes(out, value);
    }
}

/// `NullWritable`.
#[derive(Debug)]
pub enum Null {}

impl Writable for Null {
    type Read<'a> = ();
    type Put = ();
    const TYPE: DataType = DataType::Null;

    fn read(serialized: &[u8]) -> Result<(), DecodeError> {
        data::check(DataType::Null, serialized)
    }

    fn put((): &(), _out: &mut Vec<u8>) {}
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident $rust:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}

            impl Writable for $name {
                type Read<'a> = $rust;
                type Put = $rust;
                const TYPE: DataType = DataType::$name;

                fn read(serialized: &[u8]) -> Result<$rust, DecodeError> {
                    data::check(DataType::$name, serialized)?;
                    let mut bytes = [0; size_of::<$rust>()];
                    bytes.copy_from_slice(serialized);
                    Ok($rust::from_be_bytes(bytes))
                }

                fn put(value: &$rust, out: &mut Vec<u8>) {
                    out.extend_from_slice(&value.to_be_bytes());
                }
            }
        )+
    };
}

numbers! {
    /// `IntWritable`.
    Int i32;
    /// `LongWritable`.
    Long i64;
    /// `FloatWritable`.
    Float f32;
    /// `DoubleWritable`.
    Double f64;
}
