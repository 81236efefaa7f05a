//! Names of jobs, tasks, attempts and child JVMs, with Hadoop's text forms (Hadoop 1.2.1: mapreduce.JobID, TaskID,
//! TaskAttemptID, JVMId).

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Map or reduce: of a task, an attempt, a slot or a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskKind {
    /// Reads one split.
    Map,
    /// Reads one partition of all maps.
    Reduce,
}

impl TaskKind {
    /// Both kinds, maps first, in Hadoop's order.
    pub const BOTH: [TaskKind; 2] = [TaskKind::Map, TaskKind::Reduce];

    /// Whether this is [`TaskKind::Map`], the form in which the wire carries it.
    pub fn is_map(self) -> bool {
        self == TaskKind::Map
    }

    /// The kind from the wire's `isMap` flag.
    pub fn from_is_map(is_map: bool) -> Self {
        if is_map { TaskKind::Map } else { TaskKind::Reduce }
    }

    /// `m` or `r`, as ids spell it.
    pub fn letter(self) -> char {
        if self.is_map() { 'm' } else { 'r' }
    }
}

/// `job_<JobTracker identifier>_<number, at least four digits>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId {
    /// Identifies the JobTracker that gave the number: its start time as `yyyyMMddHHmm`.
    pub jt_identifier: Arc<str>,
    /// Counts up from 1.
    pub number: i32,
}

/// `task_<identifier>_<job>_<m|r>_<number, at least six digits>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    /// The job it belongs to.
    pub job: JobId,
    /// Map or reduce.
    pub kind: TaskKind,
    /// Its index within the job and kind.
    pub number: i32,
}

/// `attempt_<identifier>_<job>_<m|r>_<task>_<number>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskAttemptId {
    /// The task it is a run of.
    pub task: TaskId,
    /// Counts runs of the task up from 0.
    pub number: i32,
}

/// `jvm_<identifier>_<job>_<m|r>_<number>`; the number is random, signed, and unique on its TaskTracker only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JvmId {
    /// The job whose tasks the child may run.
    pub job: JobId,
    /// The kind of slot it was started for.
    pub kind: TaskKind,
    /// A random 32-bit number, often negative.
    pub number: i32,
}

impl JobId {
    /// Builds an id from its two parts.
    pub fn new(jt_identifier: impl Into<Arc<str>>, number: i32) -> Self {
        JobId { jt_identifier: jt_identifier.into(), number }
    }

    /// The id of one of this job's tasks.
    pub fn task(&self, kind: TaskKind, number: i32) -> TaskId {
        TaskId { job: self.clone(), kind, number }
    }

    fn write_suffix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "_{}_{:04}", self.jt_identifier, self.number)
    }
}

impl TaskId {
    /// The id of one of this task's attempts.
    pub fn attempt(&self, number: i32) -> TaskAttemptId {
        TaskAttemptId { task: self.clone(), number }
    }

    fn write_suffix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.job.write_suffix(f)?;
        write!(f, "_{}_{:06}", self.kind.letter(), self.number)
    }
}

impl TaskAttemptId {
    /// The job of the attempt.
    pub fn job(&self) -> &JobId {
        &self.task.job
    }

    /// Map or reduce.
    pub fn kind(&self) -> TaskKind {
        self.task.kind
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("job")?;
        self.write_suffix(f)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("task")?;
        self.write_suffix(f)
    }
}

impl fmt::Display for TaskAttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("attempt")?;
        self.task.write_suffix(f)?;
        write!(f, "_{}", self.number)
    }
}

impl fmt::Display for JvmId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("jvm")?;
        self.job.write_suffix(f)?;
        write!(f, "_{}_{}", self.kind.letter(), self.number)
    }
}

/// A text that is not the id it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseIdError {
    /// What was read.
    pub text: String,
    /// The form that was expected.
    pub expected: &'static str,
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not an id of the form {}", self.text, self.expected)
    }
}

impl std::error::Error for ParseIdError {}

/// Splits `text` at underscores into exactly `N` parts of which the first is `prefix`.
fn parts<'a, const N: usize>(
    text: &'a str,
    prefix: &str,
    expected: &'static str,
) -> Result<[&'a str; N], ParseIdError> {
    let fail = || ParseIdError { text: text.to_owned(), expected };
    let mut out = [""; N];
    let mut pieces = text.split('_');
    for slot in &mut out {
        *slot = pieces.next().ok_or_else(fail)?;
    }
    if pieces.next().is_some() || out[0] != prefix { Err(fail()) } else { Ok(out) }
}

