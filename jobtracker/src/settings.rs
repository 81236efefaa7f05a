//! The site's configuration as this daemon uses it: read and checked once at start, queues and hosts again at a refresh.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use configuration::{ConfigError, Configuration, keys};
use jobtracker_core::{HostLists, QueueSettings, Settings};
use types::AccessControlList;

use crate::effects::HistoryAges;
use crate::schedulers;

const QUEUE_FILE: &str = "mapred-queue-acls.xml";

/// What the daemon itself must know; the core's part is in `core`.
#[derive(Debug, Clone)]
pub(crate) struct DaemonSettings {
    /// `host:port` of RPC.
    pub(crate) rpc: HostPort,
    /// `host:port` of the pages.
    pub(crate) http: HostPort,
    /// `mapred.system.dir`.
    pub(crate) system_dir: String,
    /// Whether to go on with what an earlier JobTracker left (`mapred.jobtracker.restart.recover`).
    pub(crate) recover: bool,
    /// `mapreduce.jobtracker.staging.root.dir`.
    pub(crate) staging_root: String,
    /// `hadoop.log.dir`, on the local disk.
    pub(crate) log_dir: PathBuf,
    /// `mapred.local.dir`, wiped below `jobTracker/`.
    pub(crate) local_dirs: Vec<PathBuf>,
    /// `hadoop.job.history.location`.
    pub(crate) history_dir: String,
    /// `mapred.job.tracker.history.completed.location`.
    pub(crate) history_done_dir: String,
    /// How long done histories are kept.
    pub(crate) history_ages: HistoryAges,
    /// Bytes of a job's `job.xml` at most, if limited.
    pub(crate) job_conf_bytes_max: u64,
    /// Bytes of a job's split meta file at most; negative for any.
    pub(crate) split_meta_bytes_max: i64,
    /// How long groups are remembered.
    pub(crate) groups_kept: Duration,
    /// The rack script.
    pub(crate) rack_script: Option<String>,
    /// Hosts given to it at once.
    pub(crate) rack_script_hosts: usize,
    /// How long a delegation token lives between renewals, and at most.
    pub(crate) token_renewal: Duration,
    /// Likewise.
    pub(crate) token_life: Duration,
    /// Whether a client that waits for its job hears of its end at once.
    pub(crate) holds_events: bool,
    /// Whether service-level authorization is on.
    pub(crate) authorization: bool,
    /// The property of a job that names its pool, where the job names none.
    pub(crate) pool_property: String,
    /// The core's part.
    pub(crate) core: Settings,
}

/// A host and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostPort {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl HostPort {
    fn parse(text: &str) -> Option<HostPort> {
        let text = text.trim();
        let text = text.rsplit_once("://").map_or(text, |(_, rest)| rest);
        let (host, port) = text.rsplit_once(':')?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        (!host.is_empty()).then_some(())?;
        Some(HostPort { host: host.to_owned(), port: port.parse().ok()? })
    }
}

