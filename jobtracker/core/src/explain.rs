//! Why a job or a task does not run now: the first of the conditions under which it would be given a slot that does
//! not hold, asked from the same functions that give slots (`hadoop job -explain`).

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use types::{JobId, JobState, TaskId, TaskKind};

use crate::JobTracker;
use crate::job::JobInProgress;
use crate::trackers::Tracker;

/// Why nothing more of a job, or nothing of a task, runs now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyNot {
    /// The job is over.
    Over(JobState),
    /// The job is being ended.
    Ending,
    /// Nothing is given out in safe mode.
    SafeMode,
    /// The scheduler does not let the job be initialised yet.
    HeldBack {
        /// Whose limit it is: a queue's, a user's, a pool's.
        by: String,
    },
    /// The job's splits are being read.
    ReadingSplits,
    /// The job's setup has not ended.
    SetupFirst,
    /// The task, or every task of that kind, runs or has run.
    NothingWaits(TaskKind),
    /// Reduces wait for maps.
    SlowStart {
        /// Maps that are done.
        done: i32,
        /// Maps that must be.
        needed: i32,
    },
    /// No tracker may be given tasks.
    NoTrackers,
    /// A limit of the scheduler.
    Limit(String),
    /// No tracker has as many slots as one task takes.
    TooLarge {
        /// Which slots.
        kind: TaskKind,
        /// Slots of one task.
        slots: i32,
        /// The most that a tracker has.
        most: i32,
    },
    /// All slots are taken.
    NoFreeSlot {
        /// Which slots.
        kind: TaskKind,
        /// How many there are.
        slots: i32,
    },
    /// Slots are free, but nowhere as many as one task takes.
    TooFewFreeSlots {
        /// Which slots.
        kind: TaskKind,
        /// Slots of one task.
        slots: i32,
        /// The most that are free on one tracker.
        most_free: i32,
        /// Trackers that are kept free for the job.
        reserved: i32,
    },
    /// The trackers with free slots are on hosts where too many attempts of the job failed.
    Avoided {
        /// How many trackers.
        trackers: usize,
    },
    /// The job waits for slots near its data.
    LocalityWait {
        /// Heartbeats at which it had nothing near.
        missed: i64,
        /// After how many it takes maps from anywhere.
        until: i64,
    },
    /// Likewise, for a time.
    LocalityDelay {
        /// How long it was passed over.
        waited: Duration,
        /// After how long it takes maps from anywhere.
        until: Duration,
    },
    /// Nothing hinders: a slot is free, and it or a job before it gets it at its tracker's next heartbeat.
    NextHeartbeat(TaskKind),
}

impl Display for WhyNot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = |kind: &TaskKind| if kind.is_map() { "map" } else { "reduce" };
        match self {
            WhyNot::Over(state) => write!(f, "the job is over: {}", state.name()),
            WhyNot::Ending => write!(f, "the job is being ended, and gets no tasks any more"),
            WhyNot::SafeMode => write!(f, "the JobTracker is in safe mode, and gives out no tasks"),
            WhyNot::HeldBack { by } => write!(f, "the job waits to be initialised: {by}"),
            WhyNot::ReadingSplits => write!(f, "the job is being initialised: its splits are being read"),
            WhyNot::SetupFirst => write!(f, "the job's setup has not ended"),
            WhyNot::NothingWaits(kind) => write!(f, "no {} of the job waits for a slot", name(kind)),
            WhyNot::SlowStart { done, needed } => {
                write!(f, "reduces start once {needed} maps are done; {done} are")
            }
            WhyNot::NoTrackers => write!(f, "there is no TaskTracker that may be given tasks"),
            WhyNot::Limit(limit) => write!(f, "{limit}"),
            WhyNot::TooLarge { kind, slots, most } => write!(
                f,
                "a {0} of the job takes {slots} {0} slots, and no TaskTracker has more than {most}",
                name(kind)
            ),
            WhyNot::NoFreeSlot { kind, slots } => {
                write!(f, "none of the cluster's {slots} {} slots is free", name(kind))
            }
            WhyNot::TooFewFreeSlots { kind, slots, most_free, reserved } => write!(
                f,
                "a {0} of the job takes {slots} {0} slots, and no TaskTracker has more than {most_free} free; \
                 {reserved} TaskTrackers are kept free for the job",
                name(kind)
            ),
            WhyNot::Avoided { trackers } => write!(
                f,
                "the {trackers} TaskTrackers with free slots are on hosts where too many of the job's attempts failed"
            ),
            WhyNot::LocalityWait { missed, until } => write!(
                f,
                "the job waits for slots near its data: it was asked {missed} times in vain, and takes maps from \
                 anywhere after {until}"
            ),
            WhyNot::LocalityDelay { waited, until } => write!(
                f,
                "the job waits for slots near its data: it was passed over for {} ms, and takes maps from anywhere after \
                 {} ms",
                waited.as_millis(),
                until.as_millis()
            ),
            WhyNot::NextHeartbeat(kind) => write!(
                f,
                "nothing hinders it: a {} slot is free, and goes to this job or to one before it at the next heartbeat",
                name(kind)
            ),
        }
    }
}

