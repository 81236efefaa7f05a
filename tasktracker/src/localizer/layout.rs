//! Names of the TaskTracker's files under its local directories, and their modes.
//!
//! Pure path arithmetic; what makes, fills and deletes these files is beside it.

use std::path::{Path, PathBuf};

use types::{JobId, TaskAttemptId};

/// The folder of users' files and of the public cache.
pub const SUBDIR: &str = "taskTracker";
/// The folder that only the TaskTracker may read.
pub const PRIVATE_DIR: &str = "ttprivate";
/// The folder in which logs are cut.
pub const LOG_TMP_DIR: &str = "tt_log_tmp";
/// The folder of the attempts' logs.
pub const USERLOGS: &str = "userlogs";
/// The folder of what is on its way out.
pub const TO_BE_DELETED: &str = "toBeDeleted";
/// The name of a cache folder.
pub const DISTCACHE: &str = "distcache";
/// The name of a user's folder of jobs.
pub const JOBCACHE: &str = "jobcache";
/// The name of a job's configuration.
pub const JOB_FILE: &str = "job.xml";
/// The name of a job's token file.
pub const TOKEN_FILE: &str = "jobToken";
/// The name of the script that starts an attempt's child.
pub const SCRIPT: &str = "taskjvm.sh";
/// The name of a job's rights to read its logs.
pub const ACLS_FILE: &str = "job-acls.xml";
/// What an attempt's folder is called while the attempt is cleaned up.
pub const CLEANUP_SUFFIX: &str = ".cleanup";

/// Owner alone: users' folders.
pub const MODE_PRIVATE: u32 = 0o700;
/// Everybody may read: the tracker's own folders and the public cache.
pub const MODE_PUBLIC: u32 = 0o755;
/// A job's folder of logs.
pub const MODE_JOB_LOGS: u32 = 0o710;
/// Configurations.
pub const MODE_JOB_FILE: u32 = 0o640;
/// Scripts (Hadoop 1.2.1: TaskController.TASK_LAUNCH_SCRIPT_PERMISSION).
pub const MODE_SCRIPT: u32 = 0o700;

/// `taskTracker/<user>` (Hadoop 1.2.1: TaskTracker.getUserDir).
pub fn user_dir(user: &str) -> PathBuf {
    Path::new(SUBDIR).join(user)
}

/// `taskTracker/<user>/jobcache/<job>` (TaskTracker.getLocalJobDir).
pub fn job_dir(user: &str, job: &JobId) -> PathBuf {
    user_dir(user).join(JOBCACHE).join(job.to_string())
}

/// The attempt's name in paths: a clean-up has one of its own.
pub fn attempt_name(attempt: &TaskAttemptId, cleanup: bool) -> String {
    format!("{attempt}{}", if cleanup { CLEANUP_SUFFIX } else { "" })
}

/// `taskTracker/<user>/jobcache/<job>/<attempt>[.cleanup]` (TaskTracker.getLocalTaskDir).
pub fn attempt_dir(user: &str, attempt: &TaskAttemptId, cleanup: bool) -> PathBuf {
    job_dir(user, attempt.job()).join(attempt_name(attempt, cleanup))
}

/// `…/<attempt>[.cleanup]/work` (TaskTracker.getTaskWorkDir).
pub fn work_dir(user: &str, attempt: &TaskAttemptId, cleanup: bool) -> PathBuf {
    attempt_dir(user, attempt, cleanup).join("work")
}

/// `…/<attempt>/output` (TaskTracker.getIntermediateOutputDir).
pub fn output_dir(user: &str, attempt: &TaskAttemptId) -> PathBuf {
    attempt_dir(user, attempt, false).join("output")
}

/// A path that only the TaskTracker may read: the same, below `ttprivate`.
pub fn private(path: &Path) -> PathBuf {
    Path::new(PRIVATE_DIR).join(path)
}

/// Where a resource of the cache lies: the public one, or a user's.
pub fn cache_dir(user: Option<&str>) -> PathBuf {
    user.map_or_else(|| PathBuf::from(SUBDIR), user_dir).join(DISTCACHE)
}

/// Whether a name can be a part of a path of ours: user names and job ids come from other machines.
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_hadoop() {
        let attempt: TaskAttemptId = "attempt_202611302130_0001_r_000000_0".parse().unwrap();
        let root = "taskTracker/root/jobcache/job_202611302130_0001";
        assert_eq!(job_dir("root", attempt.job()), Path::new(root));
        assert_eq!(work_dir("root", &attempt, false), Path::new(&format!("{root}/{attempt}/work")));
        assert_eq!(work_dir("root", &attempt, true), Path::new(&format!("{root}/{attempt}.cleanup/work")));
        assert_eq!(output_dir("root", &attempt), Path::new(&format!("{root}/{attempt}/output")));
        assert_eq!(private(&job_dir("root", attempt.job())), Path::new("ttprivate").join(root));
        assert_eq!(cache_dir(None), Path::new("taskTracker/distcache"));
        assert_eq!(cache_dir(Some("al")), Path::new("taskTracker/al/distcache"));
    }

    #[test]
    fn names_that_leave_their_folder_are_not_plain() {
        for name in ["", ".", "..", "a/b", "../x", "a\0"] {
            assert!(!is_plain_name(name), "{name:?}");
        }
        assert!(is_plain_name("alice.b-c"));
    }
}
