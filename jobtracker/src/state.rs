//! What handlers, effects and pages share beside the core: the way to it, the site's configuration, and the services of
//! the shell.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use configuration::Configuration;
use storage::{Path, Storage};
use types::{JobId, Millis, RemoteException};

use crate::child_choices::ChildChoices;
use crate::delegation_tokens::DelegationTokens;
use crate::driver::CoreHandle;
use crate::effects::system_directory::SystemDirectory;
use crate::groups::Groups;
use crate::handlers::held_events::Watchers;
use crate::journal::Journal;
use crate::racks::Racks;
use crate::service_acls::ServiceAcls;
use crate::settings::DaemonSettings;

/// 1.2.1's build, which its TaskTrackers compare with their own, letter by letter.
pub(crate) const BUILD_VERSION: &str = "1.2.1 from 1503152 by mattf source checksum 6923c86528809c4e7e6f493b6b413a9a";
/// 1.2.1's version.
pub(crate) const VERSION: &str = "1.2.1";

/// Who this JobTracker is, once its ports are known.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// `yyyyMMddHHmm` of its start.
    pub(crate) identifier: Arc<str>,
    /// When it started.
    pub(crate) started: Millis,
    /// The user it runs as.
    pub(crate) user: String,
    /// Its host as clients know it.
    pub(crate) host: String,
    /// Its port for RPC.
    pub(crate) rpc_port: u16,
    /// Its port for pages.
    pub(crate) http_port: u16,
}

impl Identity {
    /// The address of a job's page.
    pub(crate) fn job_url(&self, job: &JobId) -> String {
        format!("http://{}:{}/jobdetails.jsp?jobid={job}", self.host, self.http_port)
    }
}

/// What the shell knows of a job while it is not over.
#[derive(Debug, Clone)]
pub(crate) struct JobFiles {
    /// Its staging directory.
    pub(crate) submit_dir: Path,
    /// Its `job.xml` as the client wrote it.
    pub(crate) conf: Arc<Vec<u8>>,
    /// Where the user's copy of its history goes.
    pub(crate) user_history: Option<Path>,
}

/// Shared by all tasks of the daemon.
pub(crate) struct Shared {
    pub(crate) core: CoreHandle,
    pub(crate) settings: DaemonSettings,
    pub(crate) identity: Identity,
    pub(crate) storage: Storage,
    pub(crate) system_directory: SystemDirectory,
    pub(crate) journal: Arc<Journal>,
    pub(crate) groups: Groups,
    pub(crate) racks: Racks,
    pub(crate) tokens: DelegationTokens,
    pub(crate) service_acls: ServiceAcls,
    pub(crate) watchers: Watchers,
    pub(crate) child_choices: ChildChoices,
    /// What is wrong with the fair scheduler's allocation file, if anything is.
    allocation_problem: Mutex<Option<String>>,
    /// The directory of site files, for refreshes; none where the configuration did not come from one.
    pub(crate) conf_dir: Option<PathBuf>,
    conf: RwLock<Arc<Configuration>>,
    jobs: Mutex<HashMap<JobId, JobFiles>>,
    running: AtomicBool,
    /// Why the last refresh of the queues failed, if it did.
    queue_problem: Mutex<Option<String>>,
}

/// The parts of a [`Shared`] that its makers hand in.
pub(crate) struct Parts {
    pub(crate) core: CoreHandle,
    pub(crate) settings: DaemonSettings,
    pub(crate) identity: Identity,
    pub(crate) storage: Storage,
    pub(crate) system_directory: SystemDirectory,
    pub(crate) conf: Configuration,
    pub(crate) conf_dir: Option<PathBuf>,
}

impl Shared {
    pub(crate) fn new(parts: Parts) -> Shared {
        let Parts { core, settings, identity, storage, system_directory, conf, conf_dir } = parts;
        let journal = Arc::new(Journal::new(system_directory.local_root().to_owned()));
        let tokens = DelegationTokens::new(settings.token_renewal, settings.token_life);
        tokens.keep_in(journal.clone());
        Shared {
            journal,
            tokens,
            groups: Groups::new(settings.groups_kept),
            racks: Racks::new(settings.rack_script.clone(), settings.rack_script_hosts),
            service_acls: ServiceAcls::off(),
            watchers: Watchers::default(),
            child_choices: ChildChoices::default(),
            allocation_problem: Mutex::default(),
            conf: RwLock::new(Arc::new(conf)),
            jobs: Mutex::default(),
            running: AtomicBool::new(false),
            queue_problem: Mutex::default(),
            core,
            settings,
            identity,
            storage,
            system_directory,
            conf_dir,
        }
    }

    /// The site's configuration as it was last read.
    pub(crate) fn conf(&self) -> Arc<Configuration> {
        self.conf.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the site's configuration.
    pub(crate) fn set_conf(&self, conf: Configuration) {
        *self.conf.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(conf);
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, JobFiles>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a job that is not over.
    pub(crate) fn job_files(&self, job: &JobId) -> Option<JobFiles> {
        self.jobs().get(job).cloned()
    }

    /// Remembers a job's files.
    pub(crate) fn remember_job(&self, job: JobId, files: JobFiles) {
        self.jobs().insert(job, files);
    }

    /// Forgets a job's files.
    pub(crate) fn forget_job(&self, job: &JobId) -> Option<JobFiles> {
        self.jobs().remove(job)
    }

    /// Why the last refresh of the queues failed, if it did.
    pub(crate) fn queue_problem(&self) -> Option<String> {
        self.queue_problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes how a refresh of the queues went.
    pub(crate) fn set_queue_problem(&self, problem: Option<String>) {
        *self.queue_problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    }

    /// What is wrong with the fair scheduler's allocation file, if anything is.
    pub(crate) fn allocation_problem(&self) -> Option<String> {
        self.allocation_problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes what is wrong with it; whether that is news.
    pub(crate) fn set_allocation_problem(&self, problem: Option<String>) -> bool {
        let mut known = self.allocation_problem.lock().unwrap_or_else(PoisonError::into_inner);
        let news = *known != problem;
        *known = problem;
        news
    }

    /// Lets clients in.
    pub(crate) fn set_running(&self) {
        self.running.store(true, Ordering::Release);
    }

    /// Whether start-up is over.
    pub(crate) fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    /// Refuses clients until start-up is over (Hadoop 1.2.1: JobTracker.checkJobTrackerState).
    pub(crate) fn check_running(&self) -> Result<(), RemoteException> {
        if self.is_running() {
            return Ok(());
        }
        Err(RemoteException::new(types::ExceptionKind::NotYetInitialized, "JobTracker is not yet RUNNING"))
    }

    /// Whom a call came from, with groups.
    pub(crate) async fn caller(&self, caller: &rpc::server::Caller) -> jobtracker_core::Caller {
        jobtracker_core::Caller {
            user: short_name(&caller.user).to_owned(),
            groups: self.groups.of(short_name(&caller.user)).await,
            address: caller.address.ip().to_string(),
        }
    }
}

/// The short form of `user/host@REALM`.
pub(crate) fn short_name(user: &str) -> &str {
    user.split(['/', '@']).next().unwrap_or(user)
}
