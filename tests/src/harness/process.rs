//! Processes that a test starts, and only those: each in a process group of its own, ended when dropped.

use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// How often a condition is looked at.
const POLL: Duration = Duration::from_millis(20);

/// Below the ports that systems give to outgoing connections: one of those could be taken before its daemon binds it.
const PORTS: std::ops::Range<u16> = 12_000..32_000;

/// A port that is free now, and that no other call of this process gets soon.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let count = u32::from(PORTS.end - PORTS.start);
    // Two test programs that run beside each other start at different places.
    let first = std::process::id().wrapping_mul(7_919);
    for _ in 0..count {
        let step = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % count;
        let port = PORTS.start + u16::try_from(step).expect("less than the range");
        if TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).is_ok() {
            return port;
        }
    }
    panic!("no port of {PORTS:?} is free");
}

/// Looks at a condition until it holds or the deadline is over; tells which.
pub fn wait_until(deadline: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + deadline;
    while !condition() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::park_timeout(POLL);
    }
    true
}

/// A program in the background, with its output in a file.
#[derive(Debug)]
pub struct Daemon {
    child: Child,
    log: PathBuf,
}

impl Daemon {
    /// Starts a program with its output appended to `log`.
    pub fn start(mut command: Command, log: &Path) -> io::Result<Daemon> {
        let out = File::options().create(true).append(true).open(log)?;
        let child = command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out).process_group(0).spawn()?;
        Ok(Daemon { child, log: log.to_owned() })
    }

    /// The process id, which is also the process group's.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it printed so far.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }

    /// Whether it still runs.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for its end; its exit code, unless the deadline was over first or a signal ended it.
    pub fn exit_code(&mut self, deadline: Duration) -> Option<i32> {
        wait_until(deadline, || !self.is_running());
        self.child.try_wait().ok().flatten().and_then(|status| status.code())
    }

    /// Sends a signal to the daemon alone, not to its children.
    pub fn signal(&self, signal: Signal) {
        // A daemon that is gone needs no signal.
        let _ = nix::sys::signal::kill(Pid::from_raw(self.child.id() as i32), signal);
    }

    /// Ends the daemon as `kill -9` does and waits for its end.
    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        let _ = self.child.wait();
    }

    /// Ends it in order, and with force after ten seconds.
    pub fn stop(&mut self) {
        self.signal(Signal::SIGTERM);
        let ended = wait_until(Duration::from_secs(10), || !self.is_running());
        if !ended {
            self.signal(Signal::SIGKILL);
        }
        // Whatever it left in its group goes with it.
        let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}
