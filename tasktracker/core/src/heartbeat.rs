//! What a heartbeat says, and what its answer causes (Hadoop 1.2.1: TaskTracker.transmitHeartBeat, offerService,
//! cloneAndResetRunningTaskStatuses, killOverflowingTasks).

use std::time::Duration;

use types::{
    HeartbeatResponse, JobId, Now, Phase, TaskAttemptId, TaskKind, TaskState, TaskStatus, TaskTrackerAction,
    TaskTrackerStatus,
};

use crate::attempt::{End, is_final};
use crate::child::RunId;
use crate::settings::NodeReport;
use crate::{COUNTERS_EVERY, TaskTracker};

/// A heartbeat's parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Heartbeat {
    /// The report.
    pub status: TaskTrackerStatus,
    /// The process is new.
    pub restarted: bool,
    /// The JobTracker does not know this tracker's state yet.
    pub initial_contact: bool,
    /// There is room for tasks.
    pub accept_new_tasks: bool,
    /// Of the last answer.
    pub response_id: i16,
}

/// What an answer makes of the tracker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// It goes on.
    GoOn,
    /// It ends everything, forgets everything and registers anew.
    Reinitialize,
}

impl TaskTracker {
    /// The next heartbeat. Until [`TaskTracker::heartbeat_answered`] the report stays the same, so that a lost one can
    /// be sent again under its response id.
    pub fn heartbeat(&mut self, now: Now, node: &NodeReport) -> Heartbeat {
        self.kill_for_space(now, node);
        let status = match self.pending_status.take() {
            Some(status) => status,
            None => self.report(now, node),
        };
        self.pending_status = Some(status.clone());
        let free = TaskKind::BOTH.into_iter().any(|kind| status.occupied_slots(kind) < status.max_slots(kind));
        Heartbeat {
            accept_new_tasks: free && self.accept_new_tasks && enough(node, self.settings.min_space_start),
            status,
            restarted: self.restarted,
            initial_contact: self.initial_contact,
            response_id: self.response_id,
        }
    }

    fn report(&mut self, now: Now, node: &NodeReport) -> TaskTrackerStatus {
        let with_counters = self.counters_sent.is_none_or(|sent| now.mono - sent > COUNTERS_EVERY);
        if with_counters {
            self.counters_sent = Some(now.mono);
        }
        let reported: Vec<RunId> = self.reported.values().copied().collect();
        let tasks = reported.into_iter().map(|id| self.report_attempt(id, with_counters)).collect();
        TaskTrackerStatus {
            name: self.settings.name.clone(),
            host: self.settings.host.clone(),
            http_port: self.settings.http_port,
            task_failures: self.task_failures,
            dir_failures: node.dir_failures,
            max_map_slots: self.settings.map_slots,
            max_reduce_slots: self.settings.reduce_slots,
            resources: node.resources,
            tasks,
            health: node.health.clone(),
        }
    }

    /// An attempt's report; what was news is not told twice.
    fn report_attempt(&mut self, id: RunId, with_counters: bool) -> TaskStatus {
        let status = &mut self.run_mut(id).status;
        let mut report = status.clone();
        if !with_counters && report.state == TaskState::Running {
            report.counters = None;
        }
        status.diagnostics.clear();
        if let Some(reduce) = &mut status.reduce {
            reduce.failed_fetches.clear();
        }
        report
    }

    /// Takes the answer to the last [`TaskTracker::heartbeat`] and does what it says, in its order.
    pub fn heartbeat_answered(&mut self, now: Now, response: HeartbeatResponse) -> Answered {
        self.response_id = response.response_id;
        if let Some(told) = self.pending_status.take() {
            self.forget_told(&told);
        }
        self.reset_events(&response.recovered_jobs);
        if response.actions.contains(&TaskTrackerAction::Reinit) {
            return Answered::Reinitialize;
        }
        self.interval = Duration::from_millis(u64::try_from(response.interval_ms).unwrap_or(0).max(1));
        self.restarted = false;
        self.initial_contact = false;
        let launches = response.actions.iter().any(|action| matches!(action, TaskTrackerAction::Launch(_)));
        for action in response.actions {
            self.act(now, action);
        }
        self.launch_queued(now);
        self.fetch_all_map_events();
        self.accept_new_tasks |= self.tasks.is_empty();
        if launches && self.has_free_slots() {
            // A JobTracker may give one attempt at a time.
            self.beat();
        }
        Answered::GoOn
    }

