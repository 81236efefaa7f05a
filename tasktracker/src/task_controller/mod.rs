//! Who starts and signals users' processes (Hadoop 1.2.1: mapred.TaskController).

mod default;
mod linux;

use std::io;
use std::path::{Path, PathBuf};

use nix::sys::signal::Signal;

pub use default::DefaultTaskController;
pub use linux::{ControllerError, JobFiles, LinuxTaskController};

use crate::launch_spec::LaunchSpec;

/// Why a process did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A file or folder that it needs.
    #[error("cannot {operation} {path}")]
    Prepare {
        /// What was tried.
        operation: &'static str,
        /// On what.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// The program.
    #[error("cannot start {program}{hint}")]
    Spawn {
        /// Its path.
        program: String,
        /// The way out.
        hint: &'static str,
        /// Why not.
        source: io::Error,
    },
}

/// A process that was started.
#[derive(Debug)]
pub struct Running {
    pid: i32,
    child: tokio::process::Child,
    /// What came before its own logs, if somebody else opens these.
    said: Option<PathBuf>,
}

impl Running {
    /// Its process id; also the id of its process group.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Waits for its end; the code is as a shell tells it: 128 and the number of the signal that ended it.
    pub async fn wait(&mut self) -> i32 {
        match self.child.wait().await {
            Ok(status) => {
                let code = exit_code(status);
                let said = self.said.as_deref().filter(|_| code != 0).map(linux::said).unwrap_or_default();
                if !said.is_empty() {
                    tracing::warn!(pid = self.pid, code, said, "a child was not started, or said this before its logs");
                }
                code
            }
            Err(error) => {
                tracing::warn!(pid = self.pid, %error, "cannot wait for a child; it counts as failed");
                -1
            }
        }
    }
}

fn failed(operation: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StartError {
    let path = path.display().to_string();
    move |source| StartError::Prepare { operation, path, source }
}

fn exit_code(status: std::process::ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Starts and signals processes as their users.
pub trait TaskController: Send + Sync {
    /// Makes what the process needs and starts it; call it within a tokio runtime.
    ///
    /// # Errors
    /// If it cannot be started; then it does not run.
    fn launch_task(&self, spec: &LaunchSpec) -> Result<Running, StartError>;

    /// Signals the process group of a child; false if it is gone.
    ///
    /// # Errors
    /// If it may not be signalled.
    fn signal_task(&self, user: &str, pid: i32, signal: Signal) -> io::Result<bool>;
}
