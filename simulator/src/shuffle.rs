//! How a simulated reduce gets its map outputs: it reads the job's completion events, fetches what it can, and
//! complains of what it cannot.

use jobtracker_core::JobTracker;
use types::{CompletionStatus, TaskAttemptId};

use crate::attempt::Attempt;

/// After how many tries in vain a reduce complains.
const COMPLAIN_AFTER: u32 = 3;

/// What one look at the map outputs has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    /// All are there.
    Complete,
    /// Some are missing.
    Waiting,
    /// Some are missing, and the JobTracker should hear of it.
    Complaint,
}

/// Reads new events and fetches. `fetch` tells whether an output can be had.
pub(crate) fn look(jt: &JobTracker, attempt: &mut Attempt, fetch: impl Fn(&TaskAttemptId) -> bool) -> Shuffle {
    let job = attempt.task.attempt.job().clone();
    let maps = match &attempt.task.detail {
        types::TaskDetail::Reduce { maps } => *maps,
        types::TaskDetail::Map(_) => 0,
    };
    // Like 1.2.1's, it asks for what is new; an event that turned obsolete is found by the failure that follows it.
    let events = jt.completion_events(&job, attempt.events_read, 10_000);
    attempt.events_read += events.len() as i32;
    let mut sources: Vec<(i32, Option<TaskAttemptId>)> = Vec::new();
    for event in events.into_iter().filter(|event| event.is_map) {
        let map = event.id_within_job;
        match event.status {
            CompletionStatus::Succeeded => sources.push((map, Some(event.attempt))),
            CompletionStatus::TipFailed => sources.push((map, None)),
            CompletionStatus::Obsolete | CompletionStatus::Failed | CompletionStatus::Killed => {
                attempt.fetch_failures.remove(&event.attempt);
                sources.retain(|(_, source)| source.as_ref() != Some(&event.attempt));
            }
        }
    }
    // What it tried in vain before is tried again.
    sources.extend(attempt.fetch_failures.keys().map(|id| (id.task.number, Some(id.clone()))));
    let mut complaint = false;
    for (map, source) in sources {
        complaint |= try_fetch(attempt, map, source, &fetch);
    }
    attempt.status.progress = attempt.fetched.len() as f32 / maps.max(1) as f32 / 3.0;
    match (attempt.fetched.len() as i32 >= maps, complaint) {
        (true, _) => Shuffle::Complete,
        (false, true) => Shuffle::Complaint,
        (false, false) => Shuffle::Waiting,
    }
}

fn try_fetch(
    attempt: &mut Attempt,
    map: i32,
    source: Option<TaskAttemptId>,
    fetch: &impl Fn(&TaskAttemptId) -> bool,
) -> bool {
    if attempt.fetched.contains_key(&map) {
        return false;
    }
    let Some(source) = source else {
        // A map that failed for good has nothing to fetch.
        attempt.fetched.insert(map, attempt.task.attempt.clone());
        return false;
    };
    if fetch(&source) {
        attempt.fetch_failures.retain(|id, _| id.task.number != map);
        attempt.fetched.insert(map, source);
        return false;
    }
    let failures = attempt.fetch_failures.entry(source.clone()).or_default();
    *failures += 1;
    let complains = failures.is_multiple_of(COMPLAIN_AFTER);
    if complains && let Some(reduce) = &mut attempt.status.reduce {
        reduce.failed_fetches.push(source);
    }
    complains
}
