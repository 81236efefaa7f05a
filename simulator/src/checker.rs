//! What must hold of all that the core tells the outside, besides its own invariants: to trackers, to clients, to
//! history.

use std::collections::{BTreeMap, BTreeSet};

use jobtracker_core::{Effect, HistoryRecord, JobTracker};
use types::{
    CompletionStatus, HeartbeatResponse, JobId, JobState, TaskAttemptId, TaskCompletionEvent, TaskId, TaskTrackerAction,
};

/// What was told so far.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    /// Attempts that were handed out, and whether as a cleanup.
    launched: BTreeSet<(TaskAttemptId, bool)>,
    /// Attempts in the order in which they came up, for liars to name.
    pub(crate) known: Vec<TaskAttemptId>,
    /// Who was last let commit, by task.
    commits: BTreeMap<TaskId, TaskAttemptId>,
    events: BTreeMap<JobId, Vec<TaskCompletionEvent>>,
    histories: BTreeMap<JobId, History>,
    ended: BTreeSet<JobId>,
    pub(crate) obsolete: u64,
}

#[derive(Debug, Default)]
struct History {
    finished: bool,
    open_attempt: Option<TaskAttemptId>,
    started: BTreeSet<TaskId>,
}

impl Checker {
    /// A fresh answer, not one that is sent again.
    pub(crate) fn answer(&mut self, jt: &JobTracker, response: &HeartbeatResponse) -> Result<(), String> {
        for action in &response.actions {
            match action {
                TaskTrackerAction::Launch(task) => {
                    if !self.launched.insert((task.attempt.clone(), task.task_cleanup)) {
                        return Err(format!("{} is launched twice", task.attempt));
                    }
                    if !task.task_cleanup {
                        self.known.push(task.attempt.clone());
                    }
                    if task.job_cleanup == Some(JobState::Succeeded) {
                        all_is_done(jt, task.attempt.job())?;
                    }
                }
                TaskTrackerAction::CommitTask(attempt) => self.commit(jt, attempt)?,
                TaskTrackerAction::KillTask(_) | TaskTrackerAction::KillJob(_) | TaskTrackerAction::Reinit => {}
            }
        }
        Ok(())
    }

    /// Only one attempt of a task may commit at a time.
    fn commit(&mut self, jt: &JobTracker, attempt: &TaskAttemptId) -> Result<(), String> {
        let before = self.commits.insert(attempt.task.clone(), attempt.clone());
        let Some(before) = before.filter(|before| before != attempt) else { return Ok(()) };
        let view = jt.task_view(&before.task).ok_or_else(|| format!("{before} may commit and is unknown"))?;
        match view.attempts.get(before.number as usize) {
            Some(rival) if rival.status.state == types::TaskState::CommitPending => {
                Err(format!("{attempt} may commit while {before} does"))
            }
            _ => Ok(()),
        }
    }

    /// A job's completion events only grow; one that was told may only turn obsolete.
    pub(crate) fn events(&mut self, jt: &JobTracker, job: &JobId) -> Result<(), String> {
        let now = jt.completion_events(job, 0, i32::MAX);
        let told = self.events.entry(job.clone()).or_default();
        if now.len() < told.len() {
            // A job that left memory has none.
            return if now.is_empty() { Ok(()) } else { Err(format!("{job} has fewer events than before")) };
        }
        for (old, new) in told.iter().zip(&now) {
            let turned = TaskCompletionEvent { status: CompletionStatus::Obsolete, ..old.clone() };
            if new == &turned && old.status == CompletionStatus::Succeeded {
                self.obsolete += 1;
            } else if new != old {
                return Err(format!("event {} of {job} changed from {old:?} to {new:?}", old.event_id));
            }
        }
        *told = now;
        Ok(())
    }

    /// Effects come in an order that the outside can work with.
    pub(crate) fn effect(&mut self, effect: &Effect) -> Result<(), String> {
        match effect {
            Effect::History(record) => self.history(record),
            Effect::JobEnded(ended) => match self.ended.insert(ended.job.clone()) {
                true => Ok(()),
                false => Err(format!("{} ended twice", ended.job)),
            },
            Effect::ReadSplits { .. } | Effect::JobRetired(_) | Effect::Audit(_) | Effect::Preemption(_) => Ok(()),
        }
    }

    fn history(&mut self, record: &HistoryRecord) -> Result<(), String> {
        use HistoryRecord as R;
        let job = record.job();
        if let R::JobSubmitted { .. } = record {
            let old = self.histories.insert(job.clone(), History::default());
            return old.map_or(Ok(()), |_| Err(format!("{job} is submitted twice in history")));
        }
        let history = self.histories.get_mut(job).ok_or_else(|| format!("{record:?} comes before its job"))?;
        if history.finished && !matches!(record, R::JobPriority { .. }) {
            return Err(format!("{record:?} comes after its job"));
        }
        let open = history.open_attempt.take();
        match record {
            R::AttemptStarted { attempt, .. } => history.open_attempt = Some(attempt.clone()),
            R::AttemptFinished { attempt, .. } | R::AttemptUnsuccessful { attempt, .. } => {
                if open.as_ref() != Some(attempt) {
                    return Err(format!("the end of {attempt} does not follow its start"));
                }
                if !history.started.contains(&attempt.task) {
                    return Err(format!("{attempt} ends before its task starts"));
                }
            }
            R::TaskStarted { task, .. } if !history.started.insert(task.clone()) => {
                return Err(format!("{task} starts twice in history"));
            }
            R::JobFinished { .. } | R::JobUnsuccessful { .. } => history.finished = true,
            _ => {}
        }
        Ok(())
    }

    pub(crate) fn has_ended(&self, job: &JobId) -> bool {
        self.ended.contains(job)
    }
}

/// A job is committed only when none of its tasks waits or runs.
fn all_is_done(jt: &JobTracker, job: &JobId) -> Result<(), String> {
    let view = jt.job_view(job).ok_or_else(|| format!("{job} is cleaned up and unknown"))?;
    let open = [view.maps, view.reduces].iter().map(|tasks| tasks.pending + tasks.running).sum::<i32>();
    if open == 0 { Ok(()) } else { Err(format!("{job} is committed with {open} tasks to do")) }
}
