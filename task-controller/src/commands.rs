//! The commands, each as the steps that it takes: first what root must do, then the privileges go, then the rest as the
//! job's user (Hadoop 1.2.1: task-controller.c).

mod delete;
mod initialize_job;
mod launch_task;
mod signal_task;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::configuration::Configuration;
use crate::directory::{Dir, plain_name, walk};
use crate::environment;
use crate::exit::{Code, Context, Failure, Result};
use crate::local_dirs::LocalDir;
use crate::privileges::{self, Tracker, as_tracker};
use crate::system::{self, Account};

/// The folder of a user's jobs.
const JOBCACHE: &str = "jobcache";
/// Folders of jobs and attempts.
const MODE_DIR: u32 = 0o750;

/// Everything that a command works with.
pub(crate) struct Request {
    pub(crate) conf: Configuration,
    pub(crate) tracker: Tracker,
    pub(crate) user: Account,
    /// The names of the good local directories.
    pub(crate) roots: Vec<OsString>,
    /// What follows the command's number.
    pub(crate) arguments: Vec<OsString>,
}

impl Request {
    /// Carries a command out. One that ends in a program of the user's does not come back.
    pub(crate) fn run(&self, command: &OsStr) -> Result<()> {
        match command.to_str().and_then(|number| number.parse::<u32>().ok()) {
            Some(0) => initialize_job::run(self),
            Some(1) => launch_task::run(self),
            Some(2) => signal_task::run(self),
            Some(3) => delete::files(self),
            Some(4) => delete::logs(self),
            Some(5) => self.run_command(),
            _ => Err(Failure::new(Code::InvalidCommand, format!("{command:?} is no command; expected 0 to 5"))),
        }
    }

    /// A command line of the TaskTracker's as the user; it cuts logs that way.
    fn run_command(&self) -> Result<()> {
        privileges::drop_to(&self.user)?;
        self.exec(&self.arguments)
    }

    /// The arguments of a command, which needs at least so many.
    fn at_least(&self, count: usize, what: &str) -> Result<&[OsString]> {
        if self.arguments.len() >= count {
            return Ok(&self.arguments);
        }
        let text = format!("too few arguments ({} vs {}) for {what}", self.arguments.len() + 4, count + 4);
        Err(Failure::new(Code::InvalidArgumentNumber, text))
    }

    fn user_name(&self) -> &OsStr {
        std::os::unix::ffi::OsStrExt::from_bytes(self.user.name.to_bytes())
    }

    /// The good local directories that can be opened, at least one.
    fn local_dirs(&self) -> Result<Vec<LocalDir>> {
        let mut first = None;
        let mut dirs = Vec::new();
        for root in &self.roots {
            match LocalDir::open(root, self.tracker) {
                Ok(dir) => dirs.push(dir),
                // A disk that just went away must not end what the others can do; an attack must.
                Err(failure) if failure.code == Code::InvalidTrackerRoot => first = first.or(Some(failure)),
                Err(failure) => return Err(failure),
            }
        }
        match first {
            Some(failure) if dirs.is_empty() => Err(failure),
            _ => Ok(dirs),
        }
    }

    /// Opens one of the TaskTracker's files, with its rights.
    fn open_trackers(&self, path: &OsStr) -> Result<File> {
        let path = Path::new(path);
        as_tracker(self.tracker, || {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(Failure::new(Code::Failed, format!("{} is no file", path.display())));
            };
            let failed = || format!("cannot open {} as the TaskTracker", path.display());
            let folder = std::fs::canonicalize(folder).or_fail(Code::Failed, failed)?;
            let folder = walk(&folder, |_, _| Ok(()))?;
            folder.read_file(name).or_fail(Code::Failed, failed)
        })?
    }

    /// Becomes a program of the user's. The privileges are gone by now.
    fn exec(&self, words: &[OsString]) -> Result<()> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(Failure::new(Code::InvalidArgumentNumber, "no program is named"));
        };
        system::inherit_no_descriptors();
        let variables = environment::clean(std::env::vars_os(), &self.user);
        let error = std::process::Command::new(program).args(arguments).env_clear().envs(variables).exec();
        Err(Failure::new(Code::Failed, format!("cannot start {program:?}: {error}")))
    }
}

/// A new file in a folder, with all that another holds.
fn copy(from: &mut File, to: &Dir, name: &str, mode: u32) -> Result<()> {
    let copied = to.new_file(OsStr::new(name), mode).and_then(|mut file| io::copy(from, &mut file));
    copied.map(drop).or_fail(Code::Failed, || format!("cannot write {name}"))
}

/// Nothing of the caller's is read by the user's program.
fn close_standard_input() -> Result<()> {
    let null = File::open("/dev/null").and_then(|null| system::read_standard_input_from(&null));
    null.or_fail(Code::Failed, || "cannot read from /dev/null".to_owned())
}

/// A job's or attempt's id, which becomes a folder's name.
fn id<'a>(what: &str, name: &'a OsStr) -> Result<&'a OsStr> {
    plain_name(what, name)
}
