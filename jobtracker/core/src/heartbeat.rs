//! One heartbeat, top to bottom (Hadoop 1.2.1: JobTracker.heartbeat, processHeartbeat).

use std::time::Duration;

use types::{HeartbeatResponse, Now, TaskAttemptId, TaskKind, TaskState, TaskStatus, TaskTrackerAction};

use crate::cluster::Cluster;
use crate::error::HeartbeatError;
use crate::trackers::TrackerKey;
use crate::{Heartbeat, JobTracker};

/// What a TaskTracker waits that is told to start anew.
const REINIT_INTERVAL: Duration = Duration::from_millis(300);

impl JobTracker {
    /// The eight steps.
    pub(crate) fn process_heartbeat(
        &mut self,
        now: Now,
        mut beat: Heartbeat,
    ) -> Result<HeartbeatResponse, HeartbeatError> {
        self.admit(&beat)?;
        self.forgive_or_age(now, &beat);
        if let Some(answer) = self.resend_or_reinit(&beat) {
            return Ok(answer);
        }
        let reports = std::mem::take(&mut beat.status.tasks);
        let (response_id, accepts_tasks) = (beat.response_id, beat.accept_new_tasks);
        let tracker = self.register(now, beat, &reports);
        let missing = self.missing_after_restart(tracker, &reports);
        self.update_attempts(now, tracker, reports);
        self.end_missing(now, missing);
        let mut actions = self.assign(now, tracker, accepts_tasks);
        self.add_orders(tracker, &mut actions);
        Ok(self.answer(tracker, response_id, actions))
    }

    /// 1. Only hosts that may take part are heard.
    fn admit(&self, beat: &Heartbeat) -> Result<(), HeartbeatError> {
        match self.cluster.settings.hosts.allow(&beat.status.host) {
            true => Ok(()),
            false => Err(HeartbeatError::Disallowed { tracker: beat.status.name.clone() }),
        }
    }

    /// 2. A restart by hand clears a host's faults; else they age.
    fn forgive_or_age(&mut self, now: Now, beat: &Heartbeat) {
        let cluster = &mut self.cluster;
        let host = cluster.topology.host(&beat.status.host);
        if !beat.restarted {
            cluster.faulty.age(now.wall.0, host);
        } else if cluster.faulty.forgive(host) {
            cluster.trackers.count_host(host, true);
        }
    }

    /// 3. A tracker that nobody knows starts anew; one that missed its last answer gets it again, unprocessed.
    fn resend_or_reinit(&self, beat: &Heartbeat) -> Option<HeartbeatResponse> {
        if beat.initial_contact {
            return None;
        }
        let trackers = &self.cluster.trackers;
        match trackers.key(&beat.status.name).and_then(|key| trackers.get(key)) {
            None => Some(HeartbeatResponse {
                response_id: beat.response_id,
                interval_ms: REINIT_INTERVAL.as_millis() as i32,
                actions: vec![TaskTrackerAction::Reinit],
                recovered_jobs: Vec::new(),
            }),
            Some(known) => known.response.clone().filter(|response| response.response_id != beat.response_id),
        }
    }

    /// 4. The report is stored. A known tracker that starts anew has lost what it had.
    fn register(&mut self, now: Now, beat: Heartbeat, reports: &[TaskStatus]) -> TrackerKey {
        self.cluster.totals.heartbeats += 1;
        let host = self.cluster.topology.host(&beat.status.host);
        let key = self.cluster.trackers.intern(&beat.status.name, host);
        let known = self.cluster.trackers.get(key).is_some();
        if known && beat.initial_contact {
            self.lose_attempts(now, key);
        }
        let cluster = &mut self.cluster;
        let node = cluster.topology.place(host, &beat.rack);
        let was_there = cluster.trackers.set_site(key, node, beat.status.http_port);
        let had_slots = cluster.trackers.get(key).map(|known| known.slots);
        let counts = !cluster.faulty.is_blacklisted(host);
        let (healthy, health_report) = (beat.status.health.healthy, beat.status.health.report.clone());
        let tracker = cluster.trackers.report(now, key, node, beat.status, reports, counts);
        tracker.accepts_tasks = beat.accept_new_tasks;
        let slots = tracker.slots;
        if !known {
            cluster.trackers.watch(now, key);
            cluster.more_work();
        }
        if !was_there || had_slots != Some(slots) {
            cluster.note_tracker(key);
        }
        if let Some(blacklisted) = cluster.faulty.set_health(now.wall.0, host, healthy, &health_report) {
            cluster.trackers.count_host(host, !blacklisted);
        }
        key
    }

