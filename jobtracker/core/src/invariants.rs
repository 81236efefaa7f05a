//! What must hold after every event, whatever trackers and users do. The simulator and the tests ask after each one.

use std::collections::BTreeMap;

use types::{CompletionStatus, JobId, TaskAttemptId, TaskKind, TaskState};

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
        let mut registered = BTreeMap::new();
        for tracker in self.cluster.trackers.iter() {
            for id in &tracker.attempts {
                let twice = registered.insert(id.clone(), tracker.key);
                holds!(twice.is_none(), "{id} is registered at two trackers");
            }
            let known = |id: &TaskAttemptId| tracker.attempts.contains(id);
            holds!(tracker.suspects.iter().all(known), "{:?} suspects what it does not run", tracker.key);
        }
        for job in self.jobs.values() {
            self.check_job(job)?;
            for (id, entry) in entries(job) {
                holds!(registered.remove(&id) == Some(entry), "{id} is not registered at {entry:?} alone");
            }
        }
        holds!(registered.is_empty(), "attempts that are nowhere are registered: {registered:?}");
        self.scheduler.check(&self.jobs)?;
        self.check_sums()
    }

    /// Checks what an event may have broken that concerned these jobs alone.
    pub fn check_invariants_of<'a>(&self, jobs: impl IntoIterator<Item = &'a JobId>) -> Result<(), String> {
        for job in jobs.into_iter().filter_map(|job| self.jobs.get(job)) {
            self.check_job(job)?;
            for (id, entry) in entries(job) {
                let tracker = self.cluster.trackers.get(entry);
                holds!(tracker.is_some_and(|t| t.attempts.contains(&id)), "{id} is not registered at {entry:?}");
            }
        }
        self.check_sums()
    }

    fn check_sums(&self) -> Result<(), String> {
        holds!(self.cluster.touched.is_empty(), "jobs were touched and not settled: {:?}", self.cluster.touched);
        self.check_tracker_sums()?;
        self.scheduler.check(&self.jobs)?;
        self.check_indexes()
    }

    fn check_tracker_sums(&self) -> Result<(), String> {
        let trackers = &self.cluster.trackers;
        let (mut slots, mut running, mut occupied, mut blacklisted) = ([0; 2], [0; 2], [0; 2], 0);
        for tracker in trackers.iter() {
            let counts = !self.cluster.faulty.is_blacklisted(tracker.host);
            blacklisted += usize::from(!counts);
            for (at, kind) in TaskKind::BOTH.into_iter().enumerate() {
                slots[at] += if counts { tracker.slots.get(kind) } else { 0 };
                running[at] += tracker.running.get(kind);
                occupied[at] += tracker.occupied.get(kind);
                let (handed, free) =
                    (tracker.handed_out.get(kind), tracker.slots.get(kind) - tracker.occupied.get(kind));
                holds!(handed <= free.max(0), "{:?} was oversold: {handed} {kind:?} slots of {free}", tracker.key);
            }
        }
        holds!(blacklisted == trackers.blacklisted, "{blacklisted} trackers are blacklisted, not as counted");
        let pair = |of: PerKind| [of.maps, of.reduces];
        holds!(slots == pair(trackers.slots), "the trackers have {slots:?} slots, {:?} are counted", trackers.slots);
        holds!(running == pair(trackers.running), "{running:?} attempts run, {:?} are counted", trackers.running);
        holds!(occupied == pair(trackers.occupied), "{occupied:?} slots are taken, {:?} counted", trackers.occupied);
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

    fn check_job(&self, job: &JobInProgress) -> Result<(), String> {
        for kind in TaskKind::BOTH {
            let (mut buckets, mut running) = ([0i32; 4], 0);
            for (index, tip) in (0..).zip(job.tasks(kind)) {
                check_task(job, TaskRef { kind, index }, tip)?;
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

/// The attempts of a job that are registered, and where.
fn entries(job: &JobInProgress) -> impl Iterator<Item = (TaskAttemptId, TrackerKey)> + '_ {
    let tips = TaskKind::BOTH.into_iter().flat_map(|kind| job.tasks(kind));
    tips.flat_map(|tip| {
        let attempts = (0..).zip(tip.attempts());
        attempts.filter_map(|(number, attempt)| Some((tip.attempt_id(&job.id, number), attempt.entry?)))
    })
}

fn check_task(job: &JobInProgress, task: TaskRef, tip: &TaskInProgress) -> Result<(), String> {
    let id = || tip.id(&job.id);
    holds!(tip.spec.kind == task.kind && tip.spec.index == task.index, "{} lies at {task:?}", id());
    holds!(tip.bucket == tip.current_bucket() || !tip.is_map_or_reduce(), "{} is counted as {:?}", id(), tip.bucket);
    holds!(job.activity_is_noted(task), "{} is active as {}, counted otherwise", id(), tip.active());
    let active = tip.attempts().iter().filter(|attempt| attempt.active).count();
    holds!(active == tip.active(), "{}: {active} attempts are active, {} are counted", id(), tip.active());
    holds!(tip.bucket != Bucket::Pending || active == 0, "{} waits for a slot and runs", id());
    for (number, attempt) in (0..).zip(tip.attempts()) {
        let attempt_id = || tip.attempt_id(&job.id, number);
        holds!(!attempt.active || attempt.entry.is_some(), "{} runs nowhere", attempt_id());
        let ended = attempt.state().is_some_and(TaskState::is_terminal);
        holds!(!(attempt.active && ended), "{} is {:?} and active", attempt_id(), attempt.state());
        let runs = attempt.active || attempt.waits_for_cleanup();
        holds!(!attempt.counted || runs, "{} is counted as running", attempt_id());
    }
    let succeeded = (0..).zip(tip.attempts()).filter(|(_, attempt)| attempt.is_state(TaskState::Succeeded));
    let succeeded: Vec<i32> = succeeded.map(|(number, _)| number).collect();
    match tip.outcome() {
        Outcome::Complete { winner } => {
            holds!(succeeded == [winner], "{} was won by {winner}, not {succeeded:?}", id())
        }
        _ => holds!(succeeded.is_empty(), "{} is not complete, yet {succeeded:?} succeeded", id()),
    }
    Ok(())
}

/// Events are numbered in order, and each task that is done has exactly one success that stands.
fn check_events(job: &JobInProgress) -> Result<(), String> {
    let mut standing = TaskKind::BOTH.map(|kind| vec![0; job.tasks(kind).len()]);
    for (at, event) in (0..).zip(job.events()) {
        holds!(event.event_id == at, "{}: event {at} says it is {}", job.id, event.event_id);
        if event.status == CompletionStatus::Succeeded {
            standing[event.attempt.kind() as usize][event.attempt.task.number as usize] += 1;
        }
    }
    for (kind, standing) in TaskKind::BOTH.into_iter().zip(standing) {
        for (tip, successes) in job.tasks(kind).iter().zip(standing) {
            let wanted = i32::from(tip.is_complete());
            holds!(successes == wanted, "{}: {successes} successes stand, not {wanted}", tip.id(&job.id));
        }
    }
    Ok(())
}
