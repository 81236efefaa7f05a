//! A job ends: by success, by failure, by a user's wish (Hadoop 1.2.1: JobInProgress.jobComplete, terminate,
//! terminateJob, garbageCollect).

use types::{JobState, Monotonic, Now, TaskKind, TaskState, TaskStatus, counter_names};

use super::locality::{MapCaches, ReduceLists};
use super::state::{JobEvent, next};
use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::effect::{Effect, HistoryRecord, JobEnded, JobSummary};
use crate::record::JobChange;

impl JobInProgress {
    /// Changes the job's state; whether the event meant anything.
    pub(super) fn change_state(&mut self, event: JobEvent) -> bool {
        let Some(state) = next(self.status.state, event) else { return false };
        self.status.state = state;
        true
    }

    /// Ends the job by a user's wish: at once before it is initialised, else by way of its cleanup.
    pub(crate) fn kill(&mut self, now: Now, cluster: &mut Cluster) {
        cluster.journal.note(now, &self.id, || JobChange::Killed);
        cluster.journal.enter();
        if !self.inited {
            self.terminate(now, cluster, JobEvent::Kill);
        } else if !self.is_over() && !std::mem::replace(&mut self.killing, true) {
            self.wind_down(now, cluster);
        }
        cluster.journal.leave();
    }

    /// Ends the job as failed: at once before it is initialised, else by way of its cleanup.
    pub(crate) fn fail(&mut self, now: Now, cluster: &mut Cluster, reason: String) {
        if self.is_over() {
            return;
        }
        cluster.journal.note(now, &self.id, || JobChange::Failed(reason.clone()));
        cluster.journal.enter();
        // The first reason is the one to tell.
        if !self.failing {
            self.status.failure_info = reason;
        }
        if !self.inited {
            self.terminate(now, cluster, JobEvent::Fail);
        } else if !std::mem::replace(&mut self.failing, true) {
            self.wind_down(now, cluster);
        }
        cluster.journal.leave();
    }

    /// A restart of the JobTracker has cost the job an attempt, which it does not want to live with.
    pub(crate) fn fail_unless_recoverable(&mut self, now: Now, cluster: &mut Cluster) {
        if !self.submission.restart_recover {
            let why = "attempts were lost by a restart of the JobTracker, and mapreduce.job.restart.recover is false";
            self.fail(now, cluster, why.to_owned());
        }
    }

    /// Ends all tasks; what runs of them ends when its tracker reports.
    fn wind_down(&mut self, now: Now, cluster: &mut Cluster) {
        for kind in TaskKind::BOTH {
            let setup = self.setup_task(kind);
            self.kill_task(now, cluster, setup);
            for index in 0..self.desired(kind) {
                self.kill_task(now, cluster, TaskRef { kind, index });
            }
        }
        self.flush_cleanups(now, cluster);
        cluster.touch(&self.id);
    }

    /// Attempts that wait for a cleanup of their own do without: the job's cleanup does for all.
    fn flush_cleanups(&mut self, now: Now, cluster: &mut Cluster) {
        let waiting: Vec<_> = self.map_cleanups.drain(..).chain(self.reduce_cleanups.drain(..)).collect();
        for id in waiting {
            let Some(task) = self.find(id.kind(), id.task.number) else { continue };
            let status: Option<TaskStatus> = self.task(task).attempt(id.number).and_then(|a| a.status.clone());
            if let Some(status) = status {
                self.update_task_status(now, cluster, task, TaskStatus { diagnostics: String::new(), ..status });
            }
        }
    }

