//! The sleep job's mapper and reducer (Hadoop 1.2.1: examples.SleepJob).

use std::time::Duration;

use configuration::{Key, keys};

use super::data;
use super::mappers::Map;
use crate::api::{Collector, GroupReducer, Reporter, Result, TaskContext, TaskError, Values};

/// Sleeps that a map or a reduce divides among its records.
struct Sleeps {
    each_ms: i64,
    planned: i32,
    done: i32,
}

impl Sleeps {
    fn new(time: &Key<i64>, count: &Key<i32>, ctx: &TaskContext) -> Result<Self> {
        let planned = ctx.conf.get_or(count, 1);
        let each_ms = ctx.conf.get_or(time, 100).checked_div(i64::from(planned));
        let each_ms = each_ms.ok_or_else(|| TaskError::Failed {
            exception: "java.lang.ArithmeticException",
            message: format!("/ by zero: {} is 0", count.name()),
        })?;
        Ok(Sleeps { each_ms, planned, done: 0 })
    }

    fn sleep(&mut self, reporter: &Reporter) -> Result<()> {
        let left = self.each_ms.wrapping_mul(i64::from(self.planned - self.done));
        reporter.set_status(format!("Sleeping... ({left}) ms left"));
        let millis = u64::try_from(self.each_ms).map_err(|_| TaskError::Failed {
            exception: "java.lang.IllegalArgumentException",
            message: "timeout value is negative".to_owned(),
        })?;
        std::thread::sleep(Duration::from_millis(millis));
        self.done += 1;
        Ok(())
    }
}

/// See the module.
pub(super) struct SleepMap(Sleeps);

impl SleepMap {
    pub(super) fn new(ctx: &TaskContext) -> Result<Self> {
        Sleeps::new(&keys::SLEEP_JOB_MAP_SLEEP_TIME, &keys::SLEEP_JOB_MAP_SLEEP_COUNT, ctx).map(Self)
    }
}

impl Map for SleepMap {
    fn map(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        self.0.sleep(&ctx.reporter)?;
        let first = data::int(key).map_err(TaskError::decode("the map's key"))?;
        let count = data::int(value).map_err(TaskError::decode("the map's value"))?;
        for i in 0..count {
            output.collect(&first.wrapping_add(i).to_be_bytes(), &[])?;
        }
        Ok(())
    }
}

/// See the module.
pub(super) struct SleepReduce {
    sleeps: Sleeps,
    reporter: Reporter,
}

impl SleepReduce {
    pub(super) fn new(ctx: &TaskContext) -> Result<Self> {
        let sleeps = Sleeps::new(&keys::SLEEP_JOB_REDUCE_SLEEP_TIME, &keys::SLEEP_JOB_REDUCE_SLEEP_COUNT, ctx)?;
        Ok(SleepReduce { sleeps, reporter: ctx.reporter.clone() })
    }
}

impl GroupReducer for SleepReduce {
    fn reduce(&mut self, _key: &[u8], _values: &mut Values<'_>, _output: &mut dyn Collector) -> Result<()> {
        self.sleeps.sleep(&self.reporter)
    }
}
