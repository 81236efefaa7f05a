//! What a job brings along: files, libjars and archives for the distributed cache, and its jar (Hadoop 1.2.1:
//! JobClient.copyAndConfigureFiles, filecache.TrackerDistributedCacheManager.determineTimestampsAndCacheVisibilities).

use configuration::{Configuration, Key, keys};
use storage::{FileStatus, FileSystem, Path};

use super::{JOB_DIR_MODE, JOB_FILE_MODE, Submission};
use crate::error::CliError;
use crate::session::split_link;

const READ_BY_OTHERS: u32 = 0o4;
const ENTER_BY_OTHERS: u32 = 0o1;

/// Makes the job's directory and fills it; tells the configuration what is where.
pub(super) fn prepare(submission: &Submission<'_>, conf: &mut Configuration) -> Result<(), CliError> {
    let (dir, file_system) = (&submission.dir, &submission.file_system);
    if file_system.exists(dir)? {
        return Err(CliError::io(format!(
            "Not submitting job. Job directory {dir} already exists!! This is unexpected.Please check what's there in \
             that directory"
        )));
    }
    file_system.mkdirs(dir, Some(JOB_DIR_MODE))?;
    take_files(submission, conf, &keys::TMPFILES, "files", &keys::MAPRED_CACHE_FILES)?;
    take_libjars(submission, conf)?;
    take_files(submission, conf, &keys::TMPARCHIVES, "archives", &keys::MAPRED_CACHE_ARCHIVES)?;
    describe(submission, conf, &FILES)?;
    describe(submission, conf, &ARCHIVES)?;
    take_jar(submission, conf)
}

/// Hands files or archives to the cache, each with the name of its link.
fn take_files(
    submission: &Submission<'_>,
    conf: &mut Configuration,
    list: &Key<Vec<String>>,
    subdir: &str,
    cache: &Key<Vec<String>>,
) -> Result<(), CliError> {
    let Some(files) = conf.get_optional(list)? else { return Ok(()) };
    let dir = submission.dir.child(subdir);
    submission.file_system.mkdirs(&dir, Some(JOB_DIR_MODE))?;
    for file in files {
        let (name, link) = split_link(&file);
        let path = bring(submission, &Path::parse(name)?, &dir)?;
        append(conf, cache, ',', &format!("{}#{}", path.to_uri(), link.unwrap_or(path.name())))?;
        conf.set_key(&keys::MAPRED_CREATE_SYMLINK, "yes");
    }
    Ok(())
}

/// Hands libjars to the cache and to the class path.
fn take_libjars(submission: &Submission<'_>, conf: &mut Configuration) -> Result<(), CliError> {
    let Some(jars) = conf.get_optional(&keys::TMPJARS)? else { return Ok(()) };
    let dir = submission.dir.child("libjars");
    submission.file_system.mkdirs(&dir, Some(JOB_DIR_MODE))?;
    for jar in jars {
        let path = bring(submission, &Path::parse(&jar)?, &dir)?;
        append(conf, &keys::MAPRED_JOB_CLASSPATH_ARCHIVES, ':', path.path())?;
        let whole = submission.file_system.qualify(&path.without_scheme());
        append(conf, &keys::MAPRED_CACHE_ARCHIVES, ',', &whole.to_uri())?;
    }
    Ok(())
}

/// A file as the JobTracker's file system has it: itself if it is there already, else a copy.
fn bring(submission: &Submission<'_>, path: &Path, dir: &Path) -> Result<Path, CliError> {
    let source = submission.session.storage.for_path(path)?;
    if source.root() == submission.file_system.root() {
        return Ok(path.clone());
    }
    let target = dir.child(path.name());
    copy(source.as_ref(), path, submission, &target)?;
    Ok(target)
}

fn copy(from: &dyn FileSystem, path: &Path, submission: &Submission<'_>, target: &Path) -> Result<(), CliError> {
    let to = submission.file_system.as_ref();
    storage::copy(from, path, to, target, false)?;
    let replication = submission.session.conf.get(&keys::MAPRED_SUBMIT_REPLICATION)?;
    to.set_replication(target, u16::try_from(replication).unwrap_or(1))?;
    Ok(())
}

