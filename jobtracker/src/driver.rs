//! The loop that owns the core and is its only caller: requests, deadlines, held calls, effects. Handlers and pages ask
//! it through a [`CoreHandle`].

use std::collections::BTreeSet;
use std::time::Duration;

use jobtracker_core::{Effect, JobTracker};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use types::Now;

use crate::clock::Clock;

/// After so many requests in a row effects are taken, so that they do not wait for a quiet moment.
const REQUESTS_IN_A_ROW_MAX: usize = 64;

type Work = Box<dyn FnOnce(&mut JobTracker, Now) + Send>;

enum Request {
    Work(Work),
    Hold(Held),
}

/// A call of a tracker that is answered once there is something for it.
struct Held {
    tracker: String,
    until: Instant,
    answer: oneshot::Sender<()>,
}

/// The way to the core.
#[derive(Clone)]
pub(crate) struct CoreHandle {
    requests: mpsc::UnboundedSender<Request>,
}

/// The driver has ended, so nothing can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the JobTracker is shutting down")]
pub(crate) struct Stopped;

/// What was asked and not yet done; a driver's input.
pub(crate) struct Requests(mpsc::UnboundedReceiver<Request>);

impl CoreHandle {
    /// A handle and what is asked through it.
    pub(crate) fn new() -> (CoreHandle, Requests) {
        let (requests, receiver) = mpsc::unbounded_channel();
        (CoreHandle { requests }, Requests(receiver))
    }

    /// Calls the core and waits for what it gives back. The call happens even if the waiting is given up.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut JobTracker, Now) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (answer, waiting) = oneshot::channel();
        let work = move |core: &mut JobTracker, now: Now| {
            let _ = answer.send(question(core, now));
        };
        self.requests.send(Request::Work(Box::new(work))).map_err(|_| Stopped)?;
        waiting.await.map_err(|_| Stopped)
    }

    /// Calls the core without waiting.
    pub(crate) fn tell(&self, event: impl FnOnce(&mut JobTracker, Now) + Send + 'static) {
        // A driver that has ended has nobody to tell.
        let _ = self.requests.send(Request::Work(Box::new(event)));
    }

    /// Waits until a heartbeat of that tracker would bring it something, but not longer than `most`.
    pub(crate) async fn until_wanted(&self, tracker: String, most: Duration) -> Result<(), Stopped> {
        let (answer, waiting) = oneshot::channel();
        let held = Held { tracker, until: Instant::now() + most, answer };
        self.requests.send(Request::Hold(held)).map_err(|_| Stopped)?;
        waiting.await.map_err(|_| Stopped)
    }
}

/// The core with all that drives it.
pub(crate) struct Driver<F> {
    core: JobTracker,
    clock: Clock,
    requests: mpsc::UnboundedReceiver<Request>,
    held: Vec<Held>,
    effects: F,
}

impl<F: FnMut(Effect)> Driver<F> {
    /// A driver of that core, which hands effects to `effects` in order.
    pub(crate) fn new(core: JobTracker, clock: Clock, requests: Requests, effects: F) -> Driver<F> {
        Driver { core, clock, requests: requests.0, held: Vec::new(), effects }
    }

    /// Drives until every handle is gone.
    pub(crate) async fn run(mut self) {
        loop {
            let deadline = self.core.next_deadline().map(|at| self.clock.instant(at));
            let held_until = self.held.iter().map(|held| held.until).min();
            tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => self.take_requests(request),
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

    /// Does what was asked, and what else is waiting, up to a limit.
    fn take_requests(&mut self, first: Request) {
        self.take_request(first);
        for _ in 1..REQUESTS_IN_A_ROW_MAX {
            match self.requests.try_recv() {
                Ok(request) => self.take_request(request),
                Err(_) => return,
            }
        }
    }

    fn take_request(&mut self, request: Request) {
        match request {
            Request::Work(work) => work(&mut self.core, self.clock.now()),
            Request::Hold(held) => self.held.push(held),
        }
    }

    /// Lets the core expire what is due, and tells operators which trackers were lost.
    fn reach_deadline(&mut self) {
        let before = self.tracker_names();
        self.core.deadline_reached(self.clock.now());
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

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
