//! The server of Hadoop RPC version 4: accepts connections and serves each in a task of its own. What the calls mean is
//! the [`Service`]'s.

mod connection;
mod frames;
mod handshake;
mod odd_peers;
mod replies;

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use types::RemoteException;

/// A future in a box.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Who calls, and through which protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The user it acts for; empty if the header named none.
    pub user: String,
    /// The impersonating user, where it is another.
    pub real_user: Option<String>,
    /// The protocol that the connection header named: it decides which methods can be called.
    pub protocol: String,
    /// Whether a token proved it.
    pub by_token: bool,
    /// The peer's address.
    pub address: SocketAddr,
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The ObjectWritable of the reply.
    Reply(Vec<u8>),
    /// An error reply.
    Error(RemoteException),
    /// The call cannot be decoded: the connection is closed without a word.
    Close,
}

/// What a server serves.
pub trait Service: Send + Sync + 'static {
    /// Whether connections for that protocol are served; the others are closed without a word.
    fn serves(&self, protocol: &str) -> bool;

    /// Whether the caller may connect; the error is sent as the fatal reply. Refuses impersonation unless overridden.
    fn authorize(&self, caller: Caller) -> BoxFuture<Result<(), RemoteException>> {
        Box::pin(std::future::ready(refuse_impersonation(&caller)))
    }

    /// Does one call; `invocation` is the Invocation's bytes.
    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome>;
}

/// Refuses whoever acts for another user, in Hadoop's words (Hadoop 1.2.1: ProxyUsers.authorize).
pub fn refuse_impersonation(caller: &Caller) -> Result<(), RemoteException> {
    match &caller.real_user {
        Some(real) => Err(RemoteException::new(
            types::ExceptionKind::Authorization,
            format!("User: {real} is not allowed to impersonate {}", caller.user),
        )),
        None => Ok(()),
    }
}

/// Whom a token speaks for, and its password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenOwner {
    /// The token's password bytes.
    pub password: Vec<u8>,
    /// The user it speaks for.
    pub user: String,
    /// Who asked for it on the user's behalf.
    pub real_user: Option<String>,
}

/// Knows the passwords of tokens.
pub trait SecretManager: Send + Sync + 'static {
    /// The password and owner of a token by its identifier bytes; the error (kind `InvalidToken`) is sent to the peer.
    fn owner(&self, identifier: &[u8]) -> Result<TokenOwner, RemoteException>;
}

/// How peers prove who they are.
#[derive(Clone)]
pub enum Security {
    /// They say it; a peer that offers a token is told to switch to simple.
    Simple,
    /// By token and DIGEST-MD5; a peer that only says it is refused.
    Tokens(Arc<dyn SecretManager>),
}

/// Settings of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// How peers prove who they are.
    pub security: Security,
    /// The most bytes of one frame; what announces more is closed.
    pub frame_bytes_max: usize,
    /// The most calls of one connection that are in work at a time; the next waits unread.
    pub calls_per_connection_max: usize,
    /// A peer that stops inside a frame for so long is closed.
    pub stall_timeout: Duration,
    /// Told to peers that speak another RPC version or HTTP: which program this is and where its other ports are.
    pub about: String,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions {
            security: Security::Simple,
            frame_bytes_max: 64 << 20,
            calls_per_connection_max: 64,
            stall_timeout: Duration::from_secs(120),
            about: "This is a port of Hadoop RPC version 4 (Hadoop 1.x).".to_owned(),
        }
    }
}

/// Bytes of large frames that all connections together may hold, in KiB.
const LARGE_FRAMES_KIB_MAX: usize = 256 << 10;

/// What all connections of a server share.
pub(crate) struct Shared {
    service: Arc<dyn Service>,
    options: ServerOptions,
    connections: AtomicUsize,
    large_frames: Arc<Semaphore>,
}

/// A server that listens; [`Server::run`] serves.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens at `host:port`; port 0 takes any free one.
    pub async fn bind(address: &str, service: Arc<dyn Service>, options: ServerOptions) -> io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        Ok(Server::on(listener, service, options))
    }

    /// Serves on a listener that is open already.
    pub fn on(listener: TcpListener, service: Arc<dyn Service>, options: ServerOptions) -> Server {
        let shared = Arc::new(Shared {
            service,
            options,
            connections: AtomicUsize::new(0),
            large_frames: Arc::new(Semaphore::new(LARGE_FRAMES_KIB_MAX)),
        });
        Server { listener, shared }
    }

    /// Where it listens.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Accepts and serves until the future is dropped; connections that are open then live on until they end.
    pub async fn run(self) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let shared = self.shared.clone();
                    shared.connections.fetch_add(1, Ordering::Relaxed);
                    tokio::spawn(async move {
                        connection::serve(stream, peer, &shared).await;
                        shared.connections.fetch_sub(1, Ordering::Relaxed);
                    });
                }
                Err(error) => {
                    // Mostly too many open files: those that are open must get the chance to end.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }
}
