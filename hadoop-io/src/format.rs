//! What can be wrong with a file in one of Hadoop's formats.

use std::io;

use crate::DecodeError;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The stream below fails.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The stream ends too early.
    #[error("the file ends inside {0}")]
    Truncated(&'static str),
    /// A checksum does not match.
    #[error("checksum error in {what}: the file says {stored:08x}, its bytes give {computed:08x}")]
    Checksum {
        /// Which bytes.
        what: &'static str,
        /// As stored.
        stored: u32,
        /// As computed.
        computed: u32,
    },
    /// A length that cannot be.
    #[error("{what} is {value}; expected {expected}")]
    Length {
        /// Which length.
        what: &'static str,
        /// As read.
        value: i64,
        /// What would be right.
        expected: &'static str,
    },
    /// Not a file of this format, or one of its other versions.
    #[error("not a {format}: {problem}")]
    WrongFormat {
        /// The format.
        format: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A codec class without a twin here.
    #[error("the codec {0} has no native twin")]
    UnknownCodec(String),
    /// Broken fields.
    #[error("{0}")]
    Decode(#[from] DecodeError),
}

impl FormatError {
    /// The same as an I/O error, for readers that are streams.
    pub fn into_io(self) -> io::Error {
        match self {
            FormatError::Io(error) => error,
            FormatError::Truncated(_) => io::Error::new(io::ErrorKind::UnexpectedEof, self),
            other => io::Error::new(io::ErrorKind::InvalidData, other),
        }
    }
}

/// What every format operation answers.
pub(crate) type Result<T> = std::result::Result<T, FormatError>;
