//! A running command: records go to its standard input, lines come from its standard output, and what it says on
//! standard error is a report or a line for the log.
//!
//! Three threads serve the three streams, so that neither side can wait for the other forever; the task's own thread
//! does the rest in [`Pipe::pump`]. Buffers between them are bounded. Knows nothing of keys and values.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use twins::OutputReader;

use super::LOG;
use super::records::Records;
use crate::input::LineReader;
use crate::log;

/// Input is handed over in pieces of this size, as PipeMapRed buffers it.
const INPUT_BYTES: usize = 128 * 1024;
/// Lines are handed over once this many bytes are there.
const OUTPUT_BYTES: usize = 64 * 1024;
/// The most batches of lines that wait.
const BATCHES_MAX: usize = 4;
/// The most reports that wait; more than that and the command has to wait too.
const REPORTS_MAX: usize = 1024;

/// Lines, or keys and values in turn, one after another, each with its end.
#[derive(Debug, Default)]
pub(super) struct Lines {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Lines {
    /// Adds one.
    pub(super) fn push(&mut self, line: &[u8]) {
        self.bytes.extend_from_slice(line);
        self.ends.push(self.bytes.len());
    }

    /// The lines in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }
}

/// What a command said on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// `reporter:counter:group,name,amount`.
    Counter {
        /// The counter's group.
        group: String,
        /// The counter.
        name: String,
        /// What is added.
        by: i64,
    },
    /// `reporter:status:text`.
    Status(String),
    /// Any other line, by now in the log: the command is alive.
    Alive,
}

/// Takes what a command gives.
pub(super) trait Sink {
    /// Takes lines of standard output.
    ///
    /// # Errors
    /// What collecting them failed with.
    fn lines(&mut self, lines: &Lines) -> io::Result<()>;

    /// Takes a report.
    fn report(&mut self, report: Report);
}

#[derive(Debug, Default)]
struct State {
    to_write: Option<Vec<u8>>,
    writing: bool,
    input_closed: bool,
    write_error: Option<io::Error>,
    batches: VecDeque<Lines>,
    output_done: bool,
    reports: VecDeque<Report>,
    errors_done: bool,
    stream_error: Option<io::Error>,
    abandoned: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    waiting: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A command with its three streams.
#[derive(Debug)]
pub(super) struct Pipe {
    process: Child,
    shared: Arc<Shared>,
    pending: Vec<u8>,
    threads: Vec<JoinHandle<()>>,
}

impl Pipe {
    /// Starts a command.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(super) fn start(
        mut command: Command,
        speaks: OutputReader,
        report_prefix: &str,
        line_buffer: usize,
    ) -> io::Result<Pipe> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let shared = Arc::new(Shared::default());
        let mut threads = Vec::new();
        if let (Some(input), Some(output), Some(errors)) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        {
            let writer = Arc::clone(&shared);
            threads.push(
                std::thread::Builder::new().name("pipe input".into()).spawn(move || write_input(&writer, input))?,
            );
            let reader = Arc::clone(&shared);
            let spawned = std::thread::Builder::new().name("pipe output".into());
            let records = Records::new(speaks, output, line_buffer);
            threads.push(spawned.spawn(move || read_output(&reader, records))?);
            let reader = Arc::clone(&shared);
            let prefix = report_prefix.to_owned();
            let spawned = std::thread::Builder::new().name("pipe errors".into());
            threads.push(spawned.spawn(move || read_errors(&reader, errors, &prefix, line_buffer))?);
        }
        Ok(Pipe { process, shared, pending: Vec::with_capacity(INPUT_BYTES), threads })
    }

    /// Where the next record is put; call [`Pipe::pump`] after each.
    pub(super) fn input(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Moves what can be moved: full buffers of input down, waiting lines and reports up.
    ///
    /// # Errors
    /// If the command no longer reads, if one of its streams broke, or what `sink` failed with.
    pub(super) fn pump(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        if self.pending.len() >= INPUT_BYTES {
            self.hand_over(sink)?;
        }
        if self.shared.waiting.swap(false, Ordering::Acquire) {
            drop(deliver(&self.shared, self.shared.lock(), sink)?);
        }
        Ok(())
    }

    /// Waits until the writer takes the pending input, and serves the other streams meanwhile.
    fn hand_over(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        loop {
            if let Some(error) = state.write_error.take() {
                return Err(error);
            }
            if state.to_write.is_none() {
                state.to_write = Some(std::mem::replace(&mut self.pending, Vec::with_capacity(INPUT_BYTES + 1024)));
                shared.changed.notify_all();
                return Ok(());
            }
            if state.batches.is_empty() && state.reports.is_empty() {
                state = shared.wait(state);
            } else {
                state = deliver(&shared, state, sink)?;
            }
        }
    }

    /// Ends the input, takes all output that is left and waits for the command's end. Both reading threads get
    /// `patience` after that end, if it is not zero.
    ///
    /// # Errors
    /// If the command stopped reading before its last buffer, if a stream broke, or what `sink` failed with.
    pub(super) fn finish(&mut self, sink: &mut dyn Sink, patience: Duration) -> io::Result<ExitStatus> {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        while state.to_write.is_some() && state.write_error.is_none() {
            state = if state.batches.is_empty() && state.reports.is_empty() {
                shared.wait(state)
            } else {
                deliver(&shared, state, sink)?
            };
        }
        let broken = state.write_error.take();
        if !self.pending.is_empty() && broken.is_none() {
            state.to_write = Some(std::mem::take(&mut self.pending));
        }
        state.input_closed = true;
        shared.changed.notify_all();
        let mut deadline = None;
        let mut status = None;
        loop {
            state = deliver(&shared, state, sink)?;
            if state.output_done && state.errors_done {
                break;
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            if patience.is_zero() {
                state = shared.wait(state);
                continue;
            }
            let (next, _) =
                shared.changed.wait_timeout(state, Duration::from_millis(20)).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if status.is_none() {
                status = self.process.try_wait()?;
                deadline = status.map(|_| Instant::now() + patience);
            }
        }
        // A last write that fails is the command's way of saying that it has read enough.
        state.abandoned = true;
        shared.changed.notify_all();
        drop(state);
        let status = match status {
            Some(status) => status,
            None => self.process.wait()?,
        };
        match broken {
            Some(error) if status.success() => Err(error),
            _ => Ok(status),
        }
    }

    /// Asks for the command's end and forgets it.
    fn abandon(&mut self) {
        {
            let mut state = self.shared.lock();
            state.abandoned = true;
            state.input_closed = true;
            self.shared.changed.notify_all();
        }
        if let Ok(None) = self.process.try_wait() {
            // Nobody is left to hear of a failure here.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.abandon();
        // Reading threads may hang on a grandchild that holds the streams: they end with the process.
        self.threads.clear();
    }
}

/// Gives waiting lines and reports to the sink. The lock is open meanwhile, so that the threads go on.
fn deliver<'a>(
    shared: &'a Shared,
    mut state: MutexGuard<'a, State>,
    sink: &mut dyn Sink,
) -> io::Result<MutexGuard<'a, State>> {
    while !state.batches.is_empty() || !state.reports.is_empty() {
        let reports = std::mem::take(&mut state.reports);
        let batch = state.batches.pop_front();
        shared.changed.notify_all();
        drop(state);
        reports.into_iter().for_each(|report| sink.report(report));
        if let Some(batch) = batch {
            sink.lines(&batch)?;
        }
        state = shared.lock();
    }
    match state.stream_error.take() {
        Some(error) => Err(error),
        None => Ok(state),
    }
}

