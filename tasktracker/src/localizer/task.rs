//! The folders of one attempt (Hadoop 1.2.1: DefaultTaskController.launchTask, Child.localizeTask).
//!
//! A child fills its working directory with links and writes the attempt's own job.xml itself, at each of its attempts.

use std::path::{Path, PathBuf};

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
    if localizer.users.is_some() {
        return places(localizer, job, task, &relative);
    }
    for root in localizer.dirs.all().iter() {
        let dir = root.join(&relative);
        localizer.deletion.delete(root, &dir);
        if let Err(error) = files::make_dirs(&dir, layout::MODE_PRIVATE) {
            if localizer.dirs.all().len() == 1 {
                return Err(error);
            }
            tracing::warn!(dir = %root.display(), %error, "no new files go to this local directory until it is checked");
            localizer.dirs.set_aside(root);
        }
    }
    let find = |path: &Path| localizer.dirs.place(path, 0).map_err(LocalizeError::local("find room for", path));
    let attempt_dir = find(&relative)?;
    let work_dir = attempt_dir.join("work");
    files::make_dirs(&work_dir, layout::MODE_PRIVATE)?;
    let script = find(&layout::private(&relative))?.join(layout::SCRIPT);
    let log_dir = localizer.logs.create_attempt_dir(&task.attempt, cleanup)?;
    Ok(LocalizedTask {
        task: Task { job_file: job.job_xml.display().to_string(), ..task.clone() },
        attempt_dir,
        work_dir,
        log_dir,
        script,
    })
}

/// Where the folders will be: the program that starts the child makes them as the job's user.
fn places(localizer: &Localizer, job: &LocalizedJob, task: &Task, relative: &Path) -> Result<LocalizedTask> {
    let find = |path: &Path| localizer.dirs.place(path, 0).map_err(LocalizeError::local("find room for", path));
    let attempt_dir = find(relative)?;
    Ok(LocalizedTask {
        task: Task { job_file: job.job_xml.display().to_string(), ..task.clone() },
        work_dir: attempt_dir.join("work"),
        attempt_dir,
        log_dir: localizer.logs.attempt_dir(&task.attempt, task.task_cleanup),
        script: find(&layout::private(relative))?.join(layout::SCRIPT),
    })
}
