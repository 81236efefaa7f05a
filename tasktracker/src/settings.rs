//! What the site says about this tracker, read once (Hadoop 1.2.1: TaskTracker's constructor and initialize).

use std::net::ToSocketAddrs;
use std::path::PathBuf;
use std::time::Duration;

use configuration::{ConfigError, Configuration, Key, keys};
use tasktracker_core::Settings;

use crate::job_tracker::VersionCheck;
use crate::user_logs::LogSizes;

/// The class that runs children as the tracker's own user.
const DEFAULT_TASK_CONTROLLER: &str = "org.apache.hadoop.mapred.DefaultTaskController";
/// The class that runs children as their jobs' users.
const LINUX_TASK_CONTROLLER: &str = "org.apache.hadoop.mapred.LinuxTaskController";
/// The program for that, in an installation's `bin`.
const TASK_CONTROLLER_PROGRAM: &str = "task-controller";
/// Variables that name an installation.
const HOMES: [&str; 3] = ["HADOOP_HOME", "HADOOP_PREFIX", "HOWDAH_HOME"];

/// A site's settings.
#[derive(Debug, Clone)]
pub(crate) struct TrackerSettings {
    pub(crate) job_tracker: String,
    pub(crate) user: String,
    pub(crate) host: String,
    pub(crate) http_address: String,
    pub(crate) report_address: String,
    pub(crate) local_dirs: Vec<PathBuf>,
    pub(crate) log_dir: PathBuf,
    pub(crate) check: VersionCheck,
    pub(crate) map_slot_mb: i64,
    pub(crate) reduce_slot_mb: i64,
    pub(crate) memory_check: Duration,
    pub(crate) log_retain: Duration,
    pub(crate) log_sizes: LogSizes,
    pub(crate) class_data: bool,
    pub(crate) cgroups: bool,
    /// The set-user-id program, if children are to run as their jobs' users.
    pub(crate) task_controller: Option<PathBuf>,
    /// Without name and ports, which are known once the servers listen.
    pub(crate) core: Settings,
}

impl TrackerSettings {
    /// Reads them.
    ///
    /// # Errors
    /// If a value is no such value, or a needed one is missing.
    pub(crate) fn read(conf: &Configuration) -> Result<Self, ConfigError> {
        let host = host_name(conf)?;
        let log_hours = u64::from(conf.get(&keys::MAPRED_USERLOG_RETAIN_HOURS)?.unsigned_abs());
        Ok(TrackerSettings {
            job_tracker: job_tracker(conf)?,
            user: conf.system_property(keys::USER_NAME.name()).unwrap_or("nobody").to_owned(),
            http_address: address(
                conf,
                &keys::MAPRED_TASK_TRACKER_HTTP_ADDRESS,
                &keys::TASKTRACKER_HTTP_BIND_ADDRESS,
                &keys::TASKTRACKER_HTTP_PORT,
            )?,
            report_address: address(
                conf,
                &keys::MAPRED_TASK_TRACKER_REPORT_ADDRESS,
                &keys::MAPRED_TASK_TRACKER_REPORT_BIND_ADDRESS,
                &keys::MAPRED_TASK_TRACKER_REPORT_PORT,
            )?,
            local_dirs: local_dirs(conf)?,
            log_dir: log_dir(conf)?,
            check: VersionCheck {
                relaxed: conf.get(&keys::HADOOP_RELAXED_WORKER_VERSION_CHECK)?,
                skip: conf.get(&keys::HADOOP_SKIP_WORKER_VERSION_CHECK)?,
            },
            map_slot_mb: conf.get(&keys::MAPRED_CLUSTER_MAP_MEMORY_MB)?,
            reduce_slot_mb: conf.get(&keys::MAPRED_CLUSTER_REDUCE_MEMORY_MB)?,
            memory_check: conf.duration(&keys::MAPRED_TASKTRACKER_TASKMEMORYMANAGER_MONITORING_INTERVAL)?,
            log_retain: Duration::from_secs(log_hours * 3600),
            log_sizes: LogSizes {
                map: positive(conf.get(&keys::MAPREDUCE_CLUSTER_MAP_USERLOG_RETAIN_SIZE)?),
                reduce: positive(conf.get(&keys::MAPREDUCE_CLUSTER_REDUCE_USERLOG_RETAIN_SIZE)?),
            },
            cgroups: conf.get(&keys::HOWDAH_TASKTRACKER_CGROUPS)?,
            class_data: conf.get(&keys::HOWDAH_TASKTRACKER_CLASS_DATA)?,
            task_controller: task_controller(conf)?,
            core: core_settings(conf, &host)?,
            host,
        })
    }
}

