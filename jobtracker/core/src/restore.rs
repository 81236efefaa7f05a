//! A state made again from records, and what becomes of it as trackers come back
//! (Hadoop 1.2.1: JobTracker.RecoveryManager, which runs every task again).
//!
//! Trackers from before the restart count as registered. The first heartbeat of each tells what of its attempts it has:
//! those that it was never handed, because the answer was lost, run again elsewhere; all others go on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use types::{JobId, Millis, Monotonic, Now, TaskAttemptId, TaskKind, TaskState, TaskStatus};

use crate::JobTracker;
use crate::cluster::Cluster;
use crate::effect::{Effect, TaskType};
use crate::job::{JobInProgress, TaskRef};
use crate::record::{ClusterRecord, JobChange, JobRecord, TaskPlace, TrackerPlace};
use crate::scheduler::JobOrder;
use crate::settings::{Identity, Settings};
use crate::submission::Submission;
use crate::trackers::TrackerKey;
use crate::views::Totals;

impl JobTracker {
    /// Makes a state from the records of an earlier one: first what all jobs share, then the jobs, each with its changes
    /// in order. Effects that wait afterwards: the whole history of each job, the end of each that is over (which
    /// may have been told before), and what jobs need that are not initialised yet.
    pub fn restore(
        settings: Settings,
        identity: Identity,
        now: Now,
        cluster: impl IntoIterator<Item = ClusterRecord>,
        jobs: impl IntoIterator<Item = JobRecord>,
    ) -> JobTracker {
        let mut tracker = JobTracker::new(settings, identity, now);
        tracker.cluster.journal.set_restoring(true, false);
        let shared = SharedState::of(cluster);
        shared.register_trackers(now, &mut tracker.cluster);
        let mut last = Millis::MIN;
        for record in jobs {
            last = last.max(record.at);
            let then = earlier(now, record.at);
            tracker.make_change(then, record);
        }
        shared.finish(now, &mut tracker.cluster);
        tracker.resume(now, last);
        tracker
    }

    /// What all jobs share, as records from which [`JobTracker::restore`] makes it again.
    pub fn cluster_records(&self) -> Vec<ClusterRecord> {
        let cluster = &self.cluster;
        let trackers = cluster.trackers.iter().filter_map(|tracker| cluster.tracker_record(tracker.key));
        let faults = cluster.faulty.hosts().filter_map(|host| {
            cluster.faulty.faults_of(host, cluster.topology.host_name(host)).map(ClusterRecord::Faults)
        });
        trackers.chain(faults).collect()
    }

    fn make_change(&mut self, now: Now, record: JobRecord) {
        let JobRecord { job: id, change, .. } = record;
        match change {
            JobChange::Submitted(submission) => self.submit_again(now, &id, *submission),
            JobChange::Inited(splits) => self.splits_read(now, &id, Ok(splits)),
            JobChange::Priority(priority) => {
                if let Some(job) = self.jobs.get_mut(&id) {
                    let old = JobOrder::of(job);
                    job.status.priority = priority;
                    self.scheduler.job_reordered(old, JobOrder::of(job));
                    self.cluster.history(crate::HistoryRecord::JobPriority { job: id, priority });
                }
            }
            change => {
                if let Some(job) = self.jobs.get_mut(&id).filter(|job| !job.is_over()) {
                    job.make_change(now, &mut self.cluster, change);
                }
            }
        }
        self.settle(now);
    }

    /// A submission is kept before it is taken, and once more as it was taken: the last one counts.
    fn submit_again(&mut self, now: Now, id: &JobId, submission: Submission) {
        if let Some(job) = self.jobs.remove(id) {
            self.scheduler.job_ended(&JobOrder::of(&job));
            self.incomplete.remove(id);
            self.cluster.effects.retain(|effect| !matches!(effect, Effect::History(record) if record.job() == id));
        }
        self.add_job(now, submission);
    }

