//! The child's line to its TaskTracker (Hadoop 1.2.1: TaskUmbilicalProtocol, versionID 19).
//!
//! The connection's user is the job id, whatever the user's name; with security on, the job token speaks for it.

use std::time::Duration;

use rpc::ClientOptions;
use rpc::blocking::Client;
use types::{JvmContext, JvmTask, MapTaskCompletionEventsUpdate, TaskAttemptId, TaskStatus, Token};
use wire::ipc::{GetProtocolVersion, Method};
use wire::mapred::task_umbilical::{self as protocol, *};

use crate::api::{Result, TaskError};

/// The pause between two tries to connect.
const CONNECT_PAUSE: Duration = Duration::from_millis(500);
/// A tracker that was killed is gone for good, and an attempt that runs on for nobody wastes the node: two seconds of
/// tries on loopback are enough.
const CONNECT_RETRIES: u32 = 4;
/// A tracker that is being restarted over its children comes back within two minutes, or not at all.
const CONNECT_RETRIES_PATIENT: u32 = 240;

/// Calls of one child.
#[derive(Clone)]
pub(crate) struct Umbilical {
    client: Client,
    options: ClientOptions,
    context: JvmContext,
}

impl Umbilical {
    /// A line to `host:port`. A tracker without security answers a token with plain talk, which is as good.
    pub(crate) fn new(address: &str, context: JvmContext, token: Option<Token>) -> Self {
        let options = ClientOptions {
            user: context.jvm.job.to_string(),
            token,
            fallback_to_simple: true,
            connect_retries: CONNECT_RETRIES,
            connect_retry_interval: CONNECT_PAUSE,
            ..ClientOptions::default()
        };
        Umbilical { client: Client::new(address, protocol::NAME, options.clone()), options, context }
    }

    /// A line to the same tracker that waits for its return.
    pub(crate) fn patient(&self) -> Self {
        let options = ClientOptions { connect_retries: CONNECT_RETRIES_PATIENT, ..self.options.clone() };
        let client = Client::new(self.client.address(), protocol::NAME, options.clone());
        Umbilical { client, options, context: self.context.clone() }
    }

    fn call<M: Method>(&self, method: &M) -> Result<M::Reply> {
        self.client.call(method).map_err(|source| TaskError::Umbilical { call: M::NAME, source: Box::new(source) })
    }

    /// Sees to it that the tracker speaks this protocol.
    pub(crate) fn check_version(&self) -> Result<()> {
        let version =
            self.call(&GetProtocolVersion { protocol: protocol::NAME.to_owned(), client_version: protocol::VERSION })?;
        if version == protocol::VERSION {
            return Ok(());
        }
        let message = format!("the task tracker speaks {} {version}; expected {}", protocol::NAME, protocol::VERSION);
        Err(TaskError::Failed { exception: "org.apache.hadoop.ipc.RPC$VersionMismatch", message })
    }

    pub(crate) fn get_task(&self) -> Result<JvmTask> {
        self.call(&GetTask { context: self.context.clone() })
    }

    /// False if the tracker does not know the attempt.
    pub(crate) fn status_update(&self, status: &TaskStatus) -> Result<bool> {
        let (attempt, context) = (status.attempt.clone(), self.context.clone());
        self.call(&StatusUpdate { attempt, status: status.clone(), context })
    }

    /// False if the tracker does not know the attempt.
    pub(crate) fn ping(&self, attempt: &TaskAttemptId) -> Result<bool> {
        self.call(&Ping { attempt: attempt.clone(), context: self.context.clone() })
    }

    pub(crate) fn done(&self, attempt: &TaskAttemptId) -> Result<()> {
        self.call(&Done { attempt: attempt.clone(), context: self.context.clone() })
    }

    pub(crate) fn commit_pending(&self, status: &TaskStatus) -> Result<()> {
        let (attempt, context) = (status.attempt.clone(), self.context.clone());
        self.call(&CommitPending { attempt, status: status.clone(), context })
    }

    pub(crate) fn can_commit(&self, attempt: &TaskAttemptId) -> Result<bool> {
        self.call(&CanCommit { attempt: attempt.clone(), context: self.context.clone() })
    }

    pub(crate) fn report_diagnostic_info(&self, attempt: &TaskAttemptId, trace: String) -> Result<()> {
        self.call(&ReportDiagnosticInfo { attempt: attempt.clone(), trace, context: self.context.clone() })
    }

    pub(crate) fn shuffle_error(&self, attempt: &TaskAttemptId, message: String) -> Result<()> {
        self.call(&ShuffleError { attempt: attempt.clone(), message, context: self.context.clone() })
    }

    pub(crate) fn fs_error(&self, attempt: &TaskAttemptId, message: String) -> Result<()> {
        self.call(&FsError { attempt: attempt.clone(), message, context: self.context.clone() })
    }

    pub(crate) fn fatal_error(&self, attempt: &TaskAttemptId, message: String) -> Result<()> {
        self.call(&FatalError { attempt: attempt.clone(), message, context: self.context.clone() })
    }

    pub(crate) fn map_completion_events(
        &self,
        attempt: &TaskAttemptId,
        from: i32,
        max: i32,
    ) -> Result<MapTaskCompletionEventsUpdate> {
        let (job, context) = (attempt.job().clone(), self.context.clone());
        self.call(&GetMapCompletionEvents { job, from, max, attempt: attempt.clone(), context })
    }
}
