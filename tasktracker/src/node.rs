//! This machine, as heartbeats tell of it: memory, processors, disks (Hadoop 1.2.1: TaskTracker.transmitHeartBeat,
//! checkLocalDirs).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tasktracker_core::NodeReport;

use crate::heartbeat_loop::{Ended, Node};
use crate::localizer::{LocalDirs, check_local_dirs};
use crate::node_health::NodeHealth;
use crate::resources::Resources;

/// Where the site says nothing of it.
pub(crate) const DISK_CHECK_EVERY: Duration = Duration::from_secs(60);

/// This machine, as heartbeats tell of it.
pub(crate) struct Machine {
    pub(crate) resources: Resources,
    pub(crate) dirs: Arc<LocalDirs>,
    pub(crate) names: Vec<PathBuf>,
    pub(crate) failed: usize,
    pub(crate) check_every: Duration,
    pub(crate) checked: Instant,
    pub(crate) health: Option<Arc<NodeHealth>>,
}

impl Node for Machine {
    fn report(&mut self) -> Result<NodeReport, Ended> {
        if self.checked.elapsed() > self.check_every {
            self.checked = Instant::now();
            let (good, failed) = check_local_dirs(&self.names);
            if good.is_empty() {
                return Err(Ended::Denied(format!("no directory of mapred.local.dir works: {}", join(&self.names))));
            }
            if failed > self.failed {
                return Err(Ended::Stale);
            }
        }
        let free = self.dirs.free_bytes_max();
        Ok(NodeReport {
            resources: self.resources.measure(free),
            free_space: i64::try_from(free).unwrap_or(i64::MAX),
            dir_failures: i32::try_from(self.failed).unwrap_or(i32::MAX),
            health: self.health.as_ref().map(|health| health.status()).unwrap_or_default(),
        })
    }
}

/// Directories as the site names them.
pub(crate) fn join(dirs: &[PathBuf]) -> String {
    dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(",")
}
