//! `log.index`: where the logs of an attempt stand (Hadoop 1.2.1: TaskLog.writeToIndexFile, TaskLog.getAllLogsFileDetails).

use std::fmt::Write;

/// The logs that the index names, in its order.
pub const INDEXED_LOGS: [&str; 3] = ["stdout", "stderr", "syslog"];

const DIRECTORY: &str = "LOG_DIR:";

/// Where one log of an attempt lies within its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRange {
    /// `stdout`, `stderr` or `syslog`.
    pub name: String,
    /// Its first byte.
    pub start: i64,
    /// How many bytes; -1 for all that follow.
    pub length: i64,
}

/// The index of an attempt's logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogIndex {
    /// The directory of the files: of the child's first attempt.
    pub directory: String,
    /// The logs, in file order.
    pub ranges: Vec<LogRange>,
}

impl LogIndex {
    /// The index of an attempt that has a child of its own: each log is a whole file.
    pub fn whole(directory: impl Into<String>) -> Self {
        let ranges = INDEXED_LOGS.map(|name| LogRange { name: name.to_owned(), start: 0, length: -1 });
        LogIndex { directory: directory.into(), ranges: ranges.into() }
    }

    /// The range of a log, if the index names it.
    pub fn range(&self, name: &str) -> Option<&LogRange> {
        self.ranges.iter().find(|range| range.name == name)
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{DIRECTORY}{}\n", self.directory);
        for range in &self.ranges {
            let _ = writeln!(text, "{}:{} {}", range.name, range.start, range.length);
        }
        text
    }

    /// Reads the file's text; nothing if it is no index, which then counts as not written yet.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let directory = lines.next()?.strip_prefix(DIRECTORY)?.to_owned();
        let ranges = lines.map(parse_range).collect::<Option<_>>()?;
        Some(LogIndex { directory, ranges })
    }
}

fn parse_range(line: &str) -> Option<LogRange> {
    let (name, numbers) = line.split_once(':')?;
    let (start, length) = numbers.split_once(' ')?;
    Some(LogRange { name: name.to_owned(), start: start.parse().ok()?, length: length.parse().ok()? })
}
