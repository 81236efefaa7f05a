//! The life of a child: asks for attempts and runs them, one after the other, until it is told to end.
//!
//! Hadoop 1.2.1: mapred.Child.main.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use configuration::keys;
use types::{Credentials, JvmContext, JvmId, Task, TaskAttemptId};

use crate::api::{Result, TaskError};
use crate::job::OwnParts;
use crate::localize;
use crate::log::{self, LogIndexes};
use crate::task::Attempt;
use crate::umbilical::Umbilical;

/// Pauses before a tracker that had no task is asked again; the last one stays.
const IDLE_PAUSES_MS: [u64; 6] = [10, 20, 50, 100, 250, 500];

/// So often in a row without a task, and the pause grows once more (Hadoop 1.2.1: Child).
const IDLE_LONG: (usize, Duration) = (60, Duration::from_millis(1500));

/// How often the log index is written.
const LOG_SYNC: Duration = Duration::from_secs(5);

/// The most that a file of tokens may take.
const TOKENS_LEN_MAX: u64 = 8 << 20;

/// The exit code of a child that could not even start.
const EXIT_UNUSABLE: i32 = 255;

/// What a child is told by its command line and environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The tracker's `host:port`.
    pub tracker: String,
    /// The attempt for which the child was started.
    pub first_attempt: TaskAttemptId,
    /// Where its logs go.
    pub log_dir: PathBuf,
    /// Which child of the tracker's it is.
    pub jvm: JvmId,
    /// The process id as the tracker knows it (`JVM_PID`).
    pub pid: String,
    /// The file of the job's tokens (`HADOOP_TOKEN_FILE_LOCATION`).
    pub token_file: PathBuf,
    /// The working directory (`HADOOP_WORK_DIR`).
    pub work_dir: PathBuf,
}

