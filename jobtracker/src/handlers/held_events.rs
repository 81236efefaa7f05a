//! A client that waits for its job asks once a second for the completion events it has not seen. Its question is held
//! open for a moment when there is nothing to tell, so that it hears of the job's end at once and not a second later.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use daemon_shell::Stopped;
use tokio::sync::watch;
use tokio::time::Instant;
use types::{JobId, TaskCompletionEvent};
use wire::mapred::job_submission::GetTaskCompletionEvents;

use crate::state::Shared;

/// How long a question without an answer is held.
const HELD_MAX: Duration = Duration::from_secs(2);
/// How long the job's end is waited for once there are events: the last attempt's comes right before it.
const SETTLE: Duration = Duration::from_millis(250);
/// How often new events are looked for. The job's end is told, not looked for.
const LOOK: Duration = Duration::from_millis(100);
/// So many connections are remembered; those of a busy hour, not of a year.
const WATCHERS_MAX: usize = 4096;

/// Which connection waits for which job, and the bell that rings when any job ends.
#[derive(Debug)]
pub(crate) struct Watchers {
    last_asked: Mutex<HashMap<SocketAddr, JobId>>,
    ended: watch::Sender<()>,
}

impl Default for Watchers {
    fn default() -> Self {
        Watchers { last_asked: Mutex::default(), ended: watch::Sender::new(()) }
    }
}

impl Watchers {
    /// Wakes whoever waits for a job's end.
    pub(crate) fn job_ended(&self) {
        self.ended.send_replace(());
    }

    /// Notes what a connection asks for; true if it asked for the same job's events the time before, as a client does that
    /// waits for its job and no other does.
    fn asks_again(&self, connection: SocketAddr, job: &JobId) -> bool {
        let mut last_asked = self.last_asked.lock().unwrap_or_else(PoisonError::into_inner);
        if last_asked.len() >= WATCHERS_MAX {
            last_asked.clear();
        }
        last_asked.insert(connection, job.clone()).is_some_and(|last| last == *job)
    }
}

/// The events that a client asks for: at once if there are any, if the job is over, or if the client does not wait for it.
pub(crate) async fn completion_events(
    shared: &Arc<Shared>,
    connection: SocketAddr,
    call: &GetTaskCompletionEvents,
) -> Result<Vec<TaskCompletionEvent>, Stopped> {
    let mut ended = shared.watchers.ended.subscribe();
    let is_waiting = shared.watchers.asks_again(connection, &call.job);
    let mut found = look(shared, call).await?;
    if !is_waiting || !shared.settings.holds_events || !found.events.is_empty() {
        return Ok(found.events);
    }
    let mut until = Instant::now() + HELD_MAX;
    while !found.is_over && Instant::now() < until {
        let had_none = found.events.is_empty();
        tokio::select! {
            changed = ended.changed() => if changed.is_err() { return Ok(found.events) },
            () = tokio::time::sleep(LOOK) => (),
        }
        found = look(shared, call).await?;
        if had_none && !found.events.is_empty() {
            until = until.min(Instant::now() + SETTLE);
        }
    }
    Ok(found.events)
}

struct Found {
    events: Vec<TaskCompletionEvent>,
    is_over: bool,
}

async fn look(shared: &Arc<Shared>, call: &GetTaskCompletionEvents) -> Result<Found, Stopped> {
    let (job, from, max) = (call.job.clone(), call.from, call.max);
    let question = move |core: &mut jobtracker_core::JobTracker, _| Found {
        events: core.completion_events(&job, from, max),
        is_over: core.job_status(&job).is_none_or(|status| status.state.is_complete()),
    };
    shared.core.ask(question).await
}
