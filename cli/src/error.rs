//! Why a command ends early. Where 1.2.1's client throws an exception that scripts look for, its class is kept.

use configuration::{ConfigError, keys};
use rpc::CallError;
use storage::{StorageError, StorageSetupError};
use types::RemoteException;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What Java's client throws.
    #[error("{class}: {message}")]
    Java {
        /// The exception's class.
        class: &'static str,
        /// Its message.
        message: String,
    },
    /// The JobTracker answered with an error.
    #[error("org.apache.hadoop.ipc.RemoteException: {}: {}", wire::exceptions::class_of(&.0.kind), .0.message)]
    Remote(RemoteException),
    /// The JobTracker could not be called.
    #[error("{0}; is the JobTracker up that {key} names?", key = keys::MAPRED_JOB_TRACKER.name())]
    Call(CallError),
    /// The JobTracker speaks another version of the protocol.
    #[error("{address} speaks version {theirs} of {protocol}; this client speaks {ours}")]
    Version {
        /// `host:port`.
        address: String,
        /// The protocol's Java name.
        protocol: &'static str,
        /// This client's version.
        ours: i64,
        /// The JobTracker's.
        theirs: i64,
    },
    /// No JobTracker is configured.
    #[error(
        "{key} is local: set it to host:port in mapred-site.xml, or give -jt host:port",
        key = keys::MAPRED_JOB_TRACKER.name()
    )]
    NoJobTracker,
    /// The configuration is wrong.
    #[error(transparent)]
    Configuration(ConfigError),
    /// The file systems of the configuration cannot be had.
    #[error(transparent)]
    StorageSetup(StorageSetupError),
    /// A file operation failed.
    #[error(transparent)]
    Storage(StorageError),
    /// A file that should hold tokens or secrets does not.
    #[error("{path}: {problem}")]
    Credentials {
        /// The file.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A job that this client cannot split; Java's can.
    #[error(
        "only Java can compute the splits of the input format {class}: submit the job with Java's client (hadoop jar, \
         or hadoop org.apache.hadoop.mapred.JobClient -submit)"
    )]
    ForeignInputFormat {
        /// The class.
        class: String,
    },
    /// A path filter that this client does not know.
    #[error("the path filter {class} of {key} has no native twin: submit the job with Java's client (hadoop jar)")]
    ForeignPathFilter {
        /// The class.
        class: String,
        /// The key that names it.
        key: &'static str,
    },
}

impl CliError {
    /// An exception of Java's client.
    pub(crate) fn java(class: &'static str, message: impl Into<String>) -> Self {
        CliError::Java { class, message: message.into() }
    }

    /// A plain `java.io.IOException`.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::java("java.io.IOException", message)
    }

    /// Whether Java's client would throw this.
    pub(crate) fn is_java(&self) -> bool {
        matches!(self, CliError::Java { .. } | CliError::Remote(_))
    }

    /// The class of Java's exception, if it is one.
    pub(crate) fn class(&self) -> Option<&'static str> {
        match self {
            CliError::Java { class, .. } => Some(class),
            _ => None,
        }
    }

    /// What Java's `getMessage` would give: without the class.
    pub(crate) fn message(&self) -> String {
        match self {
            CliError::Java { message, .. } => message.clone(),
            CliError::Remote(error) => {
                format!("{}: {}", wire::exceptions::class_of(&error.kind), error.message)
            }
            other => other.chain(),
        }
    }

    /// The error and its causes in one line.
    pub(crate) fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(&format!(": {error}"));
            cause = error.source();
        }
        text
    }
}

impl From<CallError> for CliError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Remote(error) => CliError::Remote(error),
            other => CliError::Call(other),
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        CliError::Configuration(error)
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> Self {
        CliError::Storage(error)
    }
}
