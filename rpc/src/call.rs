//! What a call can end in on the client's side, and how a reply finds the call that waits for it.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use hadoop_io::{DataInput, DecodeError};
use types::RemoteException;
use wire::Writable;
use wire::exceptions::ErrorText;
use wire::ipc::{Method, ResponseHeader, Status};

/// The most bytes of one reply; what is longer breaks the connection.
const REPLY_BYTES_MAX: usize = 256 << 20;
/// A read buffer that grew beyond this is given back once it is empty.
const BUFFER_KEPT_MAX: usize = 256 << 10;

/// Why a call has no reply.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The server answered with an error.
    #[error("{0}")]
    Remote(RemoteException),
    /// The server refused the connection itself, by name or by password.
    #[error("{address} refuses the connection: {error}")]
    Refused {
        /// `host:port`.
        address: String,
        /// What it said.
        error: RemoteException,
    },
    /// Nobody answers at the address.
    #[error("cannot connect to {address} after {attempts} attempts: {problem}")]
    Connect {
        /// `host:port`.
        address: String,
        /// How often it was tried.
        attempts: u32,
        /// What the last attempt said.
        problem: String,
        /// Its kind.
        kind: io::ErrorKind,
    },
    /// The connection broke before the reply came; whether the call was done is unknown.
    #[error("the connection to {address} broke: {problem}")]
    Lost {
        /// `host:port`.
        address: String,
        /// What happened to it.
        problem: String,
    },
    /// No reply within the time that the caller gave.
    #[error("{method} at {address} had no reply within {after:?}")]
    TimedOut {
        /// `host:port`.
        address: String,
        /// The method's name.
        method: &'static str,
        /// The caller's limit.
        after: Duration,
    },
}

impl CallError {
    /// The server's own error, if the server answered at all.
    pub fn remote(&self) -> Option<&RemoteException> {
        match self {
            CallError::Remote(error) | CallError::Refused { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Whether the peer was not reached or went away, so that a later attempt may succeed.
    pub fn is_connection_trouble(&self) -> bool {
        matches!(self, CallError::Connect { .. } | CallError::Lost { .. } | CallError::TimedOut { .. })
    }
}

/// A call that waits for its reply.
trait Waiter: Send {
    /// Decodes the body of a success and hands it over; leaves the waiter as it is if the body is not whole.
    fn reply(&mut self, body: &mut DataInput<'_>) -> Result<(), DecodeError>;
    /// Hands over an error.
    fn fail(&mut self, error: CallError);
}

struct Waiting<M: Method, F> {
    deliver: Option<F>,
    method: std::marker::PhantomData<fn() -> M>,
}

impl<M: Method, F: FnOnce(Result<M::Reply, CallError>) + Send> Waiter for Waiting<M, F> {
    fn reply(&mut self, body: &mut DataInput<'_>) -> Result<(), DecodeError> {
        let reply = M::decode_reply(body)?;
        if let Some(deliver) = self.deliver.take() {
            deliver(Ok(reply));
        }
        Ok(())
    }

    fn fail(&mut self, error: CallError) {
        if let Some(deliver) = self.deliver.take() {
            deliver(Err(error));
        }
    }
}

/// The calls of one connection that wait for their replies.
#[derive(Default)]
pub(crate) struct Waiters {
    waiting: HashMap<i32, Box<dyn Waiter>>,
    /// Why the connection takes no more calls.
    ended: Option<CallError>,
    /// With fewer bytes than this the next reply cannot be whole.
    wanted: usize,
}

impl Waiters {
    /// Registers a call, or tells why the connection takes none.
    pub(crate) fn register<M: Method>(
        &mut self,
        id: i32,
        deliver: impl FnOnce(Result<M::Reply, CallError>) + Send + 'static,
    ) -> Result<(), CallError> {
        if let Some(error) = &self.ended {
            return Err(error.clone());
        }
        let waiting = Waiting::<M, _> { deliver: Some(deliver), method: std::marker::PhantomData };
        self.waiting.insert(id, Box::new(waiting));
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// Fails every waiting call and every later one.
    pub(crate) fn end(&mut self, error: CallError) {
        for (_, mut waiter) in self.waiting.drain() {
            waiter.fail(error.clone());
        }
        self.ended.get_or_insert(error);
    }

    /// Hands over all whole replies at the beginning of `bytes` and removes them there. An error means that the stream
    /// cannot be read on.
    pub(crate) fn take_replies(&mut self, bytes: &mut Vec<u8>, address: &str) -> Result<(), CallError> {
        if bytes.len() < self.wanted {
            return Ok(());
        }
        let mut at = 0;
        let outcome = loop {
            match self.take_reply(&bytes[at..], address) {
                Ok(Progress::Took(len)) => at += len,
                Ok(Progress::Wants(missing)) => {
                    self.wanted = bytes.len() - at + missing;
                    break Ok(());
                }
                Err(error) => break Err(error),
            }
        };
        bytes.drain(..at);
        if bytes.is_empty() && bytes.capacity() > BUFFER_KEPT_MAX {
            *bytes = Vec::new();
        }
        outcome
    }

    fn take_reply(&mut self, bytes: &[u8], address: &str) -> Result<Progress, CallError> {
        let mut input = DataInput::new(bytes);
        match self.decode(&mut input, address) {
            Ok(()) => Ok(Progress::Took(input.position())),
            Err(Broken::Body(error)) => match input.missing() {
                Some(missing) if bytes.len().saturating_add(missing) <= REPLY_BYTES_MAX => Ok(Progress::Wants(missing)),
                _ => Err(lost(address, format!("undecodable reply: {error}"))),
            },
            Err(Broken::Stream(error)) => Err(error),
        }
    }

    fn decode(&mut self, input: &mut DataInput<'_>, address: &str) -> Result<(), Broken> {
        let ResponseHeader { id, status } = ResponseHeader::read(input)?;
        match status {
            Status::Success => {
                let waiter = self.waiting.get_mut(&id).ok_or_else(|| unknown_id(address, id))?;
                waiter.reply(input)?;
                self.waiting.remove(&id);
            }
            Status::Error => {
                let error = ErrorText::read(input)?.to_exception();
                let mut waiter = self.waiting.remove(&id).ok_or_else(|| unknown_id(address, id))?;
                waiter.fail(CallError::Remote(error));
            }
            Status::Fatal => {
                let error = ErrorText::read(input)?.to_exception();
                return Err(Broken::Stream(CallError::Refused { address: address.to_owned(), error }));
            }
        }
        Ok(())
    }
}

/// What an attempt to read one reply came to.
enum Progress {
    /// A reply of that many bytes was handed over.
    Took(usize),
    /// At least so many bytes are missing.
    Wants(usize),
}

enum Broken {
    Body(DecodeError),
    Stream(CallError),
}

impl From<DecodeError> for Broken {
    fn from(error: DecodeError) -> Self {
        Broken::Body(error)
    }
}

fn unknown_id(address: &str, id: i32) -> Broken {
    Broken::Stream(lost(address, format!("a reply to call {id}, which was never made")))
}

pub(crate) fn lost(address: &str, problem: impl Into<String>) -> CallError {
    CallError::Lost { address: address.to_owned(), problem: problem.into() }
}
