//! What administrators change: hosts, queues, safe mode (Hadoop 1.2.1: JobTracker.refreshNodes, refreshQueues,
//! setSafeMode), and what they ask of the fair scheduler.

use types::{JobId, Now};

use crate::JobTracker;
use crate::access;
use crate::error::ClientError;
use crate::scheduler::{Allocations, FairView};
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

    /// Puts new allocations of the fair scheduler in force; whether there is such a scheduler.
    pub fn set_fair_allocations(&mut self, now: Now, allocations: Allocations) -> bool {
        let fair = self.scheduler.as_fair_mut();
        fair.map(|fair| fair.set_allocations(now, allocations)).is_some()
    }

    /// Moves a job to another pool of the fair scheduler, which may be a new one; whether the job is there.
    pub fn set_fair_pool(&mut self, now: Now, job: &JobId, pool: &str) -> bool {
        self.scheduler.as_fair_mut().is_some_and(|fair| fair.set_pool(now, job, pool))
    }

    /// The fair scheduler as pages show it; `None` if another is at work.
    pub fn fair_view(&self, now: Now) -> Option<FairView> {
        self.scheduler.as_fair().map(|fair| fair.view(now))
    }

    /// Whether safe mode is on.
    pub fn safe_mode(&self) -> bool {
        self.cluster.safe_mode
    }
}