impl std::fmt::Display for HostPort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Reads everything.
pub(crate) fn read(conf: &Configuration) -> Result<DaemonSettings, ConfigError> {
    refuse_what_is_missing(conf)?;
    let log_dir = log_dir(conf)?;
    let history_dir = match conf.get_optional(&keys::HADOOP_JOB_HISTORY_LOCATION)? {
        Some(dir) if !dir.trim().is_empty() => dir,
        _ => format!("file://{}", log_dir.join("history").display()),
    };
    let history_done_dir = match conf.get_optional(&keys::MAPRED_JOB_TRACKER_HISTORY_COMPLETED_LOCATION)? {
        Some(dir) if !dir.trim().is_empty() => dir,
        _ => format!("{}/done", history_dir.trim_end_matches('/')),
    };
    let job_conf_bytes_max = conf.get(&keys::MAPRED_USER_JOBCONF_LIMIT)?;
    Ok(DaemonSettings {
        rpc: rpc_address(conf)?,
        http: http_address(conf)?,
        system_dir: conf.get(&keys::MAPRED_SYSTEM_DIR)?,
        recover: conf.get(&keys::MAPRED_JOBTRACKER_RESTART_RECOVER)?,
        staging_root: conf.get(&keys::MAPREDUCE_JOBTRACKER_STAGING_ROOT_DIR)?,
        local_dirs: conf.get(&keys::MAPRED_LOCAL_DIR)?.into_iter().map(PathBuf::from).collect(),
        history_dir,
        history_done_dir,
        history_ages: HistoryAges {
            most: conf.duration(&keys::MAPREDUCE_JOBHISTORY_MAX_AGE_MS)?,
            interval: conf.duration(&keys::MAPREDUCE_JOBHISTORY_CLEANER_INTERVAL_MS)?,
        },
        job_conf_bytes_max: u64::try_from(job_conf_bytes_max).unwrap_or(u64::MAX),
        split_meta_bytes_max: conf.get(&keys::MAPREDUCE_JOBTRACKER_SPLIT_METAINFO_MAXSIZE)?,
        groups_kept: conf.duration(&keys::HADOOP_SECURITY_GROUPS_CACHE_SECS)?,
        rack_script: conf.get_optional(&keys::TOPOLOGY_SCRIPT_FILE_NAME)?,
        rack_script_hosts: usize::try_from(conf.get(&keys::TOPOLOGY_SCRIPT_NUMBER_ARGS)?).unwrap_or(1),
        token_renewal: conf.duration(&keys::MAPREDUCE_CLUSTER_DELEGATION_TOKEN_RENEW_INTERVAL)?,
        token_life: conf.duration(&keys::MAPREDUCE_CLUSTER_DELEGATION_TOKEN_MAX_LIFETIME)?,
        holds_events: conf.get(&keys::HOWDAH_JOBTRACKER_HOLD_EVENTS)?,
        authorization: conf.get(&keys::HADOOP_SECURITY_AUTHORIZATION)?,
        pool_property: conf.get(&keys::MAPRED_FAIRSCHEDULER_POOLNAMEPROPERTY)?,
        core: core(conf)?,
        log_dir,
    })
}

/// Refuses what would be unsafe, or quite another cluster, if it were only ignored.
fn refuse_what_is_missing(conf: &Configuration) -> Result<(), ConfigError> {
    if conf.get(&keys::HADOOP_SECURITY_AUTHENTICATION)? != "simple" {
        return Err(conf.refuse(&keys::HADOOP_SECURITY_AUTHENTICATION, "simple; Kerberos is not supported yet"));
    }
    if conf.get(&keys::HOWDAH_JOBTRACKER_SLOT_MODEL)? != "typed" {
        return Err(conf.refuse(&keys::HOWDAH_JOBTRACKER_SLOT_MODEL, "typed; the other models are not supported yet"));
    }
    if conf.get(&keys::HOWDAH_YARN_ENABLED)? {
        return Err(conf.refuse(&keys::HOWDAH_YARN_ENABLED, "false; the container API is not supported yet"));
    }
    Ok(())
}

/// Warns of what is set and has no effect here yet.
pub(crate) fn tell_what_is_missing(conf: &Configuration) {
    let flags = [
        &keys::MAPRED_JOB_TRACKER_PERSIST_JOBSTATUS_ACTIVE,
        &keys::MAPREDUCE_JT_HDFS_MONITOR_ENABLE,
        &keys::MAPRED_JOBTRACKER_NODEGROUP_AWARE,
        &keys::MAPRED_FAIRSCHEDULER_EVENTLOG_ENABLED,
    ];
    let is_on = |key: &configuration::Key<bool>| conf.is_set(key) && conf.get_or(key, false);
    for key in flags.into_iter().filter(|key| is_on(key)) {
        tracing::warn!("{} is true, which has no effect yet", key.name());
    }
    let actions = &keys::WEBINTERFACE_PRIVATE_ACTIONS;
    if is_on(actions) {
        tracing::warn!("{} is true, which has an effect on the fair scheduler's page alone yet", actions.name());
    }
}

