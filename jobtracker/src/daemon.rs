//! Start-up, in 1.2.1's order: configuration, ports, RPC, system directory, RUNNING (Hadoop 1.2.1: JobTracker's
//! constructor, offerService, initialize).

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use configuration::{ConfigError, Configuration, Overrides, keys};
use jobtracker_core::JobTracker;
use rpc::server::{Server, ServerOptions};
use storage::{Storage, StorageError, StorageSetupError};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, JoinHandle};

use crate::directory_lock::DirectoryLock;
use crate::driver::{CoreHandle, Driver};
use crate::effects::system_directory::SystemDirectory;
use crate::effects::{Effects, HistorySettings, HistoryWriter};
use crate::handlers::Handlers;
use crate::http;
use crate::journal::Journal;
use crate::recovery;
use crate::schedulers::fair;
use crate::settings::{self, DaemonSettings, HostPort};
use crate::state::{Identity, Parts, Shared};
use daemon_shell::{Clock, wall_millis};

/// How often to look whether the system directory is still ours.
const FENCE_EVERY: Duration = Duration::from_secs(1);

/// Why the JobTracker does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The configuration is wrong.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// The default file system cannot be used.
    #[error(transparent)]
    Storage(#[from] StorageSetupError),
    /// The system directory's name cannot be used.
    #[error(transparent)]
    SystemDirectoryName(#[from] StorageError),
    /// The system directory cannot be used.
    #[error("{0}")]
    SystemDirectory(String),
    /// A port cannot be listened on.
    #[error(
        "{key} is \"{address}\", where nobody can listen: {problem}; stop what listens there, or set another address"
    )]
    Listen {
        /// The key that names it.
        key: &'static str,
        /// The address.
        address: String,
        /// What the system says.
        problem: std::io::Error,
    },
    /// The system does not give what a daemon needs.
    #[error("cannot start: {0}")]
    System(#[from] std::io::Error),
}

/// Reads the site's configuration: its files, and the queues'.
pub fn load_configuration(conf_dir: &Path, system: Vec<(String, String)>) -> Result<Configuration, ConfigError> {
    let mut conf = configuration::load(conf_dir, &Overrides { system, ..Overrides::default() })?;
    settings::add_queue_files(&mut conf, conf_dir)?;
    Ok(conf)
}

/// A JobTracker that serves. Dropping it stops it.
pub struct Daemon {
    rpc: SocketAddr,
    http: SocketAddr,
    tasks: Vec<JoinHandle<()>>,
    fenced: Arc<Notify>,
    /// Nobody else may use the system directory meanwhile.
    _lock: Option<DirectoryLock>,
}

impl Daemon {
    /// Waits until another JobTracker has taken over the system directory; this one has stopped then.
    pub async fn fenced(&self) {
        self.fenced.notified().await;
    }

    /// Where it serves RPC.
    pub fn rpc_address(&self) -> SocketAddr {
        self.rpc
    }

    /// Where it serves pages.
    pub fn http_address(&self) -> SocketAddr {
        self.http
    }
}

