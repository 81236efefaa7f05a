//! Puts the tracker together, keeps it going, and starts it over when the JobTracker or a disk demands it (Hadoop 1.2.1:
//! TaskTracker.initialize, run, close).

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use configuration::{ConfigError, Configuration, keys};
use rpc::server::{Server, ServerOptions};
use storage::Storage;
use tasktracker_core::{NodeReport, TaskTracker, View};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use types::TaskAttemptId;

use crate::class_data::{CLASS_DATA, ClassData};
use crate::driver::{CoreHandle, Driver, Requests, hold};
use crate::effects::{Effects, Tools};
use crate::heartbeat_loop::{Ended, HeartbeatLoop, Node};
use crate::http::{HttpServer, Services, Tracker};
use crate::job_tracker::JobTracker;
use crate::launcher::{Launcher, Programs};
use crate::localizer::{LocalDirs, LocalizeError, Localizer, check_local_dirs};
use crate::resources::Resources;
use crate::settings::TrackerSettings;
use crate::task_controller::DefaultTaskController;
use crate::umbilical_server::UmbilicalServer;
use crate::user_logs::UserLogs;
use daemon_shell::Clock;

/// How long killed children may take to be gone beyond the site's delay before SIGKILL.
const CHILDREN_GONE_MAX: Duration = Duration::from_secs(2);

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
    /// A directory that cannot be made.
    #[error("cannot prepare the local directories")]
    Prepare(#[from] LocalizeError),
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
    let (core, requests) = CoreHandle::new();
    let http = resolve(keys::MAPRED_TASK_TRACKER_HTTP_ADDRESS.name(), &site.settings.http_address).await?;
    let session = Session::start(&site, core, requests, http, true).await?;
    let (name, umbilical, http) = (session.name.clone(), session.umbilical, session.http.address());
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
        let (core, requests) = CoreHandle::new();
        session = Session::start(&site, core, requests, http, false).await?;
        tracing::info!(name = session.name, umbilical = %session.umbilical, "tracker starts over");
    }
}

/// What outlives a session.
struct Site {
    conf: Configuration,
    settings: TrackerSettings,
    storage: Arc<Storage>,
    clock: Clock,
}

impl Site {
    fn read(conf: Configuration) -> Result<Site, StartError> {
        let settings = TrackerSettings::read(&conf)?;
        let storage = Arc::new(Storage::from_configuration(&conf)?);
        Ok(Site { conf, settings, storage, clock: Clock::start() })
    }
}

/// A tracker between two initializations: everything that starting over replaces.
struct Session {
    name: String,
    umbilical: SocketAddr,
    core: CoreHandle,
    job_tracker: Arc<JobTracker>,
    now: Arc<Notify>,
    dirs: Arc<LocalDirs>,
    dirs_failed: usize,
    http: Arc<HttpServer>,
    sigkill_delay: Duration,
    tasks: Vec<JoinHandle<()>>,
}

impl Session {
    async fn start(
        site: &Site,
        core: CoreHandle,
        requests: Requests,
        http: SocketAddr,
        restarted: bool,
    ) -> Result<Session, StartError> {
        let settings = &site.settings;
        let (good, dirs_failed) = check_local_dirs(&settings.local_dirs);
        if good.is_empty() {
            return Err(StartError::LocalDirs { dirs: join(&settings.local_dirs) });
        }
        let dirs = Arc::new(LocalDirs::new(good));
        let logs = Arc::new(UserLogs::new(&settings.log_dir, dirs.clone())?);
        if restarted {
            logs.adopt(site.clock.now().mono.0 + settings.log_retain);
        }
        let localizer = Localizer::new(site.conf.clone(), site.storage.clone(), dirs.clone(), logs.clone())?;
        localizer.wipe()?;
        let localizer = Arc::new(localizer);

        let report_key = keys::MAPRED_TASK_TRACKER_REPORT_ADDRESS.name();
        let umbilical_listener = listen(report_key, &settings.report_address).await?;
        let umbilical = address_of(&umbilical_listener, &settings.report_address)?;
        let name = format!("tracker_{}:{}", settings.host, java_address(umbilical));
        let sizes = Arc::new(|job: &types::JobId, sizes: &[i64]| {
            tracing::debug!(%job, ?sizes, "sizes of private cache files");
        });
        let server = UmbilicalServer::new(core.clone(), sizes);
        let about = ServerOptions {
            about: "This is the umbilical port of a TaskTracker (Hadoop RPC version 4), for its own children.".into(),
            ..ServerOptions::default()
        };
        let server = Server::on(umbilical_listener, Arc::new(server), about);
        let mut tasks = vec![tokio::spawn(server.run())];
        let clean_every = site.conf.duration(&keys::MAPREDUCE_TASKTRACKER_USERLOGCLEANUP_SLEEPTIME)?;
        let clock = site.clock;
        tasks.push(tokio::spawn(logs.clone().clean_for_ever(clean_every, move || clock.now().mono.0)));

        let mut own = settings.core.clone();
        own.name.clone_from(&name);
        let services = Services {
            tracker: Arc::new(Pages(core.clone())),
            secrets: localizer.secrets(),
            dirs: dirs.clone(),
            logs: logs.clone(),
            conf: site.conf.clone(),
            log_dir: settings.log_dir.clone(),
        };
        let http = Arc::new(serve_http(http, services).await?);
        own.http_port = i32::from(http.port());
        let indexes = Arc::downgrade(&http);
        let job_tracker = Arc::new(JobTracker::new(&settings.job_tracker, &settings.user));
        let now = Arc::new(Notify::new());
        let class_data =
            Arc::new(ClassData::new(settings.class_data, dirs.all().first().map(|dir| dir.join(CLASS_DATA))));
        let tools = Tools {
            core: core.clone(),
            clock: site.clock,
            localizer,
            launcher: Launcher::new(Programs::find(), &settings.log_dir, umbilical, class_data),
            controller: Arc::new(DefaultTaskController),
            logs,
            job_tracker: job_tracker.clone(),
            forget_map_outputs: Arc::new(move |job| {
                if let Some(http) = indexes.upgrade() {
                    http.forget_job(job);
                }
            }),
            heartbeat: now.clone(),
        };
        let effects = Effects::new(Arc::new(tools));
        let driver =
            Driver::new(TaskTracker::new(own, restarted), site.clock, requests, move |effect| effects.begin(effect));
        tasks.push(tokio::spawn(driver.run()));
        let sigkill_delay = settings.core.sigkill_delay;
        Ok(Session { name, umbilical, core, job_tracker, now, dirs, dirs_failed, http, sigkill_delay, tasks })
    }

