//! The run itself: takes the next event, lets it happen, checks everything.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use jobtracker_core::{Effect, Identity, JobTracker, ReportKind, TaskView};
use types::{JobId, Now, TipStatus};

use crate::attempt::Odds;
use crate::checker::Checker;
use crate::events::{Event, EventQueue, Process, TrackerIndex};
use crate::faults::administrator;
use crate::report::Report;
use crate::restarts::Kept;
use crate::scenario::{Faults, Scenario};
use crate::tracker::Tracker;
use crate::workload;

/// The wall clock at virtual time 0.
const WALL_START: i64 = 1_385_900_000_000;

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
    pub(crate) by_host: BTreeMap<String, TrackerIndex>,
    pub(crate) checker: Checker,
    splits_planned: BTreeSet<JobId>,
    submitted: usize,
    now_ms: u64,
    /// How far the wall clock of the JobTracker is off.
    pub(crate) clock_ms: i64,
    pub(crate) calls: u64,
    /// The first call since the JobTracker was started.
    pub(crate) first_call: u64,
    pub(crate) kept: Kept,
    deadline_ms: Option<u64>,
    last_ended_ms: u64,
    pub(crate) report: Report,
    log: Option<&'a mut Vec<String>>,
}

impl<'a> World<'a> {
    pub(crate) fn new(seed: u64, scenario: &'a Scenario, log: Option<&'a mut Vec<String>>) -> Self {
        let mut rng = Rng::with_seed(seed);
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
            jt: JobTracker::new(scenario.settings.clone(), identity(1), Now::at_millis(0, WALL_START)),
            trackers,
            queue,
            excluded: BTreeSet::new(),
            jobs: Vec::new(),
            calm: false,
            by_host,
            checker: Checker::default(),
            splits_planned: BTreeSet::new(),
            submitted: 0,
            now_ms: 0,
            clock_ms: 0,
            calls: 0,
            first_call: 0,
            kept: Kept::default(),
            deadline_ms: None,
            last_ended_ms: 0,
            report: Report::default(),
            log,
        }
    }

    /// Who the JobTracker is when it is started now.
    pub(crate) fn identity(&self) -> Identity {
        identity(1 + self.submitted as i32)
    }

    pub(crate) fn forget_deadline(&mut self) {
        self.deadline_ms = None;
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.now_ms
    }

    pub(crate) fn now(&self) -> Now {
        Now::at_millis(self.now_ms, WALL_START + self.now_ms as i64 + self.clock_ms)
    }

    /// What a tracker's wall clock shows.
    pub(crate) fn wall_of(&self, tracker: TrackerIndex) -> i64 {
        WALL_START + self.now_ms as i64 + self.trackers[tracker].clock_ms
    }

    /// Splits that were asked for once arrive, whatever becomes of the JobTracker.
    pub(crate) fn plan_splits_read(&mut self, job: JobId) {
        if !self.splits_planned.insert(job.clone()) {
            return;
        }
        let at = self.now_ms + self.rng.u64(1..500);
        self.queue.plan(at, Event::SplitsRead(job));
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
            // The deadline has been moved since this one was planned.
            _ if self.deadline_ms != Some(self.now_ms) => return Ok(Touched::Nothing),
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
        let records = self.jt.take_records();
        self.kept.keep(records);
        for effect in self.jt.take_effects() {
            self.checker.effect(&effect)?;
            self.kept.keep_history(&effect);
            match effect {
                Effect::ReadSplits { job } => self.plan_splits_read(job),
                Effect::JobEnded(ended) => self.job_ended(&ended.job, ended.state)?,
                Effect::History(_) | Effect::JobRetired(_) | Effect::Audit(_) | Effect::Preemption(_) => {}
            }
        }
        if self.scenario.restore_every > 0 && self.report.events.is_multiple_of(self.scenario.restore_every) {
            self.check_restorable()?;
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
        let can_be =
            |tracker: &&Tracker| tracker.is_woken && tracker.up && tracker.outstanding.is_none() && !tracker.hurry;
        let idle: Vec<(TrackerIndex, String)> =
            self.trackers.iter().filter(can_be).map(|tracker| (tracker.index, tracker.name())).collect();
        let due: BTreeSet<&str> =
            self.jt.trackers_to_wake(idle.iter().map(|(_, name)| name.as_str())).into_iter().collect();
        for (index, _) in idle.iter().filter(|(_, name)| due.contains(name.as_str())) {
            self.report.woken += 1;
            self.hurry(*index);
        }
    }

    /// A tracker sends its next heartbeat now, or as soon as the one under way is answered.
    pub(crate) fn hurry(&mut self, index: TrackerIndex) {
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
    pub(crate) fn alive(&mut self, process: Process, event: impl FnOnce() -> Event) -> Option<TrackerIndex> {
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

    pub(crate) fn faults(&self) -> Faults {
        if self.calm { Faults::none() } else { self.scenario.faults.clone() }
    }

    fn submit(&mut self) -> Result<(), String> {
        if self.jt.safe_mode() {
            self.queue.plan(self.now_ms + 1_000, Event::Submit);
            return Ok(());
        }
        let id = self.jt.new_job_id();
        let mut submission = workload::job(&mut self.rng, &self.scenario.workload, id.clone(), self.submitted % 3);
        workload::place(&mut self.rng, &self.scenario.settings, &mut submission);
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

fn identity(first_job: i32) -> Identity {
    Identity { identifier: "201312011200".into(), user: "mapred".into(), started: WALL_START, first_job }
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
