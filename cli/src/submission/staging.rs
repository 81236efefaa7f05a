//! The user's staging area, which must be his alone (Hadoop 1.2.1: mapreduce.JobSubmissionFiles.getStagingDir).

use storage::Path;
use wire::mapred::job_submission::GetStagingAreaDir;

use super::JOB_DIR_MODE;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;

/// The staging area, made if it is not there.
pub(super) fn area(session: &Session, tracker: &JobTracker, console: &mut Console<'_>) -> Result<Path, CliError> {
    let area = Path::parse(&tracker.call(&GetStagingAreaDir {})?)?;
    let file_system = session.storage.for_path(&area)?;
    if !file_system.exists(&area)? {
        file_system.mkdirs(&area, Some(JOB_DIR_MODE))?;
        return Ok(area);
    }
    let status = file_system.status(&area)?;
    if status.owner != session.user {
        return Err(CliError::io(format!(
            "The ownership on the staging directory {area} is not as expected. It is owned by {}. The directory must \
             be owned by the submitter {user} or by {user}",
            status.owner,
            user = session.user
        )));
    }
    if status.mode & 0o777 != JOB_DIR_MODE {
        console.info(
            "mapreduce.JobSubmissionFiles",
            format_args!(
                "Permissions on staging directory {area} are incorrect: {:o}. Fixing permissions to correct value {:o}",
                status.mode & 0o777,
                JOB_DIR_MODE
            ),
        );
        file_system.set_permission(&area, JOB_DIR_MODE)?;
    }
    Ok(area)
}