    /// Beats until the session is over.
    async fn serve(&self, site: &Site) -> Ended {
        let node = Machine {
            resources: Resources::new(site.settings.map_slot_mb, site.settings.reduce_slot_mb),
            dirs: self.dirs.clone(),
            names: site.settings.local_dirs.clone(),
            failed: self.dirs_failed,
            check_every: site.conf.duration(&keys::MAPRED_DISK_HEALTH_CHECKER_INTERVAL).unwrap_or(DISK_CHECK_EVERY),
            checked: Instant::now(),
        };
        let beats = HeartbeatLoop {
            core: self.core.clone(),
            job_tracker: self.job_tracker.clone(),
            tracker: self.name.clone(),
            check: site.settings.check,
            now: self.now.clone(),
        };
        beats.run(Box::new(node)).await
    }

    /// Ends all children and servers; the next session has its pages where this one had them.
    async fn close(self) -> SocketAddr {
        self.core.tell(|core, now| core.stop(now));
        let most = self.sigkill_delay + CHILDREN_GONE_MAX;
        let _ = hold(&self.core, most, |core, _| (!core.has_children()).then_some(())).await;
        self.job_tracker.close().await;
        for task in &self.tasks {
            task.abort();
        }
        let address = self.http.address();
        let http = self.http.clone();
        drop(self);
        // Nobody else keeps it, but for a moment.
        if let Ok(http) = Arc::try_unwrap(http) {
            http.stop().await;
        }
        address
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Where the site says nothing of it.
const DISK_CHECK_EVERY: Duration = Duration::from_secs(60);

/// This machine, as heartbeats tell of it.
struct Machine {
    resources: Resources,
    dirs: Arc<LocalDirs>,
    names: Vec<PathBuf>,
    failed: usize,
    check_every: Duration,
    checked: Instant,
}

impl Node for Machine {
    fn report(&mut self) -> Result<NodeReport, Ended> {
        if self.checked.elapsed() > self.check_every {
            self.checked = Instant::now();
            let (good, failed) = check_local_dirs(&self.names);
            if good.is_empty() {
                return Err(Ended::Denied(format!("no directory of mapred.local.dir works: {}", join(&self.names))));
            }
            if failed > self.failed {
                return Err(Ended::Stale);
            }
        }
        let free = self.dirs.free_bytes_max();
        Ok(NodeReport {
            resources: self.resources.measure(free),
            free_space: i64::try_from(free).unwrap_or(i64::MAX),
            dir_failures: i32::try_from(self.failed).unwrap_or(i32::MAX),
            ..NodeReport::default()
        })
    }
}

/// The tracker as its pages see it.
struct Pages(CoreHandle);

impl Tracker for Pages {
    fn view(&self) -> Pin<Box<dyn Future<Output = View> + Send + '_>> {
        Box::pin(async { self.0.ask(|core, _| core.view()).await.unwrap_or_default() })
    }

    fn map_output_lost(&self, attempt: TaskAttemptId, reason: String) {
        tracing::warn!(%attempt, reason, "a map's output is lost");
        self.0.tell(move |core, now| core.map_output_lost(now, &attempt, &reason));
    }
}

async fn serve_http(address: SocketAddr, services: Services) -> Result<HttpServer, StartError> {
    let key = keys::MAPRED_TASK_TRACKER_HTTP_ADDRESS.name();
    let failed = |source| StartError::Listen { key, address: address.to_string(), source };
    HttpServer::start(address, services).await.map_err(failed)
}

async fn resolve(key: &'static str, address: &str) -> Result<SocketAddr, StartError> {
    let failed = |source| StartError::Listen { key, address: address.to_owned(), source };
    let mut found = tokio::net::lookup_host(address).await.map_err(failed)?;
    found.next().ok_or_else(|| failed(io::Error::new(io::ErrorKind::NotFound, "the name has no address")))
}

async fn listen(key: &'static str, address: &str) -> Result<TcpListener, StartError> {
    let failed = |source| StartError::Listen { key, address: address.to_owned(), source };
    TcpListener::bind(address).await.map_err(failed)
}

fn address_of(listener: &TcpListener, wanted: &str) -> Result<SocketAddr, StartError> {
    let failed = |source| StartError::Listen { key: "local address", address: wanted.to_owned(), source };
    listener.local_addr().map_err(failed)
}

/// An address as Java prints it: `name/ip:port`.
fn java_address(address: SocketAddr) -> String {
    let ip = address.ip();
    let name = if ip.is_loopback() { "localhost".to_owned() } else { ip.to_string() };
    format!("{name}/{ip}:{}", address.port())
}

fn join(dirs: &[PathBuf]) -> String {
    dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(",")
}
