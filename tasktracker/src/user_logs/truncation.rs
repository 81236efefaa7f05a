//! Cuts the logs of a child that has ended to what the site keeps of them (Hadoop 1.2.1: TaskLogsTruncater).
//!
//! Of each attempt's part the end stays, after a line that says so.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use types::TaskAttemptId;
use wire::task_log::LogIndex;

use super::{LogName, UserLogs, read_index};

/// Stands where something was cut off.
const TRUNCATED: &[u8] = b"[ ... this log file was truncated because of excess length]\n";
/// What a log is written to until it is whole.
const BESIDE: &str = "truncate.tmp";
/// All logs; those of the index are shared by the attempts of a child.
const INDEXED: [LogName; 3] = [LogName::Stdout, LogName::Stderr, LogName::Syslog];
const WHOLE: [LogName; 2] = [LogName::Profile, LogName::DebugOut];

/// How much of one log of an attempt stays, in bytes; nothing for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LogSizes {
    /// Of a map's.
    pub map: Option<u64>,
    /// Of a reduce's.
    pub reduce: Option<u64>,
}

/// An attempt's part of a log file.
#[derive(Debug, Clone, Copy)]
struct Part {
    start: u64,
    length: u64,
    keep: Option<u64>,
}

impl Part {
    fn cut(&self) -> Option<u64> {
        self.keep.filter(|keep| self.length > *keep)
    }
}

impl UserLogs {
    /// Cuts the logs of a child's attempts; `first` has the files. What cannot be cut stays as it is.
    pub fn truncate(&self, first: &(TaskAttemptId, bool), attempts: &[(TaskAttemptId, bool)], sizes: LogSizes) {
        // In a user's folder only that user may write: a link there could lead anywhere.
        if sizes == LogSizes::default() || self.users.is_some() {
            return;
        }
        let dir = self.attempt_dir(&first.0, first.1);
        let mut logs: Vec<Log> =
            attempts.iter().map(|(attempt, cleanup)| self.log_of(attempt, *cleanup, sizes)).collect();
        for name in INDEXED {
            if let Err(error) = cut_indexed(&dir, name, &mut logs) {
                tracing::warn!(dir = %dir.display(), log = name.file_name(), %error, "a log cannot be cut");
            }
        }
        for name in WHOLE {
            let path = dir.join(name.file_name());
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let part = Part { start: 0, length: metadata.len(), keep: keep(&first.0, sizes) };
            if let Err(error) = rewrite(&dir, name, &[part]) {
                tracing::warn!(path = %path.display(), %error, "a log cannot be cut");
            }
        }
        for log in logs.iter().filter(|log| log.changed) {
            if let Some(index) = &log.index
                && let Err(error) = fs::write(&log.path, index.to_text())
            {
                tracing::warn!(path = %log.path.display(), %error, "an index of logs cannot be written");
            }
        }
    }

    fn log_of(&self, attempt: &TaskAttemptId, cleanup: bool, sizes: LogSizes) -> Log {
        let path = self.attempt_dir(attempt, cleanup).join("log.index");
        Log { index: read_index(&path, None), path, keep: keep(attempt, sizes), changed: false }
    }
}

fn keep(attempt: &TaskAttemptId, sizes: LogSizes) -> Option<u64> {
    if attempt.kind().is_map() { sizes.map } else { sizes.reduce }
}

/// The index of one attempt.
struct Log {
    path: std::path::PathBuf,
    index: Option<LogIndex>,
    keep: Option<u64>,
    changed: bool,
}

/// Cuts a file that the indexes divide among the attempts, and moves their parts.
fn cut_indexed(dir: &Path, name: LogName, logs: &mut [Log]) -> io::Result<()> {
    let path = dir.join(name.file_name());
    let Ok(metadata) = fs::symlink_metadata(&path) else { return Ok(()) };
    let on_disk = metadata.len();
    let parts: Vec<Part> = logs.iter().map(|log| part(log, name, on_disk)).collect();
    if !rewrite(dir, name, &parts)? {
        return Ok(());
    }
    let mut start = 0;
    for (log, part) in logs.iter_mut().zip(&parts) {
        let length = part.cut().map_or(part.length, |keep| keep + TRUNCATED.len() as u64);
        let ranges = log.index.iter_mut().flat_map(|index| &mut index.ranges);
        for range in ranges.filter(|range| range.name == name.file_name()) {
            (range.start, range.length) = (start as i64, length as i64);
        }
        log.changed = true;
        start += length;
    }
    Ok(())
}

fn part(log: &Log, name: LogName, on_disk: u64) -> Part {
    let range = log.index.as_ref().and_then(|index| index.range(name.file_name()));
    let start = range.map_or(0, |range| u64::try_from(range.start).unwrap_or(0)).min(on_disk);
    let length = range.and_then(|range| u64::try_from(range.length).ok()).unwrap_or(on_disk).min(on_disk - start);
    Part { start, length, keep: log.keep }
}

