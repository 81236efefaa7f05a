//! Questions that change nothing but the audit log: what clients and pages want to know.

use types::{
    AccessControlList, ClusterStatus, Counters, JobId, JobProfile, JobQueueInfo, JobStatus, JobTrackerState,
    QueueAclsInfo, TaskAttemptId, TaskCompletionEvent, TaskId, TaskKind, TaskReport,
};

use crate::JobTracker;
use crate::access::{self, Operation};
use crate::error::ClientError;
use crate::job::JobInProgress;
use crate::submission::Caller;
use crate::trackers::Tracker;
use crate::views::{CapacityQueueView, JobView, ReportKind, TaskView, Totals, TrackerView};

impl JobTracker {
    /// A job's status; `None` if it is unknown.
    pub fn job_status(&self, job: &JobId) -> Option<JobStatus> {
        let retired = || self.retirement.get(job).map(|job| job.status().clone());
        self.jobs.get(job).map(|job| self.status_of(job)).or_else(retired)
    }

    /// A job's status with what the scheduler says of it.
    fn status_of(&self, job: &JobInProgress) -> JobStatus {
        let mut status = job.status.clone();
        if let Some(info) = self.scheduler.job_info(&job.id) {
            status.scheduling_info = info;
        }
        status
    }

    /// A job's profile; `None` if it is unknown.
    pub fn job_profile(&self, job: &JobId) -> Option<JobProfile> {
        let retired = || self.retirement.get(job).map(|job| job.profile().clone());
        self.jobs.get(job).map(JobInProgress::profile).or_else(retired)
    }

    /// A job's counters, none before it is initialised; `None` if it is unknown.
    pub fn job_counters(&mut self, caller: &Caller, job: &JobId) -> Result<Option<Counters>, ClientError> {
        let Some(job) = self.jobs.get(job) else {
            return Ok(self.retirement.get(job).map(|job| job.counters().clone()));
        };
        access::check(&mut self.cluster, &self.queues, caller, job, Operation::ViewCounters)
            .map_err(ClientError::Access)?;
        if !job.is_inited() {
            return Ok(Some(Counters::new()));
        }
        let counters = job.all_counters();
        if crate::job::exceed_limits(&counters, &self.cluster.settings) {
            return Err(ClientError::TooManyCounters { limit: self.cluster.settings.counters_max });
        }
        Ok(Some(counters))
    }

    /// Reports of a job's tasks; none before it is initialised, or if it is unknown.
    pub fn task_reports(
        &mut self,
        caller: &Caller,
        job: &JobId,
        kind: ReportKind,
    ) -> Result<Vec<TaskReport>, ClientError> {
        let Some(job) = self.jobs.get(job) else { return Ok(Vec::new()) };
        access::check(&mut self.cluster, &self.queues, caller, job, Operation::ViewDetails)
            .map_err(ClientError::Access)?;
        Ok(job.reported_tasks(kind).into_iter().map(|tip| tip.report(&job.id)).collect())
    }

    /// Completion events from that index on; none if the job is unknown or not initialised.
    pub fn completion_events(&self, job: &JobId, from: i32, max: i32) -> Vec<TaskCompletionEvent> {
        let events = self.jobs.get(job).map_or(&[][..], JobInProgress::events);
        let events = usize::try_from(from).ok().and_then(|from| events.get(from..)).unwrap_or_default();
        events.iter().take(usize::try_from(max).unwrap_or(0)).cloned().collect()
    }

    /// What went wrong with an attempt; nothing if it is unknown.
    pub fn task_diagnostics(&mut self, caller: &Caller, attempt: &TaskAttemptId) -> Result<Vec<String>, ClientError> {
        let Some(job) = self.jobs.get(attempt.job()) else { return Ok(Vec::new()) };
        access::check(&mut self.cluster, &self.queues, caller, job, Operation::ViewDetails)
            .map_err(ClientError::Access)?;
        let task = job.find(attempt.kind(), attempt.task.number);
        let found = task.and_then(|task| job.task(task).attempt(attempt.number));
        Ok(found.map(|attempt| attempt.diagnostics.clone()).unwrap_or_default())
    }

    /// The cluster at a glance; memory figures are 0, for the daemon to fill in.
    pub fn cluster_status(&self, detailed: bool) -> ClusterStatus {
        let (trackers, faulty) = (&self.cluster.trackers, &self.cluster.faulty);
        let size = self.cluster.size();
        let names = |on_list: &dyn Fn(&Tracker) -> bool| -> Vec<String> {
            let listed = trackers.iter().filter(|tracker| detailed && on_list(tracker));
            listed.map(|tracker| tracker.status.name.clone()).collect()
        };
        ClusterStatus {
            active_count: size.active as i32,
            active: names(&|tracker| !faulty.is_blacklisted(tracker.host)),
            blacklisted_count: size.blacklisted as i32,
            blacklisted: names(&|tracker| faulty.is_blacklisted(tracker.host)),
            graylisted_count: size.graylisted as i32,
            graylisted: names(&|tracker| faulty.is_graylisted(tracker.host)),
            excluded_count: self.cluster.settings.hosts.exclude.len() as i32,
            tracker_expiry_ms: self.cluster.settings.tracker_expiry.as_millis() as i64,
            running_maps: trackers.running.maps,
            running_reduces: trackers.running.reduces,
            map_slots: trackers.slots.maps,
            reduce_slots: trackers.slots.reduces,
            used_memory: 0,
            max_memory: 0,
            state: JobTrackerState::Running,
        }
    }

