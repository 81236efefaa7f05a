//! The report of the running attempt, and the thread that sends it.
//!
//! Hadoop 1.2.1: Task.TaskReporter, Task.done and commit. Every three seconds a status goes out if something moved, else
//! a ping; the tracker's "no" ends the child.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use storage::{FileSystem, Statistics};
use types::counter_names::FILE_SYSTEM;
use types::{Phase, TaskAttemptId, TaskState, TaskStatus};

use crate::api::{Reporter, Result, TaskError};
use crate::committer::Committer;
use crate::counters::{names, task_counter};
use crate::process;
use crate::umbilical::Umbilical;

/// How often the tracker hears of the attempt.
const TICK: Duration = Duration::from_secs(3);

/// Failures in a row after which the thread gives the tracker up.
const TICK_FAILURES_MAX: u32 = 3;

/// How often a call that matters is tried.
const CALL_TRIES: u32 = 10;

/// The pause between two looks whether the output may be committed, at first and at most.
const COMMIT_PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// Exit codes that the tracker knows (Hadoop 1.2.1: Task).
pub(crate) mod exit {
    /// The tracker cannot be reached.
    pub(crate) const LOST_TRACKER: i32 = 65;
    /// The tracker does not know the attempt.
    pub(crate) const UNKNOWN_ATTEMPT: i32 = 66;
    /// The tracker could not be told that there is output to commit.
    pub(crate) const COMMIT_PENDING_FAILED: i32 = 67;
    /// The tracker could not be asked whether to commit.
    pub(crate) const CAN_COMMIT_FAILED: i32 = 68;
}

/// The report of one attempt.
pub(crate) struct AttemptReport {
    umbilical: Umbilical,
    reporter: Reporter,
    status: Mutex<TaskStatus>,
    local: Arc<dyn FileSystem>,
    cpu_before: i64,
    /// Called before the process ends from within.
    before_exit: Box<dyn Fn() + Send + Sync>,
    ended: (Mutex<bool>, Condvar),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread that reports; it ends with [`Ticker::stop`].
pub(crate) struct Ticker {
    report: Arc<AttemptReport>,
    thread: Option<JoinHandle<()>>,
}

impl AttemptReport {
    pub(crate) fn new(
        umbilical: Umbilical,
        reporter: Reporter,
        status: TaskStatus,
        local: Arc<dyn FileSystem>,
        before_exit: Box<dyn Fn() + Send + Sync>,
    ) -> Self {
        AttemptReport {
            umbilical,
            reporter,
            status: Mutex::new(status),
            local,
            cpu_before: process::usage().cpu_ms,
            before_exit,
            ended: (Mutex::new(false), Condvar::new()),
        }
    }

    pub(crate) fn reporter(&self) -> &Reporter {
        &self.reporter
    }

    pub(crate) fn umbilical(&self) -> &Umbilical {
        &self.umbilical
    }

    /// Which attempt this is.
    pub(crate) fn attempt_id(&self) -> TaskAttemptId {
        locked(&self.status).attempt.clone()
    }

    /// Starts to report.
    pub(crate) fn start(self: &Arc<Self>) -> Result<Ticker> {
        let report = self.clone();
        let builder = std::thread::Builder::new().name("communication thread".to_owned()).stack_size(256 << 10);
        let thread = builder.spawn(move || report.tick_until_ended()).map_err(TaskError::io("start a thread"))?;
        Ok(Ticker { report: self.clone(), thread: Some(thread) })
    }

    fn tick_until_ended(&self) {
        let mut failures = 0;
        let mut moved = self.reporter.take_alive();
        while !self.wait_for_end() {
            match self.tick(moved) {
                Ok(true) => failures = 0,
                Ok(false) => self.exit(exit::UNKNOWN_ATTEMPT, "the task tracker does not know the attempt"),
                Err(error) => {
                    crate::log::info("mapred.Task", format_args!("Communication exception: {error}"));
                    failures += 1;
                    if failures == TICK_FAILURES_MAX || error.is_tracker_gone() {
                        self.exit(exit::LOST_TRACKER, "the task tracker cannot be reached");
                    }
                }
            }
            moved = self.reporter.take_alive();
        }
    }

    /// Waits for one tick; true if the attempt has ended.
    fn wait_for_end(&self) -> bool {
        let (ended, changed) = &self.ended;
        let guard = locked(ended);
        let (guard, _) =
            changed.wait_timeout_while(guard, TICK, |ended| !*ended).unwrap_or_else(PoisonError::into_inner);
        *guard
    }

    fn tick(&self, moved: bool) -> Result<bool> {
        if !moved {
            return self.umbilical.ping(&self.attempt_id());
        }
        self.update_counters();
        let mut status = locked(&self.status);
        self.fill(&mut status);
        self.send(&mut status)
    }

    /// Sends the status and clears what is told only once.
    fn send(&self, status: &mut TaskStatus) -> Result<bool> {
        let known = self.umbilical.status_update(status)?;
        status.diagnostics.clear();
        if let Some(reduce) = &mut status.reduce {
            reduce.failed_fetches.clear();
        }
        Ok(known)
    }

    fn fill(&self, status: &mut TaskStatus) {
        status.progress = self.reporter.progress();
        status.state_string = self.reporter.state_string();
        status.counters = Some(self.reporter.counters());
    }