    /// The state is made; from here on it goes on.
    fn resume(&mut self, now: Now, last: Millis) {
        self.cluster.unwatch_all();
        self.cluster.totals = Totals::default();
        let incomplete: Vec<JobId> = self.incomplete.iter().cloned().collect();
        let mut uninited = Vec::new();
        for id in &incomplete {
            let Some(job) = self.jobs.get_mut(id) else { continue };
            job.resume(now, &mut self.cluster);
            if job.awaits_splits() {
                uninited.push(Effect::ReadSplits { job: id.clone() });
            }
        }
        self.settle(now);
        self.forget_old_ends(last);
        let cluster = &mut self.cluster;
        cluster.effects.retain(|effect| matches!(effect, Effect::History(_) | Effect::JobEnded(_)));
        cluster.effects.extend(uninited);
        cluster.journal.set_last_at(last);
        cluster.journal.restored = incomplete.into_iter().collect();
        let on = cluster.settings.journal;
        cluster.journal.set_restoring(false, on);
    }

    /// Trackers are told to clean up only after jobs that ended so shortly before the restart that they may not know.
    fn forget_old_ends(&mut self, last: Millis) {
        let expiry = i64::try_from(self.cluster.settings.tracker_expiry.as_millis()).unwrap_or(i64::MAX);
        let since = last.saturating_sub(expiry);
        let old: BTreeSet<JobId> = self
            .jobs
            .values()
            .filter(|job| job.is_over() && job.finish_time < since)
            .map(|job| job.id.clone())
            .collect();
        for tracker in self.cluster.trackers.iter_mut() {
            tracker.jobs_to_kill.retain(|job| !old.contains(job));
        }
    }

    /// Attempts that ran on a tracker before a restart, or were handed to it, and that its first report since does not
    /// name: it never got them.
    pub(crate) fn missing_after_restart(&self, tracker: TrackerKey, reports: &[TaskStatus]) -> Vec<TaskAttemptId> {
        let Some(known) = self.cluster.trackers.get(tracker).filter(|known| known.awaited) else { return Vec::new() };
        let reported: BTreeSet<&TaskAttemptId> = reports.iter().map(|status| &status.attempt).collect();
        let is_active = |id: &&TaskAttemptId| {
            let job = self.jobs.get(id.job());
            let tip = job.and_then(|job| Some(job.task(job.find(id.kind(), id.task.number)?)));
            tip.and_then(|tip| tip.attempt(id.number)).is_some_and(|attempt| attempt.active)
        };
        known.attempts.iter().filter(|id| !reported.contains(id)).filter(is_active).cloned().collect()
    }

    /// Has attempts run again that their tracker never got.
    pub(crate) fn end_missing(&mut self, now: Now, missing: Vec<TaskAttemptId>) {
        if missing.is_empty() {
            return;
        }
        for id in missing {
            let Some(job) = self.jobs.get_mut(id.job()) else { continue };
            let Some(task) = job.find(id.kind(), id.task.number) else { continue };
            let reason = "Never reached its task tracker, since the JobTracker was restarted";
            if job.lost(now, &mut self.cluster, task, id.number, reason) {
                job.fail_unless_recoverable(now, &mut self.cluster);
            }
        }
        self.settle(now);
    }

    /// In its first answer after a restart a tracker is told which jobs went on, so that it reads their completion
    /// events anew.
    pub(crate) fn recovered_jobs(&self, tracker: TrackerKey) -> Vec<JobId> {
        if !self.cluster.trackers.get(tracker).is_some_and(|known| known.awaited) {
            return Vec::new();
        }
        let restored = self.cluster.journal.restored.iter().filter_map(|id| self.jobs.get(id));
        restored.filter(|job| !job.is_over() && job.has_been_on(tracker)).map(|job| job.id.clone()).collect()
    }
}

