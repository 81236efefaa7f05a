//! A simulated TaskTracker: what it runs, what it tells, what it does when told. It behaves as 1.2.1's does towards its
//! JobTracker; some lie, some are woken early.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use jobtracker_core::Heartbeat;
use types::{
    JobId, Phase, ResourceStatus, Task, TaskAttemptId, TaskKind, TaskState, TaskTrackerHealthStatus, TaskTrackerStatus,
};

use crate::attempt::{Attempt, Fortune, Odds};
use crate::events::{Event, Process, TrackerIndex};

/// A TaskTracker.
#[derive(Debug)]
pub(crate) struct Tracker {
    pub(crate) index: TrackerIndex,
    pub(crate) host: String,
    pub(crate) rack: String,
    pub(crate) slots: (i32, i32),
    pub(crate) odds: Odds,
    /// Whether the JobTracker may wake it.
    pub(crate) is_woken: bool,
    pub(crate) is_liar: bool,
    /// It is or was a liar, so that nothing can be said of its slots.
    pub(crate) has_lied: bool,
    /// Counts planned heartbeats; only the last one counts.
    pub(crate) turn: u64,
    port: i32,
    /// Counts its processes.
    pub(crate) incarnation: u32,
    pub(crate) up: bool,
    /// The process stands still until then.
    pub(crate) frozen_until_ms: u64,
    /// Nothing passes between it and the JobTracker until then.
    pub(crate) cut_off_until_ms: u64,
    /// How far its wall clock is off.
    pub(crate) clock_ms: i64,
    pub(crate) healthy: bool,
    /// It was told that it may not take part, and has ended.
    pub(crate) refused: bool,
    response_id: i16,
    initial_contact: bool,
    pub(crate) attempts: BTreeMap<TaskAttemptId, Attempt>,
    /// Map outputs that lie here.
    pub(crate) outputs: BTreeSet<TaskAttemptId>,
    /// The heartbeat that has not been answered, to be sent again as it was.
    unanswered: Option<Heartbeat>,
    /// The call that is under way.
    pub(crate) outstanding: Option<u64>,
    /// Something has happened that is worth an early heartbeat.
    pub(crate) hurry: bool,
    runs: u32,
}

impl Tracker {
    pub(crate) fn new(index: TrackerIndex, racks: usize, slots: (i32, i32), odds: Odds) -> Self {
        Tracker {
            index,
            host: format!("h{index:04}"),
            rack: format!("/r{}", index % racks.max(1)),
            slots,
            odds,
            is_woken: false,
            is_liar: false,
            has_lied: false,
            turn: 0,
            port: 40_000,
            incarnation: 0,
            up: true,
            frozen_until_ms: 0,
            cut_off_until_ms: 0,
            clock_ms: 0,
            healthy: true,
            refused: false,
            response_id: -1,
            initial_contact: true,
            attempts: BTreeMap::new(),
            outputs: BTreeSet::new(),
            unanswered: None,
            outstanding: None,
            hurry: false,
            runs: 0,
        }
    }

    pub(crate) fn name(&self) -> String {
        format!("tracker_{}:localhost/127.0.0.1:{}", self.host, self.port)
    }

    pub(crate) fn process(&self) -> Process {
        Process { tracker: self.index, incarnation: self.incarnation }
    }

    /// The next heartbeat, in place of one planned before.
    pub(crate) fn next_beat(&mut self) -> Event {
        self.turn += 1;
        Event::Beat { process: self.process(), turn: self.turn }
    }

    /// The process is gone, with all that it held.
    pub(crate) fn crash(&mut self) {
        self.up = false;
        self.incarnation += 1;
        self.start_anew();
    }

    /// A new process, perhaps on another port.
    pub(crate) fn restart(&mut self, new_port: bool) {
        self.up = true;
        self.refused = false;
        self.port += i32::from(new_port);
    }

    /// Forgets everything and will register again.
    pub(crate) fn start_anew(&mut self) {
        self.response_id = -1;
        self.initial_contact = true;
        self.attempts.clear();
        self.outputs.clear();
        self.unanswered = None;
        self.outstanding = None;
        self.hurry = false;
        self.frozen_until_ms = 0;
    }

