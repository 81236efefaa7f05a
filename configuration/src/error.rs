//! What can be wrong with a configuration. Each message names file, key, value and the way out.

use std::path::PathBuf;

use thiserror::Error;

/// A configuration that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file or directory could not be read.
    #[error("{}: cannot be read; check that it exists and that this user may read it", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The directory with the site files is not there.
    #[error("{}: no such configuration directory; name an existing one with --config or HADOOP_CONF_DIR", path.display())]
    NoDirectory {
        /// Which.
        path: PathBuf,
    },
    /// A file is not well-formed XML, or not a configuration.
    #[error("{file}: line {line}: {problem}")]
    Xml {
        /// Which file or resource.
        file: String,
        /// Where, counted from 1.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
    /// A file is longer than any configuration should be.
    #[error("{file}: is longer than {limit} bytes; a configuration file must be shorter")]
    TooLong {
        /// Which.
        file: String,
        /// The limit.
        limit: usize,
    },
    /// A value is not of its key's type, or out of its limits.
    #[error("{file}: {key} is \"{value}\"; expected {expected}")]
    Value {
        /// Who set it: a file, or `command line`.
        file: String,
        /// The name that was used.
        key: String,
        /// The value after substitution.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// A key without a default is not set.
    #[error("{key} is not set; set it in {set_in} to {expected}")]
    Missing {
        /// The name 1.2.1 reads.
        key: String,
        /// The site file where it belongs.
        set_in: &'static str,
        /// What is allowed.
        expected: String,
    },
    /// Variables that name each other without end.
    #[error("{file}: {key} is \"{value}\"; its ${{…}} variables are nested more than {depth} deep, or name each other")]
    Substitution {
        /// Who set it.
        file: String,
        /// The name that was used.
        key: String,
        /// The value as written.
        value: String,
        /// Java's limit.
        depth: usize,
    },
}
