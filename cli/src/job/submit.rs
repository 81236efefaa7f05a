//! `job -submit FILE`: submits the job that a file describes, and does not wait for it.

use std::path::Path;

use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::submission;

/// Submits the job of a file. Quirk: as in 1.2.1, generic options do not reach the job, and a file that is not there
/// counts as empty.
pub(super) fn run(session: &Session, file: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let mut conf = session.conf.clone();
    if Path::new(file).exists() {
        conf.add_file(Path::new(file))?;
    }
    conf.unset(configuration::keys::MAPRED_USED_GENERICOPTIONSPARSER.name());
    let session = Session::of_configuration(conf)?;
    let tracker = JobTracker::connect(&session)?;
    let mut conf = session.conf.clone();
    let profile = submission::submit(&session, &tracker, &mut conf, console)?;
    console.out(format_args!("Created job {}", profile.job));
    Ok(0)
}
