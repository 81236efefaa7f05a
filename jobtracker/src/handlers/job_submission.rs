//! JobSubmissionProtocol: what clients ask and want done.

use std::sync::Arc;

use jobtracker_core::{ClientError, ReportKind, SubmitError};
use rpc::server::Caller;
use storage::Path;
use types::{ClusterStatus, ExceptionKind, JobId, JobPriority, RemoteException, TaskAttemptId, TaskReport};
use wire::mapred::job_submission::{Call, SubmitJob};

use super::{Answer, held_events, protocol_version, reply};
use crate::state::{Shared, short_name};
use crate::submission::{self, Request, no_such_priority, wrapped};
use crate::{child_choices, memory};
use daemon_shell::wall_millis;

/// Answers one call. What the core knows is asked from the core; the rest is said here.
pub(super) async fn answer(shared: &Arc<Shared>, caller: &Caller, call: Call) -> Answer {
    match call {
        Call::GetProtocolVersion(call) => protocol_version(&call),
        Call::GetFilesystemName(call) => reply(&call, super::file_system_name(shared)),
        Call::GetSystemDir(call) => reply(&call, super::inter_tracker::system_dir(shared).await?),
        Call::GetStagingAreaDir(call) => {
            refuse_in_safe_mode(shared).await?;
            reply(&call, staging_area(shared, short_name(&caller.user))?)
        }
        Call::GetClusterStatus(call) => reply(&call, cluster_status(shared, call.detailed).await?),
        Call::GetQueueAdmins(call) => {
            let queue = call.queue.clone();
            reply(&call, shared.core.ask(move |core, _| core.queue_administrators(&queue)).await?)
        }
        Call::GetQueues(call) => reply(&call, shared.core.ask(|core, _| core.queues()).await?),
        Call::GetQueueInfo(call) => {
            let queue = call.queue.clone();
            reply(&call, shared.core.ask(move |core, _| core.queue_info(&queue)).await?)
        }
        Call::GetJobsFromQueue(call) => {
            let queue = call.queue.clone();
            reply(&call, shared.core.ask(move |core, _| core.jobs_from_queue(&queue)).await?)
        }
        Call::GetQueueAclsForCurrentUser(call) => {
            let asking = shared.caller(caller).await;
            reply(&call, shared.core.ask(move |core, _| core.queue_acls(&asking)).await?)
        }
        Call::GetDelegationToken(call) => {
            shared.check_running()?;
            let real_user = caller.real_user.as_deref().unwrap_or("");
            let renewer = short_name(&call.renewer.0);
            let token = shared.tokens.issue(&caller.user, renewer, real_user, wall_millis());
            reply(&call, Some(token))
        }
        Call::RenewDelegationToken(call) => {
            shared.check_running()?;
            let expiry = shared.tokens.renew(&call.token, short_name(&caller.user), wall_millis())?;
            reply(&call, expiry)
        }
        Call::CancelDelegationToken(call) => {
            shared.check_running()?;
            shared.tokens.cancel(&call.token, short_name(&caller.user))?;
            reply(&call, ())
        }
        about_jobs => {
            shared.check_running()?;
            answer_about_jobs(shared, caller, about_jobs).await
        }
    }
}

/// Answers the calls that need a JobTracker whose start is over.
async fn answer_about_jobs(shared: &Arc<Shared>, caller: &Caller, call: Call) -> Answer {
    match call {
        Call::GetNewJobId(call) => reply(&call, shared.core.ask(|core, _| core.new_job_id()).await?),
        Call::SubmitJob(call) => submit(shared, caller, call).await,
        Call::KillJob(call) => {
            let (job, asking) = (call.job.clone(), shared.caller(caller).await);
            told(shared.core.ask(move |core, now| core.kill_job(now, &asking, &job)).await?)?;
            reply(&call, ())
        }
        Call::SetJobPriority(call) => {
            let priority = JobPriority::from_name(&call.priority).ok_or_else(|| no_such_priority(&call.priority))?;
            let (job, asking) = (call.job.clone(), shared.caller(caller).await);
            told(shared.core.ask(move |core, now| core.set_job_priority(now, &asking, &job, priority)).await?)?;
            reply(&call, ())
        }
        Call::KillTask(call) => {
            let (attempt, should_fail, asking) = (call.attempt.clone(), call.should_fail, shared.caller(caller).await);
            let killed = shared.core.ask(move |core, now| core.kill_task(now, &asking, &attempt, should_fail)).await?;
            reply(&call, told(killed)?)
        }
        Call::GetJobProfile(call) => {
            let job = call.job.clone();
            reply(&call, shared.core.ask(move |core, _| core.job_profile(&job)).await?)
        }
        Call::GetJobStatus(call) => {
            let job = call.job.clone();
            reply(&call, shared.core.ask(move |core, _| core.job_status(&job)).await?)
        }
        Call::GetJobCounters(call) => {
            let (job, asking) = (call.job.clone(), shared.caller(caller).await);
            reply(&call, told(shared.core.ask(move |core, _| core.job_counters(&asking, &job)).await?)?)
        }
        Call::GetMapTaskReports(call) => reply(&call, task_reports(shared, caller, &call.job, ReportKind::Map).await?),
        Call::GetReduceTaskReports(call) => {
            reply(&call, task_reports(shared, caller, &call.job, ReportKind::Reduce).await?)
        }
        Call::GetCleanupTaskReports(call) => {
            reply(&call, task_reports(shared, caller, &call.job, ReportKind::Cleanup).await?)
        }
        Call::GetSetupTaskReports(call) => {
            reply(&call, task_reports(shared, caller, &call.job, ReportKind::Setup).await?)
        }
        Call::JobsToComplete(call) => reply(&call, shared.core.ask(|core, _| core.jobs_to_complete()).await?),
        Call::GetAllJobs(call) => reply(&call, shared.core.ask(|core, _| core.all_jobs()).await?),
        Call::GetTaskCompletionEvents(call) => {
            reply(&call, held_events::completion_events(shared, caller.address, &call).await?)
        }
        Call::GetTaskDiagnostics(call) => {
            let diagnostics = task_diagnostics(shared, caller, &call.attempt).await?;
            reply(&call, diagnostics.into_iter().map(Some).collect())
        }
        // The others are answered before the start is over, too, by the caller.
        other => Err(RemoteException::io(format!("{} is not served", other.method()))),
    }
}

