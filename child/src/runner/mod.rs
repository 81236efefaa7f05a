//! The parts of a job, built from its configuration: mappers, reducers, partitioners and orders that do what the Java
//! classes of a [`twins::Plan`] do.
//!
//! `twins` says which classes have a twin; a twin without its arm here does not compile. The engine drives the parts.

mod aggregate;
pub mod data;
mod key_field;
mod mappers;
mod numeric_order;
mod order;
mod partition;
mod pi;
mod pipes;
mod reducers;
mod sleep;
mod streaming;
mod tera;
#[cfg(test)]
mod tests;
mod total_order;
mod types;
mod words;

use std::sync::Arc;

use configuration::{Configuration, keys};
use twins::{Plan, Reducer as ReducerTwin};

use crate::api::{
    InputSplit, Library, MapRunner, OpenInput, Partitioner, RawComparator, RecordWriter, Reducer, Result, TaskContext,
    TaskError,
};
use crate::job::OwnParts;
pub(crate) use types::data_type;
pub use types::{Classes, InputTypes};

/// The parts of one job.
pub struct JobLibrary {
    plan: Plan,
    types: InputTypes,
    pipes: Arc<pipes::Shared>,
    own: Option<Arc<dyn OwnParts>>,
}

/// Finds the parts that a job's configuration names.
///
/// # Errors
/// The first class without a native twin; the tracker should have started Java's child then.
pub fn library(conf: &Configuration) -> Result<JobLibrary> {
    let lookup = |key: &str| conf.text(key).ok().flatten();
    let plan = twins::plan(&lookup).map_err(|reason| TaskError::runtime(format!("not a native job: {reason}")))?;
    Ok(JobLibrary { plan, types: InputTypes::default(), pipes: Arc::default(), own: None })
}

impl JobLibrary {
    /// What the job is made of.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The same, with the parts that the executable which runs brings.
    #[must_use]
    pub(crate) fn with_own(self, own: Option<Arc<dyn OwnParts>>) -> JobLibrary {
        JobLibrary { own, ..self }
    }
}

/// Why a part of the job's own executable is not in this program.
fn in_its_executable() -> TaskError {
    let key = keys::HOWDAH_JOB_EXECUTABLE.name();
    TaskError::runtime(format!("the job's parts are in its own executable ({key}), and this is another program"))
}

impl Library for JobLibrary {
    fn open_input(&self, split: &InputSplit, ctx: &TaskContext) -> Result<OpenInput> {
        let (input, types) = crate::input::open(&self.plan, split, ctx)?;
        self.types.set(types);
        let len = split.stored_body_len().unwrap_or(input.split_len).min(split.bytes.len());
        self.pipes.set_split(split.bytes[..len].to_vec());
        Ok(input)
    }

    fn map_runner(&self, ctx: &TaskContext) -> Result<Box<dyn MapRunner>> {
        if let (twins::Mapper::Own, Some(own)) = (self.plan.mapper, &self.own) {
            return own.map_runner(&self.types.get()?, ctx);
        }
        mappers::runner(&self.plan, &self.types, &self.pipes, ctx)
    }

    fn has_combiner(&self) -> bool {
        self.plan.combiner.is_some()
    }

    fn combiner(&self, ctx: &TaskContext) -> Result<Box<dyn Reducer>> {
        let twin = self.plan.combiner.unwrap_or(ReducerTwin::Identity);
        if let (ReducerTwin::OwnCombiner, Some(own)) = (twin, &self.own) {
            return own.combiner(ctx);
        }
        // Quirk: a combiner named under the old key has the old interface, whatever the reducer has.
        let new_api = self.plan.new_combiner;
        reducers::reducer(twin, new_api, &self.plan, &self.pipes, ctx)
    }

    fn reducer(&self, ctx: &TaskContext) -> Result<Box<dyn Reducer>> {
        if let (ReducerTwin::Own, Some(own)) = (self.plan.reducer, &self.own) {
            return own.reducer(ctx);
        }
        reducers::reducer(self.plan.reducer, self.plan.new_reducer, &self.plan, &self.pipes, ctx)
    }

    fn partitioner(&self, ctx: &TaskContext) -> Result<Box<dyn Partitioner>> {
        let partitioner = partition::partitioner(&self.plan, ctx)?;
        if !self.plan.pipes_partitioner {
            return Ok(partitioner);
        }
        Ok(Box::new(pipes::PipesPartitioner { shared: self.pipes.clone(), otherwise: partitioner }))
    }

    fn comparator(&self, ctx: &TaskContext) -> Result<Arc<dyn RawComparator>> {
        order::comparator(&self.plan, ctx)
    }

    fn writer(&self, ctx: &TaskContext) -> Result<Box<dyn RecordWriter>> {
        crate::output::open(&self.plan, &self.types, ctx)
    }
}
