//! `job -submit FILE`: submits the job that a file describes, and does not wait for it.

use std::path::Path;

use configuration::{Configuration, keys};

use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::LOGGER;
use crate::session::Session;
use crate::submission;

/// Submits the job of a file. Quirk: as in 1.2.1, generic options do not reach the job, and a file that is not there
/// counts as empty.
pub(super) fn run(session: &Session, file: &str, console: &mut Console<'_>) -> Result<Exit, CliError> {
    let mut conf = session.conf.clone();
    if Path::new(file).exists() {
        conf.add_file(Path::new(file))?;
    }
    conf.unset(keys::MAPRED_USED_GENERICOPTIONSPARSER.name());
    let session = Session::of_configuration(conf)?;
    let tracker = JobTracker::connect(&session)?;
    let mut conf = session.conf.clone();
    warn(&conf, console)?;
    let profile = submission::submit(&session, &tracker, &mut conf, console)?;
    console.out(format_args!("Created job {}", profile.job));
    Ok(0)
}

/// What Java's client has to say of every job of this kind.
fn warn(conf: &Configuration, console: &mut Console<'_>) -> Result<(), CliError> {
    if !conf.get(&keys::MAPRED_USED_GENERICOPTIONSPARSER)? {
        console.warn(
            LOGGER,
            "Use GenericOptionsParser for parsing the arguments. Applications should implement Tool for the same.",
        );
    }
    if conf.get_optional(&keys::MAPRED_JAR)?.is_none_or(|jar| jar.is_empty()) {
        console.warn(
            LOGGER,
            "No job jar file set.  User classes may not be found. See JobConf(Class) or JobConf#setJar(String).",
        );
    }
    Ok(())
}
