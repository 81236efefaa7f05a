//! The loop that owns the core and is its only caller: events, deadlines, held questions, effects. Everybody else asks
//! it through a [`CoreHandle`].

use std::time::Duration;

use daemon_shell::{Clock, Stopped, sleep_until};
use tasktracker_core::{Effect, TaskTracker};
use tokio::sync::oneshot;
use types::Now;

/// Asks the core; true once it has answered or nobody waits any more.
pub type Poll = Box<dyn FnMut(&mut TaskTracker, Now) -> bool + Send>;
/// The way to the core.
pub type CoreHandle = daemon_shell::CoreHandle<TaskTracker, Poll>;
/// What was asked and not yet done; a driver's input.
pub(crate) type Requests = daemon_shell::Requests<TaskTracker, Poll>;

/// Asks now and after every event until there is an answer, but not longer than `most`.
pub(crate) async fn hold<T: Send + 'static>(
    core: &CoreHandle,
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
            // Whoever asked may have gone meanwhile.
            let _ = answer.send(found);
        }
        true
    };
    core.hold(Box::new(poll))?;
    match tokio::time::timeout(most, waiting).await {
        Ok(Ok(found)) => Ok(Some(found)),
        Ok(Err(_)) => Err(Stopped),
        Err(_) => Ok(None),
    }
}

/// The core with all that drives it.
pub(crate) struct Driver<F> {
    core: TaskTracker,
    clock: Clock,
    requests: Requests,
    held: Vec<Poll>,
    effects: F,
}

impl<F: FnMut(Effect)> Driver<F> {
    /// A driver of that core, which hands effects to `effects` in order.
    pub(crate) fn new(core: TaskTracker, clock: Clock, requests: Requests, effects: F) -> Driver<F> {
        Driver { core, clock, requests, held: Vec::new(), effects }
    }

    /// Drives until every handle is gone.
    pub(crate) async fn run(mut self) {
        loop {
            let deadline = self.core.next_deadline().map(|at| self.clock.instant(at));
            tokio::select! {
                request = self.requests.next() => match request {
                    Some(request) => {
                        let clock = self.clock;
                        self.requests.take(request, &mut self.core, &mut self.held, || clock.now(), |_| ());
                    }
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

    fn ask_held(&mut self) {
        let (core, now) = (&mut self.core, self.clock.now());
        self.held.retain_mut(|poll| !poll(core, now));
    }
}
