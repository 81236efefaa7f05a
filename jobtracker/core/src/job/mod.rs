//! A job: its tasks, what may run next, what has ended (Hadoop 1.2.1: JobInProgress). Each file beside this one is one
//! of its responsibilities; this one holds its data and the small questions that all of them ask.

mod completion;
mod counters;
mod delay;
mod demand;
mod estimator;
mod failure;
mod fetch_failures;
mod flaky_hosts;
mod init;
mod launch;
mod locality;
mod obtain;
mod setup_cleanup;
mod slow_start;
mod speculation;
mod state;
mod status;
mod termination;
mod update;

use std::collections::{BTreeSet, VecDeque};

use types::{
    Counters, JobId, JobState, JobStatus, Millis, Monotonic, Now, TaskAttemptId, TaskCompletionEvent, TaskKind,
};

use crate::cluster::Cluster;
use crate::effect::TaskType;
use crate::record::JobChange;
use crate::submission::Submission;
use crate::task::{Bucket, TaskInProgress};
use crate::trackers::{PerKind, TrackerKey};
use crate::views::TaskCounts;

use delay::LocalityWait;
use demand::ActiveTasks;
use estimator::ResourceEstimator;
use flaky_hosts::FlakyHosts;
use locality::{MapCaches, ReduceLists};

pub(crate) use counters::exceed_limits;
pub(crate) use locality::Reach;

/// A task within its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TaskRef {
    pub(crate) kind: TaskKind,
    pub(crate) index: i32,
}

/// When the first attempt of each type was launched; 0 before.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FirstLaunches {
    pub(crate) setup: Millis,
    pub(crate) map: Millis,
    pub(crate) reduce: Millis,
    pub(crate) cleanup: Millis,
}

/// What decides whether a heartbeat may bring a tracker something of this job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Readiness {
    /// Its setup may be launched.
    pub(crate) setup: bool,
    /// Its cleanup may be launched.
    pub(crate) cleanup: bool,
    /// Attempts wait for their cleanup, in a map slot.
    pub(crate) map_cleanups: bool,
    /// Likewise, in a reduce slot.
    pub(crate) reduce_cleanups: bool,
    /// Maps wait.
    pub(crate) maps: bool,
    /// Reduces wait and may start, if need be early.
    pub(crate) reduces: bool,
}

/// A job.
#[derive(Debug)]
pub(crate) struct JobInProgress {
    pub(crate) id: JobId,
    pub(crate) submission: Submission,
    pub(crate) status: JobStatus,
    pub(crate) launch_time: Millis,
    pub(crate) finish_time: Millis,
    pub(crate) first_launches: FirstLaunches,
    /// Slots that a map and a reduce take; set before the tasks are made.
    pub(crate) slots: PerKind,
    inited: bool,
    /// Whether its splits have been asked for.
    init_asked: bool,
    created: Monotonic,
    /// Maps, then the map-slot cleanup, then the map-slot setup; each at the index that is its number.
    maps: Vec<TaskInProgress>,
    /// Reduces, cleanup, setup, likewise.
    reduces: Vec<TaskInProgress>,
    map_counts: TaskCounts,
    reduce_counts: TaskCounts,
    /// Running attempts of maps and reduces proper, those in or before their cleanup included.
    running_maps: i32,
    running_reduces: i32,
    /// Maps and reduces that used up their attempts.
    failed_map_tips: i32,
    failed_reduce_tips: i32,
    launched_setup: bool,
    launched_cleanup: bool,
    killing: bool,
    failing: bool,
    caches: MapCaches,
    reduce_lists: ReduceLists,
    /// Maps and reduces that have attempts and are not done.
    active_maps: ActiveTasks,
    active_reduces: ActiveTasks,
    map_cleanups: VecDeque<TaskAttemptId>,
    reduce_cleanups: VecDeque<TaskAttemptId>,
    slow_start_maps: i32,
    input_length: i64,
    estimator: ResourceEstimator,
    pub(crate) flaky: FlakyHosts,
    locality_wait: LocalityWait,
    events: Vec<TaskCompletionEvent>,
    counters: Counters,
    /// Trackers that were handed anything of this job.
    trackers: BTreeSet<TrackerKey>,
    next_running_order: u64,
    /// Where the indexes over all jobs have it; kept by the JobTracker.
    pub(crate) indexed: Readiness,
}

impl JobInProgress {
    /// Whether it waits for its splits, which were asked for.
    pub(crate) fn awaits_splits(&self) -> bool {
        self.init_asked && !self.inited
    }