impl JobTracker {
    /// Why no more of a job runs: one reason for the whole job, or one for each kind of its tasks. `None` if the job is
    /// unknown.
    pub fn explain_job(&self, job: &JobId) -> Option<Vec<WhyNot>> {
        let Some(job) = self.jobs.get(job) else {
            let retired = self.retirement.get(job)?;
            return Some(vec![WhyNot::Over(retired.status().state)]);
        };
        if let Some(reason) = self.hindrance_of_all(job) {
            return Some(vec![reason]);
        }
        let kinds = TaskKind::BOTH.into_iter().filter(|kind| job.desired(*kind) > 0);
        Some(kinds.map(|kind| self.hindrance(job, kind)).collect())
    }

    /// Why a task does not run; empty if it runs or is done, `None` if it is unknown.
    pub fn explain_task(&self, task: &TaskId) -> Option<Vec<WhyNot>> {
        let job = self.jobs.get(&task.job)?;
        if let Some(reason) = self.hindrance_of_all(job) {
            return Some(vec![reason]);
        }
        let tip = job.task(job.find(task.kind, task.number)?);
        match tip.is_running() || tip.is_complete() || !tip.is_runnable() {
            true => Some(Vec::new()),
            false => Some(vec![self.hindrance(job, task.kind)]),
        }
    }

    /// What hinders all tasks of a job alike.
    fn hindrance_of_all(&self, job: &JobInProgress) -> Option<WhyNot> {
        if job.is_over() {
            return Some(WhyNot::Over(job.status.state));
        }
        if job.is_ending() {
            return Some(WhyNot::Ending);
        }
        if self.cluster.safe_mode {
            return Some(WhyNot::SafeMode);
        }
        if !job.is_inited() {
            let by = || "the scheduler holds it back".to_owned();
            return Some(match job.awaits_splits() {
                true => WhyNot::ReadingSplits,
                false => WhyNot::HeldBack { by: self.scheduler.why_held_back(job).unwrap_or_else(by) },
            });
        }
        (!job.is_running()).then_some(WhyNot::SetupFirst)
    }

    /// The first condition that does not hold for a task of a kind, in the order in which they are asked.
    fn hindrance(&self, job: &JobInProgress, kind: TaskKind) -> WhyNot {
        if job.counts(kind).pending == 0 {
            return WhyNot::NothingWaits(kind);
        }
        let may_begin_early =
            self.cluster.settings.early_reduces && self.scheduler.starts_reduces_early() && job.may_reduce_early();
        if kind == TaskKind::Reduce && !job.may_reduce() && !may_begin_early {
            return WhyNot::SlowStart { done: job.finished(TaskKind::Map), needed: job.slow_start_maps() };
        }
        let faulty = &self.cluster.faulty;
        let usable = || self.cluster.trackers.iter().filter(|tracker| !faulty.is_blacklisted(tracker.host));
        if usable().next().is_none() {
            return WhyNot::NoTrackers;
        }
        if let Some(limit) = self.scheduler.why_limited(job, kind) {
            return WhyNot::Limit(limit);
        }
        let slots = job.slots.get(kind);
        let most = usable().map(|tracker| tracker.slots.get(kind)).max().unwrap_or(0);
        if most < slots {
            return WhyNot::TooLarge { kind, slots, most };
        }
        let most_free = usable().map(|tracker| tracker.free_slots(kind)).max().unwrap_or(0);
        if most_free <= 0 {
            return WhyNot::NoFreeSlot { kind, slots: self.cluster.trackers.slots.get(kind) };
        }
        if most_free < slots {
            let held = self.scheduler.reservations();
            let reserved = held.iter().filter(|(_, of, id)| *of == kind && *id == job.id).count() as i32;
            return WhyNot::TooFewFreeSlots { kind, slots, most_free, reserved };
        }
        let with_room: Vec<&Tracker> = usable().filter(|tracker| tracker.free_slots(kind) >= slots).collect();
        if with_room.iter().all(|tracker| !job.flaky.may_use(tracker.host)) {
            return WhyNot::Avoided { trackers: with_room.len() };
        }
        let wait = kind.is_map().then(|| self.scheduler.locality_wait(job, self.cluster.active_trackers())).flatten();
        wait.unwrap_or(WhyNot::NextHeartbeat(kind))
    }
}
