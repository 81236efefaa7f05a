//! Heartbeats and their answers: sent, carried, taken, obeyed.

use std::collections::BTreeSet;

use jobtracker_core::{Heartbeat, HeartbeatError};
use types::{HeartbeatResponse, JobId, TaskKind, TaskTrackerAction};

use crate::events::{Event, Process, TrackerIndex};
use crate::network::fate;
use crate::world::World;

/// After how long a tracker sends a heartbeat again that was not answered.
const CALL_TIMEOUT_MS: u64 = 5_000;

impl World<'_> {
    pub(crate) fn beat(&mut self, process: Process, turn: u64) {
        let Some(index) = self.alive(process, || Event::Beat { process, turn }) else { return };
        if self.trackers[index].outstanding.is_some() || self.trackers[index].turn != turn {
            return;
        }
        self.calls += 1;
        let call = self.calls;
        let beat = self.trackers[index].heartbeat(&mut self.rng, &self.checker.known);
        let tracker = &mut self.trackers[index];
        tracker.outstanding = Some(call);
        tracker.hurry = false;
        let cut_off = tracker.cut_off_until_ms > self.now_ms();
        let faults = self.faults();
        // A first contact comes once: it is sent again only when its connection broke before it was taken.
        let now_ms = self.now_ms();
        let fate = fate(&mut self.rng, &faults, now_ms, !beat.initial_contact);
        for at in fate.arrives_ms.into_iter().filter(|_| !cut_off) {
            self.queue.plan(at, Event::Arrive { from: process, call, beat: Box::new(beat.clone()) });
        }
        self.queue.plan(self.now_ms() + CALL_TIMEOUT_MS, Event::GiveUp { process, call });
    }

    /// A heartbeat reaches the core.
    pub(crate) fn arrive(&mut self, from: Process, call: u64, beat: Heartbeat) -> Result<BTreeSet<JobId>, String> {
        if call < self.first_call {
            // Its connection ended with the JobTracker that it was sent to.
            return Ok(BTreeSet::new());
        }
        let mut jobs: BTreeSet<JobId> = beat.status.tasks.iter().map(|status| status.attempt.job().clone()).collect();
        let name = beat.status.name.clone();
        self.note(|| {
            let told: Vec<String> =
                beat.status.tasks.iter().map(|t| format!("{} {}", t.attempt, t.state.name())).collect();
            format!("beat {} id {} initial {}: {}", name, beat.response_id, beat.initial_contact, told.join(", "))
        });
        self.report.heartbeats += 1;
        let before = self.jt.totals().heartbeats;
        let now = self.now();
        let response = match self.jt.heartbeat(now, beat) {
            Ok(response) => response,
            Err(HeartbeatError::Disallowed { .. }) => {
                self.queue.plan(self.now_ms() + 1, Event::Refused { to: from, call });
                return Ok(jobs);
            }
        };
        self.note(|| format!("answer {name} id {}: {}", response.response_id, describe(&response)));
        if self.jt.totals().heartbeats > before {
            self.checker.answer(&self.jt, &response)?;
            self.report.launched += launches(&response) as u64;
            if response.actions.is_empty() && self.jt.wants_heartbeat(&name) {
                return Err(format!("{name} got nothing and is wanted again at once"));
            }
        } else if response.actions != [TaskTrackerAction::Reinit] {
            self.report.resent += 1;
        }
        let cut_off = self.trackers[from.tracker].cut_off_until_ms > self.now_ms();
        let faults = self.faults();
        let now_ms = self.now_ms();
        let fate = fate(&mut self.rng, &faults, now_ms, false);
        for at in fate.arrives_ms.into_iter().filter(|_| !cut_off) {
            self.queue.plan(at, Event::Answer { to: from, call, response: Box::new(response.clone()) });
        }
        jobs.extend(response.actions.iter().filter_map(job_of));
        Ok(jobs)
    }

    /// An answer reaches a tracker, which does as it is told.
    pub(crate) fn answered(&mut self, to: Process, call: u64, response: HeartbeatResponse) -> Result<(), String> {
        let again = response.clone();
        let Some(index) = self.alive(to, || Event::Answer { to, call, response: Box::new(again) }) else {
            return Ok(());
        };
        if self.trackers[index].outstanding != Some(call) || call < self.first_call {
            return Ok(());
        }
        if response.actions.contains(&TaskTrackerAction::Reinit) {
            self.report.reinitialized += 1;
            self.trackers[index].crash();
            self.trackers[index].restart(false);
            self.plan_beat(index, self.now_ms() + 10);
            return Ok(());
        }
        self.trackers[index].answered(response.response_id);
        for action in response.actions {
            self.obey(index, action)?;
        }
        self.check_slots(index)?;
        let next = match self.trackers[index].hurry {
            true => self.now_ms(),
            false => self.now_ms() + response.interval_ms.max(1) as u64,
        };
        self.plan_beat(index, next);
        Ok(())
    }

    /// What a tracker was given fits into the slots that it has.
    fn check_slots(&self, index: TrackerIndex) -> Result<(), String> {
        let tracker = &self.trackers[index];
        for (kind, slots) in [(TaskKind::Map, tracker.slots.0), (TaskKind::Reduce, tracker.slots.1)] {
            let occupied = tracker.occupied(kind);
            if occupied > slots && !tracker.has_lied {
                return Err(format!("{} has {slots} {kind:?} slots, and {occupied} are taken", tracker.name()));
            }
        }
        Ok(())
    }

    fn obey(&mut self, index: TrackerIndex, action: TaskTrackerAction) -> Result<(), String> {
        let wall = self.wall_of(index);
        let process = self.trackers[index].process();
        match action {
            TaskTrackerAction::Launch(task) => {
                let attempt = task.attempt.clone();
                let Some(run) = self.trackers[index].launch(&mut self.rng, *task, wall) else {
                    return match self.trackers[index].has_lied {
                        true => Ok(()),
                        false => Err(format!("{attempt} is launched where it is already")),
                    };
                };
                let at = self.now_ms() + self.rng.u64(50..1_500);
                self.queue.plan(at, Event::Start { process, attempt, run });
            }
            TaskTrackerAction::KillTask(id) => {
                let liar = self.trackers[index].is_liar && self.rng.bool();
                if !liar && self.trackers[index].kill(&id, wall) {
                    self.hurry(index);
                }
            }
            TaskTrackerAction::KillJob(job) => self.trackers[index].forget_job(&job),
            TaskTrackerAction::CommitTask(id) => {
                let run = self.trackers[index].attempts.get(&id).map(|attempt| attempt.run);
                if let Some(run) = run {
                    // Its output is moved; then it is done.
                    if let Some(attempt) = self.trackers[index].live(&id, run) {
                        attempt.fortune.commits = false;
                    }
                    self.queue.plan(self.now_ms() + 20, Event::Done { process, attempt: id, run });
                }
            }
            TaskTrackerAction::Reinit => {}
        }
        Ok(())
    }

    pub(crate) fn refused(&mut self, to: Process, call: u64) {
        let Some(index) = self.alive(to, || Event::Refused { to, call }) else { return };
        if self.trackers[index].outstanding == Some(call) {
            self.note(|| format!("{index} is refused and ends"));
            self.trackers[index].start_anew();
            self.trackers[index].refused = true;
            if !self.excluded.contains(&self.trackers[index].host) {
                self.restart(index);
            }
        }
    }

    /// Nothing was heard: the same heartbeat goes out again.
    pub(crate) fn give_up(&mut self, process: Process, call: u64) {
        let Some(index) = self.alive(process, || Event::GiveUp { process, call }) else { return };
        if self.trackers[index].outstanding == Some(call) {
            self.trackers[index].outstanding = None;
            self.plan_beat(index, self.now_ms());
        }
    }
}

