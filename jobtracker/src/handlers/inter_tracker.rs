//! InterTrackerProtocol: TaskTrackers, and the call by which ones of ours wait for work.

use std::sync::Arc;
use std::time::Duration;

use jobtracker_core::Heartbeat;
use types::RemoteException;
use wire::ipc::GetProtocolVersion;
use wire::mapred::inter_tracker::{self, Call};

use super::{Answer, protocol_version, reply};
use crate::driver::until_wanted;
use crate::state::{BUILD_VERSION, Shared, VERSION};

/// A tracker of ours names itself after this, where a protocol's name is expected. Hadoop's JobTracker answers with an
/// error then, and the tracker knows its peer.
const WAITING_TRACKER: &str = "howdah.tracker.1:";
/// The features of this JobTracker: 1, it holds such a call until there is work.
const FEATURES: i64 = 1;
/// How long such a call is held. The tracker beats meanwhile at its own interval, so an answer for the clock's sake would
/// only bring one heartbeat more; a minute is well below any time-out on the way.
const HOLD_MAX: Duration = Duration::from_secs(60);

/// Answers one call.
pub(super) async fn answer(shared: &Arc<Shared>, call: Call) -> Answer {
    match call {
        Call::GetProtocolVersion(call) => match call.protocol.strip_prefix(WAITING_TRACKER) {
            Some(tracker) => wait_for_work(shared, &call, tracker).await,
            None => protocol_version(&call),
        },
        Call::Heartbeat(call) => heartbeat(shared, call).await,
        Call::GetFilesystemName(call) => reply(&call, super::file_system_name(shared)),
        Call::ReportTaskTrackerError(call) => {
            let (tracker, error_class) = (&call.tracker, call.error_class.as_deref().unwrap_or(""));
            tracing::warn!(tracker, error_class, message = call.message, "a tracker reports trouble with itself");
            reply(&call, ())
        }
        Call::GetTaskCompletionEvents(call) => {
            let (job, from, max) = (call.job.clone(), call.from, call.max);
            reply(&call, shared.core.ask(move |core, _| core.completion_events(&job, from, max)).await?)
        }
        Call::GetSystemDir(call) => reply(&call, system_dir(shared).await?),
        Call::GetBuildVersion(call) => reply(&call, BUILD_VERSION.to_owned()),
        Call::GetViVersion(call) => reply(&call, VERSION.to_owned()),
    }
}

/// The system directory; none while it is not ready, or in safe mode: trackers ask again then.
pub(super) async fn system_dir(shared: &Shared) -> Result<Option<String>, RemoteException> {
    if !shared.is_running() || shared.core.ask(|core, _| core.safe_mode()).await? {
        return Ok(None);
    }
    Ok(Some(shared.system_directory.path().to_string()))
}

async fn heartbeat(shared: &Arc<Shared>, call: inter_tracker::Heartbeat) -> Answer {
    let rack = rack_of(shared, &call.status.host).await;
    let inter_tracker::Heartbeat { status, restarted, initial_contact, accept_new_tasks, response_id } = call.clone();
    if initial_contact {
        tracing::info!(tracker = status.name, rack, "tracker registers");
    }
    let beat = Heartbeat { status, restarted, initial_contact, accept_new_tasks, response_id, rack };
    match shared.core.ask(move |core, now| core.heartbeat(now, beat)).await? {
        Ok(response) => reply(&call, response),
        Err(error) => {
            tracing::warn!(tracker = call.status.name, %error, "heartbeat refused");
            Err(error.exception())
        }
    }
}

/// The rack of a host; a script is waited for on a thread of its own.
async fn rack_of(shared: &Arc<Shared>, host: &str) -> String {
    if !shared.racks.must_ask(host) {
        return shared.racks.of(host);
    }
    let (asking, host) = (shared.clone(), host.to_owned());
    let asked = tokio::task::spawn_blocking(move || asking.racks.of(&host)).await;
    asked.unwrap_or_else(|_| crate::racks::DEFAULT_RACK.to_owned())
}

/// Answers once a heartbeat of that tracker would bring it something.
async fn wait_for_work(shared: &Shared, call: &GetProtocolVersion, tracker: &str) -> Answer {
    until_wanted(&shared.core, tracker.to_owned(), HOLD_MAX).await?;
    reply(call, FEATURES)
}
