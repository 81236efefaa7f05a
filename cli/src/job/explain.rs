//! `job -explain JOB|TASK`, of our own: why it is not running now, as our JobTracker says.

use types::{JobId, TaskId};
use wire::mapred::job_submission::GetJobProfile;

use super::parse_id;
use crate::console::Console;
use crate::error::CliError;
use crate::http;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::{Exit, FAILED};

/// Asks the JobTracker's pages, whose address stands in the job's profile.
pub(super) fn run(session: &Session, id: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let job: JobId = match id.parse::<TaskId>() {
        Ok(task) => task.job,
        Err(_) => parse_id(id, "JobId")?,
    };
    let tracker = JobTracker::connect(session)?;
    let Some(profile) = tracker.call(&GetJobProfile { job: job.clone() })? else {
        console.out(format_args!("Could not find job {job}"));
        return Ok(FAILED);
    };
    let pages = profile.url.split("/jobdetails.jsp").next().unwrap_or(&profile.url);
    match http::get(&format!("{pages}/howdah/explain?id={id}")) {
        Ok(text) => {
            console.out(String::from_utf8_lossy(&text).trim_end());
            Ok(0)
        }
        Err(error) => {
            console.out(format_args!("{id} cannot be explained; Hadoop's own JobTracker does not explain: {error}"));
            Ok(FAILED)
        }
    }
}
