//! A job as a client hands it in becomes a [`Submission`] for the core: its `job.xml` is read and checked, and what a
//! restart must know is on disk (Hadoop 1.2.1: JobTracker.submitJob, JobInProgress's constructor).

use std::path::PathBuf;
use std::sync::Arc;

use configuration::{Configuration, keys};
use jobtracker_core::{Caller, Notification, SkipSettings, Submission, Workflow};
use storage::{Path, StorageError};
use types::{AccessControlList, Credentials, JobAcl, JobId, JobPriority, RemoteException};
use wire::history::escape;
use wire::job_info::JobInfo;

use crate::effects::chain;
use crate::state::{JobFiles, Shared};

const JOB_FILE: &str = "job.xml";
const SPLIT_FILE: &str = "job.split";
/// Where 1.2.1 puts the user's copy of history, below the output directory.
const USER_HISTORY: [&str; 2] = ["_logs", "history"];

/// A job that a client hands in.
pub(crate) struct Request {
    pub(crate) job: JobId,
    pub(crate) caller: Caller,
    pub(crate) submit_dir: String,
    pub(crate) credentials: Credentials,
}

/// What was wrong inside 1.2.1's constructor of a job reaches the client wrapped: its class stands before its message.
pub(crate) fn wrapped(message: impl std::fmt::Display) -> RemoteException {
    RemoteException::io(format!("java.io.IOException: {message}"))
}

/// Stores what a restart must know, reads the job's configuration and checks it, in 1.2.1's order. Blocks. If it fails,
/// nothing of the job stays in the system directory.
pub(crate) fn prepare(shared: &Shared, request: Request) -> Result<Submission, RemoteException> {
    let job = request.job.clone();
    let prepared = store_and_read(shared, request);
    if prepared.is_err() {
        shared.journal.forget_job(&job);
        shared.system_directory.remove_job(&job);
    }
    prepared
}

fn store_and_read(shared: &Shared, request: Request) -> Result<Submission, RemoteException> {
    let Request { job, caller, submit_dir, mut credentials } = request;
    let directory = Path::parse(&submit_dir).map_err(|error| wrapped(chain(&error)))?;
    let info = JobInfo { job: job.clone(), user: caller.user.clone(), submit_dir: Some(submit_dir) };
    credentials.set_token(Credentials::JOB_TOKEN, shared.tokens.job_token(&job));
    shared.system_directory.store_job(&info, &credentials).map_err(|error| wrapped(chain(&error)))?;

    let job_file = directory.child(JOB_FILE);
    let bytes = read_job_file(shared, &job_file)?;
    let mut conf = (*shared.conf()).clone();
    conf.add_resource(JOB_FILE, &bytes).map_err(|error| wrapped(chain(&error)))?;
    check_schemes(shared, &conf)?;
    check_child(shared, &conf, &directory)?;
    let submission = submission_of(shared, &conf, job.clone(), caller, &directory)?;
    let cannot = |error| wrapped(format!("{job} cannot be taken: {error}"));
    shared.journal.begin_job(&submission).map_err(cannot)?;
    let files = JobFiles { submit_dir: directory, conf: Arc::new(bytes), user_history: user_history(shared, &conf) };
    shared.remember_job(job, files);
    Ok(submission)
}

/// Remembers the files of a job from before a restart. One whose `job.xml` cannot be read goes on without copies of it.
pub(crate) fn remember_again(shared: &Shared, submission: &Submission) {
    let Ok(directory) = Path::parse(&submission.staging_dir) else { return };
    let bytes = read_job_file(shared, &directory.child(JOB_FILE)).unwrap_or_else(|error| {
        tracing::warn!(job = %submission.job, %error, "the job's configuration cannot be read again");
        Vec::new()
    });
    let mut conf = (*shared.conf()).clone();
    if let Err(error) = conf.add_resource(JOB_FILE, &bytes) {
        tracing::warn!(job = %submission.job, error = chain(&error), "the job's configuration cannot be read again");
    }
    let user_history = user_history(shared, &conf);
    shared
        .remember_job(submission.job.clone(), JobFiles { submit_dir: directory, conf: Arc::new(bytes), user_history });
}

fn read_job_file(shared: &Shared, path: &Path) -> Result<Vec<u8>, RemoteException> {
    let limit = shared.settings.job_conf_bytes_max;
    let files = shared.storage.find("the job's submit directory", path).map_err(|error| wrapped(chain(&error)))?;
    files.read_to_vec(path, limit).map_err(|error| match error {
        StorageError::TooLong { .. } => {
            let length = files.status(path).map_or(limit + 1, |status| status.length);
            wrapped(format!("Exceeded max jobconf size: {length} limit: {limit}"))
        }
        error => wrapped(chain(&error)),
    })
}