    /// The heartbeat to send: the last one if it was not answered, else a new one.
    pub(crate) fn heartbeat(&mut self, rng: &mut Rng, known: &[TaskAttemptId]) -> Heartbeat {
        if let Some(again) = &self.unanswered {
            return again.clone();
        }
        let mut tasks: Vec<_> = self.attempts.values().map(|attempt| attempt.status.clone()).collect();
        for attempt in self.attempts.values_mut() {
            attempt.reported_end = !attempt.is_live();
            attempt.status.diagnostics.clear();
            if let Some(reduce) = &mut attempt.status.reduce {
                reduce.failed_fetches.clear();
            }
        }
        if self.is_liar {
            lie(rng, &mut tasks, known);
        }
        let beat = Heartbeat {
            status: TaskTrackerStatus {
                name: self.name(),
                host: self.host.clone(),
                http_port: 50_060,
                task_failures: 0,
                dir_failures: 0,
                max_map_slots: self.slots.0,
                max_reduce_slots: self.slots.1,
                resources: ResourceStatus::default(),
                tasks,
                health: TaskTrackerHealthStatus {
                    healthy: self.healthy,
                    report: if self.healthy { String::new() } else { "ERROR by lot".to_owned() },
                    last_reported: 1,
                },
            },
            restarted: false,
            initial_contact: self.initial_contact,
            accept_new_tasks: true,
            response_id: self.response_id,
            rack: self.rack.clone(),
        };
        self.unanswered = Some(beat.clone());
        beat
    }

    /// The last heartbeat was answered: what it told as ended is forgotten.
    pub(crate) fn answered(&mut self, response_id: i16) {
        self.unanswered = None;
        self.outstanding = None;
        self.initial_contact = false;
        self.response_id = response_id;
        let outputs = &mut self.outputs;
        self.attempts.retain(|id, attempt| {
            let ended = attempt.reported_end && !attempt.is_live();
            if ended
                && attempt.status.state == TaskState::Succeeded
                && attempt.task.is_map_or_reduce()
                && id.kind().is_map()
            {
                outputs.insert(id.clone());
            }
            !ended
        });
    }

    /// Takes an attempt in. Tells its run, or nothing if it has that attempt already.
    pub(crate) fn launch(&mut self, rng: &mut Rng, task: Task, wall: i64) -> Option<u32> {
        let id = task.attempt.clone();
        if self.attempts.contains_key(&id) {
            return None;
        }
        self.runs += 1;
        let fortune = Fortune::draw(rng, &self.odds, &task);
        self.attempts.insert(id, Attempt::new(task, fortune, self.runs, wall));
        Some(self.runs)
    }

    /// An attempt of that run, if it is still there and alive.
    pub(crate) fn live(&mut self, id: &TaskAttemptId, run: u32) -> Option<&mut Attempt> {
        self.attempts.get_mut(id).filter(|attempt| attempt.run == run && attempt.is_live())
    }

    /// Is told to end an attempt. Whether that is worth telling early.
    pub(crate) fn kill(&mut self, id: &TaskAttemptId, wall: i64) -> bool {
        let Some(attempt) = self.attempts.get_mut(id).filter(|attempt| attempt.is_live()) else { return false };
        attempt.kill(wall);
        true
    }

    /// Is told to clean up after a job.
    pub(crate) fn forget_job(&mut self, job: &JobId) {
        self.attempts.retain(|id, _| id.job() != job);
        self.outputs.retain(|id| id.job() != job);
    }

    /// Loses a map output from its disk.
    pub(crate) fn lose_output(&mut self, rng: &mut Rng) {
        let lost = rng.usize(0..self.outputs.len().max(1));
        if let Some(id) = self.outputs.iter().nth(lost).cloned() {
            self.outputs.remove(&id);
        }
    }

    /// Slots of a kind that its live attempts hold.
    pub(crate) fn occupied(&self, kind: TaskKind) -> i32 {
        let holders = self.attempts.values().filter(|attempt| attempt.status.kind() == kind);
        holders.filter(|attempt| attempt.status.occupies_slots()).map(|attempt| attempt.status.slots).sum()
    }
}

/// Makes a report untrue: wrong states, attempts of others, counts that cannot be.
fn lie(rng: &mut Rng, tasks: &mut Vec<types::TaskStatus>, known: &[TaskAttemptId]) {
    if rng.u32(0..4) != 0 {
        return;
    }
    let state = TaskState::ALL[rng.usize(0..TaskState::ALL.len())];
    match rng.u32(0..5) {
        0 if !known.is_empty() => {
            let mut status = types::TaskStatus::unassigned(known[rng.usize(0..known.len())].clone(), 1);
            status.state = state;
            tasks.push(status);
        }
        1 => {
            if let Some(status) = tasks.first_mut() {
                status.slots = rng.i32(-3..90);
            }
        }
        2 => {
            if let Some(status) = tasks.first_mut() {
                status.state = state;
                status.phase = Phase::Cleanup;
                status.finish_time = 1;
            }
        }
        3 => {
            if let Some(status) = tasks.first().cloned() {
                tasks.push(types::TaskStatus { state, progress: 7.5, ..status });
            }
        }
        _ => {
            tasks.pop();
        }
    }
}
