//! What must hold after every event, whatever trackers and users do. The simulator and the tests ask after each one.

use std::collections::BTreeMap;

use types::{CompletionStatus, TaskAttemptId, TaskKind, TaskState};

use crate::JobTracker;
use crate::job::{JobInProgress, TaskRef};
use crate::task::{Bucket, Outcome, TaskInProgress};
use crate::trackers::{PerKind, TrackerKey};

/// Says what is wrong unless a condition holds.
macro_rules! holds {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}

impl JobTracker {
    /// Checks every invariant; the error says which is broken, and where. Slow: looks at everything.
    pub fn check_invariants(&self) -> Result<(), String> {
        holds!(self.cluster.touched.is_empty(), "jobs were touched and not settled: {:?}", self.cluster.touched);
        self.check_tracker_sums()?;
        let mut registered = BTreeMap::new();
        for tracker in self.cluster.trackers.iter() {
            for id in &tracker.attempts {
                let twice = registered.insert(id.clone(), tracker.key);
                holds!(twice.is_none(), "{id} is registered at two trackers");
            }
            let known = |id: &&TaskAttemptId| tracker.attempts.contains(*id);
            holds!(tracker.suspects.iter().all(|id| known(&id)), "{:?} suspects what it does not run", tracker.key);
        }
        for job in self.jobs.values() {
            self.check_job(job, &mut registered)?;
        }
        holds!(registered.is_empty(), "attempts of no job are registered: {registered:?}");
        self.check_indexes()
    }

    fn check_tracker_sums(&self) -> Result<(), String> {
        let trackers = &self.cluster.trackers;
        let sum = |of: &dyn Fn(&crate::trackers::Tracker) -> PerKind, kind| -> i32 {
            trackers.iter().map(|tracker| of(tracker).get(kind)).sum()
        };
        for kind in TaskKind::BOTH {
            let counted = |tracker: &crate::trackers::Tracker| match self.cluster.faulty.is_blacklisted(tracker.host) {
                true => PerKind::default(),
                false => tracker.slots,
            };
            holds!(trackers.slots.get(kind) == sum(&counted, kind), "{kind:?} slots of the cluster are miscounted");
            holds!(trackers.running.get(kind) == sum(&|t| t.running, kind), "running {kind:?} attempts are miscounted");
            holds!(trackers.occupied.get(kind) == sum(&|t| t.occupied, kind), "taken {kind:?} slots are miscounted");
        }
        for tracker in trackers.iter() {
            for kind in TaskKind::BOTH {
                let (handed, free) =
                    (tracker.handed_out.get(kind), tracker.slots.get(kind) - tracker.occupied.get(kind));
                holds!(handed <= free.max(0), "{:?} was oversold: {handed} {kind:?} slots of {free}", tracker.key);
            }
        }
        Ok(())
    }

    fn check_indexes(&self) -> Result<(), String> {
        let jobs = self.jobs.values();
        for job in jobs.clone() {
            let id = &job.id;
            holds!(job.indexed == job.readiness(), "{id} is indexed as {:?}, is {:?}", job.indexed, job.readiness());
            holds!(self.incomplete.contains(id) != job.is_over(), "{id} is over and incomplete, or neither");
            holds!(self.special_jobs.contains(id) == job.indexed.is_special(), "{id} is wrong among the special jobs");
        }
        let maps = jobs.clone().filter(|job| job.indexed.maps).count();
        let reduces = jobs.filter(|job| job.indexed.reduces).count();
        holds!(self.jobs_with_maps == maps, "{maps} jobs have waiting maps, {} are counted", self.jobs_with_maps);
        holds!(self.jobs_with_reduces == reduces, "{reduces} jobs have waiting reduces, not as counted");
        Ok(())
    }

