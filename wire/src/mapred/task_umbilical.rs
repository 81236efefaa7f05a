//! TaskUmbilicalProtocol, versionID 19: children to their TaskTracker.

use types::{JobId, JvmContext, JvmTask, MapTaskCompletionEventsUpdate, SortedRange, TaskAttemptId, TaskStatus};

use super::protocol::protocol;
use crate::object_writable::NewApiJobId;

protocol! {
    "org.apache.hadoop.mapred.TaskUmbilicalProtocol", version 19;

    /// Asks for a task.
    "getTask" GetTask {
        /// Who asks.
        context: JvmContext,
    } -> JvmTask;

    /// Reports; a false answer ends the child.
    "statusUpdate" StatusUpdate {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Its status; diagnostics and failed fetches are those since the last report.
        status: TaskStatus,
        /// Who reports.
        context: JvmContext,
    } -> bool;

    /// Tells what went wrong.
    "reportDiagnosticInfo" ReportDiagnosticInfo {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What happened.
        trace: String,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Tells which records come next, in skip mode.
    "reportNextRecordRange" ReportNextRecordRange {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// The records.
        range: SortedRange,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Asks whether the attempt is still known; a false answer ends the child.
    "ping" Ping {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Who asks.
        context: JvmContext,
    } -> bool;

    /// Tells that the attempt succeeded.
    "done" Done {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Tells that the attempt has output to commit.
    "commitPending" CommitPending {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Its status.
        status: TaskStatus,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Asks whether the attempt may commit its output.
    "canCommit" CanCommit {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Who asks.
        context: JvmContext,
    } -> bool;

    /// Gives up for want of map output.
    "shuffleError" ShuffleError {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What happened.
        message: String,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Gives up for trouble with a file system.
    "fsError" FsError {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What happened.
        message: String,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Gives up for an error that no program handles.
    "fatalError" FatalError {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// What happened.
        message: String,
        /// Who reports.
        context: JvmContext,
    } -> ();

    /// Asks a reduce's TaskTracker for completed maps.
    "getMapCompletionEvents" GetMapCompletionEvents {
        /// Which job.
        job: JobId,
        /// The first event wanted.
        from: i32,
        /// How many at most.
        max: i32,
        /// The reduce that asks.
        attempt: TaskAttemptId,
        /// Who asks.
        context: JvmContext,
    } -> MapTaskCompletionEventsUpdate;

    /// Tells the sizes of what was localized for one user only.
    "updatePrivateDistributedCacheSizes" UpdatePrivateDistributedCacheSizes {
        /// Which job.
        job: NewApiJobId,
        /// Bytes, in the order of the job's cache files.
        sizes: Vec<i64>,
    } -> ();
}
