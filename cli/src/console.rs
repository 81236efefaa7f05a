//! What a command prints: its output, its errors, and lines as Hadoop's log4j prints them on the console.

use std::fmt::Display;
use std::io::Write;

use crate::error::CliError;

/// The two streams of a command. A stream that is gone is no error: the job goes on.
pub struct Console<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

impl<'a> Console<'a> {
    /// A console of these streams.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Console { out, err }
    }

    /// A line of output.
    pub fn out(&mut self, line: impl Display) {
        let _ = writeln!(self.out, "{line}");
    }

    /// Output without a line feed.
    pub(crate) fn out_raw(&mut self, text: impl Display) {
        let _ = write!(self.out, "{text}");
        let _ = self.out.flush();
    }

    /// A line of errors.
    pub(crate) fn err(&mut self, line: impl Display) {
        let _ = writeln!(self.err, "{line}");
    }

    /// Errors without a line feed.
    pub(crate) fn err_raw(&mut self, text: impl Display) {
        let _ = write!(self.err, "{text}");
    }

    /// A log line of level INFO.
    pub(crate) fn info(&mut self, logger: &str, text: impl Display) {
        self.log("INFO", logger, text);
    }

    /// A log line of level WARN.
    pub(crate) fn warn(&mut self, logger: &str, text: impl Display) {
        self.log("WARN", logger, text);
    }

    /// A log line of level ERROR.
    pub(crate) fn error(&mut self, logger: &str, text: impl Display) {
        self.log("ERROR", logger, text);
    }

    fn log(&mut self, level: &str, logger: &str, text: impl Display) {
        let now = chrono::Local::now().format("%y/%m/%d %H:%M:%S");
        self.err(format_args!("{now} {level} {logger}: {text}"));
    }

    /// What the JVM prints of an exception that nobody caught; what is no exception of Java's is said plainly.
    pub(crate) fn uncaught(&mut self, error: &CliError) {
        if error.is_java() {
            self.err(format_args!("Exception in thread \"main\" {error}"));
        } else {
            self.err(format_args!("hadoop: {}", error.chain()));
        }
    }
}
