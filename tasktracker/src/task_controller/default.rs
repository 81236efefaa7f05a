//! Everything as the TaskTracker's own user (Hadoop 1.2.1: mapred.DefaultTaskController).

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::{Running, StartError, TaskController, failed};
use crate::launch_spec::{LaunchSpec, Start};
use crate::localizer::layout;
use crate::script;

/// Runs tasks as the user who runs the TaskTracker.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultTaskController;

impl TaskController for DefaultTaskController {
    fn launch_task(&self, spec: &LaunchSpec) -> Result<Running, StartError> {
        prepare(spec)?;
        let mut command = match spec.start {
            Start::Script => script_command(spec)?,
            Start::Direct => direct_command(spec)?,
        };
        command.current_dir(&spec.work_dir).stdin(Stdio::null());
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(false);
        let child = command.spawn().map_err(|source| StartError::Spawn {
            program: spec.command.first().cloned().unwrap_or_default(),
            hint: match source.kind() {
                io::ErrorKind::NotFound => "; the program or the working directory is not there",
                io::ErrorKind::PermissionDenied => "; the program may not be executed",
                _ => "",
            },
            source,
        })?;
        // A process that was just started and not waited for has an id.
        let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).unwrap_or_default();
        Ok(Running { pid, child, said: None })
    }

    fn signal_task(&self, _user: &str, pid: i32, signal: Signal) -> io::Result<bool> {
        // Groups 0 and 1, and all at once, are never an attempt's.
        if pid <= 1 {
            return Ok(false);
        }
        match killpg(Pid::from_raw(pid), signal) {
            Ok(()) => Ok(true),
            Err(Errno::ESRCH) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn prepare(spec: &LaunchSpec) -> Result<(), StartError> {
    for dir in spec.directories.iter().chain([&spec.work_dir]) {
        DirBuilder::new().recursive(true).mode(layout::MODE_PRIVATE).create(dir).map_err(failed("create", dir))?;
    }
    Ok(())
}

/// The shell becomes `setsid` and that becomes the program: all under the process id that we know.
fn script_command(spec: &LaunchSpec) -> Result<Command, StartError> {
    if let Some(dir) = spec.script.parent() {
        DirBuilder::new().recursive(true).mode(layout::MODE_PRIVATE).create(dir).map_err(failed("create", dir))?;
    }
    let text = script::task_script(spec);
    fs::write(&spec.script, text).map_err(failed("write", &spec.script))?;
    let mode = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(layout::MODE_SCRIPT);
    fs::set_permissions(&spec.script, mode).map_err(failed("set the mode of", &spec.script))?;
    let mut command = Command::new("bash");
    // The script's redirections come into force only with its last line; what the shell says before must not be lost.
    command.arg(&spec.script).stdout(append(&spec.stdout)?).stderr(append(&spec.stderr)?);
    Ok(command)
}

fn direct_command(spec: &LaunchSpec) -> Result<Command, StartError> {
    let (program, arguments) = spec.command.split_first().ok_or_else(|| StartError::Spawn {
        program: String::new(),
        hint: "; the command is empty",
        source: io::ErrorKind::InvalidInput.into(),
    })?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .envs(spec.environment.iter().map(|(name, value)| (name, value)))
        .stdout(append(&spec.stdout)?)
        .stderr(append(&spec.stderr)?)
        .process_group(0);
    Ok(command)
}

fn append(path: &Path) -> Result<File, StartError> {
    OpenOptions::new().create(true).append(true).open(path).map_err(failed("open", path))
}
