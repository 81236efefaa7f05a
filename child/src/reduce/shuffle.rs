//! The copy phase of a reduce: threads that ask for events, fetch, and merge what has piled up.
//!
//! Hadoop 1.2.1: ReduceTask.ReduceCopier.fetchOutputs, with its GetMapEventsThread, MapOutputCopiers, InMemFSMergeThread
//! and LocalFSMerger. Nothing naps: threads wait for each other, and only a tracker that has nothing new is asked again
//! after a pause.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use configuration::keys;

use super::fetch::{FetchError, Fetched, Fetcher};
use super::http::Timeouts;
use super::memory::{Memory, MemoryLimits, Reservation};
use super::merging::{DiskMerger, MemoryMerger, MergeTools};
use super::plan::{FailureRules, FetchPlan};
use crate::api::{Result, TaskContext, TaskError};
use crate::attempt::AttemptReport;
use crate::counters::{names, task_counter};
use crate::reporter::CounterHandle;

/// The most events asked for at once.
const EVENTS_MAX: i32 = 10_000;

/// The pause before the tracker is asked again for events, at first and at most.
const EVENTS_PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// A fetched output in memory.
pub(crate) struct MemoryOutput {
    pub(crate) map: i32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) reservation: Reservation,
}

/// A fetched output, or a merge of some, on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiskOutput {
    pub(crate) path: PathBuf,
    /// Its length on disk.
    pub(crate) len: u64,
    /// Its length before compression.
    pub(crate) raw_len: u64,
}

/// What the copy phase leaves to the merge.
pub(crate) struct Outputs {
    pub(crate) memory: Vec<MemoryOutput>,
    pub(crate) disk: Vec<DiskOutput>,
    pub(crate) limits: MemoryLimits,
}

/// What the threads share.
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    pub(crate) memory: Memory,
    report: Arc<AttemptReport>,
    fetcher: Fetcher,
    shuffle_bytes: CounterHandle,
    maps: usize,
    started: Instant,
}

struct State {
    plan: FetchPlan,
    memory: Vec<MemoryOutput>,
    disk: Vec<DiskOutput>,
    error: Option<TaskError>,
    closed: bool,
}

/// Fetches the output of all maps.
pub(crate) fn run(
    maps: usize,
    ctx: &TaskContext,
    report: &Arc<AttemptReport>,
    password: Vec<u8>,
    tools: &MergeTools,
) -> Result<Outputs> {
    let shared = Arc::new(Shared::new(maps, ctx, report, password, tools)?);
    let copiers = copiers(ctx);
    // Threads that may sit in a call or a read are not waited for: they find the shuffle closed and end.
    spawn("events", &shared, Shared::ask_for_events)?;
    for _ in 0..copiers {
        spawn("copier", &shared, Shared::copy)?;
    }
    let mergers = [
        merger("memory merge", MemoryMerger::new(shared.clone(), tools.clone()), MemoryMerger::run)?,
        merger("disk merge", DiskMerger::new(shared.clone(), tools.clone()), DiskMerger::run)?,
    ];
    shared.wait_until_copied();
    shared.close();
    for merger in mergers {
        let _ = merger.join();
    }
    shared.into_outputs()
}

fn copiers(ctx: &TaskContext) -> usize {
    usize::try_from(ctx.conf.get_or(&keys::MAPRED_REDUCE_PARALLEL_COPIES, 5)).unwrap_or(1).clamp(1, 200)
}

fn spawn(name: &str, shared: &Arc<Shared>, run: fn(&Shared)) -> Result<()> {
    let shared = shared.clone();
    let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(512 << 10);
    builder.spawn(move || run(&shared)).map(|_| ()).map_err(TaskError::io("start a thread"))
}

fn merger<M: Send + 'static>(name: &str, merger: M, run: fn(&M)) -> Result<std::thread::JoinHandle<()>> {
    let builder = std::thread::Builder::new().name(name.to_owned());
    builder.spawn(move || run(&merger)).map_err(TaskError::io("start a thread"))
}

