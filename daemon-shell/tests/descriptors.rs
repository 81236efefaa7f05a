//! The limit of open files, in a process of its own: it is the whole process's.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

#[test]
fn the_soft_limit_becomes_the_hard_one() {
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    setrlimit(Resource::RLIMIT_NOFILE, 128.min(hard), hard).expect("a lower limit is always allowed");
    daemon_shell::raise_descriptor_limit();
    assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).expect("a limit"), (hard, hard));
}