/// Where logs and, by default, history go: Hadoop's scripts set the property; without it there is only the work directory.
fn log_dir(conf: &Configuration) -> Result<PathBuf, ConfigError> {
    let set = conf
        .get_optional(&keys::HADOOP_LOG_DIR)?
        .or(conf.system_property(keys::HADOOP_LOG_DIR.name()).map(str::to_owned));
    let dir = PathBuf::from(set.filter(|dir| !dir.is_empty()).unwrap_or_else(|| "logs".to_owned()));
    Ok(std::path::absolute(&dir).unwrap_or(dir))
}

fn rpc_address(conf: &Configuration) -> Result<HostPort, ConfigError> {
    const EXPECTED: &str = "host:port where this JobTracker is to listen, such as localhost:9001";
    if !conf.is_set(&keys::MAPRED_JOB_TRACKER) {
        return Err(ConfigError::Missing {
            key: keys::MAPRED_JOB_TRACKER.name().to_owned(),
            set_in: "mapred-site.xml",
            expected: EXPECTED.to_owned(),
        });
    }
    let text = conf.get(&keys::MAPRED_JOB_TRACKER)?;
    HostPort::parse(&text).ok_or_else(|| conf.refuse(&keys::MAPRED_JOB_TRACKER, EXPECTED))
}

/// The pages' address; the two keys of older releases still count (Hadoop 1.2.1: NetUtils.getServerAddress).
fn http_address(conf: &Configuration) -> Result<HostPort, ConfigError> {
    const EXPECTED: &str = "host:port of the pages, such as 0.0.0.0:50030";
    let text = conf.get(&keys::MAPRED_JOB_TRACKER_HTTP_ADDRESS)?;
    let mut address =
        HostPort::parse(&text).ok_or_else(|| conf.refuse(&keys::MAPRED_JOB_TRACKER_HTTP_ADDRESS, EXPECTED))?;
    if let Some(host) = conf.get_optional(&keys::MAPRED_JOB_TRACKER_INFO_BIND_ADDRESS)? {
        address.host = host;
    }
    if let Some(port) = conf.get_optional(&keys::MAPRED_JOB_TRACKER_INFO_PORT)? {
        address.port = u16::try_from(port)
            .map_err(|_| conf.refuse(&keys::MAPRED_JOB_TRACKER_INFO_PORT, "a port from 0 to 65535"))?;
    }
    Ok(address)
}

