//! Jobs whose files are their user's own (Hadoop 1.2.1: TaskTracker.initializeJob with LinuxTaskController,
//! JobLocalizer).
//!
//! The tracker says where everything goes, and writes that into the job's configuration; this program, started once
//! more as the user by the set-user-id one, brings it there. What the user's process says or leaves is not believed.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use configuration::{Configuration, keys};
use storage::Storage;
use types::{Credentials, JobId};

use super::error::LocalizeError;
use super::job::{self, JAR_ROOM, MODE_JAR};
use super::{LocalDirs, LocalizedJob, Localizer, Result, acls, archive, cache, cache_list, files, layout};
use crate::launch_spec::{ResourceKind, Visibility};
use crate::task_controller::{JobFiles, LinuxTaskController};

/// The word by which this program becomes the localizer.
pub const LOCALIZE_JOB: &str = "--localize-job";
/// The most that a job's configuration may take.
const JOB_FILE_BYTES_MAX: u64 = 32 << 20;
/// Folders that the user's process makes: others have no business there.
const MODE_DIR: u32 = 0o750;

/// What the tracker has of a job before its user comes in.
pub(super) struct Brought<'a> {
    pub(super) id: &'a JobId,
    pub(super) user: &'a str,
    pub(super) conf: Configuration,
    pub(super) tokens: Credentials,
    pub(super) torn: bool,
}

/// Has everything of a job brought here as its user.
pub(super) fn localize(localizer: &Localizer, users: &LinuxTaskController, job: Brought<'_>) -> Result<LocalizedJob> {
    let Brought { id, user, mut conf, tokens, torn } = job;
    let relative = layout::job_dir(user, id);
    let place =
        |below: &Path, size| localizer.dirs.place(below, size).map_err(LocalizeError::local("find room for", below));
    // The set-user-id program puts both there: in the first of the directories that it is told.
    let dirs = localizer.dirs.all();
    let first = dirs.first().ok_or_else(|| nothing("find a local directory for", &relative))?.join(&relative);
    let (job_xml, token_file) = (first.join(layout::JOB_FILE), first.join(layout::TOKEN_FILE));
    let work_dir = place(&relative.join("work"), 0)?;
    let jar_source = conf.get_optional(&keys::MAPRED_JAR)?.filter(|name| !name.is_empty());
    let mut jars_dir = None;
    if let Some(source) = &jar_source {
        let jar = place(&relative.join("jars/job.jar"), size_of(&localizer.storage, source)?.saturating_mul(JAR_ROOM))?;
        conf.set_key(&keys::MAPRED_JAR, jar.display());
        jars_dir = jar.parent().map(Path::to_owned);
    }
    let cached = job::name_cache(&mut conf, |entry| match entry.visibility {
        Visibility::Public => localizer.cache.obtain(&localizer.storage, entry, user, id),
        Visibility::Private | Visibility::Application => {
            let below = relative.join(layout::DISTCACHE).join(cache::folder_for(&localizer.storage, entry));
            place(&below, cache::size_of_entry(&localizer.storage, entry)?)
        }
    })?;
    job::set_local_keys(localizer, &mut conf, user, &work_dir, &token_file)?;
    // A second attempt's folders and logs would have to be made as the user in between.
    conf.set_key(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS, 1);
    let secret = |name: &str| {
        let below = layout::private(&relative).join(name);
        localizer.dirs.find(&below).ok_or_else(|| nothing("find", &below))
    };
    let (own_xml, own_tokens) = (secret(layout::JOB_FILE)?, secret(layout::TOKEN_FILE)?);
    files::write_file(&own_xml, &conf.to_xml(), layout::MODE_JOB_FILE)?;

    // What an earlier try left must not be in the way.
    if torn {
        [layout::JOB_FILE, layout::TOKEN_FILE].iter().for_each(|name| delete(users, user, &relative.join(name)));
    } else {
        delete(users, user, &relative);
    }
    localizer.logs.keep(id);
    let program = std::env::current_exe().map_err(LocalizeError::local("find", Path::new("this program")))?;
    let words = [program.into(), LOCALIZE_JOB.into(), user.into(), localizer.logs.job_dir(id).into()];
    let mut words: Vec<OsString> = words.into();
    words.extend(jar_source.map(OsString::from));
    let id_text = id.to_string();
    let files = JobFiles { user, job: &id_text, tokens: &own_tokens, job_xml: &own_xml, localizer: words };
    users.initialize_job(&files).map_err(|source| LocalizeError::AsUser { user: user.to_owned(), source })?;
    let (child, setup_cleanup_child) = job::choose_child(localizer, &conf, jars_dir.as_deref(), &cached);
    Ok(LocalizedJob {
        id: id.clone(),
        user: user.to_owned(),
        conf,
        job_xml,
        token_file,
        credentials: tokens,
        jars_dir,
        work_dir,
        resources: cached.resources,
        cache_class_path: cached.class_path,
        child,
        setup_cleanup_child,
    })
}

