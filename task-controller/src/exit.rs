//! The codes with which the program ends, and what goes with them (Hadoop 1.2.1: task-controller.h, errorcodes).
//!
//! Codes that 1.2.1 names and never ends with are left out.

use std::fmt;

/// Why the program ends without having done what it was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// Too few arguments, or one that is no number.
    InvalidArgumentNumber = 1,
    /// A command that there is not.
    InvalidCommand = 3,
    /// A local directory that cannot be one.
    InvalidTrackerRoot = 5,
    /// The privileges could not be dropped.
    SetUserFailed = 6,
    /// The user may not signal the task.
    UnableToKillTask = 8,
    /// There is no such task any more.
    InvalidTaskPid = 9,
    /// A path that does not lie where it must.
    ErrorResolvingPath = 10,
    /// An argument that would leave its folder.
    RelativePathComponents = 11,
    /// A file or folder of somebody who must not own it.
    ForeignOwner = 13,
    /// The user's folders cannot be made.
    InitializeUserFailed = 20,
    /// The program's own file has the wrong owner, group or mode.
    InvalidPermissions = 22,
    /// No usable configuration.
    InvalidConfiguration = 24,
    /// Everything else; also a user who may not run tasks.
    Failed = 255,
}

/// A code and the words for it. The words go to standard output, which is what Hadoop's TaskTracker logs.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    message: String,
}

/// What everything here answers.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: message.into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Turns a failed call into a [`Failure`] that says what was tried.
pub(crate) trait Context<T> {
    /// The value, or the code with these words and the cause.
    fn or_fail(self, code: Code, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Context<T> for std::io::Result<T> {
    fn or_fail(self, code: Code, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::new(code, format!("{}: {error}", what())))
    }
}