fn core(conf: &Configuration) -> Result<Settings, ConfigError> {
    let usize_of = |number: i32| usize::try_from(number).unwrap_or(0);
    let counters_max = match conf.get_optional(&keys::MAPREDUCE_JOB_COUNTERS_LIMIT)? {
        Some(limit) => limit,
        None => conf.get(&keys::MAPREDUCE_JOB_COUNTERS_MAX)?,
    };
    let (map_memory_max_mb, reduce_memory_max_mb) = memory_max(conf)?;
    Ok(Settings {
        heartbeats_per_second: conf.get(&keys::MAPRED_HEARTBEATS_IN_SECOND)?,
        heartbeat_scaling: conf.get(&keys::MAPREDUCE_JOBTRACKER_HEARTBEATS_SCALING_FACTOR)?,
        tracker_expiry: conf.duration(&keys::MAPRED_TASKTRACKER_EXPIRY_INTERVAL)?,
        tasks_per_job_max: conf.get(&keys::MAPRED_JOBTRACKER_MAXTASKS_PER_JOB)?,
        capacity_pad: conf.get(&keys::MAPRED_JOBTRACKER_TASKALLOC_CAPACITYPAD)?,
        cache_levels: usize_of(conf.get(&keys::MAPRED_TASK_CACHE_LEVELS)?),
        tracker_blacklists_max: conf.get(&keys::MAPRED_MAX_TRACKER_BLACKLISTS)?,
        average_blacklist_threshold: f64::from(conf.get(&keys::MAPRED_CLUSTER_AVERAGE_BLACKLIST_THRESHOLD)?),
        fault_window: conf.duration(&keys::MAPRED_JOBTRACKER_BLACKLIST_FAULT_TIMEOUT_WINDOW)?,
        fault_bucket: conf.duration(&keys::MAPRED_JOBTRACKER_BLACKLIST_FAULT_BUCKET_WIDTH)?,
        retire_interval: conf.duration(&keys::MAPRED_JOBTRACKER_RETIREJOB_INTERVAL)?,
        retire_check: conf.duration(&keys::MAPRED_JOBTRACKER_RETIREJOB_CHECK)?,
        complete_user_jobs_max: usize_of(conf.get(&keys::MAPRED_JOBTRACKER_COMPLETEUSERJOBS_MAXIMUM)?),
        retired_jobs_max: usize_of(conf.get(&keys::MAPRED_JOB_TRACKER_RETIREDJOBS_CACHE_SIZE)?),
        counters_max: usize_of(counters_max),
        counter_groups_max: usize_of(conf.get(&keys::MAPREDUCE_JOB_COUNTERS_GROUPS_MAX)?),
        reduce_input_limit: conf.get(&keys::MAPREDUCE_REDUCE_INPUT_LIMIT)?,
        split_locations_max: conf.get_optional(&keys::MAPREDUCE_JOB_MAX_SPLIT_LOCATIONS)?.map(usize_of),
        map_slot_memory_mb: conf.get(&keys::MAPRED_CLUSTER_MAP_MEMORY_MB)?,
        reduce_slot_memory_mb: conf.get(&keys::MAPRED_CLUSTER_REDUCE_MEMORY_MB)?,
        map_memory_max_mb,
        reduce_memory_max_mb,
        early_reduces: conf.get(&keys::HOWDAH_JOBTRACKER_EARLY_REDUCES)?,
        acls_enabled: conf.get(&keys::MAPRED_ACLS_ENABLED)?,
        administrators: AccessControlList::parse(&conf.get(&keys::MAPREDUCE_CLUSTER_ADMINISTRATORS)?),
        queues: queues(conf)?,
        hosts: hosts(conf)?,
        scheduler: schedulers::read(conf)?,
        journal: true,
        ..Settings::default()
    })
}

/// The most memory of a map and of a reduce in MiB; a key of older releases, in bytes, overrides both.
fn memory_max(conf: &Configuration) -> Result<(i64, i64), ConfigError> {
    if let Some(bytes) = conf.get_optional(&keys::MAPRED_TASK_LIMIT_MAXVMEM)? {
        let mb = if bytes < 0 { -1 } else { bytes >> 20 };
        return Ok((mb, mb));
    }
    Ok((conf.get(&keys::MAPRED_CLUSTER_MAX_MAP_MEMORY_MB)?, conf.get(&keys::MAPRED_CLUSTER_MAX_REDUCE_MEMORY_MB)?))
}

/// The queues, in configured order (Hadoop 1.2.1: QueueManager).
pub(crate) fn queues(conf: &Configuration) -> Result<Vec<QueueSettings>, ConfigError> {
    let names = conf.get(&keys::MAPRED_QUEUE_NAMES)?;
    if names.is_empty() {
        return Err(conf.refuse(&keys::MAPRED_QUEUE_NAMES, "at least one name"));
    }
    names.into_iter().map(|name| queue(conf, name)).collect()
}

fn queue(conf: &Configuration, name: String) -> Result<QueueSettings, ConfigError> {
    let list = |text: Option<String>| AccessControlList::parse(text.as_deref().unwrap_or("*"));
    let state = conf.get_for(&keys::MAPRED_QUEUE_STATE, &name)?.unwrap_or_default();
    Ok(QueueSettings {
        running: !state.eq_ignore_ascii_case("stopped"),
        submitters: list(conf.get_for(&keys::MAPRED_QUEUE_ACL_SUBMIT_JOB, &name)?),
        administrators: list(conf.get_for(&keys::MAPRED_QUEUE_ACL_ADMINISTER_JOBS, &name)?),
        name,
    })
}

