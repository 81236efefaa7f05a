//! The folders of one attempt (Hadoop 1.2.1: DefaultTaskController.launchTask, Child.localizeTask).
//!
//! A child empties its working directory and fills it with links itself, at each of its attempts.

use std::path::{Path, PathBuf};

use configuration::{Configuration, keys};
use types::Task;

use super::error::LocalizeError;
use super::{LocalizedJob, Localizer, Result, files, layout};

/// The files of an attempt on this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalizedTask {
    /// The task as its child is to get it: `job_file` is local.
    pub task: Task,
    /// The attempt's folder that holds its working directory.
    pub attempt_dir: PathBuf,
    /// The working directory.
    pub work_dir: PathBuf,
    /// The folder of its logs, by its link.
    pub log_dir: PathBuf,
    /// Where its script goes.
    pub script: PathBuf,
}

/// Makes an attempt's folders.
pub(super) fn localize(localizer: &Localizer, job: &LocalizedJob, task: &Task) -> Result<LocalizedTask> {
    let cleanup = task.task_cleanup;
    let relative = layout::attempt_dir(&job.user, &task.attempt, cleanup);
    for root in localizer.dirs.all() {
        let dir = root.join(&relative);
        localizer.deletion.delete(root, &dir);
        files::make_dirs(&dir, layout::MODE_PRIVATE)?;
    }
    let find = |path: &Path| localizer.dirs.place(path, 0).map_err(LocalizeError::local("find room for", path));
    let attempt_dir = find(&relative)?;
    let work_dir = attempt_dir.join("work");
    files::make_dirs(&work_dir, layout::MODE_PRIVATE)?;
    let script = find(&layout::private(&relative))?.join(layout::SCRIPT);
    let log_dir = localizer.logs.create_attempt_dir(&task.attempt, cleanup)?;
    if job.choice(task).is_native() {
        // Java's child writes its own; who looks at a kept attempt finds this one in the same place.
        write_job_xml(localizer, job, task, &attempt_dir.join(layout::JOB_FILE))?;
    }
    Ok(LocalizedTask {
        task: Task { job_file: job.job_xml.display().to_string(), ..task.clone() },
        attempt_dir,
        work_dir,
        log_dir,
        script,
    })
}

/// The attempt's own job.xml (Task.localizeConfiguration, MapTask.localizeConfiguration).
fn write_job_xml(localizer: &Localizer, job: &LocalizedJob, task: &Task, path: &Path) -> Result<()> {
    let conf = attempt_conf(localizer, job, task);
    files::write_file(path, &conf.to_xml(), layout::MODE_JOB_FILE)
}

fn attempt_conf(localizer: &Localizer, job: &LocalizedJob, task: &Task) -> Configuration {
    let mut conf = job.conf.clone();
    let attempt = &task.attempt;
    conf.set_key(&keys::MAPRED_TIP_ID, &attempt.task);
    conf.set_key(&keys::MAPRED_TASK_ID, attempt);
    conf.set_key(&keys::MAPRED_TASK_IS_MAP, attempt.kind().is_map());
    conf.set_key(&keys::MAPRED_TASK_PARTITION, task.partition);
    conf.set_key(&keys::MAPRED_JOB_ID, attempt.job());
    conf.set_key(&keys::FS_FILE_IMPL_DISABLE_CACHE, false);
    let relative = layout::attempt_dir(&job.user, attempt, task.task_cleanup);
    let dirs = localizer.dirs.everywhere(&relative);
    let dirs: Vec<_> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    conf.set_key(&keys::MAPRED_LOCAL_DIR, dirs.join(","));
    conf
}
