//! The run itself: takes the next event, lets it happen, checks everything.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use jobtracker_core::{Effect, Heartbeat, HeartbeatError, Identity, JobTracker, ReportKind, TaskView};
use types::{HeartbeatResponse, JobId, Now, Phase, TaskAttemptId, TaskKind, TaskTrackerAction, TipStatus};

use crate::attempt::Odds;
use crate::checker::Checker;
use crate::events::{Event, EventQueue, Process, TrackerIndex};
use crate::faults::administrator;
use crate::network::fate;
use crate::report::Report;
use crate::scenario::{Faults, Scenario};
use crate::shuffle::{self, Shuffle};
use crate::tracker::Tracker;
use crate::workload;

/// The wall clock at virtual time 0.
const WALL_START: i64 = 1_385_900_000_000;
/// After how long a tracker sends a heartbeat again that was not answered.
const CALL_TIMEOUT_MS: u64 = 5_000;
/// How often a reduce looks for map outputs.
const FETCH_GAP_MS: u64 = 1_000;

/// What an event may have changed in the core.
pub(crate) enum Touched {
    Nothing,
    /// These jobs, and the trackers.
    Jobs(BTreeSet<JobId>),
    Everything,
}

/// After how many events everything is checked, whatever they touched.
const FULL_CHECK_EVERY: u64 = 64;

