//! What the core wants done: files, processes and calls that the daemon makes on its behalf. Long work comes back by a
//! completion method of [`crate::TaskTracker`], named at each effect.

use types::{JobId, JvmId, Task, TaskAttemptId};

/// A signal to a child's process group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGTERM: end, but in your own time.
    Term,
    /// SIGKILL.
    Kill,
}

/// Which of Howdah's two children runs an attempt (DESIGN.md, D5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildKind {
    /// Java's `org.apache.hadoop.mapred.Child`.
    Java,
    /// Our own `child`.
    Native,
}

/// Which files of an attempt go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptFiles {
    /// The working directory only: a map's output is still to be fetched.
    Work,
    /// The attempt's whole directory.
    All,
}

/// One wish of the core. Effects are carried out in order of their queue; clean-ups one after the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Bring the job's files here and choose its child; then `job_localized`.
    LocalizeJob {
        /// Which job.
        job: JobId,
        /// The attempt that needs it: its `job_file` is the URL of `job.xml`, its `user` the owner.
        task: Box<Task>,
    },
    /// Make the attempt's directories and start a child for it; then `child_started` and at its end `child_exited`, or
    /// `child_not_started`.
    SpawnChild {
        /// The new child.
        jvm: JvmId,
        /// Which program it is.
        kind: ChildKind,
        /// The attempt it is started for, with the local path of `job.xml`.
        task: Box<Task>,
    },
    /// Make the directories of an attempt that an idle child is to run; then `task_prepared`.
    PrepareTask {
        /// The child.
        jvm: JvmId,
        /// The attempt.
        task: Box<Task>,
    },
    /// Signal a child's process group.
    SignalChild {
        /// The child.
        jvm: JvmId,
        /// Whose process it is.
        user: String,
        /// The leader of its group.
        pid: i32,
        /// Which signal.
        signal: Signal,
    },
    /// Run the job's script over what a failed attempt left; then `debug_script_ended`.
    RunDebugScript {
        /// The attempt.
        task: Box<Task>,
    },
    /// A child has ended: cut the logs of the attempts that it ran to their limits.
    CloseLogs {
        /// The attempt in whose directory the child logged, and whether that was a task cleanup.
        first: (TaskAttemptId, bool),
        /// All attempts it ran, the first included.
        attempts: Vec<(TaskAttemptId, bool)>,
    },
    /// Delete an attempt's files, unless the job wants them kept.
    CleanAttempt {
        /// Which attempt.
        attempt: TaskAttemptId,
        /// Whether it is a task cleanup, whose directory has a suffix.
        task_cleanup: bool,
        /// Whose files.
        user: String,
        /// Which of them.
        files: AttemptFiles,
        /// Whether it failed, for jobs that keep the files of failed attempts.
        failed: bool,
    },
    /// Delete a job's files, release its cache entries and its token, and let its logs grow old.
    CleanJob {
        /// Which job.
        job: JobId,
        /// Whose files.
        user: String,
    },
    /// Ask the JobTracker for completion events; then `map_events_fetched`.
    FetchMapEvents {
        /// Which job.
        job: JobId,
        /// The first event wanted.
        from: i32,
        /// How many at most.
        max: i32,
    },
    /// Send a heartbeat at once.
    Heartbeat,
}
