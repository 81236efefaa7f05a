//! What can go wrong with files, each with the path it went wrong with.

use std::io;

use thiserror::Error;

use crate::path::Path;

/// A file operation that failed.
#[derive(Debug, Error)]
pub enum StorageError {
    /// Nothing is there.
    #[error("{path} does not exist")]
    NotFound {
        /// What was asked for.
        path: Path,
    },
    /// Something is there already.
    #[error("{path} exists already")]
    AlreadyExists {
        /// What was to be made.
        path: Path,
    },
    /// A file is where a directory must be.
    #[error("{path} is a file; expected a directory")]
    NotADirectory {
        /// Which.
        path: Path,
    },
    /// A directory is where a file must be.
    #[error("{path} is a directory; expected a file")]
    IsADirectory {
        /// Which.
        path: Path,
    },
    /// A directory that is not empty was to be deleted alone.
    #[error("{path} is a directory that is not empty; delete it recursively")]
    NotEmpty {
        /// Which.
        path: Path,
    },
    /// This user may not.
    #[error("{path}: permission denied to {operation}")]
    Denied {
        /// Which.
        path: Path,
        /// What was tried.
        operation: &'static str,
    },
    /// A text is not a path.
    #[error("\"{text}\" is not a path: {problem}")]
    BadPath {
        /// What was given.
        text: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// No file system of ours has this scheme.
    #[error("{key} is \"{path}\": no file system for the scheme {scheme}; use one of {served}")]
    UnknownScheme {
        /// The key, option or field that names the path.
        key: String,
        /// The path.
        path: Box<Path>,
        /// Its scheme.
        scheme: String,
        /// The schemes that work.
        served: String,
    },
    /// A file is longer than its reader wants to believe.
    #[error("{path} is longer than {limit} bytes")]
    TooLong {
        /// Which.
        path: Path,
        /// The limit.
        limit: u64,
    },
    /// The file system cannot do this at all.
    #[error("{path}: {operation} is not supported by this file system")]
    Unsupported {
        /// Which.
        path: Path,
        /// What was asked.
        operation: &'static str,
    },
    /// Anything else that the operating system says.
    #[error("{path}: cannot {operation}")]
    Io {
        /// Which.
        path: Path,
        /// What was tried.
        operation: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl StorageError {
    /// Wraps what the operating system says.
    pub fn from_io(path: &Path, operation: &'static str, source: io::Error) -> Self {
        let path = path.clone();
        match source.kind() {
            io::ErrorKind::NotFound => StorageError::NotFound { path },
            io::ErrorKind::AlreadyExists => StorageError::AlreadyExists { path },
            io::ErrorKind::PermissionDenied => StorageError::Denied { path, operation },
            io::ErrorKind::NotADirectory => StorageError::NotADirectory { path },
            io::ErrorKind::IsADirectory => StorageError::IsADirectory { path },
            io::ErrorKind::DirectoryNotEmpty => StorageError::NotEmpty { path },
            _ => StorageError::Io { path, operation, source },
        }
    }

    /// Whether the error says that nothing is there.
    pub fn is_not_found(&self) -> bool {
        matches!(self, StorageError::NotFound { .. })
    }
}

/// A stretch of a file does not have the checksum that its sidecar holds (Hadoop 1.2.1: fs.ChecksumException). It
/// travels inside an [`io::Error`], because streams speak that.
#[derive(Debug, Error)]
#[error("{path}: checksum error at byte {offset}; the file or its .crc was changed by itself")]
pub struct ChecksumError {
    /// Which file.
    pub path: Path,
    /// Where the bad stretch starts.
    pub offset: u64,
}