    fn check_job(
        &self,
        job: &JobInProgress,
        registered: &mut BTreeMap<TaskAttemptId, TrackerKey>,
    ) -> Result<(), String> {
        for kind in TaskKind::BOTH {
            let (mut buckets, mut running) = ([0i32; 4], 0);
            for (index, tip) in (0..).zip(job.tasks(kind)) {
                check_task(job, TaskRef { kind, index }, tip, registered)?;
                if tip.is_map_or_reduce() {
                    buckets[tip.bucket as usize] += 1;
                    running += tip.attempts().iter().filter(|attempt| attempt.counted).count() as i32;
                }
            }
            let (id, counts) = (&job.id, job.counts(kind));
            if job.is_inited() {
                let counted = [counts.pending, counts.running, counts.finished, counts.killed];
                holds!(buckets == counted, "{id}: {kind:?} tasks are {buckets:?}, counted as {counted:?}");
            }
            let counted = job.running_attempts(kind);
            holds!(running == counted, "{id}: {running} {kind:?} attempts run, {counted} are counted");
        }
        check_events(job)?;
        if job.is_over() {
            let tasks = || TaskKind::BOTH.into_iter().flat_map(|kind| job.tasks(kind));
            holds!(tasks().all(|tip| !tip.is_running()), "{} is over and has running attempts", job.id);
            holds!(tasks().all(|tip| !tip.is_runnable()), "{} is over and has open tasks", job.id);
        }
        Ok(())
    }
}

fn check_task(
    job: &JobInProgress,
    task: TaskRef,
    tip: &TaskInProgress,
    registered: &mut BTreeMap<TaskAttemptId, TrackerKey>,
) -> Result<(), String> {
    let id = tip.id(&job.id);
    holds!(tip.spec.kind == task.kind && tip.spec.index == task.index, "{id} lies at {task:?}");
    holds!(tip.bucket == tip.current_bucket() || !tip.is_map_or_reduce(), "{id} is counted as {:?}", tip.bucket);
    let active = tip.attempts().iter().filter(|attempt| attempt.active).count();
    holds!(active == tip.active(), "{id}: {active} attempts are active, {} are counted", tip.active());
    holds!(tip.bucket != Bucket::Pending || active == 0, "{id} waits for a slot and runs");
    for (number, attempt) in (0..).zip(tip.attempts()) {
        let attempt_id = tip.attempt_id(&job.id, number);
        let entry = registered.remove(&attempt_id);
        holds!(entry == attempt.entry, "{attempt_id} is registered at {entry:?}, believed at {:?}", attempt.entry);
        holds!(!attempt.active || entry.is_some(), "{attempt_id} runs nowhere");
        let ended = attempt.state().is_some_and(TaskState::is_terminal);
        holds!(!(attempt.active && ended), "{attempt_id} is {:?} and active", attempt.state());
        holds!(!attempt.counted || attempt.active || attempt.waits_for_cleanup(), "{attempt_id} is counted as running");
    }
    let succeeded = (0..).zip(tip.attempts()).filter(|(_, attempt)| attempt.is_state(TaskState::Succeeded));
    let succeeded: Vec<i32> = succeeded.map(|(number, _)| number).collect();
    match tip.outcome() {
        Outcome::Complete { winner } => holds!(succeeded == [winner], "{id} was won by {winner}, not {succeeded:?}"),
        _ => holds!(succeeded.is_empty(), "{id} is not complete, yet {succeeded:?} succeeded"),
    }
    Ok(())
}

/// Events are numbered in order, and each task that is done has exactly one success that stands.
fn check_events(job: &JobInProgress) -> Result<(), String> {
    let mut standing: BTreeMap<_, i32> = BTreeMap::new();
    for (at, event) in (0..).zip(job.events()) {
        holds!(event.event_id == at, "{}: event {at} says it is {}", job.id, event.event_id);
        if event.status == CompletionStatus::Succeeded {
            *standing.entry(event.attempt.task.clone()).or_default() += 1;
        }
    }
    for kind in TaskKind::BOTH {
        for tip in job.tasks(kind) {
            let successes = standing.remove(&tip.id(&job.id)).unwrap_or(0);
            let wanted = i32::from(tip.is_complete());
            holds!(successes == wanted, "{}: {successes} successes stand, not {wanted}", tip.id(&job.id));
        }
    }
    Ok(())
}
