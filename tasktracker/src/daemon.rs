//! Puts the tracker together, keeps it going, and starts it over when the JobTracker or a disk demands it (Hadoop 1.2.1:
//! TaskTracker.initialize, run, close).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use configuration::{ConfigError, Configuration, keys};
use storage::Storage;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::cgroups::CgroupError;
use crate::heartbeat_loop::Ended;
use crate::localizer::LocalizeError;
use crate::session::Session;
use crate::settings::TrackerSettings;
use daemon_shell::Clock;

/// Why the tracker does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A bad value.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// A file system that is not there.
    #[error("the configuration names a file system that cannot be used")]
    Storage(#[from] storage::StorageSetupError),
    /// No directory to work in.
    #[error("none of the directories of mapred.local.dir can be used: {dirs}; name one that this user may write")]
    LocalDirs {
        /// All of them.
        dirs: String,
    },
    /// No control groups, though the site wants them.
    #[error("{key} is true, but {error}; set it to false or let this user make them", key = keys::HOWDAH_TASKTRACKER_CGROUPS.name())]
    Cgroups {
        /// Why not.
        error: String,
    },
    /// A directory that cannot be made.
    #[error("cannot prepare the local directories")]
    Prepare(#[from] LocalizeError),
    /// The program that acts as users.
    #[error("mapred.task.tracker.task-controller: tasks cannot run as their users")]
    TaskController(#[from] crate::task_controller::ControllerError),
    /// A socket that was just opened.
    #[error("a socket that was just opened cannot be used")]
    Socket(#[source] io::Error),
    /// A port that is taken, for instance.
    #[error("{key}: cannot listen at {address}; name another port, 0 for any")]
    Listen {
        /// The key that names it.
        key: &'static str,
        /// Where.
        address: String,
        /// Why not.
        source: io::Error,
    },
}

impl From<CgroupError> for StartError {
    fn from(error: CgroupError) -> Self {
        StartError::Cgroups { error: error.to_string() }
    }
}

/// A running tracker.
#[derive(Debug)]
pub struct Daemon {
    /// Its name at the JobTracker.
    pub name: String,
    /// Where children call.
    pub umbilical: SocketAddr,
    /// Where its pages and map outputs are.
    pub http: SocketAddr,
    task: JoinHandle<Result<(), StartError>>,
}

impl Daemon {
    /// Waits until it ends: the JobTracker refused it, or it cannot start over.
    ///
    /// # Errors
    /// If it could not start over.
    pub async fn ended(&mut self) -> Result<(), StartError> {
        match (&mut self.task).await {
            Ok(ended) => ended,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Ok(()),
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a tracker; it looks for its JobTracker from then on, however long that takes.
///
/// # Errors
/// If a value is wrong, a port is taken or no local directory works: nothing runs then.
pub async fn start(conf: Configuration) -> Result<Daemon, StartError> {
    let site = Site::read(conf)?;
    let ports = Ports::open(&site.settings, None).await?;
    let session = Session::start(&site, ports, true).await?;
    let (name, umbilical, http) = (session.name.clone(), session.umbilical, session.http_address());
    tracing::info!(name, %umbilical, %http, job_tracker = site.settings.job_tracker, "tracker starts");
    let task = tokio::spawn(keep_going(site, session));
    Ok(Daemon { name, umbilical, http, task })
}

async fn keep_going(site: Site, mut session: Session) -> Result<(), StartError> {
    loop {
        let ended = session.serve(&site).await;
        let http = session.close().await;
        match ended {
            Ended::Denied(reason) => {
                tracing::error!(reason, "the tracker ends");
                return Ok(());
            }
            Ended::Stale => tracing::warn!("reinitializing local state"),
        }
        let ports = Ports::open(&site.settings, Some(http)).await?;
        session = Session::start(&site, ports, false).await?;
        tracing::info!(name = session.name, umbilical = %session.umbilical, "tracker starts over");
    }
}

/// What outlives a session.
pub(crate) struct Site {
    pub(crate) conf: Configuration,
    pub(crate) settings: TrackerSettings,
    pub(crate) storage: Arc<Storage>,
    pub(crate) clock: Clock,
}

impl Site {
    fn read(conf: Configuration) -> Result<Site, StartError> {
        let settings = TrackerSettings::read(&conf)?;
        let storage = Arc::new(Storage::from_configuration(&conf)?);
        Ok(Site { conf, settings, storage, clock: Clock::start() })
    }
}

/// The sockets that a session listens at. They are opened before anything else is touched, so that a tracker whose port
/// is taken leaves nothing behind.
pub(crate) struct Ports {
    pub(crate) umbilical: TcpListener,
    pub(crate) http: TcpListener,
}

impl Ports {
    /// Opens them as the site says; the pages stay where they were, if they were somewhere.
    async fn open(settings: &TrackerSettings, http: Option<SocketAddr>) -> Result<Ports, StartError> {
        let report_key = keys::MAPRED_TASK_TRACKER_REPORT_ADDRESS.name();
        let umbilical = listen(report_key, &settings.report_address).await?;
        let http_key = keys::MAPRED_TASK_TRACKER_HTTP_ADDRESS.name();
        let http_address = http.map_or_else(|| settings.http_address.clone(), |address| address.to_string());
        Ok(Ports { umbilical, http: listen(http_key, &http_address).await? })
    }
}

async fn listen(key: &'static str, address: &str) -> Result<TcpListener, StartError> {
    let failed = |source| StartError::Listen { key, address: address.to_owned(), source };
    TcpListener::bind(address).await.map_err(failed)
}
