//! Counters, status and signs of life of the running attempt, shared between its threads.
//!
//! The hot path touches atomics only; the umbilical thread reads a snapshot every few seconds.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use types::Counters;

/// A longer status is cut (Hadoop 1.2.1: TaskReporter.PROGRESS_STATUS_LEN_LIMIT).
const STATUS_LEN_MAX: usize = 512;

/// One counter; counting takes no lock.
#[derive(Debug, Clone)]
pub struct CounterHandle(Arc<AtomicI64>);

impl CounterHandle {
    /// Adds, wrapping as Java's long does.
    pub fn add(&self, by: i64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }

    /// Sets.
    pub fn set(&self, value: i64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// The count so far.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Slot {
    group: String,
    name: String,
    value: Arc<AtomicI64>,
}

#[derive(Default)]
struct Table {
    slots: Vec<Slot>,
    index: HashMap<(String, String), usize>,
}

#[derive(Default)]
struct Shared {
    table: Mutex<Table>,
    status: Mutex<String>,
    phase_status: Mutex<Option<String>>,
    progress: AtomicU32,
    alive: AtomicBool,
}

/// The way from a task's parts to its report (Hadoop 1.2.1: mapred.Reporter, Task.TaskReporter); cheap to clone.
#[derive(Clone, Default)]
pub struct Reporter {
    shared: Arc<Shared>,
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reporter").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reporter {
    /// A reporter of no counters and progress 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// The counter of this name, made with 0 if it is new. Look it up once, outside of loops.
    pub fn counter(&self, group: &str, name: &str) -> CounterHandle {
        let mut table = locked(&self.shared.table);
        let key = (group.to_owned(), name.to_owned());
        if let Some(&at) = table.index.get(&key) {
            return CounterHandle(table.slots[at].value.clone());
        }
        let value = Arc::new(AtomicI64::new(0));
        let at = table.slots.len();
        table.slots.push(Slot { group: group.to_owned(), name: name.to_owned(), value: value.clone() });
        table.index.insert(key, at);
        CounterHandle(value)
    }

    /// Adds to a counter by name.
    pub fn increment(&self, group: &str, name: &str, by: i64) {
        self.counter(group, name).add(by);
        self.alive();
    }

    /// Says what the task is doing, and that it is alive.
    pub fn set_status(&self, status: impl Into<String>) {
        let mut status = status.into();
        if let Some((at, _)) = status.char_indices().nth(STATUS_LEN_MAX) {
            status.truncate(at);
        }
        *locked(&self.shared.status) = status;
        self.alive();
    }

    /// What the task says it does.
    pub fn status(&self) -> String {
        locked(&self.shared.status).clone()
    }

    /// Says that the task is alive (Hadoop 1.2.1: Reporter.progress).
    pub fn alive(&self) {
        if !self.shared.alive.load(Ordering::Relaxed) {
            self.shared.alive.store(true, Ordering::Release);
        }
    }

    /// Whether the task gave a sign of life since the last call.
    pub(crate) fn take_alive(&self) -> bool {
        self.shared.alive.swap(false, Ordering::AcqRel)
    }

    /// Sets the progress of the whole attempt, 0 to 1; the engine does this.
    pub(crate) fn set_progress(&self, progress: f32) {
        let progress = if progress.is_nan() { 0.0 } else { progress.clamp(0.0, 1.0) };
        self.shared.progress.store(progress.to_bits(), Ordering::Relaxed);
        self.alive();
    }

    /// The progress of the whole attempt.
    pub fn progress(&self) -> f32 {
        f32::from_bits(self.shared.progress.load(Ordering::Relaxed))
    }

    /// Sets what the running phase says of itself; it follows the status.
    pub(crate) fn set_phase_status(&self, status: Option<String>) {
        *locked(&self.shared.phase_status) = status;
    }

    /// Status and phase in one (Hadoop 1.2.1: Progress.toString).
    pub(crate) fn state_string(&self) -> String {
        let status = self.status();
        match &*locked(&self.shared.phase_status) {
            Some(phase) => format!("{status} > {phase}"),
            None => status,
        }
    }

    /// All counters as they stand.
    pub fn counters(&self) -> Counters {
        let table = locked(&self.shared.table);
        let mut counters = Counters::new();
        for slot in &table.slots {
            counters.set(&slot.group, &slot.name, slot.value.load(Ordering::Relaxed));
        }
        counters
    }
}
