//! The attempt's `syslog` in log4j's form, and `log.index`, by which the pages find an attempt's part of the logs.
//!
//! Hadoop 1.2.1: mapred.TaskLogAppender (`%d{ISO8601} %p %c: %m%n`), TaskLog.syncLogs.

use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use types::TaskAttemptId;
use wire::task_log::{INDEXED_LOGS, LogIndex, LogRange};

static SYSLOG: OnceLock<File> = OnceLock::new();

/// Opens `syslog` in the directory of the child's first attempt. Before that, and without it, lines are dropped.
pub(crate) fn open(dir: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(dir.join("syslog"))?;
    let _ = SYSLOG.set(file);
    Ok(())
}

/// Logs at INFO; `class` lacks `org.apache.hadoop.`.
pub(crate) fn info(class: &str, message: fmt::Arguments<'_>) {
    write("INFO", class, message);
}

/// Logs at WARN.
pub(crate) fn warn(class: &str, message: fmt::Arguments<'_>) {
    write("WARN", class, message);
}

/// Logs at FATAL.
pub(crate) fn fatal(class: &str, message: fmt::Arguments<'_>) {
    write("FATAL", class, message);
}

fn write(level: &str, class: &str, message: fmt::Arguments<'_>) {
    let Some(mut file) = SYSLOG.get() else { return };
    let mut line = String::with_capacity(128);
    let now = chrono::Local::now().format("%Y-%m-%d %H:%M:%S,%3f");
    let _ = writeln!(line, "{now} {level} org.apache.hadoop.{class}: {message}");
    // A log that cannot be written must not end the task.
    let _ = file.write_all(line.as_bytes());
}

/// Writes the log indexes of a child's attempts, one after the other.
pub(crate) struct LogIndexes {
    /// Where the files are: the directory of the first attempt.
    dir: PathBuf,
    current: Mutex<Option<Current>>,
}

struct Current {
    attempt: TaskAttemptId,
    index: PathBuf,
    segmented: bool,
    starts: [i64; INDEXED_LOGS.len()],
}

impl LogIndexes {
    pub(crate) fn new(dir: PathBuf) -> Self {
        LogIndexes { dir, current: Mutex::new(None) }
    }

    /// Begins the logs of an attempt. A segmented log is shared with the attempts that come after.
    pub(crate) fn begin(&self, attempt: &TaskAttemptId, cleanup: bool, segmented: bool) -> io::Result<()> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let starts = if current.is_some() { self.lengths() } else { [0; INDEXED_LOGS.len()] };
        let suffix = if cleanup { ".cleanup" } else { "" };
        let index = self.dir.with_file_name(format!("{attempt}{suffix}")).join("log.index");
        *current = Some(Current { attempt: attempt.clone(), index, segmented, starts });
        drop(current);
        self.sync()
    }

    /// Writes the index of the current attempt.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(current) = &*current else { return Ok(()) };
        let ends = if current.segmented { self.lengths().map(Some) } else { [None; INDEXED_LOGS.len()] };
        let ranges = (0..INDEXED_LOGS.len()).map(|at| LogRange {
            name: INDEXED_LOGS[at].to_owned(),
            start: current.starts[at],
            length: ends[at].map_or(-1, |end| end - current.starts[at]),
        });
        let index = LogIndex { directory: self.dir.display().to_string(), ranges: ranges.collect() };
        let temporary = current.index.with_file_name("log.tmp");
        if let Some(dir) = current.index.parent() {
            fs::create_dir_all(dir)?;
        }
        fs::write(&temporary, index.to_text())?;
        fs::rename(&temporary, &current.index)
            .map_err(|error| io::Error::new(error.kind(), format!("log.index of {}: {error}", current.attempt)))
    }

    fn lengths(&self) -> [i64; INDEXED_LOGS.len()] {
        INDEXED_LOGS.map(|name| fs::metadata(self.dir.join(name)).map_or(0, |file| file.len() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logs_of_a_childs_attempts_follow_each_other() {
        let dir = tempfile::tempdir().unwrap();
        let first: TaskAttemptId = "attempt_1_0001_m_000000_0".parse().unwrap();
        let second: TaskAttemptId = "attempt_1_0001_m_000001_0".parse().unwrap();
        let first_dir = dir.path().join(first.to_string());
        fs::create_dir(&first_dir).unwrap();
        let logs = LogIndexes::new(first_dir.clone());
        logs.begin(&first, false, true).unwrap();
        fs::write(first_dir.join("syslog"), "12345").unwrap();
        logs.sync().unwrap();
        let read = |attempt: &TaskAttemptId| {
            let text = fs::read_to_string(dir.path().join(attempt.to_string()).join("log.index")).unwrap();
            LogIndex::parse(&text).unwrap().range("syslog").cloned().unwrap()
        };
        assert_eq!((read(&first).start, read(&first).length), (0, 5));
        logs.begin(&second, false, true).unwrap();
        fs::write(first_dir.join("syslog"), "12345678").unwrap();
        logs.sync().unwrap();
        assert_eq!((read(&second).start, read(&second).length), (5, 3));
        assert_eq!((read(&first).start, read(&first).length), (0, 5));
    }

    #[test]
    fn one_attempt_alone_has_whole_files() {
        let dir = tempfile::tempdir().unwrap();
        let attempt: TaskAttemptId = "attempt_1_0001_m_000000_0".parse().unwrap();
        let logs = LogIndexes::new(dir.path().join(attempt.to_string()));
        logs.begin(&attempt, true, false).unwrap();
        let text = fs::read_to_string(dir.path().join(format!("{attempt}.cleanup/log.index"))).unwrap();
        assert!(text.ends_with("stdout:0 -1\nstderr:0 -1\nsyslog:0 -1\n"), "{text}");
    }
}
