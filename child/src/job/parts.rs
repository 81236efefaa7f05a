//! Mapper and reducer of a job, and how the engine drives them.

use std::fmt;
use std::marker::PhantomData;

use twins::{Api, DataType};

use super::Writable;
use crate::api::{self, Collector, Groups, MapRunner, RecordReader, Result, TaskContext, TaskError};

/// A mapper; made anew for each attempt.
pub trait Mapper: Send {
    /// Of the input.
    type InKey: Writable;
    /// Of the input.
    type InValue: Writable;
    /// Of what it puts out.
    type OutKey: Writable;
    /// Of what it puts out.
    type OutValue: Writable;

    /// Maps one record.
    ///
    /// # Errors
    /// Any error fails the attempt, and its text is shown to the user.
    fn map(
        &mut self,
        key: <Self::InKey as Writable>::Read<'_>,
        value: <Self::InValue as Writable>::Read<'_>,
        output: &mut Output<'_, Self::OutKey, Self::OutValue>,
    ) -> Result<()>;

    /// Ends the map; may still put out records.
    ///
    /// # Errors
    /// As [`Mapper::map`].
    fn close(&mut self, _output: &mut Output<'_, Self::OutKey, Self::OutValue>) -> Result<()> {
        Ok(())
    }
}

/// A reducer, or a combiner, which puts out what it is handed; made anew for each attempt, and a combiner for each run of it.
pub trait Reducer: Send {
    /// Of the maps' output.
    type InKey: Writable;
    /// Of the maps' output.
    type InValue: Writable;
    /// Of what it puts out.
    type OutKey: Writable;
    /// Of what it puts out.
    type OutValue: Writable;

    /// Reduces the values of one key; those that are left over are skipped.
    ///
    /// # Errors
    /// As [`Mapper::map`].
    fn reduce(
        &mut self,
        key: <Self::InKey as Writable>::Read<'_>,
        values: &mut Values<'_, Self::InValue>,
        output: &mut Output<'_, Self::OutKey, Self::OutValue>,
    ) -> Result<()>;

    /// Ends the reduce; may still put out records.
    ///
    /// # Errors
    /// As [`Mapper::map`].
    fn close(&mut self, _output: &mut Output<'_, Self::OutKey, Self::OutValue>) -> Result<()> {
        Ok(())
    }
}

/// Takes records of one type.
pub struct Output<'a, K, V> {
    collector: &'a mut dyn Collector,
    key: Vec<u8>,
    value: Vec<u8>,
    records: PhantomData<fn(K, V)>,
}

impl<K, V> fmt::Debug for Output<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}

impl<'a, K: Writable, V: Writable> Output<'a, K, V> {
    fn new(collector: &'a mut dyn Collector) -> Self {
        Output { collector, key: Vec::new(), value: Vec::new(), records: PhantomData }
    }

    /// Puts a record out.
    ///
    /// # Errors
    /// If it cannot be written, or is larger than the attempt's memory.
    pub fn put(&mut self, key: &K::Put, value: &V::Put) -> Result<()> {
        self.key.clear();
        K::put(key, &mut self.key);
        self.value.clear();
        V::put(value, &mut self.value);
        self.collector.collect(&self.key, &self.value)
    }
}

/// The values of one key, each to be looked at before the next.
pub struct Values<'a, V> {
    groups: &'a mut dyn Groups,
    values: PhantomData<fn() -> V>,
}

impl<V> fmt::Debug for Values<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").finish_non_exhaustive()
    }
}

impl<V: Writable> Values<'_, V> {
    /// The next value; `None` after the last.
    ///
    /// # Errors
    /// If the maps' output cannot be read.
    #[expect(clippy::should_implement_trait, reason = "a lending iterator")]
    pub fn next(&mut self) -> Result<Option<V::Read<'_>>> {
        if !self.groups.next_value()? {
            return Ok(None);
        }
        V::read(self.groups.value()).map(Some).map_err(TaskError::decode("the reduce's value"))
    }
}

/// Drives a [`Mapper`] over a split.
pub(super) struct Mapping<M>(pub(super) M);

impl<M: Mapper> MapRunner for Mapping<M> {
    fn run(&mut self, input: &mut dyn RecordReader, output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let mut output = Output::new(output);
        let (mut key, mut value) = (Vec::new(), Vec::new());
        while input.next(&mut key, &mut value)? {
            let key = M::InKey::read(&key).map_err(TaskError::decode("the map's key"))?;
            let value = M::InValue::read(&value).map_err(TaskError::decode("the map's value"))?;
            self.0.map(key, value, &mut output)?;
        }
        self.0.close(&mut output)
    }
}

/// Drives a [`Reducer`] over all keys.
pub(super) struct Reducing<R>(pub(super) R);

impl<R: Reducer> api::Reducer for Reducing<R> {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, _ctx: &TaskContext) -> Result<()> {
        let mut output = Output::new(output);
        let mut bytes = Vec::new();
        while input.next_group()? {
            bytes.clear();
            bytes.extend_from_slice(input.key());
            let key = R::InKey::read(&bytes).map_err(TaskError::decode("the reduce's key"))?;
            self.0.reduce(key, &mut Values { groups: &mut *input, values: PhantomData }, &mut output)?;
        }
        self.0.close(&mut output)
    }
}

/// Makes the parts that the job's executable brings.
pub(crate) trait OwnParts: Send + Sync {
    /// The mapper with its driver; `input` is what the split's records are.
    fn map_runner(&self, input: &crate::runner::Classes, ctx: &TaskContext) -> Result<Box<dyn MapRunner>>;

    /// The reducer.
    fn reducer(&self, ctx: &TaskContext) -> Result<Box<dyn api::Reducer>>;

    /// The combiner.
    fn combiner(&self, ctx: &TaskContext) -> Result<Box<dyn api::Reducer>>;
}

/// Fails as Java does where a mapper gets records of other classes than it was written for.
pub(super) fn check_input(found: &str, wanted: DataType) -> Result<()> {
    if DataType::of_class(found, Api::Both) == Some(wanted) {
        return Ok(());
    }
    let message = format!("{found} cannot be cast to {}", wanted.class_name());
    Err(TaskError::Failed { exception: "java.lang.ClassCastException", message })
}
