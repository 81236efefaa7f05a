//! The JobTracker as its clients see it: connected, its version checked, its errors told apart.

use std::time::Duration;

use configuration::keys;
use rpc::ClientOptions;
use rpc::blocking::Client;
use wire::ipc::{GetProtocolVersion, Method};
use wire::mapred::job_submission;

use crate::error::CliError;
use crate::session::Session;

/// What `mapred.job.tracker` says where there is no JobTracker.
const LOCAL: &str = "local";

/// One protocol of a JobTracker.
pub(crate) struct JobTracker {
    client: Client,
}

/// Whether the configuration names no JobTracker.
pub(crate) fn is_local(session: &Session) -> Result<bool, CliError> {
    Ok(session.conf.get(&keys::MAPRED_JOB_TRACKER)? == LOCAL)
}

impl JobTracker {
    /// Connects for the protocol of jobs.
    pub(crate) fn connect(session: &Session) -> Result<JobTracker, CliError> {
        Self::connect_for(session, job_submission::NAME, job_submission::VERSION)
    }

    /// Connects for a protocol and checks its version.
    pub(crate) fn connect_for(session: &Session, protocol: &'static str, ours: i64) -> Result<JobTracker, CliError> {
        if is_local(session)? {
            return Err(CliError::NoJobTracker);
        }
        let address = session.conf.get(&keys::MAPRED_JOB_TRACKER)?;
        let client = Client::new(&address, protocol, client_options(session)?);
        let theirs = client.call(&GetProtocolVersion { protocol: protocol.to_owned(), client_version: ours })?;
        if theirs != ours {
            return Err(CliError::Version { address, protocol, ours, theirs });
        }
        Ok(JobTracker { client })
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> &str {
        self.client.address()
    }

    /// Calls a method.
    pub(crate) fn call<M: Method>(&self, method: &M) -> Result<M::Reply, CliError> {
        Ok(self.client.call(method)?)
    }
}

fn client_options(session: &Session) -> Result<ClientOptions, CliError> {
    let conf = &session.conf;
    let mut options = ClientOptions::for_user(&session.user);
    options.connect_retries = conf.get(&keys::IPC_CLIENT_CONNECT_MAX_RETRIES)?.try_into().unwrap_or(0);
    options.ping_interval = conf.duration(&keys::IPC_PING_INTERVAL)?.max(Duration::from_secs(1));
    Ok(options)
}
