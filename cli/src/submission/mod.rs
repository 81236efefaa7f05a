//! Submits a job: staging directory, files for the cache, jar, output check, splits, `job.xml`, and the call, in the
//! order of 1.2.1's client (Hadoop 1.2.1: JobClient.submitJobInternal).

mod cache_files;
mod file_input;
mod inputs;
mod output_check;
mod secrets;
mod staging;

pub(crate) use file_input::{add_new_input, add_old_input};
pub(crate) use inputs::{PIPES_NON_JAVA, splitting_of};

use std::sync::Arc;

use configuration::{Configuration, keys};
use storage::{CreateOptions, FileSystem, Path};
use types::{JobId, JobProfile};
use wire::mapred::job_submission::{GetJobProfile, GetNewJobId, GetQueueAdmins, SubmitJob};

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::LOGGER;
use crate::session::Session;

const JOB_FILE_MODE: u32 = 0o644;
const JOB_DIR_MODE: u32 = 0o700;

/// Submits a job; what the client finds out on the way goes into its configuration. What the JobTracker says of it.
pub(crate) fn submit(
    session: &Session,
    tracker: &JobTracker,
    conf: &mut Configuration,
    console: &mut Console<'_>,
) -> Result<JobProfile, CliError> {
    set_working_directory(session, conf);
    let area = staging::area(session, tracker, console)?;
    let job = tracker.call(&GetNewJobId {})?;
    let dir = area.child(&job.to_string());
    conf.set_key(&keys::MAPREDUCE_JOB_DIR, &dir);
    let file_system = session.storage.for_path(&dir)?;
    let submission = Submission { session, tracker, job, dir, file_system };
    submission.run(conf, console).inspect_err(|error| {
        console.info(LOGGER, format_args!("Cleaning up the staging area {}", submission.dir));
        // Whether or not there was something to delete, the error that led here is what counts.
        let _ = submission.file_system.delete(&submission.dir, true);
        let cause = format_args!("PriviledgedActionException as:{} cause:{error}", session.user);
        console.error("security.UserGroupInformation", cause);
    })
}

/// Where the job's relative paths start, unless it says so itself.
pub(crate) fn set_working_directory(session: &Session, conf: &mut Configuration) {
    if !conf.is_set(&keys::MAPRED_WORKING_DIR) {
        let dir = session.storage.default_file_system().working_directory();
        conf.set_key(&keys::MAPRED_WORKING_DIR, dir);
    }
}

/// One submission under way.
struct Submission<'a> {
    session: &'a Session,
    tracker: &'a JobTracker,
    job: JobId,
    dir: Path,
    file_system: Arc<dyn FileSystem>,
}

impl Submission<'_> {
    fn run(&self, conf: &mut Configuration, console: &mut Console<'_>) -> Result<JobProfile, CliError> {
        let credentials = secrets::collect(self.session, conf, console)?;
        cache_files::prepare(self, conf)?;
        name_host(conf);
        conf.use_old_names();
        output_check::check(self.session, conf)?;
        let splits = inputs::splits(self.session, conf, console)?;
        self.write_splits(&splits)?;
        conf.set_key(&keys::MAPRED_MAP_TASKS, splits.len());
        self.name_queue_admins(conf)?;
        // Secrets are handed over with the call; a task must not look for their file.
        conf.unset(keys::MAPREDUCE_JOB_CREDENTIALS_JSON.name());
        conf.unset(keys::MAPREDUCE_JOB_CREDENTIALS_BINARY.name());
        self.write("job.xml", &conf.to_xml_with_defaults())?;
        let (job, submit_dir) = (self.job.clone(), self.dir.to_string());
        self.tracker.call(&SubmitJob { job: job.clone(), submit_dir, credentials })?;
        let profile = self.tracker.call(&GetJobProfile { job })?;
        profile.ok_or_else(|| CliError::io("Could not launch job"))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CliError> {
        let options = CreateOptions::EXCLUSIVE.with_mode(JOB_FILE_MODE);
        Ok(self.file_system.write_all(&self.dir.child(name), bytes, options)?)
    }

    fn write_splits(&self, splits: &[inputs::InputSplit]) -> Result<(), CliError> {
        let (split_file, meta_file) = inputs::split_files(splits);
        self.write("job.split", &split_file)?;
        self.write("job.splitmetainfo", &meta_file)
    }

    fn name_queue_admins(&self, conf: &mut Configuration) -> Result<(), CliError> {
        let queue = conf.get(&keys::MAPRED_JOB_QUEUE_NAME)?;
        let admins = self.tracker.call(&GetQueueAdmins { queue: queue.clone() })?;
        conf.set(keys::MAPRED_QUEUE_ACL_ADMINISTER_JOBS.name_for(&queue), admins.to_string());
        Ok(())
    }
}

/// Names the machine that submits.
fn name_host(conf: &mut Configuration) {
    use std::net::ToSocketAddrs;
    let name = nix::unistd::gethostname().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(address) = (name.as_str(), 0).to_socket_addrs().ok().and_then(|mut found| found.next()) else { return };
    conf.set_key(&keys::MAPREDUCE_JOB_SUBMITHOSTADDRESS, address.ip());
    conf.set_key(&keys::MAPREDUCE_JOB_SUBMITHOST, name);
}
