//! File systems behind one blocking trait: the local disk as Java's LocalFileSystem keeps it, and one in memory for
//! tests. [`Storage`] finds the one that a path means and refuses schemes that are not served.
#![forbid(unsafe_code)]

mod checksum;
mod copy;
mod error;
mod file_system;
mod glob;
mod local;
mod memory;
mod path;
mod registry;

pub use copy::{copy, merge_order_by_name};
pub use error::{ChecksumError, StorageError};
pub use file_system::{BlockLocation, CreateOptions, FileStatus, FileSystem, Input, Output, Statistics};
pub use glob::{GlobError, Pattern, glob};
pub use local::{LocalFileSystem, is_checksum_file};
pub use memory::MemoryFileSystem;
pub use path::Path;
pub use registry::{Storage, StorageSetupError, for_path};

/// What every operation here answers.
pub type Result<T> = std::result::Result<T, StorageError>;
