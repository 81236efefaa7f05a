//! Pipes: a program of the user's as mapper or reducer, spoken to over a socket.
//!
//! Hadoop 1.2.1: mapred.pipes.PipesMapRunner, PipesReducer, PipesPartitioner. `application` starts the program and
//! proves itself to it, `uplink` takes what it says, `objects` knows how keys and values stand on the wire.

mod application;
mod objects;
mod uplink;

use std::net::Shutdown;
use std::sync::{Arc, Mutex, PoisonError};

use configuration::keys;
use twins::{DataType, Plan};
use wire::pipes::down;

use self::application::{Application, Downlink};
use self::uplink::{Progress, Uplink};
use super::types::{InputTypes, Record};
use crate::api::{
    Collector, Groups, MapRunner, Partitioner, RecordReader, Reducer, Reporter, Result, TaskContext, TaskError,
};
use crate::log;

/// The logger of PipesReducer.
const LOG: &str = "pipes.PipesReducer";

/// What the parts of one pipes task share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    split: Mutex<Vec<u8>>,
    next_partition: Mutex<Option<i32>>,
}

impl Shared {
    /// Remembers the map's split, as it is sent to the program.
    pub(super) fn set_split(&self, split: Vec<u8>) {
        *self.split.lock().unwrap_or_else(PoisonError::into_inner) = split;
    }

