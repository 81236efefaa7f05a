//! Streaming: a command as mapper, reducer or combiner.
//!
//! Hadoop 1.2.1: streaming.PipeMapRunner, PipeMapper, PipeReducer, PipeCombiner, with TextInputWriter and
//! TextOutputReader. `command` finds the command, `pipe` runs it; this file knows records.

mod command;
mod pipe;
mod records;

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use configuration::{Key, keys};
use twins::{DataType, InputFormat, InputWriter, OutputReader, Plan, Streams};

use self::pipe::{Lines, Pipe, Report, Sink};
use super::data::{put_bytes, put_stream_part, put_text};
use super::types::{InputTypes, Record};
use crate::api::{Collector, Groups, MapRunner, RecordReader, Reducer, Reporter, Result, TaskContext, TaskError};
use crate::log;

/// The logger of PipeMapRed.
const LOG: &str = "streaming.PipeMapRed";

/// The process of the task, as commands know it.
const PID_VARIABLE: &str = "JVM_PID";

/// How often a record says how far the command is.
const STATUS_INTERVAL: Duration = Duration::from_secs(10);

/// How records are written and read.
struct Speech {
    writer: InputWriter,
    reader: OutputReader,
    input: Vec<u8>,
    output: Vec<u8>,
    key_fields: i32,
}

impl Speech {
    /// Where keys end in lines is told by three keys.
    fn read(
        (writer, reader): (InputWriter, OutputReader),
        (input, output, key_fields): (&Key<String>, &Key<String>, &Key<i32>),
        ctx: &TaskContext,
    ) -> Result<Self> {
        Ok(Speech {
            writer,
            reader,
            input: ctx.conf.get(input)?.into_bytes(),
            output: ctx.conf.get(output)?.into_bytes(),
            key_fields: ctx.conf.get_or(key_fields, 1),
        })
    }

    /// Appends a record for the command.
    fn write(
        &self,
        (key_type, key): (DataType, &[u8]),
        (value_type, value): (DataType, &[u8]),
        with_key: bool,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match self.writer {
            InputWriter::Text => {
                if with_key {
                    put_stream_part(key_type, key, out).map_err(TaskError::decode("the command's key"))?;
                    out.extend_from_slice(&self.input);
                }
                put_stream_part(value_type, value, out).map_err(TaskError::decode("the command's value"))?;
                out.push(b'\n');
            }
            InputWriter::RawBytes => {
                records::put_raw(key_type, key, out);
                records::put_raw(value_type, value, out);
            }
            InputWriter::TypedBytes => {
                records::put_typed(key_type, key, out).map_err(TaskError::decode("the command's key"))?;
                records::put_typed(value_type, value, out).map_err(TaskError::decode("the command's value"))?;
            }
        }
        Ok(())
    }

    /// Calls back with each record of what the command said, its key and value serialized.
    fn for_each(&self, said: &Lines, mut each: impl FnMut(&[u8], &[u8]) -> Result<()>) -> Result<()> {
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut items = said.iter();
        while let Some(item) = items.next() {
            key.clear();
            value.clear();
            if self.reader == OutputReader::Text {
                let (k, v) = self.cut(item);
                put_text(&mut key, k);
                put_text(&mut value, v);
            } else {
                put_bytes(&mut key, item);
                put_bytes(&mut value, items.next().unwrap_or_default());
            }
            each(&key, &value)?;
        }
        Ok(())
    }

    /// Cuts a line of output into key and value; without a separator the whole line is the key.
    fn cut<'a>(&self, line: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let Some(mut at) = find(line, 0, &self.output) else { return (line, &[]) };
        for _ in 1..self.key_fields {
            match find(line, at + self.output.len(), &self.output) {
                Some(next) => at = next,
                None => return (line, &[]),
            }
        }
        (&line[..at], &line[at + self.output.len()..])
    }
}

fn find(line: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = line.get(from..)?;
    match wanted {
        // Quirk: Java finds the empty separator everywhere, the end included.
        [] => Some(from),
        [one] => memchr::memchr(*one, rest).map(|at| from + at),
        _ => memchr::memmem::find(rest, wanted).map(|at| from + at),
    }
}

