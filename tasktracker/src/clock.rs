//! Reads both clocks for the core, which has none.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use types::{Millis, Monotonic, Now, Wall};

/// Counts monotonic time from its making.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { start: Instant::now() }
    }

    /// Both readings now.
    pub(crate) fn now(&self) -> Now {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall = Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX);
        Now { mono: Monotonic(self.start.elapsed()), wall: Wall(wall) }
    }

    /// A monotonic reading as the runtime's timers know it.
    pub(crate) fn instant(&self, at: Monotonic) -> tokio::time::Instant {
        tokio::time::Instant::from_std(self.start + at.0)
    }
}
