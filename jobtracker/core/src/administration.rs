//! What administrators change: hosts, queues, safe mode (Hadoop 1.2.1: JobTracker.refreshNodes, refreshQueues,
//! setSafeMode).

use types::Now;

use crate::JobTracker;
use crate::access;
use crate::error::ClientError;
use crate::settings::{HostLists, QueueSettings, SchedulerKind};
use crate::submission::Caller;

impl JobTracker {
    /// Takes new host lists; trackers that may no longer take part are removed at once.
    pub fn refresh_hosts(&mut self, now: Now, caller: &Caller, hosts: HostLists) -> Result<(), ClientError> {
        if !access::check_administrator(&mut self.cluster, caller, "REFRESH_NODES") {
            return Err(ClientError::Access(format!("{} is not authorized to refresh nodes.", caller.user)));
        }
        self.cluster.settings.hosts = hosts;
        let hosts = &self.cluster.settings.hosts;
        let refused = self.cluster.trackers.iter().filter(|tracker| !hosts.allow(&tracker.status.host));
        let refused: Vec<_> = refused.map(|tracker| tracker.key).collect();
        for tracker in refused {
            self.remove_tracker(now, tracker);
        }
        Ok(())
    }

    /// Takes new queues, and new settings of the scheduler if they are of its kind. A queue that is missing is an error
    /// and changes nothing. Hadoop lets anybody do it.
    pub fn refresh_queues(
        &mut self,
        caller: &Caller,
        queues: Vec<QueueSettings>,
        scheduler: &SchedulerKind,
    ) -> Result<(), ClientError> {
        if !access::check_administrator(&mut self.cluster, caller, "REFRESH_QUEUES") {
            return Err(ClientError::Access(format!("{} is not authorized to refresh queues.", caller.user)));
        }
        let gone = |queue| ClientError::NotFound(format!("Couldn't find queue '{queue}' during refresh!"));
        self.queues.refresh(queues).map_err(gone)?;
        self.scheduler.refresh(scheduler);
        self.initialize_jobs_if_due();
        self.cluster.more_work();
        Ok(())
    }

    /// Enters or leaves safe mode by wish of an administrator; answers whether it is on.
    pub fn set_safe_mode(&mut self, caller: &Caller, on: bool) -> Result<bool, ClientError> {
        if !access::check_administrator(&mut self.cluster, caller, "SET_SAFEMODE") {
            return Err(ClientError::Access(format!("{} is not authorized to set  JobTracker safemode.", caller.user)));
        }
        self.cluster.safe_mode = on;
        self.cluster.safe_mode_admin = on.then(|| caller.user.clone());
        self.cluster.more_work();
        Ok(on)
    }

    /// Enters or leaves safe mode because the file system went or came; an administrator's wish stands above.
    pub fn set_safe_mode_by_itself(&mut self, on: bool) {
        if self.cluster.safe_mode_admin.is_none() {
            self.cluster.safe_mode = on;
            self.cluster.more_work();
        }
    }

    /// Whether safe mode is on.
    pub fn safe_mode(&self) -> bool {
        self.cluster.safe_mode
    }
}