/// A running command of a task.
struct Running<'a> {
    pipe: Pipe,
    speech: Speech,
    types: Record,
    with_key: bool,
    ctx: &'a TaskContext,
    read: u64,
    written: u64,
    /// After how many records the log hears of them next.
    next_log: u64,
    last_status: Option<Instant>,
    own_status: bool,
}

impl<'a> Running<'a> {
    fn start(key: &Key<String>, speech: Speech, types: Record, with_key: bool, ctx: &'a TaskContext) -> Result<Self> {
        let encoded = ctx.conf.get_optional(key)?.unwrap_or_default();
        let line = command::url_decode(&encoded).map_err(misconfigured)?;
        let words = command::split_words(&line);
        let (program, arguments) =
            words.split_first().ok_or_else(|| misconfigured(format!("{} names no command", key.name())))?;
        let path = std::env::var_os("PATH");
        let program = command::find_program(program, &ctx.work_dir, path.as_ref());
        log::info(LOG, format_args!("PipeMapRed exec [{}, {}]", program.display(), arguments.join(", ")));
        let temporary = ctx.work_dir.join(ctx.conf.get(&keys::MAPRED_CHILD_TMP)?);
        let job = ctx.conf.with_defaults().filter_map(|(name, _, _)| {
            let value = ctx.conf.text(name).ok().flatten()?;
            Some((name.to_owned(), value))
        });
        let additions = ctx.conf.get_optional(&keys::STREAM_ADDENVIRONMENT)?;
        let mut process = Command::new(&program);
        process.args(arguments).current_dir(&ctx.work_dir).envs(command::environment(
            job,
            additions.as_deref(),
            &temporary,
        ));
        // The script that starts a JVM tells this; a native child has no script.
        if std::env::var_os(PID_VARIABLE).is_none() {
            process.env(PID_VARIABLE, std::process::id().to_string());
        }
        let prefix = ctx.conf.get(&keys::STREAM_STDERR_REPORTER_PREFIX)?;
        let buffer = usize::try_from(ctx.conf.get_or(&keys::IO_FILE_BUFFER_SIZE, 4096)).unwrap_or(4096);
        let pipe = Pipe::start(process, speech.reader, &prefix, buffer).map_err(|error| {
            misconfigured(format!("java.io.IOException: Cannot run program \"{}\": {error}", program.display()))
        })?;
        Ok(Running {
            pipe,
            speech,
            types,
            with_key,
            ctx,
            read: 0,
            written: 0,
            next_log: 1,
            last_status: None,
            own_status: false,
        })
    }

    /// Hands a record to the command, and takes what it has for us.
    fn give(&mut self, key: &[u8], value: &[u8], output: &mut dyn Collector) -> Result<()> {
        self.read += 1;
        if self.read >= self.next_log {
            log::info(LOG, format_args!("R/W/S={}/{}/0", self.read, self.written));
            self.next_log = if self.next_log < 100_000 { self.next_log * 10 } else { self.next_log + 100_000 };
        }
        let input = self.pipe.input();
        self.speech.write((self.types.0, key), (self.types.1, value), self.with_key, input)?;
        let mut taker = Taker::new(&mut self.written, &mut self.last_status, &mut self.own_status, output);
        let outcome = self.pipe.pump(&mut taker.with(&self.speech, &self.ctx.reporter, self.read));
        match (outcome, taker.failure) {
            (_, Some(failure)) => Err(failure),
            (Ok(()), None) => Ok(()),
            (Err(error), None) => Err(self.broken(&error, output)),
        }
    }

    /// Ends the command's input, takes the rest of its output, and judges its exit.
    fn finish(&mut self, output: &mut dyn Collector) -> Result<()> {
        let patience = u64::try_from(self.ctx.conf.get_or(&keys::STREAM_JOINDELAY_MILLI, 0)).unwrap_or(0);
        let mut taker = Taker::new(&mut self.written, &mut self.last_status, &mut self.own_status, output);
        let outcome = self
            .pipe
            .finish(&mut taker.with(&self.speech, &self.ctx.reporter, self.read), Duration::from_millis(patience));
        match (outcome, taker.failure) {
            (_, Some(failure)) => Err(failure),
            (Ok(status), None) => {
                log::info(LOG, format_args!("mapRedFinished"));
                self.judge(status)
            }
            (Err(error), None) => Err(self.io_failure(&error)),
        }
    }