    /// All jobs in memory, then retired ones (Hadoop 1.2.1: JobTracker.getAllJobs).
    pub fn all_jobs(&self) -> Vec<JobStatus> {
        let retired = self.retirement.iter().map(|job| job.status().clone());
        self.jobs.values().map(|job| self.status_of(job)).chain(retired).collect()
    }

    /// Jobs that have not ended.
    pub fn jobs_to_complete(&self) -> Vec<JobStatus> {
        self.incomplete.iter().filter_map(|id| self.job_status(id)).collect()
    }

    /// Jobs of a queue as the scheduler sees them: FIFO gives all jobs whatever the queue.
    pub fn jobs_from_queue(&self, queue: &str) -> Vec<JobStatus> {
        self.scheduler.jobs(queue).iter().filter_map(|id| self.job_status(id)).collect()
    }

    /// All queues.
    pub fn queues(&self) -> Vec<JobQueueInfo> {
        let infos = self.queues.infos().into_iter();
        infos.map(|info| self.with_scheduler_info(info)).collect()
    }

    /// A queue; `None` if it is unknown.
    pub fn queue_info(&self, queue: &str) -> Option<JobQueueInfo> {
        self.queues.info(queue).map(|info| self.with_scheduler_info(info))
    }

    fn with_scheduler_info(&self, info: JobQueueInfo) -> JobQueueInfo {
        match self.scheduler.queue_info(&self.cluster, &info.name) {
            Some(scheduling_info) => JobQueueInfo { scheduling_info, ..info },
            None => info,
        }
    }

    /// What the caller may do in which queue.
    pub fn queue_acls(&self, caller: &Caller) -> Vec<QueueAclsInfo> {
        self.queues.acls(caller, self.cluster.settings.acls_enabled)
    }

    /// Who administers a queue; nobody if the queue is unknown.
    pub fn queue_administrators(&self, queue: &str) -> AccessControlList {
        self.queues.administrators(queue)
    }

    // Pages.

    /// All trackers, by age.
    pub fn tracker_views(&self) -> Vec<TrackerView> {
        self.cluster.trackers.iter().map(|tracker| self.view_of(tracker)).collect()
    }

    /// One tracker.
    pub fn tracker_view(&self, tracker: &str) -> Option<TrackerView> {
        let key = self.cluster.trackers.key(tracker)?;
        self.cluster.trackers.get(key).map(|tracker| self.view_of(tracker))
    }

    fn view_of(&self, tracker: &Tracker) -> TrackerView {
        let faulty = &self.cluster.faulty;
        TrackerView {
            status: tracker.status.clone(),
            running_maps: tracker.running.maps,
            running_reduces: tracker.running.reduces,
            occupied_map_slots: tracker.occupied.maps,
            occupied_reduce_slots: tracker.occupied.reduces,
            rack: self.cluster.topology.location(tracker.node).to_owned(),
            last_seen: tracker.last_seen.wall.0,
            blacklisted: faulty.is_blacklisted(tracker.host),
            graylisted: faulty.is_graylisted(tracker.host),
            reason: faulty.reason(tracker.host),
            faults: faulty.count(tracker.host),
        }
    }

    /// A job, running, finished or retired.
    pub fn job_view(&self, job: &JobId) -> Option<JobView> {
        let retired = || self.retirement.get(job).map(|job| job.view.clone());
        self.jobs.get(job).map(|job| job.view(&self.cluster)).or_else(retired)
    }

    /// The tasks of one kind of a job.
    pub fn task_views(&self, job: &JobId, kind: ReportKind) -> Vec<TaskView> {
        self.jobs.get(job).map_or_else(Vec::new, |job| job.task_views(&self.cluster, kind))
    }

    /// One task.
    pub fn task_view(&self, task: &TaskId) -> Option<TaskView> {
        let job = self.jobs.get(&task.job)?;
        let found = job.find(task.kind, task.number)?;
        Some(job.task_view(&self.cluster, job.task(found)))
    }

    /// Map slots and reduce slots that the scheduler keeps free for jobs whose tasks need more than are free.
    pub fn reserved_slots(&self) -> (i32, i32) {
        let reserved = self.scheduler.reserved_slots();
        (reserved.maps, reserved.reduces)
    }

    /// The queues of the capacity scheduler, by name; none under another scheduler.
    pub fn capacity_queues(&self) -> Vec<CapacityQueueView> {
        self.scheduler.capacity_queues()
    }

    /// The trackers that are kept free, for which kind of tasks of which job.
    pub fn reservations(&self) -> Vec<(String, TaskKind, JobId)> {
        let name = |tracker| self.cluster.trackers.name(tracker).to_string();
        self.scheduler.reservations().into_iter().map(|(tracker, kind, job)| (name(tracker), kind, job)).collect()
    }

    /// Numbers since start.
    pub fn totals(&self) -> Totals {
        self.cluster.totals
    }
}
