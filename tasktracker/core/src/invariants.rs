//! What holds after every event; tests ask after each step.

use types::TaskKind;

use crate::TaskTracker;
use crate::attempt::Stage;
use crate::child::ChildState;

impl TaskTracker {
    /// The first invariant that is broken, in words.
    pub fn broken_invariant(&self) -> Option<String> {
        self.slots_broken().or_else(|| self.references_broken()).or_else(|| self.children_broken())
    }

    fn slots_broken(&self) -> Option<String> {
        TaskKind::BOTH.into_iter().find_map(|kind| {
            let held = self.runs.values().filter(|run| run.task.kind() == kind && run.holds_slots());
            let held: i32 = held.map(|run| run.task.slots_required).sum();
            let (free, all) = (self.free_slots[&kind], self.settings.slots(kind));
            (held + free != all || free < 0).then(|| format!("{kind:?}: {held} slots held, {free} free, {all} in all"))
        })
    }

    fn references_broken(&self) -> Option<String> {
        let mut named = self.tasks.iter().chain(&self.reported);
        let wrong = named.find(|(attempt, id)| self.runs.get(id).is_none_or(|run| run.task.attempt != **attempt));
        if let Some((attempt, _)) = wrong {
            return Some(format!("{attempt} is named but not kept"));
        }
        let queued = self.queues.values().flatten();
        let in_jobs = self.jobs.values().flat_map(|job| job.runs.iter().chain(&job.waiting));
        let lost = queued.chain(in_jobs).find(|id| !self.runs.contains_key(id));
        lost.map(|id| format!("run {id} is referred to but not kept"))
    }

    fn children_broken(&self) -> Option<String> {
        for (jvm, child) in &self.children {
            let run = child.run.and_then(|id| self.runs.get(&id));
            let stage = run.map(|run| &run.stage);
            let fits = match child.state {
                ChildState::Busy => stage == Some(&Stage::Launched { jvm: jvm.clone() }),
                ChildState::Idle | ChildState::Exhausted | ChildState::Leaving => child.run.is_none(),
                ChildState::Dying => stage.is_none_or(|stage| *stage == Stage::Ended),
            };
            if !fits {
                return Some(format!("{jvm} is {:?} but its attempt is at {stage:?}", child.state));
            }
        }
        let launched = self.runs.values().filter_map(|run| match &run.stage {
            Stage::Launched { jvm } => Some(jvm),
            _ => None,
        });
        let mut launched = launched;
        launched.find(|jvm| !self.children.contains_key(jvm)).map(|jvm| format!("{jvm} has an attempt but is gone"))
    }
}