/// What the core refused, as the client expects to be told.
fn told<T>(answer: Result<T, ClientError>) -> Result<T, RemoteException> {
    answer.map_err(|error| error.exception())
}

async fn refuse_in_safe_mode(shared: &Shared) -> Result<(), RemoteException> {
    if !shared.is_running() || shared.core.ask(|core, _| core.safe_mode()).await? {
        return Err(RemoteException::new(ExceptionKind::SafeMode, "JobTracker is in safe mode"));
    }
    Ok(())
}

fn staging_area(shared: &Shared, user: &str) -> Result<String, RemoteException> {
    let path = Path::parse(&format!("{}/{user}/.staging", shared.settings.staging_root.trim_end_matches('/')));
    let qualified = path.and_then(|path| shared.storage.qualify(&path));
    Ok(qualified.map_err(|error| RemoteException::io(error.to_string()))?.to_string())
}

async fn cluster_status(shared: &Shared, detailed: bool) -> Result<ClusterStatus, RemoteException> {
    let mut status = shared.core.ask(move |core, _| core.cluster_status(detailed)).await?;
    (status.used_memory, status.max_memory) = memory::used_and_most();
    if !shared.is_running() {
        status.state = types::JobTrackerState::Initializing;
    }
    Ok(status)
}

async fn task_reports(
    shared: &Shared,
    caller: &Caller,
    job: &JobId,
    kind: ReportKind,
) -> Result<Vec<TaskReport>, RemoteException> {
    let (job, asking) = (job.clone(), shared.caller(caller).await);
    told(shared.core.ask(move |core, _| core.task_reports(&asking, &job, kind)).await?)
}

async fn task_diagnostics(
    shared: &Shared,
    caller: &Caller,
    attempt: &TaskAttemptId,
) -> Result<Vec<String>, RemoteException> {
    let (attempt, asking) = (attempt.clone(), shared.caller(caller).await);
    told(shared.core.ask(move |core, _| core.task_diagnostics(&asking, &attempt)).await?)
}

/// Takes a job: on the disk first, then in the core, then the answer.
async fn submit(shared: &Arc<Shared>, caller: &Caller, call: SubmitJob) -> Answer {
    refuse_in_safe_mode(shared).await?;
    let job = call.job.clone();
    let known = {
        let job = job.clone();
        shared.core.ask(move |core, _| core.job_status(&job)).await?
    };
    if let Some(status) = known {
        return reply(&call, status);
    }
    let request = Request {
        job: job.clone(),
        caller: shared.caller(caller).await,
        submit_dir: call.submit_dir.clone(),
        credentials: call.credentials.clone(),
    };
    let preparing = shared.clone();
    let prepared = tokio::task::spawn_blocking(move || submission::prepare(&preparing, request)).await;
    let submission = prepared.map_err(|_| RemoteException::io("the submission was given up"))??;
    let user = submission.caller.user.clone();
    match shared.core.ask(move |core, now| core.submit_job(now, submission)).await? {
        Ok(status) => {
            tracing::info!(%job, user, "job submitted");
            child_choices::look(shared, job);
            reply(&call, status)
        }
        Err(error) => {
            tracing::info!(%job, user, %error, "job refused");
            forget(shared, job).await;
            Err(refusal(&error))
        }
    }
}

/// What a client expects to be told; some checks stand inside 1.2.1's constructor of a job, whose errors are wrapped.
fn refusal(error: &SubmitError) -> RemoteException {
    match error {
        SubmitError::WrongUser { .. } | SubmitError::NoSuchQueue { .. } | SubmitError::TooManyTasks { .. } => {
            wrapped(error)
        }
        other => other.exception(),
    }
}

/// Nothing of a refused job stays; 1.2.1 left its entry in the system directory behind.
async fn forget(shared: &Arc<Shared>, job: JobId) {
    let shared = shared.clone();
    let forgotten = tokio::task::spawn_blocking(move || {
        shared.forget_job(&job);
        shared.journal.forget_job(&job);
        shared.system_directory.remove_job(&job);
    });
    let _ = forgotten.await;
}