/// Refuses a job that reads or writes where no file system of ours is, since it would fail much later and less clearly.
fn check_schemes(shared: &Shared, conf: &Configuration) -> Result<(), RemoteException> {
    let mut named = vec![(keys::FS_DEFAULT_NAME.name(), conf.get_or(&keys::FS_DEFAULT_NAME, String::new()))];
    for name in [keys::MAPRED_INPUT_DIR.name(), keys::MAPRED_OUTPUT_DIR.name()] {
        let text = conf.text(name).map_err(|error| wrapped(chain(&error)))?.unwrap_or_default();
        named.extend(split_unescaped(&text).into_iter().map(|path| (name, path)));
    }
    for (key, text) in named.into_iter().filter(|(_, text)| text.contains(':')) {
        // What is no path is the job's own affair; its first attempt says so.
        let Ok(path) = Path::parse(&text) else { continue };
        shared.storage.find(key, &path).map_err(|error| wrapped(chain(&error)))?;
    }
    Ok(())
}

/// Splits at commas that have no backslash before them, and takes the backslashes away (Hadoop 1.2.1:
/// StringUtils.split, unEscapeString).
fn split_unescaped(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let last = parts.len() - 1;
        match c {
            '\\' => parts[last].extend(chars.next()),
            ',' => parts.push(String::new()),
            c => parts[last].push(c),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Refuses a job that insists on the native child and cannot run in it. The jars are only looked into where the job
/// says something of the child: otherwise its TaskTrackers choose.
fn check_child(shared: &Shared, conf: &Configuration, directory: &Path) -> Result<(), RemoteException> {
    if conf.get_or(&keys::HOWDAH_CHILD_NATIVE, String::new()) == "auto" {
        return Ok(());
    }
    match child_of(shared, conf, directory) {
        twins::Choice::Refused(reason) => Err(wrapped(reason)),
        _ => Ok(()),
    }
}

/// The child of a job's maps and reduces, as far as its configuration and its jars tell.
pub(crate) fn child_of(shared: &Shared, conf: &Configuration, directory: &Path) -> twins::Choice {
    let lookup = |name: &str| conf.text(name).ok().flatten();
    twins::eligibility(&lookup, &twins::jar_index::index(&job_jars(shared, conf, directory)))
}

/// The jars that the job brings, as far as they lie on this machine's disk; others make the index say that it is not whole.
fn job_jars(shared: &Shared, conf: &Configuration, directory: &Path) -> Vec<PathBuf> {
    let mut named: Vec<String> = conf.get_optional(&keys::MAPRED_JAR).ok().flatten().into_iter().collect();
    for list in [&keys::MAPRED_JOB_CLASSPATH_FILES, &keys::MAPRED_JOB_CLASSPATH_ARCHIVES] {
        let paths = conf.get_optional(list).ok().flatten().unwrap_or_default();
        named.extend(paths.iter().flat_map(|paths| paths.split(':')).map(str::to_owned));
    }
    named
        .iter()
        .filter(|name| !name.is_empty())
        .filter_map(|name| directory.join(name).ok())
        .map(|path| shared.storage.qualify(&path).unwrap_or(path).as_local().to_owned())
        .collect()
}

/// Where the user's copy of history goes (Hadoop 1.2.1: JobHistory.JobInfo.getJobHistoryLogLocationForUser).
fn user_history(shared: &Shared, conf: &Configuration) -> Option<Path> {
    let named = conf.get_optional(&keys::HADOOP_JOB_HISTORY_USER_LOCATION).ok().flatten();
    let output = || conf.text(keys::MAPRED_OUTPUT_DIR.name()).ok().flatten();
    let directory = named.or_else(output).filter(|directory| directory != "none" && !directory.is_empty())?;
    let path = shared.storage.qualify(&Path::parse(&directory).ok()?).ok()?;
    Some(USER_HISTORY.iter().fold(path, |path, part| path.child(part)))
}

fn submission_of(
    shared: &Shared,
    conf: &Configuration,
    job: JobId,
    caller: Caller,
    directory: &Path,
) -> Result<Submission, RemoteException> {
    let list = |key: &configuration::Key<String>| AccessControlList::parse(&conf.get_or(key, " ".to_owned()));
    Ok(Submission {
        user_name: conf.entry(keys::USER_NAME.name()).map(|entry| entry.value.clone()),
        name: conf.get_or(&keys::MAPRED_JOB_NAME, String::new()),
        job_file: directory.child(JOB_FILE).to_string(),
        split_file: directory.child(SPLIT_FILE).to_string(),
        url: shared.identity.job_url(&job),
        staging_dir: directory.to_string(),
        queue: conf.get_or(&keys::MAPRED_JOB_QUEUE_NAME, "default".to_owned()),
        pool: pool(conf, &shared.settings.pool_property, &caller.user),
        priority: priority(conf)?,
        maps: conf.get_or(&keys::MAPRED_MAP_TASKS, 1),
        reduces: conf.get_or(&keys::MAPRED_REDUCE_TASKS, 1),
        map_attempts_max: conf.get_or(&keys::MAPRED_MAP_MAX_ATTEMPTS, 4),
        reduce_attempts_max: conf.get_or(&keys::MAPRED_REDUCE_MAX_ATTEMPTS, 4),
        locality_wait_factor: conf.get_or(&keys::MAPREDUCE_JOB_LOCALITY_WAIT_FACTOR, 1.0),
        map_failures_percent: conf.get_or(&keys::MAPRED_MAX_MAP_FAILURES_PERCENT, 0),
        reduce_failures_percent: conf.get_or(&keys::MAPRED_MAX_REDUCE_FAILURES_PERCENT, 0),
        map_speculation: conf.get_or(&keys::MAPRED_MAP_TASKS_SPECULATIVE_EXECUTION, true),
        reduce_speculation: conf.get_or(&keys::MAPRED_REDUCE_TASKS_SPECULATIVE_EXECUTION, true),
        slow_start: conf
            .is_set(&keys::MAPRED_REDUCE_SLOWSTART_COMPLETED_MAPS)
            .then(|| conf.get_or(&keys::MAPRED_REDUCE_SLOWSTART_COMPLETED_MAPS, 0.05)),
        tracker_failures_max: conf.get_or(&keys::MAPRED_MAX_TRACKER_FAILURES, 4),
        map_memory_mb: memory(conf, &keys::MAPRED_JOB_MAP_MEMORY_MB),
        reduce_memory_mb: memory(conf, &keys::MAPRED_JOB_REDUCE_MEMORY_MB),
        reduce_input_limit: Some(conf.get_or(&keys::MAPREDUCE_REDUCE_INPUT_LIMIT, -1)),
        skip: skip(conf),
        acls: vec![
            (JobAcl::ViewJob, list(&keys::MAPREDUCE_JOB_ACL_VIEW_JOB)),
            (JobAcl::ModifyJob, list(&keys::MAPREDUCE_JOB_ACL_MODIFY_JOB)),
        ],
        notification: notification(conf),
        workflow: workflow(conf),
        keep_files: conf.get_or(&keys::KEEP_FAILED_TASK_FILES, false)
            || conf.get_optional(&keys::KEEP_TASK_FILES_PATTERN).ok().flatten().is_some(),
        cancel_tokens: conf.get_or(&keys::MAPREDUCE_JOB_COMPLETE_CANCEL_DELEGATION_TOKENS, true),
        setup_and_cleanup: true,
        restart_recover: conf.get_or(&keys::MAPREDUCE_JOB_RESTART_RECOVER, true),
        recovered: false,
        job,
        caller,
    })
}

/// The pool of a job (Hadoop 1.2.1: PoolManager.getPoolName): the one that it names, or the value of the property that
/// the site says names pools.
fn pool(conf: &Configuration, property: &str, user: &str) -> String {
    let text = |name: &str| conf.text(name).ok().flatten();
    let by_property = || match property == keys::USER_NAME.name() {
        true => Some(user.to_owned()),
        false => text(property),
    };
    let pool = text(keys::MAPRED_FAIRSCHEDULER_POOL.name()).or_else(by_property);
    pool.as_deref().map_or("default", str::trim).to_owned()
}

fn priority(conf: &Configuration) -> Result<JobPriority, RemoteException> {
    let name = conf.text(keys::MAPRED_JOB_PRIORITY.name()).ok().flatten().unwrap_or_else(|| "NORMAL".to_owned());
    JobPriority::from_name(&name).ok_or_else(|| no_such_priority(&name))
}

/// What Java says of a name that is no priority.
pub(crate) fn no_such_priority(name: &str) -> RemoteException {
    RemoteException::io(format!(
        "java.lang.IllegalArgumentException: No enum constant org.apache.hadoop.mapred.JobPriority.{name}"
    ))
}

/// MiB of a task; a key of older releases, in bytes, overrides it (Hadoop 1.2.1: JobConf.getMemoryForMapTask).
fn memory(conf: &Configuration, key: &configuration::Key<i64>) -> i64 {
    match conf.get_optional(&keys::MAPRED_TASK_MAXVMEM) {
        Ok(Some(bytes)) if bytes >= 0 => bytes >> 20,
        _ => conf.get_or(key, -1).max(-1),
    }
}

fn skip(conf: &Configuration) -> SkipSettings {
    SkipSettings {
        attempts_to_start: conf.get_or(&keys::MAPRED_SKIP_ATTEMPTS_TO_START_SKIPPING, 2),
        map_records_max: conf.get_or(&keys::MAPRED_SKIP_MAP_MAX_SKIP_RECORDS, 0),
        reduce_groups_max: conf.get_or(&keys::MAPRED_SKIP_REDUCE_MAX_SKIP_GROUPS, 0),
    }
}

fn notification(conf: &Configuration) -> Option<Notification> {
    let url = conf.text(keys::JOB_END_NOTIFICATION_URL.name()).ok().flatten().filter(|url| !url.is_empty())?;
    Some(Notification {
        url,
        retries: conf.get_or(&keys::JOB_END_RETRY_ATTEMPTS, 0),
        interval_ms: i64::from(conf.get_or(&keys::JOB_END_RETRY_INTERVAL, 30_000)),
        timeout_ms: i64::from(conf.get_or(&keys::MAPREDUCE_JOB_END_NOTIFICATION_TIMEOUT, 5000)),
    })
}

fn workflow(conf: &Configuration) -> Workflow {
    Workflow {
        id: conf.get_or(&keys::MAPREDUCE_WORKFLOW_ID, String::new()),
        name: conf.get_or(&keys::MAPREDUCE_WORKFLOW_NAME, String::new()),
        node_name: conf.get_or(&keys::MAPREDUCE_WORKFLOW_NODE_NAME, String::new()),
        adjacencies: adjacencies(conf),
        tags: conf.get_or(&keys::MAPREDUCE_WORKFLOW_TAGS, String::new()),
    }
}

/// `"node"="next,other" …` (Hadoop 1.2.1: JobHistory.JobInfo.getWorkflowAdjacencies).
fn adjacencies(conf: &Configuration) -> String {
    let prefix = keys::MAPREDUCE_WORKFLOW_ADJACENCY.name_for("");
    let mut text = String::new();
    for entry in conf.iter() {
        let Some(node) = entry.name.strip_prefix(&prefix) else { continue };
        text.push_str(&format!("\"{}\"=\"{}\" ", escape(node), escape(&entry.value)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_paths_are_split_where_java_splits_them() {
        assert_eq!(split_unescaped("/a,/b\\,c,,/d\\\\"), ["/a", "/b,c", "/d\\"]);
        assert_eq!(split_unescaped(""), Vec::<String>::new());
    }

    #[test]
    fn memory_in_bytes_counts_before_memory_in_mebibytes() {
        let mut conf = Configuration::new();
        assert_eq!(memory(&conf, &keys::MAPRED_JOB_MAP_MEMORY_MB), -1);
        conf.set_key(&keys::MAPRED_JOB_MAP_MEMORY_MB, 512);
        assert_eq!(memory(&conf, &keys::MAPRED_JOB_MAP_MEMORY_MB), 512);
        conf.set_key(&keys::MAPRED_TASK_MAXVMEM, (1 << 30) + 1);
        assert_eq!(memory(&conf, &keys::MAPRED_JOB_MAP_MEMORY_MB), 1024);
    }

    #[test]
    fn a_job_is_in_the_pool_it_names_or_in_that_of_a_property() {
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_JOB_QUEUE_NAME, " q1 ");
        assert_eq!(pool(&conf, "user.name", "ann"), "ann");
        assert_eq!(pool(&conf, "mapred.job.queue.name", "ann"), "q1");
        assert_eq!(pool(&conf, "no.such.property", "ann"), "default");
        // A pool may be called null; it is a name as any other.
        for name in ["null", "reports", ""] {
            conf.set_key(&keys::MAPRED_FAIRSCHEDULER_POOL, name);
            assert_eq!(pool(&conf, "user.name", "ann"), name);
        }
    }

    #[test]
    fn a_bad_priority_is_told_in_javas_words() {
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_JOB_PRIORITY, "URGENT");
        let error = priority(&conf).unwrap_err().message;
        assert!(error.ends_with("No enum constant org.apache.hadoop.mapred.JobPriority.URGENT"), "{error}");
    }
}
