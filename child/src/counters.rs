//! The framework's counters of one attempt, looked up once.
//!
//! Which counters exist, even at zero, is part of what clients see: a kind of task makes exactly those that Java's does
//! (Hadoop 1.2.1: the constructors in MapTask, ReduceTask and Task).

use types::counter_names::{FILE_INPUT, FILE_OUTPUT, TASK};

use crate::reporter::{CounterHandle, Reporter};

/// A counter of `Task$Counter`.
pub(crate) fn task_counter(reporter: &Reporter, name: &str) -> CounterHandle {
    reporter.counter(TASK, name)
}

/// `FileInputFormat$Counter.BYTES_READ`.
pub(crate) fn bytes_read(reporter: &Reporter) -> CounterHandle {
    reporter.counter(FILE_INPUT, "BYTES_READ")
}

/// `FileOutputFormat$Counter.BYTES_WRITTEN`.
pub(crate) fn bytes_written(reporter: &Reporter) -> CounterHandle {
    reporter.counter(FILE_OUTPUT, "BYTES_WRITTEN")
}

/// Names within `Task$Counter`.
pub(crate) mod names {
    pub(crate) const MAP_INPUT_RECORDS: &str = "MAP_INPUT_RECORDS";
    pub(crate) const MAP_INPUT_BYTES: &str = "MAP_INPUT_BYTES";
    pub(crate) const MAP_OUTPUT_RECORDS: &str = "MAP_OUTPUT_RECORDS";
    pub(crate) const MAP_OUTPUT_BYTES: &str = "MAP_OUTPUT_BYTES";
    pub(crate) const MAP_OUTPUT_MATERIALIZED_BYTES: &str = "MAP_OUTPUT_MATERIALIZED_BYTES";
    pub(crate) const COMBINE_INPUT_RECORDS: &str = "COMBINE_INPUT_RECORDS";
    pub(crate) const COMBINE_OUTPUT_RECORDS: &str = "COMBINE_OUTPUT_RECORDS";
    pub(crate) const SPILLED_RECORDS: &str = "SPILLED_RECORDS";
    pub(crate) const SPLIT_RAW_BYTES: &str = "SPLIT_RAW_BYTES";
    pub(crate) const REDUCE_SHUFFLE_BYTES: &str = "REDUCE_SHUFFLE_BYTES";
    pub(crate) const REDUCE_INPUT_GROUPS: &str = "REDUCE_INPUT_GROUPS";
    pub(crate) const REDUCE_INPUT_RECORDS: &str = "REDUCE_INPUT_RECORDS";
    pub(crate) const REDUCE_OUTPUT_RECORDS: &str = "REDUCE_OUTPUT_RECORDS";
    pub(crate) const CPU_MILLISECONDS: &str = "CPU_MILLISECONDS";
    pub(crate) const PHYSICAL_MEMORY_BYTES: &str = "PHYSICAL_MEMORY_BYTES";
    pub(crate) const VIRTUAL_MEMORY_BYTES: &str = "VIRTUAL_MEMORY_BYTES";
    pub(crate) const COMMITTED_HEAP_BYTES: &str = "COMMITTED_HEAP_BYTES";
}
