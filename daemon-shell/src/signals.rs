//! The signals that end a daemon in order: SIGTERM, as the scripts send, and SIGINT, as a terminal does.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Catches both from its making.
#[derive(Debug)]
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Catches the signals from now on. Needs a runtime.
    ///
    /// # Errors
    /// If the system does not let a handler be installed.
    pub fn catch() -> io::Result<StopSignals> {
        Ok(StopSignals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for one of them and logs which.
    pub async fn received(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => tracing::info!("stopping: terminated"),
            _ = self.interrupt.recv() => tracing::info!("stopping: interrupted"),
        }
    }
}
