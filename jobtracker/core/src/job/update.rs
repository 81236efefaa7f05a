//! A report about an attempt comes in (Hadoop 1.2.1: JobInProgress.updateTaskStatus).

use types::{CompletionStatus, Now, Phase, ReduceProgress, TaskCompletionEvent, TaskKind, TaskState, TaskStatus};

use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::effect::{HistoryRecord, TaskType};
use crate::record::JobChange;
use crate::task::{Attempt, Refused, Step, step};

/// How a task stood before a report.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// Whether the attempt, or its cleanup, ran.
    pub(super) active: bool,
    /// When what is reported was started: the attempt, or its cleanup.
    pub(super) report_start: types::Millis,
    progress: f64,
    pub(super) running: bool,
    pub(super) complete: bool,
    pub(super) killed: bool,
    commit_pending: bool,
}

impl JobInProgress {
    /// Takes a report about one of the job's attempts, and notes what a restart must know of it.
    pub(crate) fn update_task_status(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, status: TaskStatus) {
        if cluster.journal.wants() && self.is_worth_noting(task, &status) {
            let (safe_mode, cluster_size) = (cluster.safe_mode, self.flaky.cluster_size);
            let status = Box::new(status.clone());
            cluster.journal.note(now, &self.id, || JobChange::Reported { status, safe_mode, cluster_size });
        }
        cluster.journal.enter();
        self.take_report(now, cluster, task, status);
        cluster.journal.leave();
    }

    /// Whether a report tells more than progress.
    fn is_worth_noting(&self, task: TaskRef, status: &TaskStatus) -> bool {
        let Some(attempt) = self.task(task).attempt(status.attempt.number) else { return false };
        let counts = self.state_that_counts(task, attempt, status);
        !status.diagnostics.is_empty() || step(attempt.state(), counts) == Step::Changed
    }

    fn take_report(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, mut status: TaskStatus) {
        cluster.touch(&self.id);
        let number = status.attempt.number;
        let tip = self.task(task);
        let Some(attempt) = tip.attempt(number) else { return };
        let before = Before {
            active: attempt.active,
            report_start: status.start_time,
            progress: tip.progress(),
            running: tip.is_running(),
            complete: tip.is_complete(),
            killed: tip.is_killed(),
            commit_pending: tip.any_commit_pending(),
        };
        status.state = self.state_that_counts(task, attempt, &status);
        if !status.state.is_terminal() && !status.state.is_unclean() {
            // What runs has not ended, whatever its tracker says.
            status.finish_time = 0;
        }
        match self.task_mut(task).update(status, cluster.safe_mode) {
            Step::Changed => self.state_changed(now, cluster, task, number, before),
            Step::Same => {}
            Step::Refused(Refused::GivenUp) => self.suspect_attempts(cluster, task),
            Step::Refused(Refused::Duplicate | Refused::Late) => {}
        }
        self.recount(cluster, task);
        self.add_progress(task, before.progress);
    }

    /// What a reported state means here: success comes too late once the task is done or the attempt was to be
    /// killed, and only maps and reduces are cleaned up after, and not once the job ends.
    fn state_that_counts(&self, task: TaskRef, attempt: &Attempt, status: &TaskStatus) -> TaskState {
        let tip = self.task(task);
        let number = status.attempt.number;
        let cleans_up = tip.is_map_or_reduce() && self.submission.setup_and_cleanup && !self.is_ending();
        let no_cleanup = !cleans_up && attempt.cleanup.is_none();
        match status.state {
            // Only a map's output can get lost; other successes stand.
            _ if tip.won_by(number) && !tip.won_by_map(number) => TaskState::Succeeded,
            TaskState::Succeeded if tip.won_by(number) => TaskState::Succeeded,
            TaskState::Succeeded if !tip.is_runnable() || attempt.kill.is_some() => TaskState::Killed,
            TaskState::FailedUnclean if no_cleanup => TaskState::Failed,
            TaskState::KilledUnclean if no_cleanup => TaskState::Killed,
            state => state,
        }
    }

    fn state_changed(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32, before: Before) {
        let Some(state) = self.task(task).attempt(number).and_then(Attempt::state) else { return };
        match state {
            TaskState::Succeeded => {
                let run_time = self.run_time(task, number);
                let event = self.add_event(cluster, task, number, CompletionStatus::Succeeded, run_time);
                self.task_mut(task).success_event = Some(event);
                self.completed(now, cluster, task, number);
            }
            TaskState::CommitPending => {
                if !before.complete && !before.commit_pending {
                    self.task_mut(task).let_commit(number);
                }
                self.suspect_attempts(cluster, task);
            }
            TaskState::FailedUnclean | TaskState::KilledUnclean => self.attempt_is_unclean(now, cluster, task, number),
            TaskState::Failed | TaskState::Killed => {
                self.make_success_obsolete(task, number);
                self.attempt_failed(now, cluster, task, number, before);
                let failed = self.task(task).attempt(number).is_some_and(|a| a.is_state(TaskState::Failed));
                let outcome = match (self.task(task).is_killed(), failed) {
                    (true, _) => CompletionStatus::TipFailed,
                    (false, true) => CompletionStatus::Failed,
                    (false, false) => CompletionStatus::Killed,
                };
                self.add_event(cluster, task, number, outcome, 0);
            }
            TaskState::Running | TaskState::Unassigned => {}
        }
    }

