//! What breaks, and who meddles.

use std::collections::BTreeSet;

use jobtracker_core::{Caller, HostLists, ReportKind};
use types::{JobPriority, TipStatus};

use crate::events::{Event, TrackerIndex};
use crate::world::World;

/// Who may do everything.
pub(crate) fn administrator() -> Caller {
    Caller::named("mapred")
}

impl World<'_> {
    /// One fault, drawn by lot.
    pub(crate) fn strike(&mut self) -> Result<(), String> {
        let tracker = self.rng.usize(0..self.trackers.len());
        let until = self.now_ms() + self.rng.u64(self.scenario.faults.lasts_ms.clone());
        let (restarts, steps) = (self.scenario.faults.jobtracker_restarts, self.scenario.faults.clock_steps);
        match self.rng.u32(0..100 + restarts + steps) {
            0..20 => self.crash(tracker, until),
            20..35 => {
                self.note(|| format!("freeze {tracker} until {until}"));
                self.trackers[tracker].frozen_until_ms = until;
            }
            35..50 => self.cut_off(until),
            50..62 => {
                self.note(|| format!("lose an output on {tracker}"));
                self.trackers[tracker].lose_output(&mut self.rng);
            }
            62..70 => {
                self.note(|| format!("bad health on {tracker} until {until}"));
                self.trackers[tracker].healthy = false;
                self.queue.plan(until, Event::Heal(tracker));
            }
            70..75 => self.exclude(tracker, until)?,
            75..79 => self.kill_a_job()?,
            79..90 => self.kill_an_attempt()?,
            90..96 => self.change_a_priority()?,
            96..100 => {
                self.note(|| format!("safe mode until {until}"));
                self.set_safe_mode(true)?;
                self.queue.plan((self.now_ms() + 5_000).min(until), Event::LeaveSafeMode);
            }
            lot if lot < 100 + restarts => self.restart_jobtracker()?,
            _ => self.step_a_clock(tracker),
        }
        let next = self.now_ms() + self.rng.u64(self.scenario.faults.gap_ms.clone());
        if next < self.scenario.storm_ms {
            self.queue.plan(next, Event::Fault);
        }
        Ok(())
    }

    fn crash(&mut self, tracker: TrackerIndex, until: u64) {
        if !self.trackers[tracker].up {
            return;
        }
        self.note(|| format!("crash {tracker} until {until}"));
        self.trackers[tracker].crash();
        self.queue.plan(until, Event::Restart(tracker));
    }

    /// A rack, or a part of it, cannot reach the JobTracker.
    fn cut_off(&mut self, until: u64) {
        let rack = format!("/r{}", self.rng.usize(0..self.scenario.racks.max(1)));
        let share = self.rng.u32(1..1000);
        self.note(|| format!("cut off {share} per thousand of {rack} until {until}"));
        for tracker in self.trackers.iter_mut().filter(|tracker| tracker.rack == rack) {
            if crate::network::happens(&mut self.rng, share) {
                tracker.cut_off_until_ms = until;
            }
        }
    }

    /// A wall clock leaps: the JobTracker's or a tracker's, by a second, an hour or a day.
    fn step_a_clock(&mut self, tracker: TrackerIndex) {
        let most = [1_000, 3_600_000, 86_400_000][self.rng.usize(0..3)];
        let step_ms = self.rng.i64(-most..=most);
        let of_jobtracker = self.rng.bool();
        let whose = if of_jobtracker { "the JobTracker".to_owned() } else { format!("tracker {tracker}") };
        self.note(|| format!("the clock of {whose} leaps by {step_ms} ms"));
        let clock = if of_jobtracker { &mut self.clock_ms } else { &mut self.trackers[tracker].clock_ms };
        *clock += step_ms;
        self.report.clock_steps += 1;
    }

    fn exclude(&mut self, tracker: TrackerIndex, until: u64) -> Result<(), String> {
        self.note(|| format!("exclude {tracker} until {until}"));
        self.excluded.insert(self.trackers[tracker].host.clone());
        self.queue.plan(until, Event::Heal(tracker));
        self.refresh_hosts()
    }

    /// Hands the host lists to the core.
    pub(crate) fn refresh_hosts(&mut self) -> Result<(), String> {
        let lists = HostLists { include: BTreeSet::new(), exclude: self.excluded.clone() };
        let now = self.now();
        self.jt.refresh_hosts(now, &administrator(), lists).map_err(|error| error.to_string())
    }

    fn kill_a_job(&mut self) -> Result<(), String> {
        if self.jobs.is_empty() {
            return Ok(());
        }
        let job = self.jobs[self.rng.usize(0..self.jobs.len())].clone();
        self.note(|| format!("kill {job}"));
        let now = self.now();
        match self.jt.kill_job(now, &administrator(), &job) {
            Ok(()) => Ok(()),
            Err(error) if self.jt.safe_mode() => {
                self.note(|| error.to_string());
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn kill_an_attempt(&mut self) -> Result<(), String> {
        if self.jobs.is_empty() || self.jt.safe_mode() {
            return Ok(());
        }
        let job = self.jobs[self.rng.usize(0..self.jobs.len())].clone();
        let kinds = [ReportKind::Map, ReportKind::Reduce, ReportKind::Setup, ReportKind::Cleanup];
        let kind = kinds[self.rng.usize(0..kinds.len())];
        let reports = self.jt.task_reports(&administrator(), &job, kind).map_err(|error| error.to_string())?;
        let running = reports.into_iter().filter(|report| report.status == TipStatus::Running);
        let running: Vec<_> = running.flat_map(|report| report.running).collect();
        if running.is_empty() {
            return Ok(());
        }
        let attempt = running[self.rng.usize(0..running.len())].clone();
        let fail = self.rng.bool();
        self.note(|| format!("{} {attempt}", if fail { "fail" } else { "kill" }));
        let now = self.now();
        self.jt.kill_task(now, &administrator(), &attempt, fail).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn change_a_priority(&mut self) -> Result<(), String> {
        if self.jobs.is_empty() {
            return Ok(());
        }
        let job = self.jobs[self.rng.usize(0..self.jobs.len())].clone();
        let priority = JobPriority::ALL[self.rng.usize(0..JobPriority::ALL.len())];
        self.note(|| format!("{job} is {}", priority.name()));
        let now = self.now();
        self.jt.set_job_priority(now, &administrator(), &job, priority).map_err(|error| error.to_string())
    }

    /// A tracker is well again.
    pub(crate) fn heal(&mut self, tracker: TrackerIndex) -> Result<(), String> {
        self.trackers[tracker].healthy = true;
        if self.excluded.remove(&self.trackers[tracker].host) {
            self.refresh_hosts()?;
            if self.trackers[tracker].refused {
                self.restart(tracker);
            }
        }
        Ok(())
    }

    /// The weather clears: nothing breaks any more, and what is broken heals.
    pub(crate) fn clear(&mut self) -> Result<(), String> {
        self.note(|| "the storm is over".to_owned());
        self.calm = true;
        for index in 0..self.trackers.len() {
            let tracker = &mut self.trackers[index];
            tracker.is_liar = false;
            tracker.odds.fails = 0;
            tracker.odds.hangs = 0;
            tracker.frozen_until_ms = 0;
            tracker.cut_off_until_ms = 0;
            self.heal(index)?;
            if !self.trackers[index].up || self.trackers[index].refused {
                self.restart(index);
            }
        }
        self.set_safe_mode(false)
    }

    /// A new process of a tracker comes up.
    pub(crate) fn restart(&mut self, tracker: TrackerIndex) {
        if self.trackers[tracker].up && !self.trackers[tracker].refused {
            return;
        }
        let new_port = self.rng.bool();
        self.note(|| format!("restart {tracker}, new port {new_port}"));
        self.trackers[tracker].crash();
        self.trackers[tracker].restart(new_port);
        self.plan_beat(tracker, self.now_ms() + 1);
    }
}
