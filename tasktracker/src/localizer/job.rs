//! The files of one job: token, configuration, jar, cache (Hadoop 1.2.1: TaskTracker.initializeJob,
//! DefaultTaskController.initializeJob, mapred.JobLocalizer).

use std::path::{Path, PathBuf};

use configuration::{Configuration, keys};
use types::{Credentials, JobId, Task};

use super::error::LocalizeError;
use super::{LocalizedJob, Localizer, Result, acls, archive, as_user, cache_list, files, inputs, layout};
use crate::launch_spec::{LocalResource, ResourceKind};

/// The token file is its owner's alone.
const MODE_TOKEN: u32 = 0o600;
/// The job's jar, which children read.
pub(super) const MODE_JAR: u32 = 0o755;
/// What unpacking a jar needs, as a multiple of its size.
pub(super) const JAR_ROOM: u64 = 5;

/// Brings everything of the job here. What is there already when this fails is deleted by the caller.
///
/// Of a job that is `torn`, what is still here stays where it is: attempts of it may run.
pub(super) fn localize(
    localizer: &Localizer,
    task: &Task,
    system_dir: &storage::Path,
    torn: bool,
) -> Result<LocalizedJob> {
    let id = task.attempt.job();
    let user = &task.user;
    check_name("the job's user", user)?;
    check_name("the job's id", &id.to_string())?;
    let secret_dir = layout::private(&layout::job_dir(user, id));
    let tokens = fetch_tokens(localizer, &secret_dir, system_dir, id)?;
    let mut conf = fetch_conf(localizer, &secret_dir, task)?;
    if let Some(users) = &localizer.users {
        return as_user::localize(
            localizer,
            users,
            as_user::Brought { id, user, conf, tokens: tokens.credentials, torn },
        );
    }
    make_user_dirs(localizer, user, id, torn)?;
    let job_dir = layout::job_dir(user, id);
    let work_dir = find_or_place(localizer, &job_dir.join("work"), 0)?;
    files::make_dirs(&work_dir, layout::MODE_PUBLIC)?;
    let token_file = place(localizer, &job_dir.join(layout::TOKEN_FILE), 0)?;
    files::write_file(&token_file, &tokens.bytes, MODE_TOKEN)?;
    let log_dir = localizer.logs.create_job_dir(id)?;
    let jars_dir = fetch_jar(localizer, &mut conf, &job_dir)?;
    let cached = fetch_cache(localizer, &mut conf, user, id)?;
    set_local_keys(localizer, &mut conf, user, &work_dir, &token_file)?;
    acls::write(&conf, user, &log_dir)?;
    let job_xml = place(localizer, &job_dir.join(layout::JOB_FILE), 0)?;
    files::write_file(&job_xml, &conf.to_xml(), layout::MODE_JOB_FILE)?;
    let (child, setup_cleanup_child) = choose_child(localizer, &conf, jars_dir.as_deref(), &cached);
    Ok(LocalizedJob {
        id: id.clone(),
        user: user.clone(),
        conf,
        job_xml,
        token_file,
        credentials: tokens.credentials,
        jars_dir,
        work_dir,
        resources: cached.resources,
        cache_class_path: cached.class_path,
        child,
        setup_cleanup_child,
    })
}

fn check_name(what: &'static str, name: &str) -> Result<()> {
    if layout::is_plain_name(name) { Ok(()) } else { Err(LocalizeError::Name { what, name: name.to_owned() }) }
}

fn place(localizer: &Localizer, relative: &Path, size: u64) -> Result<PathBuf> {
    let place = localizer.dirs.place(relative, size).map_err(LocalizeError::local("find room for", relative))?;
    if let Some(dir) = place.parent() {
        std::fs::create_dir_all(dir).map_err(LocalizeError::local("create", dir))?;
    }
    Ok(place)
}

/// Where it is already, else a place for it.
fn find_or_place(localizer: &Localizer, relative: &Path, size: u64) -> Result<PathBuf> {
    match localizer.dirs.find(relative) {
        Some(found) => Ok(found),
        None => place(localizer, relative, size),
    }
}

struct Tokens {
    bytes: Vec<u8>,
    credentials: Credentials,
}

