//! The TaskTracker, its disks, logs, caches and its setuid program.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Local storage roots."
    MAPRED_LOCAL_DIR: Vec<String> = "mapred.local.dir", Some("${hadoop.tmp.dir}/mapred/local"), true, None, Limits::Any,
        ["mapreduce.cluster.local.dir"], "TT,child,JT", Behaviour, "TrackerDistributedCacheManager";
    "Free space needed to ask for tasks."
    MAPRED_LOCAL_DIR_MINSPACESTART: i64 = "mapred.local.dir.minspacestart", Some("0"), true, Bytes, Limits::Whole(0, i64::MAX),
        ["mapreduce.tasktracker.local.dir.minspacestart"], "TT", Behaviour, "TaskTracker";
    "Free space below which tasks are killed."
    MAPRED_LOCAL_DIR_MINSPACEKILL: i64 = "mapred.local.dir.minspacekill", Some("0"), true, Bytes, Limits::Whole(0, i64::MAX),
        ["mapreduce.tasktracker.local.dir.minspacekill"], "TT", Behaviour, "TaskTracker";
    "TaskTracker web and shuffle address."
    MAPRED_TASK_TRACKER_HTTP_ADDRESS: String as "host:port" = "mapred.task.tracker.http.address", Some("0.0.0.0:50060"), true, None, Limits::Any,
        ["mapreduce.tasktracker.http.address"], "TT", Behaviour, "TaskTracker";
    "Old name: web bind host."
    TASKTRACKER_HTTP_BIND_ADDRESS: String = "tasktracker.http.bindAddress", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Old name: web port."
    TASKTRACKER_HTTP_PORT: i32 = "tasktracker.http.port", None, false, None, Limits::Whole(0, 65535),
        [], "TT", Behaviour, "TaskTracker";
    "Web/shuffle server threads."
    TASKTRACKER_HTTP_THREADS: i32 = "tasktracker.http.threads", Some("40"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.tasktracker.http.threads"], "TT", Tuning, "TaskTracker";
    "Umbilical RPC address."
    MAPRED_TASK_TRACKER_REPORT_ADDRESS: String as "host:port" = "mapred.task.tracker.report.address", Some("127.0.0.1:0"), true, None, Limits::Any,
        ["mapreduce.tasktracker.report.address"], "TT,child", Behaviour, "TaskTracker";
    "Old name: umbilical host."
    MAPRED_TASK_TRACKER_REPORT_BIND_ADDRESS: String = "mapred.task.tracker.report.bindAddress", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Old name: umbilical port."
    MAPRED_TASK_TRACKER_REPORT_PORT: i32 = "mapred.task.tracker.report.port", None, false, None, Limits::Whole(0, 65535),
        [], "TT", Behaviour, "TaskTracker";
    "Map slots."
    MAPRED_TASKTRACKER_MAP_TASKS_MAXIMUM: i32 = "mapred.tasktracker.map.tasks.maximum", Some("2"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.tasktracker.map.tasks.maximum"], "TT", Behaviour, "TaskTracker";
    "Reduce slots."
    MAPRED_TASKTRACKER_REDUCE_TASKS_MAXIMUM: i32 = "mapred.tasktracker.reduce.tasks.maximum", Some("2"), true, None, Limits::Whole(0, 2147483647),
        ["mapreduce.tasktracker.reduce.tasks.maximum"], "TT", Behaviour, "TaskTracker";
    "Interface whose address names the node."
    MAPRED_TASKTRACKER_DNS_INTERFACE: String = "mapred.tasktracker.dns.interface", Some("default"), true, None, Limits::Any,
        ["mapreduce.tasktracker.dns.interface"], "TT", Behaviour, "TaskTracker";
    "Name server for reverse lookup."
    MAPRED_TASKTRACKER_DNS_NAMESERVER: String = "mapred.tasktracker.dns.nameserver", Some("default"), true, None, Limits::Any,
        ["mapreduce.tasktracker.dns.nameserver"], "TT", Behaviour, "TaskTracker";
    "Explicit host name of this node."
    SLAVE_HOST_NAME: String = "slave.host.name", None, false, None, Limits::Any,
        ["dfs.datanode.hostname", "mapreduce.tasktracker.host.name"], "TT,child", Behaviour, "TaskTracker";
    "How task processes are run."
    MAPRED_TASK_TRACKER_TASK_CONTROLLER: String as "a Java class name" = "mapred.task.tracker.task-controller", Some("org.apache.hadoop.mapred.DefaultTaskController"), true, None, Limits::Any,
        ["mapreduce.tasktracker.taskcontroller"], "TT", Behaviour, "TaskTracker";
    "Setuid helper path."
    MAPREDUCE_TASKTRACKER_TASK_CONTROLLER_EXE: String as "a path" = "mapreduce.tasktracker.task-controller.exe", None, false, None, Limits::Any,
        [], "TT", Behaviour, "LinuxTaskController";
    "Group owning the setuid helper (taskcontroller.cfg)."
    MAPREDUCE_TASKTRACKER_GROUP: String = "mapreduce.tasktracker.group", None, false, None, Limits::Any,
        [], "TT", Behaviour, "task-controller";
    "TaskTracker principal."
    MAPREDUCE_TASKTRACKER_KERBEROS_PRINCIPAL: String = "mapreduce.tasktracker.kerberos.principal", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "TaskTracker keytab."
    MAPREDUCE_TASKTRACKER_KEYTAB_FILE: String as "a path" = "mapreduce.tasktracker.keytab.file", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Heartbeat at once when a task ends."
    MAPREDUCE_TASKTRACKER_OUTOFBAND_HEARTBEAT: bool = "mapreduce.tasktracker.outofband.heartbeat", Some("false"), true, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Divides wait after finished tasks."
    MAPREDUCE_TASKTRACKER_OUTOFBAND_HEARTBEAT_DAMPER: i32 = "mapreduce.tasktracker.outofband.heartbeat.damper", Some("1000000"), true, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Delay between TERM and KILL."
    MAPRED_TASKTRACKER_TASKS_SLEEPTIME_BEFORE_SIGKILL: i64 = "mapred.tasktracker.tasks.sleeptime-before-sigkill", Some("5000"), true, Millis, Limits::Whole(0, i64::MAX),
        ["mapreduce.tasktracker.tasks.sleeptimebeforesigkill"], "TT", Behaviour, "JvmManager";
    "Memory check period."
    MAPRED_TASKTRACKER_TASKMEMORYMANAGER_MONITORING_INTERVAL: i64 = "mapred.tasktracker.taskmemorymanager.monitoring-interval", Some("5000"), true, Millis, Limits::Any,
        ["mapreduce.tasktracker.taskmemorymanager.monitoringinterval"], "TT", Tuning, "TaskMemoryManagerThread";
    "Resource reader class (key actually read)."
    MAPREDUCE_TASKTRACKER_RESOURCECALCULATORPLUGIN: String as "a Java class name" = "mapreduce.tasktracker.resourcecalculatorplugin", None, false, None, Limits::Any,
        [], "TT,child", JavaOnly, "TaskTracker";
    "Documented name of the above; never read."
    MAPRED_TASKTRACKER_RESOURCECALCULATORPLUGIN: String as "a Java class name" = "mapred.tasktracker.resourcecalculatorplugin", None, false, None, Limits::Any,
        [], "none", JavaOnly, "mapred-default.xml";
    "Deprecated memory reader."
    MAPRED_TASKTRACKER_MEMORY_CALCULATOR_PLUGIN: String as "a Java class name" = "mapred.tasktracker.memory_calculator_plugin", None, false, None, Limits::Any,
        [], "TT", JavaOnly, "TaskTracker";
    "Local dir check period."
    MAPRED_DISK_HEALTH_CHECKER_INTERVAL: i64 = "mapred.disk.healthChecker.interval", Some("60000"), true, Millis, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Node health script."
    MAPRED_HEALTH_CHECKER_SCRIPT_PATH: String as "a path" = "mapred.healthChecker.script.path", None, false, None, Limits::Any,
        ["mapreduce.tasktracker.healthchecker.script.path"], "TT", Behaviour, "NodeHealthCheckerService";
    "Health script period."
    MAPRED_HEALTH_CHECKER_INTERVAL: i64 = "mapred.healthChecker.interval", Some("60000"), true, Millis, Limits::Any,
        ["mapreduce.tasktracker.healthchecker.interval"], "TT", Behaviour, "NodeHealthCheckerService";
    "Health script timeout marks unhealthy."
    MAPRED_HEALTH_CHECKER_SCRIPT_TIMEOUT: i64 = "mapred.healthChecker.script.timeout", Some("600000"), true, Millis, Limits::Any,
        ["mapreduce.tasktracker.healthchecker.script.timeout"], "TT", Behaviour, "NodeHealthCheckerService";
    "Health script arguments."
    MAPRED_HEALTH_CHECKER_SCRIPT_ARGS: Vec<String> = "mapred.healthChecker.script.args", None, false, None, Limits::Any,
        ["mapreduce.tasktracker.healthchecker.script.args"], "TT", Behaviour, "NodeHealthCheckerService";
    "Completion events per fetch from JobTracker."
    MAPRED_TASKTRACKER_EVENTS_BATCHSIZE: i32 = "mapred.tasktracker.events.batchsize", Some("500"), false, None, Limits::Whole(1, 2147483647),
        ["mapreduce.tasktracker.events.batchsize"], "TT", Tuning, "TaskTracker";
    "Map output path cache entries."
    MAPRED_TASKTRACKER_FILE_CACHE_SIZE: i32 = "mapred.tasktracker.file.cache.size", Some("2000"), false, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Map output index cache."
    MAPRED_TASKTRACKER_INDEXCACHE_MB: i32 = "mapred.tasktracker.indexcache.mb", Some("10"), true, MegaBytes, Limits::Any,
        ["mapreduce.tasktracker.indexcache.mb"], "TT", Tuning, "IndexCache";
    "Readahead and drop page cache while serving."
    MAPREDUCE_SHUFFLE_MANAGE_OS_CACHE: bool = "mapreduce.shuffle.manage.os.cache", Some("true"), false, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Shuffle readahead size."
    MAPREDUCE_SHUFFLE_READAHEAD_BYTES: i32 = "mapreduce.shuffle.readahead.bytes", Some("4194304"), false, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Stack filter for shuffle failure tracking."
    MAPREDUCE_REDUCE_SHUFFLE_CATCH_EXCEPTION_STACK_REGEX: String as "a regular expression" = "mapreduce.reduce.shuffle.catch.exception.stack.regex", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Message filter for shuffle failure tracking."
    MAPREDUCE_REDUCE_SHUFFLE_CATCH_EXCEPTION_MESSAGE_REGEX: String as "a regular expression" = "mapreduce.reduce.shuffle.catch.exception.message.regex", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Abort tracker above this failure share; 0 off."
    MAPREDUCE_REDUCE_SHUFFLE_CATCH_EXCEPTION_PERCENT_LIMIT_FATAL: f32 = "mapreduce.reduce.shuffle.catch.exception.percent.limit.fatal", Some("0"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskTracker";
    "Requests sampled for the previous key."
    MAPREDUCE_REDUCE_SHUFFLE_CATCH_EXCEPTION_SAMPLE_SIZE: i32 = "mapreduce.reduce.shuffle.catch.exception.sample.size", Some("1000"), false, None, Limits::Any,
        [], "TT", Tuning, "TaskTracker";
    "Watch web selector CPU."
    MAPRED_TASKTRACKER_JETTY_CPU_CHECK_ENABLED: bool = "mapred.tasktracker.jetty.cpu.check.enabled", Some("true"), false, None, Limits::Any,
        [], "TT", JavaOnly, "JettyBugMonitor";
    "CPU watch period."
    MAPRED_TASKTRACKER_JETTY_CPU_CHECK_INTERVAL: i64 = "mapred.tasktracker.jetty.cpu.check.interval", Some("15000"), false, Millis, Limits::Any,
        [], "TT", JavaOnly, "JettyBugMonitor";
    "Warn level."
    MAPRED_TASKTRACKER_JETTY_CPU_THRESHOLD_WARN: f32 = "mapred.tasktracker.jetty.cpu.threshold.warn", Some("0.5"), false, None, Limits::Any,
        [], "TT", JavaOnly, "JettyBugMonitor";
    "Exit level."
    MAPRED_TASKTRACKER_JETTY_CPU_THRESHOLD_FATAL: f32 = "mapred.tasktracker.jetty.cpu.threshold.fatal", Some("0.9"), false, None, Limits::Any,
        [], "TT", JavaOnly, "JettyBugMonitor";
    "Distributed cache bytes per local dir."
    LOCAL_CACHE_SIZE: i64 = "local.cache.size", Some("10737418240"), true, Bytes, Limits::Any,
        ["mapreduce.tasktracker.cache.local.size"], "TT", Behaviour, "TrackerDistributedCacheManager";
    "Distributed cache directories per local dir."
    MAPREDUCE_TASKTRACKER_LOCAL_CACHE_NUMBERDIRECTORIES: i64 = "mapreduce.tasktracker.local.cache.numberdirectories", Some("10000"), false, None, Limits::Any,
        [], "TT", Behaviour, "TrackerDistributedCacheManager";
    "Eviction target fraction."
    MAPREDUCE_TASKTRACKER_CACHE_LOCAL_KEEP_PCT: f32 = "mapreduce.tasktracker.cache.local.keep.pct", Some("0.95"), false, None, Limits::Real(0.0, 1.0),
        [], "TT", Tuning, "TrackerDistributedCacheManager";
    "Cache eviction period."
    MAPREDUCE_TASKTRACKER_DISTRIBUTEDCACHE_CHECKPERIOD: i64 = "mapreduce.tasktracker.distributedcache.checkperiod", Some("60000"), false, Millis, Limits::Any,
        [], "TT", Tuning, "TrackerDistributedCacheManager";
    "Syslog tail kept per task; 0 unlimited."
    MAPRED_USERLOG_LIMIT_KB: i64 = "mapred.userlog.limit.kb", Some("0"), true, KiloBytes, Limits::Whole(0, i64::MAX),
        ["mapreduce.task.userlog.limit.kb"], "TT,child", Behaviour, "TaskLog";
    "User log retention after job end."
    MAPRED_USERLOG_RETAIN_HOURS: i32 = "mapred.userlog.retain.hours", Some("24"), true, Hours, Limits::Whole(0, 2147483647),
        ["mapreduce.job.userlog.retain.hours"], "TT", Behaviour, "JobContext";
    "Log retention sweep period."
    MAPREDUCE_TASKTRACKER_USERLOGCLEANUP_SLEEPTIME: i64 = "mapreduce.tasktracker.userlogcleanup.sleeptime", Some("3600000"), false, Millis, Limits::Any,
        [], "TT", Tuning, "UserLogCleaner";
    "Truncate map logs to tail; -1 off."
    MAPREDUCE_CLUSTER_MAP_USERLOG_RETAIN_SIZE: i64 = "mapreduce.cluster.map.userlog.retain-size", Some("-1"), false, Bytes, Limits::Any,
        [], "TT,child", Behaviour, "TaskLogsTruncater";
    "Truncate reduce logs to tail; -1 off."
    MAPREDUCE_CLUSTER_REDUCE_USERLOG_RETAIN_SIZE: i64 = "mapreduce.cluster.reduce.userlog.retain-size", Some("-1"), false, Bytes, Limits::Any,
        [], "TT,child", Behaviour, "TaskLogsTruncater";
    "JVM lock contention statistics."
    TASKTRACKER_CONTENTION_TRACKING: bool = "tasktracker.contention.tracking", Some("false"), false, None, Limits::Any,
        ["mapreduce.tasktracker.contention.tracking"], "TT", JavaOnly, "TaskTracker";
    "Accept same version with different build."
    HADOOP_RELAXED_WORKER_VERSION_CHECK: bool = "hadoop.relaxed.worker.version.check", Some("false"), true, None, Limits::Any,
        [], "TT", Behaviour, "CommonConfigurationKeys";
    "Accept any JobTracker version."
    HADOOP_SKIP_WORKER_VERSION_CHECK: bool = "hadoop.skip.worker.version.check", Some("false"), true, None, Limits::Any,
        [], "TT", Behaviour, "CommonConfigurationKeys";
    "Admin options appended to map JVMs."
    MAPREDUCE_ADMIN_MAP_CHILD_JAVA_OPTS: String = "mapreduce.admin.map.child.java.opts", Some("-Djava.net.preferIPv4Stack=true -Dhadoop.metrics.log.level=WARN"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "Admin options appended to reduce JVMs."
    MAPREDUCE_ADMIN_REDUCE_CHILD_JAVA_OPTS: String = "mapreduce.admin.reduce.child.java.opts", Some("-Djava.net.preferIPv4Stack=true -Dhadoop.metrics.log.level=WARN"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "SHELL in child environment."
    MAPREDUCE_ADMIN_USER_SHELL: String = "mapreduce.admin.user.shell", Some("/bin/bash"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "HOME in child environment."
    MAPREDUCE_ADMIN_USER_HOME_DIR: String = "mapreduce.admin.user.home.dir", Some("/homes/"), false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "Admin environment for children."
    MAPREDUCE_ADMIN_USER_ENV: Vec<String> = "mapreduce.admin.user.env", None, false, None, Limits::Any,
        [], "TT", Behaviour, "TaskRunner";
    "Taskcontroller.cfg: smallest uid allowed."
    MIN_USER_ID: i32 = "min.user.id", Some("1000"), false, None, Limits::Any,
        [], "TT", Behaviour, "task-controller";
    "Taskcontroller.cfg: refused users."
    BANNED_USERS: Vec<String> = "banned.users", Some("mapred,hdfs,bin"), false, None, Limits::Any,
        [], "TT", Behaviour, "task-controller";
    "Log root (system property and taskcontroller.cfg)."
    HADOOP_LOG_DIR: String as "a path" = "hadoop.log.dir", None, false, None, Limits::Any,
        [], "common", Behaviour, "JobHistory";
}