    fn has_free_slots(&self) -> bool {
        TaskKind::BOTH.into_iter().any(|kind| self.free_slots[&kind] > 0 && self.queues[&kind].is_empty())
    }

    fn act(&mut self, now: Now, action: TaskTrackerAction) {
        match action {
            TaskTrackerAction::Launch(task) => self.register(now, *task),
            TaskTrackerAction::KillTask(attempt) => self.kill_task(now, &attempt),
            TaskTrackerAction::KillJob(job) => self.purge_job(now, &job),
            TaskTrackerAction::CommitTask(attempt) => {
                if self.tasks.contains_key(&attempt) {
                    self.commits.insert(attempt);
                }
            }
            TaskTrackerAction::Reinit => (),
        }
    }

    /// Attempts whose end the JobTracker has heard are not reported again, unless something came since.
    fn forget_told(&mut self, told: &TaskTrackerStatus) {
        for status in told.tasks.iter().filter(|status| is_final(status)) {
            let Some(&id) = self.reported.get(&status.attempt) else { continue };
            if self.run(id).status.state == status.state {
                self.reported.remove(&status.attempt);
                self.forget_if_unused(id);
            }
        }
    }

    /// The JobTracker restarted and counts the events of these jobs anew.
    fn reset_events(&mut self, jobs: &[JobId]) {
        for job in jobs {
            if let Some(events) = self.jobs.get_mut(job).and_then(|job| job.events.as_mut()) {
                events.reset();
            }
        }
        if jobs.is_empty() {
            return;
        }
        let in_shuffle =
            |id: &RunId| self.run(*id).status.phase == Phase::Shuffle && self.run(*id).status.reduce.is_some();
        let resets: Vec<TaskAttemptId> = self
            .reported
            .iter()
            .filter(|(attempt, id)| jobs.contains(attempt.job()) && in_shuffle(id))
            .map(|(attempt, _)| attempt.clone())
            .collect();
        self.resets.extend(resets);
    }

    /// While the disks are too full, takes no work and kills one attempt at each heartbeat.
    fn kill_for_space(&mut self, now: Now, node: &NodeReport) {
        if enough(node, self.settings.min_space_kill) {
            return;
        }
        self.accept_new_tasks = false;
        if let Some(id) = self.least_worth(|_| true) {
            self.run_mut(id).add_diagnostics("Tasktracker running out of space. Killing task.");
            self.purge(now, id, End::Killed);
        }
    }

    /// Of those that come into question the reduce with the least progress, else the map with the least (Hadoop 1.2.1:
    /// TaskTracker.findTaskToKill).
    pub(crate) fn least_worth(&self, comes_into_question: impl Fn(RunId) -> bool) -> Option<RunId> {
        let running = |id: &&RunId| {
            let run = self.run(**id);
            comes_into_question(**id)
                && matches!(run.status.state, TaskState::Running | TaskState::CommitPending)
                && !run.killed
        };
        self.reported.values().filter(running).copied().min_by(|a, b| {
            let (a, b) = (self.run(*a), self.run(*b));
            let by_kind = a.task.kind().is_map().cmp(&b.task.kind().is_map());
            by_kind.then(a.status.progress.total_cmp(&b.status.progress))
        })
    }
}

/// Whether some local directory has more bytes free; 0 asks for nothing.
fn enough(node: &NodeReport, bytes: i64) -> bool {
    bytes == 0 || node.free_space > bytes
}