fn core_settings(conf: &Configuration, host: &str) -> Result<Settings, ConfigError> {
    let counters_max = match conf.get_optional(&keys::MAPREDUCE_JOB_COUNTERS_LIMIT)? {
        Some(limit) => limit,
        None => conf.get(&keys::MAPREDUCE_JOB_COUNTERS_MAX)?,
    };
    let count = |number: i32| usize::try_from(number).unwrap_or(0);
    Ok(Settings {
        name: String::new(),
        host: host.to_owned(),
        http_port: 0,
        map_slots: conf.get(&keys::MAPRED_TASKTRACKER_MAP_TASKS_MAXIMUM)?,
        reduce_slots: conf.get(&keys::MAPRED_TASKTRACKER_REDUCE_TASKS_MAXIMUM)?,
        sigkill_delay: conf.duration(&keys::MAPRED_TASKTRACKER_TASKS_SLEEPTIME_BEFORE_SIGKILL)?,
        min_space_start: conf.get(&keys::MAPRED_LOCAL_DIR_MINSPACESTART)?,
        min_space_kill: conf.get(&keys::MAPRED_LOCAL_DIR_MINSPACEKILL)?,
        memory_total: memory_total(conf)?,
        counters_max: count(counters_max),
        counter_groups_max: count(conf.get(&keys::MAPREDUCE_JOB_COUNTERS_GROUPS_MAX)?),
        events_batch: conf.get(&keys::MAPRED_TASKTRACKER_EVENTS_BATCHSIZE)?,
        seed: u64::from_ne_bytes(rpc::secret::random_bytes()),
    })
}

fn positive(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|number| *number > 0)
}

/// The address space of all slots in bytes; nothing if the site gives its slots none (Hadoop 1.2.1:
/// TaskTracker.initializeMemoryManagement).
fn memory_total(conf: &Configuration) -> Result<Option<u64>, ConfigError> {
    let maps = i64::from(conf.get(&keys::MAPRED_TASKTRACKER_MAP_TASKS_MAXIMUM)?);
    let reduces = i64::from(conf.get(&keys::MAPRED_TASKTRACKER_REDUCE_TASKS_MAXIMUM)?);
    let of_maps = maps.saturating_mul(conf.get(&keys::MAPRED_CLUSTER_MAP_MEMORY_MB)?);
    let of_reduces = reduces.saturating_mul(conf.get(&keys::MAPRED_CLUSTER_REDUCE_MEMORY_MB)?);
    let mut megabytes = of_maps.saturating_add(of_reduces);
    if megabytes < 0 {
        // The names from before slots had sizes, in bytes.
        let bytes = |key| conf.get_optional(key).map(|bytes| bytes.filter(|bytes| *bytes >= 0));
        let (each, most) =
            (bytes(&keys::MAPRED_TASK_DEFAULT_MAXVMEM)?, bytes(&keys::MAPRED_TASK_LIMIT_MAXVMEM)?.unwrap_or(-1));
        let each = each.filter(|each| *each <= most).map(|each| each >> 20);
        megabytes = each.map_or(-1, |each| each.saturating_mul(maps + reduces));
    }
    Ok(u64::try_from(megabytes).ok().map(|megabytes| megabytes.saturating_mul(1 << 20)))
}

