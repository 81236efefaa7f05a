//! The records of the sleep job: how many keys each sleep of the map puts out.
//!
//! Hadoop 1.2.1: examples.SleepJob.SleepInputFormat; its split has no bytes.

use configuration::keys;

use crate::api::{RecordReader, Result, TaskContext, TaskError};

/// See the module.
#[derive(Debug)]
pub(super) struct SleepRecords {
    count: i32,
    emit_per_map: i32,
    records: i32,
    emitted: i32,
}

impl SleepRecords {
    pub(super) fn open(ctx: &TaskContext) -> Result<Self> {
        let count = ctx.conf.get_or(&keys::SLEEP_JOB_MAP_SLEEP_COUNT, 1);
        let reduce_count = ctx.conf.get_or(&keys::SLEEP_JOB_REDUCE_SLEEP_COUNT, 1);
        for (name, value) in [("map", count), ("reduce", reduce_count)] {
            if value < 0 {
                return Err(TaskError::io_exception(format!("Invalid {name} count: {value}")));
            }
        }
        if count == 0 {
            let exception = "java.lang.ArithmeticException";
            return Err(TaskError::Failed { exception, message: "/ by zero".to_owned() });
        }
        let reduces = ctx.conf.get_or(&keys::MAPRED_REDUCE_TASKS, 1);
        Ok(SleepRecords { count, emit_per_map: reduce_count.wrapping_mul(reduces), records: 0, emitted: 0 })
    }
}

impl RecordReader for SleepRecords {
    fn next(&mut self, key: &mut Vec<u8>, value: &mut Vec<u8>) -> Result<bool> {
        let extra = i32::from(self.emit_per_map % self.count > self.records);
        let emit = self.emit_per_map / self.count + extra;
        key.clear();
        key.extend_from_slice(&self.emitted.to_be_bytes());
        value.clear();
        value.extend_from_slice(&emit.to_be_bytes());
        self.emitted = self.emitted.wrapping_add(emit);
        self.records += 1;
        Ok(self.records <= self.count)
    }

    fn progress(&self) -> f32 {
        self.records as f32 / self.count as f32
    }

    fn position(&self) -> u64 {
        self.records as u64
    }
}
