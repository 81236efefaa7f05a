//! What operators are told when pools take slots back (Hadoop 1.2.1: FairScheduler.tasksToPreempt, preemptTasks).

use jobtracker_core::Preemption;

/// Writes a line for each pool that claims slots, and one for each attempt that dies for it.
pub(super) fn log(preemption: &Preemption) {
    let kind = if preemption.kind.is_map() { "MAP" } else { "REDUCE" };
    for claim in &preemption.claims {
        let (by_minimum, by_share) = (claim.for_min_share, claim.for_fair_share);
        tracing::info!(
            "Should preempt {} {kind} tasks for pool {}: tasksDueToMinShare = {by_minimum}, tasksDueToFairShare = \
             {by_share}",
            by_minimum.max(by_share),
            claim.pool,
        );
    }
    for (attempt, _) in preemption.victims.iter().filter(|(_, asked)| *asked) {
        tracing::info!(%attempt, "preempted");
    }
}
