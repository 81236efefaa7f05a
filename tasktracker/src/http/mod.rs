//! The TaskTracker's HTTP server: map output, logs, pages (Hadoop 1.2.1: TaskTracker's HttpServer and servlets).
//!
//! One port for all. What each address answers is in `shuffle_server`, `task_log` and `pages`.

mod conf_page;
mod fetches;
mod pages;
pub(crate) mod reply;
mod task_log;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use configuration::Configuration;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tasktracker_core::View;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use types::TaskAttemptId;

use crate::localizer::{JobSecrets, LocalDirs};
use crate::shuffle_server::{Peers, ShuffleServer};
use crate::user_logs::UserLogs;
use reply::Reply;

/// Connections at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 2048;
/// How long a connection may take for the head of a request, and may idle between two.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a peer may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(180);
/// How long requests that are being answered may go on after a stop.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest head of a request.
const HEAD_BYTES_MAX: usize = 64 << 10;

/// The TaskTracker behind the pages.
pub trait Tracker: Send + Sync {
    /// What there is to see.
    fn view(&self) -> Pin<Box<dyn Future<Output = View> + Send + '_>>;

    /// A map's output could not be read, and why: the map must run again (Hadoop 1.2.1: TaskTracker.mapOutputLost).
    fn map_output_lost(&self, attempt: TaskAttemptId, reason: String);
}

/// What the server serves.
pub struct Services {
    /// The TaskTracker.
    pub tracker: Arc<dyn Tracker>,
    /// Passwords of the jobs that are here.
    pub secrets: Arc<JobSecrets>,
    /// The local directories with the map outputs.
    pub dirs: Arc<LocalDirs>,
    /// The attempts' logs.
    pub logs: Arc<UserLogs>,
    /// The TaskTracker's configuration.
    pub conf: Configuration,
    /// Where the daemon's own log files lie.
    pub log_dir: std::path::PathBuf,
}

/// A server that runs until it is dropped or stopped.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    shuffle: Arc<ShuffleServer>,
    stop: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

struct Shared {
    services: Services,
    shuffle: Arc<ShuffleServer>,
    local: SocketAddr,
}

impl HttpServer {
    /// Starts to serve at a socket that listens; call it within a tokio runtime.
    ///
    /// # Errors
    /// If the socket has no address, or a key of the shuffle server holds a bad value.
    pub fn start(listener: TcpListener, services: Services) -> io::Result<HttpServer> {
        let address = listener.local_addr()?;
        let shuffle =
            ShuffleServer::new(&services).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let shuffle = Arc::new(shuffle);
        let shared = Arc::new(Shared { services, shuffle: Arc::clone(&shuffle), local: address });
        let (stop, stopped) = watch::channel(false);
        let accepting = tokio::spawn(accept(listener, shared, stopped));
        Ok(HttpServer { address, shuffle, stop, accepting })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The port that heartbeats tell: reduces on other nodes ask there.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Forgets what is remembered of a job's map outputs.
    pub fn forget_job(&self, job: &types::JobId) {
        self.shuffle.forget_job(job);
    }

    /// Accepts nobody any more, lets requests that are being answered end, and waits a little for them.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = (&mut self.accepting).await;
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, self.stop.closed()).await;
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let accepted = tokio::select! {
            _ = stopped.changed() => return,
            accepted = accept_one(&listener, &places) => accepted,
        };
        match accepted {
            Ok((stream, peer, place)) => {
                let (shared, stopped) = (Arc::clone(&shared), stopped.clone());
                tokio::spawn(async move {
                    serve(stream, peer, shared, stopped).await;
                    drop(place);
                });
            }
            Err(error) => {
                // Out of descriptors, as a rule: others must end first.
                tracing::warn!(%error, "cannot accept an HTTP connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn accept_one(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, place))
}

async fn serve(stream: TcpStream, peer: SocketAddr, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let local = stream.local_addr().unwrap_or(shared.local);
    let peers = Peers { local, remote: peer };
    let stream = tokio::select! {
        left = fetches::serve(stream, peers, &shared.shuffle) => match left {
            Some(stream) => stream,
            None => return,
        },
        // A fetch that is being answered is broken off, which its reduce takes for what it is.
        _ = stopped.changed() => return,
    };
    let service = service_fn(move |request| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(answer(&shared, peers, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let outcome = tokio::select! {
        outcome = connection.as_mut() => outcome,
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%peer, %error, "an HTTP connection broke off");
    }
}

async fn answer(shared: &Shared, peers: Peers, request: Request<Incoming>) -> Reply {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        return reply::error(StatusCode::METHOD_NOT_ALLOWED, request.uri().path(), "Method Not Allowed");
    }
    let services = &shared.services;
    let (path, query) = (request.uri().path(), request.uri().query().unwrap_or(""));
    match path {
        wire::shuffle::PATH => shared.shuffle.answer(peers, &request).await,
        "/tasklog" => task_log::answer(services, query).await,
        "/tasktracker.jsp" => pages::tasktracker(services).await,
        "/" | "/index.html" => pages::index(),
        "/conf" => conf_page::answer(&services.conf, query),
        "/logs" => reply::redirect("/logs/"),
        _ => match path.strip_prefix("/logs/") {
            Some(name) => pages::daemon_log(&services.log_dir, name).await,
            None => reply::error(StatusCode::NOT_FOUND, path, path),
        },
    }
}