/// The program that acts as users, unless the tracker's own user runs everything (Hadoop 1.2.1:
/// LinuxTaskController.setConf).
fn task_controller(conf: &Configuration) -> Result<Option<PathBuf>, ConfigError> {
    match conf.get(&keys::MAPRED_TASK_TRACKER_TASK_CONTROLLER)?.as_str() {
        DEFAULT_TASK_CONTROLLER => Ok(None),
        LINUX_TASK_CONTROLLER => {
            let named = conf.get_optional(&keys::MAPREDUCE_TASKTRACKER_TASK_CONTROLLER_EXE)?.map(PathBuf::from);
            let home = || HOMES.into_iter().find_map(std::env::var_os).unwrap_or_default();
            Ok(Some(named.unwrap_or_else(|| PathBuf::from(home()).join("bin").join(TASK_CONTROLLER_PROGRAM))))
        }
        _ => Err(conf.refuse(
            &keys::MAPRED_TASK_TRACKER_TASK_CONTROLLER,
            &format!("{DEFAULT_TASK_CONTROLLER} or {LINUX_TASK_CONTROLLER}"),
        )),
    }
}

fn job_tracker(conf: &Configuration) -> Result<String, ConfigError> {
    let address = conf.get(&keys::MAPRED_JOB_TRACKER)?;
    let port = address.rsplit_once(':').and_then(|(host, port)| port.parse::<u16>().ok().filter(|_| !host.is_empty()));
    match port {
        Some(_) => Ok(address),
        None => Err(conf.refuse(&keys::MAPRED_JOB_TRACKER, "host:port of the JobTracker")),
    }
}

/// `host:port` of a server; the old keys for its parts still count (Hadoop 1.2.1: NetUtils.getServerAddress).
fn address(
    conf: &Configuration,
    key: &Key<String>,
    old_host: &Key<String>,
    old_port: &Key<i32>,
) -> Result<String, ConfigError> {
    let address = conf.get(key)?;
    let (host, port) = address.rsplit_once(':').ok_or_else(|| conf.refuse(key, "host:port"))?;
    let port = match conf.get_optional(old_port)? {
        Some(port) => port.to_string(),
        None => port.parse::<u16>().map_err(|_| conf.refuse(key, "host:port, the port from 0 to 65535"))?.to_string(),
    };
    let host = conf.get_optional(old_host)?.unwrap_or_else(|| host.to_owned());
    Ok(format!("{host}:{port}"))
}

fn local_dirs(conf: &Configuration) -> Result<Vec<PathBuf>, ConfigError> {
    let dirs = conf.get(&keys::MAPRED_LOCAL_DIR)?;
    let dirs = dirs.iter().map(|dir| PathBuf::from(dir.strip_prefix("file://").unwrap_or(dir)));
    Ok(dirs.map(|dir| std::path::absolute(&dir).unwrap_or(dir)).collect())
}

fn log_dir(conf: &Configuration) -> Result<PathBuf, ConfigError> {
    let set = conf.system_property(keys::HADOOP_LOG_DIR.name()).map(str::to_owned);
    let dir = PathBuf::from(set.or(conf.get_optional(&keys::HADOOP_LOG_DIR)?).unwrap_or_else(|| "logs".to_owned()));
    Ok(std::path::absolute(&dir).unwrap_or(dir))
}

/// The name under which the JobTracker and reduces find this node.
fn host_name(conf: &Configuration) -> Result<String, ConfigError> {
    if let Some(name) = conf.get_optional(&keys::SLAVE_HOST_NAME)? {
        return Ok(name);
    }
    let own = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    Ok(canonical(&own.unwrap_or_else(|| "localhost".to_owned())))
}

