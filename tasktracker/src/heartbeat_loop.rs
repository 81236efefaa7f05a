//! Beats: every interval, and at once when something happened or the JobTracker says that it has work (Hadoop 1.2.1:
//! TaskTracker.offerService).

use std::sync::Arc;
use std::time::Duration;

use rpc::CallError;
use tasktracker_core::{Answered, NodeReport};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use types::ExceptionKind;

use daemon_shell::Stopped;

use crate::driver::CoreHandle;
use crate::job_tracker::{Contact, JobTracker, VersionCheck};

/// How long to wait after the JobTracker was not reached.
const LOST_PAUSE: Duration = Duration::from_secs(1);
/// Between two early heartbeats, so that a peer that keeps calling cannot make this a busy loop.
const EARLY_PAUSE: Duration = Duration::from_millis(5);

/// Why the beating ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The tracker is to forget everything and register anew.
    Stale,
    /// It may not serve this JobTracker.
    Denied(String),
}

/// Measures the node before a heartbeat.
pub(crate) trait Node: Send {
    /// What the next heartbeat says of the node; an error if the tracker must start over or end.
    fn report(&mut self) -> Result<NodeReport, Ended>;
}

/// All that beating needs.
pub(crate) struct HeartbeatLoop {
    pub(crate) core: CoreHandle,
    pub(crate) job_tracker: Arc<JobTracker>,
    pub(crate) tracker: String,
    pub(crate) check: VersionCheck,
    /// Asks for a heartbeat at once.
    pub(crate) now: Arc<Notify>,
}

impl HeartbeatLoop {
    /// Beats until the tracker must start over or end.
    pub(crate) async fn run(self, mut node: Box<dyn Node>) -> Ended {
        match self.greet().await {
            Ok(()) => (),
            Err(ended) => return ended,
        }
        let (beats, beaten) = watch::channel(0_u64);
        let waiting =
            tokio::spawn(wait_for_work(self.job_tracker.clone(), self.tracker.clone(), self.now.clone(), beaten));
        let ended = loop {
            let started = Instant::now();
            let pause = match self.beat(&mut *node).await {
                Ok(interval) => {
                    beats.send_modify(|count| *count += 1);
                    interval
                }
                Err(Trouble::Ended(ended)) => break ended,
                Err(Trouble::Lost) => LOST_PAUSE,
            };
            tokio::time::sleep(EARLY_PAUSE).await;
            tokio::select! {
                () = tokio::time::sleep_until(started + pause) => (),
                () = self.now.notified() => (),
            }
        };
        waiting.abort();
        ended
    }

    async fn greet(&self) -> Result<(), Ended> {
        loop {
            match self.job_tracker.greet(&self.tracker, self.check).await {
                Ok(()) => return Ok(()),
                Err(Contact::Call(error)) => {
                    tracing::warn!(job_tracker = self.job_tracker.address(), %error, "the JobTracker is not there yet");
                    tokio::time::sleep(LOST_PAUSE).await;
                }
                Err(refusal) => return Err(Ended::Denied(refusal.to_string())),
            }
        }
    }

    /// One heartbeat and its answer; the interval until the next.
    async fn beat(&self, node: &mut dyn Node) -> Result<Duration, Trouble> {
        let report = node.report().map_err(Trouble::Ended)?;
        let beat = self.core.ask(move |core, now| core.heartbeat(now, &report)).await?;
        let response = self.job_tracker.heartbeat(beat).await.map_err(|error| trouble(&error))?;
        tracing::debug!(response_id = response.response_id, actions = response.actions.len(), "heartbeat answered");
        for action in &response.actions {
            log_action(action);
        }
        let answered = self.core.ask(move |core, now| {
            let answered = core.heartbeat_answered(now, response);
            (answered, core.heartbeat_interval())
        });
        match answered.await? {
            (Answered::GoOn, interval) => Ok(interval),
            (Answered::Reinitialize, _) => {
                tracing::warn!("the JobTracker does not know this tracker: it starts over");
                Err(Trouble::Ended(Ended::Stale))
            }
        }
    }
}

enum Trouble {
    Lost,
    Ended(Ended),
}

impl From<Stopped> for Trouble {
    fn from(stopped: Stopped) -> Self {
        Trouble::Ended(Ended::Denied(stopped.to_string()))
    }
}

fn trouble(error: &CallError) -> Trouble {
    if error.remote().is_some_and(|remote| remote.kind == ExceptionKind::DisallowedTaskTracker) {
        return Trouble::Ended(Ended::Denied(format!("disallowed by the JobTracker: {error}")));
    }
    tracing::warn!(%error, "a heartbeat was not answered; it is sent again");
    Trouble::Lost
}

fn log_action(action: &types::TaskTrackerAction) {
    use types::TaskTrackerAction as Action;
    match action {
        Action::Launch(task) => tracing::info!(
            attempt = %task.attempt, setup = task.job_setup, job_cleanup = task.job_cleanup.is_some(),
            task_cleanup = task.task_cleanup, slots = task.slots_required, "told to launch"
        ),
        Action::KillTask(attempt) => tracing::info!(%attempt, "told to end an attempt"),
        Action::KillJob(job) => tracing::info!(%job, "told that a job is over"),
        Action::Reinit => tracing::info!("told to start over"),
        Action::CommitTask(attempt) => tracing::info!(%attempt, "told that an attempt may commit"),
    }
}

/// Keeps a call at a JobTracker of ours, and beats when it comes back early. At Hadoop's it ends after one error.
async fn wait_for_work(
    job_tracker: Arc<JobTracker>,
    tracker: String,
    now: Arc<Notify>,
    mut beaten: watch::Receiver<u64>,
) {
    loop {
        // A tracker that has not beaten since would be told of the same work again.
        if beaten.changed().await.is_err() {
            return;
        }
        match job_tracker.wait_for_work(&tracker).await {
            Ok(()) => now.notify_one(),
            Err(error) if error.is_connection_trouble() => tokio::time::sleep(LOST_PAUSE).await,
            Err(error) => {
                tracing::debug!(%error, "the JobTracker does not hold calls");
                return;
            }
        }
    }
}
