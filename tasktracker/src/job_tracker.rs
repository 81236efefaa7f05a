//! The JobTracker as this tracker sees it: versions, system directory, heartbeats, completion events, and the call by
//! which a JobTracker of ours tells that there is work (DESIGN.md, D7).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rpc::client::Client;
use rpc::{CallError, ClientOptions};
use tasktracker_core::Heartbeat;
use types::{HeartbeatResponse, JobId, TaskCompletionEvent};
use wire::ipc::GetProtocolVersion;
use wire::mapred::inter_tracker::{self, GetBuildVersion, GetSystemDir, GetTaskCompletionEvents, GetViVersion};

/// The version whose peers this tracker is one of.
const VERSION: &str = "1.2.1";
/// The build of Apache's release: a JobTracker of another build refuses, and is refused.
const BUILD_VERSION: &str = "1.2.1 from 1503152 by mattf source checksum 6923c86528809c4e7e6f493b6b413a9a";
/// What marks a tracker of ours, where a protocol's name is expected.
const WAITING_TRACKER: &str = "howdah.tracker.1:";
/// What of the above this tracker understands.
const FEATURES: i64 = 1;
/// How long to wait before a JobTracker without a system directory is asked again.
const NO_SYSTEM_DIR_PAUSE: Duration = Duration::from_secs(1);
/// Beyond the longest that a JobTracker holds a call.
const HELD_MAX: Duration = Duration::from_secs(600);

/// How strictly versions must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VersionCheck {
    /// Only the version need be the same.
    pub(crate) relaxed: bool,
    /// Nothing need be the same.
    pub(crate) skip: bool,
}

/// The JobTracker.
pub(crate) struct JobTracker {
    calls: Client,
    /// Held calls have a connection of their own, so that nothing waits behind them.
    held: Client,
    system_dir: Mutex<storage::Path>,
}

/// Why a tracker may not serve this JobTracker.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Contact {
    /// Versions differ.
    #[error("{0}")]
    Version(String),
    /// It was not reached, or answered with an error.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It has no usable system directory.
    #[error("the JobTracker's system directory is no path: {0}")]
    SystemDir(String),
}

impl JobTracker {
    /// A JobTracker at `host:port`; nothing is connected yet.
    pub(crate) fn new(address: &str, user: &str) -> JobTracker {
        let client = || Client::new(address, inter_tracker::NAME, ClientOptions::for_user(user));
        JobTracker { calls: client(), held: client(), system_dir: Mutex::new(storage::Path::local("/")) }
    }

    /// Where it is.
    pub(crate) fn address(&self) -> &str {
        self.calls.address()
    }

    /// Where it keeps the tokens of jobs.
    pub(crate) fn system_dir(&self) -> storage::Path {
        self.system_dir.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a tracker does before its first heartbeat (Hadoop 1.2.1: TaskTracker.offerService).
    pub(crate) async fn greet(&self, tracker: &str, check: VersionCheck) -> Result<(), Contact> {
        let hello =
            GetProtocolVersion { protocol: inter_tracker::NAME.to_owned(), client_version: inter_tracker::VERSION };
        let protocol_version = self.calls.call(&hello).await?;
        if protocol_version != inter_tracker::VERSION {
            let ours = inter_tracker::VERSION;
            return Err(Contact::Version(format!(
                "the JobTracker speaks version {protocol_version} of InterTrackerProtocol, this TaskTracker version {ours}"
            )));
        }
        let build = self.calls.call(&GetBuildVersion {}).await?;
        let version = self.calls.call(&GetViVersion {}).await?;
        if !permitted(&build, &version, check) {
            let text = mismatch(&build, &version, check);
            self.report_error(tracker, None, &text).await;
            return Err(Contact::Version(text));
        }
        let dir = loop {
            match self.calls.call(&GetSystemDir {}).await? {
                Some(dir) => break dir,
                None => tokio::time::sleep(NO_SYSTEM_DIR_PAUSE).await,
            }
        };
        let path = storage::Path::parse(&dir).map_err(|_| Contact::SystemDir(dir))?;
        *self.system_dir.lock().unwrap_or_else(PoisonError::into_inner) = path;
        Ok(())
    }

    /// Tells the JobTracker why this tracker gives up; that it may not be heard does not matter.
    pub(crate) async fn report_error(&self, tracker: &str, class: Option<&str>, text: &str) {
        let call = inter_tracker::ReportTaskTrackerError {
            tracker: tracker.to_owned(),
            error_class: class.map(str::to_owned),
            message: text.to_owned(),
        };
        if let Err(error) = self.calls.call_within(&call, Duration::from_secs(5)).await {
            tracing::info!(%error, "cannot tell the JobTracker of trouble");
        }
    }

    pub(crate) async fn heartbeat(&self, beat: Heartbeat) -> Result<HeartbeatResponse, CallError> {
        let Heartbeat { status, restarted, initial_contact, accept_new_tasks, response_id } = beat;
        let call = inter_tracker::Heartbeat { status, restarted, initial_contact, accept_new_tasks, response_id };
        self.calls.call(&call).await
    }

    /// A job's completion events.
    pub(crate) async fn map_events(
        &self,
        job: &JobId,
        from: i32,
        max: i32,
    ) -> Result<Vec<TaskCompletionEvent>, CallError> {
        self.calls.call(&GetTaskCompletionEvents { job: job.clone(), from, max }).await
    }

    /// Returns when a JobTracker of ours has work for this tracker, or has waited a heartbeat's interval. Hadoop's
    /// answers with an error.
    pub(crate) async fn wait_for_work(&self, tracker: &str) -> Result<(), CallError> {
        let call = GetProtocolVersion { protocol: format!("{WAITING_TRACKER}{tracker}"), client_version: FEATURES };
        self.held.call_within(&call, HELD_MAX).await.map(|_| ())
    }

    pub(crate) async fn close(&self) {
        self.calls.close().await;
        self.held.close().await;
    }
}

/// Hadoop 1.2.1: TaskTracker.isPermittedVersion.
fn permitted(build: &str, version: &str, check: VersionCheck) -> bool {
    check.skip || build == BUILD_VERSION || (check.relaxed && version == VERSION)
}

fn mismatch(build: &str, version: &str, check: VersionCheck) -> String {
    let state = |on| if on { "enabled" } else { "not enabled" };
    format!(
        "Shutting down. Incompatible version or build version.TaskTracker version '{VERSION}' and build \
         '{BUILD_VERSION}' and JobTracker version '{version}' and build '{build} and {relaxed} is {} and {skip} is {}",
        state(check.relaxed),
        state(check.skip),
        relaxed = configuration::keys::HADOOP_RELAXED_WORKER_VERSION_CHECK.name(),
        skip = configuration::keys::HADOOP_SKIP_WORKER_VERSION_CHECK.name(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_must_agree_unless_the_site_says_otherwise() {
        let check =
            |build: &str, version: &str, relaxed, skip| permitted(build, version, VersionCheck { relaxed, skip });
        assert!(check(BUILD_VERSION, VERSION, false, false));
        assert!(!check("1.2.1 from here", VERSION, false, false));
        assert!(check("1.2.1 from here", VERSION, true, false));
        assert!(!check("1.2.2 from here", "1.2.2", true, false));
        assert!(check("1.2.2 from here", "1.2.2", false, true));
    }
}