    fn judge(&self, status: ExitStatus) -> Result<()> {
        let code = exit_code(status);
        if code == 0 {
            return Ok(());
        }
        if self.ctx.conf.get_or(&keys::STREAM_NON_ZERO_EXIT_IS_FAILURE, true) {
            let message = format!("PipeMapRed.waitOutputThreads(): subprocess failed with code {code}");
            return Err(TaskError::runtime(message));
        }
        log::info(
            LOG,
            format_args!(
                "PipeMapRed.waitOutputThreads(): subprocess exited with code {code} in org.apache.hadoop.streaming.PipeMapRed"
            ),
        );
        Ok(())
    }

    /// The command no longer reads: how it ended says why.
    fn broken(&mut self, error: &io::Error, output: &mut dyn Collector) -> TaskError {
        self.pipe.input().clear();
        match self.finish(output) {
            Err(failure) => failure,
            Ok(()) => self.io_failure(error),
        }
    }

    fn io_failure(&self, error: &io::Error) -> TaskError {
        TaskError::io_exception(format!("R/W/S={}/{}/0: {error}", self.read, self.written))
    }
}

/// Java's exit value: a signal counts from 128.
fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

fn misconfigured(message: String) -> TaskError {
    TaskError::runtime(format!("Error in configuring object: configuration exception: {message}"))
}

/// Takes a command's output on behalf of a task.
struct Taker<'a> {
    written: &'a mut u64,
    last_status: &'a mut Option<Instant>,
    own_status: &'a mut bool,
    output: &'a mut dyn Collector,
    failure: Option<TaskError>,
}

/// A [`Taker`] with what it needs to know.
struct Taking<'a, 'b> {
    taker: &'a mut Taker<'b>,
    speech: &'a Speech,
    reporter: &'a Reporter,
    read: u64,
}

impl<'b> Taker<'b> {
    fn new(
        written: &'b mut u64,
        last_status: &'b mut Option<Instant>,
        own_status: &'b mut bool,
        output: &'b mut dyn Collector,
    ) -> Self {
        Taker { written, last_status, own_status, output, failure: None }
    }

    fn with<'a>(&'a mut self, speech: &'a Speech, reporter: &'a Reporter, read: u64) -> Taking<'a, 'b> {
        Taking { taker: self, speech, reporter, read }
    }
}

impl Sink for Taking<'_, '_> {
    fn lines(&mut self, lines: &Lines) -> io::Result<()> {
        let taker = &mut *self.taker;
        let collected = self.speech.for_each(lines, |key, value| {
            taker.output.collect(key, value)?;
            *taker.written += 1;
            Ok(())
        });
        if let Err(failure) = collected {
            taker.failure = Some(failure);
            return Err(io::Error::other("the output cannot be collected"));
        }
        let due = self.taker.last_status.is_none_or(|last| last.elapsed() > STATUS_INTERVAL);
        if due && *self.taker.written > 0 {
            *self.taker.last_status = Some(Instant::now());
            if *self.taker.own_status {
                self.reporter.alive();
            } else {
                self.reporter.set_status(format!("Records R/W={}/{}", self.read, self.taker.written));
            }
        }
        Ok(())
    }

    fn report(&mut self, report: Report) {
        match report {
            Report::Counter { group, name, by } => self.reporter.increment(&group, &name, by),
            Report::Status(status) => {
                *self.taker.own_status = true;
                self.reporter.set_status(status);
            }
            Report::Alive => self.reporter.alive(),
        }
    }
}

/// A command as mapper.
pub(super) struct StreamingMap {
    types: InputTypes,
    with_key: bool,
    streams: Streams,
}

impl StreamingMap {
    /// Plain text goes to the command without its offsets, as lines; all else with its keys.
    pub(super) fn new(plan: &Plan, types: &InputTypes) -> Self {
        let with_key = plan.input_format != InputFormat::Text || plan.streams.map_input != InputWriter::Text;
        StreamingMap { types: types.clone(), with_key, streams: plan.streams }
    }
}

