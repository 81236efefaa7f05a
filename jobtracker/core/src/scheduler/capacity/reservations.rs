//! Trackers that are kept free for a job whose tasks need more slots than are free anywhere
//! (Hadoop 1.2.1: TaskTracker.reserveSlots, JobInProgress.reserveTaskTracker).

use std::collections::BTreeMap;

use types::{JobId, Monotonic, TaskKind};

use crate::trackers::{PerKind, TrackerKey};

/// A tracker kept free for a job.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reservation {
    job: JobId,
    /// When so many slots began to lie fallow.
    since: Monotonic,
    slots: i32,
}

/// All of them, one at most for each tracker and kind.
#[derive(Debug, Default)]
pub(super) struct Reservations {
    held: [BTreeMap<TrackerKey, Reservation>; 2],
}

/// How long slots lay fallow for a job, times their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fallow {
    pub(super) slot_millis: i64,
}

impl Reservations {
    /// The job for which a tracker is kept free.
    pub(super) fn job_at(&self, kind: TaskKind, tracker: TrackerKey) -> Option<&JobId> {
        self.held[kind as usize].get(&tracker).map(|held| &held.job)
    }

    /// Keeps a tracker's free slots for a job, or goes on doing so.
    pub(super) fn reserve(
        &mut self,
        now: Monotonic,
        kind: TaskKind,
        tracker: TrackerKey,
        job: &JobId,
        slots: i32,
    ) -> Fallow {
        let new = || Reservation { job: job.clone(), since: now, slots };
        let held = self.held[kind as usize].entry(tracker).or_insert_with(new);
        if held.slots == slots {
            return Fallow::default();
        }
        let fallow = fallow(now, held);
        (held.since, held.slots) = (now, slots);
        fallow
    }

    /// Gives a tracker free.
    pub(super) fn release(&mut self, now: Monotonic, kind: TaskKind, tracker: TrackerKey) -> Option<(JobId, Fallow)> {
        let held = self.held[kind as usize].remove(&tracker)?;
        let fallow = fallow(now, &held);
        Some((held.job, fallow))
    }

    /// The trackers that are kept free for a job.
    pub(super) fn trackers_of(&self, kind: TaskKind, job: &JobId) -> Vec<TrackerKey> {
        let held = self.held[kind as usize].iter().filter(|(_, held)| held.job == *job);
        held.map(|(tracker, _)| *tracker).collect()
    }

    /// Slots that lie fallow.
    pub(super) fn slots(&self) -> PerKind {
        PerKind::of(|kind| self.held[kind as usize].values().map(|held| held.slots).sum())
    }

    /// How many trackers are kept free for a job.
    pub(super) fn count(&self, kind: TaskKind, job: &JobId) -> i32 {
        self.held[kind as usize].values().filter(|held| held.job == *job).count() as i32
    }

    /// All trackers that are kept free, and for whom.
    pub(super) fn iter(&self, kind: TaskKind) -> impl Iterator<Item = (TrackerKey, &JobId)> {
        self.held[kind as usize].iter().map(|(tracker, held)| (*tracker, &held.job))
    }
}

fn fallow(now: Monotonic, held: &Reservation) -> Fallow {
    Fallow { slot_millis: (now - held.since).as_millis() as i64 * i64::from(held.slots) }
}