    /// 5. Reports go to their jobs.
    fn update_attempts(&mut self, now: Now, tracker: TrackerKey, reports: Vec<TaskStatus>) {
        let mut commit_pending = Vec::new();
        for status in reports {
            if status.state == TaskState::CommitPending {
                commit_pending.push(status.attempt.clone());
            }
            self.update_attempt(now, tracker, status);
        }
        if let Some(tracker) = self.cluster.trackers.get_mut(tracker) {
            tracker.commit_pending = commit_pending;
        }
        self.settle(now);
    }

    fn update_attempt(&mut self, now: Now, tracker: TrackerKey, mut status: TaskStatus) {
        let lost_maps = status.reduce.as_mut().map(|r| std::mem::take(&mut r.failed_fetches)).unwrap_or_default();
        let id = &status.attempt;
        let Some(job) = self.jobs.get_mut(id.job()).filter(|job| !job.is_over()) else {
            if let Some(tracker) = self.cluster.trackers.get_mut(tracker) {
                tracker.jobs_to_kill.insert(id.job().clone());
            }
            return;
        };
        let task = job.find(id.kind(), id.task.number).filter(|_| job.is_inited());
        let attempt = task.and_then(|task| job.task_mut(task).attempt_mut(id.number));
        match (task, attempt.filter(|attempt| attempt.entry == Some(tracker))) {
            (Some(task), Some(attempt)) => {
                if status.state != TaskState::Unassigned {
                    attempt.last_reported = Some(now.mono);
                }
                job.update_task_status(now, &mut self.cluster, task, status);
            }
            _ => stray(&mut self.cluster, tracker, &status),
        }
        for map in lost_maps {
            self.fetch_failed(now, &map);
        }
    }

    fn fetch_failed(&mut self, now: Now, map: &TaskAttemptId) {
        if let Some(job) = self.jobs.get_mut(map.job()).filter(|job| map.kind().is_map() && job.is_inited()) {
            job.fetch_failed(now, &mut self.cluster, map.task.number, map.number);
        }
    }

    /// 6. Setups and cleanups come first; only if there is none is the scheduler asked.
    fn assign(&mut self, now: Now, tracker: TrackerKey, accepts_tasks: bool) -> Vec<TaskTrackerAction> {
        let blacklisted = self.cluster.faulty.is_blacklisted(self.cluster.trackers.host(tracker));
        if blacklisted {
            self.scheduler.tracker_lost(now, &mut self.jobs, tracker);
        }
        if !accepts_tasks || blacklisted || self.cluster.safe_mode {
            return Vec::new();
        }
        let tasks = match self.assign_special(now, tracker) {
            Some(task) => vec![task],
            None => self.scheduler.assign_tasks(now, &mut self.cluster, &mut self.jobs, tracker),
        };
        self.settle(now);
        let idle_at = tasks.is_empty().then_some(self.cluster.work);
        if let Some(tracker) = self.cluster.trackers.get_mut(tracker) {
            tracker.idle_at = idle_at;
            for kind in TaskKind::BOTH {
                let handed_out = tracker.handed_out.get(kind);
                assert!(
                    handed_out == 0 || handed_out <= tracker.slots.get(kind) - tracker.occupied.get(kind),
                    "{handed_out} {kind:?} slots handed to a tracker with {:?} slots, {:?} of them taken",
                    tracker.slots,
                    tracker.occupied
                );
            }
        }
        tasks.into_iter().map(|task| TaskTrackerAction::Launch(Box::new(task))).collect()
    }

