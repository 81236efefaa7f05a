//! The JobTracker, its queues, history, blacklists and tokens.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "JobTracker RPC host:port; \"local\" selects the in-process runner."
    MAPRED_JOB_TRACKER: String as "host:port" = "mapred.job.tracker", Some("local"), true, None, Limits::Any,
        [], "JT,TT,client", Behaviour, "JobClient";
    "JobTracker web bind address; port 0 picks a free one."
    MAPRED_JOB_TRACKER_HTTP_ADDRESS: String as "host:port" = "mapred.job.tracker.http.address", Some("0.0.0.0:50030"), true, None, Limits::Any,
        ["mapreduce.jobtracker.http.address"], "JT", Behaviour, "JSPUtil";
    "Old name: web bind host, overrides when set."
    MAPRED_JOB_TRACKER_INFO_BIND_ADDRESS: String = "mapred.job.tracker.info.bindAddress", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Old name: web port, overrides when set."
    MAPRED_JOB_TRACKER_INFO_PORT: i32 = "mapred.job.tracker.info.port", None, false, None, Limits::Whole(0, 65535),
        [], "JT", Behaviour, "JobTracker";
    "JobTracker RPC handler threads."
    MAPRED_JOB_TRACKER_HANDLER_COUNT: i32 = "mapred.job.tracker.handler.count", Some("10"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.jobtracker.handler.count"], "JT", Tuning, "JobTracker";
    "Shared 0700 dir with job-info and tokens."
    MAPRED_SYSTEM_DIR: String as "a path" = "mapred.system.dir", Some("${hadoop.tmp.dir}/mapred/system"), true, None, Limits::Any,
        ["mapreduce.jobtracker.system.dir"], "JT,TT", Behaviour, "JobTracker";
    "Root of per-user staging directories."
    MAPREDUCE_JOBTRACKER_STAGING_ROOT_DIR: String as "a path" = "mapreduce.jobtracker.staging.root.dir", Some("${hadoop.tmp.dir}/mapred/staging"), true, None, Limits::Any,
        [], "JT,client", Behaviour, "JobTracker";
    "Shared temp dir used by some tools only."
    MAPRED_TEMP_DIR: String as "a path" = "mapred.temp.dir", Some("${hadoop.tmp.dir}/mapred/temp"), true, None, Limits::Any,
        ["mapreduce.cluster.temp.dir"], "client", JavaOnly, "IndexUpdateConfiguration";
    "Takes up unfinished jobs after a restart; set to false in a site file, it drops them, as 1.2.1 does where unset."
    MAPRED_JOBTRACKER_RESTART_RECOVER: bool = "mapred.jobtracker.restart.recover", Some("true"), false, None, Limits::Any,
        ["mapreduce.jobtracker.restart.recover"], "JT", Behaviour, "JobTracker";
    "Per-job opt-out from recovery."
    MAPREDUCE_JOB_RESTART_RECOVER: bool = "mapreduce.job.restart.recover", Some("true"), true, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Scheduler selection; map known names to built-ins."
    MAPRED_JOBTRACKER_TASK_SCHEDULER: String as "a Java class name" = "mapred.jobtracker.taskScheduler", Some("org.apache.hadoop.mapred.JobQueueTaskScheduler"), true, None, Limits::Any,
        ["mapreduce.jobtracker.taskscheduler"], "JT", Behaviour, "JobTracker";
    "Running-task cap in LimitTasksPerJob scheduler; must be >0."
    MAPRED_JOBTRACKER_TASK_SCHEDULER_MAX_RUNNING_TASKS_PER_JOB: i64 = "mapred.jobtracker.taskScheduler.maxRunningTasksPerJob", None, false, None, Limits::Whole(1, i64::MAX),
        ["mapreduce.jobtracker.taskscheduler.maxrunningtasks.perjob"], "JT", Behaviour, "LimitTasksPerJobTaskScheduler";
    "FIFO reserve fraction kept for failures/speculation."
    MAPRED_JOBTRACKER_TASKALLOC_CAPACITYPAD: f32 = "mapred.jobtracker.taskalloc.capacitypad", Some("0.01"), false, None, Limits::Any,
        ["mapreduce.jobtracker.taskscheduler.taskalloc.capacitypad"], "JT", Tuning, "JobQueueTaskScheduler";
    "Count locality level 1 as node group."
    MAPRED_JOBTRACKER_NODEGROUP_AWARE: bool = "mapred.jobtracker.nodegroup.aware", Some("false"), true, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Reject jobs with more tasks; <=0 off."
    MAPRED_JOBTRACKER_MAXTASKS_PER_JOB: i32 = "mapred.jobtracker.maxtasks.per.job", Some("-1"), true, None, Limits::Any,
        ["mapreduce.jobtracker.maxtasks.perjob"], "JT", Behaviour, "JobTracker";
    "Finished jobs kept fully in memory per user."
    MAPRED_JOBTRACKER_COMPLETEUSERJOBS_MAXIMUM: i32 = "mapred.jobtracker.completeuserjobs.maximum", Some("100"), true, None, Limits::Whole(0, 2147483647),
        [], "JT", Behaviour, "JobTracker";
    "Age after which finished job is retired."
    MAPRED_JOBTRACKER_RETIREJOB_INTERVAL: i64 = "mapred.jobtracker.retirejob.interval", Some("86400000"), false, Millis, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Period of the retirement sweep."
    MAPRED_JOBTRACKER_RETIREJOB_CHECK: i64 = "mapred.jobtracker.retirejob.check", Some("60000"), false, Millis, Limits::Any,
        [], "JT", Tuning, "JobTracker";
    "Retired job summaries kept."
    MAPRED_JOB_TRACKER_RETIREDJOBS_CACHE_SIZE: i32 = "mapred.job.tracker.retiredjobs.cache.size", Some("1000"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.jobtracker.retiredjobs.cache.size"], "JT", Behaviour, "JobTracker";
    "Parsed history files cached for web pages."
    MAPRED_JOB_TRACKER_JOBHISTORY_LRU_CACHE_SIZE: i32 = "mapred.job.tracker.jobhistory.lru.cache.size", Some("5"), true, None, Limits::Any,
        ["mapreduce.jobtracker.jobhistory.lru.cache.size"], "JT", Tuning, "JSPUtil";
    "Persist finished job status files."
    MAPRED_JOB_TRACKER_PERSIST_JOBSTATUS_ACTIVE: bool = "mapred.job.tracker.persist.jobstatus.active", Some("false"), true, None, Limits::Any,
        ["mapreduce.jobtracker.persist.jobstatus.active"], "JT", Behaviour, "CompletedJobStatusStore";
    "Retention of persisted status; 0 stores nothing."
    MAPRED_JOB_TRACKER_PERSIST_JOBSTATUS_HOURS: i32 = "mapred.job.tracker.persist.jobstatus.hours", Some("0"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.jobtracker.persist.jobstatus.hours"], "JT", Behaviour, "CompletedJobStatusStore";
    "Directory of persisted status files."
    MAPRED_JOB_TRACKER_PERSIST_JOBSTATUS_DIR: String as "a path" = "mapred.job.tracker.persist.jobstatus.dir", Some("/jobtracker/jobsInfo"), true, None, Limits::Any,
        ["mapreduce.jobtracker.persist.jobstatus.dir"], "JT", Behaviour, "CompletedJobStatusStore";
    "Where finished history files are moved."
    MAPRED_JOB_TRACKER_HISTORY_COMPLETED_LOCATION: String as "a path" = "mapred.job.tracker.history.completed.location", None, false, None, Limits::Any,
        ["mapreduce.jobtracker.jobhistory.completed.location"], "JT", Behaviour, "JobHistory";
    "Directory for running job history files."
    HADOOP_JOB_HISTORY_LOCATION: String as "a path" = "hadoop.job.history.location", None, false, None, Limits::Any,
        ["mapreduce.jobtracker.jobhistory.location"], "JT", Behaviour, "JobHistory";
    "User copy of history; \"none\" disables."
    HADOOP_JOB_HISTORY_USER_LOCATION: String as "a path" = "hadoop.job.history.user.location", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobHistory";
    "Block size for history files."
    MAPRED_JOBTRACKER_JOB_HISTORY_BLOCK_SIZE: i64 = "mapred.jobtracker.job.history.block.size", Some("3145728"), true, None, Limits::Any,
        ["mapreduce.jobtracker.jobhistory.block.size"], "JT", Tuning, "JobHistory";
    "Delete history older than this."
    MAPREDUCE_JOBHISTORY_MAX_AGE_MS: i64 = "mapreduce.jobhistory.max-age-ms", Some("2592000000"), true, Millis, Limits::Any,
        [], "JT", Behaviour, "JobHistory";
    "Minimum spacing of history cleanups."
    MAPREDUCE_JOBHISTORY_CLEANER_INTERVAL_MS: i64 = "mapreduce.jobhistory.cleaner.interval-ms", Some("86400000"), true, Millis, Limits::Any,
        [], "JT", Tuning, "JobHistory";
    "Serve history from JobTracker web server."
    MAPREDUCE_HISTORY_SERVER_EMBEDDED: bool = "mapreduce.history.server.embedded", Some("true"), false, None, Limits::Any,
        [], "JT,history", Behaviour, "JobHistoryServer";
    "Standalone history server address."
    MAPREDUCE_HISTORY_SERVER_HTTP_ADDRESS: String as "host:port" = "mapreduce.history.server.http.address", Some("localhost:0"), false, None, Limits::Any,
        [], "JT,history", Behaviour, "JobHistoryServer";
    "History server principal."
    MAPREDUCE_JOBHISTORY_KERBEROS_PRINCIPAL: String = "mapreduce.jobhistory.kerberos.principal", None, false, None, Limits::Any,
        [], "history", Behaviour, "JobHistoryServer";
    "History server keytab."
    MAPREDUCE_JOBHISTORY_KEYTAB_FILE: String as "a path" = "mapreduce.jobhistory.keytab.file", None, false, None, Limits::Any,
        [], "history", Behaviour, "JobHistoryServer";
    "Silence before tracker or launch is lost."
    MAPRED_TASKTRACKER_EXPIRY_INTERVAL: i64 = "mapred.tasktracker.expiry.interval", Some("600000"), true, Millis, Limits::Whole(1, i64::MAX),
        ["mapreduce.jobtracker.expire.trackers.interval"], "JT", Behaviour, "JobTracker";
    "Target heartbeat rate; sets interval."
    MAPRED_HEARTBEATS_IN_SECOND: i32 = "mapred.heartbeats.in.second", Some("100"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.jobtracker.heartbeats.in.second"], "JT", Tuning, "JobTracker";
    "Multiplies heartbeat interval; <0.01 ignored."
    MAPREDUCE_JOBTRACKER_HEARTBEATS_SCALING_FACTOR: f32 = "mapreduce.jobtracker.heartbeats.scaling.factor", Some("1.0"), false, None, Limits::Any,
        [], "JT", Tuning, "JobTracker";
    "Faults before heuristic graylisting."
    MAPRED_MAX_TRACKER_BLACKLISTS: i32 = "mapred.max.tracker.blacklists", Some("4"), true, None, Limits::Any,
        ["mapreduce.jobtracker.tasktracker.maxblacklists"], "JT", Behaviour, "JobTracker";
    "Sliding window for tracker faults."
    MAPRED_JOBTRACKER_BLACKLIST_FAULT_TIMEOUT_WINDOW: i32 = "mapred.jobtracker.blacklist.fault-timeout-window", Some("180"), true, Minutes, Limits::Whole(1, 2147483647),
        [], "JT", Behaviour, "JobTracker";
    "Bucket size inside the fault window."
    MAPRED_JOBTRACKER_BLACKLIST_FAULT_BUCKET_WIDTH: i32 = "mapred.jobtracker.blacklist.fault-bucket-width", Some("15"), true, Minutes, Limits::Whole(1, 2147483647),
        [], "JT", Tuning, "JobTracker";
    "Fraction above average faults required for graylisting."
    MAPRED_CLUSTER_AVERAGE_BLACKLIST_THRESHOLD: f32 = "mapred.cluster.average.blacklist.threshold", Some("0.5"), false, None, Limits::Any,
        ["mapreduce.jobtracker.blacklist.average.threshold"], "JT", Behaviour, "JobTracker";
    "Allowed tracker hosts file."
    MAPRED_HOSTS: String as "a file" = "mapred.hosts", None, false, None, Limits::Any,
        ["mapreduce.jobtracker.hosts.filename"], "JT", Behaviour, "JobTracker";
    "Decommissioned tracker hosts file."
    MAPRED_HOSTS_EXCLUDE: String as "a file" = "mapred.hosts.exclude", None, false, None, Limits::Any,
        ["mapreduce.jobtracker.hosts.exclude.filename"], "JT", Behaviour, "JobTracker";
    "Largest accepted job.xml."
    MAPRED_USER_JOBCONF_LIMIT: i64 = "mapred.user.jobconf.limit", Some("5242880"), true, Bytes, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Largest split meta file; -1 off (key actually read)."
    MAPREDUCE_JOBTRACKER_SPLIT_METAINFO_MAXSIZE: i64 = "mapreduce.jobtracker.split.metainfo.maxsize", Some("10000000"), false, Bytes, Limits::Any,
        [], "JT", Behaviour, "SplitMetaInfoReader";
    "Documented name of the above; never read in 1.2.1."
    MAPREDUCE_JOB_SPLIT_METAINFO_MAXSIZE: i64 = "mapreduce.job.split.metainfo.maxsize", Some("10000000"), true, Bytes, Limits::Any,
        [], "none", Behaviour, "mapred-default.xml";
    "Split hosts recorded; client truncates, JT rejects."
    MAPREDUCE_JOB_MAX_SPLIT_LOCATIONS: i32 = "mapreduce.job.max.split.locations", None, false, None, Limits::Any,
        [], "client,JT", Behaviour, "JobSplitWriter";
    "Topology levels with map locality caches."
    MAPRED_TASK_CACHE_LEVELS: i32 = "mapred.task.cache.levels", Some("2"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.jobtracker.taskcache.levels"], "JT", Behaviour, "JobTracker";
    "Parallel job initialisation threads."
    MAPRED_JOBINIT_THREADS: i32 = "mapred.jobinit.threads", None, false, None, Limits::Whole(1, 2147483647),
        ["mapreduce.jobtracker.jobinit.threads"], "JT", Tuning, "EagerTaskInitializationListener";
    "Virtual memory per map slot."
    MAPRED_CLUSTER_MAP_MEMORY_MB: i64 = "mapred.cluster.map.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.cluster.mapmemory.mb"], "JT,TT", Behaviour, "JobTracker";
    "Virtual memory per reduce slot."
    MAPRED_CLUSTER_REDUCE_MEMORY_MB: i64 = "mapred.cluster.reduce.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.cluster.reducememory.mb"], "JT,TT", Behaviour, "JobTracker";
    "Largest map memory request accepted."
    MAPRED_CLUSTER_MAX_MAP_MEMORY_MB: i64 = "mapred.cluster.max.map.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.jobtracker.maxmapmemory.mb"], "JT", Behaviour, "JobTracker";
    "Largest reduce memory request accepted."
    MAPRED_CLUSTER_MAX_REDUCE_MEMORY_MB: i64 = "mapred.cluster.max.reduce.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.jobtracker.maxreducememory.mb"], "JT", Behaviour, "JobTracker";
    "Deprecated: overrides both maxima, in bytes."
    MAPRED_TASK_LIMIT_MAXVMEM: i64 = "mapred.task.limit.maxvmem", None, false, Bytes, Limits::Any,
        [], "JT,TT", Behaviour, "JobConf";
    "Deprecated default task memory for allotment."
    MAPRED_TASK_DEFAULT_MAXVMEM: i64 = "mapred.task.default.maxvmem", None, false, Bytes, Limits::Any,
        [], "TT,scheduler", Behaviour, "JobConf";
    "Deprecated job memory request, in bytes."
    MAPRED_TASK_MAXVMEM: i64 = "mapred.task.maxvmem", None, false, Bytes, Limits::Any,
        [], "client,JT", Behaviour, "JobConf";
    "Deprecated physical request; warned, ignored."
    MAPRED_TASK_MAXPMEM: i64 = "mapred.task.maxpmem", None, false, Bytes, Limits::Any,
        [], "client", JavaOnly, "JobConf";
    "Deprecated; warned and ignored."
    MAPRED_TASKTRACKER_VMEM_RESERVED: i64 = "mapred.tasktracker.vmem.reserved", None, false, None, Limits::Any,
        [], "TT", JavaOnly, "TaskTracker";
    "Deprecated; warned and ignored."
    MAPRED_TASKTRACKER_PMEM_RESERVED: i64 = "mapred.tasktracker.pmem.reserved", None, false, None, Limits::Any,
        [], "TT", JavaOnly, "TaskTracker";
    "Fail job when estimated reduce input is larger."
    MAPREDUCE_REDUCE_INPUT_LIMIT: i64 = "mapreduce.reduce.input.limit", Some("-1"), true, Bytes, Limits::Any,
        [], "JT", Behaviour, "JobInProgress";
    "Configured queues."
    MAPRED_QUEUE_NAMES: Vec<String> = "mapred.queue.names", Some("default"), true, None, Limits::Any,
        [], "JT", Behaviour, "QueueManager";
    "Who may submit to the queue."
    MAPRED_QUEUE_ACL_SUBMIT_JOB: String as "users and groups, or *" = "mapred.queue.<q>.acl-submit-job", Some("*"), false, None, Limits::Any,
        [], "JT", Behaviour, "QueueManager";
    "Who may view/kill/modify queue jobs."
    MAPRED_QUEUE_ACL_ADMINISTER_JOBS: String as "users and groups, or *" = "mapred.queue.<q>.acl-administer-jobs", Some("*"), false, None, Limits::Any,
        [], "JT,client,TT", Behaviour, "QueueManager";
    "STOPPED rejects new jobs."
    MAPRED_QUEUE_STATE: String as "a word" = "mapred.queue.<q>.state", Some("RUNNING"), false, None, Limits::Any,
        [], "JT", Behaviour, "QueueManager";
    "Default queue's state (instance of pattern)."
    MAPRED_QUEUE_DEFAULT_STATE: String as "a word" = "mapred.queue.default.state", Some("RUNNING"), true, None, Limits::Any,
        [], "JT", Behaviour, "QueueManager";
    "Running-job age buckets in queue metrics."
    MAPRED_QUEUE_METRICS_RUNTIME_BUCKETS: Vec<String> = "mapred.queue.metrics.runtime.buckets", Some("60,300,1440"), false, Minutes, Limits::Any,
        [], "JT", Tuning, "QueueMetrics";
    "Turn on queue and job ACL checks."
    MAPRED_ACLS_ENABLED: bool = "mapred.acls.enabled", Some("false"), true, None, Limits::Any,
        ["mapreduce.cluster.acls.enabled"], "JT,TT", Behaviour, "JobConf";
    "Superusers and groups for MapReduce."
    MAPREDUCE_CLUSTER_ADMINISTRATORS: String as "users and groups, or *" = "mapreduce.cluster.administrators", Some(" "), false, None, Limits::Any,
        [], "JT,TT", Behaviour, "JobConf";
    "Extra viewers of a job."
    MAPREDUCE_JOB_ACL_VIEW_JOB: String as "users and groups, or *" = "mapreduce.job.acl-view-job", Some(" "), true, None, Limits::Any,
        [], "JT,TT", Behaviour, "JobContext";
    "Extra modifiers of a job."
    MAPREDUCE_JOB_ACL_MODIFY_JOB: String as "users and groups, or *" = "mapreduce.job.acl-modify-job", Some(" "), true, None, Limits::Any,
        [], "JT", Behaviour, "JobContext";
    "JobTracker principal; also delegation token renewer."
    MAPREDUCE_JOBTRACKER_KERBEROS_PRINCIPAL: String = "mapreduce.jobtracker.kerberos.principal", None, false, None, Limits::Any,
        [], "JT,TT,client", Behaviour, "JobTracker";
    "JobTracker keytab."
    MAPREDUCE_JOBTRACKER_KEYTAB_FILE: String as "a path" = "mapreduce.jobtracker.keytab.file", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Master key roll period."
    MAPREDUCE_CLUSTER_DELEGATION_KEY_UPDATE_INTERVAL: i64 = "mapreduce.cluster.delegation.key.update-interval", Some("86400000"), false, Millis, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Token life per renewal."
    MAPREDUCE_CLUSTER_DELEGATION_TOKEN_RENEW_INTERVAL: i64 = "mapreduce.cluster.delegation.token.renew-interval", Some("86400000"), false, Millis, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Absolute token lifetime."
    MAPREDUCE_CLUSTER_DELEGATION_TOKEN_MAX_LIFETIME: i64 = "mapreduce.cluster.delegation.token.max-lifetime", Some("604800000"), false, Millis, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Stop renewing and cancel tokens at job end."
    MAPREDUCE_JOB_COMPLETE_CANCEL_DELEGATION_TOKENS: bool = "mapreduce.job.complete.cancel.delegation.tokens", Some("true"), true, None, Limits::Any,
        [], "JT", Behaviour, "JobContext";
    "Service plug-ins started with the JobTracker."
    MAPREDUCE_JOBTRACKER_PLUGINS: Vec<String> = "mapreduce.jobtracker.plugins", None, false, None, Limits::Any,
        [], "JT", JavaOnly, "JobTracker";
    "Replacement metrics class."
    MAPRED_JOBTRACKER_INSTRUMENTATION: String as "a Java class name" = "mapred.jobtracker.instrumentation", None, false, None, Limits::Any,
        ["mapreduce.jobtracker.instrumentation"], "JT", JavaOnly, "JobTracker";
    "Replacement metrics class."
    MAPRED_TASKTRACKER_INSTRUMENTATION: String as "a Java class name" = "mapred.tasktracker.instrumentation", None, false, None, Limits::Any,
        ["mapreduce.tasktracker.instrumentation"], "TT", JavaOnly, "TaskTracker";
    "Opaque version shown in JMX."
    MAPREDUCE_JOBTRACKER_CONF_VERSION: String = "mapreduce.jobtracker.conf.version", Some("default"), false, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "Opaque version shown in JMX."
    MAPREDUCE_TASKTRACKER_CONF_VERSION: String = "mapreduce.tasktracker.conf.version", Some("default"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Test hook: wait before RUNNING."
    MAPREDUCE_JOBTRACKER_INIT_FOR_TESTS: bool = "mapreduce.jobtracker.init.for.tests", Some("true"), false, None, Limits::Any,
        [], "JT", JavaOnly, "JobTracker";
    "Test hook: block job initialisation."
    MAPREDUCE_JOB_INIT_THROW_EXCEPTION: bool = "mapreduce.job.init.throw.exception", Some("false"), false, None, Limits::Any,
        [], "JT", JavaOnly, "JobInProgress";
    "Test hook: ignore the previous one."
    MAPREDUCE_JT_JOB_INIT_THROW_EXCEPTION_OVERRIDE: bool = "mapreduce.jt.job.init.throw.exception.override", Some("false"), false, None, Limits::Any,
        [], "JT", JavaOnly, "JobInProgress";
    "Enter safe mode when HDFS is unhealthy."
    MAPREDUCE_JT_HDFS_MONITOR_ENABLE: bool = "mapreduce.jt.hdfs.monitor.enable", Some("false"), false, None, Limits::Any,
        [], "JT", Behaviour, "JobTracker";
    "HDFS health poll period."
    MAPREDUCE_JT_HDFS_MONITOR_INTERVAL_MS: i32 = "mapreduce.jt.hdfs.monitor.interval.ms", Some("5000"), false, Millis, Limits::Any,
        [], "JT", Tuning, "JobTracker";
    "GET target at job end; $jobId, $jobStatus replaced."
    JOB_END_NOTIFICATION_URL: String as "a URL" = "job.end.notification.url", None, false, None, Limits::Any,
        ["mapreduce.job.end-notification.url"], "JT", Behaviour, "JobConf";
    "Extra notification tries."
    JOB_END_RETRY_ATTEMPTS: i32 = "job.end.retry.attempts", Some("0"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.job.end-notification.retry.attempts"], "JT", Behaviour, "JobEndNotifier";
    "Delay between notification tries."
    JOB_END_RETRY_INTERVAL: i32 = "job.end.retry.interval", Some("30000"), true, Millis, Limits::Whole(0, 2147483647),
        ["mapreduce.job.end-notification.retry.interval"], "JT", Behaviour, "JobEndNotifier";
    "Notification socket timeout."
    MAPREDUCE_JOB_END_NOTIFICATION_TIMEOUT: i32 = "mapreduce.job.end-notification.timeout", Some("5000"), false, Millis, Limits::Any,
        [], "JT", Behaviour, "JobEndNotifier";
    "Enable kill/priority/pool actions in web pages."
    WEBINTERFACE_PRIVATE_ACTIONS: bool = "webinterface.private.actions", Some("false"), true, None, Limits::Any,
        ["mapreduce.jobtracker.webinterface.trusted"], "JT", Behaviour, "JSPUtil";
    "Scales off-switch waiting in Capacity scheduler."
    MAPREDUCE_JOB_LOCALITY_WAIT_FACTOR: f32 = "mapreduce.job.locality.wait.factor", Some("1.0"), false, None, Limits::Any,
        [], "JT,scheduler", Tuning, "JobInProgress";
}
