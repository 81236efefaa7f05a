//! Virtual time: events in the order in which they are due, and among equals in the order in which they were planned.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jobtracker_core::Heartbeat;
use types::{HeartbeatResponse, JobId, TaskAttemptId};

/// A tracker's number.
pub(crate) type TrackerIndex = usize;

/// Something that happens to a tracker's process; one that was started since does not feel it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) tracker: TrackerIndex,
    pub(crate) incarnation: u32,
}

/// What happens.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// A tracker sends a heartbeat, if none is under way and none was planned since.
    Beat { process: Process, turn: u64 },
    /// A heartbeat arrives at the JobTracker.
    Arrive { from: Process, call: u64, beat: Box<Heartbeat> },
    /// An answer arrives at a tracker.
    Answer { to: Process, call: u64, response: Box<HeartbeatResponse> },
    /// The JobTracker refuses a tracker.
    Refused { to: Process, call: u64 },
    /// A tracker waits no longer for an answer.
    GiveUp { process: Process, call: u64 },
    /// A child starts to run its attempt.
    Start { process: Process, attempt: TaskAttemptId, run: u32 },
    /// An attempt has done its work, or has failed at it.
    Done { process: Process, attempt: TaskAttemptId, run: u32 },
    /// A reduce looks for map outputs.
    Fetch { process: Process, attempt: TaskAttemptId, run: u32 },
    /// The next job is submitted.
    Submit,
    /// The splits of a job were read.
    SplitsRead(JobId),
    /// The JobTracker's deadline.
    Deadline,
    /// Something breaks.
    Fault,
    /// A crashed tracker comes up again.
    Restart(TrackerIndex),
    /// A frozen tracker, a partition, bad health or an exclusion ends.
    Heal(TrackerIndex),
    /// Safe mode ends.
    LeaveSafeMode,
    /// The storm is over.
    Clear,
}

/// Events to come.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    heap: BinaryHeap<Reverse<Entry>>,
    planned: u64,
}

#[derive(Debug)]
struct Entry {
    at_ms: u64,
    order: u64,
    event: Event,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        (self.at_ms, self.order) == (other.at_ms, other.order)
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at_ms, self.order).cmp(&(other.at_ms, other.order))
    }
}

impl EventQueue {
    /// Plans an event.
    pub(crate) fn plan(&mut self, at_ms: u64, event: Event) {
        self.planned += 1;
        self.heap.push(Reverse(Entry { at_ms, order: self.planned, event }));
    }

    /// Takes the next event and when it is due.
    pub(crate) fn next(&mut self) -> Option<(u64, Event)> {
        self.heap.pop().map(|Reverse(entry)| (entry.at_ms, entry.event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_time_and_in_order() {
        let mut queue = EventQueue::default();
        queue.plan(5, Event::Restart(1));
        queue.plan(3, Event::Restart(2));
        queue.plan(5, Event::Restart(3));
        let order: Vec<(u64, TrackerIndex)> = std::iter::from_fn(|| queue.next())
            .map(|(at, event)| match event {
                Event::Restart(tracker) => (at, tracker),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(order, [(3, 2), (5, 1), (5, 3)]);
    }
}
