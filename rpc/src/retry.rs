//! How often connecting is tried (Hadoop 1.2.1: ipc.Client.Connection.handleConnectionFailure).

use std::io;
use std::time::Duration;

use crate::call::CallError;
use crate::options::ClientOptions;

/// Counts the attempts of one connection.
pub(crate) struct Attempts<'a> {
    options: &'a ClientOptions,
    refused: u32,
    timed_out: u32,
}

impl<'a> Attempts<'a> {
    pub(crate) fn new(options: &'a ClientOptions) -> Self {
        Attempts { options, refused: 0, timed_out: 0 }
    }

    /// How long to wait before the next attempt; nothing if there is to be none.
    pub(crate) fn pause_after(&mut self, error: &io::Error) -> Option<Duration> {
        if error.kind() == io::ErrorKind::TimedOut {
            self.timed_out += 1;
            // The attempt itself took long enough.
            return (self.timed_out <= self.options.connect_timeout_retries).then_some(Duration::ZERO);
        }
        self.refused += 1;
        (self.refused <= self.options.connect_retries).then_some(self.options.connect_retry_interval)
    }

    pub(crate) fn made(&self) -> u32 {
        self.refused + self.timed_out
    }
}

pub(crate) fn connect_error(address: &str, attempts: u32, error: &io::Error) -> CallError {
    CallError::Connect { address: address.to_owned(), attempts, problem: error.to_string(), kind: error.kind() }
}
