//! Everything a TaskTracker decides, without I/O, clock, thread or lock: slots and the queues before them, attempts,
//! jobs and children on this node, time-outs, kills, commits, what a heartbeat says and what its answer causes.
//!
//! Each event is a method that takes [`Now`]; what is to be done comes out of [`TaskTracker::take_effects`]; time passes
//! by [`TaskTracker::deadline_reached`]. Deeds (files, processes, sockets) are the daemon's (Hadoop 1.2.1: the rules of
//! mapred.TaskTracker and JvmManager).

#![forbid(unsafe_code)]

mod attempt;
mod child;
mod effect;
mod ending;
mod heartbeat;
mod invariants;
mod launch;
mod local_job;
mod memory;
mod settings;
mod umbilical;
mod view;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use types::{JobId, JvmId, Monotonic, Now, TaskAttemptId, TaskKind, TaskTrackerStatus};

use attempt::{Attempt, Stage};
use child::{Child, RunId};
use local_job::LocalJob;

pub use child::{ChildEvent, ChildState, Refused};
pub use effect::{AttemptFiles, ChildKind, Effect, Signal};
pub use heartbeat::{Answered, Heartbeat};
pub use local_job::JobInfo;
pub use memory::{MemoryLimits, Process, ProcessTable};
pub use settings::{NodeReport, Settings};
pub use umbilical::ChildError;
pub use view::{AttemptView, ChildView, JobAtHand, View};

/// How long a `done` may come after its child's exit. Hadoop waits up to 3 s; the call was sent before the exit, so it
/// is in this process already.
const DONE_AFTER_EXIT: Duration = Duration::from_secs(1);

/// How long a child that is to end by itself may take before it is signalled.
const LEAVE_TIME: Duration = Duration::from_secs(5);

/// How often counters of running attempts are reported.
const COUNTERS_EVERY: Duration = Duration::from_secs(60);

/// The state of a TaskTracker between two initializations.
#[derive(Debug)]
pub struct TaskTracker {
    settings: Settings,
    runs: BTreeMap<RunId, Attempt>,
    /// Known attempts: those a child may speak for, and finished ones whose files are here.
    tasks: BTreeMap<TaskAttemptId, RunId>,
    /// Attempts that the next heartbeat reports.
    reported: BTreeMap<TaskAttemptId, RunId>,
    queues: BTreeMap<TaskKind, VecDeque<RunId>>,
    free_slots: BTreeMap<TaskKind, i32>,
    jobs: BTreeMap<JobId, LocalJob>,
    /// Jobs that are over, whose files go when their last child has exited; with their users.
    leaving_jobs: BTreeMap<JobId, String>,
    children: BTreeMap<JvmId, Child>,
    commits: BTreeSet<TaskAttemptId>,
    resets: BTreeSet<TaskAttemptId>,
    effects: Vec<Effect>,
    next_run: RunId,
    random: u64,
    task_failures: i32,
    accept_new_tasks: bool,
    response_id: i16,
    restarted: bool,
    initial_contact: bool,
    pending_status: Option<TaskTrackerStatus>,
    counters_sent: Option<Monotonic>,
    interval: Duration,
    stopping: bool,
    /// What the memory watch saw of each attempt's processes.
    ages: BTreeMap<RunId, memory::Ages>,
}

impl TaskTracker {
    /// A tracker that has not spoken to its JobTracker. `restarted`: the process is new, not only its state.
    pub fn new(settings: Settings, restarted: bool) -> Self {
        let free_slots = TaskKind::BOTH.map(|kind| (kind, settings.slots(kind))).into_iter().collect();
        TaskTracker {
            random: settings.seed,
            settings,
            runs: BTreeMap::new(),
            tasks: BTreeMap::new(),
            reported: BTreeMap::new(),
            queues: TaskKind::BOTH.map(|kind| (kind, VecDeque::new())).into_iter().collect(),
            free_slots,
            jobs: BTreeMap::new(),
            leaving_jobs: BTreeMap::new(),
            children: BTreeMap::new(),
            commits: BTreeSet::new(),
            resets: BTreeSet::new(),
            effects: Vec::new(),
            next_run: 0,
            task_failures: 0,
            accept_new_tasks: true,
            response_id: -1,
            restarted,
            initial_contact: true,
            pending_status: None,
            counters_sent: None,
            interval: Duration::from_millis(300),
            stopping: false,
            ages: BTreeMap::new(),
        }
    }

    /// What is to be done, oldest first.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// When [`TaskTracker::deadline_reached`] is to be called, whatever else happens.
    pub fn next_deadline(&self) -> Option<Monotonic> {
        let attempts = self.runs.values().filter_map(|attempt| match &attempt.stage {
            Stage::Exited { until, .. } => Some(*until),
            _ => attempt.times_out_at(),
        });
        let children = self.children.values().filter_map(|child| child.signal_at);
        attempts.chain(children).min()
    }

    /// Fails what was silent too long, gives up waiting for a last word, and signals children that do not end.
    pub fn deadline_reached(&mut self, now: Now) {
        self.fail_silent(now);
        self.settle_exited(now);
        self.signal_late(now);
    }

    /// How long to wait between heartbeats when nothing happens; the JobTracker decides.
    pub fn heartbeat_interval(&self) -> Duration {
        self.interval
    }

    /// Ends all attempts and children, and takes no more: the tracker stops or starts over.
    pub fn stop(&mut self, now: Now) {
        self.stopping = true;
        for queue in self.queues.values_mut() {
            queue.clear();
        }
        let children: Vec<JvmId> = self.children.keys().cloned().collect();
        for jvm in children {
            self.kill_child(now, &jvm);
        }
    }

    /// Whether any child process may still be there.
    pub fn has_children(&self) -> bool {
        !self.children.is_empty()
    }

    fn random_i32(&mut self) -> i32 {
        // SplitMix64: numbers of children need only differ.
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as i32
    }

    fn run(&self, id: RunId) -> &Attempt {
        self.runs.get(&id).expect("a run that is referred to is kept")
    }

    fn run_mut(&mut self, id: RunId) -> &mut Attempt {
        self.runs.get_mut(&id).expect("a run that is referred to is kept")
    }

    /// The run that children mean by that id.
    fn known(&self, attempt: &TaskAttemptId) -> Option<RunId> {
        self.tasks.get(attempt).copied()
    }

    /// Drops a run that nothing refers to any more.
    fn forget_if_unused(&mut self, id: RunId) {
        let Some(run) = self.runs.get(&id) else { return };
        let attempt = &run.task.attempt;
        let named = self.tasks.get(attempt) == Some(&id) || self.reported.get(attempt) == Some(&id);
        let in_job =
            self.jobs.get(attempt.job()).is_some_and(|job| job.runs.contains(&id) || job.waiting.contains(&id));
        let at_child = self.children.values().any(|child| child.run == Some(id));
        let queued = self.queues.values().any(|queue| queue.contains(&id));
        if !(named || in_job || at_child || queued || run.clean_at_exit) {
            self.runs.remove(&id);
        }
    }

    fn beat(&mut self) {
        if self.effects.last() != Some(&Effect::Heartbeat) {
            self.effects.push(Effect::Heartbeat);
        }
    }
}
