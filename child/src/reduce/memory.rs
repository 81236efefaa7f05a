//! How much fetched map output may stay in memory, and when it must go to disk.
//!
//! Hadoop 1.2.1: ReduceTask.ShuffleRamManager.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use configuration::{Configuration, keys};

use crate::api::{Result, TaskError};

/// One output may take this share of the memory.
const SINGLE_SHARE: f32 = 0.25;

/// So many copiers waiting for memory start a merge.
const STALLED_SHARE: f32 = 0.75;

/// The heap where the job says nothing.
const HEAP_DEFAULT: u64 = 200 << 20;

/// What limits the memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MemoryLimits {
    /// All outputs together.
    pub(crate) total: u64,
    /// The full share at which a merge starts (`mapred.job.shuffle.merge.percent`).
    pub(crate) merge_share: f32,
    /// So many outputs start a merge; 0 for no such limit (`mapred.inmem.merge.threshold`).
    pub(crate) merge_count: usize,
    /// Bytes that may stay in memory while the reduce runs.
    pub(crate) keep: u64,
    copiers: usize,
}

impl MemoryLimits {
    pub(crate) fn from_configuration(conf: &Configuration, copiers: usize) -> Result<Self> {
        let heap = heap_bytes(conf).min(i32::MAX as u64);
        let buffer_share = share(conf, &keys::MAPRED_JOB_SHUFFLE_INPUT_BUFFER_PERCENT, 0.7)?;
        let keep_share = share(conf, &keys::MAPRED_JOB_REDUCE_INPUT_BUFFER_PERCENT, 0.0)?;
        let memory = conf.get_optional(&keys::MAPRED_JOB_REDUCE_TOTAL_MEM_BYTES).ok().flatten();
        let memory = memory.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(heap);
        Ok(MemoryLimits {
            total: (memory as f32 * buffer_share) as u64,
            merge_share: conf.get_or(&keys::MAPRED_JOB_SHUFFLE_MERGE_PERCENT, 0.66),
            merge_count: usize::try_from(conf.get_or(&keys::MAPRED_INMEM_MERGE_THRESHOLD, 1000)).unwrap_or(0),
            keep: (heap as f32 * keep_share) as u64,
            copiers,
        })
    }

    /// Whether an output of that many bytes goes to memory at all.
    pub(crate) fn fits(&self, len: u64) -> bool {
        len < i32::MAX as u64 && (len as f32) < self.total as f32 * SINGLE_SHARE
    }
}

fn share(conf: &Configuration, key: &configuration::Key<f32>, otherwise: f32) -> Result<f32> {
    let share = conf.get_or(key, otherwise);
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(TaskError::io_exception(format!("{} is {share}; expected 0 to 1", key.name())))
}

/// The heap that a Java reduce would have, from its options.
fn heap_bytes(conf: &Configuration) -> u64 {
    let own = conf.get_optional(&keys::MAPRED_REDUCE_CHILD_JAVA_OPTS).ok().flatten();
    let options = own.unwrap_or_else(|| conf.get_or(&keys::MAPRED_CHILD_JAVA_OPTS, String::new()));
    let last = options.split_ascii_whitespace().filter_map(|option| option.strip_prefix("-Xmx")).next_back();
    last.and_then(java_size).unwrap_or(HEAP_DEFAULT)
}

fn java_size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.char_indices().next_back()? {
        (at, 'k' | 'K') => (&text[..at], 10),
        (at, 'm' | 'M') => (&text[..at], 20),
        (at, 'g' | 'G') => (&text[..at], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[derive(Debug, Default)]
struct Used {
    /// Bytes that are taken, filled or not.
    reserved: u64,
    /// Bytes that are filled.
    full: u64,
    /// Outputs that are filled.
    outputs: usize,
    /// Copiers that wait.
    waiting: usize,
    /// Maps that are not copied yet.
    missing: usize,
    closed: bool,
}

/// The memory of one shuffle, shared by its threads.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    limits: MemoryLimits,
    shared: Arc<(Mutex<Used>, Condvar)>,
}

/// Memory that one output holds; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    memory: Memory,
    len: u64,
    full: bool,
}