    fn split(&self) -> Vec<u8> {
        self.split.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Quirk: what a program once chose holds for all records after it, until it chooses again (Hadoop 1.2.1:
    /// PipesPartitioner keeps it for the thread).
    fn choose_partition(&self, partition: i32) {
        *self.next_partition.lock().unwrap_or_else(PoisonError::into_inner) = Some(partition);
    }

    fn chosen_partition(&self) -> Option<i32> {
        *self.next_partition.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The program's own choice of a reduce, or else the job's partitioner.
pub(super) struct PipesPartitioner {
    /// Where the program's choice is.
    pub(super) shared: Arc<Shared>,
    /// The job's partitioner.
    pub(super) otherwise: Box<dyn Partitioner>,
}

impl Partitioner for PipesPartitioner {
    fn partition(&self, key: &[u8], value: &[u8], partitions: u32) -> i32 {
        self.shared.chosen_partition().unwrap_or_else(|| self.otherwise.partition(key, value, partitions))
    }
}

/// A program as mapper.
pub(super) struct PipesMap {
    shared: Arc<Shared>,
    types: InputTypes,
    output: Record,
}

impl PipesMap {
    pub(super) fn new(plan: &Plan, types: &InputTypes, shared: &Arc<Shared>) -> Self {
        PipesMap { shared: shared.clone(), types: types.clone(), output: (plan.output_key, plan.output_value) }
    }

    fn start(&self, piped: bool, ctx: &TaskContext) -> Result<Application> {
        let mut application = Application::start(ctx)?;
        let reduces = ctx.conf.get_or(&keys::MAPRED_REDUCE_TASKS, 1);
        let link = &mut application.downlink;
        let sent = link.int(down::RUN_MAP).and_then(|()| {
            link.bytes(&self.shared.split())?;
            link.int(reduces)?;
            link.int(i32::from(piped))
        });
        sent.map_err(failed_to_send)?;
        Ok(application)
    }
}

impl MapRunner for PipesMap {
    fn run(&mut self, input: &mut dyn RecordReader, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let piped = ctx.conf.get_or(&keys::HADOOP_PIPES_JAVA_RECORDREADER, false);
        let mut application = self.start(piped, ctx)?;
        let uplink = Uplink::new(self.output, &self.shared, output, ctx.reporter.clone());
        if !piped {
            application.downlink.flush().map_err(failed_to_send)?;
            let outcome = uplink.run(&mut application.uplink, Progress::Input(input));
            return application.end(outcome);
        }
        let (key, value) = self.types.record()?;
        converse(application, uplink, |link| {
            link.int(down::SET_INPUT_TYPES).map_err(failed_to_send)?;
            link.bytes(key.class_name().as_bytes()).map_err(failed_to_send)?;
            link.bytes(value.class_name().as_bytes()).map_err(failed_to_send)?;
            send_records(input, (key, value), link)
        })
    }
}

fn send_records(input: &mut dyn RecordReader, (key_type, value_type): Record, link: &mut Downlink) -> Result<()> {
    let (mut key, mut value) = (Vec::new(), Vec::new());
    while input.next(&mut key, &mut value)? {
        link.int(down::MAP_ITEM).map_err(failed_to_send)?;
        objects::send(key_type, &key, link)?;
        objects::send(value_type, &value, link)?;
    }
    Ok(())
}

/// A program as reducer.
pub(super) struct PipesReduce {
    shared: Arc<Shared>,
    input: Record,
    output: Record,
}

impl PipesReduce {
    pub(super) fn new(plan: &Plan, shared: &Arc<Shared>) -> Self {
        PipesReduce {
            shared: shared.clone(),
            input: (plan.map_output_key, plan.map_output_value),
            output: (plan.output_key, plan.output_value),
        }
    }
}

impl Reducer for PipesReduce {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let some = input.next_group()?;
        log::info(LOG, format_args!("starting application"));
        let mut application = Application::start(ctx)?;
        let piped = ctx.conf.get_or(&keys::HADOOP_PIPES_JAVA_RECORDWRITER, false);
        let link = &mut application.downlink;
        // Quirk: the program is always told that it is reduce 0; the configuration has its true number.
        let sent = link.int(down::RUN_REDUCE).and_then(|()| link.int(0)).and_then(|()| link.int(i32::from(piped)));
        sent.map_err(failed_to_send)?;
        // Quirk: without input the program runs all the same, and nothing that it puts out or counts is kept.
        let mut nowhere = Nowhere;
        let (output, reporter): (&mut dyn Collector, Reporter) =
            if some { (output, ctx.reporter.clone()) } else { (&mut nowhere, Reporter::new()) };
        let uplink = Uplink::new(self.output, &self.shared, output, reporter);
        let types = self.input;
        converse(application, uplink, |link| if some { send_groups(input, types, link) } else { Ok(()) })
    }
}

/// Sends the group that `input` stands at, and all after it.
fn send_groups(
    input: &mut dyn Groups,
    (key_type, value_type): (DataType, DataType),
    link: &mut Downlink,
) -> Result<()> {
    loop {
        link.int(down::REDUCE_KEY).map_err(failed_to_send)?;
        objects::send(key_type, input.key(), link)?;
        while input.next_value()? {
            link.int(down::REDUCE_VALUE).map_err(failed_to_send)?;
            objects::send(value_type, input.value(), link)?;
        }
        if !input.next_group()? {
            return Ok(());
        }
    }
}

struct Nowhere;

impl Collector for Nowhere {
    fn collect(&mut self, _key: &[u8], _value: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// Sends all of the input while another thread takes what the program says, until it says that it is done.
fn converse(
    mut application: Application,
    uplink: Uplink<'_>,
    send: impl FnOnce(&mut Downlink) -> Result<()>,
) -> Result<()> {
    let Application { downlink, uplink: source, .. } = &mut application;
    let socket = downlink.sink().get_ref().socket().try_clone().map_err(failed_to_send)?;
    let outcome = std::thread::scope(|scope| {
        let taker = scope.spawn(|| {
            let outcome = uplink.run(source, Progress::Ignored);
            if outcome.is_err() {
                // Whoever sends must not wait for a program that nobody listens to.
                let _ = socket.shutdown(Shutdown::Both);
            }
            outcome
        });
        let sent = send(downlink).and_then(|()| downlink.int(down::CLOSE).map_err(failed_to_send));
        let sent = sent.and_then(|()| downlink.flush().map_err(failed_to_send));
        if sent.is_err() {
            application::abort(downlink);
        }
        let taken =
            taker.join().unwrap_or_else(|_| Err(TaskError::runtime("the thread that reads from the program panicked")));
        match (sent, taken) {
            // A link that broke says less than what broke it.
            (Err(TaskError::Io { .. }), Err(taken)) => Err(taken),
            (Err(error), _) | (Ok(()), Err(error)) => Err(error),
            (Ok(()), Ok(())) => Ok(()),
        }
    });
    application.end(outcome)
}

fn failed_to_send(source: std::io::Error) -> TaskError {
    TaskError::Io { what: "send to the pipes program".to_owned(), source }
}
