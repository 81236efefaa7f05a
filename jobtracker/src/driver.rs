//! The loop that owns the core and is its only caller: requests, deadlines, held calls, effects. Handlers and pages ask
//! it through a [`CoreHandle`].

use std::collections::BTreeSet;
use std::time::Duration;

use daemon_shell::{Clock, Stopped, sleep_until};
use jobtracker_core::{Effect, JobTracker};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The way to the core.
pub(crate) type CoreHandle = daemon_shell::CoreHandle<JobTracker, Held>;
/// What was asked and not yet done; a driver's input.
pub(crate) type Requests = daemon_shell::Requests<JobTracker, Held>;

/// A call of a tracker that is answered once there is something for it.
pub(crate) struct Held {
    tracker: String,
    until: Instant,
    answer: oneshot::Sender<()>,
}

/// Waits until a heartbeat of that tracker would bring it something, but not longer than `most`.
pub(crate) async fn until_wanted(core: &CoreHandle, tracker: String, most: Duration) -> Result<(), Stopped> {
    let (answer, waiting) = oneshot::channel();
    core.hold(Held { tracker, until: Instant::now() + most, answer })?;
    waiting.await.map_err(|_| Stopped)
}

/// The core with all that drives it.
pub(crate) struct Driver<F, K> {
    core: JobTracker,
    clock: Clock,
    requests: Requests,
    held: Vec<Held>,
    effects: F,
    keep: K,
}

impl<F: FnMut(Effect), K: FnMut(&mut JobTracker)> Driver<F, K> {
    /// A driver of that core, which lets `keep` take records before anybody is answered, and hands effects to `effects`
    /// in order.
    pub(crate) fn new(core: JobTracker, clock: Clock, requests: Requests, effects: F, keep: K) -> Driver<F, K> {
        Driver { core, clock, requests, held: Vec::new(), effects, keep }
    }

    /// Drives until every handle is gone.
    pub(crate) async fn run(mut self) {
        loop {
            let deadline = self.core.next_deadline().map(|at| self.clock.instant(at));
            let held_until = self.held.iter().map(|held| held.until).min();
            tokio::select! {
                request = self.requests.next() => match request {
                    Some(request) => {
                        let clock = self.clock;
                        self.requests.take(request, &mut self.core, &mut self.held, || clock.now(), &mut self.keep);
                    }
                    None => return,
                },
                () = sleep_until(deadline) => self.reach_deadline(),
                () = sleep_until(held_until) => (),
            }
            for effect in self.core.take_effects() {
                (self.effects)(effect);
            }
            self.answer_held();
        }
    }

    /// Lets the core expire what is due, and tells operators which trackers were lost.
    fn reach_deadline(&mut self) {
        let before = self.tracker_names();
        self.core.deadline_reached(self.clock.now());
        (self.keep)(&mut self.core);
        for tracker in before.difference(&self.tracker_names()) {
            tracing::warn!(tracker, "tracker lost: it was silent for too long");
        }
    }

    fn tracker_names(&self) -> BTreeSet<String> {
        let status = self.core.cluster_status(true);
        status.active.into_iter().chain(status.blacklisted).collect()
    }

    /// Answers whose time is up, and of the others no more than there is something for.
    fn answer_held(&mut self) {
        let now = Instant::now();
        self.held.retain(|held| !held.answer.is_closed());
        if self.held.is_empty() {
            return;
        }
        let names = self.held.iter().map(|held| held.tracker.as_str());
        let wanted: BTreeSet<String> = self.core.trackers_to_wake(names).into_iter().map(str::to_owned).collect();
        let is_due = |held: &Held| held.until <= now || wanted.contains(&held.tracker);
        let (due, still): (Vec<Held>, Vec<Held>) = self.held.drain(..).partition(is_due);
        self.held = still;
        for held in due {
            // A tracker that has gone meanwhile needs no answer.
            let _ = held.answer.send(());
        }
    }
}
