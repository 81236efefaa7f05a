//! What can go wrong while files are brought to this machine.

use std::io;
use std::path::{Path, PathBuf};

use configuration::ConfigError;
use hadoop_io::DecodeError;
use storage::StorageError;

/// Why a job or an attempt has no local files. Its text becomes the attempt's diagnostics.
#[derive(Debug, thiserror::Error)]
pub enum LocalizeError {
    /// A local file.
    #[error("cannot {operation} {}", path.display())]
    Local {
        /// What was tried.
        operation: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// What the job's user was to do.
    #[error("the files of {user}'s job cannot be brought here as {user}")]
    AsUser {
        /// The user.
        user: String,
        /// Why not.
        source: crate::task_controller::ControllerError,
    },
    /// A file of the job, on its file system.
    #[error("cannot fetch {what}")]
    Fetch {
        /// The file as the job names it.
        what: String,
        /// Why not.
        source: StorageError,
    },
    /// A value of the job's configuration.
    #[error("bad value in the job's job.xml")]
    Configuration(#[from] ConfigError),
    /// The token file.
    #[error("{path} is no token file")]
    Tokens {
        /// Its name.
        path: String,
        /// Why not.
        source: DecodeError,
    },
    /// The token file holds no token for the job itself.
    #[error("{path} holds no job token under the alias ShuffleAndJobToken")]
    NoJobToken {
        /// Its name.
        path: String,
    },
    /// A name that cannot be part of a local path.
    #[error("{what} is {name:?}, which cannot be a directory's name")]
    Name {
        /// What it names.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A cached file that is not the one that was submitted (Hadoop 1.2.1: TrackerDistributedCacheManager.downloadCacheObject).
    #[error(
        "The distributed cache object {uri} changed during the job from {} to {}; submit the job again",
        java_date(*submitted_ms), java_date(*now_ms)
    )]
    Changed {
        /// The file.
        uri: String,
        /// When it was last changed as the job was submitted, ms since 1970.
        submitted_ms: i64,
        /// When it was last changed now.
        now_ms: i64,
    },
    /// Lists of the cache that do not belong together.
    #[error("{key} has {count} values, but {of} names {expected}")]
    Lists {
        /// The key of the shorter or longer list.
        key: &'static str,
        /// Its length.
        count: usize,
        /// The key that it goes with.
        of: &'static str,
        /// That one's length.
        expected: usize,
    },
    /// A list of the cache with something else in it.
    #[error("{key} holds {value:?}; expected {expected}")]
    ListValue {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// What should be there.
        expected: &'static str,
    },
    /// An archive that cannot be unpacked, or must not be.
    #[error("cannot unpack {}: {reason}", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl LocalizeError {
    /// An error of a local file.
    pub fn local(operation: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| LocalizeError::Local { operation, path, source }
    }
}

/// A time as Java prints a `Date` in UTC.
fn java_date(ms: i64) -> String {
    chrono::DateTime::from_timestamp_millis(ms)
        .map_or_else(|| ms.to_string(), |time| time.format("%a %b %d %H:%M:%S UTC %Y").to_string())
}

/// An error with all its causes, as diagnostics show it.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str("\nCaused by: ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_told_in_hadoops_words() {
        let error = LocalizeError::Changed { uri: "file:/x".into(), submitted_ms: 0, now_ms: 86_400_000 };
        let text = error.to_string();
        assert!(text.starts_with("The distributed cache object file:/x changed during the job from "), "{text}");
        assert!(text.contains("Thu Jan 01 00:00:00 UTC 1970 to Fri Jan 02 00:00:00 UTC 1970"), "{text}");
    }

    #[test]
    fn the_chain_names_every_cause() {
        let error = LocalizeError::local("create", Path::new("/x"))(io::Error::other("disk on fire"));
        assert_eq!(chain(&error), "cannot create /x\nCaused by: disk on fire");
    }
}
