//! Two clocks, kept apart: monotonic time for every timeout, wall time for history and the wire.

use std::ops::{Add, Sub};
use std::time::Duration;

/// Milliseconds since the Unix epoch, as Java's `System.currentTimeMillis` counts them. 0 means "not yet".
pub type Millis = i64;

/// A reading of a clock that never steps, counted from an arbitrary start of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Monotonic(pub Duration);

/// A reading of the wall clock in [`Millis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wall(pub Millis);

/// Both readings at one moment; every event is handed to a core together with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Now {
    /// For timeouts and intervals.
    pub mono: Monotonic,
    /// For what other programs and people read.
    pub wall: Wall,
}

impl Now {
    /// Both clocks as milliseconds; for tests and simulations.
    pub fn at_millis(mono: u64, wall: Millis) -> Self {
        Now { mono: Monotonic(Duration::from_millis(mono)), wall: Wall(wall) }
    }
}

impl Add<Duration> for Monotonic {
    type Output = Monotonic;
    fn add(self, rhs: Duration) -> Monotonic {
        Monotonic(self.0.saturating_add(rhs))
    }
}

impl Sub for Monotonic {
    type Output = Duration;
    /// The time since `rhs`, or zero where `rhs` lies ahead.
    fn sub(self, rhs: Monotonic) -> Duration {
        self.0.saturating_sub(rhs.0)
    }
}