fn append(conf: &mut Configuration, key: &Key<Vec<String>>, separator: char, item: &str) -> Result<(), CliError> {
    let list = match conf.text(key.name())?.filter(|list| !list.is_empty()) {
        Some(list) => format!("{list}{separator}{item}"),
        None => item.to_owned(),
    };
    conf.set_key(key, list);
    Ok(())
}

/// The keys that describe what is in the cache.
struct CacheKeys {
    uris: &'static Key<Vec<String>>,
    sizes: &'static Key<Vec<String>>,
    timestamps: &'static Key<Vec<String>>,
    visibilities: &'static Key<Vec<String>>,
}

static FILES: CacheKeys = CacheKeys {
    uris: &keys::MAPRED_CACHE_FILES,
    sizes: &keys::MAPRED_CACHE_FILES_FILESIZES,
    timestamps: &keys::MAPRED_CACHE_FILES_TIMESTAMPS,
    visibilities: &keys::MAPREDUCE_JOB_CACHE_FILES_VISIBILITIES,
};

static ARCHIVES: CacheKeys = CacheKeys {
    uris: &keys::MAPRED_CACHE_ARCHIVES,
    sizes: &keys::MAPRED_CACHE_ARCHIVES_FILESIZES,
    timestamps: &keys::MAPRED_CACHE_ARCHIVES_TIMESTAMPS,
    visibilities: &keys::MAPREDUCE_JOB_CACHE_ARCHIVES_VISIBILITIES,
};

/// Notes size and time of what is in the cache, and whether everybody may read it.
fn describe(submission: &Submission<'_>, conf: &mut Configuration, about: &CacheKeys) -> Result<(), CliError> {
    let Some(uris) = conf.get_optional(about.uris)?.filter(|uris| !uris.is_empty()) else { return Ok(()) };
    let (mut sizes, mut times, mut visibilities) = (Vec::new(), Vec::new(), Vec::new());
    for uri in uris {
        let path = Path::parse(&unescape(split_link(&uri).0))?;
        let file_system = submission.session.storage.for_path(&path)?;
        let status = file_system.status(&path)?;
        sizes.push(status.length.to_string());
        times.push(status.modified_ms.to_string());
        visibilities.push(is_public(file_system.as_ref(), &status)?.to_string());
    }
    conf.set_key(about.sizes, sizes.join(","));
    conf.set_key(about.timestamps, times.join(","));
    conf.set_key(about.visibilities, visibilities.join(","));
    Ok(())
}

/// A URI's path without its escapes.
fn unescape(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| uri.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether others may read the file and enter every directory above it.
fn is_public(file_system: &dyn FileSystem, status: &FileStatus) -> Result<bool, CliError> {
    if status.mode & READ_BY_OTHERS == 0 {
        return Ok(false);
    }
    let mut above = status.path.parent();
    while let Some(dir) = above {
        if file_system.status(&dir)?.mode & ENTER_BY_OTHERS == 0 {
            return Ok(false);
        }
        above = dir.parent();
    }
    Ok(true)
}

/// Copies the job's jar, if it has one; a job without a name is called after it.
fn take_jar(submission: &Submission<'_>, conf: &mut Configuration) -> Result<(), CliError> {
    let Some(jar) = conf.get_optional(&keys::MAPRED_JAR)?.filter(|jar| !jar.is_empty()) else { return Ok(()) };
    let jar = Path::parse(&jar)?;
    if conf.get(&keys::MAPRED_JOB_NAME)?.is_empty() {
        conf.set_key(&keys::MAPRED_JOB_NAME, jar.name());
    }
    let target = submission.dir.child("job.jar");
    let local = Path::local(jar.path());
    let source = if jar.scheme().is_some() { &jar } else { &local };
    copy(submission.session.storage.for_path(source)?.as_ref(), source, submission, &target)?;
    submission.file_system.set_permission(&target, JOB_FILE_MODE)?;
    conf.set_key(&keys::MAPRED_JAR, target);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_uris_are_undone() {
        assert_eq!(unescape("file:/a%20b/%C3%A9%zz%"), "file:/a b/é%zz%");
    }
}