fn job_of(action: &TaskTrackerAction) -> Option<JobId> {
    match action {
        TaskTrackerAction::Launch(task) => Some(task.attempt.job().clone()),
        TaskTrackerAction::KillTask(id) | TaskTrackerAction::CommitTask(id) => Some(id.job().clone()),
        TaskTrackerAction::KillJob(job) => Some(job.clone()),
        TaskTrackerAction::Reinit => None,
    }
}

fn launches(response: &HeartbeatResponse) -> usize {
    response.actions.iter().filter(|action| matches!(action, TaskTrackerAction::Launch(_))).count()
}

fn describe(response: &HeartbeatResponse) -> String {
    let spell = |action: &TaskTrackerAction| match action {
        TaskTrackerAction::Launch(task) if task.task_cleanup => format!("clean up {}", task.attempt),
        TaskTrackerAction::Launch(task) => format!("launch {}", task.attempt),
        TaskTrackerAction::KillTask(id) => format!("kill {id}"),
        TaskTrackerAction::KillJob(id) => format!("kill {id}"),
        TaskTrackerAction::CommitTask(id) => format!("commit {id}"),
        TaskTrackerAction::Reinit => "reinit".to_owned(),
    };
    response.actions.iter().map(spell).collect::<Vec<_>>().join(", ")
}
