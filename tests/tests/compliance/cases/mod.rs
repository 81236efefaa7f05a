//! The cases, a file per group. Those that need the cluster whole come before those that wound it.

mod administration;
mod cache_and_streaming;
mod commit;
mod failures;
mod life_cycle;
mod logs_and_history;
mod lost_tracker;
mod pages;
mod queries;
mod rarer;
mod rules;
mod submission;

use crate::case::Case;

/// All cases, in the order in which they run.
pub(crate) fn all() -> impl Iterator<Item = &'static Case> {
    let groups: [&'static [Case]; 12] = [
        submission::CASES,
        life_cycle::CASES,
        failures::CASES,
        commit::CASES,
        cache_and_streaming::CASES,
        logs_and_history::CASES,
        rules::CASES,
        rarer::CASES,
        pages::CASES,
        queries::CASES,
        administration::CASES,
        lost_tracker::CASES,
    ];
    groups.into_iter().flatten()
}
