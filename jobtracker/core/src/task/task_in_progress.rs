//! A task: its attempts, which of them counts, how far it is, and which attempt may be started next
//! (Hadoop 1.2.1: TaskInProgress). Which task runs where is the job's to decide.

use std::collections::BTreeSet;

use types::{
    Counters, JobId, Millis, Monotonic, Now, SplitMeta, Task, TaskAttemptId, TaskDetail, TaskId, TaskKind, TaskReport,
    TaskSplitIndex, TaskState, TaskStatus, TipStatus,
};

use super::attempt_state::{Refused, Step, step};
use super::skip::FailedRanges;
use super::{Attempt, Outcome, TaskEvent};
use crate::effect::TaskType;
use crate::submission::Submission;
use crate::topology::{HostKey, NodeKey};
use crate::trackers::TrackerKey;

/// The attempts that a task may have beside those that failed or were killed.
const SPECULATIVE_ATTEMPTS: i32 = 1;
/// How far behind the average a task must be to be run twice.
const SPECULATIVE_GAP: f64 = 0.2;
/// How old a task must be to be run twice.
const SPECULATIVE_LAG: std::time::Duration = std::time::Duration::from_secs(60);

/// What does not change about a task.
#[derive(Debug)]
pub(crate) struct TaskSpec {
    pub(crate) task_type: TaskType,
    /// The slot that it takes, which is also the letter of its id.
    pub(crate) kind: TaskKind,
    /// Its index, which is also the number of its id.
    pub(crate) index: i32,
    /// Failures that end it.
    pub(crate) attempts_max: i32,
    /// Slots of each attempt.
    pub(crate) slots: i32,
    /// Most records that it may lose; 0 for no skipping.
    pub(crate) skip_max: i64,
    /// Failed attempts before skip mode begins.
    pub(crate) skip_after: i32,
    /// A map's input.
    pub(crate) split: Option<SplitPlaces>,
    /// When it came to be.
    pub(crate) created: Monotonic,
}

/// A map's input and where it lies.
#[derive(Debug)]
pub(crate) struct SplitPlaces {
    pub(crate) meta: SplitMeta,
    /// The nodes of its locations, in their order.
    pub(crate) nodes: Vec<NodeKey>,
}

/// Where a task is counted in its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bucket {
    /// Waits to be run.
    Pending,
    /// Has an attempt that runs, or one that waits for its cleanup.
    Running,
    /// Done.
    Complete,
    /// Never to be done.
    Killed,
}

/// A task.
#[derive(Debug)]
pub(crate) struct TaskInProgress {
    pub(crate) spec: TaskSpec,
    outcome: Outcome,
    attempts: Vec<Attempt>,
    active: usize,
    failures: i32,
    kills: i32,
    failed_hosts: BTreeSet<HostKey>,
    progress: f64,
    state: String,
    counters: Counters,
    commit: Option<i32>,
    failed_ranges: FailedRanges,
    skipping: bool,
    pub(crate) exec_start: Millis,
    pub(crate) exec_finish: Millis,
    /// The index of its success among the job's completion events.
    pub(crate) success_event: Option<usize>,
    /// Where the job counts it; kept by the job.
    pub(crate) bucket: Bucket,
    /// Its place in the order of running tasks, while it is there; kept by the job.
    pub(crate) running_order: Option<u64>,
}

impl TaskInProgress {
    pub(crate) fn new(spec: TaskSpec) -> Self {
        let mut task = TaskInProgress {
            spec,
            outcome: Outcome::Open,
            attempts: Vec::new(),
            active: 0,
            failures: 0,
            kills: 0,
            failed_hosts: BTreeSet::new(),
            progress: 0.0,
            state: String::new(),
            counters: Counters::new(),
            commit: None,
            failed_ranges: FailedRanges::default(),
            skipping: false,
            exec_start: 0,
            exec_finish: 0,
            success_event: None,
            bucket: Bucket::Pending,
            running_order: None,
        };
        task.skipping = task.should_skip();
        task
    }

    // What it is.

    pub(crate) fn id(&self, job: &JobId) -> TaskId {
        job.task(self.spec.kind, self.spec.index)
    }

    pub(crate) fn attempt_id(&self, job: &JobId, number: i32) -> TaskAttemptId {
        self.id(job).attempt(number)
    }

