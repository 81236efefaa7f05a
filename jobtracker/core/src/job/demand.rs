//! How many slots a job can use now, and which of its attempts hold any (Hadoop 1.2.1: JobSchedulable.updateDemand,
//! FairScheduler.getRunningTasks). What runs is counted as it changes, so that the question costs next to nothing.

use std::collections::{BTreeMap, BTreeSet};

use types::{Millis, Monotonic, TaskAttemptId, TaskKind};

use super::{JobInProgress, TaskRef};
use crate::task::TaskInProgress;

/// Steps from nothing to done by which tasks that may lag are sorted; a power of two, so that no rounding moves one.
const STEPS: usize = 64;

/// The tasks of a kind that have attempts and are not done.
#[derive(Debug)]
pub(super) struct ActiveTasks {
    tasks: BTreeMap<i32, Activity>,
    /// All their attempts.
    attempts: i32,
    /// Those that may be run twice once they lag, by how far they are.
    by_step: [BTreeSet<i32>; STEPS + 1],
}

/// What is counted of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Activity {
    attempts: i32,
    /// How far it is, if it may be run twice once it lags.
    step: Option<usize>,
}

impl Activity {
    fn of(tip: &TaskInProgress) -> Option<Self> {
        let is_active = tip.is_map_or_reduce() && tip.is_running() && !tip.is_complete();
        is_active.then(|| Activity {
            attempts: tip.active() as i32,
            step: tip.may_be_run_twice().then(|| step_of(tip.progress())),
        })
    }
}

fn step_of(progress: f64) -> usize {
    if progress.is_nan() { STEPS } else { ((progress * STEPS as f64) as usize).min(STEPS) }
}

/// How far a task is at least in that step, the first of which also has what is less than nothing.
fn begin_of(step: usize) -> f64 {
    step as f64 / STEPS as f64
}

impl Default for ActiveTasks {
    fn default() -> Self {
        ActiveTasks { tasks: BTreeMap::new(), attempts: 0, by_step: std::array::from_fn(|_| BTreeSet::new()) }
    }
}

impl ActiveTasks {
    fn set(&mut self, index: i32, activity: Option<Activity>) {
        let old = self.tasks.get(&index).copied();
        if old == activity {
            return;
        }
        if let Some(old) = old {
            self.attempts -= old.attempts;
            old.step.map(|step| self.by_step[step].remove(&index));
        }
        match activity {
            Some(new) => {
                self.attempts += new.attempts;
                new.step.map(|step| self.by_step[step].insert(index));
                self.tasks.insert(index, new);
            }
            None => {
                self.tasks.remove(&index);
            }
        }
    }

    /// How many of those that may be run twice are so far behind an average as `lags` tells. Whole steps are counted as
    /// such; only in the step where it turns are tasks looked at.
    fn count_lagging(&self, lags: impl Fn(f64) -> bool, is_worth: impl Fn(i32) -> bool) -> i32 {
        let mut count = 0;
        for (step, tasks) in self.by_step.iter().enumerate() {
            if step > 0 && !lags(begin_of(step)) {
                break;
            }
            count += match step < STEPS && lags(begin_of(step + 1)) {
                true => tasks.len(),
                false => tasks.iter().filter(|index| is_worth(**index)).count(),
            };
        }
        count as i32
    }
}

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
        let active = self.active_tasks(kind);
        let waiting = self.desired(kind) - self.finished(kind) - active.tasks.len() as i32;
        let speculates = speculates && TaskInProgress::speculation_is_possible(self.created, now, average);
        let second = match self.tasks(kind).first() {
            Some(first) if speculates && first.is_old_enough_for_speculation(now) => active.count_lagging(
                |progress| TaskInProgress::is_far_behind(average, progress),
                |index| self.task(TaskRef { kind, index }).is_worth_speculation(now, average),
            ),
            _ => 0,
        };
        waiting + active.attempts + second
    }

    /// Keeps the tasks that have attempts and are not done.
    pub(super) fn note_activity(&mut self, task: TaskRef) {
        let activity = Activity::of(self.task(task));
        let active = match task.kind {
            TaskKind::Map => &mut self.active_maps,
            TaskKind::Reduce => &mut self.active_reduces,
        };
        active.set(task.index, activity);
    }

    /// Whether what is counted of a task is what it does.
    pub(crate) fn activity_is_noted(&self, task: TaskRef) -> bool {
        let (active, activity) = (self.active_tasks(task.kind), Activity::of(self.task(task)));
        let stands_at = |(_, tasks): &(usize, &BTreeSet<i32>)| tasks.contains(&task.index);
        let step = active.by_step.iter().enumerate().find(stands_at).map(|(step, _)| step);
        active.tasks.get(&task.index).copied() == activity && step == activity.and_then(|activity| activity.step)
    }

    fn active_tasks(&self, kind: TaskKind) -> &ActiveTasks {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_behind_are_counted_as_if_each_were_looked_at() {
        let progress = [f64::NAN, -0.5, 0.0, 0.1, 0.296_875, 0.3, 0.300_1, 0.5, 1.0, 7.0];
        let mut active = ActiveTasks::default();
        for (index, progress) in (0..).zip(progress) {
            active.set(index, Some(Activity { attempts: 2, step: Some(step_of(progress)) }));
        }
        for average in [0.0, 0.2, 0.3, 0.496_875, 0.5, 0.500_1, 1.0] {
            let lags = |progress: f64| average - progress >= 0.2;
            let expected = progress.iter().filter(|progress| lags(**progress)).count() as i32;
            assert_eq!(active.count_lagging(lags, |index| lags(progress[index as usize])), expected, "at {average}");
        }
        active.set(3, None);
        active.set(0, Some(Activity { attempts: 1, step: None }));
        assert_eq!((active.tasks.len(), active.attempts), (9, 17));
        assert!(active.by_step.iter().all(|tasks| !tasks.contains(&0) && !tasks.contains(&3)));
    }
}