/// The token file, from the JobTracker's system directory, with a copy that only the TaskTracker may read
/// (TaskTracker.localizeJobTokenFile).
fn fetch_tokens(localizer: &Localizer, secret_dir: &Path, system_dir: &storage::Path, id: &JobId) -> Result<Tokens> {
    let source = system_dir.child(&id.to_string()).child(layout::TOKEN_FILE);
    let bytes = files::fetch_small(&localizer.storage, &source)?;
    let credentials = wire::credentials::read_storage(&bytes)
        .map_err(|error| LocalizeError::Tokens { path: source.to_string(), source: error })?;
    if credentials.token(Credentials::JOB_TOKEN).is_none() {
        return Err(LocalizeError::NoJobToken { path: source.to_string() });
    }
    let copy = place(localizer, &secret_dir.join(layout::TOKEN_FILE), 0)?;
    files::write_file(&copy, &bytes, MODE_TOKEN)?;
    Ok(Tokens { bytes, credentials })
}

/// The job's configuration on top of the TaskTracker's: what a site file makes final stays as the site says
/// (TaskTracker.localizeJobConfFile).
fn fetch_conf(localizer: &Localizer, secret_dir: &Path, task: &Task) -> Result<Configuration> {
    let bad_name = |source| LocalizeError::Fetch { what: task.job_file.clone(), source };
    let source = storage::Path::parse(&task.job_file).map_err(bad_name)?;
    let bytes = files::fetch_small(&localizer.storage, &source)?;
    let copy = place(localizer, &secret_dir.join(layout::JOB_FILE), 0)?;
    files::write_file(&copy, &bytes, layout::MODE_JOB_FILE)?;
    let mut conf = localizer.conf.clone();
    conf.add_resource(&copy.display().to_string(), &bytes)?;
    conf.set_key(&keys::USER_NAME, &task.user);
    Ok(conf)
}

/// The folders of a user and of one job in every local directory; what a broken localization left goes first
/// (JobLocalizer.createLocalDirs, createUserDirs, createJobDirs).
fn make_user_dirs(localizer: &Localizer, user: &str, id: &JobId, torn: bool) -> Result<()> {
    let user_dir = layout::user_dir(user);
    let job_dir = layout::job_dir(user, id);
    for root in localizer.dirs.all().iter() {
        if !torn {
            localizer.deletion.delete(root, &root.join(&job_dir));
        }
        let inner = [&user_dir, &user_dir.join(layout::JOBCACHE), &user_dir.join(layout::DISTCACHE), &job_dir];
        for dir in inner {
            files::make_dirs(&root.join(dir), layout::MODE_PRIVATE)?;
        }
    }
    Ok(())
}

/// The job's jar, and beside it what it holds (JobLocalizer.localizeJobJarFile).
fn fetch_jar(localizer: &Localizer, conf: &mut Configuration, job_dir: &Path) -> Result<Option<PathBuf>> {
    let Some(name) = conf.get_optional(&keys::MAPRED_JAR)?.filter(|name| !name.is_empty()) else { return Ok(None) };
    let fail = |source| LocalizeError::Fetch { what: name.clone(), source };
    let source = storage::Path::parse(&name).map_err(fail)?;
    let size = localizer.storage.for_path(&source).and_then(|system| system.status(&source)).map_err(fail)?.length;
    let jar = find_or_place(localizer, &job_dir.join("jars/job.jar"), size.saturating_mul(JAR_ROOM))?;
    let jars = jar.parent().unwrap_or(&jar).to_owned();
    if !jar.exists() {
        files::fetch(&localizer.storage, &source, &jar, MODE_JAR)?;
        archive::unpack_jar(&jar, &jars)?;
        files::add_mode(&jars, 0o555)?;
    }
    conf.set_key(&keys::MAPRED_JAR, jar.display());
    Ok(Some(jars))
}

#[derive(Default)]
pub(super) struct Cached {
    pub(super) resources: Vec<LocalResource>,
    pub(super) class_path: Vec<PathBuf>,
}

/// The job's cache, and where its parts lie in the job's configuration (TaskDistributedCacheManager.setupCache).
fn fetch_cache(localizer: &Localizer, conf: &mut Configuration, user: &str, id: &JobId) -> Result<Cached> {
    name_cache(conf, |entry| localizer.cache.obtain(&localizer.storage, entry, user, id))
}

