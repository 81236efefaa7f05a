//! Mappers, record by record.

use std::sync::Arc;

use regex::Regex;
use twins::{Mapper, Plan, java_regex};

use super::data::{self, put_text, text_body};
use super::types::InputTypes;
use super::words::{text_to_string, words};
use super::{pi, pipes, sleep, streaming, tera};
use crate::api::{Collector, MapRunner, RecordReader, Result, TaskContext, TaskError};
use configuration::keys;

/// A mapper that sees one record at a time.
pub(super) trait Map: Send {
    /// Maps one record.
    fn map(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector, ctx: &TaskContext) -> Result<()>;

    /// Ends the map; may still put out records.
    fn close(&mut self, _output: &mut dyn Collector) -> Result<()> {
        Ok(())
    }
}

/// Drives a [`Map`] over all records (Hadoop 1.2.1: mapred.MapRunner, mapreduce.Mapper.run).
struct PerRecord<M> {
    mapper: M,
    plan: Plan,
    types: InputTypes,
}

impl<M: Map> MapRunner for PerRecord<M> {
    fn run(&mut self, input: &mut dyn RecordReader, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut checked = false;
        while input.next(&mut key, &mut value)? {
            if !checked {
                self.types.check_mapped(&self.plan)?;
                checked = true;
            }
            self.mapper.map(&key, &value, output, ctx)?;
        }
        self.mapper.close(output)
    }
}

/// The mapper that a plan names, with its driver.
pub(super) fn runner(
    plan: &Plan,
    types: &InputTypes,
    shared: &Arc<pipes::Shared>,
    ctx: &TaskContext,
) -> Result<Box<dyn MapRunner>> {
    fn boxed<M: Map + 'static>(mapper: M, plan: &Plan, types: &InputTypes) -> Box<dyn MapRunner> {
        Box::new(PerRecord { mapper, plan: plan.clone(), types: types.clone() })
    }
    Ok(match plan.mapper {
        Mapper::Identity => boxed(Identity, plan, types),
        Mapper::Inverse => boxed(Inverse, plan, types),
        Mapper::TokenCount => boxed(Tokens::new(&1i64.to_be_bytes()), plan, types),
        Mapper::TokenCounter => boxed(Tokens::new(&1i32.to_be_bytes()), plan, types),
        Mapper::Regex => boxed(Matches::new(ctx)?, plan, types),
        Mapper::Sleep => boxed(sleep::SleepMap::new(ctx)?, plan, types),
        Mapper::Pi => boxed(pi::Points, plan, types),
        Mapper::TeraGen => boxed(tera::Generate::default(), plan, types),
        Mapper::TeraValidate => boxed(tera::ValidateMap::new(ctx)?, plan, types),
        Mapper::SecondarySort => boxed(Pairs::default(), plan, types),
        Mapper::Streaming => Box::new(streaming::StreamingMap::new(plan, types)),
        Mapper::Pipes => Box::new(pipes::PipesMap::new(plan, types, shared)),
        Mapper::Own => return Err(super::in_its_executable()),
    })
}

struct Identity;

impl Map for Identity {
    fn map(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        output.collect(key, value)
    }
}

struct Inverse;

impl Map for Inverse {
    fn map(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        output.collect(value, key)
    }
}

fn text(value: &[u8]) -> Result<&[u8]> {
    text_body(value).map_err(TaskError::decode("the map's value"))
}

/// A count of one for each word.
struct Tokens {
    one: Vec<u8>,
    word: Vec<u8>,
}

impl Tokens {
    fn new(one: &[u8]) -> Self {
        Tokens { one: one.to_vec(), word: Vec::new() }
    }
}

impl Map for Tokens {
    fn map(&mut self, _key: &[u8], value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        for word in words(&text_to_string(text(value)?)) {
            self.word.clear();
            put_text(&mut self.word, word.as_bytes());
            output.collect(&self.word, &self.one)?;
        }
        Ok(())
    }
}

/// A count of one for each match (Hadoop 1.2.1: mapred.lib.RegexMapper).
struct Matches {
    pattern: Regex,
    group: usize,
    found: Vec<u8>,
}

impl Matches {
    fn new(ctx: &TaskContext) -> Result<Self> {
        let pattern = ctx.conf.get_optional(&keys::MAPRED_MAPPER_REGEX)?.unwrap_or_default();
        let group = usize::try_from(ctx.conf.get_or(&keys::MAPRED_MAPPER_REGEX_GROUP, 0)).unwrap_or(0);
        let compiled = java_regex::compile(&pattern, group)
            .map_err(|why| TaskError::runtime(format!("{} is {pattern}: {why}", keys::MAPRED_MAPPER_REGEX.name())))?;
        Ok(Matches { pattern: compiled, group, found: Vec::new() })
    }
}

impl Map for Matches {
    fn map(&mut self, _key: &[u8], value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let line = text_to_string(text(value)?);
        for captures in self.pattern.captures_iter(&line) {
            let group = captures.get(self.group).ok_or_else(|| TaskError::Failed {
                exception: "java.lang.NullPointerException",
                message: format!("group {} takes no part in a match", self.group),
            })?;
            self.found.clear();
            put_text(&mut self.found, group.as_str().as_bytes());
            output.collect(&self.found, &1i64.to_be_bytes())?;
        }
        Ok(())
    }
}

/// The first two numbers of a line (Hadoop 1.2.1: examples.SecondarySort.MapClass).
#[derive(Default)]
struct Pairs {
    pair: Vec<u8>,
}

impl Map for Pairs {
    fn map(&mut self, _key: &[u8], value: &[u8], output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let line = text_to_string(text(value)?);
        let mut numbers = words(&line).map(parse_int);
        let Some(left) = numbers.next().transpose()? else { return Ok(()) };
        let right = numbers.next().transpose()?.unwrap_or(0);
        self.pair.clear();
        data::put_int_pair(&mut self.pair, (left, right));
        output.collect(&self.pair, &right.to_be_bytes())
    }
}

fn parse_int(word: &str) -> Result<i32> {
    word.parse().map_err(|_| TaskError::Failed {
        exception: "java.lang.NumberFormatException",
        message: format!("For input string: \"{word}\""),
    })
}