/// The localizer itself, as the job's user in the job's first folder: arguments are the user, the job's folder of logs,
/// and where the job's jar comes from.
///
/// # Errors
/// If anything of the job cannot be had.
pub fn run(arguments: &[String]) -> Result<()> {
    let [user, log_dir, jar @ ..] = arguments else {
        return Err(nothing("understand", Path::new(LOCALIZE_JOB)));
    };
    let conf = read_conf(Path::new(layout::JOB_FILE))?;
    let storage = Storage::from_configuration(&conf).map_err(|error| {
        LocalizeError::local("use the file systems of", Path::new(layout::JOB_FILE))(std::io::Error::other(error))
    })?;
    make(&PathBuf::from(conf.get(&keys::JOB_LOCAL_DIR)?))?;
    if let (Some(source), Some(to)) = (jar.first(), conf.get_optional(&keys::MAPRED_JAR)?) {
        fetch_jar(&storage, source, Path::new(&to))?;
    }
    let entries = cache_list::entries(&conf)?;
    for (kind, key) in [
        (ResourceKind::File, &keys::MAPRED_CACHE_LOCAL_FILES),
        (ResourceKind::Archive, &keys::MAPRED_CACHE_LOCAL_ARCHIVES),
    ] {
        let of_kind: Vec<_> = entries.iter().filter(|entry| entry.kind == kind).collect();
        let places = conf.get_optional(key)?.unwrap_or_default();
        // A job may have names of its own before those that the tracker added.
        let own = places.len().saturating_sub(of_kind.len());
        for (entry, place) in of_kind.iter().zip(&places[own..]) {
            if entry.visibility != Visibility::Public {
                cache::fetch_entry(&storage, entry, Path::new(place))?;
            }
        }
    }
    acls::write(&conf, user, Path::new(log_dir))
}

fn read_conf(path: &Path) -> Result<Configuration> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(LocalizeError::local("open", path))?;
    file.take(JOB_FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(LocalizeError::local("read", path))?;
    Ok(Configuration::from_bytes(layout::JOB_FILE, &bytes)?)
}

fn fetch_jar(storage: &Storage, source: &str, to: &Path) -> Result<()> {
    let fail = |error| LocalizeError::Fetch { what: source.to_owned(), source: error };
    let from = storage::Path::parse(source).map_err(fail)?;
    let jars = to.parent().unwrap_or(to);
    make(jars)?;
    files::fetch(storage, &from, to, MODE_JAR)?;
    archive::unpack_jar(to, jars)?;
    files::add_mode(jars, 0o550)
}

/// Makes a folder and those above it. The group is the tracker's, as the user's folder has it.
fn make(dir: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(MODE_DIR).create(dir).map_err(LocalizeError::local("create", dir))
}

fn size_of(storage: &Storage, name: &str) -> Result<u64> {
    let fail = |source| LocalizeError::Fetch { what: name.to_owned(), source };
    let path = storage::Path::parse(name).map_err(fail)?;
    Ok(storage.for_path(&path).and_then(|system| system.status(&path)).map_err(fail)?.length)
}

/// Deletes something of a user's in every local directory.
pub(super) fn delete(users: &LinuxTaskController, user: &str, relative: &Path) {
    let Ok(below) = relative.strip_prefix(layout::user_dir(user)) else { return };
    if let Err(error) = users.delete(user, below) {
        tracing::warn!(user, path = %below.display(), %error, "cannot delete as the user; it stays on the disk");
    }
}

/// Deletes the folders of all users whose names are their owners' (Hadoop 1.2.1: TaskTracker.deleteUserDirectories).
pub(super) fn delete_users(users: &LinuxTaskController, dirs: &LocalDirs) {
    let mut names = std::collections::BTreeSet::new();
    for root in dirs.all().iter() {
        let Ok(entries) = fs::read_dir(root.join(layout::SUBDIR)) else { continue };
        for entry in entries.flatten() {
            let owner = entry.metadata().map(|found| std::os::unix::fs::MetadataExt::uid(&found));
            let account = owner.ok().and_then(|uid| nix::unistd::User::from_uid(uid.into()).ok().flatten());
            let name = entry.file_name();
            names.extend(account.map(|account| account.name).filter(|account| name == account.as_str()));
        }
    }
    for name in names {
        if let Err(error) = users.delete(&name, Path::new("")) {
            tracing::warn!(user = name, %error, "cannot delete a user's folder");
        }
    }
}

fn nothing(operation: &'static str, path: &Path) -> LocalizeError {
    LocalizeError::local(operation, path)(std::io::ErrorKind::NotFound.into())
}