fn write_input(shared: &Shared, mut input: ChildStdin) {
    let mut state = shared.lock();
    loop {
        if let Some(bytes) = state.to_write.take() {
            state.writing = true;
            let last = state.input_closed;
            shared.changed.notify_all();
            drop(state);
            let outcome = input.write_all(&bytes);
            state = shared.lock();
            state.writing = false;
            if let Err(error) = outcome {
                if !last {
                    state.write_error = Some(error);
                }
                state.to_write = None;
                shared.changed.notify_all();
                return;
            }
            continue;
        }
        if state.input_closed || state.abandoned {
            return;
        }
        state = shared.wait(state);
    }
}

fn read_output(shared: &Shared, mut reader: Records<ChildStdout>) {
    let mut scratch = Vec::new();
    let mut lines = Lines::default();
    let failure = loop {
        match reader.next(&mut scratch, &mut lines) {
            Ok(false) => break None,
            Err(error) => break Some(error),
            Ok(true) => {}
        }
        if lines.bytes.len() >= OUTPUT_BYTES || !reader.holds_more() {
            let mut state = shared.lock();
            while state.batches.len() >= BATCHES_MAX && !state.abandoned {
                state = shared.wait(state);
            }
            if state.abandoned {
                return;
            }
            state.batches.push_back(std::mem::take(&mut lines));
            shared.waiting.store(true, Ordering::Release);
            shared.changed.notify_all();
        }
    };
    let mut state = shared.lock();
    if !lines.ends.is_empty() {
        state.batches.push_back(lines);
    }
    state.output_done = true;
    state.stream_error = failure.or(state.stream_error.take());
    shared.waiting.store(true, Ordering::Release);
    shared.changed.notify_all();
}

fn read_errors(shared: &Shared, errors: ChildStderr, prefix: &str, line_buffer: usize) {
    let outcome = for_each_line(errors, line_buffer, |line| {
        let report = match line.strip_prefix(prefix) {
            Some(report) => parse_report(report, line),
            None => {
                eprintln!("{line}");
                Some(Report::Alive)
            }
        };
        let mut state = shared.lock();
        while state.reports.len() >= REPORTS_MAX && !state.abandoned {
            state = shared.wait(state);
        }
        let report = report.unwrap_or(Report::Alive);
        if report != Report::Alive || state.reports.back() != Some(&Report::Alive) {
            state.reports.push_back(report);
        }
        shared.waiting.store(true, Ordering::Release);
        shared.changed.notify_all();
    });
    let mut state = shared.lock();
    state.errors_done = true;
    state.stream_error = outcome.err().or(state.stream_error.take());
    shared.waiting.store(true, Ordering::Release);
    shared.changed.notify_all();
}