/// What the system calls the address of `name`; `name` itself where it has none. Splits name the hosts of local files
/// in the same way, so that a map beside its data is seen to be (Java: InetAddress.getCanonicalHostName).
fn canonical(name: &str) -> String {
    let addresses = (name, 0).to_socket_addrs().into_iter().flatten().map(|address| address.ip());
    // Java asks for IPv4 addresses first.
    let address = addresses.min_by_key(|address| address.is_ipv6());
    address.and_then(|address| dns_lookup::lookup_addr(&address).ok()).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conf(pairs: &[(&str, &str)]) -> Configuration {
        let mut conf = Configuration::new();
        for (name, value) in [("hadoop.tmp.dir", "/tmp/x"), ("mapred.job.tracker", "jt:9001")].iter().chain(pairs) {
            conf.set(*name, *value);
        }
        conf
    }

    #[test]
    fn reads_what_the_site_says() {
        let pairs = [
            ("slave.host.name", "node7"),
            ("mapred.tasktracker.map.tasks.maximum", "3"),
            ("mapred.task.tracker.http.address", "0.0.0.0:0"),
            ("tasktracker.http.port", "50061"),
            ("mapred.local.dir", "/d1/mapred,file:///d2/mapred"),
        ];
        let settings = TrackerSettings::read(&conf(&pairs)).unwrap();
        assert_eq!(settings.job_tracker, "jt:9001");
        assert_eq!(settings.host, "node7");
        assert_eq!((settings.core.map_slots, settings.core.reduce_slots), (3, 2));
        assert_eq!(settings.http_address, "0.0.0.0:50061");
        assert_eq!(settings.report_address, "127.0.0.1:0");
        assert_eq!(settings.local_dirs, [PathBuf::from("/d1/mapred"), PathBuf::from("/d2/mapred")]);
        assert_eq!(settings.core.sigkill_delay, Duration::from_secs(5));
        assert_eq!((settings.core.counters_max, settings.core.counter_groups_max), (120, 50));
    }

    #[test]
    fn the_program_that_acts_as_users_is_named_or_beside_the_others() {
        let linux = ("mapred.task.tracker.task-controller", "org.apache.hadoop.mapred.LinuxTaskController");
        let exe = ("mapreduce.tasktracker.task-controller.exe", "/opt/tc");
        let program = |pairs: &[(&str, &str)]| TrackerSettings::read(&conf(pairs)).unwrap().task_controller;
        assert_eq!(program(&[exe]), None);
        assert_eq!(program(&[linux, exe]), Some(PathBuf::from("/opt/tc")));
        assert!(program(&[linux]).unwrap().ends_with("bin/task-controller"));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let check = |name: &str, value: &str| {
            let message = TrackerSettings::read(&conf(&[(name, value)])).unwrap_err().to_string();
            assert!(message.contains(name) && message.contains(value), "{message}");
        };
        check("mapred.job.tracker", "local");
        check("mapred.tasktracker.map.tasks.maximum", "two");
        check("mapred.task.tracker.http.address", "50060");
        check("mapred.task.tracker.task-controller", "org.apache.hadoop.mapred.OtherTaskController");
    }

    #[test]
    fn slots_of_a_size_have_their_memory_watched() {
        let total = |pairs: &[(&str, &str)]| TrackerSettings::read(&conf(pairs)).unwrap().core.memory_total;
        assert_eq!(total(&[]), None);
        let slots = [("mapred.cluster.map.memory.mb", "512"), ("mapred.cluster.reduce.memory.mb", "1024")];
        assert_eq!(total(&slots), Some(3072 << 20));
        // Two slots of -1 count, as the sum is what is looked at.
        assert_eq!(total(&slots[..1]), Some(1022 << 20));
        let old = [("mapred.task.default.maxvmem", "536870912"), ("mapred.task.limit.maxvmem", "1073741824")];
        assert_eq!(total(&old), Some(2048 << 20));
        assert_eq!(total(&old[..1]), None, "a default beyond the limit is none");
    }

    #[test]
    fn the_canonical_name_is_the_addresss() {
        let loopback = std::net::IpAddr::from([127, 0, 0, 1]);
        assert_eq!(canonical("127.0.0.1"), dns_lookup::lookup_addr(&loopback).unwrap());
        assert_eq!(canonical("no-such-host.invalid"), "no-such-host.invalid");
    }
}
