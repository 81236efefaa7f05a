//! A tracker between two initializations: its servers, its core, what carries out the core's wishes (Hadoop 1.2.1:
//! TaskTracker.initialize, close).

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use configuration::keys;
use rpc::server::{Server, ServerOptions};
use tasktracker_core::{TaskTracker, View};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use types::TaskAttemptId;

use crate::cgroups::Cgroups;
use crate::class_data::{CLASS_DATA, ClassData};
use crate::daemon::{Ports, Site, StartError};
use crate::driver::{CoreHandle, Driver, hold};
use crate::effects::{Effects, Tools};
use crate::heartbeat_loop::{Ended, HeartbeatLoop};
use crate::http::{HttpServer, Services, Tracker};
use crate::job_tracker::JobTracker;
use crate::launcher::{Launcher, Programs};
use crate::localizer::{LocalDirs, Localizer, check_local_dirs};
use crate::memory_watch;
use crate::node::{DISK_CHECK_EVERY, Disks, Machine, join};
use crate::node_health::NodeHealth;
use crate::resources::Resources;
use crate::task_controller::{DefaultTaskController, LinuxTaskController, TaskController};
use crate::umbilical_server::UmbilicalServer;
use crate::user_logs::UserLogs;

/// How long killed children may take to be gone beyond the site's delay before SIGKILL.
const CHILDREN_GONE_MAX: Duration = Duration::from_secs(2);

/// A tracker between two initializations: everything that starting over replaces.
pub(crate) struct Session {
    pub(crate) name: String,
    pub(crate) umbilical: SocketAddr,
    core: CoreHandle,
    job_tracker: Arc<JobTracker>,
    now: Arc<Notify>,
    localizer: Arc<Localizer>,
    http: Arc<HttpServer>,
    sigkill_delay: Duration,
    health: Option<Arc<NodeHealth>>,
    tasks: Vec<JoinHandle<()>>,
}

impl Session {
    /// Makes all of it; `restarted` says that the process is new.
    ///
    /// # Errors
    /// If no local directory works, or a value of the site is wrong.
    pub(crate) async fn start(site: &Site, ports: Ports, restarted: bool) -> Result<Session, StartError> {
        let settings = &site.settings;
        let (core, requests) = CoreHandle::new();
        if let Some(program) = &settings.task_controller {
            LinuxTaskController::check(program)?;
        }
        let (good, _) = check_local_dirs(&settings.local_dirs);
        if good.is_empty() {
            return Err(StartError::LocalDirs { dirs: join(&settings.local_dirs) });
        }
        let dirs = Arc::new(LocalDirs::new(good));
        let users = settings.task_controller.clone();
        let users = users.map(|program| Arc::new(LinuxTaskController::new(program, dirs.clone())));
        let logs = Arc::new(UserLogs::new(&settings.log_dir, dirs.clone())?.as_users(users.clone()));
        if restarted {
            logs.adopt(site.clock.now().mono.0 + settings.log_retain);
        }
        let localizer = Localizer::new(site.conf.clone(), site.storage.clone(), dirs.clone(), logs.clone())?;
        let localizer = localizer.as_users(users.clone());
        localizer.wipe()?;
        let localizer = Arc::new(localizer);

        let umbilical = ports.umbilical.local_addr().map_err(StartError::Socket)?;
        let name = format!("tracker_{}:{}", settings.host, java_address(umbilical));
        let sizes = Arc::new(|job: &types::JobId, sizes: &[i64]| {
            tracing::debug!(%job, ?sizes, "sizes of private cache files");
        });
        let server = UmbilicalServer::new(core.clone(), sizes);
        let about = ServerOptions {
            about: "This is the umbilical port of a TaskTracker (Hadoop RPC version 4), for its own children.".into(),
            ..ServerOptions::default()
        };
        let server = Server::on(ports.umbilical, Arc::new(server), about);
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
        let http = Arc::new(HttpServer::start(ports.http, services).map_err(StartError::Socket)?);
        own.http_port = i32::from(http.port());
        let indexes = Arc::downgrade(&http);
        let job_tracker = Arc::new(JobTracker::new(&settings.job_tracker, &settings.user));
        let now = Arc::new(Notify::new());
        // Children of different users must not feed each other's archives.
        let class_data = Arc::new(ClassData::new(
            settings.class_data && users.is_none(),
            dirs.all().first().map(|dir| dir.join(CLASS_DATA)),
        ));
        if restarted && site.conf.get(&keys::HOWDAH_TASKTRACKER_PRESERVE)? {
            let key = keys::HOWDAH_TASKTRACKER_PRESERVE.name();
            tracing::warn!(key, "a restarted tracker does not find its children again yet: it starts anew");
        }
        let cgroups = settings.cgroups.then(Cgroups::open).transpose()?;
        let tools = Tools {
            core: core.clone(),
            clock: site.clock,
            localizer: localizer.clone(),
            launcher: Launcher::new(Programs::find(), &settings.log_dir, umbilical, class_data),
            controller: match users {
                Some(users) => users as Arc<dyn TaskController>,
                None => Arc::new(DefaultTaskController),
            },
            logs,
            log_sizes: settings.log_sizes,
            cgroups,
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
        tasks.push(tokio::spawn(memory_watch::watch(core.clone(), settings.memory_check)));
        let health = NodeHealth::read(&site.conf, site.clock)?;
        if let Some(health) = &health {
            tasks.push(tokio::spawn(health.clone().check_for_ever(site.clock)));
        }
        let sigkill_delay = settings.core.sigkill_delay;
        Ok(Session { name, umbilical, core, job_tracker, now, localizer, http, sigkill_delay, health, tasks })
    }

    /// Where its pages are.
    pub(crate) fn http_address(&self) -> SocketAddr {
        self.http.address()
    }

    /// Beats until the session is over.
    pub(crate) async fn serve(&self, site: &Site) -> Ended {
        let check_every = site.conf.duration(&keys::MAPRED_DISK_HEALTH_CHECKER_INTERVAL).unwrap_or(DISK_CHECK_EVERY);
        let names = site.settings.local_dirs.clone();
        let node = Machine {
            resources: Resources::new(site.settings.map_slot_mb, site.settings.reduce_slot_mb),
            disks: Disks::new(self.localizer.clone(), self.core.clone(), names, check_every),
            health: self.health.clone(),
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
    pub(crate) async fn close(mut self) -> SocketAddr {
        self.core.tell(|core, now| core.stop(now));
        let most = self.sigkill_delay + CHILDREN_GONE_MAX;
        let _ = hold(&self.core, most, |core, _| (!core.has_children()).then_some(())).await;
        self.job_tracker.close().await;
        for task in std::mem::take(&mut self.tasks) {
            task.abort();
            // The next session listens at the same port, if the site names one.
            let _ = task.await;
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

/// An address as Java prints it: `name/ip:port`.
fn java_address(address: SocketAddr) -> String {
    let ip = address.ip();
    let name = if ip.is_loopback() { "localhost".to_owned() } else { ip.to_string() };
    format!("{name}/{ip}:{}", address.port())
}