/// Why a child cannot start.
#[derive(Debug, thiserror::Error)]
pub enum InvocationError {
    /// Too few or too many arguments.
    #[error("usage: child HOST PORT ATTEMPT LOGDIR JVMID; got {0} arguments")]
    Arguments(usize),
    /// An argument that cannot be read.
    #[error("{name} is {value:?}; expected {expected}")]
    Argument {
        /// Which.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A variable that is not set.
    #[error("the environment variable {0} is not set")]
    Variable(&'static str),
}

impl Invocation {
    /// Reads arguments (without the program's name) and environment.
    ///
    /// # Errors
    /// The first thing that is missing or wrong.
    pub fn parse(
        arguments: &[String],
        variable: impl Fn(&'static str) -> Option<String>,
    ) -> std::result::Result<Self, InvocationError> {
        let [host, port, attempt, log_dir, jvm] = arguments else {
            return Err(InvocationError::Arguments(arguments.len()));
        };
        let wrong = |name, value: &str, expected| InvocationError::Argument { name, value: value.to_owned(), expected };
        let needed = |name| variable(name).filter(|value| !value.is_empty()).ok_or(InvocationError::Variable(name));
        let port: u16 = port.parse().map_err(|_| wrong("PORT", port, "0 to 65535"))?;
        let first_attempt: TaskAttemptId = attempt.parse().map_err(|_| wrong("ATTEMPT", attempt, "an attempt id"))?;
        let number = jvm.parse().map_err(|_| wrong("JVMID", jvm, "a signed number"))?;
        let jvm = JvmId { job: first_attempt.job().clone(), kind: first_attempt.kind(), number };
        Ok(Invocation {
            tracker: format!("{host}:{port}"),
            first_attempt,
            log_dir: PathBuf::from(log_dir),
            jvm,
            pid: variable("JVM_PID").unwrap_or_else(|| std::process::id().to_string()),
            token_file: needed("HADOOP_TOKEN_FILE_LOCATION")?.into(),
            work_dir: needed("HADOOP_WORK_DIR")?.into(),
        })
    }
}

/// Runs a child to its end; returns the exit code.
pub fn run(invocation: &Invocation) -> i32 {
    run_as(invocation, None)
}

/// Runs a child with the parts that its executable brings.
pub(crate) fn run_as(invocation: &Invocation, own: Option<Arc<dyn OwnParts>>) -> i32 {
    if let Err(error) = log::open(&invocation.log_dir) {
        eprintln!("child: cannot write syslog in {}: {error}", invocation.log_dir.display());
        return EXIT_UNUSABLE;
    }
    let child = match Child::new(invocation, own) {
        Ok(child) => child,
        Err(error) => {
            log::fatal("mapred.Child", format_args!("{error}"));
            eprintln!("child: {error}");
            return 1;
        }
    };
    child.sync_logs_while_running();
    let code = child.serve();
    child.logs_written();
    code
}

struct Child {
    umbilical: Umbilical,
    work_dir: PathBuf,
    password: Vec<u8>,
    logs: Arc<LogIndexes>,
    own: Option<Arc<dyn OwnParts>>,
}

impl Child {
    fn new(invocation: &Invocation, own: Option<Arc<dyn OwnParts>>) -> Result<Self> {
        let credentials = read_tokens(&invocation.token_file)?;
        let token = credentials.token(Credentials::JOB_TOKEN).ok_or_else(|| {
            TaskError::io_exception(format!("{} holds no job token", invocation.token_file.display()))
        })?;
        let password = token.password.clone();
        let context = JvmContext { jvm: invocation.jvm.clone(), pid: invocation.pid.clone() };
        // A tracker without security answers the token with plain talk, so the child need not know whether it is on.
        let umbilical = Umbilical::new(&invocation.tracker, context, Some(token.clone()));
        let logs = Arc::new(LogIndexes::new(invocation.log_dir.clone()));
        Ok(Child { umbilical, work_dir: invocation.work_dir.clone(), password, logs, own })
    }

    fn sync_logs_while_running(&self) {
        let logs = Arc::downgrade(&self.logs);
        let loop_until_gone = move || {
            loop {
                std::thread::sleep(LOG_SYNC);
                let Some(logs) = logs.upgrade() else { return };
                if let Err(error) = logs.sync() {
                    log::fatal("mapred.Child", format_args!("Error in syncLogs: {error}"));
                    std::process::exit(EXIT_UNUSABLE);
                }
            }
        };
        let builder = std::thread::Builder::new().name("Thread for syncLogs".to_owned()).stack_size(128 << 10);
        if let Err(error) = builder.spawn(loop_until_gone) {
            log::warn("mapred.Child", format_args!("log.index is written at the end only: {error}"));
        }
    }

    fn logs_written(&self) {
        if let Err(error) = self.logs.sync() {
            log::warn("mapred.Child", format_args!("Error in syncLogs: {error}"));
        }
    }

    /// Runs attempts until there are enough, one fails, or the tracker has no more.
    fn serve(&self) -> i32 {
        if let Err(error) = self.umbilical.check_version() {
            log::warn("mapred.Child", format_args!("Error running child: {error}"));
            return 1;
        }
        let mut done = 0;
        loop {
            let task = match self.next_task() {
                Ok(Some(task)) => task,
                Ok(None) => return 0,
                Err(error) => {
                    log::warn("mapred.Child", format_args!("Error running child: {error}"));
                    return 0;
                }
            };
            let attempt = task.attempt.clone();
            match catch_unwind(AssertUnwindSafe(|| self.run_task(task))) {
                Ok(Ok(limit)) => {
                    done += 1;
                    if limit > 0 && done >= limit {
                        return 0;
                    }
                }
                Ok(Err(())) => return 0,
                Err(panic) => {
                    self.report_panic(&attempt, panic.as_ref());
                    return 0;
                }
            }
        }
    }

    fn next_task(&self) -> Result<Option<Task>> {
        let mut idle = 0;
        loop {
            let answer = self.umbilical.get_task()?;
            if answer.should_die {
                return Ok(None);
            }
            if answer.task.is_some() {
                return Ok(answer.task);
            }
            let (long_after, long) = IDLE_LONG;
            let pause = IDLE_PAUSES_MS[idle.min(IDLE_PAUSES_MS.len() - 1)];
            std::thread::sleep(if idle < long_after { Duration::from_millis(pause) } else { long });
            idle += 1;
        }
    }

    /// Runs an attempt; answers how many attempts the job lets a child run. A failure is reported here.
    fn run_task(&self, task: Task) -> std::result::Result<i32, ()> {
        let attempt = task.attempt.clone();
        let prepared = self.prepare(task);
        let (limit, ran, attempt_run) = match prepared {
            Ok((limit, prepared)) => {
                let ran = prepared.run(&self.password, self.own.clone());
                (limit, ran, Some(prepared))
            }
            Err(error) => (0, Err(error), None),
        };
        self.logs_written();
        ran.map(|()| limit).map_err(|error| self.report_failure(&attempt, attempt_run.as_ref(), error))
    }

    fn prepare(&self, task: Task) -> Result<(i32, Attempt)> {
        let conf = localize::configuration(&task)?;
        let limit = conf.get_or(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS, 1);
        localize::work_dir(&conf, &self.work_dir)?;
        self.logs.begin(&task.attempt, task.task_cleanup, limit != 1).map_err(TaskError::io("write log.index"))?;
        let logs = self.logs.clone();
        let before_exit = Box::new(move || drop(logs.sync()));
        let stays = conf.get_or(&keys::HOWDAH_TASKTRACKER_PRESERVE, false);
        let umbilical = if stays { self.umbilical.patient() } else { self.umbilical.clone() };
        let attempt = Attempt::new(task, conf, self.work_dir.clone(), &umbilical, before_exit)?;
        Ok((limit, attempt))
    }

    /// Tells the tracker as Java's child does: a bad disk, or what a user reads.
    fn report_failure(&self, attempt: &TaskAttemptId, run: Option<&Attempt>, error: TaskError) {
        let sent = match &error {
            TaskError::Killed => Ok(()),
            TaskError::LocalDisk { .. } => {
                log::fatal("mapred.Child", format_args!("FSError from child: {error}"));
                self.umbilical.fs_error(attempt, error.to_string())
            }
            _ => {
                let trace = format!("{}: {error}\n", error.java_class());
                log::warn("mapred.Child", format_args!("Error running child\n{}", trace.trim_end()));
                if let Some(Err(error)) = run.map(Attempt::clean_up_task) {
                    log::info("mapred.Child", format_args!("Error cleaning up: {error}"));
                }
                self.umbilical.report_diagnostic_info(attempt, trace)
            }
        };
        if let Err(error) = sent {
            log::warn("mapred.Child", format_args!("cannot report the failure: {error}"));
        }
    }

    fn report_panic(&self, attempt: &TaskAttemptId, panic: &(dyn std::any::Any + Send)) {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let message = format!("java.lang.Error: the native child has a defect: {text}");
        log::fatal("mapred.Child", format_args!("Error running child : {message}"));
        if let Err(error) = self.umbilical.fatal_error(attempt, message) {
            log::warn("mapred.Child", format_args!("cannot report the failure: {error}"));
        }
        self.logs_written();
    }
}

fn read_tokens(file: &std::path::Path) -> Result<Credentials> {
    let len = std::fs::metadata(file).map_err(TaskError::io(format!("read {}", file.display())))?.len();
    if len > TOKENS_LEN_MAX {
        return Err(TaskError::io_exception(format!("{} has {len} bytes; expected a file of tokens", file.display())));
    }
    let bytes = std::fs::read(file).map_err(TaskError::io(format!("read {}", file.display())))?;
    wire::credentials::read_storage(&bytes).map_err(TaskError::decode(file.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str], variables: &[&'static str]) -> std::result::Result<Invocation, String> {
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let variable = |name: &'static str| variables.contains(&name).then(|| format!("/{name}"));
        Invocation::parse(&arguments, variable).map_err(|error| error.to_string())
    }

    const VARIABLES: &[&str] = &["JVM_PID", "HADOOP_TOKEN_FILE_LOCATION", "HADOOP_WORK_DIR"];

    #[test]
    fn the_command_line_is_javas() {
        let invocation =
            parse(&["127.0.0.1", "4711", "attempt_1_0002_r_000003_0", "/logs/a", "-77"], VARIABLES).unwrap();
        assert_eq!(invocation.tracker, "127.0.0.1:4711");
        assert_eq!(invocation.jvm.to_string(), "jvm_1_0002_r_-77");
        assert_eq!(invocation.work_dir, PathBuf::from("/HADOOP_WORK_DIR"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let good = ["h", "1", "attempt_1_0002_r_000003_0", "/l", "5"];
        assert_eq!(
            parse(&good, &["JVM_PID"]).unwrap_err(),
            "the environment variable HADOOP_TOKEN_FILE_LOCATION is not set"
        );
        assert_eq!(
            parse(&good[..3], VARIABLES).unwrap_err(),
            "usage: child HOST PORT ATTEMPT LOGDIR JVMID; got 3 arguments"
        );
        assert_eq!(
            parse(&["h", "x", good[2], "/l", "5"], VARIABLES).unwrap_err(),
            "PORT is \"x\"; expected 0 to 65535"
        );
    }
}