/// The job's cache, each entry where `place` says, and the same in the job's configuration.
pub(super) fn name_cache(
    conf: &mut Configuration,
    mut place: impl FnMut(&cache_list::CacheEntry) -> Result<PathBuf>,
) -> Result<Cached> {
    let entries = cache_list::entries(conf)?;
    let links = cache_list::wants_links(conf)?;
    let mut cached = Cached::default();
    for entry in &entries {
        let path = place(entry)?;
        if entry.on_class_path {
            cached.class_path.push(path.clone());
        }
        cached.resources.push(LocalResource {
            source: entry.uri.clone(),
            path,
            kind: entry.kind,
            visibility: entry.visibility,
            link: entry.fragment.clone().filter(|_| links),
        });
    }
    add_local_names(conf, &keys::MAPRED_CACHE_LOCAL_FILES, &cached.resources, ResourceKind::File)?;
    add_local_names(conf, &keys::MAPRED_CACHE_LOCAL_ARCHIVES, &cached.resources, ResourceKind::Archive)?;
    Ok(cached)
}

fn add_local_names(
    conf: &mut Configuration,
    key: &configuration::Key<Vec<String>>,
    resources: &[LocalResource],
    kind: ResourceKind,
) -> Result<()> {
    let names = resources.iter().filter(|resource| resource.kind == kind);
    let mut names: Vec<String> = names.map(|resource| resource.path.display().to_string()).collect();
    if !names.is_empty() {
        names.splice(0..0, conf.get_optional(key)?.unwrap_or_default());
        conf.set_key(key, names.join(","));
    }
    Ok(())
}

pub(super) fn set_local_keys(
    localizer: &Localizer,
    conf: &mut Configuration,
    user: &str,
    work_dir: &Path,
    token_file: &Path,
) -> Result<()> {
    let join = |dirs: &[PathBuf]| dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(",");
    conf.set_key(&keys::JOB_LOCAL_DIR, work_dir.display());
    conf.set_key(&keys::MAPRED_JOB_LOCAL_DIR, join(&localizer.dirs.everywhere(&layout::user_dir(user))));
    conf.set_key(&keys::MAPREDUCE_JOB_JOB_TOKEN_FILE, token_file.display());
    conf.set_key(&keys::MAPRED_LOCAL_DIR, join(&localizer.dirs.all()));
    limit_child_reuse(conf)
}

/// What is to be looked at after an attempt needs a child of its own (TaskTracker.resetNumTasksPerJvm).
fn limit_child_reuse(conf: &mut Configuration) -> Result<()> {
    let looked_at = conf.is_set(&keys::MAPRED_MAP_TASK_DEBUG_SCRIPT)
        || conf.is_set(&keys::MAPRED_REDUCE_TASK_DEBUG_SCRIPT)
        || conf.is_set(&keys::KEEP_TASK_FILES_PATTERN)
        || conf.get(&keys::MAPRED_TASK_PROFILE)?
        || conf.get(&keys::KEEP_FAILED_TASK_FILES)?;
    if looked_at && conf.get(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS)? != 1 {
        conf.set_key(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS, 1);
    }
    Ok(())
}

/// Which child runs the job: no jar of the job may bring a class that the native child stands in for, and the files of
/// its input must be such as that child reads.
pub(super) fn choose_child(
    localizer: &Localizer,
    conf: &Configuration,
    jars_dir: Option<&Path>,
    cached: &Cached,
) -> (twins::Choice, twins::Choice) {
    let mut searched: Vec<PathBuf> = jars_dir.map(|dir| dir.join("job.jar")).into_iter().collect();
    searched.extend(cached.class_path.iter().cloned());
    let classes = twins::jar_index::index(&searched);
    let lookup = |name: &str| conf.text(name).ok().flatten();
    let mut child = twins::eligibility(&lookup, &classes);
    if child.is_native()
        && let Some(reason) = inputs::needs_java(localizer, conf)
    {
        child = twins::Choice::Java(reason);
    }
    (child, twins::setup_cleanup_native(&lookup, &classes))
}
