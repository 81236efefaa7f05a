//! Map output in memory: serialized records, one index entry for each, and the rule by which the buffer spills.
//!
//! Hadoop 1.2.1: MapTask.MapOutputBuffer (`kvbuffer`, `kvoffsets`, `kvindices`). Java spills in the background while it
//! goes on collecting; here a spill ends before the next record comes, which cuts the records at the same places as
//! Java does when its spill is done before the buffer fills up again. Memory is taken as it is needed.

use std::cmp::Ordering;
use std::sync::Arc;

use configuration::{Configuration, keys};

use crate::api::{RawComparator, Result, TaskError};
use crate::sort::Algorithm;
use crate::sorted::Sorted;

/// Bytes that Java accounts for each record.
const ACCOUNTED_LEN: usize = 16;

/// A value of at most so many bytes is written byte by byte in Java, a longer one at once.
const SHORT_VALUE_MAX: usize = 8;

/// When the buffer spills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes that fit at all.
    pub(crate) capacity: usize,
    /// More bytes than that, and the buffer spills.
    pub(crate) soft_bytes: usize,
    /// Records that Java has room to account for.
    pub(crate) record_capacity: usize,
    /// More records than that, and the buffer spills.
    pub(crate) soft_records: usize,
}

impl Limits {
    /// Reads `io.sort.mb`, `io.sort.record.percent` and `io.sort.spill.percent`.
    pub(crate) fn from_configuration(conf: &Configuration) -> Result<Self> {
        let spill = conf.get_or(&keys::IO_SORT_SPILL_PERCENT, 0.8);
        let records = conf.get_or(&keys::IO_SORT_RECORD_PERCENT, 0.05);
        let megabytes = conf.get_or(&keys::IO_SORT_MB, 100);
        let invalid = |key: &str, value: &dyn std::fmt::Display| {
            Err(TaskError::io_exception(format!("Invalid \"{key}\": {value}")))
        };
        if !(0.0..=1.0).contains(&spill) {
            return invalid(keys::IO_SORT_SPILL_PERCENT.name(), &spill);
        }
        if !(0.01..=1.0).contains(&records) {
            return invalid(keys::IO_SORT_RECORD_PERCENT.name(), &records);
        }
        if !(0..2048).contains(&megabytes) {
            return invalid(keys::IO_SORT_MB.name(), &megabytes);
        }
        Ok(Self::new((megabytes as usize) << 20, records, spill))
    }

    fn new(total: usize, records: f32, spill: f32) -> Self {
        let mut accounting = (total as f32 * records) as usize;
        accounting -= accounting % ACCOUNTED_LEN;
        let capacity = total - accounting;
        Limits {
            capacity,
            soft_bytes: (capacity as f32 * spill) as usize,
            record_capacity: accounting / ACCOUNTED_LEN,
            soft_records: ((accounting / ACCOUNTED_LEN) as f32 * spill) as usize,
        }
    }
}

/// Where a record lies.
#[derive(Debug, Clone, Copy)]
struct Entry {
    prefix: u64,
    partition: u32,
    start: u32,
    key_len: u32,
    value_len: u32,
}

/// Serialized records and their index.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    limits: Limits,
    /// Where in its ring of accounts Java stood after the last spill.
    ring_start: usize,
    comparator: Arc<dyn RawComparator>,
}

impl Buffer {
    pub(crate) fn new(limits: Limits, comparator: Arc<dyn RawComparator>) -> Self {
        Buffer { bytes: Vec::new(), entries: Vec::new(), limits, ring_start: 0, comparator }
    }

    /// Whether what is there must be spilled before this record comes.
    ///
    /// Java looks before each piece that a serializer writes, and a record that is not whole stays for the next spill.
    pub(crate) fn must_spill_before(&self, key: &[u8], value: &[u8]) -> bool {
        if self.entries.is_empty() {
            return false;
        }
        let last_piece = key.len() + if value.len() <= SHORT_VALUE_MAX { value.len().saturating_sub(1) } else { 1 };
        let whole = key.len() + value.len();
        self.has_many_records()
            || self.bytes.len() + last_piece > self.limits.soft_bytes
            || self.bytes.len() + whole > self.limits.capacity
    }

