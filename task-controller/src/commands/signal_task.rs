//! SIGNAL_TASK: signals a process group of the user's. Whose processes may be signalled is the kernel's affair: the
//! privileges are gone by then.

use std::ffi::OsStr;

use super::Request;
use crate::exit::{Code, Failure, Result};
use crate::privileges;
use crate::system;

/// Arguments: process id, signal number.
pub(super) fn run(request: &Request) -> Result<()> {
    let arguments = request.at_least(2, "signal task")?;
    let pid = number("task pid", &arguments[0])?;
    let signal = number("signal", &arguments[1])?;
    let gone = || Failure::new(Code::InvalidTaskPid, format!("there is no task with process id {pid}"));
    // Minus one is not a group: it stands for every process that the user has.
    if pid <= 1 {
        return Err(gone());
    }
    privileges::drop_to(&request.user)?;
    let is_gone = |error: &std::io::Error| error.raw_os_error() == Some(libc::ESRCH);
    let target = match system::signal(-pid, 0) {
        Ok(()) => -pid,
        Err(_) => match system::signal(pid, 0) {
            Ok(()) => pid,
            Err(error) if is_gone(&error) => return Err(gone()),
            Err(error) => return Err(Failure::new(Code::Failed, format!("cannot signal task {pid}: {error}"))),
        },
    };
    match system::signal(target, signal) {
        Ok(()) => Ok(()),
        Err(error) if is_gone(&error) => Err(gone()),
        Err(error) => {
            Err(Failure::new(Code::UnableToKillTask, format!("cannot signal {target} with {signal}: {error}")))
        }
    }
}

fn number(what: &str, text: &OsStr) -> Result<i32> {
    let parsed = text.to_str().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| {
        Failure::new(Code::InvalidArgumentNumber, format!("illegal argument for {what}: {text:?}; expected a number"))
    })
}