    /// An attempt ended but its output must be cleaned up: it queues for a cleanup attempt.
    fn attempt_is_unclean(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let host = self.attempt_host(cluster, task, number);
        self.task_mut(task).attempt_ended(now, number, host);
        let id = self.task(task).attempt_id(&self.id, number);
        match task.kind {
            TaskKind::Map => self.map_cleanups.push_back(id),
            TaskKind::Reduce => self.reduce_cleanups.push_back(id),
        }
        self.unregister(cluster, task, number);
    }

    pub(super) fn attempt_host(&self, cluster: &Cluster, task: TaskRef, number: i32) -> crate::topology::HostKey {
        cluster.trackers.host(self.task(task).attempts()[number as usize].tracker)
    }

    fn run_time(&self, task: TaskRef, number: i32) -> i32 {
        let status = self.task(task).attempt(number).and_then(|attempt| attempt.status.as_ref());
        status.map_or(0, |status| status.finish_time.wrapping_sub(status.start_time) as i32)
    }

    /// The success of an attempt whose output is lost is marked in place, so that reduces forget it.
    fn make_success_obsolete(&mut self, task: TaskRef, number: i32) {
        let id = self.task(task).attempt_id(&self.id, number);
        let event = self.task(task).success_event.and_then(|at| self.events.get_mut(at));
        if let Some(event) = event.filter(|event| event.attempt == id) {
            event.status = CompletionStatus::Obsolete;
        }
    }

    fn add_event(
        &mut self,
        cluster: &Cluster,
        task: TaskRef,
        number: i32,
        status: CompletionStatus,
        run_time_ms: i32,
    ) -> usize {
        let tip = self.task(task);
        let event = TaskCompletionEvent {
            attempt: tip.attempt_id(&self.id, number),
            id_within_job: task.index,
            is_map: tip.spec.task_type == TaskType::Map,
            status,
            tracker_http: tip.attempt(number).and_then(|attempt| cluster.tracker_http(attempt.tracker)),
            run_time_ms,
            event_id: self.events.len() as i32,
        };
        self.events.push(event);
        self.events.len() - 1
    }

    /// Adds what a report changed to the job's progress. Single precision and by differences, as Hadoop does.
    fn add_progress(&mut self, task: TaskRef, before: f64) {
        let tip = self.task(task);
        let delta = tip.progress() - before;
        if !tip.is_map_or_reduce() || delta == 0.0 {
            return;
        }
        let share = delta / f64::from(self.desired(task.kind));
        let progress = match task.kind {
            TaskKind::Map => &mut self.status.map_progress,
            TaskKind::Reduce => &mut self.status.reduce_progress,
        };
        *progress = (f64::from(*progress) + share).clamp(0.0, 1.0) as f32;
    }

    /// Fails or kills an attempt without a report of its own (Hadoop 1.2.1: JobInProgress.failedTask with a reason).
    pub(crate) fn end_attempt(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        task: TaskRef,
        number: i32,
        state: TaskState,
        reason: &str,
    ) {
        let tip = self.task(task);
        let Some(attempt) = tip.attempt(number) else { return };
        let old = attempt.status.as_ref();
        let status = TaskStatus {
            attempt: tip.attempt_id(&self.id, number),
            progress: 0.0,
            slots: tip.spec.slots,
            state,
            diagnostics: reason.to_owned(),
            state_string: reason.to_owned(),
            phase: if task.kind.is_map() { Phase::Map } else { Phase::Reduce },
            start_time: old.map_or(now.wall.0, |old| old.start_time),
            finish_time: now.wall.0,
            output_size: -1,
            counters: None,
            next_records: old.map(|old| old.next_records).unwrap_or_default(),
            reduce: (!task.kind.is_map()).then(ReduceProgress::default),
        };
        self.end_with(now, cluster, task, status);
    }

    /// Ends an attempt as if that had been reported.
    pub(crate) fn end_with(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, status: TaskStatus) {
        if cluster.journal.wants() {
            let (safe_mode, cluster_size) = (cluster.safe_mode, self.flaky.cluster_size);
            let status = Box::new(status.clone());
            cluster.journal.note(now, &self.id, || JobChange::Ended { status, safe_mode, cluster_size });
        }
        cluster.journal.enter();
        let tip = self.task(task);
        let (was_complete, task_type) = (tip.is_complete(), tip.spec.task_type);
        let (number, reason) = (status.attempt.number, status.diagnostics.clone());
        self.update_task_status(now, cluster, task, status);
        let tip = self.task(task);
        if was_complete && !tip.is_complete() {
            cluster.history(HistoryRecord::TaskFailed {
                task: tip.id(&self.id),
                task_type,
                finish_time: tip.exec_finish,
                error: reason,
                failed_by: Some(tip.attempt_id(&self.id, number)),
            });
        }
        cluster.journal.leave();
    }
}