    /// Quirk: once the ring has wrapped around, Java spills one record earlier (MapTask.MapOutputBuffer.collect).
    fn has_many_records(&self) -> bool {
        let records = self.entries.len() + 1;
        let wrapped = self.ring_start + records >= self.limits.record_capacity;
        records + usize::from(wrapped) > self.limits.soft_records
    }

    /// Whether a record fits into the empty buffer; one that does not is spilled alone.
    pub(crate) fn can_hold(&self, key: &[u8], value: &[u8]) -> bool {
        key.len() + value.len() < self.limits.capacity
    }

    pub(crate) fn push(&mut self, partition: u32, key: &[u8], value: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        let (key_len, value_len) = (key.len() as u32, value.len() as u32);
        let prefix = self.comparator.prefix(key);
        self.entries.push(Entry { prefix, partition, start, key_len, value_len });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes of records.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Sorts by partition and key.
    pub(crate) fn sort(&mut self, algorithm: Algorithm) {
        let Buffer { bytes, entries, comparator, .. } = self;
        let key = |entry: &Entry| {
            let start = entry.start as usize;
            &bytes[start..start + entry.key_len as usize]
        };
        algorithm.sort(entries, &|a, b| match (a.partition, a.prefix).cmp(&(b.partition, b.prefix)) {
            Ordering::Equal => comparator.sort(key(a), key(b)),
            decided => decided,
        });
    }

    /// The sorted records of each partition, from partition 0 on.
    pub(crate) fn partitions(&self, count: u32) -> impl Iterator<Item = Partition<'_>> {
        let mut from = 0;
        (0..count).map(move |partition| {
            let len = self.entries[from..].partition_point(|entry| entry.partition == partition);
            from += len;
            Partition { buffer: self, entries: &self.entries[from - len..from], next: 0 }
        })
    }

    pub(crate) fn clear(&mut self) {
        self.ring_start = (self.ring_start + self.entries.len()) % self.limits.record_capacity.max(1);
        self.bytes.clear();
        self.entries.clear();
    }
}

/// The sorted records of one partition.
pub(crate) struct Partition<'a> {
    buffer: &'a Buffer,
    entries: &'a [Entry],
    next: usize,
}

impl Partition<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn current(&self) -> &Entry {
        &self.entries[self.next - 1]
    }
}

impl Sorted for Partition<'_> {
    fn next(&mut self) -> Result<bool> {
        self.next += 1;
        Ok(self.next <= self.entries.len())
    }

    fn key(&self) -> &[u8] {
        let entry = self.current();
        let start = entry.start as usize;
        &self.buffer.bytes[start..start + entry.key_len as usize]
    }

    fn value(&self) -> &[u8] {
        let entry = self.current();
        let start = (entry.start + entry.key_len) as usize;
        &self.buffer.bytes[start..start + entry.value_len as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_that_java_logs() {
        // A Java child says: data buffer = 79691776/99614720, record buffer = 262144/327680.
        let limits = Limits::from_configuration(&Configuration::new()).unwrap();
        assert_eq!(
            limits,
            Limits { capacity: 99_614_720, soft_bytes: 79_691_776, record_capacity: 327_680, soft_records: 262_144 }
        );
    }

    #[test]
    fn wrong_shares_are_refused_in_javas_words() {
        let mut conf = Configuration::new();
        conf.set_key(&keys::IO_SORT_RECORD_PERCENT, "0.001");
        let message = Limits::from_configuration(&conf).unwrap_err().to_string();
        assert_eq!(message, "Invalid \"io.sort.record.percent\": 0.001");
    }
}
