//! What attempts do on their trackers: start, work, fetch map outputs, end.

use types::{Phase, TaskAttemptId};

use crate::events::{Event, Process};
use crate::shuffle::{self, Shuffle};
use crate::world::World;

/// How often a reduce looks for map outputs.
const FETCH_GAP_MS: u64 = 1_000;

impl World<'_> {
    pub(crate) fn start(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Start { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let now_ms = self.now_ms();
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        attempt.start();
        let event = match attempt.is_shuffling() {
            true => Event::Fetch { process, attempt: id.clone(), run },
            false => Event::Done { process, attempt: id.clone(), run },
        };
        let at = if attempt.is_shuffling() { now_ms } else { now_ms + attempt.fortune.work_ms };
        self.queue.plan(at, event);
    }

    pub(crate) fn done(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Done { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let wall = self.wall_of(index);
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        attempt.work_done(wall);
        self.hurry(index);
    }

    pub(crate) fn fetch(&mut self, process: Process, id: &TaskAttemptId, run: u32) {
        let again = || Event::Fetch { process, attempt: id.clone(), run };
        let Some(index) = self.alive(process, again) else { return };
        let Some(attempt) = self.trackers[index].live(id, run) else { return };
        let mut attempt = attempt.clone();
        let outcome = shuffle::look(&self.jt, &mut attempt, |output| self.holds(output));
        let at = match outcome {
            Shuffle::Complete => self.now_ms() + attempt.fortune.work_ms,
            Shuffle::Waiting | Shuffle::Complaint => self.now_ms() + FETCH_GAP_MS,
        };
        if outcome == Shuffle::Complete {
            attempt.status.phase = Phase::Reduce;
        }
        self.trackers[index].attempts.insert(id.clone(), attempt);
        let (attempt, process) = (id.clone(), process);
        let event = match outcome {
            Shuffle::Complete => Event::Done { process, attempt, run },
            Shuffle::Waiting | Shuffle::Complaint => Event::Fetch { process, attempt, run },
        };
        self.queue.plan(at, event);
    }

    /// Whether a map output can be fetched from where the core says it lies.
    fn holds(&self, output: &TaskAttemptId) -> bool {
        let view = self.jt.task_view(&output.task);
        let host = view.and_then(|view| view.attempts.get(output.number as usize).map(|attempt| attempt.host.clone()));
        let Some(tracker) = host.and_then(|host| self.by_host.get(&host)).map(|index| &self.trackers[*index]) else {
            return false;
        };
        tracker.up && tracker.frozen_until_ms <= self.now_ms() && tracker.outputs.contains(output)
    }
}