/// A cluster at work.
pub(crate) struct World<'a> {
    pub(crate) scenario: &'a Scenario,
    seed: u64,
    pub(crate) rng: Rng,
    pub(crate) jt: JobTracker,
    pub(crate) trackers: Vec<Tracker>,
    pub(crate) queue: EventQueue,
    pub(crate) excluded: BTreeSet<String>,
    /// Jobs in the order of their submission.
    pub(crate) jobs: Vec<JobId>,
    /// Whether the storm is over.
    pub(crate) calm: bool,
    by_host: BTreeMap<String, TrackerIndex>,
    checker: Checker,
    submitted: usize,
    now_ms: u64,
    calls: u64,
    deadline_ms: Option<u64>,
    last_ended_ms: u64,
    report: Report,
    log: Option<&'a mut Vec<String>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(seed: u64, scenario: &'a Scenario, log: Option<&'a mut Vec<String>>) -> Self {
        let mut rng = Rng::with_seed(seed);
        let identity =
            Identity { identifier: "201312011200".into(), user: "mapred".into(), started: WALL_START, first_job: 1 };
        let mut trackers = make_trackers(&mut rng, scenario);
        let by_host = trackers.iter().map(|tracker| (tracker.host.clone(), tracker.index)).collect();
        let mut queue = EventQueue::default();
        for tracker in &mut trackers {
            queue.plan(rng.u64(0..2_000), tracker.next_beat());
        }
        queue.plan(rng.u64(0..3_000), Event::Submit);
        let first_fault = rng.u64(scenario.faults.gap_ms.clone());
        if first_fault < scenario.storm_ms {
            queue.plan(first_fault, Event::Fault);
        }
        queue.plan(scenario.storm_ms, Event::Clear);
        World {
            scenario,
            seed,
            rng,
            jt: JobTracker::new(scenario.settings.clone(), identity, Now::at_millis(0, WALL_START)),
            trackers,
            queue,
            excluded: BTreeSet::new(),
            jobs: Vec::new(),
            calm: false,
            by_host,
            checker: Checker::default(),
            submitted: 0,
            now_ms: 0,
            calls: 0,
            deadline_ms: None,
            last_ended_ms: 0,
            report: Report::default(),
            log,
        }
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.now_ms
    }

    pub(crate) fn now(&self) -> Now {
        Now::at_millis(self.now_ms, self.wall())
    }

    fn wall(&self) -> i64 {
        WALL_START + self.now_ms as i64
    }

    /// Keeps a line for whoever replays the run.
    pub(crate) fn note(&mut self, line: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{:>9} {}", self.now_ms, line()));
        }
    }

    pub(crate) fn report(&self) -> Report {
        self.report.clone()
    }

    /// Plays until every job has ended. The error says what is broken.
    pub(crate) fn play(&mut self) -> Result<(), String> {
        self.note(|| "begin".to_owned());
        let limit_ms = self.scenario.storm_ms + self.scenario.calm_ms;
        while !self.is_done() {
            let Some((at_ms, event)) = self.queue.next() else { return Err("nothing happens any more".to_owned()) };
            if at_ms > limit_ms {
                return Err(self.who_hangs());
            }
            self.now_ms = at_ms;
            self.report.events += 1;
            let touched = self.happen(event)?;
            self.after(touched)?;
        }
        self.report.end_ms = self.last_ended_ms;
        self.report.obsolete = self.checker.obsolete;
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.calm
            && self.submitted == self.scenario.workload.jobs
            && self.jobs.iter().all(|job| self.checker.has_ended(job))
    }

    /// Liveness is broken: names the jobs that did not end.
    fn who_hangs(&self) -> String {
        let open = self.jobs.iter().filter(|job| !self.checker.has_ended(job));
        let describe = |job: &JobId| match self.jt.job_view(job) {
            Some(view) => format!("{job} is {:?} with {}", view.status.state, self.open_tasks(job).join(", ")),
            None => format!("{job} is unknown"),
        };
        format!("jobs that do not end: {}", open.map(describe).collect::<Vec<_>>().join("; "))
    }

    /// The tasks of a job that are neither done nor given up, and where their attempts are.
    fn open_tasks(&self, job: &JobId) -> Vec<String> {
        let kinds = [ReportKind::Setup, ReportKind::Map, ReportKind::Reduce, ReportKind::Cleanup];
        let tasks = kinds.into_iter().flat_map(|kind| self.jt.task_views(job, kind));
        let open = tasks.filter(|task| matches!(task.report.status, TipStatus::Pending | TipStatus::Running));
        let describe = |task: TaskView| {
            let attempts = task.attempts.iter().map(|attempt| {
                let cleanup = attempt.cleanup_tracker.as_deref().unwrap_or("none");
                format!("{} on {}, cleanup on {cleanup}", attempt.status.state.name(), attempt.tracker)
            });
            format!("{} ({})", task.report.task, attempts.collect::<Vec<_>>().join("; "))
        };
        open.map(describe).collect()
    }

    fn happen(&mut self, event: Event) -> Result<Touched, String> {
        match event {
            Event::Arrive { from, call, beat } => return self.arrive(from, call, *beat).map(Touched::Jobs),
            Event::Beat { process, turn } => self.beat(process, turn),
            Event::Answer { to, call, response } => self.answered(to, call, *response)?,
            Event::Refused { to, call } => self.refused(to, call),
            Event::GiveUp { process, call } => self.give_up(process, call),
            Event::Start { process, attempt, run } => self.start(process, &attempt, run),
            Event::Done { process, attempt, run } => self.done(process, &attempt, run),
            Event::Fetch { process, attempt, run } => self.fetch(process, &attempt, run),
            Event::Restart(tracker) => self.restart(tracker),
            other => return self.happen_to_core(other),
        }
        Ok(Touched::Nothing)
    }

    fn happen_to_core(&mut self, event: Event) -> Result<Touched, String> {
        match event {
            Event::Submit => self.submit()?,
            Event::SplitsRead(job) => self.splits_read(&job),
            Event::Fault => self.strike()?,
            Event::Heal(tracker) => self.heal(tracker)?,
            Event::LeaveSafeMode => self.set_safe_mode(false)?,
            Event::Clear => self.clear()?,
            _ => {
                self.deadline_ms = None;
                self.note(|| "deadline".to_owned());
                self.jt.deadline_reached(self.now());
            }
        }
        Ok(Touched::Everything)
    }

    pub(crate) fn set_safe_mode(&mut self, on: bool) -> Result<(), String> {
        self.jt.set_safe_mode(&administrator(), on).map(drop).map_err(|error| error.to_string())
    }

    /// Checks the core, does its effects, wakes trackers, plans its deadline.
    fn after(&mut self, touched: Touched) -> Result<(), String> {
        match touched {
            _ if self.report.events.is_multiple_of(FULL_CHECK_EVERY) => self.jt.check_invariants()?,
            Touched::Everything => self.jt.check_invariants()?,
            Touched::Jobs(jobs) => {
                self.jt.check_invariants_of(&jobs)?;
                for job in &jobs {
                    self.checker.events(&self.jt, job)?;
                }
            }
            Touched::Nothing => return Ok(()),
        }
        for effect in self.jt.take_effects() {
            self.checker.effect(&effect)?;
            match effect {
                Effect::ReadSplits { job } => {
                    let at = self.now_ms + self.rng.u64(1..500);
                    self.queue.plan(at, Event::SplitsRead(job));
                }
                Effect::JobEnded(ended) => self.job_ended(&ended.job, ended.state)?,
                Effect::History(_) | Effect::Audit(_) => {}
            }
        }
        self.wake();
        let next = self.jt.next_deadline().map(|at| at.0.as_millis() as u64);
        if let Some(next) = next.filter(|next| self.deadline_ms.is_none_or(|planned| *next < planned)) {
            let next = next.max(self.now_ms);
            self.queue.plan(next, Event::Deadline);
            self.deadline_ms = Some(next);
        }
        Ok(())
    }

    fn job_ended(&mut self, job: &JobId, state: types::JobState) -> Result<(), String> {
        self.note(|| format!("{job} ended: {state:?}"));
        self.checker.events(&self.jt, job)?;
        let number = self.jobs.iter().position(|known| known == job).ok_or_else(|| format!("{job} is nobody's"))?;
        self.report.jobs[number] = state;
        self.report.times_ms[number].1 = self.now_ms;
        self.last_ended_ms = self.now_ms;
        Ok(())
    }

    /// Wakes trackers that the core has something for.
    fn wake(&mut self) {
        for index in 0..self.trackers.len() {
            let tracker = &self.trackers[index];
            if tracker.is_woken
                && tracker.up
                && tracker.outstanding.is_none()
                && !tracker.hurry
                && self.jt.wants_heartbeat(&tracker.name())
            {
                self.report.woken += 1;
                self.hurry(index);
            }
        }
    }

    /// A tracker sends its next heartbeat now, or as soon as the one under way is answered.
    fn hurry(&mut self, index: TrackerIndex) {
        let tracker = &mut self.trackers[index];
        if !std::mem::replace(&mut tracker.hurry, true) && tracker.outstanding.is_none() {
            self.plan_beat(index, self.now_ms);
        }
    }

    /// Plans a tracker's next heartbeat, in place of one planned before.
    pub(crate) fn plan_beat(&mut self, index: TrackerIndex, at_ms: u64) {
        let event = self.trackers[index].next_beat();
        self.queue.plan(at_ms, event);
    }

    /// The tracker of an event, unless its process is gone. One that is frozen gets the event later.
    fn alive(&mut self, process: Process, event: impl FnOnce() -> Event) -> Option<TrackerIndex> {
        let tracker = &self.trackers[process.tracker];
        if !tracker.up || tracker.incarnation != process.incarnation || tracker.refused {
            return None;
        }
        if tracker.frozen_until_ms > self.now_ms {
            let until = tracker.frozen_until_ms;
            self.queue.plan(until, event());
            return None;
        }
        Some(process.tracker)
    }

    fn faults(&self) -> Faults {
        if self.calm { Faults::none() } else { self.scenario.faults.clone() }
    }

    fn beat(&mut self, process: Process, turn: u64) {
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
        let cut_off = tracker.cut_off_until_ms > self.now_ms;
        let faults = self.faults();
        // A first contact comes once: it is sent again only when its connection broke before it was taken.
        let fate = fate(&mut self.rng, &faults, self.now_ms, !beat.initial_contact);
        for at in fate.arrives_ms.into_iter().filter(|_| !cut_off) {
            self.queue.plan(at, Event::Arrive { from: process, call, beat: Box::new(beat.clone()) });
        }
        self.queue.plan(self.now_ms + CALL_TIMEOUT_MS, Event::GiveUp { process, call });
    }

    /// A heartbeat reaches the core.
    fn arrive(&mut self, from: Process, call: u64, beat: Heartbeat) -> Result<BTreeSet<JobId>, String> {
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
                self.queue.plan(self.now_ms + 1, Event::Refused { to: from, call });
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
        let cut_off = self.trackers[from.tracker].cut_off_until_ms > self.now_ms;
        let faults = self.faults();
        let fate = fate(&mut self.rng, &faults, self.now_ms, false);
        for at in fate.arrives_ms.into_iter().filter(|_| !cut_off) {
            self.queue.plan(at, Event::Answer { to: from, call, response: Box::new(response.clone()) });
        }
        jobs.extend(response.actions.iter().filter_map(job_of));
        Ok(jobs)
    }

    /// An answer reaches a tracker, which does as it is told.
    fn answered(&mut self, to: Process, call: u64, response: HeartbeatResponse) -> Result<(), String> {
        let again = response.clone();
        let Some(index) = self.alive(to, || Event::Answer { to, call, response: Box::new(again) }) else {
            return Ok(());
        };
        if self.trackers[index].outstanding != Some(call) {
            return Ok(());
        }
        if response.actions.contains(&TaskTrackerAction::Reinit) {
            self.report.reinitialized += 1;
            self.trackers[index].crash();
            self.trackers[index].restart(false);
            self.plan_beat(index, self.now_ms + 10);
            return Ok(());
        }
        self.trackers[index].answered(response.response_id);
        for action in response.actions {
            self.obey(index, action)?;
        }
        self.check_slots(index)?;
        let next = match self.trackers[index].hurry {
            true => self.now_ms,
            false => self.now_ms + response.interval_ms.max(1) as u64,
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
        let wall = self.wall();
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
                let at = self.now_ms + self.rng.u64(50..1_500);
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
                    self.queue.plan(self.now_ms + 20, Event::Done { process, attempt: id, run });
                }
            }
            TaskTrackerAction::Reinit => {}
        }
        Ok(())
    }

    fn refused(&mut self, to: Process, call: u64) {
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
    fn give_up(&mut self, process: Process, call: u64) {
        let Some(index) = self.alive(process, || Event::GiveUp { process, call }) else { return };
        if self.trackers[index].outstanding == Some(call) {
            self.trackers[index].outstanding = None;
            self.plan_beat(index, self.now_ms);
        }
    }

    fn start(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Start { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let now_ms = self.now_ms;
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        attempt.start();
        let event = match attempt.is_shuffling() {
            true => Event::Fetch { process, attempt: id.clone(), run },
            false => Event::Done { process, attempt: id.clone(), run },
        };
        let at = if attempt.is_shuffling() { now_ms } else { now_ms + attempt.fortune.work_ms };
        self.queue.plan(at, event);
    }

    fn done(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Done { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let wall = self.wall();
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        attempt.work_done(wall);
        self.hurry(index);
    }

    fn fetch(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Fetch { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        let mut attempt = attempt.clone();
        let outcome = shuffle::look(&self.jt, &mut attempt, |output| self.holds(output));
        let at = match outcome {
            Shuffle::Complete => self.now_ms + attempt.fortune.work_ms,
            Shuffle::Waiting | Shuffle::Complaint => self.now_ms + FETCH_GAP_MS,
        };
        if outcome == Shuffle::Complete {
            attempt.status.phase = Phase::Reduce;
        }
        self.trackers[index].attempts.insert(id.clone(), attempt);
        let (attempt, process) = (id.clone(), process);
        let event = match outcome {
            Shuffle::Complete => Event::Done { process, attempt, run },
            Shuffle::Waiting | Shuffle::Complaint => Event::Fetch { process, attempt, run },
        };
        self.queue.plan(at, event);
    }

    /// Whether a map output can be fetched from where the core says it lies.
    fn holds(&self, output: &TaskAttemptId) -> bool {
        let view = self.jt.task_view(&output.task);
        let host = view.and_then(|view| view.attempts.get(output.number as usize).map(|attempt| attempt.host.clone()));
        let Some(tracker) = host.and_then(|host| self.by_host.get(&host)).map(|index| &self.trackers[*index]) else {
            return false;
        };
        tracker.up && tracker.frozen_until_ms <= self.now_ms && tracker.outputs.contains(output)
    }

    fn submit(&mut self) -> Result<(), String> {
        if self.jt.safe_mode() {
            self.queue.plan(self.now_ms + 1_000, Event::Submit);
            return Ok(());
        }
        let id = self.jt.new_job_id();
        let submission = workload::job(&mut self.rng, &self.scenario.workload, id.clone(), self.submitted % 3);
        self.note(|| format!("submit {id}: {} maps, {} reduces", submission.maps, submission.reduces));
        let now = self.now();
        self.jt.submit_job(now, submission).map_err(|error| error.to_string())?;
        self.jobs.push(id);
        self.submitted += 1;
        self.report.jobs.push(types::JobState::Prep);
        self.report.times_ms.push((self.now_ms, 0));
        if self.submitted < self.scenario.workload.jobs {
            let at = self.now_ms + self.rng.u64(self.scenario.workload.gap_ms.clone());
            self.queue.plan(at, Event::Submit);
        }
        Ok(())
    }

    fn splits_read(&mut self, job: &JobId) {
        let maps = self.jt.job_view(job).map_or(0, |view| view.maps.total);
        let splits = workload::splits(&mut self.rng, &self.scenario.workload, &self.trackers, maps);
        let now = self.now();
        self.jt.splits_read(now, job, Ok(splits));
    }
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("seed", &self.seed).field("now_ms", &self.now_ms).finish_non_exhaustive()
    }
}

fn make_trackers(rng: &mut Rng, scenario: &Scenario) -> Vec<Tracker> {
    let faults = &scenario.faults;
    let odds = Odds {
        work_ms: scenario.workload.attempt_ms.clone(),
        slowness: 1,
        fails: faults.attempt_fails,
        hangs: faults.attempt_hangs,
    };
    let mut trackers: Vec<Tracker> =
        (0..scenario.trackers).map(|index| Tracker::new(index, scenario.racks, scenario.slots, odds.clone())).collect();
    let mut order: Vec<usize> = (0..trackers.len()).collect();
    rng.shuffle(&mut order);
    let mut drawn = order.into_iter();
    for index in drawn.by_ref().take(faults.bad_trackers) {
        trackers[index].odds.fails = 800;
    }
    for index in drawn.by_ref().take(faults.slow_trackers) {
        trackers[index].odds.slowness = 10;
    }
    for index in drawn.take(faults.lying_trackers) {
        trackers[index].is_liar = true;
        trackers[index].has_lied = true;
    }
    for tracker in trackers.iter_mut().take(scenario.woken_trackers) {
        tracker.is_woken = true;
    }
    trackers
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
