//! A job as it is handed to the core: the values of `job.xml` that decide anything here, already typed. The daemon
//! fills it; what only children or TaskTrackers read stays in the file.

use types::{AccessControlList, JobAcl, JobId, JobPriority, SplitMeta};

/// A job that asks to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Its id, given by [`crate::JobTracker::new_job_id`] or found at recovery.
    pub job: JobId,
    /// Who submits it: the caller, whose job it becomes.
    pub caller: Caller,
    /// `user.name` of `job.xml`, which must be the caller if it is there.
    pub user_name: Option<String>,
    /// Its name (`mapred.job.name`).
    pub name: String,
    /// The URL of its `job.xml` in the staging directory.
    pub job_file: String,
    /// The URL of its `job.split`, given to each map.
    pub split_file: String,
    /// Its page.
    pub url: String,
    /// Its staging directory, removed when it ends.
    pub staging_dir: String,
    /// Its queue (`mapred.job.queue.name`).
    pub queue: String,
    /// Its pool under the fair scheduler (`mapred.fairscheduler.pool`, or what names the pool instead).
    pub pool: String,
    /// How urgent it is (`mapred.job.priority`).
    pub priority: JobPriority,
    /// Number of maps (`mapred.map.tasks`, as the client set it: the number of splits).
    pub maps: i32,
    /// Number of reduces (`mapred.reduce.tasks`).
    pub reduces: i32,
    /// Failures that end a map (`mapred.map.max.attempts`).
    pub map_attempts_max: i32,
    /// Failures that end a reduce (`mapred.reduce.max.attempts`).
    pub reduce_attempts_max: i32,
    /// Share of the cluster's trackers for which schedulers with delay wait before they take maps from elsewhere
    /// (`mapreduce.job.locality.wait.factor`).
    pub locality_wait_factor: f32,
    /// Percent of maps that may fail (`mapred.max.map.failures.percent`).
    pub map_failures_percent: i32,
    /// Percent of reduces that may fail (`mapred.max.reduce.failures.percent`).
    pub reduce_failures_percent: i32,
    /// Whether slow maps are run twice (`mapred.map.tasks.speculative.execution`).
    pub map_speculation: bool,
    /// Whether slow reduces are run twice (`mapred.reduce.tasks.speculative.execution`).
    pub reduce_speculation: bool,
    /// The share of maps that must be done before reduces start; `None` if neither the job nor the site sets it
    /// (`mapred.reduce.slowstart.completed.maps`).
    pub slow_start: Option<f32>,
    /// Failures on one host after which the job avoids it (`mapred.max.tracker.failures`).
    pub tracker_failures_max: i32,
    /// Memory of a map in MiB, or -1 (`mapred.job.map.memory.mb`).
    pub map_memory_mb: i64,
    /// Memory of a reduce in MiB, or -1 (`mapred.job.reduce.memory.mb`).
    pub reduce_memory_mb: i64,
    /// `mapreduce.reduce.input.limit` as the job sees it; 0 or less is none.
    pub reduce_input_limit: Option<i64>,
    /// How bad records are skipped.
    pub skip: SkipSettings,
    /// The job's own access lists, in wire order.
    pub acls: Vec<(JobAcl, AccessControlList)>,
    /// Whom to tell when it ends.
    pub notification: Option<Notification>,
    /// The workflow it is part of, for history.
    pub workflow: Workflow,
    /// Files of attempts are to be kept, so the staging directory stays (`keep.failed.task.files`,
    /// `keep.task.files.pattern`).
    pub keep_files: bool,
    /// Delegation tokens die with the job (`mapreduce.job.complete.cancel.delegation.tokens`).
    pub cancel_tokens: bool,
    /// Whether its tasks are framed by a setup and a cleanup attempt, and failed attempts are cleaned up after. Hadoop
    /// 1.2.1 knows no other jobs; simulations of the scheduler alone do.
    pub setup_and_cleanup: bool,
    /// Whether it goes on after a restart of the JobTracker even if attempts were lost by it
    /// (`mapreduce.job.restart.recover`).
    pub restart_recover: bool,
    /// Found in the system directory at start, not sent by a client.
    pub recovered: bool,
}

