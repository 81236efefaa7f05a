//! The client on tokio: one connection, shared by all clones, made when first needed and made anew when it broke.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};
use tokio::task::AbortHandle;
use wire::ipc::{Method, PING, SaslReply, call_frame, frame};

use crate::call::{CallError, Waiters, lost};
use crate::digest_md5::ClientExchange;
use crate::options::ClientOptions;
use crate::retry::{Attempts, connect_error};
use crate::setup::{header_frame, may_fall_back, preamble, sasl_reply};

/// Frames that wait to be written; a call waits while so many do.
const FRAMES_QUEUED_MAX: usize = 32;

/// A client of one protocol at one address.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    address: String,
    protocol: String,
    options: ClientOptions,
    connection: AsyncMutex<Option<Connection>>,
    next_id: AtomicI32,
}

/// An open connection: a task writes, a task reads.
struct Connection {
    frames: mpsc::Sender<Vec<u8>>,
    waiters: Arc<Mutex<Waiters>>,
    tasks: [AbortHandle; 2],
}

impl Drop for Connection {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

fn lock(waiters: &Mutex<Waiters>) -> std::sync::MutexGuard<'_, Waiters> {
    waiters.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    /// A client of `protocol` (its Java name) at `host:port`. Nothing is connected before the first call.
    pub fn new(address: impl Into<String>, protocol: impl Into<String>, options: ClientOptions) -> Client {
        Client {
            inner: Arc::new(Inner {
                address: address.into(),
                protocol: protocol.into(),
                options,
                connection: AsyncMutex::new(None),
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
    pub async fn call<M: Method>(&self, method: &M) -> Result<M::Reply, CallError> {
        match self.inner.options.call_timeout {
            Some(after) => self.call_within(method, after).await,
            None => self.call_unlimited(method).await,
        }
    }

    /// Calls, and waits that long; a reply that comes later is dropped.
    pub async fn call_within<M: Method>(&self, method: &M, after: Duration) -> Result<M::Reply, CallError> {
        match tokio::time::timeout(after, self.call_unlimited(method)).await {
            Ok(reply) => reply,
            Err(_) => Err(CallError::TimedOut { address: self.inner.address.clone(), method: M::NAME, after }),
        }
    }

    async fn call_unlimited<M: Method>(&self, method: &M) -> Result<M::Reply, CallError> {
        let id = self.inner.next_id.fetch_add(1, Ordering::Relaxed) & i32::MAX;
        let (deliver, reply) = oneshot::channel();
        let frames = self.inner.register::<M>(id, deliver).await?;
        let gone = || lost(&self.inner.address, "closed");
        // If the writer has ended, the reader tells the waiter why.
        let _ = frames.send(call_frame(id, &method.encode())).await;
        reply.await.unwrap_or_else(|_| Err(gone()))
    }

    /// Closes the connection, if there is one; waiting calls fail, and a later call connects anew.
    pub async fn close(&self) {
        if let Some(connection) = self.inner.connection.lock().await.take() {
            lock(&connection.waiters).end(lost(&self.inner.address, "closed by this client"));
        }
    }
}

impl Inner {
    /// Registers a call on a living connection and returns the way to its writer.
    async fn register<M: Method>(
        &self,
        id: i32,
        deliver: oneshot::Sender<Result<M::Reply, CallError>>,
    ) -> Result<mpsc::Sender<Vec<u8>>, CallError> {
        let mut slot = self.connection.lock().await;
        let alive = slot.as_ref().is_some_and(|connection| !lock(&connection.waiters).has_ended());
        if !alive {
            *slot = None;
            *slot = Some(self.connect().await?);
        }
        let connection = slot.as_ref().ok_or_else(|| lost(&self.address, "closed"))?;
        lock(&connection.waiters).register::<M>(id, move |reply| {
            let _ = deliver.send(reply);
        })?;
        Ok(connection.frames.clone())
    }

    async fn connect(&self) -> Result<Connection, CallError> {
        let mut stream = self.connect_stream().await?;
        self.set_up(&mut stream).await?;
        let (read, write) = stream.into_split();
        let waiters = Arc::new(Mutex::new(Waiters::default()));
        let (frames, queue) = mpsc::channel(FRAMES_QUEUED_MAX);
        let writer = tokio::spawn(write_frames(write, queue, self.address.clone()));
        let reader = tokio::spawn(read_replies(
            read,
            frames.clone(),
            waiters.clone(),
            self.address.clone(),
            self.options.ping_interval,
        ));
        Ok(Connection { frames, waiters, tasks: [writer.abort_handle(), reader.abort_handle()] })
    }

    async fn connect_stream(&self) -> Result<TcpStream, CallError> {
        let mut attempts = Attempts::new(&self.options);
        loop {
            let attempt = tokio::time::timeout(self.options.connect_timeout, TcpStream::connect(&self.address));
            let error = match attempt.await {
                Ok(Ok(stream)) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Ok(Err(error)) => error,
                Err(_) => io::Error::new(io::ErrorKind::TimedOut, "no answer"),
            };
            match attempts.pause_after(&error) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(connect_error(&self.address, attempts.made(), &error)),
            }
        }
    }

    async fn set_up(&self, stream: &mut TcpStream) -> Result<(), CallError> {
        let mut sent = preamble(&self.options);
        let by_token = match &self.options.token {
            Some(token) => {
                sent.extend(frame(&[]));
                self.write(stream, &sent).await?;
                sent.clear();
                self.prove(stream, ClientExchange::start(token)).await?
            }
            None => false,
        };
        sent.extend(header_frame(&self.protocol, &self.options, by_token));
        self.write(stream, &sent).await
    }

    /// Runs the SASL exchange; whether the token was taken.
    async fn prove(&self, stream: &mut TcpStream, mut exchange: ClientExchange) -> Result<bool, CallError> {
        let challenge = match self.sasl_message(stream).await? {
            SaslReply::SwitchToSimple => return may_fall_back(&self.options, &self.address).map(|()| false),
            SaslReply::Token(challenge) => challenge,
            SaslReply::Refused(error) => return Err(lost(&self.address, error.to_exception().message)),
        };
        let response = exchange.respond(&challenge).map_err(|problem| lost(&self.address, problem))?;
        self.write(stream, &frame(&response)).await?;
        match self.sasl_message(stream).await? {
            SaslReply::Token(last) => exchange.accept(&last).map_err(|problem| lost(&self.address, problem))?,
            _ => return Err(lost(&self.address, "the server gave up security within the exchange")),
        }
        Ok(true)
    }

    async fn sasl_message(&self, stream: &mut TcpStream) -> Result<SaslReply, CallError> {
        let mut bytes = Vec::new();
        loop {
            match sasl_reply(&bytes, &self.address)? {
                Ok(reply) => return Ok(reply),
                Err(missing) => {
                    let start = bytes.len();
                    bytes.resize(start + missing.min(4096), 0);
                    let read = stream.read_exact(&mut bytes[start..]).await;
                    read.map_err(|error| lost(&self.address, error.to_string()))?;
                }
            }
        }
    }

    async fn write(&self, stream: &mut TcpStream, bytes: &[u8]) -> Result<(), CallError> {
        stream.write_all(bytes).await.map_err(|error| lost(&self.address, error.to_string()))
    }
}

/// Writes frames until all senders are gone or the stream breaks. Why it broke the reader finds out and tells.
async fn write_frames(mut half: OwnedWriteHalf, mut queue: mpsc::Receiver<Vec<u8>>, address: String) {
    while let Some(frame) = queue.recv().await {
        if let Err(error) = half.write_all(&frame).await {
            tracing::debug!(%address, %error, "cannot write a call");
            return;
        }
    }
}

async fn read_replies(
    mut half: OwnedReadHalf,
    frames: mpsc::Sender<Vec<u8>>,
    waiters: Arc<Mutex<Waiters>>,
    address: String,
    ping_interval: Duration,
) {
    let mut bytes = Vec::new();
    let error = loop {
        bytes.reserve(4096);
        match tokio::time::timeout(ping_interval, half.read_buf(&mut bytes)).await {
            Ok(Ok(0)) => break lost(&address, "closed by the server"),
            Ok(Ok(_)) => (),
            Ok(Err(error)) => break lost(&address, error.to_string()),
            Err(_) if lock(&waiters).is_empty() => continue,
            Err(_) => {
                let _ = frames.try_send(PING.to_vec());
                continue;
            }
        }
        if let Err(error) = lock(&waiters).take_replies(&mut bytes, &address) {
            break error;
        }
    };
    lock(&waiters).end(error);
}