    /// The first setup or cleanup that fits: a map slot before a reduce slot; in each a job's cleanup, an attempt's
    /// cleanup, a job's setup; of each kind that of the first job (Hadoop 1.2.1: JobTracker.getSetupAndCleanupTasks).
    fn assign_special(&mut self, now: Now, tracker: TrackerKey) -> Option<types::Task> {
        let known = self.cluster.trackers.get(tracker)?;
        let has_room = |kind: &TaskKind| known.occupied.get(*kind) < known.slots.get(*kind);
        let slots: Vec<TaskKind> = TaskKind::BOTH.into_iter().filter(has_room).collect();
        let jobs = &mut self.jobs;
        let cluster = &mut self.cluster;
        for slot in slots {
            for what in [Special::JobCleanup, Special::TaskCleanup, Special::Setup] {
                for id in &self.special_jobs {
                    let Some(job) = jobs.get_mut(id) else { continue };
                    let task = match what {
                        Special::JobCleanup => job.obtain_cleanup(now, cluster, tracker, slot),
                        Special::TaskCleanup => job.obtain_task_cleanup(now, cluster, tracker, slot),
                        Special::Setup => job.obtain_setup(now, cluster, tracker, slot),
                    };
                    if task.is_some() {
                        return task;
                    }
                }
            }
        }
        None
    }

    /// 7. What to end, what to clean up, what may commit; in this order after the launches.
    fn add_orders(&mut self, tracker: TrackerKey, actions: &mut Vec<TaskTrackerAction>) {
        let Some(known) = self.cluster.trackers.get_mut(tracker) else { return };
        let jobs = &mut self.jobs;
        known.suspects.retain(|id| {
            let Some(job) = jobs.get_mut(id.job()).filter(|job| !job.is_over()) else { return false };
            let Some(task) = job.find(id.kind(), id.task.number) else { return false };
            let tip = job.task_mut(task);
            if !tip.should_close(id.number) {
                return true;
            }
            tip.close(id.number);
            actions.push(TaskTrackerAction::KillTask(id.clone()));
            // One that somebody wants dead, or that may not commit, is killed until it is.
            tip.attempt(id.number).is_some_and(|attempt| attempt.must_end()) || tip.is_refused_commit(id.number)
        });
        actions.extend(std::mem::take(&mut known.strays).into_iter().map(TaskTrackerAction::KillTask));
        actions.extend(std::mem::take(&mut known.jobs_to_kill).into_iter().map(TaskTrackerAction::KillJob));
        for id in &known.commit_pending {
            let Some(job) = jobs.get_mut(id.job()).filter(|job| !job.is_over()) else { continue };
            let Some(task) = job.find(id.kind(), id.task.number) else { continue };
            let tip = job.task_mut(task);
            let here = tip.attempt(id.number).is_some_and(|attempt| attempt.entry == Some(tracker));
            if here && tip.should_commit(id.number) {
                tip.commit_told(id.number);
                actions.push(TaskTrackerAction::CommitTask(id.clone()));
            }
        }
    }

    /// 8. The answer is kept in case it gets lost, and what has ended leaves the tracker's books.
    fn answer(&mut self, tracker: TrackerKey, response_id: i16, actions: Vec<TaskTrackerAction>) -> HeartbeatResponse {
        let response = HeartbeatResponse {
            response_id: response_id.wrapping_add(1),
            interval_ms: self.cluster.next_interval().as_millis() as i32,
            actions,
            recovered_jobs: self.recovered_jobs(tracker),
        };
        let mut ended = Vec::new();
        if let Some(known) = self.cluster.trackers.get_mut(tracker) {
            known.response = Some(response.clone());
            known.awaited = false;
            ended = std::mem::take(&mut known.ended);
        }
        for id in ended {
            let Some(job) = self.jobs.get_mut(id.job()) else { continue };
            let Some(task) = job.find(id.kind(), id.task.number) else { continue };
            if job.task(task).attempt(id.number).is_some_and(|attempt| attempt.entry == Some(tracker)) {
                job.unregister(&mut self.cluster, task, id.number);
            }
        }
        response
    }
}

/// What comes before the scheduler is asked.
#[derive(Debug, Clone, Copy)]
enum Special {
    JobCleanup,
    TaskCleanup,
    Setup,
}

/// A tracker reports an attempt that is not its to run; one that runs must end. (Hadoop lets it go on, unseen.)
fn stray(cluster: &mut Cluster, tracker: TrackerKey, status: &TaskStatus) {
    if (status.occupies_slots() || status.state == TaskState::CommitPending)
        && let Some(tracker) = cluster.trackers.get_mut(tracker)
    {
        tracker.strays.insert(status.attempt.clone());
    }
}
