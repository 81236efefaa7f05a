//! Hadoop's record and file formats: primitive encodings, SequenceFile, IFile, spill index, codecs, checksums.
//!
//! Knows bytes and records only; what a record means is the reader's affair. Every decoder bounds a length before it
//! believes it.

#![forbid(unsafe_code)]

pub mod checksum;
pub mod codec;
mod format;
pub mod ifile;
mod input;
mod output;
pub mod sequence_file;
pub mod spill_index;
mod stream;

pub use codec::Codec;
pub use format::FormatError;
pub use input::{DataInput, DecodeError};
pub use output::{DataOutput, vlong_len};