/// Adds the files that stand beside the site's, where there are any: queue access lists, and what the scheduler reads.
pub(crate) fn add_queue_files(conf: &mut Configuration, conf_dir: &Path) -> Result<(), ConfigError> {
    for file in [Some(QUEUE_FILE), schedulers::file(conf)].into_iter().flatten() {
        let path = conf_dir.join(file);
        if path.exists() {
            conf.add_file(&path)?;
        }
    }
    Ok(())
}

/// Reads the include and the exclude file.
pub(crate) fn hosts(conf: &Configuration) -> Result<HostLists, ConfigError> {
    let read = |path: Option<String>| match path.filter(|path| !path.is_empty()) {
        Some(path) => std::fs::read_to_string(&path)
            .map(|text| text.split_whitespace().map(str::to_owned).collect())
            .map_err(|source| ConfigError::Read { path: path.into(), source }),
        None => Ok(BTreeSet::new()),
    };
    Ok(HostLists {
        include: read(conf.get_optional(&keys::MAPRED_HOSTS)?)?,
        exclude: read(conf.get_optional(&keys::MAPRED_HOSTS_EXCLUDE)?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(properties: &[(&str, &str)]) -> Configuration {
        let mut conf = Configuration::new();
        conf.set_system_property("user.name", "tester");
        for (name, value) in properties {
            conf.set_from(*name, *value, "mapred-site.xml");
        }
        conf
    }

    #[test]
    fn a_job_tracker_without_an_address_does_not_start() {
        let error = read(&site(&[])).unwrap_err().to_string();
        assert!(error.contains("mapred.job.tracker is not set; set it in mapred-site.xml"), "{error}");
        let error = read(&site(&[("mapred.job.tracker", "local")])).unwrap_err().to_string();
        assert!(error.starts_with("mapred-site.xml: mapred.job.tracker is \"local\"; expected host:port"), "{error}");
    }

    #[test]
    fn defaults_are_hadoops() {
        let settings = read(&site(&[("mapred.job.tracker", "h:9001")])).unwrap();
        assert_eq!(settings.rpc, HostPort { host: "h".into(), port: 9001 });
        assert_eq!(settings.http.to_string(), "0.0.0.0:50030");
        assert_eq!(settings.system_dir, "/tmp/hadoop-tester/mapred/system");
        assert_eq!(settings.job_conf_bytes_max, 5 << 20);
        assert_eq!(settings.core, Settings { journal: true, ..Settings::default() });
        assert!(settings.recover);
        let site = site(&[("mapred.job.tracker", "h:9001"), ("mapred.jobtracker.restart.recover", "false")]);
        assert!(!read(&site).unwrap().recover);
    }

    #[test]
    fn bad_values_name_file_key_and_way_out() {
        let bad = |key: &str, value: &str| read(&site(&[("mapred.job.tracker", "h:1"), (key, value)])).unwrap_err();
        let error = bad("mapred.heartbeats.in.second", "many").to_string();
        assert!(error.starts_with("mapred-site.xml: mapred.heartbeats.in.second is \"many\"; expected"), "{error}");
        let error = bad("mapred.jobtracker.taskScheduler", "x.Y").to_string();
        assert!(error.contains("\"x.Y\"; expected org.apache.hadoop.mapred.JobQueueTaskScheduler"), "{error}");
        let error = bad("mapred.hosts", "/no/such/file").to_string();
        assert!(error.starts_with("/no/such/file: cannot be read"), "{error}");
    }

    #[test]
    fn queues_have_states_and_lists() {
        let conf = site(&[
            ("mapred.queue.names", "a, b"),
            ("mapred.queue.b.state", "stopped"),
            ("mapred.queue.b.acl-submit-job", "u g"),
        ]);
        let queues = queues(&conf).unwrap();
        assert_eq!(queues[0], QueueSettings::open("a"));
        assert!(!queues[1].running);
        assert_eq!(queues[1].submitters.to_string(), "u g");
    }
}
