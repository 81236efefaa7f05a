//! The job's script looks at a failed attempt before that is reported and its files go.

mod support;

use support::{at, beat, info, map, running, settings};
use tasktracker_core::{Effect, JobInfo, TaskTracker};
use types::{TaskState, TaskTrackerAction};

/// A map whose child has exited by itself, at 1000 ms.
fn exited(debugs: (bool, bool)) -> TaskTracker {
    let (mut core, children) = running(settings(), JobInfo { debugs, ..info() }, vec![map()]);
    core.take_effects();
    core.child_exited(at(1000), &children[0], 3);
    core
}

fn cleans(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::CleanAttempt { .. }))
}

#[test]
fn its_output_is_told_with_the_failure() {
    let mut core = exited((true, false));
    core.deadline_reached(at(9000));
    let effects = core.take_effects();
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::RunDebugScript { task } if task.attempt == map().attempt))
    );
    assert!(!cleans(&effects), "the script finds nothing: {effects:?}");
    assert_eq!(beat(&mut core, at(9100), 2, Vec::new())[0].state, TaskState::Running);
    assert_eq!(core.view().map_slots, (1, 0), "the script runs in the attempt's slot");
    assert_eq!(core.broken_invariant(), None);

    core.debug_script_ended(at(9200), &map().attempt, false, "\nDEBUG OUT\nwhy\n");
    let told = beat(&mut core, at(9300), 3, Vec::new());
    assert_eq!(told[0].state, TaskState::FailedUnclean);
    assert!(told[0].diagnostics.ends_with("\nDEBUG OUT\nwhy\n"), "{}", told[0].diagnostics);
    assert!(cleans(&core.take_effects()));
    assert_eq!((core.view().map_slots, core.broken_invariant()), ((1, 1), None));
}

#[test]
fn an_attempt_that_is_killed_meanwhile_stays_killed() {
    let mut core = exited((true, false));
    core.deadline_reached(at(9000));
    beat(&mut core, at(9100), 2, vec![TaskTrackerAction::KillTask(map().attempt)]);
    core.debug_script_ended(at(9200), &map().attempt, false, "\nDEBUG OUT\nwhy\n");
    let told = beat(&mut core, at(9300), 3, Vec::new());
    assert_eq!(told[0].state, TaskState::KilledUnclean);
    assert!(!told[0].diagnostics.contains("DEBUG OUT"), "{}", told[0].diagnostics);
    assert_eq!((core.view().map_slots, core.broken_invariant()), ((1, 1), None));
}

#[test]
fn only_the_kind_that_has_a_script_is_looked_at() {
    let mut core = exited((false, true));
    core.deadline_reached(at(9000));
    let effects = core.take_effects();
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::RunDebugScript { .. })) && cleans(&effects));
    assert_eq!(beat(&mut core, at(9100), 2, Vec::new())[0].state, TaskState::FailedUnclean);
}
