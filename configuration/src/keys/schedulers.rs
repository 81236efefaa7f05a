//! The fair and the capacity scheduler.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Fair scheduler job entity class (nodegroup variant)."
    MAPRED_JOBTRACKER_JOB_SCHEDULABLE: String as "a Java class name" = "mapred.jobtracker.jobSchedulable", Some("org.apache.hadoop.mapred.JobSchedulable"), true, None, Limits::Any,
        [], "scheduler", JavaOnly, "FairScheduler";
    "Fair scheduler locality levels include node groups."
    NET_TOPOLOGY_NODEGROUP_AWARE: bool = "net.topology.nodegroup.aware", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Allocations file."
    MAPRED_FAIRSCHEDULER_ALLOCATION_FILE: String as "a path" = "mapred.fairscheduler.allocation.file", None, false, None, Limits::Any,
        [], "scheduler", Behaviour, "PoolManager";
    "Explicit pool of a job."
    MAPRED_FAIRSCHEDULER_POOL: String = "mapred.fairscheduler.pool", None, false, None, Limits::Any,
        [], "scheduler", Behaviour, "PoolManager";
    "Job property giving the pool."
    MAPRED_FAIRSCHEDULER_POOLNAMEPROPERTY: String = "mapred.fairscheduler.poolnameproperty", Some("user.name"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "PoolManager";
    "Accept pools not in file."
    MAPRED_FAIRSCHEDULER_ALLOW_UNDECLARED_POOLS: bool = "mapred.fairscheduler.allow.undeclared.pools", Some("true"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Several tasks per heartbeat."
    MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE: bool = "mapred.fairscheduler.assignmultiple", Some("true"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Map cap per heartbeat; -1 free slots."
    MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE_MAPS: i32 = "mapred.fairscheduler.assignmultiple.maps", Some("-1"), false, None, Limits::Any,
        [], "scheduler", Tuning, "FairScheduler";
    "Reduce cap per heartbeat."
    MAPRED_FAIRSCHEDULER_ASSIGNMULTIPLE_REDUCES: i32 = "mapred.fairscheduler.assignmultiple.reduces", Some("-1"), false, None, Limits::Any,
        [], "scheduler", Tuning, "FairScheduler";
    "Weight by log of tasks."
    MAPRED_FAIRSCHEDULER_SIZEBASEDWEIGHT: bool = "mapred.fairscheduler.sizebasedweight", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Enable preemption."
    MAPRED_FAIRSCHEDULER_PREEMPTION: bool = "mapred.fairscheduler.preemption", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Log instead of killing."
    MAPRED_FAIRSCHEDULER_PREEMPTION_ONLY_LOG: bool = "mapred.fairscheduler.preemption.only.log", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Preemption check period."
    MAPRED_FAIRSCHEDULER_PREEMPTION_INTERVAL: i64 = "mapred.fairscheduler.preemption.interval", Some("15000"), false, Millis, Limits::Any,
        [], "scheduler", Tuning, "FairScheduler";
    "Share recomputation period."
    MAPRED_FAIRSCHEDULER_UPDATE_INTERVAL: i64 = "mapred.fairscheduler.update.interval", Some("500"), false, Millis, Limits::Any,
        [], "scheduler", Tuning, "FairScheduler";
    "Event log dump period."
    MAPRED_FAIRSCHEDULER_DUMP_INTERVAL: i64 = "mapred.fairscheduler.dump.interval", Some("10000"), false, Millis, Limits::Any,
        [], "scheduler", Tuning, "FairScheduler";
    "Delay scheduling wait; -1 automatic."
    MAPRED_FAIRSCHEDULER_LOCALITY_DELAY: i64 = "mapred.fairscheduler.locality.delay", Some("-1"), false, Millis, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Wait before rack-local."
    MAPRED_FAIRSCHEDULER_LOCALITY_DELAY_NODE: i64 = "mapred.fairscheduler.locality.delay.node", None, false, Millis, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Wait before off-rack."
    MAPRED_FAIRSCHEDULER_LOCALITY_DELAY_RACK: i64 = "mapred.fairscheduler.locality.delay.rack", None, false, Millis, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Extra load allowed over average."
    MAPRED_FAIRSCHEDULER_LOAD_MAX_DIFF: f32 = "mapred.fairscheduler.load.max.diff", Some("0.0"), false, None, Limits::Any,
        [], "scheduler", Tuning, "CapBasedLoadManager";
    "Load manager class."
    MAPRED_FAIRSCHEDULER_LOADMANAGER: String as "a Java class name" = "mapred.fairscheduler.loadmanager", Some("org.apache.hadoop.mapred.CapBasedLoadManager"), false, None, Limits::Any,
        [], "scheduler", JavaOnly, "FairScheduler";
    "Task selector class (unused hook)."
    MAPRED_FAIRSCHEDULER_TASKSELECTOR: String as "a Java class name" = "mapred.fairscheduler.taskselector", Some("org.apache.hadoop.mapred.DefaultTaskSelector"), false, None, Limits::Any,
        [], "scheduler", JavaOnly, "FairScheduler";
    "Weight adjuster class."
    MAPRED_FAIRSCHEDULER_WEIGHTADJUSTER: String as "a Java class name" = "mapred.fairscheduler.weightadjuster", None, false, None, Limits::Any,
        [], "scheduler", JavaOnly, "FairScheduler";
    "Boost for new jobs."
    MAPRED_NEWJOBWEIGHTBOOSTER_FACTOR: f32 = "mapred.newjobweightbooster.factor", Some("3"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "NewJobWeightBooster";
    "Boost time."
    MAPRED_NEWJOBWEIGHTBOOSTER_DURATION: i64 = "mapred.newjobweightbooster.duration", Some("300000"), false, Millis, Limits::Any,
        [], "scheduler", Behaviour, "NewJobWeightBooster";
    "Write event log."
    MAPRED_FAIRSCHEDULER_EVENTLOG_ENABLED: bool = "mapred.fairscheduler.eventlog.enabled", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairScheduler";
    "Event log directory."
    MAPRED_FAIRSCHEDULER_EVENTLOG_LOCATION: String as "a path" = "mapred.fairscheduler.eventlog.location", None, false, None, Limits::Any,
        [], "scheduler", Behaviour, "FairSchedulerEventLog";
    "Queue's guaranteed share."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_CAPACITY: f32 = "mapred.capacity-scheduler.queue.<q>.capacity", None, false, Percent, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Hard ceiling; -1 none."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_CAPACITY: f32 = "mapred.capacity-scheduler.queue.<q>.maximum-capacity", Some("-1"), false, Percent, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Minimum share per active user."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_MINIMUM_USER_LIMIT_PERCENT: i32 = "mapred.capacity-scheduler.queue.<q>.minimum-user-limit-percent", Some("100"), false, Percent, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "User ceiling as multiple of queue capacity."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_USER_LIMIT_FACTOR: f32 = "mapred.capacity-scheduler.queue.<q>.user-limit-factor", Some("1.0"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Order jobs by priority."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_SUPPORTS_PRIORITY: bool = "mapred.capacity-scheduler.queue.<q>.supports-priority", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Initialised tasks per queue."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_INITIALIZED_ACTIVE_TASKS: i32 = "mapred.capacity-scheduler.queue.<q>.maximum-initialized-active-tasks", Some("200000"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Initialised tasks per user; also submit limit."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_MAXIMUM_INITIALIZED_ACTIVE_TASKS_PER_USER: i32 = "mapred.capacity-scheduler.queue.<q>.maximum-initialized-active-tasks-per-user", Some("100000"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Accepted jobs as multiple of initialisable."
    MAPRED_CAPACITY_SCHEDULER_QUEUE_INIT_ACCEPT_JOBS_FACTOR: i32 = "mapred.capacity-scheduler.queue.<q>.init-accept-jobs-factor", Some("10"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_MINIMUM_USER_LIMIT_PERCENT: i32 = "mapred.capacity-scheduler.default-minimum-user-limit-percent", Some("100"), false, Percent, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_USER_LIMIT_FACTOR: f32 = "mapred.capacity-scheduler.default-user-limit-factor", Some("1.0"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_SUPPORTS_PRIORITY: bool = "mapred.capacity-scheduler.default-supports-priority", Some("false"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_MAXIMUM_ACTIVE_TASKS_PER_QUEUE: i32 = "mapred.capacity-scheduler.default-maximum-active-tasks-per-queue", Some("200000"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_MAXIMUM_ACTIVE_TASKS_PER_USER: i32 = "mapred.capacity-scheduler.default-maximum-active-tasks-per-user", Some("100000"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Default for the queue key."
    MAPRED_CAPACITY_SCHEDULER_DEFAULT_INIT_ACCEPT_JOBS_FACTOR: i32 = "mapred.capacity-scheduler.default-init-accept-jobs-factor", Some("10"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Jobs initialised across queues."
    MAPRED_CAPACITY_SCHEDULER_MAXIMUM_SYSTEM_JOBS: i32 = "mapred.capacity-scheduler.maximum-system-jobs", Some("5000"), false, None, Limits::Any,
        [], "scheduler", Behaviour, "CapacitySchedulerConf";
    "Job initialisation poll period."
    MAPRED_CAPACITY_SCHEDULER_INIT_POLL_INTERVAL: i64 = "mapred.capacity-scheduler.init-poll-interval", Some("3000"), false, Millis, Limits::Any,
        [], "scheduler", Tuning, "CapacitySchedulerConf";
    "Initialisation threads."
    MAPRED_CAPACITY_SCHEDULER_INIT_WORKER_THREADS: i32 = "mapred.capacity-scheduler.init-worker-threads", Some("5"), false, None, Limits::Any,
        [], "scheduler", Tuning, "CapacitySchedulerConf";
    "Tasks assigned per heartbeat."
    MAPRED_CAPACITY_SCHEDULER_MAXIMUM_TASKS_PER_HEARTBEAT: i32 = "mapred.capacity-scheduler.maximum-tasks-per-heartbeat", Some("32767"), false, None, Limits::Any,
        [], "scheduler", Tuning, "CapacitySchedulerConf";
    "Maps allowed after an off-switch map."
    MAPRED_CAPACITY_SCHEDULER_MAXIMUM_TASKS_AFTER_OFFSWITCH: i32 = "mapred.capacity-scheduler.maximum-tasks-after-offswitch", Some("0"), false, None, Limits::Any,
        [], "scheduler", Tuning, "CapacitySchedulerConf";
    "Deprecated; warned."
    MAPRED_CAPACITY_SCHEDULER_TASK_DEFAULT_PMEM_PERCENTAGE_IN_VMEM: String = "mapred.capacity-scheduler.task.default-pmem-percentage-in-vmem", None, false, None, Limits::Any,
        [], "scheduler", JavaOnly, "CapacitySchedulerConf";
    "Deprecated; warned."
    MAPRED_CAPACITY_SCHEDULER_TASK_LIMIT_MAXPMEM: String = "mapred.capacity-scheduler.task.limit.maxpmem", None, false, None, Limits::Any,
        [], "scheduler", JavaOnly, "CapacitySchedulerConf";
}
