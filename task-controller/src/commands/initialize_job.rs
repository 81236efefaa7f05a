//! INITIALIZE_JOB: the user's and the job's folders, its token and configuration, and then the localizer as the user.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::{JOBCACHE, MODE_DIR, Request, close_standard_input, copy, id};
use crate::directory::Dir;
use crate::exit::{Code, Context, Failure, Result};
use crate::local_dirs::{LocalDir, make_for_user};
use crate::privileges;
use crate::system;

const TOKEN_FILE: &str = "jobToken";
const MODE_TOKEN: u32 = 0o600;
const JOB_FILE: &str = "job.xml";
const MODE_JOB_FILE: u32 = 0o640;

/// Arguments: job id, file of tokens, job.xml, the localizer's command line.
pub(super) fn run(request: &Request) -> Result<()> {
    let arguments = request.at_least(4, "initialize job")?;
    let job = id("the job's id", &arguments[0])?;
    let user_dirs = make_user_dirs(request)?;
    let logs = LocalDir::open_logs(&request.conf, request.tracker)?.userlogs()?;
    make_for_user(&logs, job, &request.user, request.tracker)?;
    let mut tokens = request.open_trackers(&arguments[1])?;
    let mut job_file = request.open_trackers(&arguments[2])?;

    privileges::drop_to(&request.user)?;
    let (first, path) = make_job_dirs(&user_dirs, job)?;
    copy(&mut tokens, &first, TOKEN_FILE, MODE_TOKEN)?;
    copy(&mut job_file, &first, JOB_FILE, MODE_JOB_FILE)?;
    close_standard_input()?;
    system::enter(first.fd()).or_fail(Code::Failed, || format!("cannot enter {}", path.display()))?;
    request.exec(&arguments[3..])
}

/// The user's folder in every good local directory; one that fails is one too many, as in 1.2.1.
fn make_user_dirs(request: &Request) -> Result<Vec<(PathBuf, Dir)>> {
    let mut dirs = Vec::new();
    for root in &request.roots {
        let local = LocalDir::open(root, request.tracker)?;
        let made = make_for_user(&local.task_tracker()?, request.user_name(), &request.user, request.tracker);
        let dir = made.map_err(|failure| match failure.code {
            Code::Failed => Failure::new(Code::InitializeUserFailed, failure.to_string()),
            _ => failure,
        })?;
        dirs.push((local.path, dir));
    }
    Ok(dirs)
}

/// The job's folder in every local directory that can have one; answers the first.
fn make_job_dirs(user_dirs: &[(PathBuf, Dir)], job: &OsStr) -> Result<(Dir, PathBuf)> {
    let mut first = None;
    for (path, user_dir) in user_dirs {
        match user_dir.make_all([OsStr::new(JOBCACHE), job], MODE_DIR) {
            Ok(dir) => first = first.or_else(|| Some((dir, path.clone()))),
            Err(error) => crate::say(&format!("cannot make the job's folder in {}: {error}", path.display())),
        }
    }
    first.ok_or_else(|| Failure::new(Code::Failed, "the job has a folder in none of the local directories"))
}
