//! LAUNCH_TASK_JVM: the attempt's folders, its logs and their link, its script, and then the script as the user.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::SystemTime;

use super::{JOBCACHE, MODE_DIR, Request, close_standard_input, copy, id};
use crate::directory::{Dir, plain_names};
use crate::exit::{Code, Context, Failure, Result};
use crate::local_dirs::{LocalDir, USERLOGS, make_for_user};
use crate::privileges;
use crate::system;

const SCRIPT: &str = "taskjvm.sh";
const MODE_SCRIPT: u32 = 0o700;
/// The shell of Hadoop's other controller; the system's own where it is not there.
const SHELLS: [&str; 2] = ["/bin/bash", "/bin/sh"];

/// Arguments: job id, attempt id, working directory, script.
pub(super) fn run(request: &Request) -> Result<()> {
    let arguments = request.at_least(4, "launch task")?;
    let job = id("the job's id", &arguments[0])?;
    let attempt = id("the attempt's id", &arguments[1])?;
    let work_path = Path::new(&arguments[2]);

    let locals = request.local_dirs()?;
    let mut user_dirs = Vec::new();
    for local in &locals {
        user_dirs.push(local.task_tracker()?.open(request.user_name()));
    }
    let links = LocalDir::open_logs(&request.conf, request.tracker)?.userlogs()?;
    let logs = any(&locals);
    let job_logs = make_for_user(&logs.userlogs()?, job, &request.user, request.tracker)?;
    let job_links = links.open(job).or_fail(Code::Failed, || "the job has no folder of logs".to_owned())?;
    let mut script = request.open_trackers(&arguments[3])?;

    privileges::drop_to(&request.user)?;
    for dir in user_dirs.iter().flatten() {
        // Where it cannot be made the attempt has no room; the others may have.
        let _ = dir.make_all([OsStr::new(JOBCACHE), job, attempt, OsStr::new("work")], MODE_DIR);
    }
    job_logs.make(attempt, MODE_DIR).or_fail(Code::Failed, || "cannot make the folder of logs".to_owned())?;
    let real = logs.path.join(USERLOGS).join(job).join(attempt);
    link(&real, &job_links, attempt).or_fail(Code::Failed, || "cannot link to the folder of logs".to_owned())?;
    let work = open_work_dir(request, &locals, &user_dirs, work_path, job)?;
    copy(&mut script, &work, SCRIPT, MODE_SCRIPT)?;
    close_standard_input()?;
    system::enter(work.fd()).or_fail(Code::Failed, || format!("cannot enter {}", work_path.display()))?;
    let shell = SHELLS.into_iter().find(|shell| Path::new(shell).exists()).unwrap_or(SHELLS[1]);
    request.exec(&[OsString::from(shell), work_path.join(SCRIPT).into()])
}

/// Logs are spread over the local directories.
fn any(locals: &[LocalDir]) -> &LocalDir {
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    &locals[nanos as usize % locals.len()]
}

/// The link in the folder of logs. An attempt of this name may have run here before, under an earlier JobTracker.
fn link(real: &Path, job_links: &Dir, attempt: &OsStr) -> io::Result<()> {
    match system::link_at(real.as_os_str(), job_links.fd(), attempt) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            system::remove_file_at(job_links.fd(), attempt)?;
            system::link_at(real.as_os_str(), job_links.fd(), attempt)
        }
        linked => linked,
    }
}

/// The working directory, which must lie in the job's folder in one of the local directories.
fn open_work_dir(
    request: &Request,
    locals: &[LocalDir],
    user_dirs: &[io::Result<Dir>],
    path: &Path,
    job: &OsStr,
) -> Result<Dir> {
    let outside = || {
        let text = format!("{} is not in the job's folder in a good local directory", path.display());
        Failure::new(Code::ErrorResolvingPath, text)
    };
    for (local, user_dir) in locals.iter().zip(user_dirs) {
        let Ok(below) = path.strip_prefix(&local.path) else { continue };
        let names = plain_names(below)?;
        let jobs = [OsStr::from_bytes(b"taskTracker"), request.user_name(), OsStr::new(JOBCACHE), job];
        let Some(below) = names.strip_prefix(jobs.as_slice()) else { continue };
        let failed = |error: &io::Error| Failure::new(Code::ErrorResolvingPath, format!("{}: {error}", path.display()));
        let mut at = user_dir.as_ref().map_err(&failed)?.again().map_err(|error| failed(&error))?;
        for name in jobs[2..].iter().chain(below) {
            at = at.open(name).map_err(|error| failed(&error))?;
        }
        return Ok(at);
    }
    Err(outside())
}
