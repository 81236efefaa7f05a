//! The site's script that says whether this node is fit for work (Hadoop 1.2.1: NodeHealthCheckerService).
//!
//! The node is unhealthy if a line of the script's output starts with `ERROR`, if the script takes too long, or if it
//! cannot be run. An exit code that is not 0 says nothing about the node, whatever the output.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use configuration::{ConfigError, Configuration, keys};
use daemon_shell::Clock;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use types::TaskTrackerHealthStatus;

/// What of a script's output is read and reported; the rest is read and forgotten.
const REPORT_BYTES_MAX: u64 = 64 << 10;
/// What a line that reports trouble starts with.
const ERROR: &str = "ERROR";
/// What is reported of a script that takes too long.
const TIMED_OUT: &str = "Node health script timed out";
/// The least pause between two starts of the script.
const INTERVAL_MIN: Duration = Duration::from_millis(100);

/// What the site says of its script.
#[derive(Debug, Clone)]
struct Script {
    path: PathBuf,
    arguments: Vec<String>,
    interval: Duration,
    timeout: Duration,
}

/// What the script said last.
#[derive(Debug)]
pub(crate) struct NodeHealth {
    script: Script,
    status: Mutex<TaskTrackerHealthStatus>,
}

/// How a run of the script ended.
#[derive(Debug)]
enum Ran {
    Ended(ExitStatus, String),
    TimedOut,
    Failed(io::Error),
}

impl NodeHealth {
    /// The health of a node whose site names a script that can be run; else nothing, and the node counts as healthy.
    ///
    /// # Errors
    /// If a value of the site is wrong.
    pub(crate) fn read(conf: &Configuration, clock: Clock) -> Result<Option<Arc<NodeHealth>>, ConfigError> {
        let Some(path) = conf.get_optional(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_PATH)? else { return Ok(None) };
        let script = Script {
            path: PathBuf::from(path.trim()),
            arguments: conf.get_optional(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_ARGS)?.unwrap_or_default(),
            interval: conf.duration(&keys::MAPRED_HEALTH_CHECKER_INTERVAL)?.max(INTERVAL_MIN),
            timeout: conf.duration(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_TIMEOUT)?,
        };
        if !is_program(&script.path) {
            let (key, path) = (keys::MAPRED_HEALTH_CHECKER_SCRIPT_PATH.name(), script.path.display());
            tracing::warn!(key, %path, "no program, so the node's health is not checked");
            return Ok(None);
        }
        let status = TaskTrackerHealthStatus { last_reported: clock.now().wall.0, ..Default::default() };
        Ok(Some(Arc::new(NodeHealth { script, status: Mutex::new(status) })))
    }

    /// What heartbeats tell.
    pub(crate) fn status(&self) -> TaskTrackerHealthStatus {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs the script now and at every interval, for as long as the future lives.
    pub(crate) async fn check_for_ever(self: Arc<Self>, clock: Clock) {
        let mut ticks = tokio::time::interval(self.script.interval);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            ticks.tick().await;
            let ran = self.script.run().await;
            self.take(ran, clock.now().wall.0);
        }
    }

    /// Quirk: the time of the report moves with healthy ones only (NodeHealthMonitorExecutor.reportHealthStatus).
    fn take(&self, ran: Ran, wall: i64) {
        let report = match ran {
            Ran::Ended(status, output) if status.success() && has_errors(&output) => Some(output),
            Ran::Ended(..) => None,
            Ran::TimedOut => Some(TIMED_OUT.to_owned()),
            Ran::Failed(error) => Some(format!("java.io.IOException: {}: {error}", self.script.path.display())),
        };
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        if status.healthy != report.is_none() {
            let report = report.as_deref().unwrap_or_default();
            tracing::info!(healthy = report.is_empty(), report, "the health script has another opinion of this node");
        }
        match report {
            Some(report) => (status.healthy, status.report) = (false, report),
            None => *status = TaskTrackerHealthStatus { healthy: true, report: String::new(), last_reported: wall },
        }
    }
}

impl Script {
    async fn run(&self) -> Ran {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.process_group(0);
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => return Ran::Failed(error),
        };
        let group = GroupEnd(child.id());
        let ran = tokio::time::timeout(self.timeout, run_to_end(&mut child)).await;
        drop(group);
        let _ = child.wait().await;
        match ran {
            Ok(Ok((status, output))) => Ran::Ended(status, output),
            Ok(Err(error)) => Ran::Failed(error),
            Err(_) => Ran::TimedOut,
        }
    }
}

