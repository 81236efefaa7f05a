//! Errors that cross an RPC: what kind, and what text. The Java class of a kind stands in `wire::exceptions`.

use std::fmt;

/// The kinds of error that Hadoop's clients and daemons tell apart by class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExceptionKind {
    /// `java.io.IOException`: everything that has no kind of its own.
    Io,
    /// `org.apache.hadoop.security.AccessControlException`.
    AccessControl,
    /// `org.apache.hadoop.security.authorize.AuthorizationException`.
    Authorization,
    /// `org.apache.hadoop.mapred.DisallowedTaskTrackerException`: the TaskTracker shuts down.
    DisallowedTaskTracker,
    /// `org.apache.hadoop.mapred.SafeModeException`.
    SafeMode,
    /// `org.apache.hadoop.mapred.UndeclaredPoolException`: no such pool.
    UndeclaredPool,
    /// `org.apache.hadoop.mapred.JobTrackerNotYetInitializedException`.
    NotYetInitialized,
    /// `org.apache.hadoop.ipc.RPC$VersionMismatch`.
    VersionMismatch,
    /// `javax.security.sasl.SaslException`.
    Sasl,
    /// `org.apache.hadoop.security.token.SecretManager$InvalidToken`.
    InvalidToken,
    /// Any other class, by its Java name.
    Other(String),
}

/// An error as it crosses an RPC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteException {
    /// Its kind, which is a Java class on the wire.
    pub kind: ExceptionKind,
    /// Its message, without class name or stack trace.
    pub message: String,
}

impl RemoteException {
    /// An error of the given kind.
    pub fn new(kind: ExceptionKind, message: impl Into<String>) -> Self {
        RemoteException { kind, message: message.into() }
    }

    /// A plain `java.io.IOException`.
    pub fn io(message: impl Into<String>) -> Self {
        Self::new(ExceptionKind::Io, message)
    }
}

impl fmt::Display for RemoteException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RemoteException {}
