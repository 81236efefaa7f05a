//! What the program says: records, counters, status, progress, and that it is done (Hadoop 1.2.1:
//! BinaryProtocol.UplinkReaderThread, OutputHandler).

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use wire::pipes::{Receiver, up};

use super::super::types::Record;
use super::{Shared, objects};
use crate::api::{Collector, CounterHandle, RecordReader, Reporter, Result, TaskError};

/// Counters that a program may register.
const COUNTERS_MAX: usize = 1 << 16;

/// What becomes of the program's progress.
pub(super) enum Progress<'a> {
    /// The program reads its split itself: its progress is the dummy reader's.
    Input(&'a mut dyn RecordReader),
    /// The task reads the split and knows for itself.
    Ignored,
}

/// Takes the program's messages on behalf of a task.
pub(super) struct Uplink<'a> {
    types: Record,
    shared: Arc<Shared>,
    output: &'a mut dyn Collector,
    reporter: Reporter,
    counters: HashMap<i32, CounterHandle>,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl<'a> Uplink<'a> {
    pub(super) fn new(types: Record, shared: &Arc<Shared>, output: &'a mut dyn Collector, reporter: Reporter) -> Self {
        let shared = shared.clone();
        Uplink { types, shared, output, reporter, counters: HashMap::new(), key: Vec::new(), value: Vec::new() }
    }

    /// Takes messages until the program is done.
    ///
    /// # Errors
    /// If the program ends before, says something that is no message, or its output cannot be collected.
    pub(super) fn run<R: Read>(mut self, link: &mut Receiver<R>, mut progress: Progress<'_>) -> Result<()> {
        loop {
            let code = link.int().map_err(read)?;
            match code {
                up::OUTPUT => self.collect(link)?,
                up::PARTITIONED_OUTPUT => {
                    self.shared.choose_partition(link.int().map_err(read)?);
                    self.collect(link)?;
                }
                up::STATUS => self.reporter.set_status(link.text().map_err(read)?),
                up::PROGRESS => self.progress(link.float().map_err(read)?, &mut progress)?,
                up::REGISTER_COUNTER => self.register(link)?,
                up::INCREMENT_COUNTER => self.increment(link)?,
                up::DONE => return Ok(()),
                code => return Err(TaskError::io_exception(format!("Bad command code: {code}"))),
            }
        }
    }

    fn collect<R: Read>(&mut self, link: &mut Receiver<R>) -> Result<()> {
        objects::receive(self.types.0, link, &mut self.key).map_err(read)?;
        objects::receive(self.types.1, link, &mut self.value).map_err(read)?;
        self.output.collect(&self.key, &self.value)
    }

    fn progress(&mut self, done: f32, progress: &mut Progress<'_>) -> Result<()> {
        self.reporter.alive();
        if let Progress::Input(reader) = progress {
            // Quirk: each report of progress counts as an input record.
            let (mut key, mut value) = (done.to_be_bytes().to_vec(), Vec::new());
            reader.next(&mut key, &mut value)?;
        }
        Ok(())
    }

    fn register<R: Read>(&mut self, link: &mut Receiver<R>) -> Result<()> {
        let id = link.int().map_err(read)?;
        let (group, name) = (link.text().map_err(read)?, link.text().map_err(read)?);
        if self.counters.len() >= COUNTERS_MAX {
            return Err(TaskError::io_exception(format!("more than {COUNTERS_MAX} counters")));
        }
        self.counters.insert(id, self.reporter.counter(&group, &name));
        Ok(())
    }

    fn increment<R: Read>(&mut self, link: &mut Receiver<R>) -> Result<()> {
        let id = link.int().map_err(read)?;
        let by = link.long().map_err(read)?;
        let counter = self.counters.get(&id);
        counter.ok_or_else(|| TaskError::io_exception(format!("Invalid counter with id: {id}")))?.add(by);
        Ok(())
    }
}

/// A stream that ends early is Java's EOFException.
fn read(source: io::Error) -> TaskError {
    if source.kind() == io::ErrorKind::UnexpectedEof {
        let message = "the pipes program ended before it was done".to_owned();
        return TaskError::Failed { exception: "java.io.EOFException", message };
    }
    TaskError::Io { what: "read from the pipes program".to_owned(), source }
}