impl JobInProgress {
    /// Makes a change again.
    fn make_change(&mut self, now: Now, cluster: &mut Cluster, change: JobChange) {
        match change {
            JobChange::Killed => self.kill(now, cluster),
            JobChange::Failed(reason) => self.fail(now, cluster, reason),
            JobChange::HostPenalized { host, cluster_size } => {
                self.flaky.cluster_size = cluster_size;
                let host = cluster.topology.host(&host);
                self.penalize_host(now, cluster, host);
            }
            JobChange::Launched { task, tracker, cluster_size } => {
                self.flaky.cluster_size = cluster_size;
                self.launch_again(now, cluster, task, &tracker);
            }
            JobChange::CleanupLaunched { task, number, tracker } => {
                let Some(task) = self.known(task, number) else { return };
                let tracker = place(cluster, &tracker);
                let id = self.task(task).attempt_id(&self.id, number);
                self.take_cleanup(&id);
                self.launch_cleanup(now, cluster, tracker, task, number);
            }
            JobChange::Reported { status, safe_mode, cluster_size } => {
                let Some((task, status)) = self.own(status) else { return };
                self.flaky.cluster_size = cluster_size;
                cluster.safe_mode = safe_mode;
                self.update_task_status(now, cluster, task, status);
                cluster.safe_mode = false;
            }
            JobChange::Ended { status, safe_mode, cluster_size } => {
                let Some((task, status)) = self.own(status) else { return };
                self.flaky.cluster_size = cluster_size;
                cluster.safe_mode = safe_mode;
                self.end_with(now, cluster, task, status);
                cluster.safe_mode = false;
            }
            JobChange::Lost { task, number, reason } => {
                if let Some(task) = self.known(task, number) {
                    self.lost(now, cluster, task, number, &reason);
                }
            }
            JobChange::KillWished { task, number, fail } => {
                let Some(task) = self.known(task, number) else { return };
                let id = self.task(task).attempt_id(&self.id, number);
                self.task_mut(task).wish_end(&id, fail);
                if let Some(tracker) = self.task(task).attempt(number).and_then(|attempt| attempt.entry) {
                    cluster.trackers.suspect(tracker, id);
                }
            }
            // These are the JobTracker's to make.
            JobChange::Submitted(_) | JobChange::Inited(_) | JobChange::Priority(_) => {}
        }
    }

    fn launch_again(&mut self, now: Now, cluster: &mut Cluster, task: TaskPlace, tracker: &TrackerPlace) {
        let Some(task) = self.find(task.kind, task.number) else { return };
        let tracker = place(cluster, tracker);
        match self.task(task).spec.task_type {
            TaskType::Map => self.schedule_map(cluster, task.index),
            TaskType::Reduce => self.schedule_reduce(task.index),
            TaskType::Setup | TaskType::Cleanup => {}
        }
        self.launch(now, cluster, tracker, task);
    }

    /// A status under an id that shares its memory with the job's, and the task that it is of.
    fn own(&self, status: Box<TaskStatus>) -> Option<(TaskRef, TaskStatus)> {
        let number = status.attempt.number;
        let task = self.known(TaskPlace::of(&status.attempt), number)?;
        let attempt = self.task(task).attempt_id(&self.id, number);
        Some((task, TaskStatus { attempt, ..*status }))
    }

    /// The task of an attempt, if there are both.
    fn known(&self, task: TaskPlace, number: i32) -> Option<TaskRef> {
        let task = self.find(task.kind, task.number)?;
        self.task(task).attempt(number).map(|_| task)
    }

    /// Attempts that are registered are watched from now on; those whose tracker is not known are lost.
    fn resume(&mut self, now: Now, cluster: &mut Cluster) {
        for kind in TaskKind::BOTH {
            for index in 0..self.tasks(kind).len() as i32 {
                let task = TaskRef { kind, index };
                for number in 0..self.task(task).attempts().len() as i32 {
                    self.resume_attempt(now, cluster, task, number);
                }
            }
        }
    }

