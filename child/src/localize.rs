//! What a child prepares for an attempt before it runs it: the attempt's own settings and its working directory.
//!
//! Hadoop 1.2.1: TaskRunner.setupChildMapredLocalDirs and setupWorkDir, Task.localizeConfiguration.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use configuration::{Configuration, keys};
use storage::{CreateOptions, FileSystem};
use types::{Task, TaskDetail, TaskKind};

use crate::api::{Result, TaskError};
use crate::disk::Disks;

/// The most that a job's configuration may take.
const JOB_FILE_LEN_MAX: u64 = 32 << 20;

/// The name and mode of an attempt's own configuration (Hadoop 1.2.1: JobLocalizer.writeLocalJobFile).
const JOB_FILE: &str = "job.xml";
const JOB_FILE_MODE: u32 = 0o640;

/// Reads the job's configuration and adds what is the attempt's.
pub(crate) fn configuration(task: &Task) -> Result<Configuration> {
    let path = storage::Path::parse(&task.job_file)?;
    let file = fs::metadata(path.as_local()).map_err(TaskError::disk(path.as_local()))?;
    if file.len() > JOB_FILE_LEN_MAX {
        return Err(TaskError::io_exception(format!("{path} has {} bytes; expected {JOB_FILE_LEN_MAX}", file.len())));
    }
    let bytes = fs::read(path.as_local()).map_err(TaskError::disk(path.as_local()))?;
    let mut conf = loaded_here(&Configuration::from_bytes(&task.job_file, &bytes)?, &task.job_file);
    let dirs: Vec<String> = attempt_dirs(&conf, task)?.iter().map(|dir| dir.display().to_string()).collect();
    conf.set_key(&keys::MAPRED_LOCAL_DIR, dirs.join(","));
    conf.set_key(&keys::MAPRED_TIP_ID, &task.attempt.task);
    conf.set_key(&keys::MAPRED_TASK_ID, &task.attempt);
    conf.set_key(&keys::MAPRED_TASK_IS_MAP, task.kind() == TaskKind::Map);
    conf.set_key(&keys::MAPRED_TASK_PARTITION, task.partition);
    conf.set_key(&keys::MAPRED_JOB_ID, task.attempt.job());
    conf.set_key(&keys::FS_FILE_IMPL_DISABLE_CACHE, false);
    if let TaskDetail::Reduce { maps } = task.detail {
        conf.set_key(&keys::MAPRED_MAP_TASKS, maps);
    }
    Ok(conf)
}

/// The same settings, all of them said to come from this file: Java forgets where they came from before.
fn loaded_here(conf: &Configuration, file: &str) -> Configuration {
    let mut here = Configuration::new();
    for entry in conf.iter() {
        here.set_from(entry.name.as_str(), entry.value.as_str(), file);
    }
    here
}

/// The attempt's directory on each disk (Hadoop 1.2.1: TaskTracker.getLocalTaskDir).
fn attempt_dirs(conf: &Configuration, task: &Task) -> Result<Vec<PathBuf>> {
    let suffix = if task.task_cleanup { ".cleanup" } else { "" };
    let below = format!("taskTracker/{}/jobcache/{}/{}{suffix}", task.user, task.attempt.job(), task.attempt);
    let dirs = conf.get(&keys::MAPRED_LOCAL_DIR)?;
    let dirs: Vec<PathBuf> = dirs.iter().filter(|dir| !dir.is_empty()).map(|dir| Path::new(dir).join(&below)).collect();
    if dirs.is_empty() {
        return Err(TaskError::io_exception(format!("{} names no directory", keys::MAPRED_LOCAL_DIR.name())));
    }
    Ok(dirs)
}

/// The directories in which an attempt's configuration lets it write.
pub(crate) fn local_dirs(conf: &Configuration) -> Result<Vec<PathBuf>> {
    Ok(conf.get(&keys::MAPRED_LOCAL_DIR)?.into_iter().map(PathBuf::from).collect())
}