    /// Takes file system and process counters (Hadoop 1.2.1: Task.updateCounters).
    pub(crate) fn update_counters(&self) {
        let statistics = self.local.statistics();
        for (name, read) in [
            ("FILE_BYTES_READ", Statistics::bytes_read as fn(&Statistics) -> u64),
            ("FILE_BYTES_WRITTEN", Statistics::bytes_written),
        ] {
            let value = read(statistics) as i64;
            if value != 0 {
                self.reporter.counter(FILE_SYSTEM, name).set(value);
            }
        }
        let usage = process::usage();
        for (name, value) in [
            (names::COMMITTED_HEAP_BYTES, usage.resident),
            (names::CPU_MILLISECONDS, usage.cpu_ms - self.cpu_before),
            (names::PHYSICAL_MEMORY_BYTES, usage.resident),
            (names::VIRTUAL_MEMORY_BYTES, usage.virtual_size),
        ] {
            task_counter(&self.reporter, name).set(value);
        }
    }

    /// Enters a phase.
    pub(crate) fn set_phase(&self, phase: Phase) {
        locked(&self.status).phase = phase;
    }

    /// Notes a map whose output could not be fetched.
    pub(crate) fn add_failed_fetch(&self, map: TaskAttemptId) {
        if let Some(reduce) = &mut locked(&self.status).reduce {
            reduce.failed_fetches.push(map);
        }
        self.reporter.alive();
    }

    /// Sends the status as it is, without new progress (Hadoop 1.2.1: Task.statusUpdate).
    pub(crate) fn status_update(&self) -> Result<()> {
        let mut last = None;
        for _ in 0..CALL_TRIES {
            let sent = {
                let mut status = locked(&self.status);
                status.counters = Some(self.reporter.counters());
                self.send(&mut status)
            };
            match sent {
                Ok(true) => return Ok(()),
                Ok(false) => self.exit(exit::UNKNOWN_ATTEMPT, "the task tracker does not know the attempt"),
                Err(error) => {
                    crate::log::warn("mapred.Task", format_args!("Failure sending status update: {error}"));
                    let gone = error.is_tracker_gone();
                    last = Some(error);
                    if gone {
                        break;
                    }
                }
            }
        }
        Err(last.unwrap_or(TaskError::Killed))
    }

    /// Ends a successful attempt: commits its output if there is any, reports for the last time, and says so.
    pub(crate) fn done(&self, ticker: Ticker, committer: Option<&Committer>, output_size: Option<u64>) -> Result<()> {
        let attempt = self.attempt_id();
        let class = "mapred.Task";
        crate::log::info(class, format_args!("Task:{attempt} is done. And is in the process of commiting"));
        self.update_counters();
        if let Some(committer) = committer
            && committer.needs_task_commit()?
        {
            self.announce_commit()?;
            self.wait_for_leave(&attempt, committer)?;
            commit(committer, &attempt)?;
        }
        ticker.stop();
        {
            let mut status = locked(&self.status);
            status.output_size = output_size.map_or(-1, |len| len as i64);
            self.fill(&mut status);
        }
        self.status_update()?;
        self.retry("done", || self.umbilical.done(&attempt))?;
        crate::log::info(class, format_args!("Task '{attempt}' done."));
        Ok(())
    }

    fn retry(&self, what: &str, call: impl Fn() -> Result<()>) -> Result<()> {
        let mut tries = 0;
        loop {
            tries += 1;
            match call() {
                Err(error) if tries < CALL_TRIES && !error.is_tracker_gone() => {
                    crate::log::warn("mapred.Task", format_args!("Failure signalling {what}: {error}"));
                }
                ended => return ended,
            }
        }
    }

    fn announce_commit(&self) -> Result<()> {
        let status = {
            let mut status = locked(&self.status);
            status.state = TaskState::CommitPending;
            status.clone()
        };
        if let Err(error) = self.retry("commit pending", || self.umbilical.commit_pending(&status)) {
            self.exit(exit::COMMIT_PENDING_FAILED, &error.to_string());
        }
        Ok(())
    }

    fn wait_for_leave(&self, attempt: &TaskAttemptId, committer: &Committer) -> Result<()> {
        let (mut pause, pause_max) = COMMIT_PAUSE;
        let mut failures = 0;
        loop {
            match self.umbilical.can_commit(attempt) {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(pause_max);
                    self.reporter.alive();
                }
                Err(error) => {
                    let class = "mapred.Task";
                    crate::log::warn(class, format_args!("Failure asking whether task can commit: {error}"));
                    failures += 1;
                    if failures == CALL_TRIES || error.is_tracker_gone() {
                        let _ = committer.abort_task();
                        self.exit(exit::CAN_COMMIT_FAILED, &error.to_string());
                    }
                }
            }
        }
    }

    /// Ends the process from within.
    pub(crate) fn exit(&self, code: i32, why: &str) -> ! {
        crate::log::warn("mapred.Task", format_args!("Exiting {} with {code}: {why}", self.attempt_id()));
        (self.before_exit)();
        std::process::exit(code)
    }
}

fn commit(committer: &Committer, attempt: &TaskAttemptId) -> Result<()> {
    crate::log::info("mapred.Task", format_args!("Task {attempt} is allowed to commit now"));
    committer.commit_task().inspect_err(|error| {
        crate::log::warn("mapred.Task", format_args!("Failure committing: {error}"));
        let _ = committer.abort_task();
    })
}

impl Ticker {
    /// Ends the thread, after the call it may be in.
    pub(crate) fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let (ended, changed) = &self.report.ended;
        *locked(ended) = true;
        changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.end();
    }
}
