//! Who may do what to which job (Hadoop 1.2.1: ACLsManager, JobACLsManager, Operation). Each decision leaves a line for
//! the audit log.

use types::{AccessControlList, JobAcl};

use crate::cluster::Cluster;
use crate::effect::{AuditRecord, AuditRefusal, Effect};
use crate::job::JobInProgress;
use crate::queues::Queues;
use crate::submission::{Caller, Submission};

/// What is done to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    ViewCounters,
    ViewDetails,
    KillJob,
    FailTask,
    KillTask,
    SetPriority,
}

const SUBMIT_JOB: &str = "SUBMIT_JOB";
const UNAUTHORIZED: &str = "Unauthorized user";

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::ViewCounters => "VIEW_JOB_COUNTERS",
            Operation::ViewDetails => "VIEW_JOB_DETAILS",
            Operation::KillJob => "KILL_JOB",
            Operation::FailTask => "FAIL_TASK",
            Operation::KillTask => "KILL_TASK",
            Operation::SetPriority => "SET_JOB_PRIORITY",
        }
    }

    fn job_acl(self) -> JobAcl {
        match self {
            Operation::ViewCounters | Operation::ViewDetails => JobAcl::ViewJob,
            _ => JobAcl::ModifyJob,
        }
    }
}

/// Whether a caller administers the cluster.
pub(crate) fn is_administrator(cluster: &Cluster, caller: &Caller) -> bool {
    caller.user == cluster.identity.user || cluster.settings.administrators.allows(&caller.user, &caller.groups)
}

/// The administrators as a text: those configured and the JobTracker's own user.
fn administrators(cluster: &Cluster) -> String {
    let mut list = cluster.settings.administrators.clone();
    if !list.everybody && !list.users.contains(&cluster.identity.user) {
        list.users.push(cluster.identity.user.clone());
    }
    list.to_string()
}

/// Whether a caller may do that to a job. The error is the text for the caller.
pub(crate) fn check(
    cluster: &mut Cluster,
    queues: &Queues,
    caller: &Caller,
    job: &JobInProgress,
    operation: Operation,
) -> Result<(), String> {
    if !cluster.settings.acls_enabled {
        return Ok(());
    }
    let queue = &job.submission.queue;
    let nobody = AccessControlList::default();
    let acl = job.status.acls.iter().find(|(acl, _)| *acl == operation.job_acl()).map_or(&nobody, |(_, list)| list);
    let allowed = is_administrator(cluster, caller)
        || queues.administrators(queue).allows(&caller.user, &caller.groups)
        || caller.user == job.status.user
        || acl.allows(&caller.user, &caller.groups);
    let target = format!("{} in queue {queue}", job.id);
    let refused = (!allowed).then(|| refusal(acl.to_string(), UNAUTHORIZED));
    audit(cluster, caller, operation.name(), target, refused);
    match allowed {
        true => Ok(()),
        false => Err(format!(
            "User {} cannot perform operation {} on {} that is in the queue {queue}",
            caller.user,
            operation.name(),
            job.id
        )),
    }
}

/// Whether a job's submitter may submit to its queue. The error is the text for the caller.
pub(crate) fn check_submission(cluster: &mut Cluster, queues: &Queues, submission: &Submission) -> Result<(), String> {
    if !cluster.settings.acls_enabled {
        return Ok(());
    }
    let (caller, queue) = (&submission.caller, &submission.queue);
    let submitters = queues.get(queue).map(|queue| queue.submitters.clone()).unwrap_or_default();
    let allowed = is_administrator(cluster, caller) || submitters.allows(&caller.user, &caller.groups);
    let target = format!("{} in queue {queue}", submission.job);
    let refused = (!allowed).then(|| refusal(submitters.to_string(), UNAUTHORIZED));
    audit(cluster, caller, SUBMIT_JOB, target, refused);
    match allowed {
        true => Ok(()),
        false => Err(format!(
            "User {} cannot perform operation {SUBMIT_JOB} on queue {queue}.\n Please run \"hadoop queue -showacls\" \
             command to find the queues you have access to .",
            caller.user
        )),
    }
}

/// A job was taken.
pub(crate) fn audit_submission(cluster: &mut Cluster, submission: &Submission) {
    audit(cluster, &submission.caller, SUBMIT_JOB, submission.job.to_string(), None);
}

/// A job came under a name that is not its submitter's.
pub(crate) fn audit_wrong_user(cluster: &mut Cluster, submission: &Submission, named: &str, description: String) {
    let refused = Some(AuditRefusal { permissions: named.to_owned(), description });
    audit(cluster, &submission.caller, SUBMIT_JOB, submission.job.to_string(), refused);
}

/// Whether a caller may administer the cluster.
pub(crate) fn check_administrator(cluster: &mut Cluster, caller: &Caller, operation: &'static str) -> bool {
    let allowed = is_administrator(cluster, caller);
    let refused = (!allowed).then(|| refusal(administrators(cluster), UNAUTHORIZED));
    audit(cluster, caller, operation, "JobTracker".to_owned(), refused);
    allowed
}

fn refusal(permissions: String, description: &str) -> AuditRefusal {
    AuditRefusal { permissions, description: description.to_owned() }
}

fn audit(
    cluster: &mut Cluster,
    caller: &Caller,
    operation: &'static str,
    target: String,
    refused: Option<AuditRefusal>,
) {
    let (user, address) = (caller.user.clone(), caller.address.clone());
    cluster.effects.push(Effect::Audit(AuditRecord { user, address, operation, target, refused }));
}