/// Leaves the attempt's configuration in its directory, for whoever looks into a failure later.
pub(crate) fn write_configuration(conf: &Configuration, disks: &Disks, local: &dyn FileSystem) -> Result<()> {
    let bytes = conf.to_xml_with_defaults();
    let path = disks.for_write(JOB_FILE, bytes.len() as u64)?;
    let options = CreateOptions::OVERWRITE.with_mode(JOB_FILE_MODE);
    Ok(local.write_all(&storage::Path::local(&path), &bytes, options)?)
}

/// Empties the working directory and links into it what the job brought. A link that cannot be made is logged; whoever
/// misses it will say so.
pub(crate) fn work_dir(conf: &Configuration, dir: &Path) -> Result<()> {
    empty(dir).map_err(TaskError::disk(dir))?;
    if conf.get_or(&keys::MAPRED_CREATE_SYMLINK, String::new()) == "yes" {
        let list = |key| conf.get_optional(key).map(Option::unwrap_or_default);
        let archives = list(&keys::MAPRED_CACHE_ARCHIVES)?;
        link_cache(dir, &archives, &list(&keys::MAPRED_CACHE_LOCAL_ARCHIVES)?);
        link_cache(dir, &list(&keys::MAPRED_CACHE_FILES)?, &list(&keys::MAPRED_CACHE_LOCAL_FILES)?);
        link_jar_dir(conf, dir);
    }
    make_temporary(conf, dir)
}

fn empty(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path())? } else { fs::remove_file(entry.path())? }
    }
    Ok(())
}

/// A cache entry's name in the working directory is the fragment of its URI.
fn link_cache(dir: &Path, uris: &[String], targets: &[String]) {
    for (uri, target) in uris.iter().zip(targets) {
        if let Some((_, name)) = uri.rsplit_once('#') {
            link(Path::new(target), &dir.join(name));
        }
    }
}

/// Everything beside the job's jar, as streaming expects it.
fn link_jar_dir(conf: &Configuration, dir: &Path) {
    let Ok(Some(jar)) = conf.get_optional(&keys::MAPRED_JAR) else { return };
    let Ok(jar) = storage::Path::parse(&jar) else { return };
    let Some(jar_dir) = jar.as_local().parent() else { return };
    for entry in fs::read_dir(jar_dir).into_iter().flatten().flatten() {
        link(&entry.path(), &dir.join(entry.file_name()));
    }
}

fn link(target: &Path, name: &Path) {
    if name.exists() {
        return;
    }
    let (target, name) = (target.display(), name.display());
    crate::log::info("mapred.TaskRunner", format_args!("Creating symlink: {target} <- {name}"));
    if let Err(error) = symlink(target.to_string(), name.to_string()) {
        crate::log::warn("mapred.TaskRunner", format_args!("Failed to create symlink: {target} <- {name}: {error}"));
    }
}

fn make_temporary(conf: &Configuration, dir: &Path) -> Result<()> {
    let temporary = dir.join(conf.get_or(&keys::MAPRED_CHILD_TMP, "./tmp".to_owned()));
    fs::create_dir_all(&temporary).map_err(TaskError::disk(&temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_working_directory_holds_links_and_nothing_old() {
        let root = tempfile::tempdir().unwrap();
        let (work, jars) = (root.path().join("work"), root.path().join("jars"));
        fs::create_dir_all(work.join("old/dir")).unwrap();
        fs::create_dir(&jars).unwrap();
        fs::write(jars.join("job.jar"), "").unwrap();
        fs::write(root.path().join("words"), "a b").unwrap();
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_CREATE_SYMLINK, "yes");
        conf.set_key(&keys::MAPRED_CACHE_FILES, "file:/far/away/words#list,file:/far/away/other");
        conf.set_key(&keys::MAPRED_CACHE_LOCAL_FILES, format!("{0}/words,{0}/other", root.path().display()));
        conf.set_key(&keys::MAPRED_JAR, jars.join("job.jar").display());
        work_dir(&conf, &work).unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&work).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, ["job.jar", "list", "tmp"]);
        assert_eq!(fs::read_to_string(work.join("list")).unwrap(), "a b");
    }
}