    /// Whether it is a map or reduce proper.
    pub(crate) fn is_map_or_reduce(&self) -> bool {
        matches!(self.spec.task_type, TaskType::Map | TaskType::Reduce)
    }

    fn is_map(&self) -> bool {
        self.spec.task_type == TaskType::Map
    }

    // Where it stands.

    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.outcome, Outcome::Complete { .. })
    }

    pub(crate) fn is_killed(&self) -> bool {
        self.outcome == Outcome::Killed
    }

    pub(crate) fn won_by(&self, attempt: i32) -> bool {
        self.outcome == Outcome::Complete { winner: attempt }
    }

    /// Whether that attempt's output is the map output that reduces fetch, so that its TaskTracker must keep it.
    pub(crate) fn won_by_map(&self, attempt: i32) -> bool {
        self.is_map() && self.won_by(attempt)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.active > 0
    }

    /// Attempts that run, cleanups included.
    pub(crate) fn active(&self) -> usize {
        self.active
    }

    pub(crate) fn is_runnable(&self) -> bool {
        self.outcome == Outcome::Open
    }

    pub(crate) fn progress(&self) -> f64 {
        self.progress
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn failures(&self) -> i32 {
        self.failures
    }

    /// Where the job is to count it.
    pub(crate) fn current_bucket(&self) -> Bucket {
        match self.outcome {
            Outcome::Complete { .. } => Bucket::Complete,
            Outcome::Killed => Bucket::Killed,
            Outcome::Open if self.active > 0 || self.attempts.iter().any(Attempt::waits_for_cleanup) => Bucket::Running,
            Outcome::Open => Bucket::Pending,
        }
    }

    pub(crate) fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    pub(crate) fn attempt(&self, number: i32) -> Option<&Attempt> {
        self.attempts.get(usize::try_from(number).ok()?)
    }

    pub(crate) fn attempt_mut(&mut self, number: i32) -> Option<&mut Attempt> {
        self.attempts.get_mut(usize::try_from(number).ok()?)
    }

    pub(crate) fn any_commit_pending(&self) -> bool {
        self.attempts.iter().any(|attempt| attempt.is_state(TaskState::CommitPending))
    }

    pub(crate) fn failed_on(&self, host: HostKey) -> bool {
        self.failed_hosts.contains(&host)
    }

    pub(crate) fn failed_hosts(&self) -> usize {
        self.failed_hosts.len()
    }

    /// Whether an attempt runs on that tracker or has failed on its host; earlier ones that were killed do not count.
    pub(crate) fn has_run_on(&self, tracker: TrackerKey, host: HostKey) -> bool {
        self.failed_on(host) || self.attempts.iter().any(|attempt| attempt.active && attempt.place() == tracker)
    }

    /// Whether it is so far behind that a second attempt may be worth it
    /// (Hadoop 1.2.1: TaskInProgress.hasSpeculativeTask).
    pub(crate) fn is_worth_speculation(&self, now: Monotonic, average: f64) -> bool {
        self.may_be_run_twice()
            && Self::is_far_behind(average, self.progress)
            && self.is_old_enough_for_speculation(now)
    }

    /// What of that is the same however far it is behind.
    pub(crate) fn may_be_run_twice(&self) -> bool {
        !self.skipping && self.active <= 1 && self.is_runnable() && !self.any_commit_pending()
    }

    pub(crate) fn is_far_behind(average: f64, progress: f64) -> bool {
        average - progress >= SPECULATIVE_GAP
    }

    /// All tasks of a job are of one age.
    pub(crate) fn is_old_enough_for_speculation(&self, now: Monotonic) -> bool {
        now - self.spec.created >= SPECULATIVE_LAG
    }

    /// Whether any task of that age and average could be worth it.
    pub(crate) fn speculation_is_possible(created: Monotonic, now: Monotonic, average: f64) -> bool {
        average >= SPECULATIVE_GAP && now - created >= SPECULATIVE_LAG
    }

    // What a TaskTracker is to be told.

    /// Whether its TaskTracker is to end an attempt (Hadoop 1.2.1: TaskInProgress.shouldClose).
    pub(crate) fn should_close(&self, number: i32) -> bool {
        let Some(attempt) = self.attempt(number) else { return false };
        let useless =
            (attempt.status.is_some() && self.is_killed()) || (self.is_complete() && !self.won_by_map(number));
        (useless && !attempt.closed) || self.is_refused_commit(number) || attempt.must_end()
    }

    /// Whether an attempt waits for a leave to commit that it does not get. It is told to end until it does.
    pub(crate) fn is_refused_commit(&self, number: i32) -> bool {
        let waits = |attempt: &Attempt| attempt.is_state(TaskState::CommitPending);
        self.attempt(number).is_some_and(waits) && !self.should_commit(number)
    }

    /// Notes that its TaskTracker is told to end an attempt.
    pub(crate) fn close(&mut self, number: i32) {
        if let Some(attempt) = self.attempt_mut(number) {
            attempt.closed |= !attempt.must_end();
            attempt.kill_told = true;
        }
    }

    /// Whether an attempt has leave to commit.
    pub(crate) fn should_commit(&self, number: i32) -> bool {
        !self.is_complete()
            && self.commit == Some(number)
            && self.attempt(number).is_some_and(|attempt| attempt.is_state(TaskState::CommitPending))
    }

    /// Gives an attempt leave to commit.
    pub(crate) fn let_commit(&mut self, number: i32) {
        self.commit = Some(number);
    }

    /// Notes that an attempt's TaskTracker is told to let it commit.
    pub(crate) fn commit_told(&mut self, number: i32) {
        if let Some(attempt) = self.attempt_mut(number) {
            attempt.commit_told = true;
        }
    }

    // What happens to it.

    /// Starts an attempt, unless too many were started already (Hadoop 1.2.1: TaskInProgress.getTaskToRun).
    pub(crate) fn start(&mut self, now: Now, tracker: TrackerKey) -> Option<i32> {
        if self.exec_start == 0 {
            self.exec_start = now.wall.0;
        }
        let number = self.attempts.len() as i32;
        if number >= SPECULATIVE_ATTEMPTS + self.spec.attempts_max + self.kills {
            return None;
        }
        let mut attempt = Attempt::new(tracker, now.mono);
        attempt.speculative = self.active > 0;
        self.attempts.push(attempt);
        self.active += 1;
        Some(number)
    }

    /// Starts the cleanup of an attempt, under the attempt's own number.
    pub(crate) fn start_cleanup(&mut self, now: Now, number: i32, tracker: TrackerKey) {
        if let Some(attempt) = self.attempt_mut(number) {
            debug_assert!(!attempt.active, "a cleanup beside the attempt itself");
            attempt.cleanup = Some(tracker);
            attempt.entry = Some(tracker);
            attempt.active = true;
            attempt.watched = now.mono;
            attempt.last_reported = None;
            attempt.kill_told = false;
            attempt.given_up = false;
            self.active += 1;
        }
    }

    /// What a TaskTracker is handed for an attempt.
    pub(crate) fn launch(&self, job: &JobId, number: i32, submission: &Submission) -> Task {
        let attempt = self.attempt_id(job, number);
        let cleanup = self.attempt(number).is_some_and(|attempt| attempt.cleanup.is_some());
        let slots = if cleanup { 1 } else { self.spec.slots };
        let mut status = TaskStatus::unassigned(attempt.clone(), slots);
        if cleanup && let Some(state) = self.attempt(number).and_then(Attempt::state) {
            status.state = state;
        }
        let split = self.spec.split.as_ref().filter(|_| !cleanup);
        Task {
            job_file: submission.job_file.clone(),
            attempt,
            partition: self.spec.index,
            slots_required: slots,
            status,
            skip_ranges: self.failed_ranges.skip_ranges().clone(),
            skipping: self.skipping,
            job_cleanup: None,
            job_setup: self.spec.task_type == TaskType::Setup,
            write_skip_records: !self.failed_ranges.is_test(),
            task_cleanup: cleanup,
            user: submission.caller.user.clone(),
            detail: match self.spec.kind {
                TaskKind::Map => TaskDetail::Map(split.map_or_else(TaskSplitIndex::default, |split| TaskSplitIndex {
                    split_location: submission.split_file.clone(),
                    start_offset: split.meta.start_offset,
                })),
                TaskKind::Reduce => TaskDetail::Reduce { maps: submission.maps },
            },
        }
    }

    /// Takes a report; whether the attempt's state changed (Hadoop 1.2.1: TaskInProgress.updateStatus).
    pub(crate) fn update(&mut self, mut status: TaskStatus, safe_mode: bool) -> Step {
        let number = status.attempt.number;
        if self.skipping {
            status.state = self.failed_ranges.judge(status.state);
        }
        let Some(attempt) = self.attempt_mut(number) else { return Step::Refused(Refused::Late) };
        let diagnostics = std::mem::take(&mut status.diagnostics);
        if !diagnostics.is_empty() {
            attempt.diagnostics.push(diagnostics);
        }
        let verdict = step(attempt.state(), status.state);
        if let Step::Refused(refused) = verdict {
            attempt.given_up |= refused == Refused::GivenUp;
            return verdict;
        }
        // Failures do not count while nothing may change.
        if safe_mode && status.state == TaskState::Failed {
            status.state = TaskState::Killed;
        }
        match &mut attempt.status {
            // A cleanup reports on itself; the attempt's own figures stay.
            Some(own) if attempt.cleanup.is_some() => {
                own.state = status.state;
                own.progress = status.progress;
                own.state_string = status.state_string;
                own.phase = status.phase;
                if status.state.is_terminal() && status.finish_time > 0 {
                    own.finish_time = status.finish_time;
                }
            }
            own => *own = Some(status),
        }
        self.recompute();
        verdict
    }

    /// An attempt has failed or was killed, wholly or but for its cleanup. Tells the state that counts
    /// (Hadoop 1.2.1: TaskInProgress.incompleteSubTask).
    pub(crate) fn attempt_ended(&mut self, now: Now, number: i32, host: HostKey) -> TaskState {
        let Some(attempt) = self.attempts.get_mut(number as usize) else { return TaskState::Failed };
        let wish = attempt.kill.take();
        let Some(status) = &mut attempt.status else { return TaskState::Failed };
        if let Some(fail) = wish {
            status.state = match (status.state.is_terminal(), fail) {
                (true, true) => TaskState::Failed,
                (true, false) => TaskState::Killed,
                (false, true) => TaskState::FailedUnclean,
                (false, false) => TaskState::KilledUnclean,
            };
            attempt.diagnostics.push(format!("Task has been {} by the user", status.state.name()));
        }
        if status.finish_time == 0 {
            status.finish_time = now.wall.0;
        }
        let (state, bad_records) = (status.state, status.next_records);
        if state.is_terminal() {
            status.counters = None;
        }
        if std::mem::take(&mut attempt.active) {
            self.active -= 1;
        }
        if self.is_map()
            && let Some(open) = self.outcome.next(TaskEvent::OutputLost(number))
        {
            self.outcome = open;
        }
        match state {
            TaskState::Failed => {
                self.failures += 1;
                self.failed_hosts.insert(host);
                if self.spec.skip_max > 0 {
                    self.failed_ranges.add(bad_records, self.spec.skip_max);
                    self.skipping = self.should_skip();
                }
            }
            TaskState::Killed => self.kills += 1,
            _ => {}
        }
        if self.failures >= self.spec.attempts_max {
            self.kill(now);
        }
        // Quirk: a map whose output is lost keeps its progress until its next attempt reports.
        state
    }

    /// An attempt has succeeded and completes the task.
    pub(crate) fn complete(&mut self, now: Now, number: i32) {
        let Some(next) = self.outcome.next(TaskEvent::Succeeded(number)) else {
            unreachable!("a task that is not open takes no success");
        };
        self.outcome = next;
        if let Some(attempt) = self.attempts.get_mut(number as usize) {
            if std::mem::take(&mut attempt.active) {
                self.active -= 1;
            }
            attempt.kill = None;
        }
        self.exec_finish = now.wall.0;
        self.recompute();
    }

    /// Ends the task; its attempts end when their TaskTrackers next report.
    pub(crate) fn kill(&mut self, now: Now) {
        if let Some(killed) = self.outcome.next(TaskEvent::Kill) {
            self.outcome = killed;
            self.exec_finish = now.wall.0;
            self.recompute();
        }
    }

    /// Asks for the end of an attempt; whether there was anything to end.
    pub(crate) fn kill_attempt(&mut self, attempt_id: &TaskAttemptId, should_fail: bool) -> bool {
        let can_be_killed = self.attempt(attempt_id.number).is_some_and(Attempt::can_be_killed);
        if can_be_killed {
            self.wish_end(attempt_id, should_fail);
        }
        can_be_killed
    }

    /// An attempt is to end by a user's wish.
    pub(crate) fn wish_end(&mut self, attempt_id: &TaskAttemptId, should_fail: bool) {
        let Some(attempt) = self.attempt_mut(attempt_id.number) else { return };
        attempt.kill = Some(should_fail);
        let what = if should_fail { "fail" } else { "kill" };
        attempt.diagnostics.push(format!("Request received to {what} task '{attempt_id}' by user"));
    }

    /// Ends an attempt of which nothing more will be heard.
    pub(crate) fn abandon(&mut self, attempt_id: &TaskAttemptId) {
        let slots = self.spec.slots;
        let Some(attempt) = self.attempts.get_mut(attempt_id.number as usize) else { return };
        if std::mem::take(&mut attempt.active) {
            self.active -= 1;
        }
        attempt.kill = None;
        let status = attempt.status.get_or_insert_with(|| TaskStatus::unassigned(attempt_id.clone(), slots));
        if !status.state.is_terminal() {
            status.state = TaskState::Killed;
            status.counters = None;
        }
    }

    fn should_skip(&self) -> bool {
        self.spec.skip_max > 0 && self.failures >= self.spec.skip_after
    }

    /// Finds progress, state and counters anew: those of the attempt that is furthest
    /// (Hadoop 1.2.1: TaskInProgress.recomputeProgress).
    fn recompute(&mut self) {
        match self.outcome {
            Outcome::Complete { winner } => {
                self.progress = 1.0;
                if let Some(status) = self.attempts[winner as usize].status.as_mut() {
                    self.state.clone_from(&status.state_string);
                    // The winner's counters are the task's; they are not kept twice.
                    if let Some(counters) = status.counters.take() {
                        self.counters = counters;
                    }
                }
            }
            Outcome::Killed => {
                self.progress = 0.0;
                self.state.clear();
                self.counters = Counters::new();
            }
            Outcome::Open => self.recompute_open(),
        }
    }

    fn recompute_open(&mut self) {
        let mut best: Option<usize> = None;
        let mut best_progress = 0.0;
        let mut keep = false;
        for (at, attempt) in self.attempts.iter().enumerate() {
            let Some(status) = &attempt.status else { continue };
            match status.state {
                // Its last figures from when it was running stand.
                TaskState::CommitPending => (best, best_progress, keep) = (None, self.progress, true),
                TaskState::Running if f64::from(status.progress) >= best_progress => {
                    (best, best_progress, keep) = (Some(at), f64::from(status.progress), false);
                }
                _ => {}
            }
        }
        self.progress = best_progress;
        match best.map(|at| self.attempts[at].status.as_ref()) {
            Some(Some(status)) => {
                self.state.clone_from(&status.state_string);
                if let Some(counters) = &status.counters {
                    self.counters.clone_from(counters);
                }
            }
            _ if keep => {}
            _ => {
                self.state.clear();
                self.counters = Counters::new();
            }
        }
    }

    /// What clients see (Hadoop 1.2.1: TaskInProgress.generateSingleReport).
    pub(crate) fn report(&self, job: &JobId) -> TaskReport {
        let status = match self.outcome {
            Outcome::Complete { .. } => TipStatus::Complete,
            _ if self.is_running() => TipStatus::Running,
            Outcome::Killed => TipStatus::Killed,
            Outcome::Open => TipStatus::Pending,
        };
        let running = self.attempts.iter().enumerate().filter(|(_, attempt)| attempt.active);
        TaskReport {
            task: self.id(job),
            progress: self.progress as f32,
            state: self.state.clone(),
            start_time: self.exec_start,
            finish_time: self.exec_finish,
            diagnostics: self.attempts.iter().flat_map(|a| a.diagnostics.iter().cloned().map(Some)).collect(),
            counters: self.counters.clone(),
            status,
            running: running.map(|(number, _)| self.attempt_id(job, number as i32)).collect(),
            successful: match self.outcome {
                Outcome::Complete { winner } => Some(self.attempt_id(job, winner)),
                _ => None,
            },
        }
    }
}
