//! Hadoop's configuration: XML files and job files become typed values (Hadoop 1.2.1: conf.Configuration).
//!
//! [`keys`] is the registry, one row for each key; [`Configuration`] holds what was set, by whom, and what is final;
//! [`load`] is the only I/O. What a value *means* is its reader's business.
#![forbid(unsafe_code)]

mod configuration;
mod error;
pub mod keys;
mod load;
mod registry;
mod substitute;
mod suggest;
mod value;
mod xml;

pub use configuration::{Configuration, Entry};
pub use error::ConfigError;
pub use load::{Overrides, conf_dir_from_env, load};
pub use registry::{Effect, Key, KeyInfo, Limits, Unit, all_keys, find};
pub use suggest::{Finding, examine};
pub use value::{Ranges, Value, is_in_ranges, split_list};

/// The longest configuration file or job file that is read, in bytes.
pub const FILE_BYTES_MAX: usize = 64 << 20;