    /// All is done and committed.
    pub(super) fn succeed(&mut self, now: Now, cluster: &mut Cluster) {
        if !self.change_state(JobEvent::Succeed) {
            return;
        }
        self.status.cleanup_progress = 1.0;
        if self.maps_number() == 0 {
            self.status.map_progress = 1.0;
        }
        if self.reduces_number() == 0 {
            self.status.reduce_progress = 1.0;
        }
        self.finish_time = now.wall.0;
        self.make_slot_counters();
        let [map_counters, reduce_counters] = TaskKind::BOTH.map(|kind| self.kind_counters(kind));
        cluster.history(HistoryRecord::JobFinished {
            job: self.id.clone(),
            finish_time: self.finish_time,
            finished_maps: self.map_counts.finished,
            finished_reduces: self.reduce_counts.finished,
            failed_maps: self.map_counts.failed_attempts + self.map_counts.killed_attempts,
            failed_reduces: self.reduce_counts.failed_attempts + self.reduce_counts.killed_attempts,
            map_counters,
            reduce_counters,
            counters: self.all_counters(),
        });
        let cluster_size = cluster.size();
        for host in self.flaky.avoided() {
            cluster.faulty.add_fault(now.wall.0, host, cluster_size);
        }
        cluster.totals.jobs_completed += 1;
        self.finalize(now, cluster);
    }

    /// The job is over and did not succeed.
    pub(super) fn terminate(&mut self, now: Now, cluster: &mut Cluster, event: JobEvent) {
        if !self.change_state(event) {
            return;
        }
        self.finish_time = now.wall.0;
        self.status.map_progress = 1.0;
        self.status.reduce_progress = 1.0;
        self.status.cleanup_progress = 1.0;
        self.make_slot_counters();
        cluster.history(HistoryRecord::JobUnsuccessful {
            job: self.id.clone(),
            state: self.status.state,
            finish_time: self.finish_time,
            finished_maps: self.map_counts.finished,
            finished_reduces: self.reduce_counts.finished,
            reason: self.status.failure_info.clone(),
        });
        match self.status.state {
            JobState::Failed => cluster.totals.jobs_failed += 1,
            _ => cluster.totals.jobs_killed += 1,
        }
        self.finalize(now, cluster);
    }

    /// Hadoop's job summary asks for these counters before it is logged, and asking makes them, with 0: so every job
    /// that is over has them (Hadoop 1.2.1: JobSummary.logJobSummary).
    fn make_slot_counters(&mut self) {
        for name in
            ["SLOTS_MILLIS_MAPS", "FALLOW_SLOTS_MILLIS_MAPS", "SLOTS_MILLIS_REDUCES", "FALLOW_SLOTS_MILLIS_REDUCES"]
        {
            self.counters.increment(counter_names::JOB, name, 0);
        }
    }

    /// Leaves all tables; trackers are told to clean up after the job.
    fn finalize(&mut self, now: Now, cluster: &mut Cluster) {
        cluster.touch(&self.id);
        for kind in TaskKind::BOTH {
            for index in 0..self.tasks(kind).len() as i32 {
                self.end_quietly(now, cluster, TaskRef { kind, index });
            }
        }
        self.caches = MapCaches::default();
        self.reduce_lists = ReduceLists::default();
        self.map_cleanups.clear();
        self.reduce_cleanups.clear();
        for tracker in std::mem::take(&mut self.trackers) {
            if let Some(tracker) = cluster.trackers.get_mut(tracker) {
                tracker.jobs_to_kill.insert(self.id.clone());
            }
        }
        let summary = self.summary(cluster);
        cluster.effects.push(Effect::JobEnded(Box::new(JobEnded {
            job: self.id.clone(),
            state: self.status.state,
            staging_dir: (!self.submission.keep_files).then(|| self.submission.staging_dir.clone()),
            cancel_tokens: self.submission.cancel_tokens,
            notification: self.submission.notification.clone(),
            summary,
        })));
    }

    /// Ends what is left of a task when its job is over (a map whose output got lost while the job was cleaned up): its
    /// trackers end it on the order to clean up after the job, and report nothing more.
    fn end_quietly(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef) {
        self.task_mut(task).kill(now);
        for number in 0..self.task(task).attempts().len() as i32 {
            self.unregister(cluster, task, number);
            self.stop_counting(task, number);
            let id = self.task(task).attempt_id(&self.id, number);
            self.task_mut(task).abandon(&id);
        }
        self.recount(cluster, task);
    }