impl MapRunner for StreamingMap {
    fn run(&mut self, input: &mut dyn RecordReader, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let separators = (
            &keys::STREAM_MAP_INPUT_FIELD_SEPARATOR,
            &keys::STREAM_MAP_OUTPUT_FIELD_SEPARATOR,
            &keys::STREAM_NUM_MAP_OUTPUT_KEY_FIELDS,
        );
        let speech = Speech::read((self.streams.map_input, self.streams.map_output), separators, ctx)?;
        let command = &keys::STREAM_MAP_STREAMPROCESSOR;
        let mut running = Running::start(command, speech, self.types.record()?, self.with_key, ctx)?;
        let (mut key, mut value) = (Vec::new(), Vec::new());
        while input.next(&mut key, &mut value)? {
            running.give(&key, &value, output)?;
        }
        running.finish(output)
    }
}

/// A command as reducer or combiner; without a command it hands records on.
pub(super) struct StreamingReduce {
    command: &'static Key<String>,
    types: Record,
    streams: Streams,
}

/// What streaming writes for a reducer that is none.
const NO_REDUCER: &str = "NONE";

impl StreamingReduce {
    pub(super) fn reducer(plan: &Plan) -> Self {
        StreamingReduce::new(&keys::STREAM_REDUCE_STREAMPROCESSOR, plan)
    }

    pub(super) fn combiner(plan: &Plan) -> Self {
        StreamingReduce::new(&keys::STREAM_COMBINE_STREAMPROCESSOR, plan)
    }

    fn new(command: &'static Key<String>, plan: &Plan) -> Self {
        StreamingReduce { command, types: (plan.map_output_key, plan.map_output_value), streams: plan.streams }
    }
}

impl Reducer for StreamingReduce {
    fn run(&mut self, input: &mut dyn Groups, output: &mut dyn Collector, ctx: &TaskContext) -> Result<()> {
        let separators = (
            &keys::STREAM_REDUCE_INPUT_FIELD_SEPARATOR,
            &keys::STREAM_REDUCE_OUTPUT_FIELD_SEPARATOR,
            &keys::STREAM_NUM_REDUCE_OUTPUT_KEY_FIELDS,
        );
        let speech = Speech::read((self.streams.reduce_input, self.streams.reduce_output), separators, ctx)?;
        let with_command = ctx.conf.get_optional(self.command)?.is_some_and(|command| command != NO_REDUCER);
        let mut running = match with_command {
            true => Some(Running::start(self.command, speech, self.types, true, ctx)?),
            false => None,
        };
        let mut key = Vec::new();
        while input.next_group()? {
            key.clear();
            key.extend_from_slice(input.key());
            while input.next_value()? {
                match &mut running {
                    Some(running) => running.give(&key, input.value(), output)?,
                    None => output.collect(&key, input.value())?,
                }
            }
        }
        match &mut running {
            // Quirk: what a command says without any input is not collected.
            Some(running) if running.read == 0 => running.finish(&mut Nobody),
            Some(running) => running.finish(output),
            None => Ok(()),
        }
    }
}

/// Takes records to nowhere.
struct Nobody;

impl Collector for Nobody {
    fn collect(&mut self, _key: &[u8], _value: &[u8]) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, separator: &str, key_fields: i32) -> (String, String) {
        let (writer, reader) = (InputWriter::Text, OutputReader::Text);
        let output = separator.as_bytes().to_vec();
        let speech = Speech { writer, reader, input: Vec::new(), output, key_fields };
        let (key, value) = speech.cut(line.as_bytes());
        (String::from_utf8_lossy(key).into_owned(), String::from_utf8_lossy(value).into_owned())
    }

    #[test]
    fn lines_are_cut_at_the_nth_separator() {
        for (line, separator, fields, key, value) in [
            ("a\tb\tc", "\t", 1, "a", "b\tc"),
            ("a\tb\tc", "\t", 2, "a\tb", "c"),
            ("a\tb\tc", "\t", 3, "a\tb\tc", ""),
            ("no tab", "\t", 1, "no tab", ""),
            ("\tvalue", "\t", 1, "", "value"),
            ("a::b::c", "::", 2, "a::b", "c"),
            ("", "\t", 1, "", ""),
        ] {
            assert_eq!(cut(line, separator, fields), (key.to_owned(), value.to_owned()), "{line}");
        }
    }

    #[test]
    fn a_signal_counts_from_128() {
        assert_eq!(exit_code(ExitStatus::from_raw(9)), 137);
        assert_eq!(exit_code(ExitStatus::from_raw(3 << 8)), 3);
    }
}