fn millis(value: i32) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or(0))
}

impl Shared {
    fn new(
        maps: usize,
        ctx: &TaskContext,
        report: &Arc<AttemptReport>,
        password: Vec<u8>,
        tools: &MergeTools,
    ) -> Result<Self> {
        let conf = &ctx.conf;
        let memory = Memory::new(MemoryLimits::from_configuration(conf, copiers(ctx))?);
        let rules = FailureRules {
            report_every: u32::try_from(conf.get_or(&keys::MAPREDUCE_REDUCE_SHUFFLE_MAXFETCHFAILURES, 10)).unwrap_or(1),
            report_read_errors: conf.get_or(&keys::MAPREDUCE_REDUCE_SHUFFLE_NOTIFY_READERROR, true),
        };
        let timeouts = Timeouts {
            connect: millis(conf.get_or(&keys::MAPREDUCE_REDUCE_SHUFFLE_CONNECT_TIMEOUT, 180_000)),
            read: millis(conf.get_or(&keys::MAPREDUCE_REDUCE_SHUFFLE_READ_TIMEOUT, 180_000)),
        };
        let fetcher = Fetcher {
            reduce: ctx.partition as i32,
            password,
            timeouts,
            codec: tools.codec,
            memory: memory.clone(),
            disks: tools.disks.clone(),
            reporter: ctx.reporter.clone(),
        };
        let now = Instant::now();
        let plan = FetchPlan::new(maps, rules, now);
        Ok(Shared {
            state: Mutex::new(State { plan, memory: Vec::new(), disk: Vec::new(), error: None, closed: false }),
            changed: Condvar::new(),
            memory,
            report: report.clone(),
            fetcher,
            shuffle_bytes: task_counter(&ctx.reporter, names::REDUCE_SHUFFLE_BYTES),
            maps,
            started: now,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until_copied(&self) {
        let mut state = self.state();
        while state.plan.missing() > 0 && state.error.is_none() {
            state = self.wait(state);
        }
    }

    fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
        self.memory.close();
    }

    fn into_outputs(self: Arc<Self>) -> Result<Outputs> {
        let mut state = self.state();
        match state.error.take() {
            Some(error) => Err(error),
            None => Ok(Outputs {
                memory: std::mem::take(&mut state.memory),
                disk: std::mem::take(&mut state.disk),
                limits: *self.memory.limits(),
            }),
        }
    }

    /// Ends the shuffle with an error; the first one counts.
    pub(crate) fn fail(&self, error: TaskError) {
        self.state().error.get_or_insert(error);
        self.changed.notify_all();
    }

    /// Takes all outputs that are in memory.
    pub(crate) fn take_memory(&self) -> Vec<MemoryOutput> {
        std::mem::take(&mut self.state().memory)
    }

    /// Adds a file.
    pub(crate) fn add_disk(&self, output: DiskOutput) {
        self.state().disk.push(output);
        self.changed.notify_all();
    }

    /// Waits for at least `wanted` files and takes the smallest `take` of them; `None` once the shuffle is over.
    pub(crate) fn take_disk(&self, wanted: usize, take: usize) -> Option<Vec<DiskOutput>> {
        let mut state = self.state();
        loop {
            if state.closed || state.error.is_some() {
                return None;
            }
            if state.disk.len() >= wanted {
                state.disk.sort_by_key(|output| output.len);
                return Some(state.disk.drain(..take).collect());
            }
            state = self.wait(state);
        }
    }

    fn ask_for_events(&self) {
        let attempt = self.report.attempt_id();
        let (first, longest) = EVENTS_PAUSE;
        let (mut from, mut pause) = (0, first);
        loop {
            let update = self.report.umbilical().map_completion_events(&attempt, from, EVENTS_MAX);
            let mut state = self.state();
            let update = match update {
                Ok(update) => update,
                Err(error) => {
                    if !state.closed {
                        drop(state);
                        crate::log::warn("mapred.ReduceTask", format_args!("cannot get completed maps: {error}"));
                        self.fail(error);
                    }
                    return;
                }
            };
            if update.reset {
                from = 0;
                state.plan.reset();
            }
            from += update.events.len() as i32;
            pause = if update.events.is_empty() { (pause * 2).min(longest) } else { first };
            for event in &update.events {
                if let Err(problem) = state.plan.event(event) {
                    state.error.get_or_insert(TaskError::io_exception(problem));
                }
            }
            self.memory.set_missing(state.plan.missing());
            self.changed.notify_all();
            let (state, _) = self
                .changed
                .wait_timeout_while(state, pause, |state| !state.closed && state.error.is_none())
                .unwrap_or_else(PoisonError::into_inner);
            if state.closed || state.error.is_some() {
                return;
            }
        }
    }

    fn copy(&self) {
        while let Some(location) = self.next_location() {
            match self.fetcher.fetch(&location) {
                Ok((output, len)) => self.arrived(&location, output, len),
                Err(FetchError::Closed) => return,
                Err(FetchError::Task(error)) => return self.fail(error),
                Err(error) => {
                    let (map, host) = (&location.map, &location.host);
                    crate::log::warn("mapred.ReduceTask", format_args!("copy failed: {map} from {host}: {error}"));
                    self.failed(location, matches!(error, FetchError::Read(_)));
                }
            }
        }
    }

    fn next_location(&self) -> Option<super::fetch::Location> {
        let mut state = self.state();
        loop {
            if state.closed || state.error.is_some() {
                return None;
            }
            let now = Instant::now();
            if let Some(location) = state.plan.next(now) {
                return Some(location);
            }
            state = match state.plan.next_deadline() {
                None => self.wait(state),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(now);
                    self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn arrived(&self, location: &super::fetch::Location, output: Fetched, len: u64) {
        let mut state = self.state();
        let wanted = state.plan.fetched(location, Instant::now()) && !state.closed;
        match output {
            _ if !wanted => {
                if let Fetched::Disk { path, .. } = output {
                    let _ = std::fs::remove_file(path);
                }
            }
            Fetched::Memory { bytes, mut reservation } => {
                reservation.filled();
                state.memory.push(MemoryOutput { map: location.map.task.number, bytes, reservation });
            }
            Fetched::Disk { path, raw_len } => state.disk.push(DiskOutput { path, len, raw_len }),
        }
        if wanted {
            self.shuffle_bytes.add(len as i64);
            self.tell_progress(state.plan.fetched_count());
        }
        self.memory.set_missing(state.plan.missing());
        drop(state);
        self.changed.notify_all();
    }

    fn tell_progress(&self, fetched: usize) {
        let seconds = self.started.elapsed().as_secs() + 1;
        let rate = self.shuffle_bytes.get() as f64 / f64::from(1 << 20) / seconds as f64;
        let reporter = self.report.reporter();
        reporter.set_phase_status(Some(format!("copy ({fetched} of {} at {rate:.2} MB/s) > ", self.maps)));
        reporter.set_progress(fetched as f32 / self.maps.max(1) as f32 / 3.0);
    }

    fn failed(&self, location: super::fetch::Location, read_error: bool) {
        let map = location.map.clone();
        let consequence = self.state().plan.failed(location, read_error, Instant::now());
        if consequence.report {
            self.report.add_failed_fetch(map);
        }
        if let Some(reason) = consequence.give_up {
            let attempt = self.report.attempt_id();
            if let Err(error) = self.report.umbilical().shuffle_error(&attempt, reason.to_owned()) {
                crate::log::warn("mapred.ReduceTask", format_args!("cannot report the shuffle's end: {error}"));
            }
            self.fail(TaskError::Killed);
        }
        self.changed.notify_all();
    }
}
