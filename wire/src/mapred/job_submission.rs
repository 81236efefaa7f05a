//! JobSubmissionProtocol, versionID 28: clients to the JobTracker.

use types::{
    AccessControlList, ClusterStatus, Counters, Credentials, JobId, JobProfile, JobQueueInfo, JobStatus, QueueAclsInfo,
    TaskAttemptId, TaskCompletionEvent, TaskReport, Token,
};

use super::protocol::protocol;
use crate::object_writable::Text;

protocol! {
    "org.apache.hadoop.mapred.JobSubmissionProtocol", version 28;

    /// Gives out a job id.
    "getNewJobId" GetNewJobId {} -> JobId;

    /// Submits a job whose files stand in its staging directory.
    "submitJob" SubmitJob {
        /// An id that was given out for it.
        job: JobId,
        /// Its staging directory.
        submit_dir: String,
        /// Its tokens and secrets.
        credentials: Credentials,
    } -> JobStatus;

    /// Asks for the cluster at a glance.
    "getClusterStatus" GetClusterStatus {
        /// Whether trackers are to be named.
        detailed: bool,
    } -> ClusterStatus;

    /// Asks who administers a queue.
    "getQueueAdmins" GetQueueAdmins {
        /// The queue's name.
        queue: String,
    } -> AccessControlList;

    /// Kills a job.
    "killJob" KillJob {
        /// Which job.
        job: JobId,
    } -> ();

    /// Sets a job's priority.
    "setJobPriority" SetJobPriority {
        /// Which job.
        job: JobId,
        /// The priority's name; the server judges it.
        priority: String,
    } -> ();

    /// Kills or fails an attempt; the reply tells whether there was one to end.
    "killTask" KillTask {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Whether it counts as a failure.
        should_fail: bool,
    } -> bool;

    /// Asks what never changes about a job; null if it is unknown.
    "getJobProfile" GetJobProfile {
        /// Which job.
        job: JobId,
    } -> Option<JobProfile>;

    /// Asks for a job's state; null if it is unknown.
    "getJobStatus" GetJobStatus {
        /// Which job.
        job: JobId,
    } -> Option<JobStatus>;

    /// Asks for a job's counters; null if it is unknown.
    "getJobCounters" GetJobCounters {
        /// Which job.
        job: JobId,
    } -> Option<Counters>;

    /// Asks for reports of a job's maps.
    "getMapTaskReports" GetMapTaskReports {
        /// Which job.
        job: JobId,
    } -> Vec<TaskReport>;

    /// Asks for reports of a job's reduces.
    "getReduceTaskReports" GetReduceTaskReports {
        /// Which job.
        job: JobId,
    } -> Vec<TaskReport>;

    /// Asks for reports of a job's cleanup tasks.
    "getCleanupTaskReports" GetCleanupTaskReports {
        /// Which job.
        job: JobId,
    } -> Vec<TaskReport>;

    /// Asks for reports of a job's setup tasks.
    "getSetupTaskReports" GetSetupTaskReports {
        /// Which job.
        job: JobId,
    } -> Vec<TaskReport>;

    /// Asks for the URI of the default file system.
    "getFilesystemName" GetFilesystemName {} -> String;

    /// Asks for the jobs that have not ended.
    "jobsToComplete" JobsToComplete {} -> Vec<JobStatus>;

    /// Asks for all jobs that the JobTracker remembers.
    "getAllJobs" GetAllJobs {} -> Vec<JobStatus>;

    /// Asks for a job's completion events.
    "getTaskCompletionEvents" GetTaskCompletionEvents {
        /// Which job.
        job: JobId,
        /// The first event wanted.
        from: i32,
        /// How many at most.
        max: i32,
    } -> Vec<TaskCompletionEvent>;

    /// Asks what went wrong with an attempt.
    "getTaskDiagnostics" GetTaskDiagnostics {
        /// Which attempt.
        attempt: TaskAttemptId,
    } -> Vec<Option<String>>;

    /// Asks for the system directory; null in safe mode.
    "getSystemDir" GetSystemDir {} -> Option<String>;

    /// Asks for the caller's staging area.
    "getStagingAreaDir" GetStagingAreaDir {} -> String;

    /// Asks for all queues.
    "getQueues" GetQueues {} -> Vec<JobQueueInfo>;

    /// Asks for one queue; null if it is unknown.
    "getQueueInfo" GetQueueInfo {
        /// The queue's name.
        queue: String,
    } -> Option<JobQueueInfo>;

    /// Asks for the jobs of a queue.
    "getJobsFromQueue" GetJobsFromQueue {
        /// The queue's name.
        queue: String,
    } -> Vec<JobStatus>;

    /// Asks what the caller may do in each queue.
    "getQueueAclsForCurrentUser" GetQueueAclsForCurrentUser {} -> Vec<QueueAclsInfo>;

    /// Asks for a delegation token.
    "getDelegationToken" GetDelegationToken {
        /// Who may renew it.
        renewer: Text,
    } -> Option<Token>;

    /// Renews a delegation token; the reply is its new expiry in milliseconds since the epoch.
    "renewDelegationToken" RenewDelegationToken {
        /// The token.
        token: Token,
    } -> i64;

    /// Cancels a delegation token.
    "cancelDelegationToken" CancelDelegationToken {
        /// The token.
        token: Token,
    } -> ();
}