    fn resume_attempt(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let id = self.task(task).attempt_id(&self.id, number);
        let Some(attempt) = self.task_mut(task).attempt_mut(number) else { return };
        let Some(tracker) = attempt.entry else { return };
        if cluster.trackers.get(tracker).is_none() {
            self.lost(now, cluster, task, number, "Its task tracker is not known since the JobTracker was restarted");
            return;
        }
        attempt.watched = now.mono;
        let appeared = attempt.state().is_some_and(|state| state != TaskState::Unassigned);
        attempt.last_reported = appeared.then_some(now.mono);
        cluster.watch_again(now.mono, id);
    }
}

/// What all jobs share, as its records leave it.
#[derive(Debug, Default)]
struct SharedState {
    trackers: BTreeMap<String, (TrackerPlace, i32, i32)>,
    faults: BTreeMap<String, crate::HostFaults>,
}

impl SharedState {
    fn of(records: impl IntoIterator<Item = ClusterRecord>) -> Self {
        let mut state = SharedState::default();
        for record in records {
            match record {
                ClusterRecord::Tracker { place, map_slots, reduce_slots } => {
                    state.trackers.insert(place.name.clone(), (place, map_slots, reduce_slots));
                }
                ClusterRecord::TrackerGone { name } => {
                    state.trackers.remove(&name);
                }
                ClusterRecord::Faults(faults) => {
                    state.faults.insert(faults.host.clone(), faults);
                }
                ClusterRecord::NoFaults { host } => {
                    state.faults.remove(&host);
                }
            }
        }
        state
    }

    fn register_trackers(&self, now: Now, cluster: &mut Cluster) {
        for (tracker, map_slots, reduce_slots) in self.trackers.values() {
            let key = place(cluster, tracker);
            let Some((node, _)) = cluster.trackers.site(key) else { continue };
            let status = types::TaskTrackerStatus {
                name: tracker.name.clone(),
                host: tracker.host.clone(),
                http_port: tracker.http_port,
                task_failures: 0,
                dir_failures: 0,
                max_map_slots: *map_slots,
                max_reduce_slots: *reduce_slots,
                resources: types::ResourceStatus::default(),
                tasks: Vec::new(),
                health: types::TaskTrackerHealthStatus::default(),
            };
            cluster.trackers.report(now, key, node, status, &[], true).awaited = true;
            cluster.trackers.watch(now, key);
        }
    }

    /// Once the jobs are made, what they left of older places and of faults gives way to what is so now.
    fn finish(self, now: Now, cluster: &mut Cluster) {
        for (tracker, ..) in self.trackers.values() {
            let key = place(cluster, tracker);
            if let Some(known) = cluster.trackers.get_mut(key) {
                known.last_seen = now;
                known.ended.clear();
                known.handed_out = crate::trackers::PerKind::default();
            }
        }
        cluster.faulty = crate::faulty_trackers::FaultyTrackers::new(&cluster.settings);
        for (name, faults) in self.faults {
            let host = cluster.topology.host(&name);
            cluster.faulty.restore(host, faults);
            if cluster.faulty.is_blacklisted(host) {
                cluster.trackers.count_host(host, false);
            }
        }
    }
}

/// The key of a tracker that a record names.
fn place(cluster: &mut Cluster, tracker: &TrackerPlace) -> TrackerKey {
    let host = cluster.topology.host(&tracker.host);
    let node = cluster.topology.place(host, &tracker.rack);
    let key = cluster.trackers.intern(&tracker.name, host);
    cluster.trackers.set_site(key, node, tracker.http_port);
    key
}

/// Both clocks at an earlier moment, of which only the wall clock was kept.
fn earlier(now: Now, wall: Millis) -> Now {
    let ago = Duration::from_millis(u64::try_from(now.wall.0.saturating_sub(wall)).unwrap_or(0));
    Now { mono: Monotonic(now.mono.0.saturating_sub(ago)), wall: types::Wall(wall) }
}
