//! A job is taken, or refused with the reason (Hadoop 1.2.1: JobTracker.submitJob, JobInProgress.<init>).

use types::{AccessControlList, JobAcl, JobStatus, Now};

use crate::JobTracker;
use crate::access;
use crate::effect::HistoryRecord;
use crate::error::SubmitError;
use crate::job::JobInProgress;
use crate::record::JobChange;
use crate::scheduler::JobOrder;
use crate::settings::Settings;
use crate::submission::Submission;

impl JobTracker {
    pub(crate) fn process_submission(&mut self, now: Now, submission: Submission) -> Result<JobStatus, SubmitError> {
        if self.cluster.safe_mode {
            return Err(SubmitError::SafeMode { admin: self.cluster.safe_mode_admin.clone() });
        }
        if let Some(job) = self.jobs.get(&submission.job) {
            return Ok(job.status.clone());
        }
        self.check_submission(&submission)?;
        Ok(self.add_job(now, submission))
    }

    /// The checks in Hadoop's order.
    fn check_submission(&mut self, submission: &Submission) -> Result<(), SubmitError> {
        self.check_user(submission)?;
        let queue = || submission.queue.clone();
        let Some(running) = self.queues.get(&submission.queue).map(|queue| queue.running) else {
            return Err(SubmitError::NoSuchQueue { queue: queue() });
        };
        check_tasks(submission, self.cluster.settings.tasks_per_job_max)?;
        if !running {
            return Err(SubmitError::QueueStopped { queue: queue() });
        }
        access::check_submission(&mut self.cluster, &self.queues, submission).map_err(SubmitError::Access)?;
        check_memory(submission, &self.cluster.settings)?;
        self.scheduler.check_submission(&self.jobs, submission)
    }

    fn check_user(&mut self, submission: &Submission) -> Result<(), SubmitError> {
        let caller = &submission.caller.user;
        match submission.user_name.as_ref().filter(|named| *named != caller) {
            None => Ok(()),
            Some(named) => {
                let error = SubmitError::WrongUser { named: named.clone(), caller: caller.clone() };
                access::audit_wrong_user(&mut self.cluster, submission, named, error.to_string());
                Err(error)
            }
        }
    }

    pub(crate) fn add_job(&mut self, now: Now, submission: Submission) -> JobStatus {
        let id = submission.job.clone();
        self.cluster.journal.note(now, &id, || JobChange::Submitted(Box::new(submission.clone())));
        if *id.jt_identifier == *self.cluster.identity.identifier {
            // A recovered job's number is not given again.
            self.next_job = self.next_job.max(id.number.saturating_add(1));
        }
        access::audit_submission(&mut self.cluster, &submission);
        self.cluster.totals.jobs_submitted += 1;
        let acls_enabled = self.cluster.settings.acls_enabled;
        self.cluster.history(HistoryRecord::JobSubmitted {
            submit_time: now.wall.0,
            view_job: acl_text(&submission, JobAcl::ViewJob, acls_enabled),
            modify_job: acl_text(&submission, JobAcl::ModifyJob, acls_enabled),
            restarts: 0,
            submission: Box::new(submission.clone()),
        });
        self.cluster.history(HistoryRecord::JobPriority { job: id.clone(), priority: submission.priority });
        let job = JobInProgress::new(now, submission);
        let status = job.status.clone();
        let order = JobOrder::of(&job);
        self.incomplete.insert(id.clone());
        self.jobs.insert(id, job);
        self.scheduler.job_added(now, &mut self.cluster, &mut self.jobs, order);
        self.initialize_jobs_if_due();
        self.settle(now);
        status
    }
}

/// A job's access list as history tells it: everybody when lists are off.
fn acl_text(submission: &Submission, acl: JobAcl, enabled: bool) -> String {
    if !enabled {
        return AccessControlList::everybody().to_string();
    }
    let list = submission.acls.iter().find(|(which, _)| *which == acl).map(|(_, list)| list);
    list.map_or_else(|| AccessControlList::default().to_string(), AccessControlList::to_string)
}

fn check_tasks(submission: &Submission, limit: i32) -> Result<(), SubmitError> {
    for (what, value) in [("mapred.map.tasks", submission.maps), ("mapred.reduce.tasks", submission.reduces)] {
        if value < 0 {
            return Err(SubmitError::Negative { job: submission.job.clone(), what, value });
        }
    }
    let tasks = i64::from(submission.maps) + i64::from(submission.reduces);
    if limit > 0 && tasks > i64::from(limit) {
        return Err(SubmitError::TooManyTasks { tasks, limit });
    }
    Ok(())
}

/// Memory counts only where the cluster sets all four of its limits (Hadoop 1.2.1: JobTracker.checkMemoryRequirements).
fn check_memory(submission: &Submission, settings: &Settings) -> Result<(), SubmitError> {
    let limits = [
        settings.map_slot_memory_mb,
        settings.reduce_slot_memory_mb,
        settings.map_memory_max_mb,
        settings.reduce_memory_max_mb,
    ];
    if limits.iter().any(|limit| *limit < 0) {
        return Ok(());
    }
    let (map, reduce) = (submission.map_memory_mb, submission.reduce_memory_mb);
    let wrong = if map > settings.map_memory_max_mb || reduce > settings.reduce_memory_max_mb {
        "Exceeds the cluster's max-memory-limit."
    } else if map < 0 || reduce < 0 {
        "Invalid job requirements."
    } else {
        return Ok(());
    };
    Err(SubmitError::Memory(format!("{}({map} memForMapTasks {reduce} memForReduceTasks): {wrong}", submission.job)))
}