impl Memory {
    pub(crate) fn new(limits: MemoryLimits) -> Self {
        Memory { limits, shared: Arc::default() }
    }

    pub(crate) fn limits(&self) -> &MemoryLimits {
        &self.limits
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory if there is some.
    pub(crate) fn try_reserve(&self, len: u64) -> Option<Reservation> {
        let mut used = self.used();
        if used.reserved + len > self.limits.total {
            return None;
        }
        used.reserved += len;
        Some(Reservation { memory: self.clone(), len, full: false })
    }

    /// Waits for memory; `None` once the shuffle is over.
    pub(crate) fn reserve(&self, len: u64) -> Option<Reservation> {
        let (_, changed) = &*self.shared;
        let mut used = self.used();
        used.waiting += 1;
        changed.notify_all();
        while used.reserved + len > self.limits.total && !used.closed {
            used = changed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
        used.waiting -= 1;
        if used.closed {
            return None;
        }
        used.reserved += len;
        Some(Reservation { memory: self.clone(), len, full: false })
    }

    /// Waits until the outputs in memory should be merged to disk; false once the shuffle is over.
    pub(crate) fn wait_for_merge(&self) -> bool {
        let (_, changed) = &*self.shared;
        let mut used = self.used();
        loop {
            if used.closed {
                return false;
            }
            if self.should_merge(&used) {
                return true;
            }
            used = changed.wait(used).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn should_merge(&self, used: &Used) -> bool {
        let limits = &self.limits;
        let full = used.full as f32 / limits.total.max(1) as f32;
        let many = limits.merge_count > 0 && used.outputs >= limits.merge_count;
        let stalled = used.waiting as f32 >= limits.copiers as f32 * STALLED_SHARE
            || (used.missing > 0 && used.waiting >= used.missing);
        (full >= limits.merge_share && used.outputs >= 2) || many || (stalled && used.outputs > 0)
    }

    /// Says how many maps are not copied yet: when no more copiers than that wait, nobody else will free memory.
    pub(crate) fn set_missing(&self, missing: usize) {
        self.used().missing = missing;
        self.shared.1.notify_all();
    }

    /// Wakes whoever waits, for good.
    pub(crate) fn close(&self) {
        self.used().closed = true;
        self.shared.1.notify_all();
    }
}

impl Reservation {
    /// The output is there.
    pub(crate) fn filled(&mut self) {
        self.full = true;
        let mut used = self.memory.used();
        used.full += self.len;
        used.outputs += 1;
        self.memory.shared.1.notify_all();
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut used = self.memory.used();
        used.reserved -= self.len;
        if self.full {
            used.full -= self.len;
            used.outputs -= 1;
        }
        self.memory.shared.1.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(set: impl Fn(&mut Configuration)) -> MemoryLimits {
        let mut conf = Configuration::new();
        set(&mut conf);
        MemoryLimits::from_configuration(&conf, 5).unwrap()
    }

    #[test]
    fn the_heap_is_read_from_the_options() {
        assert_eq!(limits(|_| ()).total, 146_800_640);
        let wide = limits(|conf| conf.set_key(&keys::MAPRED_CHILD_JAVA_OPTS, "-Xmx1g -Xmx100M -ea"));
        assert_eq!(wide.total, (104_857_600f32 * 0.7) as u64);
        let own = limits(|conf| conf.set_key(&keys::MAPRED_REDUCE_CHILD_JAVA_OPTS, "-Xmx1048576"));
        assert!(own.fits(183_500) && !own.fits(183_501), "{own:?}");
    }

    #[test]
    fn memory_comes_back_and_full_memory_is_merged() {
        let memory = Memory::new(limits(|conf| conf.set_key(&keys::MAPRED_JOB_REDUCE_TOTAL_MEM_BYTES, 1000)));
        let mut first = memory.try_reserve(400).unwrap();
        let mut second = memory.try_reserve(300).unwrap();
        assert!(memory.try_reserve(1).is_none());
        first.filled();
        assert!(!memory.should_merge(&memory.used()));
        second.filled();
        assert!(memory.should_merge(&memory.used()));
        drop(first);
        assert!(memory.try_reserve(400).is_some());
        memory.close();
        assert!(memory.reserve(5000).is_none());
    }
}
