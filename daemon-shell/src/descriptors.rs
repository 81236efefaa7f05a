//! How many files and sockets the daemon may have open at a time.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the soft limit of open files to the hard one, as Java's machine does for Hadoop's daemons
/// (`-XX:+MaxFDLimit`): a login's soft limit of 1024 is soon used up by idle connections. What cannot be raised stays.
pub fn raise_descriptor_limit() {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return };
    if soft < hard
        && let Err(error) = setrlimit(Resource::RLIMIT_NOFILE, hard, hard)
    {
        tracing::warn!(soft, hard, %error, "the limit of open files cannot be raised");
    }
}