async fn run_to_end(child: &mut Child) -> io::Result<(ExitStatus, String)> {
    let mut bytes = Vec::new();
    if let Some(mut output) = child.stdout.take() {
        (&mut output).take(REPORT_BYTES_MAX).read_to_end(&mut bytes).await?;
        tokio::io::copy(&mut output, &mut tokio::io::sink()).await?;
    }
    Ok((child.wait().await?, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Whatever a script started ends with it, however that ends.
struct GroupEnd(Option<u32>);

impl Drop for GroupEnd {
    fn drop(&mut self) {
        if let Some(pid) = self.0.and_then(|pid| i32::try_from(pid).ok()) {
            // As a rule nobody is left.
            let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

fn has_errors(output: &str) -> bool {
    output.lines().any(|line| line.starts_with(ERROR))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Checked {
        _dir: tempfile::TempDir,
        health: Arc<NodeHealth>,
    }

    /// The health by a shell script with one argument.
    fn checked(text: &str, timeout_ms: u64) -> Checked {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("health.sh");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_PATH, path.display());
        conf.set_key(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_ARGS, "arg1,arg2");
        conf.set_key(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_TIMEOUT, timeout_ms);
        let health = NodeHealth::read(&conf, Clock::start()).unwrap().expect("a script that can be run");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // A program that was just written cannot be started while another thread of the test holds it open across a fork.
        let ran = loop {
            match runtime.block_on(health.script.run()) {
                Ran::Failed(error) if error.raw_os_error() == Some(nix::libc::ETXTBSY) => std::thread::yield_now(),
                ran => break ran,
            }
        };
        health.take(ran, 77);
        Checked { _dir: dir, health }
    }

    fn check(text: &str, expected: &str) {
        let status = checked(text, 600_000).health.status();
        assert_eq!((status.healthy, status.report.as_str()), (expected.is_empty(), expected), "{text}");
        assert_eq!(status.last_reported == 77, status.healthy, "{text}");
    }

    #[test]
    fn a_line_that_starts_with_error_is_what_counts() {
        check("echo all is well", "");
        check("echo ERROR no fan; echo more", "ERROR no fan\nmore\n");
        check("echo first; echo ERROR second", "first\nERROR second\n");
        check("echo ' ERROR'; echo an ERROR; echo Error >&2", "");
        check("echo ERROR >&2", "");
        check("echo ERROR$1 $2", "ERRORarg1 arg2\n");
    }

    #[test]
    fn an_exit_code_says_nothing() {
        check("exit 3", "");
        check("echo ERROR in the disk; exit 1", "");
    }

    #[test]
    fn a_script_that_hangs_is_ended_with_all_it_started() {
        let checked = checked("sleep 600 & echo $! > \"$(dirname $0)/pid\"; wait", 500);
        let status = checked.health.status();
        assert_eq!((status.healthy, status.report.as_str()), (false, TIMED_OUT));
        let pid = fs::read_to_string(checked._dir.path().join("pid")).unwrap();
        let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }

    #[test]
    fn a_node_that_is_well_again_is_healthy() {
        let checked = checked("echo ERROR", 600_000);
        assert!(!checked.health.status().healthy);
        checked.health.take(Ran::Failed(io::ErrorKind::NotFound.into()), 1);
        assert!(!checked.health.status().healthy);
        checked.health.take(Ran::Ended(ExitStatus::default(), String::new()), 99);
        let expected = TaskTrackerHealthStatus { healthy: true, report: String::new(), last_reported: 99 };
        assert_eq!(checked.health.status(), expected);
    }

    #[test]
    fn without_a_program_there_is_no_check() {
        let mut conf = Configuration::new();
        assert!(NodeHealth::read(&conf, Clock::start()).unwrap().is_none());
        let file = tempfile::NamedTempFile::new().unwrap();
        conf.set_key(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_PATH, file.path().display());
        assert!(NodeHealth::read(&conf, Clock::start()).unwrap().is_none(), "a file that may not be executed");
        conf.set_key(&keys::MAPRED_HEALTH_CHECKER_SCRIPT_PATH, "/no/such/script");
        assert!(NodeHealth::read(&conf, Clock::start()).unwrap().is_none());
    }
}
