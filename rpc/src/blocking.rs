//! The client on plain threads: one connection, shared by all threads that hold a clone, with one thread that reads.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wire::ipc::{Method, PING, SaslReply, call_frame, frame};

use crate::call::{CallError, Waiters, lost};
use crate::digest_md5::ClientExchange;
use crate::options::ClientOptions;
use crate::retry::{Attempts, connect_error};
use crate::setup::{header_frame, may_fall_back, preamble, sasl_reply};

/// The reading thread needs little.
const READER_STACK_BYTES: usize = 256 << 10;

/// A client of one protocol at one address.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    address: String,
    protocol: String,
    options: ClientOptions,
    connection: Mutex<Option<Arc<Connection>>>,
    next_id: AtomicI32,
}

/// What callers and the reading thread share.
struct Connection {
    address: String,
    writer: Mutex<TcpStream>,
    waiters: Mutex<Waiters>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    /// A client of `protocol` (its Java name) at `host:port`. Nothing is connected before the first call.
    pub fn new(address: impl Into<String>, protocol: impl Into<String>, options: ClientOptions) -> Client {
        Client {
            inner: Arc::new(Inner {
                address: address.into(),
                protocol: protocol.into(),
                options,
                connection: Mutex::new(None),
                next_id: AtomicI32::new(0),
            }),
        }
    }

    /// Where it connects to.
    pub fn address(&self) -> &str {
        &self.inner.address
    }

    /// Calls, and waits for the reply as long as the options say. Connecting is tried again as the options say; a call
    /// that was sent never is.
    pub fn call<M: Method>(&self, method: &M) -> Result<M::Reply, CallError> {
        self.call_limited(method, self.inner.options.call_timeout)
    }

    /// Calls, and waits that long; a reply that comes later is dropped.
    pub fn call_within<M: Method>(&self, method: &M, after: Duration) -> Result<M::Reply, CallError> {
        self.call_limited(method, Some(after))
    }

    fn call_limited<M: Method>(&self, method: &M, after: Option<Duration>) -> Result<M::Reply, CallError> {
        let connection = self.inner.living_connection()?;
        let id = self.inner.next_id.fetch_add(1, Ordering::Relaxed) & i32::MAX;
        let (deliver, reply) = sync_channel(1);
        lock(&connection.waiters).register::<M>(id, move |reply| {
            let _ = deliver.send(reply);
        })?;
        connection.write(&call_frame(id, &method.encode()));
        match after {
            None => reply.recv().unwrap_or_else(|_| Err(lost(self.address(), "closed"))),
            Some(after) => match reply.recv_timeout(after) {
                Ok(reply) => reply,
                Err(RecvTimeoutError::Disconnected) => Err(lost(self.address(), "closed")),
                Err(RecvTimeoutError::Timeout) => {
                    Err(CallError::TimedOut { address: self.address().to_owned(), method: M::NAME, after })
                }
            },
        }
    }

    /// Closes the connection, if there is one; waiting calls fail, and a later call connects anew.
    pub fn close(&self) {
        if let Some(connection) = lock(&self.inner.connection).take() {
            connection.end(lost(&connection.address, "closed by this client"));
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The reading thread holds the connection too, and ends when the stream does.
        if let Some(connection) = lock(&self.connection).take() {
            connection.end(lost(&connection.address, "closed by this client"));
        }
    }
}

impl Connection {
    /// Writes a frame; if that fails the stream is useless, and the reading thread finds out why and tells the waiters.
    fn write(&self, frame: &[u8]) {
        let mut stream = lock(&self.writer);
        if let Err(error) = stream.write_all(frame) {
            tracing::debug!(address = self.address, %error, "cannot write a call");
            let _ = stream.shutdown(Shutdown::Write);
        }
    }

    fn end(&self, error: CallError) {
        lock(&self.waiters).end(error);
        let _ = lock(&self.writer).shutdown(Shutdown::Both);
    }

