//! The job's script that looks at what a failed attempt left (Hadoop 1.2.1: TaskTracker.TaskInProgress.taskFinished,
//! runScript, addDiagnostics).
//!
//! It runs in the attempt's working directory with the paths of its logs and of the job's configuration; the end of what it
//! prints goes to the attempt's diagnostics. A script that fails is only logged.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use configuration::{ConfigError, keys};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::Command;
use types::Task;

use crate::localizer::{LocalDirs, LocalizedJob, layout};
use crate::task_controller::{LinuxTaskController, TaskController};
use crate::user_logs::{LogName, UserLogs, open_owned};

/// The slot of the attempt is taken while the script runs.
const TIME_MAX: Duration = Duration::from_secs(600);
/// The most of one line and of all lines that diagnostics take.
const LINE_BYTES_MAX: u64 = 4 << 10;
const OUTPUT_BYTES_MAX: usize = 20_000;
const HEADING: &str = "\n-------------------- DEBUG OUT---------------------\n";

/// Runs the script for an attempt; answers what its diagnostics gain.
pub(crate) async fn run(job: &LocalizedJob, task: &Task, dirs: &LocalDirs, logs: &UserLogs) -> String {
    match try_run(job, task, dirs, logs).await {
        Ok(output) => output,
        Err(error) => {
            tracing::warn!(attempt = %task.attempt, %error, "the job's debug script cannot be run");
            String::new()
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum DebugError {
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("the attempt's working directory is not there any more")]
    NoWorkDir,
}

async fn try_run(job: &LocalizedJob, task: &Task, dirs: &LocalDirs, logs: &UserLogs) -> Result<String, DebugError> {
    let key = match task.attempt.kind().is_map() {
        true => &keys::MAPRED_MAP_TASK_DEBUG_SCRIPT,
        false => &keys::MAPRED_REDUCE_TASK_DEBUG_SCRIPT,
    };
    let Some(script) = job.conf.get_optional(key)? else { return Ok(String::new()) };
    let work_dir = layout::work_dir(&job.user, &task.attempt, task.task_cleanup);
    let work_dir = dirs.find(&work_dir).ok_or(DebugError::NoWorkDir)?;
    let log_dir = logs.attempt_dir(&task.attempt, task.task_cleanup);
    let output = log_dir.join(LogName::DebugOut.file_name());
    let own = [LogName::Stdout, LogName::Stderr, LogName::Syslog].map(|name| log_dir.join(name.file_name()));
    let mut line = format!("exec {script}");
    for path in own.iter().chain([&job.job_xml]) {
        line.push_str(&format!(" '{}'", path.display().to_string().replace('\'', r"'\''")));
    }
    if let Some(program) = pipes_program(job)? {
        line.push_str(&format!(" {program}"));
    }
    let mut command = match logs.users() {
        // Quirk not kept: 1.2.1 runs it as the TaskTracker's own user even then.
        Some(users) => as_user(users, &job.user, &line, &work_dir, &output),
        None => as_tracker(&line, &work_dir, &output)?,
    };
    let mut child = command.process_group(0).stdin(Stdio::null()).spawn()?;
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
    let ended = tokio::time::timeout(TIME_MAX, child.wait()).await;
    if let Some(pid) = pid {
        // What it left running ends with it.
        let _ = match logs.users() {
            Some(users) => users.signal_task(&job.user, pid, Signal::SIGKILL).map(drop),
            None => killpg(Pid::from_raw(pid), Signal::SIGKILL).map_err(io::Error::from),
        };
    }
    match ended {
        Ok(status) if status.as_ref().is_ok_and(|status| status.success()) => (),
        Ok(status) => tracing::warn!(attempt = %task.attempt, ?status, "the job's debug script failed"),
        Err(_) => {
            let _ = child.wait().await;
            tracing::warn!(attempt = %task.attempt, "the job's debug script took too long");
        }
    }
    Ok(diagnostics(&output, logs.owner(&job.id)?, job.conf.get(&keys::MAPRED_DEBUG_OUT_LINES)?)?)
}

fn as_tracker(line: &str, work_dir: &Path, output: &Path) -> io::Result<Command> {
    let file = File::create(output)?;
    let mut command = Command::new("bash");
    command.arg("-c").arg(line).current_dir(work_dir).stdout(file.try_clone()?).stderr(file);
    Ok(command)
}

/// As the job's user, who also opens the file of the output: in the user's folder a link may stand in its place.
fn as_user(users: &LinuxTaskController, user: &str, line: &str, work_dir: &Path, output: &Path) -> Command {
    let quoted = |path: &Path| path.display().to_string().replace('\'', r"'\''");
    let line = format!("cd '{}' && exec > '{}' 2>&1 && {line}", quoted(work_dir), quoted(output));
    let mut command = Command::from(users.run_command(user));
    command.args(["bash", "-c", &line]).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The name under which a pipes job's program lies in the working directory.
fn pipes_program(job: &LocalizedJob) -> Result<Option<String>, ConfigError> {
    let program = job.conf.get_optional(&keys::HADOOP_PIPES_EXECUTABLE)?;
    Ok(program.and_then(|program| program.split_once('#').map(|(_, name)| name.to_owned())))
}

/// The last lines of the output; -1 for all.
fn diagnostics(output: &Path, owner: Option<u32>, lines: i32) -> io::Result<String> {
    let most = if lines == -1 { usize::MAX } else { usize::try_from(lines).unwrap_or(0) };
    let mut reader = BufReader::new(open_owned(output, owner)?);
    let (mut kept, mut bytes) = (VecDeque::new(), 0);
    loop {
        let mut line = Vec::new();
        if io::Read::take(&mut reader, LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        bytes += line.len();
        kept.push_back(line);
        while kept.len() > most || bytes > OUTPUT_BYTES_MAX {
            bytes -= kept.pop_front().map_or(0, |line| line.len());
        }
    }
    if kept.is_empty() {
        return Ok(String::new());
    }
    let all: Vec<u8> = kept.into_iter().flatten().collect();
    let text = String::from_utf8_lossy(&all);
    Ok(format!("{HEADING}{}\n", text.strip_suffix('\n').unwrap_or(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_told() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let check = |text: &str, lines, expected: &str| {
            std::fs::write(file.path(), text).unwrap();
            assert_eq!(diagnostics(file.path(), None, lines).unwrap(), expected, "{text:?} {lines}");
        };
        check("a\nb\nc\n", -1, &format!("{HEADING}a\nb\nc\n"));
        check("a\nb\nc", 2, &format!("{HEADING}b\nc\n"));
        check("a\n", 5, &format!("{HEADING}a\n"));
        check("a\n", 0, "");
        check("", -1, "");
        let long = "x".repeat(100_000);
        std::fs::write(file.path(), &long).unwrap();
        assert!(diagnostics(file.path(), None, -1).unwrap().len() <= OUTPUT_BYTES_MAX + HEADING.len() + 1);
    }
}