/// Writes the parts anew, cut; whether that was needed.
fn rewrite(dir: &Path, name: LogName, parts: &[Part]) -> io::Result<bool> {
    if parts.iter().all(|part| part.cut().is_none()) {
        return Ok(false);
    }
    let (path, beside) = (dir.join(name.file_name()), dir.join(BESIDE));
    // Whoever ran in the directory may have left a link that leads elsewhere.
    let mut from = OpenOptions::new().read(true).custom_flags(nix::libc::O_NOFOLLOW).open(&path)?;
    let mut options = OpenOptions::new();
    let mut to = options.write(true).create_new(true).mode(0o644).open(&beside)?;
    let written = parts.iter().try_for_each(|part| copy(&mut from, &mut to, *part));
    written.and_then(|()| fs::rename(&beside, &path)).inspect_err(|_| drop(fs::remove_file(&beside)))?;
    Ok(true)
}

fn copy(from: &mut File, to: &mut File, part: Part) -> io::Result<()> {
    let mut start = part.start;
    if let Some(keep) = part.cut() {
        to.write_all(TRUNCATED)?;
        start += part.length - keep;
    }
    from.seek(SeekFrom::Start(start))?;
    io::copy(&mut from.take(part.start + part.length - start), to).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::localizer::LocalDirs;
    use std::sync::Arc;

    const NOTE: &str = "[ ... this log file was truncated because of excess length]\n";

    fn logs() -> (tempfile::TempDir, UserLogs) {
        let root = tempfile::tempdir().unwrap();
        let logs = UserLogs::new(&root.path().join("logs"), Arc::new(LocalDirs::new(vec![root.path().to_owned()])));
        (root, logs.unwrap())
    }

    fn attempt(logs: &UserLogs, text: &str) -> TaskAttemptId {
        let attempt: TaskAttemptId = text.parse().unwrap();
        logs.create_job_dir(attempt.job()).unwrap();
        logs.create_attempt_dir(&attempt, false).unwrap();
        attempt
    }

    fn read(logs: &UserLogs, attempt: &TaskAttemptId, name: LogName) -> String {
        let mut text = String::new();
        logs.open(attempt, false, name, 0, -1).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn each_attempt_of_a_child_keeps_the_end_of_its_part() {
        let (_root, logs) = logs();
        let first = attempt(&logs, "attempt_1_0001_m_000000_0");
        let second = attempt(&logs, "attempt_1_0001_m_000001_0");
        let dir = logs.attempt_dir(&first, false);
        fs::write(dir.join("stdout"), "0123456789abcABCDEFGH").unwrap();
        fs::write(dir.join("stderr"), "short").unwrap();
        fs::write(dir.join("debugout"), "very long output").unwrap();
        for (attempt, range) in [(&first, "0 13"), (&second, "13 8")] {
            let text = format!("LOG_DIR:{}\nstdout:{range}\nstderr:0 5\nsyslog:0 0\n", dir.display());
            fs::write(logs.attempt_dir(attempt, false).join("log.index"), text).unwrap();
        }
        let both = [(first.clone(), false), (second.clone(), false)];
        logs.truncate(&both[0], &both, LogSizes { map: Some(10), reduce: Some(1) });
        assert_eq!(read(&logs, &first, LogName::Stdout), format!("{NOTE}3456789abc"));
        assert_eq!(read(&logs, &second, LogName::Stdout), "ABCDEFGH");
        assert_eq!(read(&logs, &first, LogName::Stderr), "short");
        assert_eq!(read(&logs, &first, LogName::DebugOut), format!("{NOTE}ong output"));
        assert!(!dir.join(BESIDE).exists());
    }

    #[test]
    fn an_attempt_of_its_own_child_has_whole_files() {
        let (_root, logs) = logs();
        let map = attempt(&logs, "attempt_1_0001_m_000000_0");
        let dir = logs.attempt_dir(&map, false);
        fs::write(dir.join("syslog"), "0123456789").unwrap();
        fs::write(dir.join("log.index"), LogIndex::whole(dir.display().to_string()).to_text()).unwrap();
        let one = [(map.clone(), false)];
        logs.truncate(&one[0], &one, LogSizes { map: None, reduce: Some(1) });
        assert_eq!(read(&logs, &map, LogName::Syslog), "0123456789");
        logs.truncate(&one[0], &one, LogSizes { map: Some(4), reduce: None });
        assert_eq!(read(&logs, &map, LogName::Syslog), format!("{NOTE}6789"));
    }

    #[test]
    fn a_link_is_not_followed() {
        let (root, logs) = logs();
        let map = attempt(&logs, "attempt_1_0001_m_000000_0");
        let kept = root.path().join("kept");
        fs::write(&kept, "0123456789").unwrap();
        let link = logs.attempt_dir(&map, false).join("stdout");
        std::os::unix::fs::symlink(&kept, &link).unwrap();
        let one = [(map, false)];
        logs.truncate(&one[0], &one, LogSizes { map: Some(4), reduce: None });
        assert_eq!(fs::read_to_string(&kept).unwrap(), "0123456789");
        assert_eq!(fs::read_link(&link).unwrap(), kept);
    }
}