    /// Reads replies until the stream ends.
    fn read_replies(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 16 << 10];
        let error = loop {
            match stream.read(&mut chunk) {
                Ok(0) => break lost(&self.address, "closed by the server"),
                Ok(len) => bytes.extend_from_slice(&chunk[..len]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    if !lock(&self.waiters).is_empty() {
                        self.write(&PING);
                    }
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break lost(&self.address, error.to_string()),
            }
            if let Err(error) = lock(&self.waiters).take_replies(&mut bytes, &self.address) {
                break error;
            }
        };
        self.end(error);
    }
}

impl Inner {
    fn living_connection(&self) -> Result<Arc<Connection>, CallError> {
        let mut slot = lock(&self.connection);
        if let Some(connection) = slot.as_ref().filter(|connection| !lock(&connection.waiters).has_ended()) {
            return Ok(connection.clone());
        }
        let connection = self.connect()?;
        *slot = Some(connection.clone());
        Ok(connection)
    }

    fn connect(&self) -> Result<Arc<Connection>, CallError> {
        let mut stream = self.connect_stream()?;
        let broken = |error: io::Error| lost(&self.address, error.to_string());
        self.set_up(&mut stream)?;
        stream.set_read_timeout(Some(self.options.ping_interval)).map_err(broken)?;
        let reading = stream.try_clone().map_err(broken)?;
        let connection = Arc::new(Connection {
            address: self.address.clone(),
            writer: Mutex::new(stream),
            waiters: Mutex::new(Waiters::default()),
        });
        let shared = connection.clone();
        std::thread::Builder::new()
            .name("rpc-replies".to_owned())
            .stack_size(READER_STACK_BYTES)
            .spawn(move || shared.read_replies(reading))
            .map_err(broken)?;
        Ok(connection)
    }

    fn connect_stream(&self) -> Result<TcpStream, CallError> {
        let mut attempts = Attempts::new(&self.options);
        loop {
            let error = match self.try_addresses() {
                Ok(stream) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Err(error) => error,
            };
            match attempts.pause_after(&error) {
                Some(pause) => std::thread::sleep(pause),
                None => return Err(connect_error(&self.address, attempts.made(), &error)),
            }
        }
    }

    fn try_addresses(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, self.options.connect_timeout) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn set_up(&self, stream: &mut TcpStream) -> Result<(), CallError> {
        let mut sent = preamble(&self.options);
        let by_token = match &self.options.token {
            Some(token) => {
                sent.extend(frame(&[]));
                self.write(stream, &sent)?;
                sent.clear();
                self.prove(stream, ClientExchange::start(token))?
            }
            None => false,
        };
        sent.extend(header_frame(&self.protocol, &self.options, by_token));
        self.write(stream, &sent)
    }

    /// Runs the SASL exchange; whether the token was taken.
    fn prove(&self, stream: &mut TcpStream, mut exchange: ClientExchange) -> Result<bool, CallError> {
        let challenge = match self.sasl_message(stream)? {
            SaslReply::SwitchToSimple => return may_fall_back(&self.options, &self.address).map(|()| false),
            SaslReply::Token(challenge) => challenge,
            SaslReply::Refused(error) => return Err(lost(&self.address, error.to_exception().message)),
        };
        let response = exchange.respond(&challenge).map_err(|problem| lost(&self.address, problem))?;
        self.write(stream, &frame(&response))?;
        match self.sasl_message(stream)? {
            SaslReply::Token(last) => exchange.accept(&last).map_err(|problem| lost(&self.address, problem))?,
            _ => return Err(lost(&self.address, "the server gave up security within the exchange")),
        }
        Ok(true)
    }

    fn sasl_message(&self, stream: &mut TcpStream) -> Result<SaslReply, CallError> {
        let mut bytes = Vec::new();
        loop {
            match sasl_reply(&bytes, &self.address)? {
                Ok(reply) => return Ok(reply),
                Err(missing) => {
                    let start = bytes.len();
                    bytes.resize(start + missing.min(4096), 0);
                    let read = stream.read_exact(&mut bytes[start..]);
                    read.map_err(|error| lost(&self.address, error.to_string()))?;
                }
            }
        }
    }

    fn write(&self, stream: &mut TcpStream, bytes: &[u8]) -> Result<(), CallError> {
        stream.write_all(bytes).map_err(|error| lost(&self.address, error.to_string()))
    }
}
