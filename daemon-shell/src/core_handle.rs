//! The way to a core that one task owns: whoever has a [`CoreHandle`] asks, the driver that has the [`Requests`] lets the
//! core answer. What a driver does with questions that are held open is its own matter.

use std::fmt;

use tokio::sync::{mpsc, oneshot};
use types::{Now, RemoteException};

/// After so many requests in a row a driver takes effects, so that they do not wait for a quiet moment.
const REQUESTS_IN_A_ROW_MAX: usize = 64;

type Work<C> = Box<dyn FnOnce(&mut C, Now) -> Answer + Send>;
/// Tells whoever asked.
type Answer = Box<dyn FnOnce() + Send>;

/// What a driver is asked: `C` is its core, `H` what it holds open.
pub struct Request<C, H>(Kind<C, H>);

enum Kind<C, H> {
    Work(Work<C>),
    Hold(H),
}

/// The way to the core.
pub struct CoreHandle<C, H> {
    requests: mpsc::UnboundedSender<Request<C, H>>,
}

/// The driver has ended, so nothing can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the daemon is shutting down")]
pub struct Stopped;

/// What was asked and not yet done; a driver's input.
pub struct Requests<C, H>(mpsc::UnboundedReceiver<Request<C, H>>);

impl<C: 'static, H> CoreHandle<C, H> {
    /// A handle and what is asked through it.
    pub fn new() -> (CoreHandle<C, H>, Requests<C, H>) {
        let (requests, receiver) = mpsc::unbounded_channel();
        (CoreHandle { requests }, Requests(receiver))
    }

    /// Calls the core and waits for what it gives back. The call happens even if the waiting is given up.
    ///
    /// # Errors
    /// If the driver has ended.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut C, Now) -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let (answer, waiting) = oneshot::channel();
        let work = move |core: &mut C, now: Now| -> Answer {
            let value = question(core, now);
            // Whoever asked may have gone meanwhile.
            Box::new(move || drop(answer.send(value)))
        };
        self.send(Kind::Work(Box::new(work)))?;
        waiting.await.map_err(|_| Stopped)
    }

    /// Calls the core without waiting.
    pub fn tell(&self, event: impl FnOnce(&mut C, Now) + Send + 'static) {
        // A driver that has ended has nobody to tell.
        let work = move |core: &mut C, now: Now| -> Answer {
            event(core, now);
            Box::new(|| {})
        };
        let _ = self.send(Kind::Work(Box::new(work)));
    }

    /// Gives the driver something to hold.
    ///
    /// # Errors
    /// If the driver has ended.
    pub fn hold(&self, held: H) -> Result<(), Stopped> {
        self.send(Kind::Hold(held))
    }

    fn send(&self, kind: Kind<C, H>) -> Result<(), Stopped> {
        self.requests.send(Request(kind)).map_err(|_| Stopped)
    }
}

impl<C, H> Requests<C, H> {
    /// The next request; `None` once every handle is gone.
    pub async fn next(&mut self) -> Option<Request<C, H>> {
        self.0.recv().await
    }

    /// Does what was asked, and what else is waiting, up to a limit; gives `held` what is to be held. Nobody is answered
    /// before `keep` has been called, so that what an answer rests on can be kept first.
    pub fn take(
        &mut self,
        first: Request<C, H>,
        core: &mut C,
        held: &mut Vec<H>,
        now: impl Fn() -> Now,
        keep: impl FnOnce(&mut C),
    ) {
        let mut answers = Vec::new();
        answers.extend(first.serve(core, held, now()));
        for _ in 1..REQUESTS_IN_A_ROW_MAX {
            let Ok(request) = self.0.try_recv() else { break };
            answers.extend(request.serve(core, held, now()));
        }
        keep(core);
        for answer in answers {
            answer();
        }
    }
}

impl<C, H> Request<C, H> {
    fn serve(self, core: &mut C, held: &mut Vec<H>, now: Now) -> Option<Answer> {
        match self.0 {
            Kind::Work(work) => Some(work(core, now)),
            Kind::Hold(one) => {
                held.push(one);
                None
            }
        }
    }
}

impl<C, H> Clone for CoreHandle<C, H> {
    fn clone(&self) -> Self {
        CoreHandle { requests: self.requests.clone() }
    }
}

impl<C, H> fmt::Debug for CoreHandle<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CoreHandle")
    }
}

impl<C, H> fmt::Debug for Requests<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Requests")
    }
}

impl<C, H> fmt::Debug for Request<C, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Request")
    }
}

/// What a remote caller is answered by a daemon that ends.
impl From<Stopped> for RemoteException {
    fn from(stopped: Stopped) -> Self {
        RemoteException::io(stopped.to_string())
    }
}
