//! What becomes of a message between a tracker and the JobTracker.

use fastrand::Rng;

use crate::scenario::Faults;

/// The ways a request may go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fate {
    /// When copies of it arrive; none if it is lost.
    pub(crate) arrives_ms: Vec<u64>,
}

/// Whether a chance per thousand comes true.
pub(crate) fn happens(rng: &mut Rng, per_mille: u32) -> bool {
    per_mille > 0 && rng.u32(0..1000) < per_mille
}

/// Draws the fate of a message sent at `now_ms`.
pub(crate) fn fate(rng: &mut Rng, faults: &Faults, now_ms: u64, may_duplicate: bool) -> Fate {
    let mut arrives_ms = Vec::new();
    if !happens(rng, faults.lost) {
        arrives_ms.push(now_ms + rng.u64(faults.delay_ms.clone()));
        if may_duplicate && happens(rng, faults.duplicated) {
            // A copy may come long after.
            arrives_ms.push(now_ms + rng.u64(faults.delay_ms.clone()) * 20);
        }
    }
    Fate { arrives_ms }
}
