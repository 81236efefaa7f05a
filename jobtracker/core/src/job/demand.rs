//! How many slots a job can use now, and which of its attempts hold any (Hadoop 1.2.1: JobSchedulable.updateDemand,
//! FairScheduler.getRunningTasks). The cost follows what runs, not how many tasks there are.

use std::collections::BTreeSet;

use types::{Millis, Monotonic, TaskAttemptId, TaskKind};

use super::{JobInProgress, TaskRef};
use crate::task::TaskInProgress;

impl JobInProgress {
    /// Slots of a kind that it can use: one for each task that waits, one for each running attempt of those not done, and
    /// one for each that may be run twice. None before it runs, no reduce slots before its reduces may start.
    pub(crate) fn slot_demand(&self, now: Monotonic, kind: TaskKind) -> i32 {
        if !self.is_running() || (kind == TaskKind::Reduce && !self.may_reduce()) {
            return 0;
        }
        let (speculates, progress) = match kind {
            TaskKind::Map => (self.submission.map_speculation, self.status.map_progress),
            TaskKind::Reduce => (self.submission.reduce_speculation, self.status.reduce_progress),
        };
        let average = f64::from(progress);
        let speculates = speculates && TaskInProgress::speculation_is_possible(self.created, now, average);
        let active = self.active_tasks(kind);
        let of_active = |index: &i32| {
            let tip = self.task(TaskRef { kind, index: *index });
            tip.active() as i32 + i32::from(speculates && tip.is_worth_speculation(now, average))
        };
        let waiting = self.desired(kind) - self.finished(kind) - active.len() as i32;
        waiting + active.iter().map(of_active).sum::<i32>()
    }

    /// Keeps the tasks that have attempts and are not done.
    pub(super) fn note_activity(&mut self, task: TaskRef) {
        let tip = self.task(task);
        let is_active = tip.is_running() && !tip.is_complete();
        let active = match task.kind {
            TaskKind::Map => &mut self.active_maps,
            TaskKind::Reduce => &mut self.active_reduces,
        };
        if is_active {
            active.insert(task.index);
        } else {
            active.remove(&task.index);
        }
    }

    pub(crate) fn active_tasks(&self, kind: TaskKind) -> &BTreeSet<i32> {
        match kind {
            TaskKind::Map => &self.active_maps,
            TaskKind::Reduce => &self.active_reduces,
        }
    }

    /// When each attempt began that runs and that its tracker has told of.
    pub(crate) fn running_attempt_starts(&self, kind: TaskKind) -> Vec<(Millis, TaskAttemptId)> {
        let mut starts = Vec::new();
        for index in self.running_tasks(kind) {
            let tip = self.task(TaskRef { kind, index });
            for (number, attempt) in tip.attempts().iter().enumerate().filter(|(_, attempt)| attempt.active) {
                if let Some(status) = &attempt.status {
                    starts.push((status.start_time, tip.attempt_id(&self.id, number as i32)));
                }
            }
        }
        starts
    }

    fn running_tasks(&self, kind: TaskKind) -> BTreeSet<i32> {
        match kind {
            TaskKind::Map => {
                let lists = self.caches.running.values().chain([&self.caches.running_anywhere]);
                lists.flatten().map(|(_, index)| *index).collect()
            }
            TaskKind::Reduce => self.reduce_lists.running.iter().map(|(_, index)| *index).collect(),
        }
    }

    /// Whether a map waits whose data lies nowhere in particular.
    pub(crate) fn has_maps_without_place(&self) -> bool {
        !self.caches.waiting_anywhere.is_empty()
    }
}
