//! The children's RPC port: turns wire messages into calls of the core and its values into replies. Answers that may
//! come in a moment are held back for it: a child that waits for a task, for leave to commit or for map output hears at
//! once, and need not come again (Hadoop 1.2.1: the TaskUmbilicalProtocol side of mapred.TaskTracker).

use std::sync::Arc;
use std::time::Duration;

use rpc::server::{BoxFuture, Caller, Outcome, Service};
use tasktracker_core::ChildError;
use types::{JobId, JvmTask, MapTaskCompletionEventsUpdate, RemoteException};
use wire::ipc::{GetProtocolVersion, Method};
use wire::mapred::task_umbilical::{self as umbilical, Call};

use daemon_shell::Stopped;

use crate::driver::{CoreHandle, hold};

/// How long a child waits for a task before it is told that there is none; it naps then and asks again.
const TASK_HELD_MAX: Duration = Duration::from_secs(5);
/// How long a child waits for leave to commit; it says that it is alive while it waits, on the same connection.
const COMMIT_HELD_MAX: Duration = Duration::from_secs(3);
/// How long a reduce waits for map output. A reduce that gives up for another reason waits for this call to end.
const EVENTS_HELD_MAX: Duration = Duration::from_secs(3);
/// How late one answer to a reduce of Java's comes, see `TaskTracker::answers_late`: longer than a small fetch takes.
const LATE_ANSWER: Duration = Duration::from_millis(350);

type Answer = Result<Vec<u8>, RemoteException>;

/// Told the sizes of a job's private cache entries.
type CacheSizes = Arc<dyn Fn(&JobId, &[i64]) + Send + Sync>;

/// Answers children.
pub(crate) struct UmbilicalServer {
    core: CoreHandle,
    /// Told of the sizes of what a job's own user localized.
    sizes: CacheSizes,
}

impl UmbilicalServer {
    pub(crate) fn new(core: CoreHandle, sizes: CacheSizes) -> UmbilicalServer {
        UmbilicalServer { core, sizes }
    }
}

impl Service for UmbilicalServer {
    fn serves(&self, protocol: &str) -> bool {
        protocol == umbilical::NAME
    }

    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome> {
        let (core, sizes) = (self.core.clone(), self.sizes.clone());
        Box::pin(async move {
            let call = match Call::decode(&invocation) {
                Ok(call) => call,
                Err(error) => return error.reply().map_or(Outcome::Close, Outcome::Error),
            };
            match answer(&core, &caller, call, &*sizes).await {
                Ok(value) => Outcome::Reply(value),
                Err(error) => Outcome::Error(error),
            }
        })
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure(RemoteException::io(stopped.to_string()))
    }
}

/// An error reply; for `?` on both kinds of error.
struct Failure(RemoteException);

impl From<RemoteException> for Failure {
    fn from(error: RemoteException) -> Self {
        Failure(error)
    }
}

/// A child speaks for the job in whose name it connected, and for no other (Hadoop 1.2.1: TaskTracker.authorizeJVM).
fn authorize(caller: &Caller, job: &JobId) -> Result<(), RemoteException> {
    if caller.user == job.to_string() {
        return Ok(());
    }
    Err(RemoteException::io(format!("JVM with {} is not authorized for {job}", caller.user)))
}

fn job_of(call: &Call) -> Option<&JobId> {
    match call {
        Call::GetProtocolVersion(_) => None,
        Call::GetTask(call) => Some(&call.context.jvm.job),
        Call::StatusUpdate(call) => Some(call.attempt.job()),
        Call::ReportDiagnosticInfo(call) => Some(call.attempt.job()),
        Call::ReportNextRecordRange(call) => Some(call.attempt.job()),
        Call::Ping(call) => Some(call.attempt.job()),
        Call::Done(call) => Some(call.attempt.job()),
        Call::CommitPending(call) => Some(call.attempt.job()),
        Call::CanCommit(call) => Some(call.attempt.job()),
        Call::ShuffleError(call) => Some(call.attempt.job()),
        Call::FsError(call) => Some(call.attempt.job()),
        Call::FatalError(call) => Some(call.attempt.job()),
        Call::GetMapCompletionEvents(call) => Some(&call.job),
        Call::UpdatePrivateDistributedCacheSizes(call) => Some(&call.job.0),
    }
}

async fn answer(
    core: &CoreHandle,
    caller: &Caller,
    call: Call,
    sizes: &(dyn Fn(&JobId, &[i64]) + Send + Sync),
) -> Answer {
    if let Some(job) = job_of(&call) {
        authorize(caller, job)?;
    }
    tracing::trace!(user = caller.user, method = call.method(), "a child calls");
    let answered = match call {
        Call::GetProtocolVersion(call) => Ok(version(&call)),
        Call::UpdatePrivateDistributedCacheSizes(call) => {
            sizes(&call.job.0, &call.sizes);
            Ok(reply(&call, ()))
        }
        Call::GetTask(call) => get_task(core, call).await,
        Call::CanCommit(call) => can_commit(core, call).await,
        Call::GetMapCompletionEvents(call) => map_events(core, call).await,
        call => ask_once(core, call).await,
    };
    answered.map_err(|Failure(error)| error)
}