/// Bad-record skipping (Hadoop 1.2.1: SkipBadRecords).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkipSettings {
    /// Failed attempts before skip mode begins (`mapred.skip.attempts.to.start.skipping`).
    pub attempts_to_start: i32,
    /// Most records a map may lose; 0 for no skipping (`mapred.skip.map.max.skip.records`).
    pub map_records_max: i64,
    /// Most groups a reduce may lose; 0 for no skipping (`mapred.skip.reduce.max.skip.groups`).
    pub reduce_groups_max: i64,
}

impl Default for SkipSettings {
    fn default() -> Self {
        SkipSettings { attempts_to_start: 2, map_records_max: 0, reduce_groups_max: 0 }
    }
}

/// Whom to tell when a job ends (`job.end.notification.url` and its companions).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notification {
    /// The address, with `$jobId` and `$jobStatus` still in it.
    pub url: String,
    /// Tries after the first (`job.end.retry.attempts`).
    pub retries: i32,
    /// Milliseconds between tries (`job.end.retry.interval`).
    pub interval_ms: i64,
    /// Socket timeout in milliseconds (`mapreduce.job.end-notification.timeout`).
    pub timeout_ms: i64,
}

/// A job's place in a workflow, written to history as it came (`mapreduce.workflow.*`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Workflow {
    /// `mapreduce.workflow.id`.
    pub id: String,
    /// `mapreduce.workflow.name`.
    pub name: String,
    /// `mapreduce.workflow.node.name`.
    pub node_name: String,
    /// `mapreduce.workflow.adjacency.*`, as history spells them.
    pub adjacencies: String,
    /// `mapreduce.workflow.tags`.
    pub tags: String,
}

/// Who calls: names found by the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// Short user name.
    pub user: String,
    /// The user's groups.
    pub groups: Vec<String>,
    /// The address the call came from, for the audit log.
    pub address: String,
}

impl Caller {
    /// A user without groups or address.
    pub fn named(user: impl Into<String>) -> Self {
        Caller { user: user.into(), ..Caller::default() }
    }
}

/// A split and the racks of its hosts, in the order of its locations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitWithRacks {
    /// The split.
    pub split: SplitMeta,
    /// The rack path of each location, such as `/default-rack`.
    pub racks: Vec<String>,
}

impl Submission {
    /// A job with Hadoop's defaults for everything that has one.
    pub fn new(job: JobId, user: impl Into<String>, maps: i32, reduces: i32) -> Self {
        let caller = Caller::named(user);
        Submission {
            pool: caller.user.clone(),
            caller,
            user_name: None,
            name: String::new(),
            job_file: format!("file:/staging/{job}/job.xml"),
            split_file: format!("file:/staging/{job}/job.split"),
            url: String::new(),
            staging_dir: format!("file:/staging/{job}"),
            job,
            queue: "default".to_owned(),
            priority: JobPriority::Normal,
            maps,
            reduces,
            map_attempts_max: 4,
            reduce_attempts_max: 4,
            locality_wait_factor: 1.0,
            map_failures_percent: 0,
            reduce_failures_percent: 0,
            map_speculation: true,
            reduce_speculation: true,
            slow_start: None,
            tracker_failures_max: 4,
            map_memory_mb: -1,
            reduce_memory_mb: -1,
            reduce_input_limit: None,
            skip: SkipSettings::default(),
            acls: vec![
                (JobAcl::ViewJob, AccessControlList::default()),
                (JobAcl::ModifyJob, AccessControlList::default()),
            ],
            notification: None,
            workflow: Workflow::default(),
            keep_files: false,
            cancel_tokens: true,
            setup_and_cleanup: true,
            restart_recover: true,
            recovered: false,
        }
    }
}
