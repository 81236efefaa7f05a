//! InterTrackerProtocol, versionID 31: TaskTrackers to the JobTracker.

use types::{HeartbeatResponse, JobId, TaskCompletionEvent, TaskTrackerStatus};

use super::protocol::protocol;

protocol! {
    "org.apache.hadoop.mapred.InterTrackerProtocol", version 31;

    /// Reports and asks what to do.
    "heartbeat" Heartbeat {
        /// The report.
        status: TaskTrackerStatus,
        /// The tracker has only just started.
        restarted: bool,
        /// The tracker does not know this JobTracker yet.
        initial_contact: bool,
        /// It has room for tasks.
        accept_new_tasks: bool,
        /// Of the last answer it got; -1 before the first.
        response_id: i16,
    } -> HeartbeatResponse;

    /// Asks for the URI of the default file system.
    "getFilesystemName" GetFilesystemName {} -> String;

    /// Tells of trouble with the tracker itself.
    "reportTaskTrackerError" ReportTaskTrackerError {
        /// The tracker's name.
        tracker: String,
        /// The error's Java class, if it has one.
        error_class: Option<String>,
        /// What happened.
        message: String,
    } -> ();

    /// Asks for a job's completion events.
    "getTaskCompletionEvents" GetTaskCompletionEvents {
        /// Which job.
        job: JobId,
        /// The first event wanted.
        from: i32,
        /// How many at most.
        max: i32,
    } -> Vec<TaskCompletionEvent>;

    /// Asks for the system directory; null in safe mode.
    "getSystemDir" GetSystemDir {} -> Option<String>;

    /// Asks for the JobTracker's build; trackers of another build shut down.
    "getBuildVersion" GetBuildVersion {} -> String;

    /// Asks for the JobTracker's version.
    "getVIVersion" GetViVersion {} -> String;
}
