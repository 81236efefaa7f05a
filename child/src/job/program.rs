//! What the executable of a job does when it is started: it says which job it is, or runs the job's attempts.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::process::ExitCode;
use std::sync::Arc;

use configuration::{Configuration, keys};

use super::parts::{Mapping, Reducing, check_input};
use super::{Mapper, OwnParts, Reducer, Writable};
use crate::api::{self, MapRunner, Result, TaskContext, TaskError};
use crate::child::{Invocation, run_as};
use crate::runner::Classes;

/// What `hadoop native` asks an executable with.
const DESCRIBE: &str = "--job-configuration";

type Make<T> = Box<dyn Fn(&TaskContext) -> Result<Box<T>> + Send + Sync>;
type MakeMapper = Box<dyn Fn(&Classes, &TaskContext) -> Result<Box<dyn MapRunner>> + Send + Sync>;

/// A job: its name, its parts, and what of its configuration is fixed. `K` and `V` travel from map to reduce.
pub struct Job<K, V> {
    conf: Configuration,
    mapper: MakeMapper,
    combiner: Option<Make<dyn api::Reducer>>,
    reducer: Option<Make<dyn api::Reducer>>,
    records: PhantomData<fn(K, V)>,
}

impl<K, V> fmt::Debug for Job<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

impl<K: Writable, V: Writable> Job<K, V> {
    /// A job of maps alone; `make` is called once for each attempt. Lines are read and written unless it is
    /// [set](Job::set) otherwise.
    pub fn map<M>(name: &str, make: impl Fn(&TaskContext) -> Result<M> + Send + Sync + 'static) -> Self
    where
        M: Mapper<OutKey = K, OutValue = V> + 'static,
    {
        let mut conf = Configuration::new();
        conf.set_key(&keys::MAPRED_JOB_NAME, name);
        conf.set_key(&keys::MAPRED_MAPPER_NEW_API, true);
        conf.set_key(&keys::MAPRED_REDUCER_NEW_API, true);
        conf.set_key(&keys::MAPREDUCE_MAP_CLASS, "org.howdah.job.Mapper");
        conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, K::TYPE.class_name());
        conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, V::TYPE.class_name());
        conf.set_key(&keys::MAPRED_REDUCE_TASKS, 0);
        let mapper = move |(key, value): &Classes, ctx: &TaskContext| {
            check_input(key, M::InKey::TYPE)?;
            check_input(value, M::InValue::TYPE)?;
            Ok(Box::new(Mapping(make(ctx)?)) as Box<dyn MapRunner>)
        };
        Job { conf, mapper: Box::new(mapper), combiner: None, reducer: None, records: PhantomData }
    }

    /// Combines the output of each map before it is fetched.
    #[must_use]
    pub fn combine<R>(mut self, make: impl Fn(&TaskContext) -> Result<R> + Send + Sync + 'static) -> Self
    where
        R: Reducer<InKey = K, InValue = V, OutKey = K, OutValue = V> + 'static,
    {
        self.conf.set_key(&keys::MAPREDUCE_COMBINE_CLASS, "org.howdah.job.Combiner");
        self.combiner = Some(Box::new(move |ctx| Ok(Box::new(Reducing(make(ctx)?)))));
        self
    }

    /// Reduces; how many reduces there are is the submitter's choice (`mapred.reduce.tasks`).
    #[must_use]
    pub fn reduce<R>(mut self, make: impl Fn(&TaskContext) -> Result<R> + Send + Sync + 'static) -> Self
    where
        R: Reducer<InKey = K, InValue = V> + 'static,
    {
        self.conf.unset(keys::MAPRED_REDUCE_TASKS.name());
        self.conf.set_key(&keys::MAPREDUCE_REDUCE_CLASS, "org.howdah.job.Reducer");
        self.conf.set_key(&keys::MAPRED_MAPOUTPUT_KEY_CLASS, K::TYPE.class_name());
        self.conf.set_key(&keys::MAPRED_MAPOUTPUT_VALUE_CLASS, V::TYPE.class_name());
        self.conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, R::OutKey::TYPE.class_name());
        self.conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, R::OutValue::TYPE.class_name());
        self.reducer = Some(Box::new(move |ctx| Ok(Box::new(Reducing(make(ctx)?)))));
        self
    }

    /// Fixes a value of the job's configuration, as `conf.set` in a Java job's `main` does: it wins over the submitter's
    /// `-D`.
    #[must_use]
    pub fn set(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.conf.set(key, value.to_string());
        self
    }

    /// The executable's `main`: prints the job's configuration for `hadoop native`, or runs the attempt that a TaskTracker
    /// started it for.
    pub fn main(self) -> ExitCode {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        if arguments == [DESCRIBE] {
            return match std::io::stdout().write_all(&self.conf.to_xml()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::FAILURE,
            };
        }
        match Invocation::parse(&arguments, |name| std::env::var(name).ok()) {
            Ok(invocation) => {
                let code = run_as(&invocation, Some(Arc::new(self)));
                ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
            }
            Err(_) => {
                eprintln!("this is a job; submit it with: hadoop native EXECUTABLE -input IN -output OUT");
                ExitCode::FAILURE
            }
        }
    }
}

impl<K: Writable, V: Writable> OwnParts for Job<K, V> {
    fn map_runner(&self, input: &Classes, ctx: &TaskContext) -> Result<Box<dyn MapRunner>> {
        (self.mapper)(input, ctx)
    }

    fn reducer(&self, ctx: &TaskContext) -> Result<Box<dyn api::Reducer>> {
        let make = self.reducer.as_ref().ok_or_else(|| missing("reducer"))?;
        make(ctx)
    }

    fn combiner(&self, ctx: &TaskContext) -> Result<Box<dyn api::Reducer>> {
        let make = self.combiner.as_ref().ok_or_else(|| missing("combiner"))?;
        make(ctx)
    }
}

fn missing(part: &str) -> TaskError {
    TaskError::runtime(format!("this executable has no {part}, and the job names one; was it built anew since?"))
}