    pub(crate) fn is_inited(&self) -> bool {
        self.inited
    }

    pub(crate) fn is_over(&self) -> bool {
        self.status.state.is_complete()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.status.state == JobState::Running
    }

    /// Whether it is to end otherwise than by success, or has ended.
    pub(crate) fn is_ending(&self) -> bool {
        self.killing || self.failing || self.is_over()
    }

    fn maps_number(&self) -> i32 {
        self.submission.maps
    }

    fn reduces_number(&self) -> i32 {
        self.submission.reduces
    }

    /// How many tasks proper of that kind it has.
    pub(crate) fn desired(&self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.maps_number(),
            TaskKind::Reduce => self.reduces_number(),
        }
    }

    pub(crate) fn counts(&self, kind: TaskKind) -> &TaskCounts {
        match kind {
            TaskKind::Map => &self.map_counts,
            TaskKind::Reduce => &self.reduce_counts,
        }
    }

    fn counts_mut(&mut self, kind: TaskKind) -> &mut TaskCounts {
        match kind {
            TaskKind::Map => &mut self.map_counts,
            TaskKind::Reduce => &mut self.reduce_counts,
        }
    }

    pub(crate) fn finished(&self, kind: TaskKind) -> i32 {
        self.counts(kind).finished
    }

    pub(crate) fn running_attempts(&self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.running_maps,
            TaskKind::Reduce => self.running_reduces,
        }
    }

    fn running_attempts_mut(&mut self, kind: TaskKind) -> &mut i32 {
        match kind {
            TaskKind::Map => &mut self.running_maps,
            TaskKind::Reduce => &mut self.running_reduces,
        }
    }

    fn failed_tips(&self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.failed_map_tips,
            TaskKind::Reduce => self.failed_reduce_tips,
        }
    }

    /// Whether every task of that kind is done, or failed as the job allows.
    fn all_done(&self, kind: TaskKind) -> bool {
        self.finished(kind) + self.failed_tips(kind) == self.desired(kind)
    }

    /// All tasks of a kind, cleanup and setup last.
    pub(crate) fn tasks(&self, kind: TaskKind) -> &[TaskInProgress] {
        match kind {
            TaskKind::Map => &self.maps,
            TaskKind::Reduce => &self.reduces,
        }
    }

    fn tasks_mut(&mut self, kind: TaskKind) -> &mut [TaskInProgress] {
        match kind {
            TaskKind::Map => &mut self.maps,
            TaskKind::Reduce => &mut self.reduces,
        }
    }

    /// The tasks of a type, in Hadoop's order.
    pub(crate) fn tasks_of(&self, task_type: TaskType) -> Vec<&TaskInProgress> {
        let proper = |kind| self.tasks(kind).iter().take(self.desired(kind) as usize).collect();
        let special = |offset: i32| -> Vec<&TaskInProgress> {
            let at = |kind| (self.desired(kind) + offset) as usize;
            TaskKind::BOTH.into_iter().filter_map(|kind| self.tasks(kind).get(at(kind))).collect()
        };
        match task_type {
            TaskType::Map => proper(TaskKind::Map),
            TaskType::Reduce => proper(TaskKind::Reduce),
            TaskType::Cleanup => special(0),
            TaskType::Setup => special(1),
        }
    }

    pub(crate) fn find(&self, kind: TaskKind, number: i32) -> Option<TaskRef> {
        self.tasks(kind).get(usize::try_from(number).ok()?).map(|_| TaskRef { kind, index: number })
    }

    pub(crate) fn task(&self, task: TaskRef) -> &TaskInProgress {
        &self.tasks(task.kind)[task.index as usize]
    }

    pub(crate) fn task_mut(&mut self, task: TaskRef) -> &mut TaskInProgress {
        &mut self.tasks_mut(task.kind)[task.index as usize]
    }

    fn cleanup_task(&self, kind: TaskKind) -> TaskRef {
        TaskRef { kind, index: self.desired(kind) }
    }

    fn setup_task(&self, kind: TaskKind) -> TaskRef {
        TaskRef { kind, index: self.desired(kind) + 1 }
    }

    /// Takes an attempt out of those that wait for their cleanup.
    pub(crate) fn take_cleanup(&mut self, attempt: &TaskAttemptId) {
        self.map_cleanups.retain(|waiting| waiting != attempt);
        self.reduce_cleanups.retain(|waiting| waiting != attempt);
    }

    /// Whether anything of it was ever handed to that tracker.
    pub(crate) fn has_been_on(&self, tracker: TrackerKey) -> bool {
        self.trackers.contains(&tracker)
    }

    pub(crate) fn events(&self) -> &[TaskCompletionEvent] {
        &self.events
    }

    /// Moves a task to where it is to be counted now.
    fn recount(&mut self, cluster: &mut Cluster, task: TaskRef) {
        let tip = self.task_mut(task);
        let (old, new) = (tip.bucket, tip.current_bucket());
        tip.bucket = new;
        let special = !tip.is_map_or_reduce();
        if special {
            return;
        }
        self.note_activity(task);
        if old == new {
            return;
        }
        let counts = self.counts_mut(task.kind);
        *bucket(counts, old) -= 1;
        *bucket(counts, new) += 1;
        if new == Bucket::Pending {
            cluster.more_work();
        }
        cluster.touch(&self.id);
    }

    /// Ends a task and has the trackers of its attempts end them.
    fn kill_task(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef) {
        if !self.task(task).is_runnable() {
            return;
        }
        self.task_mut(task).kill(now);
        self.suspect_attempts(cluster, task);
        self.recount(cluster, task);
    }

    /// Whether an attempt is registered at a tracker.
    pub(crate) fn has_registered(&self, attempt: &TaskAttemptId) -> bool {
        self.registered(attempt).is_some()
    }

    fn registered(&self, attempt: &TaskAttemptId) -> Option<(TaskRef, TrackerKey)> {
        let task = self.find(attempt.kind(), attempt.task.number)?;
        Some((task, self.task(task).attempt(attempt.number)?.entry?))
    }

    /// Has the tracker of an attempt end it, by wish of a user or a scheduler; whether it can be
    /// (Hadoop 1.2.1: JobTracker.killTask).
    pub(crate) fn kill_attempt(&mut self, cluster: &mut Cluster, attempt: &TaskAttemptId, should_fail: bool) -> bool {
        let Some((task, tracker)) = self.registered(attempt) else { return false };
        let killed = self.task_mut(task).kill_attempt(attempt, should_fail);
        if killed {
            let (task, number) = (task.place(), attempt.number);
            cluster.journal.note_late(&self.id, || JobChange::KillWished { task, number, fail: should_fail });
            cluster.trackers.suspect(tracker, attempt.clone());
        }
        killed
    }

    /// Has the trackers of a task's attempts look whether they must end them.
    fn suspect_attempts(&self, cluster: &mut Cluster, task: TaskRef) {
        let tip = self.task(task);
        for (number, attempt) in tip.attempts().iter().enumerate() {
            if let Some(tracker) = attempt.entry
                && !tip.won_by_map(number as i32)
            {
                cluster.trackers.suspect(tracker, tip.attempt_id(&self.id, number as i32));
            }
        }
    }

    /// Unregisters an attempt at its tracker.
    pub(crate) fn unregister(&mut self, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let id = self.task(task).attempt_id(&self.id, number);
        let Some(attempt) = self.task_mut(task).attempt_mut(number) else { return };
        if let Some(tracker) = attempt.entry.take() {
            cluster.unwatch(attempt.watched, &id);
            cluster.trackers.unregister(tracker, &id);
        }
    }

    /// What may be assigned of it now.
    pub(crate) fn readiness(&self) -> Readiness {
        let cleanups = self.may_clean_attempts();
        Readiness {
            setup: self.may_set_up(),
            cleanup: self.may_clean_up(),
            map_cleanups: cleanups && !self.map_cleanups.is_empty(),
            reduce_cleanups: cleanups && !self.reduce_cleanups.is_empty(),
            maps: self.is_running() && self.map_counts.pending > 0,
            reduces: self.is_running()
                && self.reduce_counts.pending > 0
                && (self.may_reduce() || self.may_reduce_early()),
        }
    }
}

impl Readiness {
    /// Whether a setup or a cleanup of some kind waits.
    pub(crate) fn is_special(self) -> bool {
        self.setup || self.cleanup || self.map_cleanups || self.reduce_cleanups
    }
}

fn bucket(counts: &mut TaskCounts, bucket: Bucket) -> &mut i32 {
    match bucket {
        Bucket::Pending => &mut counts.pending,
        Bucket::Running => &mut counts.running,
        Bucket::Complete => &mut counts.finished,
        Bucket::Killed => &mut counts.killed,
    }
}