fn for_each_line(source: impl Read, line_buffer: usize, mut each: impl FnMut(&str)) -> io::Result<()> {
    let mut reader = LineReader::of_pipe(source, line_buffer);
    let mut line = Vec::new();
    while reader.read_line(&mut line, usize::MAX, u64::MAX)? > 0 {
        each(&String::from_utf8_lossy(&line));
    }
    Ok(())
}

/// What follows `reporter:`; a report that cannot be read is told to the log.
fn parse_report(report: &str, line: &str) -> Option<Report> {
    if let Some(counter) = report.strip_prefix("counter:") {
        let columns = java_split(java_trim(counter), ',');
        let [group, name, by] = columns[..] else {
            log::warn(LOG, format_args!("Cannot parse counter line: {line}"));
            return None;
        };
        let Ok(by) = by.parse() else {
            log::warn(LOG, format_args!("Cannot parse counter increment '{by}' from line: {line}"));
            return None;
        };
        return Some(Report::Counter { group: group.to_owned(), name: name.to_owned(), by });
    }
    if let Some(status) = report.strip_prefix("status:") {
        return Some(Report::Status(java_trim(status).to_owned()));
    }
    log::warn(LOG, format_args!("Cannot parse reporter line: {line}"));
    None
}

/// Java's `String.trim`: everything up to a blank goes at both ends.
fn java_trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// Java's `String.split`, which drops empty columns at the end.
fn java_split(text: &str, at: char) -> Vec<&str> {
    let mut columns: Vec<&str> = text.split(at).collect();
    while columns.len() > 1 && columns.last().is_some_and(|column| column.is_empty()) {
        columns.pop();
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Taken {
        lines: Vec<String>,
        reports: Vec<Report>,
    }

    impl Sink for Taken {
        fn lines(&mut self, lines: &Lines) -> io::Result<()> {
            self.lines.extend(lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()));
            Ok(())
        }

        fn report(&mut self, report: Report) {
            self.reports.push(report);
        }
    }

    fn shell(script: &str) -> Pipe {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        Pipe::start(command, OutputReader::Text, "reporter:", 4096).unwrap()
    }

    #[test]
    fn a_command_that_answers_more_than_any_buffer_holds_does_not_stop_the_task() {
        let mut pipe = shell("cat; cat /dev/null");
        let mut taken = Taken::default();
        let record = "x".repeat(999);
        for _ in 0..3000 {
            pipe.input().extend_from_slice(record.as_bytes());
            pipe.input().push(b'\n');
            pipe.pump(&mut taken).unwrap();
        }
        assert!(pipe.finish(&mut taken, Duration::ZERO).unwrap().success());
        assert_eq!(taken.lines.len(), 3000);
        assert!(taken.lines.iter().all(|line| *line == record));
    }

    #[test]
    fn a_command_that_reads_little_ends_well_if_the_input_was_small() {
        let mut pipe = shell("head -n 1");
        let mut taken = Taken::default();
        pipe.input().extend_from_slice(b"a\nb\n");
        pipe.pump(&mut taken).unwrap();
        assert!(pipe.finish(&mut taken, Duration::ZERO).unwrap().success());
        assert_eq!(taken.lines, ["a"]);
    }

    #[test]
    fn a_command_that_stops_reading_breaks_the_pipe() {
        let mut pipe = shell("exec true");
        let mut taken = Taken::default();
        let mut broken = None;
        for _ in 0..200 {
            pipe.input().resize(INPUT_BYTES, b'x');
            if let Err(error) = pipe.pump(&mut taken) {
                broken = Some(error);
                break;
            }
        }
        assert_eq!(broken.unwrap().kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn reports_and_exit_codes_come_through() {
        let mut pipe = shell(
            "echo reporter:counter:g,n,3 >&2; echo 'reporter:status: busy ' >&2; \
             echo reporter:counter:bad >&2; echo a line >&2; exit 7",
        );
        let mut taken = Taken::default();
        let status = pipe.finish(&mut taken, Duration::ZERO).unwrap();
        assert_eq!(status.code(), Some(7));
        // Signs of life that wait together count as one.
        taken.reports.dedup();
        let counter = Report::Counter { group: "g".into(), name: "n".into(), by: 3 };
        assert_eq!(taken.reports, [counter, Report::Status("busy".into()), Report::Alive]);
    }

    #[test]
    fn a_grandchild_that_keeps_the_streams_is_not_waited_for_with_patience() {
        let mut pipe = shell("sleep 600 & echo done");
        let mut taken = Taken::default();
        let begun = Instant::now();
        assert!(pipe.finish(&mut taken, Duration::from_millis(100)).unwrap().success());
        assert_eq!(taken.lines, ["done"]);
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
}
