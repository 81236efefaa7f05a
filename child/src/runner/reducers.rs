//! Reducers and combiners.

use std::sync::Arc;

use twins::{DataType, Plan, Reducer as Twin};

use super::{aggregate, data, pi, pipes, sleep, streaming, tera};
use crate::api::{Collector, GroupReducer, Groups, PerGroup, Reducer, Result, TaskContext, TaskError, Values};

/// A reducer, or a combiner, by its twin and the interface it was named in.
pub(super) fn reducer(
    twin: Twin,
    new_api: bool,
    plan: &Plan,
    shared: &Arc<pipes::Shared>,
    ctx: &TaskContext,
) -> Result<Box<dyn Reducer>> {
    Ok(match twin {
        Twin::Identity => Box::new(Identity { new_api }),
        Twin::LongSum => Box::new(Sum { add: add_long, last_key: last_key_counts(new_api, plan) }),
        Twin::IntSum => Box::new(Sum { add: add_int, last_key: last_key_counts(new_api, plan) }),
        Twin::SecondarySort => Box::new(PerGroup(Pairs)),
        Twin::Sleep => Box::new(PerGroup(sleep::SleepReduce::new(ctx)?)),
        Twin::Pi => Box::new(PerGroup(pi::Sums::new(ctx))),
        Twin::TeraValidate => Box::new(PerGroup(tera::ValidateReduce::default())),
        Twin::Streaming => Box::new(streaming::StreamingReduce::reducer(plan)),
        Twin::Pipes => Box::new(pipes::PipesReduce::new(plan, shared)),
        Twin::Aggregate => Box::new(PerGroup(aggregate::Aggregate::new(ctx)?)),
        Twin::AggregateCombiner => Box::new(PerGroup(aggregate::Combine)),
        Twin::Own | Twin::OwnCombiner => return Err(super::in_its_executable()),
        Twin::StreamingCombiner => Box::new(streaming::StreamingReduce::combiner(plan)),
    })
}

/// Whether keys of one group can differ, and the interface shows a reducer the last one: the new interface has one key
/// object for the whole group.
fn last_key_counts(new_api: bool, plan: &Plan) -> bool {
    let named = plan.grouping_comparator.is_some() || plan.sort_comparator.is_some();
    new_api && (named || plan.map_output_key == DataType::Boolean)
}

/// Hands records on. In the new interface a key changes along its group, in the old one it stays.
struct Identity {
    new_api: bool,
}

impl Reducer for Identity {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let mut first = Vec::new();
        while input.next_group()? {
            first.clear();
            first.extend_from_slice(input.key());
            while input.next_value()? {
                let key = if self.new_api { input.key() } else { &first };
                output.collect(key, input.value())?;
            }
        }
        Ok(())
    }
}

/// Adds a serialized number to a sum, wrapping as Java does; the sum's serialized form is as long as the number's.
type Add = fn(i64, &[u8]) -> Result<(i64, usize)>;

fn add_long(sum: i64, value: &[u8]) -> Result<(i64, usize)> {
    let number = data::long(value).map_err(TaskError::decode("a value to add"))?;
    Ok((sum.wrapping_add(number), 8))
}

fn add_int(sum: i64, value: &[u8]) -> Result<(i64, usize)> {
    let number = data::int(value).map_err(TaskError::decode("a value to add"))?;
    Ok((i64::from((sum as i32).wrapping_add(number)), 4))
}

/// The sum of a group's numbers.
struct Sum {
    add: Add,
    last_key: bool,
}

impl Reducer for Sum {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let mut key = Vec::new();
        while input.next_group()? {
            key.clear();
            key.extend_from_slice(input.key());
            let (mut sum, mut width) = (0, 0);
            while input.next_value()? {
                (sum, width) = (self.add)(sum, input.value())?;
                if self.last_key {
                    key.clear();
                    key.extend_from_slice(input.key());
                }
            }
            output.collect(&key, &sum.to_be_bytes()[8 - width..])?;
        }
        Ok(())
    }
}

/// A ruler and then the group's numbers (Hadoop 1.2.1: examples.SecondarySort.Reduce).
struct Pairs;

const RULER: &[u8] = b"------------------------------------------------";

impl GroupReducer for Pairs {
    fn reduce(&mut self, key: &[u8], values: &mut Values<'_>, output: &mut dyn Collector) -> Result<()> {
        let mut text = Vec::new();
        data::put_text(&mut text, RULER);
        // No bytes stand for Java's null.
        output.collect(&text, &[])?;
        let (first, _) = data::int_pair(key).map_err(TaskError::decode("the reduce's key"))?;
        text.clear();
        data::put_text(&mut text, first.to_string().as_bytes());
        while let Some(value) = values.next()? {
            output.collect(&text, value)?;
        }
        Ok(())
    }
}
