//! A control group for each child, where the site wants it (`howdah.tasktracker.cgroups`): limits that no process gets
//! around, and an end for all that a child started, whatever session or group it fled to.
//!
//! Version 1 and version 2 of the kernel's interface; of version 1 each controller that is mounted.

mod hierarchy;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use hierarchy::Own;

/// How often a group that is being ended is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// How long processes that were killed may take to be gone.
const GONE_MAX: Duration = Duration::from_secs(5);
/// The processor's share of one slot.
const SHARES_OF_SLOT: u64 = 1024;
/// The same, in version 2's unit.
const WEIGHT_OF_SLOT: u64 = 100;

/// What a child may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct GroupLimits {
    /// Memory, in bytes.
    pub(crate) memory: Option<u64>,
    /// Slots, for the processor's share.
    pub(crate) slots: u64,
}

/// Why children cannot have groups.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CgroupError {
    /// The kernel does not show any.
    #[error("no control groups are mounted here, neither version 2 nor version 1 with its freezer")]
    NotMounted,
    /// They cannot be made.
    #[error("cannot make a control group at {path}: {source}")]
    Create {
        /// Where.
        path: String,
        /// Why not.
        source: io::Error,
    },
}

/// The groups of this tracker's children, in a group of its own below the one that it was started in.
#[derive(Debug)]
pub(crate) struct Cgroups {
    base: Own,
}

/// The group of one child.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Own,
}

impl Cgroups {
    /// Makes the tracker's own group.
    ///
    /// # Errors
    /// If there is none to be had.
    pub(crate) fn open() -> Result<Self, CgroupError> {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let own = hierarchy::find(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"));
        Self::below(own.ok_or(CgroupError::NotMounted)?, &format!("howdah-{}", std::process::id()))
    }

    fn below(own: Own, name: &str) -> Result<Self, CgroupError> {
        let base = own.join(name);
        base.create()?;
        if let Own::V2(folder) = &base {
            // Where a controller is not handed down, its limit is left out.
            for controller in ["+memory", "+cpu", "+pids"] {
                let _ = fs::write(folder.join("cgroup.subtree_control"), controller);
            }
        }
        Ok(Cgroups { base })
    }

    /// Makes a child's group.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(&self, name: &str, limits: GroupLimits) -> Result<Group, CgroupError> {
        let folders = self.base.join(name);
        folders.create()?;
        let group = Group { folders };
        group.limit(limits);
        Ok(group)
    }
}

impl Drop for Cgroups {
    fn drop(&mut self) {
        // Groups that still hold processes stay.
        self.base.folders().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

impl Own {
    fn join(&self, name: &str) -> Own {
        match self {
            Own::V1(trees) => Own::V1(trees.iter().map(|(controller, tree)| (*controller, tree.join(name))).collect()),
            Own::V2(tree) => Own::V2(tree.join(name)),
        }
    }

    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        let (many, one) = match self {
            Own::V1(trees) => (Some(trees.values()), None),
            Own::V2(tree) => (None, Some(tree)),
        };
        many.into_iter().flatten().chain(one)
    }

    fn create(&self) -> Result<(), CgroupError> {
        self.folders().try_for_each(|folder| match fs::create_dir(folder) {
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                Err(CgroupError::Create { path: folder.display().to_string(), source })
            }
            _ => Ok(()),
        })
    }
}

impl Group {
    /// Sets what the kernel lets us set; the memory watch holds without it.
    fn limit(&self, limits: GroupLimits) {
        let set = |folder: &Path, file: &str, value: u64| {
            if let Err(error) = fs::write(folder.join(file), value.to_string()) {
                tracing::debug!(folder = %folder.display(), file, value, %error, "a limit is not set");
            }
        };
        let slots = limits.slots.max(1);
        match &self.folders {
            Own::V1(trees) => {
                if let (Some(folder), Some(bytes)) = (trees.get("memory"), limits.memory) {
                    set(folder, "memory.limit_in_bytes", bytes);
                }
                if let Some(folder) = trees.get("cpu") {
                    set(folder, "cpu.shares", SHARES_OF_SLOT * slots);
                }
            }
            Own::V2(folder) => {
                if let Some(bytes) = limits.memory {
                    set(folder, "memory.max", bytes);
                }
                set(folder, "cpu.weight", (WEIGHT_OF_SLOT * slots).min(10_000));
            }
        }
    }

    /// Moves a process in; what it starts from then on is in the group too.
    ///
    /// # Errors
    /// If the kernel does not let us.
    pub(crate) fn add(&self, pid: i32) -> io::Result<()> {
        self.folders.folders().try_for_each(|folder| fs::write(folder.join("cgroup.procs"), pid.to_string()))
    }

    /// Ends all that is in the group and takes the group away. Blocks until the processes are gone, or for some seconds.
    pub(crate) fn end(self) {
        let most = GONE_MAX.as_millis() / LOOK.as_millis();
        for _ in 0..most {
            if self.processes().is_empty() {
                break;
            }
            self.kill();
            std::thread::sleep(LOOK);
        }
        for folder in self.folders.folders() {
            // A process that has just ended may be counted for a moment more.
            let removed = (0..most).any(|_| match fs::remove_dir(folder) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(LOOK);
                    false
                }
                _ => true,
            });
            if !removed {
                tracing::warn!(folder = %folder.display(), "a control group does not go");
            }
        }
    }

    fn processes(&self) -> Vec<i32> {
        // In version 1 all trees have the same processes.
        let Some(folder) = self.folders.folders().next() else { return Vec::new() };
        let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// One round of kills. Nothing of the group runs meanwhile, so that nobody gets away by starting another.
    fn kill(&self) {
        match &self.folders {
            Own::V2(folder) => {
                if fs::write(folder.join("cgroup.kill"), "1").is_err() {
                    let _ = fs::write(folder.join("cgroup.freeze"), "1");
                    self.kill_each();
                    let _ = fs::write(folder.join("cgroup.freeze"), "0");
                }
            }
            Own::V1(trees) => {
                let state = trees.get("freezer").map(|folder| folder.join("freezer.state"));
                let freeze = |word: &str| state.as_ref().map(|state| fs::write(state, word));
                let _ = freeze("FROZEN");
                self.kill_each();
                let _ = freeze("THAWED");
            }
        }
    }

    fn kill_each(&self) {
        for pid in self.processes().into_iter().filter(|pid| *pid > 1) {
            // One that ended by itself needs no signal.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

#[cfg(test)]
mod tests;
