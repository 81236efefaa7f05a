//! Everything of a job's as the job's user, by way of the set-user-id program `task-controller` (Hadoop 1.2.1:
//! mapred.LinuxTaskController).

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use nix::sys::signal::Signal;

use super::{Running, StartError, TaskController, exit_code, failed};
use crate::launch_spec::LaunchSpec;
use crate::localizer::{LocalDirs, layout};
use crate::script;

/// What the program answers where it is called without arguments and its installation is good.
const USAGE: i32 = 1;
/// There is no such process.
const INVALID_TASK_PID: i32 = 9;
/// How much of what the program says is told on.
const OUTPUT_BYTES_MAX: u64 = 16 << 10;

/// The program's commands (Hadoop 1.2.1: LinuxTaskController.Commands).
#[derive(Debug, Clone, Copy)]
enum Act {
    InitializeJob = 0,
    LaunchTask = 1,
    SignalTask = 2,
    DeleteAsUser = 3,
    DeleteLogAsUser = 4,
    RunCommandAsUser = 5,
}

/// Why something was not done as a user.
#[derive(Debug, thiserror::Error)]
pub enum ControllerError {
    /// The program did not start.
    #[error("cannot start {}; mapreduce.tasktracker.task-controller.exe names it", program.display())]
    Start {
        /// Its path.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It ended with a code that means no success.
    #[error("{} failed ({code}): {}", program.display(), output.trim())]
    Failed {
        /// Its path.
        program: PathBuf,
        /// The code.
        code: i32,
        /// What it said.
        output: String,
    },
}

/// A job's files that the localizer starts from.
#[derive(Debug)]
pub struct JobFiles<'a> {
    /// The job's user.
    pub user: &'a str,
    /// Its id.
    pub job: &'a str,
    /// The file of its tokens, the TaskTracker's own.
    pub tokens: &'a Path,
    /// Its configuration, the TaskTracker's own.
    pub job_xml: &'a Path,
    /// What then runs as the user in the job's folder of the first local directory.
    pub localizer: Vec<OsString>,
}

/// Runs the program.
#[derive(Debug, Clone)]
pub struct LinuxTaskController {
    program: PathBuf,
    dirs: Arc<LocalDirs>,
}

impl LinuxTaskController {
    /// A controller that starts this program.
    pub fn new(program: PathBuf, dirs: Arc<LocalDirs>) -> Self {
        LinuxTaskController { program, dirs }
    }

    /// Looks whether the program is installed well.
    ///
    /// # Errors
    /// If it is not: nothing could be run as a user.
    pub fn check(program: &Path) -> Result<(), ControllerError> {
        finish(program, Command::new(program).stdin(Stdio::null()), USAGE).map(drop)
    }

    /// Makes the user's and the job's folders, and runs the localizer.
    ///
    /// # Errors
    /// If any of it fails.
    pub fn initialize_job(&self, files: &JobFiles<'_>) -> Result<(), ControllerError> {
        let mut command = self.command(files.user, Act::InitializeJob);
        command.arg(files.job).arg(files.tokens).arg(files.job_xml).args(&files.localizer);
        self.finish(&mut command, 0).map(drop)
    }

    /// Deletes what lies at a path below the user's folder in every local directory; the empty path is all of it.
    ///
    /// # Errors
    /// If something stays.
    pub fn delete(&self, user: &str, below: &Path) -> Result<(), ControllerError> {
        self.finish(self.command(user, Act::DeleteAsUser).arg(below), 0).map(drop)
    }

    /// Deletes a job's logs, which are this user's.
    ///
    /// # Errors
    /// If something stays.
    pub fn delete_logs(&self, user: &str, job: &str) -> Result<(), ControllerError> {
        self.finish(self.command(user, Act::DeleteLogAsUser).arg(job), 0).map(drop)
    }

    /// A command line as a user, to which its words are still to be added.
    pub(crate) fn run_command(&self, user: &str) -> Command {
        self.command(user, Act::RunCommandAsUser)
    }

    fn command(&self, user: &str, act: Act) -> Command {
        let dirs: Vec<String> = self.dirs.all().iter().map(|dir| dir.display().to_string()).collect();
        let mut command = Command::new(&self.program);
        command.arg(user).arg(dirs.join(",")).arg((act as u32).to_string()).stdin(Stdio::null());
        command
    }

    fn finish(&self, command: &mut Command, wanted: i32) -> Result<Output, ControllerError> {
        finish(&self.program, command, wanted)
    }
}

/// Runs the program to its end, which must be the wanted one.
fn finish(program: &Path, command: &mut Command, wanted: i32) -> Result<Output, ControllerError> {
    let started = command.output();
    let output = started.map_err(|source| ControllerError::Start { program: program.to_owned(), source })?;
    let code = exit_code(output.status);
    if code == wanted {
        return Ok(output);
    }
    let mut said = output.stdout;
    said.extend_from_slice(&output.stderr);
    said.truncate(OUTPUT_BYTES_MAX as usize);
    let output = String::from_utf8_lossy(&said).into_owned();
    Err(ControllerError::Failed { program: program.to_owned(), code, output })
}

impl TaskController for LinuxTaskController {
    fn launch_task(&self, spec: &LaunchSpec) -> Result<Running, StartError> {
        write_script(spec)?;
        // The attempt's own files come to be only now, by the program: what it says until then is kept beside the script.
        let said = spec.script.with_extension("out");
        let out = new_file(&said, layout::MODE_SCRIPT)?;
        let again = out.try_clone().map_err(failed("open", &said))?;
        let mut command = self.command(&spec.user, Act::LaunchTask);
        command.arg(&spec.job).arg(&spec.attempt).arg(&spec.work_dir).arg(&spec.script).stdout(out).stderr(again);
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(false);
        let child = command.spawn().map_err(|source| StartError::Spawn {
            program: self.program.display().to_string(),
            hint: "; mapreduce.tasktracker.task-controller.exe names it",
            source,
        })?;
        // A process that was just started and not waited for has an id.
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        Ok(Running { pid, child, said: Some(said) })
    }

    fn signal_task(&self, user: &str, pid: i32, signal: Signal) -> io::Result<bool> {
        let mut command = self.command(user, Act::SignalTask);
        command.arg(pid.to_string()).arg((signal as i32).to_string());
        match self.finish(&mut command, 0) {
            Ok(_) => Ok(true),
            Err(ControllerError::Failed { code: INVALID_TASK_PID, .. }) => Ok(false),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

fn write_script(spec: &LaunchSpec) -> Result<(), StartError> {
    if let Some(dir) = spec.script.parent() {
        DirBuilder::new().recursive(true).mode(layout::MODE_PRIVATE).create(dir).map_err(failed("create", dir))?;
    }
    let mut file = new_file(&spec.script, layout::MODE_SCRIPT)?;
    io::Write::write_all(&mut file, script::task_script(spec).as_bytes()).map_err(failed("write", &spec.script))
}

fn new_file(path: &Path, mode: u32) -> Result<File, StartError> {
    let opened = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path);
    opened.map_err(failed("open", path))
}

/// What the program said while it started something.
pub(super) fn said(path: &Path) -> String {
    let mut bytes = Vec::new();
    // If it cannot be read, there is nothing to tell.
    let _ = File::open(path).and_then(|file| file.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).trim().to_owned()
}
