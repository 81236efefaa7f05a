//! Why an attempt cannot go on, and as which Java exception that is reported.

use storage::StorageError;

/// What every operation of a task answers.
pub type Result<T> = std::result::Result<T, TaskError>;

/// Why an attempt fails.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The task itself fails, as Java's class would with this exception.
    #[error("{message}")]
    Failed {
        /// The exception's Java class.
        exception: &'static str,
        /// Its message.
        message: String,
    },
    /// A disk or a file system fails.
    #[error("{source}")]
    Storage {
        /// What failed.
        #[from]
        source: StorageError,
    },
    /// A file of the task itself (spills, map output) fails; the tracker takes this for a bad disk.
    #[error("{path}: {source}")]
    LocalDisk {
        /// Which file.
        path: std::path::PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// Some other input or output fails.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What failed.
        source: std::io::Error,
    },
    /// Bytes that are not what they should be.
    #[error("{what}: {source}")]
    Decode {
        /// Which bytes.
        what: String,
        /// What is wrong.
        source: hadoop_io::DecodeError,
    },
    /// A file in one of Hadoop's formats that is not what it should be.
    #[error("{what}: {source}")]
    Format {
        /// Which file.
        what: String,
        /// What is wrong.
        source: hadoop_io::FormatError,
    },
    /// A setting that cannot be used.
    #[error("{source}")]
    Config {
        /// Which, and why.
        #[from]
        source: configuration::ConfigError,
    },
    /// The tracker cannot be reached, or refuses.
    #[error("the task tracker cannot be asked {call}: {source}")]
    Umbilical {
        /// The method.
        call: &'static str,
        /// What failed.
        source: Box<rpc::CallError>,
    },
    /// The tracker wants this attempt to end; nothing is reported.
    #[error("the task tracker wants the attempt to end")]
    Killed,
}

impl TaskError {
    /// A failure as `java.io.IOException`.
    pub fn io_exception(message: impl Into<String>) -> Self {
        TaskError::Failed { exception: "java.io.IOException", message: message.into() }
    }

    /// A failure as `java.lang.RuntimeException`.
    pub fn runtime(message: impl Into<String>) -> Self {
        TaskError::Failed { exception: "java.lang.RuntimeException", message: message.into() }
    }

    /// Wraps an I/O error with what was tried.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> TaskError {
        let what = what.into();
        move |source| TaskError::Io { what, source }
    }

    /// Wraps an I/O error of one of the task's own files.
    pub fn disk(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> TaskError {
        let path = path.to_path_buf();
        move |source| TaskError::LocalDisk { path, source }
    }

    /// Wraps a decoding error with what was read.
    pub fn decode(what: impl Into<String>) -> impl FnOnce(hadoop_io::DecodeError) -> TaskError {
        let what = what.into();
        move |source| TaskError::Decode { what, source }
    }

    /// Whether nobody listens where the tracker was, after all tries that the line to it makes.
    pub(crate) fn is_tracker_gone(&self) -> bool {
        matches!(self, TaskError::Umbilical { source, .. } if matches!(**source, rpc::CallError::Connect { .. }))
    }

    /// The Java class under which Java's child would report this.
    pub fn java_class(&self) -> &'static str {
        match self {
            TaskError::Failed { exception, .. } => exception,
            TaskError::LocalDisk { .. } => "org.apache.hadoop.fs.FSError",
            TaskError::Config { .. } => "java.lang.IllegalArgumentException",
            _ => "java.io.IOException",
        }
    }
}
