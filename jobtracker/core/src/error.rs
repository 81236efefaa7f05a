//! Why the core refuses. Each error knows the exception that a Hadoop peer expects for it.

use thiserror::Error;
use types::{ExceptionKind, JobId, RemoteException};

/// A heartbeat that gets no answer but an exception.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HeartbeatError {
    /// The host is excluded or not included; the TaskTracker shuts down.
    #[error("Tasktracker {tracker} is not allowed to communicate with the JobTracker.")]
    Disallowed {
        /// The tracker's name.
        tracker: String,
    },
}

/// A client's call that is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClientError {
    /// An access list does not name the caller.
    #[error("{0}")]
    Access(String),
    /// Nothing changes while safe mode is on.
    #[error("JobTracker is in safe{}", by_admin(.admin))]
    SafeMode {
        /// The administrator who switched it on, if one did.
        admin: Option<String>,
    },
    /// The job's counters exceed the limit.
    #[error("Counters Exceeded limit: {limit}")]
    TooManyCounters {
        /// How many there may be.
        limit: usize,
    },
    /// Nothing of that name.
    #[error("{0}")]
    NotFound(String),
}

/// A job that is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SubmitError {
    /// Nothing is taken while safe mode is on.
    #[error("JobTracker is in safe{}", by_admin(.admin))]
    SafeMode {
        /// The administrator who switched it on, if one did.
        admin: Option<String>,
    },
    /// `user.name` of `job.xml` names somebody else.
    #[error(
        "The username {named} obtained from the conf doesn't match the username {caller} the user authenticated as"
    )]
    WrongUser {
        /// Who `job.xml` says.
        named: String,
        /// Who called.
        caller: String,
    },
    /// No such queue.
    #[error("Queue \"{queue}\" does not exist")]
    NoSuchQueue {
        /// Its name.
        queue: String,
    },
    /// The queue takes no jobs.
    #[error("Queue \"{queue}\" is not running")]
    QueueStopped {
        /// Its name.
        queue: String,
    },
    /// More tasks than a job may have.
    #[error("The number of tasks for this job {tasks} exceeds the configured limit {limit}")]
    TooManyTasks {
        /// How many.
        tasks: i64,
        /// How many are allowed.
        limit: i32,
    },
    /// The caller may not submit to the queue.
    #[error("{0}")]
    Access(String),
    /// The job names a pool that nobody declared.
    #[error(
        "Pool name: '{pool}' is invalid. Add pool name to the fair scheduler allocation file. Valid pools are: {}",
        .declared.join(", ")
    )]
    UndeclaredPool {
        /// Its name.
        pool: String,
        /// Those that are declared.
        declared: Vec<String>,
    },
    /// The memory asked for does not fit the cluster's limits.
    #[error("{0}")]
    Memory(String),
    /// The scheduler does not take it.
    #[error("{0}")]
    Scheduler(String),
    /// A number that cannot be.
    #[error("job {job}: {what} is {value}; expected a whole number, 0 or more")]
    Negative {
        /// Which job.
        job: JobId,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: i32,
    },
}

impl HeartbeatError {
    /// The exception that a TaskTracker expects.
    pub fn exception(&self) -> RemoteException {
        RemoteException::new(ExceptionKind::DisallowedTaskTracker, self.to_string())
    }
}

impl ClientError {
    /// The exception that a client expects.
    pub fn exception(&self) -> RemoteException {
        let kind = match self {
            ClientError::Access(_) => ExceptionKind::AccessControl,
            ClientError::SafeMode { .. } => ExceptionKind::SafeMode,
            ClientError::TooManyCounters { .. } | ClientError::NotFound(_) => ExceptionKind::Io,
        };
        RemoteException::new(kind, self.to_string())
    }
}

impl SubmitError {
    /// The exception that a client expects.
    pub fn exception(&self) -> RemoteException {
        use SubmitError as E;
        match self {
            E::SafeMode { .. } => RemoteException::new(ExceptionKind::SafeMode, self.to_string()),
            E::Access(_) => RemoteException::new(ExceptionKind::AccessControl, self.to_string()),
            E::UndeclaredPool { .. } => RemoteException::new(ExceptionKind::UndeclaredPool, self.to_string()),
            E::QueueStopped { .. } | E::Memory(_) | E::Scheduler(_) => RemoteException::io(self.to_string()),
            // What is found while the job is built comes wrapped, so that the text begins with the inner class.
            E::WrongUser { .. } | E::NoSuchQueue { .. } | E::TooManyTasks { .. } | E::Negative { .. } => {
                RemoteException::io(format!("java.io.IOException: {self}"))
            }
        }
    }
}

/// The rest of the text that tells of safe mode, after `JobTracker is in safe`.
fn by_admin(admin: &Option<String>) -> String {
    admin.as_ref().map_or_else(|| " mode".to_owned(), |admin| format!("-mode set by admin {admin}"))
}
