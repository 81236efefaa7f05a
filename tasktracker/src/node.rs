//! This machine, as heartbeats tell of it: memory, processors, disks, health (Hadoop 1.2.1: TaskTracker.transmitHeartBeat,
//! checkLocalDirs).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tasktracker_core::NodeReport;

use crate::driver::CoreHandle;
use crate::heartbeat_loop::{Ended, Node};
use crate::localizer::{LocalDirs, Localizer, check_local_dirs};
use crate::node_health::NodeHealth;
use crate::resources::Resources;

/// Where the site says nothing of it.
pub(crate) const DISK_CHECK_EVERY: Duration = Duration::from_secs(60);

/// This machine.
pub(crate) struct Machine {
    pub(crate) resources: Resources,
    pub(crate) disks: Disks,
    pub(crate) health: Option<Arc<NodeHealth>>,
}

impl Node for Machine {
    fn report(&mut self) -> Result<NodeReport, Ended> {
        self.disks.check_if_due()?;
        let free = self.disks.dirs.free_bytes_max();
        Ok(NodeReport {
            resources: self.resources.measure(free),
            free_space: i64::try_from(free).unwrap_or(i64::MAX),
            dir_failures: i32::try_from(self.disks.failed()).unwrap_or(i32::MAX),
            health: self.health.as_ref().map(|health| health.status()).unwrap_or_default(),
        })
    }
}

/// The local directories: one that stops working leaves the rotation, and comes back when it works again.
pub(crate) struct Disks {
    dirs: Arc<LocalDirs>,
    localizer: Arc<Localizer>,
    core: CoreHandle,
    names: Vec<PathBuf>,
    /// Those that worked at the last check.
    good: Vec<PathBuf>,
    check_every: Duration,
    checked: Instant,
}

impl Disks {
    /// The directories of these names, those that work being `localizer`'s.
    pub(crate) fn new(localizer: Arc<Localizer>, core: CoreHandle, names: Vec<PathBuf>, check_every: Duration) -> Self {
        let dirs = Arc::clone(localizer.dirs());
        let good = dirs.all().to_vec();
        Disks { dirs, localizer, core, names, good, check_every, checked: Instant::now() }
    }

    /// How many do not work.
    fn failed(&self) -> usize {
        self.names.len() - self.good.len()
    }

    /// Checks when it is time, and when somebody has set one aside meanwhile.
    fn check_if_due(&mut self) -> Result<(), Ended> {
        if self.checked.elapsed() < self.check_every && *self.dirs.all() == *self.good {
            return Ok(());
        }
        self.checked = Instant::now();
        let (good, _) = check_local_dirs(&self.names);
        if good.is_empty() {
            return Err(Ended::Denied(format!("no directory of mapred.local.dir works: {}", join(&self.names))));
        }
        let back: Vec<PathBuf> = good.iter().filter(|dir| !self.good.contains(dir)).cloned().collect();
        let lost: Vec<PathBuf> = self.good.iter().filter(|dir| !good.contains(dir)).cloned().collect();
        self.take_back(&back);
        self.dirs.set(good.clone());
        self.good = good;
        self.give_up(&lost);
        Ok(())
    }

    fn take_back(&self, back: &[PathBuf]) {
        for dir in back {
            tracing::info!(dir = %dir.display(), "this directory of mapred.local.dir works again");
            if let Err(error) = self.localizer.disk_back(dir) {
                tracing::warn!(dir = %dir.display(), %error, "cannot prepare a local directory");
            }
        }
    }

    fn give_up(&self, lost: &[PathBuf]) {
        if lost.is_empty() {
            return;
        }
        let jobs = self.localizer.disks_lost(lost);
        tracing::warn!(
            dirs = join(lost),
            jobs = jobs.len(),
            "local directories are given up; jobs with files there fetch them again"
        );
        self.core.tell(move |core, _| jobs.iter().for_each(|job| core.job_files_lost(job)));
    }
}

/// Directories as the site names them.
pub(crate) fn join(dirs: &[PathBuf]) -> String {
    dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(",")
}
