//! The set-user-id program that acts as the users of jobs for a TaskTracker: `task-controller <user> <good local
//! directories> <command> <arguments>` (Hadoop 1.2.1: src/c++/task-controller).
//!
//! A checklist, from top to bottom: the configuration's owner, the program's own owner and mode, the user, the paths;
//! then the privileges go for good, then the deed is done. docs/task-controller.md lists the attacks on it.
#![deny(unsafe_code)]

mod commands;
mod configuration;
mod directory;
mod environment;
mod exit;
mod local_dirs;
mod privileges;
mod remove;
mod system;
mod user;

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use commands::Request;
use configuration::Configuration;
use exit::{Code, Context, Failure, Result};
use privileges::Tracker;

/// Where a process finds its own program.
const OWN_FILE: &str = "/proc/self/exe";
/// What group and others may not do with what is made here.
const UMASK: u32 = 0o027;

fn main() {
    // A panic tells where the program was built, and unwinds through half-done work.
    std::panic::set_hook(Box::new(|_| {
        say("internal error; nothing more is done");
        std::process::abort();
    }));
    system::set_umask(UMASK);
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    std::process::exit(run(&arguments).map_or_else(tell, |()| 0));
}

fn run(arguments: &[OsString]) -> Result<()> {
    let [user, roots, command, rest @ ..] = arguments else { return usage(arguments) };
    if rest.is_empty() {
        return usage(arguments);
    }
    let (conf, tracker) = check_installation()?;
    privileges::become_root(tracker)?;
    let user = user::find(&conf, user)?;
    let roots = local_dirs::names(roots)?;
    Request { conf, tracker, user, roots, arguments: rest.to_vec() }.run(command)
}

/// A TaskTracker starts the program without arguments to see whether it is installed well, and expects 1. Hadoop's
/// program answers so always; this one looks first.
fn usage(arguments: &[OsString]) -> Result<()> {
    say(USAGE);
    if arguments.is_empty() {
        check_installation()?;
    }
    Err(Failure::new(Code::InvalidArgumentNumber, "too few arguments"))
}

const USAGE: &str = "\
Usage: task-controller user good-local-dirs command command-args
 where good-local-dirs is a comma separated list of good mapred local directories.
Commands:
   initialize job:        0 jobid credentials job-xml cmd args
   launch task:           1 jobid taskid work-dir task-script
   signal task:           2 task-pid signal
   delete as user:        3 relative-path
   delete log:            4 relative-path
   run command as user:   5 cmd args";

/// Reads the configuration and looks at the program's own file.
fn check_installation() -> Result<(Configuration, Tracker)> {
    let conf = Configuration::load(&own_path()?)?;
    let refuse = |text: String| Failure::new(Code::InvalidConfiguration, text);
    let name = conf.get(configuration::GROUP);
    let name = name.ok_or_else(|| refuse(format!("{} is not configured", configuration::GROUP)))?;
    let gid = system::group(name).or_fail(Code::InvalidConfiguration, || format!("cannot look up group {name:?}"))?;
    let gid = gid.ok_or_else(|| refuse(format!("{} is {name:?}; there is no such group", configuration::GROUP)))?;
    check_own_file(gid)?;
    Ok((conf, Tracker { uid: system::real_uid(), gid }))
}

fn own_path() -> Result<PathBuf> {
    std::fs::read_link(OWN_FILE).or_fail(Code::InvalidPermissions, || format!("cannot read {OWN_FILE}"))
}

/// Owned by root, set-user-id, of the TaskTracker's group, and nothing for others (Hadoop 1.2.1:
/// check_taskcontroller_permissions).
fn check_own_file(gid: u32) -> Result<()> {
    let file =
        std::fs::metadata(OWN_FILE).or_fail(Code::InvalidPermissions, || format!("cannot look at {OWN_FILE}"))?;
    let refuse = |text: String| Err(Failure::new(Code::InvalidPermissions, format!("invalid permissions: {text}")));
    if file.uid() != 0 {
        return refuse("the program must be owned by root".into());
    }
    if file.gid() != gid {
        return refuse(format!("the program's group is {}, the configured one {gid}", file.gid()));
    }
    if file.mode() & 0o003 != 0 {
        return refuse("the program must not be writable or executable for others".into());
    }
    if file.mode() & libc::S_ISUID == 0 {
        return refuse("the program must be set-user-id".into());
    }
    Ok(())
}

/// Says a failure and answers its exit code.
fn tell(failure: Failure) -> i32 {
    say(&failure.to_string());
    failure.code as i32
}

/// To standard output, which is what Hadoop's TaskTracker logs. If nobody listens, nobody needs to know.
fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
