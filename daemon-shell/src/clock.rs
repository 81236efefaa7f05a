//! Reads both clocks for a core, which has none.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use types::{Millis, Monotonic, Now, Wall};

/// What a clock shows when it is made, so that moments before that can be told, too.
const AT_START: Duration = Duration::from_secs(400 * 24 * 3600);

/// Counts monotonic time from its making.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock that begins now.
    pub fn start() -> Clock {
        Clock { start: Instant::now() }
    }

    /// Both readings now.
    pub fn now(&self) -> Now {
        Now { mono: Monotonic(AT_START + self.start.elapsed()), wall: Wall(wall_millis()) }
    }

    /// A monotonic reading as the runtime's timers know it.
    pub fn instant(&self, at: Monotonic) -> tokio::time::Instant {
        tokio::time::Instant::from_std(self.start + at.0.saturating_sub(AT_START))
    }
}

/// Milliseconds since the epoch.
pub fn wall_millis() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// Sleeps until then, or for ever.
pub async fn sleep_until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
