//! `taskcontroller.cfg`: where it lies, who may have written it, and what it says (Hadoop 1.2.1:
//! task-controller/impl/configuration.c).

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::directory::{self, only_root_writes};
use crate::exit::{Code, Context, Failure, Result};
use crate::system;
use std::os::fd::AsFd;

/// The file's name.
const FILE: &str = "taskcontroller.cfg";
/// The largest configuration.
const BYTES_MAX: u64 = 64 << 10;
/// A folder fixed when the program is built, in place of `../conf`.
const FIXED_FOLDER: Option<&str> = option_env!("TASK_CONTROLLER_CONF_DIR");

/// The group of the TaskTracker's user.
pub(crate) const GROUP: &str = "mapreduce.tasktracker.group";
/// The TaskTracker's `hadoop.log.dir`.
pub(crate) const LOG_DIR: &str = "hadoop.log.dir";
/// The lowest user id that may run tasks.
pub(crate) const MIN_USER_ID: &str = "min.user.id";
/// Users who may not run tasks.
pub(crate) const BANNED_USERS: &str = "banned.users";

/// What the file says.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    entries: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Configuration {
    /// Reads the file that belongs to this program, if nobody but root can have changed it or what leads to it.
    pub(crate) fn load(program: &Path) -> Result<Configuration> {
        let named = folder(program).join(FILE);
        // Root's own links on the way, as /etc/hadoop often is, are resolved first; what is then walked has none.
        let real = std::fs::canonicalize(&named)
            .or_fail(Code::InvalidConfiguration, || format!("configuration file {} not found", named.display()))?;
        let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(Failure::new(Code::InvalidConfiguration, format!("{} is no file", real.display())));
        };
        let as_configuration = |failure: Failure| Failure::new(Code::InvalidConfiguration, failure.to_string());
        let dir = directory::walk(folder, only_root_writes).map_err(as_configuration)?;
        let failed = || format!("cannot read {}", real.display());
        let file = dir.read_file(name).or_fail(Code::InvalidConfiguration, failed)?;
        let status = system::status(file.as_fd()).or_fail(Code::InvalidConfiguration, failed)?;
        only_root_writes(&real, &status)?;
        let mut bytes = Vec::new();
        file.take(BYTES_MAX + 1).read_to_end(&mut bytes).or_fail(Code::InvalidConfiguration, failed)?;
        if bytes.len() as u64 > BYTES_MAX {
            let text = format!("{} is larger than {BYTES_MAX} bytes", real.display());
            return Err(Failure::new(Code::InvalidConfiguration, text));
        }
        Configuration::parse(&bytes).map_err(|line| {
            let text = format!("{}, line {line}: expected key=value, or # and a comment", real.display());
            Failure::new(Code::InvalidConfiguration, text)
        })
    }

    /// Reads lines of `key=value`; the last one needs no end of line. A value that starts with `#`, or an empty one,
    /// is none. The error is the number of a line that is none of these.
    fn parse(bytes: &[u8]) -> std::result::Result<Configuration, usize> {
        let mut entries = Vec::new();
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            let split = line.iter().position(|byte| *byte == b'=').ok_or(at + 1)?;
            let (key, value) = (line[..split].trim_ascii(), line[split + 1..].trim_ascii());
            if !value.is_empty() && !value.starts_with(b"#") {
                entries.push((key.to_vec(), value.to_vec()));
            }
        }
        Ok(Configuration { entries })
    }

    /// The first value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&OsStr> {
        let found = self.entries.iter().find(|(name, _)| name == key.as_bytes());
        found.map(|(_, value)| OsStr::from_bytes(value))
    }

    /// The parts of a value with commas; `None` if the key has none.
    pub(crate) fn list(&self, key: &str) -> Option<Vec<OsString>> {
        self.get(key).map(split_list)
    }
}

/// The parts between commas that are not empty.
pub(crate) fn split_list(text: &OsStr) -> Vec<OsString> {
    let parts = text.as_bytes().split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    parts.filter(|part| !part.is_empty()).map(|part| OsString::from_vec(part.to_vec())).collect()
}

fn folder(program: &Path) -> PathBuf {
    if let Some(fixed) = FIXED_FOLDER {
        return PathBuf::from(fixed);
    }
    // The program's path is the real one and has two folders above it, or else the answer is a path that is not there.
    program.parent().and_then(Path::parent).unwrap_or(Path::new("/")).join("conf")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(text: &str, key: &str) -> Option<String> {
        let conf = Configuration::parse(text.as_bytes()).unwrap();
        conf.get(key).map(|value| value.to_string_lossy().into_owned())
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(get("a=1\nb=2", "b"), Some("2".into()));
        assert_eq!(get("a=1\nb=2\n", "b"), Some("2".into()));
        assert_eq!(get("b=2", "b"), Some("2".into()));
    }

    #[test]
    fn comments_and_values_that_are_comments_say_nothing() {
        assert_eq!(get("#a=1\n\na=#configured value\na=2\na=3\n", "a"), Some("2".into()));
        assert_eq!(get("a=\n", "a"), None);
        assert_eq!(get("a = x=y \r\n", "a"), Some("x=y".into()));
    }

    #[test]
    fn a_line_that_is_nothing_is_named() {
        assert_eq!(Configuration::parse(b"a=1\nrubbish\n").unwrap_err(), 2);
    }

    #[test]
    fn lists_have_no_empty_parts() {
        assert_eq!(split_list(OsStr::new("a, b,,c,")), ["a", "b", "c"]);
        assert!(split_list(OsStr::new(",")).is_empty());
    }

    #[test]
    fn the_configuration_lies_beside_the_program() {
        assert_eq!(folder(Path::new("/opt/h/bin/task-controller")), Path::new("/opt/h/conf"));
        assert_eq!(folder(Path::new("/task-controller")), Path::new("/conf"));
    }
}
