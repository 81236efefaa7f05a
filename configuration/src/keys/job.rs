//! What a job says about itself, and what client and TaskTracker add to it.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};
use crate::value::Ranges;

keys! {
    "Map hint; overwritten by split count."
    MAPRED_MAP_TASKS: i32 = "mapred.map.tasks", Some("2"), true, None, Limits::Any,
        ["mapreduce.job.maps"], "client,JT", Behaviour, "JobConf";
    "Number of reduces."
    MAPRED_REDUCE_TASKS: i32 = "mapred.reduce.tasks", Some("1"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.job.reduces"], "client,JT", Behaviour, "JobConf";
    "Failed attempts allowed per map."
    MAPRED_MAP_MAX_ATTEMPTS: i32 = "mapred.map.max.attempts", Some("4"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.map.maxattempts"], "JT", Behaviour, "JobConf";
    "Failed attempts allowed per reduce."
    MAPRED_REDUCE_MAX_ATTEMPTS: i32 = "mapred.reduce.max.attempts", Some("4"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.reduce.maxattempts"], "JT", Behaviour, "JobConf";
    "Tolerated share of failed maps."
    MAPRED_MAX_MAP_FAILURES_PERCENT: i32 = "mapred.max.map.failures.percent", Some("0"), false, None, Limits::Whole(0, 100),
        ["mapreduce.map.failures.maxpercent"], "JT", Behaviour, "JobConf";
    "Tolerated share of failed reduces."
    MAPRED_MAX_REDUCE_FAILURES_PERCENT: i32 = "mapred.max.reduce.failures.percent", Some("0"), false, None, Limits::Whole(0, 100),
        ["mapreduce.reduce.failures.maxpercent"], "JT", Behaviour, "JobConf";
    "Failures before job avoids a host."
    MAPRED_MAX_TRACKER_FAILURES: i32 = "mapred.max.tracker.failures", Some("4"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.job.maxtaskfailures.per.tracker"], "JT", Behaviour, "JobConf";
    "Speculate maps."
    MAPRED_MAP_TASKS_SPECULATIVE_EXECUTION: bool = "mapred.map.tasks.speculative.execution", Some("true"), true, None, Limits::Any,
        ["mapreduce.map.speculative"], "JT", Behaviour, "JobConf";
    "Speculate reduces."
    MAPRED_REDUCE_TASKS_SPECULATIVE_EXECUTION: bool = "mapred.reduce.tasks.speculative.execution", Some("true"), true, None, Limits::Any,
        ["mapreduce.reduce.speculative"], "JT", Behaviour, "JobConf";
    "Map share finished before reduces start."
    MAPRED_REDUCE_SLOWSTART_COMPLETED_MAPS: f32 = "mapred.reduce.slowstart.completed.maps", Some("0.05"), true, None, Limits::Real(0.0, 1.0),
        ["mapreduce.job.reduce.slowstart.completedmaps"], "JT", Behaviour, "JobInProgress";
    "VERY_HIGH..VERY_LOW."
    MAPRED_JOB_PRIORITY: String as "a word" = "mapred.job.priority", Some("NORMAL"), false, None, Limits::Words(&["VERY_HIGH", "HIGH", "NORMAL", "LOW", "VERY_LOW"]),
        ["mapreduce.job.priority"], "JT", Behaviour, "JobConf";
    "Target queue."
    MAPRED_JOB_QUEUE_NAME: String = "mapred.job.queue.name", Some("default"), true, None, Limits::Any,
        ["mapreduce.job.queuename"], "JT", Behaviour, "JobConf";
    "Job title; defaults to jar name."
    MAPRED_JOB_NAME: String = "mapred.job.name", Some(""), false, None, Limits::Any,
        ["mapreduce.job.name"], "JT,client", Behaviour, "JobConf";
    "Virtual memory limit per map."
    MAPRED_JOB_MAP_MEMORY_MB: i64 = "mapred.job.map.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.map.memory.mb"], "JT,TT", Behaviour, "JobConf";
    "Virtual memory limit per reduce."
    MAPRED_JOB_REDUCE_MEMORY_MB: i64 = "mapred.job.reduce.memory.mb", Some("-1"), true, MegaBytes, Limits::Any,
        ["mapreduce.reduce.memory.mb"], "JT,TT", Behaviour, "JobConf";
    "Tasks per JVM; -1 unlimited."
    MAPRED_JOB_REUSE_JVM_NUM_TASKS: i32 = "mapred.job.reuse.jvm.num.tasks", Some("1"), true, None, Limits::Any,
        ["mapreduce.job.jvm.numtasks"], "TT", Behaviour, "JobConf";
    "No-progress kill; 0 never."
    MAPRED_TASK_TIMEOUT: i64 = "mapred.task.timeout", Some("600000"), true, Millis, Limits::Whole(0, i64::MAX),
        ["mapreduce.task.timeout"], "TT", Behaviour, "TaskTracker";
    "Used only when mapred.task.timeout is unset."
    MAPREDUCE_TASK_TIMEOUT: i64 = "mapreduce.task.timeout", Some("600000"), false, Millis, Limits::Whole(0, i64::MAX),
        [], "TT", Behaviour, "TaskTracker";
    "JVM options; @taskid@ replaced."
    MAPRED_CHILD_JAVA_OPTS: String = "mapred.child.java.opts", Some("-Xmx200m"), true, None, Limits::Any,
        [], "TT", Behaviour, "JobConf";
    "Map-specific JVM options."
    MAPRED_MAP_CHILD_JAVA_OPTS: String = "mapred.map.child.java.opts", None, false, None, Limits::Any,
        ["mapreduce.map.java.opts"], "TT", Behaviour, "JobConf";
    "Reduce-specific JVM options."
    MAPRED_REDUCE_CHILD_JAVA_OPTS: String = "mapred.reduce.child.java.opts", None, false, None, Limits::Any,
        ["mapreduce.reduce.java.opts"], "TT", Behaviour, "JobConf";
    "Environment for children, A=b,B=$B:c."
    MAPRED_CHILD_ENV: Vec<String> = "mapred.child.env", None, false, None, Limits::Any,
        [], "TT", Behaviour, "JobConf";
    "Map-specific environment."
    MAPRED_MAP_CHILD_ENV: Vec<String> = "mapred.map.child.env", None, false, None, Limits::Any,
        ["mapreduce.map.env"], "TT", Behaviour, "JobConf";
    "Reduce-specific environment."
    MAPRED_REDUCE_CHILD_ENV: Vec<String> = "mapred.reduce.child.env", None, false, None, Limits::Any,
        ["mapreduce.reduce.env"], "TT", Behaviour, "JobConf";
    "Virtual memory ulimit of the process."
    MAPRED_CHILD_ULIMIT: i32 = "mapred.child.ulimit", None, false, KiloBytes, Limits::Any,
        [], "TT", Behaviour, "JobConf";
    "Map-specific ulimit."
    MAPRED_MAP_CHILD_ULIMIT: i32 = "mapred.map.child.ulimit", None, false, KiloBytes, Limits::Any,
        [], "TT", Behaviour, "JobConf";
    "Reduce-specific ulimit."
    MAPRED_REDUCE_CHILD_ULIMIT: i32 = "mapred.reduce.child.ulimit", None, false, KiloBytes, Limits::Any,
        [], "TT", Behaviour, "JobConf";
    "Java.io.tmpdir, relative to work dir."
    MAPRED_CHILD_TMP: String as "a path" = "mapred.child.tmp", Some("./tmp"), true, None, Limits::Any,
        ["mapreduce.task.tmp.dir"], "TT,child", Behaviour, "TaskRunner";
    "User jars precede Hadoop's."
    MAPREDUCE_USER_CLASSPATH_FIRST: bool = "mapreduce.user.classpath.first", Some("false"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "Command run after failed map."
    MAPRED_MAP_TASK_DEBUG_SCRIPT: String = "mapred.map.task.debug.script", None, false, None, Limits::Any,
        ["mapreduce.map.debug.script"], "TT", Behaviour, "JobConf";
    "Command run after failed reduce."
    MAPRED_REDUCE_TASK_DEBUG_SCRIPT: String = "mapred.reduce.task.debug.script", None, false, None, Limits::Any,
        ["mapreduce.reduce.debug.script"], "TT", Behaviour, "JobConf";
    "Debug output lines in diagnostics; -1 all."
    MAPRED_DEBUG_OUT_LINES: i32 = "mapred.debug.out.lines", Some("-1"), false, None, Limits::Any,
        ["mapreduce.task.debugout.lines"], "TT", Behaviour, "TaskTracker";
    "Profile selected tasks."
    MAPRED_TASK_PROFILE: bool = "mapred.task.profile", Some("false"), true, None, Limits::Any,
        ["mapreduce.task.profile"], "TT,client", Behaviour, "JobConf";
    "Map partitions profiled."
    MAPRED_TASK_PROFILE_MAPS: Ranges = "mapred.task.profile.maps", Some("0-2"), true, None, Limits::Any,
        ["mapreduce.task.profile.maps"], "TT,client", Behaviour, "JobConf";
    "Reduce partitions profiled."
    MAPRED_TASK_PROFILE_REDUCES: Ranges = "mapred.task.profile.reduces", Some("0-2"), true, None, Limits::Any,
        ["mapreduce.task.profile.reduces"], "TT,client", Behaviour, "JobConf";
    "Profiler JVM option."
    MAPRED_TASK_PROFILE_PARAMS: String = "mapred.task.profile.params", Some("-agentlib:hprof=cpu=samples,heap=sites,force=n,thread=y,verbose=n,file=%s"), false, None, Limits::Any,
        ["mapreduce.task.profile.params"], "TT", Behaviour, "JobConf";
    "Keep local files of failed tasks."
    KEEP_FAILED_TASK_FILES: bool = "keep.failed.task.files", Some("false"), true, None, Limits::Any,
        ["mapreduce.task.files.preserve.failedtasks"], "TT,JT", Behaviour, "JobConf";
    "Keep local files of matching tasks."
    KEEP_TASK_FILES_PATTERN: String as "a regular expression" = "keep.task.files.pattern", None, false, None, Limits::Any,
        ["mapreduce.task.files.preserve.filepattern"], "TT,JT", Behaviour, "JobConf";
    "Failures before skip mode."
    MAPRED_SKIP_ATTEMPTS_TO_START_SKIPPING: i32 = "mapred.skip.attempts.to.start.skipping", Some("2"), true, None, Limits::Any,
        ["mapreduce.task.skip.start.attempts"], "JT", Behaviour, "SkipBadRecords";
    "Framework counts map records processed."
    MAPRED_SKIP_MAP_AUTO_INCR_PROC_COUNT: bool = "mapred.skip.map.auto.incr.proc.count", Some("true"), true, None, Limits::Any,
        ["mapreduce.map.skip.proc-count.auto-incr"], "child", Behaviour, "SkipBadRecords";
    "Framework counts reduce groups processed."
    MAPRED_SKIP_REDUCE_AUTO_INCR_PROC_COUNT: bool = "mapred.skip.reduce.auto.incr.proc.count", Some("true"), true, None, Limits::Any,
        ["mapreduce.reduce.skip.proc-count.auto-incr"], "child", Behaviour, "SkipBadRecords";
    "Acceptable skipped records; 0 off."
    MAPRED_SKIP_MAP_MAX_SKIP_RECORDS: i64 = "mapred.skip.map.max.skip.records", Some("0"), true, None, Limits::Whole(0, i64::MAX),
        ["mapreduce.map.skip.maxrecords"], "JT", Behaviour, "SkipBadRecords";
    "Acceptable skipped groups; 0 off."
    MAPRED_SKIP_REDUCE_MAX_SKIP_GROUPS: i64 = "mapred.skip.reduce.max.skip.groups", Some("0"), true, None, Limits::Whole(0, i64::MAX),
        ["mapreduce.reduce.skip.maxgroups"], "JT", Behaviour, "SkipBadRecords";
    "Where skipped records go; none disables."
    MAPRED_SKIP_OUT_DIR: String as "a path" = "mapred.skip.out.dir", None, false, None, Limits::Any,
        ["mapreduce.job.skip.outdir"], "child", Behaviour, "SkipBadRecords";
    "Set by framework when skipping."
    MAPRED_SKIP_ON: bool = "mapred.skip.on", Some("false"), false, None, Limits::Any,
        ["mapreduce.job.skiprecords"], "child", Behaviour, "MapTask";
    "Total counters allowed."
    MAPREDUCE_JOB_COUNTERS_MAX: i32 = "mapreduce.job.counters.max", Some("120"), true, None, Limits::Whole(1, 2147483647),
        [], "JT,TT,child", Behaviour, "Counters";
    "Older override of counters.max."
    MAPREDUCE_JOB_COUNTERS_LIMIT: i32 = "mapreduce.job.counters.limit", None, false, None, Limits::Any,
        [], "JT,TT,child", Behaviour, "Counters";
    "Counter groups allowed."
    MAPREDUCE_JOB_COUNTERS_GROUPS_MAX: i32 = "mapreduce.job.counters.groups.max", Some("50"), true, None, Limits::Whole(1, 2147483647),
        [], "JT,TT,child", Behaviour, "Counters";
    "Counter name length; keeps tail."
    MAPREDUCE_JOB_COUNTERS_COUNTER_NAME_MAX: i32 = "mapreduce.job.counters.counter.name.max", Some("64"), true, None, Limits::Any,
        [], "JT,TT,child", Behaviour, "Counters";
    "Group name length; keeps tail."
    MAPREDUCE_JOB_COUNTERS_GROUP_NAME_MAX: i32 = "mapreduce.job.counters.group.name.max", Some("128"), true, None, Limits::Any,
        [], "JT,TT,child", Behaviour, "Counters";
    "Replication of submission files."
    MAPRED_SUBMIT_REPLICATION: i32 = "mapred.submit.replication", Some("10"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.client.submit.file.replication"], "client", Tuning, "JobClient";
    "Which task events are printed."
    JOBCLIENT_OUTPUT_FILTER: String as "a word" = "jobclient.output.filter", Some("FAILED"), true, None, Limits::Words(&["NONE", "KILLED", "FAILED", "SUCCEEDED", "ALL"]),
        ["mapreduce.client.output.filter"], "client", Behaviour, "JobClient";
    "Retry RPC when JobTracker unavailable."
    MAPREDUCE_JOBCLIENT_RETRY_POLICY_ENABLED: bool = "mapreduce.jobclient.retry.policy.enabled", Some("false"), false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "Retry pairs: sleep,count."
    MAPREDUCE_JOBCLIENT_RETRY_POLICY_SPEC: String = "mapreduce.jobclient.retry.policy.spec", Some("10000,6,60000,10"), false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "Task log fetch timeout."
    MAPREDUCE_CLIENT_TASKLOG_TIMEOUT: i32 = "mapreduce.client.tasklog.timeout", Some("60000"), false, Millis, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "Suppresses the Tool warning."
    MAPRED_USED_GENERICOPTIONSPARSER: bool = "mapred.used.genericoptionsparser", Some("false"), false, None, Limits::Any,
        ["mapreduce.client.genericoptionsparser.used"], "client", Behaviour, "JobClient";
    "From -files."
    TMPFILES: Vec<String> = "tmpfiles", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "From -libjars."
    TMPJARS: Vec<String> = "tmpjars", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "From -archives."
    TMPARCHIVES: Vec<String> = "tmparchives", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "Job jar."
    MAPRED_JAR: String as "a path" = "mapred.jar", None, false, None, Limits::Any,
        ["mapreduce.job.jar"], "client,TT", Behaviour, "JobConf";
    "Working directory on default FS."
    MAPRED_WORKING_DIR: String as "a path" = "mapred.working.dir", None, false, None, Limits::Any,
        ["mapreduce.job.working.dir"], "client,child", Behaviour, "JobConf";
    "Job owner; must match authenticated user."
    USER_NAME: String = "user.name", None, false, None, Limits::Any,
        ["mapreduce.job.user.name"], "JT,TT,child", Behaviour, "Child";
    "Metrics session tag."
    SESSION_ID: String = "session.id", Some(""), false, None, Limits::Any,
        ["dfs.metrics.session-id"], "child", Behaviour, "JobConf";
    "Staging dir deleted at job end."
    MAPREDUCE_JOB_DIR: String as "a path" = "mapreduce.job.dir", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobClient";
    "Submitter host shown in pages."
    MAPREDUCE_JOB_SUBMITHOST: String = "mapreduce.job.submithost", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Submitter IP."
    MAPREDUCE_JOB_SUBMITHOSTADDRESS: String = "mapreduce.job.submithostaddress", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Credential file to add."
    MAPREDUCE_JOB_CREDENTIALS_BINARY: String as "a path" = "mapreduce.job.credentials.binary", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "JSON secrets to add (-tokenCacheFile)."
    MAPREDUCE_JOB_CREDENTIALS_JSON: String as "a path" = "mapreduce.job.credentials.json", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobClient";
    "Extra NameNodes needing tokens."
    MAPREDUCE_JOB_HDFS_SERVERS: Vec<String> = "mapreduce.job.hdfs-servers", None, false, None, Limits::Any,
        [], "client", Behaviour, "JobContext";
    "Local token file path."
    MAPREDUCE_JOB_JOB_TOKEN_FILE: String as "a path" = "mapreduce.job.jobTokenFile", None, false, None, Limits::Any,
        [], "TT,child", Behaviour, "TokenCache";
    "Workflow id copied to history."
    MAPREDUCE_WORKFLOW_ID: String = "mapreduce.workflow.id", Some(""), false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Workflow name copied to history."
    MAPREDUCE_WORKFLOW_NAME: String = "mapreduce.workflow.name", Some(""), false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Workflow node copied to history."
    MAPREDUCE_WORKFLOW_NODE_NAME: String = "mapreduce.workflow.node.name", Some(""), false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Workflow tags copied to history."
    MAPREDUCE_WORKFLOW_TAGS: String = "mapreduce.workflow.tags", Some(""), false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Workflow edges copied to history."
    MAPREDUCE_WORKFLOW_ADJACENCY: Vec<String> = "mapreduce.workflow.adjacency.<node>", None, false, None, Limits::Any,
        [], "JT", Behaviour, "JobConf";
    "Distributed cache files."
    MAPRED_CACHE_FILES: Vec<String> = "mapred.cache.files", None, false, None, Limits::Any,
        ["mapreduce.job.cache.files"], "client,TT", Behaviour, "DistributedCache";
    "Distributed cache archives."
    MAPRED_CACHE_ARCHIVES: Vec<String> = "mapred.cache.archives", None, false, None, Limits::Any,
        ["mapreduce.job.cache.archives"], "client,TT", Behaviour, "DistributedCache";
    "Expected modification times."
    MAPRED_CACHE_FILES_TIMESTAMPS: Vec<String> = "mapred.cache.files.timestamps", None, false, None, Limits::Any,
        ["mapreduce.job.cache.files.timestamps"], "TT", Behaviour, "DistributedCache";
    "Expected modification times."
    MAPRED_CACHE_ARCHIVES_TIMESTAMPS: Vec<String> = "mapred.cache.archives.timestamps", None, false, None, Limits::Any,
        ["mapreduce.job.cache.archives.timestamps"], "TT", Behaviour, "DistributedCache";
    "File sizes."
    MAPRED_CACHE_FILES_FILESIZES: Vec<String> = "mapred.cache.files.filesizes", None, false, None, Limits::Any,
        [], "TT", Behaviour, "DistributedCache";
    "Archive sizes."
    MAPRED_CACHE_ARCHIVES_FILESIZES: Vec<String> = "mapred.cache.archives.filesizes", None, false, None, Limits::Any,
        [], "TT", Behaviour, "DistributedCache";
    "Public or private per file."
    MAPREDUCE_JOB_CACHE_FILES_VISIBILITIES: Vec<String> = "mapreduce.job.cache.files.visibilities", None, false, None, Limits::Any,
        [], "TT", Behaviour, "JobContext";
    "Public or private per archive."
    MAPREDUCE_JOB_CACHE_ARCHIVES_VISIBILITIES: Vec<String> = "mapreduce.job.cache.archives.visibilities", None, false, None, Limits::Any,
        [], "TT", Behaviour, "JobContext";
    "Localised file paths."
    MAPRED_CACHE_LOCAL_FILES: Vec<String> = "mapred.cache.localFiles", None, false, None, Limits::Any,
        ["mapreduce.job.cache.local.files"], "child", Behaviour, "DistributedCache";
    "Localised archive paths."
    MAPRED_CACHE_LOCAL_ARCHIVES: Vec<String> = "mapred.cache.localArchives", None, false, None, Limits::Any,
        ["mapreduce.job.cache.local.archives"], "child", Behaviour, "DistributedCache";
    "Cache files on class path."
    MAPRED_JOB_CLASSPATH_FILES: Vec<String> = "mapred.job.classpath.files", None, false, None, Limits::Any,
        ["mapreduce.job.classpath.files"], "client,TT", Behaviour, "DistributedCache";
    "Cache archives on class path."
    MAPRED_JOB_CLASSPATH_ARCHIVES: Vec<String> = "mapred.job.classpath.archives", None, false, None, Limits::Any,
        ["mapreduce.job.classpath.archives"], "client,TT", Behaviour, "DistributedCache";
    "\"yes\" links cache entries into work dir."
    MAPRED_CREATE_SYMLINK: String = "mapred.create.symlink", Some("no"), false, None, Limits::Any,
        ["NONE - symlinking is always on"], "client,TT", Behaviour, "DistributedCache";
    "Job scratch dir on the node."
    JOB_LOCAL_DIR: String as "a path" = "job.local.dir", None, false, None, Limits::Any,
        ["mapreduce.job.local.dir"], "child", Behaviour, "TaskTracker";
    "User-level local dirs while localising."
    MAPRED_JOB_LOCAL_DIR: Vec<String> = "mapred.job.local.dir", None, false, None, Limits::Any,
        [], "TT", Behaviour, "JobLocalizer";
    "Job id."
    MAPRED_JOB_ID: String = "mapred.job.id", None, false, None, Limits::Any,
        ["mapreduce.job.id"], "child", Behaviour, "Task";
    "Task id."
    MAPRED_TIP_ID: String = "mapred.tip.id", None, false, None, Limits::Any,
        ["mapreduce.task.id"], "child", Behaviour, "Task";
    "Attempt id."
    MAPRED_TASK_ID: String = "mapred.task.id", None, false, None, Limits::Any,
        ["mapreduce.task.attempt.id"], "child", Behaviour, "FileOutputFormat";
    "Map or reduce."
    MAPRED_TASK_IS_MAP: bool = "mapred.task.is.map", None, false, None, Limits::Any,
        ["mapreduce.task.ismap"], "child", Behaviour, "FileOutputFormat";
    "Index in job."
    MAPRED_TASK_PARTITION: i32 = "mapred.task.partition", None, false, None, Limits::Any,
        ["mapreduce.task.partition"], "child", Behaviour, "FileOutputFormat";
    "Attempt's temporary output dir."
    MAPRED_WORK_OUTPUT_DIR: String as "a path" = "mapred.work.output.dir", None, false, None, Limits::Any,
        ["mapreduce.task.output.dir"], "child", Behaviour, "FileOutputFormat";
    "Current split's file."
    MAP_INPUT_FILE: String as "a path" = "map.input.file", None, false, None, Limits::Any,
        ["mapreduce.map.input.file"], "child", Behaviour, "MapTask";
    "Split offset."
    MAP_INPUT_START: i64 = "map.input.start", None, false, None, Limits::Any,
        ["mapreduce.map.input.start"], "child", Behaviour, "MapTask";
    "Split length."
    MAP_INPUT_LENGTH: i64 = "map.input.length", None, false, None, Limits::Any,
        ["mapreduce.map.input.length"], "child", Behaviour, "MapTask";
    "Test-only host mapping."
    HADOOP_NET_STATIC_RESOLUTIONS: Vec<String> = "hadoop.net.static.resolutions", None, false, None, Limits::Any,
        ["mapreduce.tasktracker.net.static.resolutions"], "child,JT", JavaOnly, "Task";
}