    fn summary(&self, cluster: &Cluster) -> JobSummary {
        let counter = |name| self.counters.get(counter_names::JOB, name).unwrap_or(0);
        JobSummary {
            submit_time: self.status.start_time,
            launch_time: self.launch_time,
            first_map_launch: self.first_launches.map,
            first_reduce_launch: self.first_launches.reduce,
            first_setup_launch: self.first_launches.setup,
            first_cleanup_launch: self.first_launches.cleanup,
            finish_time: self.finish_time,
            maps: if self.inited { self.maps_number() } else { 0 },
            slots_per_map: self.slots.maps,
            reduces: if self.inited { self.reduces_number() } else { 0 },
            slots_per_reduce: self.slots.reduces,
            user: self.status.user.clone(),
            queue: self.submission.queue.clone(),
            map_slot_seconds: (counter("SLOTS_MILLIS_MAPS") + counter("FALLOW_SLOTS_MILLIS_MAPS")) / 1000,
            reduce_slot_seconds: (counter("SLOTS_MILLIS_REDUCES") + counter("FALLOW_SLOTS_MILLIS_REDUCES")) / 1000,
            cluster_map_slots: cluster.trackers.slots.maps,
            cluster_reduce_slots: cluster.trackers.slots.reduces,
            name: self.submission.name.clone(),
        }
    }

    /// A tracker is lost: what of the job ran or lay there must run again. Tells whether anything did
    /// (Hadoop 1.2.1: JobTracker.lostTaskTracker).
    pub(crate) fn lost(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32, reason: &str) -> bool {
        let place = task.place();
        cluster.journal.note(now, &self.id, || JobChange::Lost { task: place, number, reason: reason.to_owned() });
        cluster.journal.enter();
        let lost = self.lose(now, cluster, task, number, reason);
        cluster.journal.leave();
        lost
    }

    fn lose(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32, reason: &str) -> bool {
        let tip = self.task(task);
        // Hadoop runs a map again even when no reduce is left to read it.
        let has_output = task.kind.is_map() && tip.is_map_or_reduce() && !self.all_done(TaskKind::Reduce);
        // Nor does it end those that another attempt of the task has overtaken.
        let runs = tip.attempt(number).is_some_and(|attempt| attempt.active);
        if self.is_over() || (tip.is_complete() && !has_output && !runs) {
            self.unregister(cluster, task, number);
            return false;
        }
        let running = tip.attempt(number).is_some_and(|attempt| attempt.is_state(TaskState::Running));
        let state = if running && tip.is_map_or_reduce() { TaskState::KilledUnclean } else { TaskState::Killed };
        self.end_attempt(now, cluster, task, number, state, reason);
        self.unregister(cluster, task, number);
        // A job that ends needs no output any more.
        if self.is_ending() && self.task(task).is_runnable() && self.task(task).is_map_or_reduce() {
            self.kill_task(now, cluster, task);
        }
        true
    }

    /// A tracker on that host is lost, and with it something of the job.
    pub(crate) fn penalize_host(&mut self, now: Now, cluster: &mut Cluster, host: crate::topology::HostKey) {
        if cluster.journal.wants() {
            let (name, cluster_size) = (cluster.topology.host_name(host).to_string(), self.flaky.cluster_size);
            cluster.journal.note(now, &self.id, || JobChange::HostPenalized { host: name, cluster_size });
        }
        self.flaky.add_failure(host);
    }

    /// Looks at an attempt whose tracker has not told of it for long: it never appeared, or is gone without an end.
    /// (Hadoop waits for the latter for ever.) Tells until when it was heard of, if that is not too long ago.
    pub(crate) fn expire_attempt(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        task: TaskRef,
        number: i32,
        since: Monotonic,
    ) -> Option<Monotonic> {
        let attempt = self.task(task).attempt(number).filter(|attempt| attempt.active && attempt.entry.is_some())?;
        match attempt.last_reported {
            Some(heard) if heard >= since => return Some(heard),
            Some(_) => {
                let tracker = cluster.trackers.name(attempt.place()).clone();
                self.lost(now, cluster, task, number, &format!("Vanished from task tracker: {tracker}"));
            }
            None => self.end_attempt(now, cluster, task, number, TaskState::Failed, "Error launching task"),
        }
        None
    }
}