fn reply<M: Method>(_: &M, value: M::Reply) -> Vec<u8> {
    M::encode_reply(&value)
}

fn version(call: &GetProtocolVersion) -> Vec<u8> {
    reply(call, umbilical::VERSION)
}

async fn get_task(core: &CoreHandle, call: umbilical::GetTask) -> Result<Vec<u8>, Failure> {
    let context = call.context.clone();
    let found = hold(core, TASK_HELD_MAX, move |core, _| core.get_task(&context)).await?;
    let found = found.unwrap_or(JvmTask { should_die: false, task: None });
    match (&found.task, found.should_die) {
        (Some(task), _) => tracing::info!(attempt = %task.attempt, jvm = %call.context.jvm, "a child takes its task"),
        (None, true) => tracing::info!(jvm = %call.context.jvm, "a child is told to end"),
        (None, false) => (),
    }
    Ok(reply(&call, found))
}

async fn can_commit(core: &CoreHandle, call: umbilical::CanCommit) -> Result<Vec<u8>, Failure> {
    let (attempt, jvm) = (call.attempt.clone(), call.context.jvm.clone());
    let may = hold(core, COMMIT_HELD_MAX, move |core, _| match core.can_commit(&attempt, &jvm) {
        Ok(false) => None,
        decided => Some(decided),
    })
    .await?;
    Ok(reply(&call, may.unwrap_or(Ok(false))?))
}

async fn map_events(core: &CoreHandle, call: umbilical::GetMapCompletionEvents) -> Result<Vec<u8>, Failure> {
    let (attempt, from, max, jvm) = (call.attempt.clone(), call.from, call.max, call.context.jvm.clone());
    let mut asked = false;
    let found = hold(core, EVENTS_HELD_MAX, move |core, _| {
        let found = core.map_events(&attempt, from, max, &jvm).transpose();
        if found.is_none() && !std::mem::replace(&mut asked, true) {
            core.fetch_map_events(attempt.job());
        }
        found
    })
    .await?;
    let found = found.unwrap_or(Ok(MapTaskCompletionEventsUpdate::default()))?;
    if found.events.is_empty() && !found.reset {
        let attempt = call.attempt.clone();
        if core.ask(move |core, _| core.answers_late(&attempt)).await? {
            tokio::time::sleep(LATE_ANSWER).await;
        }
    }
    Ok(reply(&call, found))
}

async fn ask_once(core: &CoreHandle, call: Call) -> Result<Vec<u8>, Failure> {
    Ok(core
        .ask(move |core, now| -> Answer {
            Ok(match call {
                Call::StatusUpdate(call) => {
                    let goes_on = core.status_update(now, &call.attempt, call.status, &call.context.jvm);
                    umbilical::StatusUpdate::encode_reply(&goes_on)
                }
                Call::Ping(call) => reply(&call, core.ping(&call.attempt, &call.context.jvm)?),
                Call::ReportDiagnosticInfo(call) => {
                    reply(&call, core.report_diagnostics(&call.attempt, &call.trace, &call.context.jvm)?)
                }
                Call::ReportNextRecordRange(call) => {
                    reply(&call, core.report_next_records(&call.attempt, call.range, &call.context.jvm)?)
                }
                Call::Done(call) => reply(&call, core.done(now, &call.attempt, &call.context.jvm)?),
                Call::CommitPending(call) => {
                    core.commit_pending(now, &call.attempt, call.status, &call.context.jvm)?;
                    umbilical::CommitPending::encode_reply(&())
                }
                Call::ShuffleError(call) => {
                    let (attempt, jvm) = (&call.attempt, &call.context.jvm);
                    reply(&call, core.child_error(now, attempt, ChildError::Shuffle, &call.message, jvm)?)
                }
                Call::FsError(call) => {
                    let (attempt, jvm) = (&call.attempt, &call.context.jvm);
                    reply(&call, core.child_error(now, attempt, ChildError::FileSystem, &call.message, jvm)?)
                }
                Call::FatalError(call) => {
                    let (attempt, jvm) = (&call.attempt, &call.context.jvm);
                    reply(&call, core.child_error(now, attempt, ChildError::Fatal, &call.message, jvm)?)
                }
                // Answered before, or held.
                Call::GetProtocolVersion(_)
                | Call::GetTask(_)
                | Call::CanCommit(_)
                | Call::GetMapCompletionEvents(_)
                | Call::UpdatePrivateDistributedCacheSizes(_) => unreachable!("answered elsewhere"),
            })
        })
        .await??)
}
