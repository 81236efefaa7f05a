//! Hadoop's record and file formats: primitive encodings, SequenceFile, IFile, spill index, codecs, checksums.
//!
//! Knows bytes and records only; what a record means is the reader's affair. Every decoder bounds a length before it
//! believes it.

#![forbid(unsafe_code)]

mod format;
mod input;
mod output;

pub use format::FormatError;
pub use input::{DataInput, DecodeError};
pub use output::{DataOutput, vlong_len};