impl Daemon {
    /// Stops everything once the system directory is another's.
    fn watch_fence(&mut self, journal: Arc<Journal>) {
        let others: Vec<AbortHandle> = self.tasks.iter().map(JoinHandle::abort_handle).collect();
        let fenced = self.fenced.clone();
        self.tasks.push(tokio::spawn(async move {
            while journal.is_ours() {
                tokio::time::sleep(FENCE_EVERY).await;
            }
            tracing::error!("another JobTracker has taken over the system directory; this one stops");
            others.iter().for_each(AbortHandle::abort);
            fenced.notify_one();
        }));
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Starts a JobTracker; it serves when this returns. `conf_dir` is where refreshes read the site's files again.
pub async fn start(mut conf: Configuration, conf_dir: Option<PathBuf>) -> Result<Daemon, StartError> {
    let mut settings = settings::read(&conf)?;
    let allocation_file = fair::add_allocations(&conf, conf_dir.as_deref(), &mut settings.core.scheduler)?;
    settings::tell_what_is_missing(&conf);
    let storage = Storage::from_configuration(&conf)?;
    let system_directory = SystemDirectory::new(&storage, &settings.system_dir)?;
    std::fs::create_dir_all(&settings.log_dir)?;
    let user = user_name(&conf);

    let (rpc_listener, rpc) = listen(keys::MAPRED_JOB_TRACKER.name(), &settings.rpc).await?;
    let (http_listener, http) = listen(keys::MAPRED_JOB_TRACKER_HTTP_ADDRESS.name(), &settings.http).await?;
    conf.set_key(&keys::MAPRED_JOB_TRACKER, format!("{}:{}", settings.rpc.host, rpc.port()));
    conf.set_key(&keys::MAPRED_JOB_TRACKER_HTTP_ADDRESS, format!("{}:{}", settings.http.host, http.port()));

    let started = wall_millis();
    let identity = Identity {
        identifier: chrono::Local::now().format("%Y%m%d%H%M").to_string().into(),
        started,
        user,
        host: settings.rpc.host.clone(),
        rpc_port: rpc.port(),
        http_port: http.port(),
    };
    let history = HistoryWriter::start(storage.clone(), history_settings(&settings, &identity))?;
    let (handle, requests) = CoreHandle::new();
    let parts = Parts { core: handle, settings, identity, storage, system_directory, conf, conf_dir };
    let shared = Arc::new(Shared::new(parts));
    if shared.settings.authorization {
        shared.service_acls.read(&shared.conf(), shared.conf_dir.as_deref())?;
    }
    let server = Server::on(rpc_listener, Arc::new(Handlers::new(shared.clone())), server_options(&shared.identity));
    let mut daemon = Daemon { rpc, http, tasks: Vec::new(), fenced: Arc::default(), _lock: None };
    daemon.tasks.push(tokio::spawn(server.run()));
    daemon.tasks.push(tokio::spawn(http::serve(http_listener, shared.clone())));

    // From here on calls are answered with "not yet", as they may come from trackers that outlived the last one.
    let prepared = recovery::prepare(&shared).await?;
    let core_identity = jobtracker_core::Identity {
        identifier: shared.identity.identifier.clone(),
        user: shared.identity.user.clone(),
        started,
        first_job: prepared.first_job,
    };
    let clock = Clock::start();
    let (mut core, resumed, lock) = recovery::resume(&shared, core_identity, clock.now(), prepared)?;
    daemon._lock = Some(lock);
    let mut effects = Effects::new(shared.clone(), history);
    resumed.start_effects(&mut effects, core.take_effects());
    let keeping = shared.clone();
    let keep = move |core: &mut JobTracker| keep(&keeping, core);
    let driver = Driver::new(core, clock, requests, move |effect| effects.start(effect), keep);
    daemon.tasks.push(tokio::spawn(driver.run()));
    if let Some(file) = allocation_file {
        daemon.tasks.push(tokio::spawn(fair::watch(shared.clone(), file)));
    }
    daemon.tasks.push(tokio::spawn(shared.journal.clone().run()));
    daemon.tasks.push(tokio::spawn(resumed.submit_again(shared.clone())));
    daemon.watch_fence(shared.journal.clone());
    shared.set_running();
    tracing::info!(
        identifier = &*shared.identity.identifier,
        system_dir = %shared.system_directory.path(),
        "jobtracker: RPC at {rpc}, HTTP at {http}"
    );
    Ok(daemon)
}

/// Keeps what a restart must know, before anybody is answered.
fn keep(shared: &Shared, core: &mut JobTracker) {
    shared.journal.keep(core.take_records());
    if shared.journal.has_grown() {
        shared.tokens.with_state(|tokens| shared.journal.shrink(|| core.cluster_records(), tokens));
    }
}

/// The user this process runs as.
fn user_name(conf: &Configuration) -> String {
    let by_number = nix::unistd::User::from_uid(nix::unistd::geteuid()).ok().flatten().map(|user| user.name);
    by_number.or_else(|| conf.system_property(keys::USER_NAME.name()).map(str::to_owned)).unwrap_or_default()
}

/// Listens at an address. A host with several addresses is listened to at its first of version 4, as Java does where
/// peers may know no other.
async fn listen(key: &'static str, address: &HostPort) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |problem| StartError::Listen { key, address: address.to_string(), problem };
    let mut found: Vec<SocketAddr> =
        tokio::net::lookup_host((address.host.as_str(), address.port)).await.map_err(failed)?.collect();
    found.sort_by_key(SocketAddr::is_ipv6);
    let listener = TcpListener::bind(found.as_slice()).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

fn history_settings(settings: &DaemonSettings, identity: &Identity) -> HistorySettings {
    HistorySettings {
        running: settings.history_dir.clone(),
        done: settings.history_done_dir.clone(),
        tracker: format!("{}_{}_", identity.host, identity.started),
        log_dir: settings.log_dir.clone(),
        ages: settings.history_ages,
    }
}

fn server_options(identity: &Identity) -> ServerOptions {
    let Identity { host, rpc_port, http_port, .. } = identity;
    ServerOptions {
        about: format!(
            "{host}:{rpc_port} is a MapReduce JobTracker, which speaks Hadoop RPC version 4 (Hadoop 1.x); its pages \
             are at http://{host}:{http_port}/."
        ),
        ..ServerOptions::default()
    }
}