fn number(text: &str, whole: &str, expected: &'static str) -> Result<i32, ParseIdError> {
    text.parse().map_err(|_| ParseIdError { text: whole.to_owned(), expected })
}

fn kind(text: &str, whole: &str, expected: &'static str) -> Result<TaskKind, ParseIdError> {
    match text {
        "m" => Ok(TaskKind::Map),
        "r" => Ok(TaskKind::Reduce),
        _ => Err(ParseIdError { text: whole.to_owned(), expected }),
    }
}

const JOB_FORM: &str = "job_<identifier>_<number>";
const TASK_FORM: &str = "task_<identifier>_<job>_<m|r>_<number>";
const ATTEMPT_FORM: &str = "attempt_<identifier>_<job>_<m|r>_<task>_<number>";
const JVM_FORM: &str = "jvm_<identifier>_<job>_<m|r>_<number>";

impl FromStr for JobId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let [_, identifier, job] = parts::<3>(text, "job", JOB_FORM)?;
        Ok(JobId::new(identifier, number(job, text, JOB_FORM)?))
    }
}

impl FromStr for TaskId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let [_, identifier, job, letter, task] = parts::<5>(text, "task", TASK_FORM)?;
        Ok(JobId::new(identifier, number(job, text, TASK_FORM)?)
            .task(kind(letter, text, TASK_FORM)?, number(task, text, TASK_FORM)?))
    }
}

impl FromStr for TaskAttemptId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let [_, identifier, job, letter, task, attempt] = parts::<6>(text, "attempt", ATTEMPT_FORM)?;
        Ok(JobId::new(identifier, number(job, text, ATTEMPT_FORM)?)
            .task(kind(letter, text, ATTEMPT_FORM)?, number(task, text, ATTEMPT_FORM)?)
            .attempt(number(attempt, text, ATTEMPT_FORM)?))
    }
}

impl FromStr for JvmId {
    type Err = ParseIdError;
    fn from_str(text: &str) -> Result<Self, ParseIdError> {
        let [_, identifier, job, letter, jvm] = parts::<5>(text, "jvm", JVM_FORM)?;
        Ok(JvmId {
            job: JobId::new(identifier, number(job, text, JVM_FORM)?),
            kind: kind(letter, text, JVM_FORM)?,
            number: number(jvm, text, JVM_FORM)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_as_hadoop_prints_them() {
        let job = JobId::new("201311301530", 7);
        assert_eq!(job.to_string(), "job_201311301530_0007");
        let attempt = job.task(TaskKind::Reduce, 12).attempt(3);
        assert_eq!(attempt.task.to_string(), "task_201311301530_0007_r_000012");
        assert_eq!(attempt.to_string(), "attempt_201311301530_0007_r_000012_3");
        let jvm = JvmId { job, kind: TaskKind::Map, number: -77 };
        assert_eq!(jvm.to_string(), "jvm_201311301530_0007_m_-77");
        assert_eq!(JobId::new("x", 123_456).to_string(), "job_x_123456");
    }

    #[test]
    fn ids_read_back_what_they_print() {
        for text in ["job_201311301530_0007", "job_local123_0001"] {
            assert_eq!(text.parse::<JobId>().unwrap().to_string(), text);
        }
        let attempt = "attempt_201311301530_0007_m_000012_3";
        assert_eq!(attempt.parse::<TaskAttemptId>().unwrap().to_string(), attempt);
        let jvm = "jvm_201311301530_0007_m_-77";
        assert_eq!(jvm.parse::<JvmId>().unwrap().to_string(), jvm);
    }

    #[test]
    fn malformed_ids_are_refused_by_name() {
        for text in ["", "job", "job_1", "job_1_x", "job_1_2_3", "task_1_0001_x_000001", "jib_1_0001"] {
            let error = text.parse::<JobId>().unwrap_err();
            assert_eq!(error.text, text);
        }
        assert!("task_1_0001_x_000001".parse::<TaskId>().is_err());
        assert!("attempt_1_0001_m_000001".parse::<TaskAttemptId>().is_err());
    }
}
