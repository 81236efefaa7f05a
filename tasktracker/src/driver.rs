//! The loop that owns the core and is its only caller: events, deadlines, held questions, effects. Everybody else asks
//! it through a [`CoreHandle`].

use std::time::Duration;

use tasktracker_core::{Effect, TaskTracker};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use types::Now;

use crate::clock::Clock;

/// After so many requests in a row effects are taken, so that they do not wait for a quiet moment.
const REQUESTS_IN_A_ROW_MAX: usize = 64;

type Work = Box<dyn FnOnce(&mut TaskTracker, Now) + Send>;
/// Asks the core; true once it has answered or nobody waits any more.
type Poll = Box<dyn FnMut(&mut TaskTracker, Now) -> bool + Send>;

enum Request {
    Work(Work),
    Hold(Poll),
}

/// The way to the core.
#[derive(Clone)]
pub struct CoreHandle {
    requests: mpsc::UnboundedSender<Request>,
}

impl std::fmt::Debug for CoreHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CoreHandle")
    }
}

/// The driver has ended, so nothing can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the TaskTracker is shutting down")]
pub struct Stopped;

/// What was asked and not yet done; a driver's input.
pub(crate) struct Requests(mpsc::UnboundedReceiver<Request>);

impl CoreHandle {
    /// A handle and what is asked through it.
    pub(crate) fn new() -> (CoreHandle, Requests) {
        let (requests, receiver) = mpsc::unbounded_channel();
        (CoreHandle { requests }, Requests(receiver))
    }

    /// Calls the core and waits for what it gives back. The call happens even if the waiting is given up.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut TaskTracker, Now) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (answer, waiting) = oneshot::channel();
        let work = move |core: &mut TaskTracker, now: Now| {
            let _ = answer.send(question(core, now));
        };
        self.requests.send(Request::Work(Box::new(work))).map_err(|_| Stopped)?;
        waiting.await.map_err(|_| Stopped)
    }

    /// Calls the core without waiting.
    pub fn tell(&self, event: impl FnOnce(&mut TaskTracker, Now) + Send + 'static) {
        // A driver that has ended has nobody to tell.
        let _ = self.requests.send(Request::Work(Box::new(event)));
    }

    /// Asks now and after every event until there is an answer, but not longer than `most`.
    pub(crate) async fn hold<T: Send + 'static>(
        &self,
        most: Duration,
        mut question: impl FnMut(&mut TaskTracker, Now) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>, Stopped> {
        let (answer, waiting) = oneshot::channel();
        let mut answer = Some(answer);
        let poll = move |core: &mut TaskTracker, now: Now| {
            if answer.as_ref().is_none_or(oneshot::Sender::is_closed) {
                return true;
            }
            let Some(found) = question(core, now) else { return false };
            if let Some(answer) = answer.take() {
                let _ = answer.send(found);
            }
            true
        };
        self.requests.send(Request::Hold(Box::new(poll))).map_err(|_| Stopped)?;
        match tokio::time::timeout(most, waiting).await {
            Ok(Ok(found)) => Ok(Some(found)),
            Ok(Err(_)) => Err(Stopped),
            Err(_) => Ok(None),
        }
    }
}

/// The core with all that drives it.
pub(crate) struct Driver<F> {
    core: TaskTracker,
    clock: Clock,
    requests: mpsc::UnboundedReceiver<Request>,
    held: Vec<Poll>,
    effects: F,
}

impl<F: FnMut(Effect)> Driver<F> {
    /// A driver of that core, which hands effects to `effects` in order.
    pub(crate) fn new(core: TaskTracker, clock: Clock, requests: Requests, effects: F) -> Driver<F> {
        Driver { core, clock, requests: requests.0, held: Vec::new(), effects }
    }

    /// Drives until every handle is gone.
    pub(crate) async fn run(mut self) {
        loop {
            let deadline = self.core.next_deadline().map(|at| self.clock.instant(at));
            tokio::select! {
                request = self.requests.recv() => match request {
                    Some(request) => self.take_requests(request),
                    None => return,
                },
                () = sleep_until(deadline) => self.core.deadline_reached(self.clock.now()),
            }
            self.ask_held();
            for effect in self.core.take_effects() {
                (self.effects)(effect);
            }
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
            Request::Hold(poll) => self.held.push(poll),
        }
    }

    fn ask_held(&mut self) {
        let (core, now) = (&mut self.core, self.clock.now());
        self.held.retain_mut(|poll| !poll(core, now));
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
