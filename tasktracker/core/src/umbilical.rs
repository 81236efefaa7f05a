//! What children ask and tell (Hadoop 1.2.1: the TaskUmbilicalProtocol methods of mapred.TaskTracker). That the caller
//! is the job it speaks for, the daemon has checked; that its child has the attempt, is checked here.
//!
//! Questions whose answer may come in a moment (`get_task`, `map_events`) answer `None` then: the daemon asks again
//! after the next event, and gives the child the empty answer when it has waited long enough.

use types::{
    JobId, JvmContext, JvmId, JvmTask, MapTaskCompletionEventsUpdate, Now, Phase, RemoteException, SortedRange,
    TaskAttemptId, TaskCompletionEvent, TaskState, TaskStatus,
};

use crate::TaskTracker;
use crate::attempt::End;
use crate::child::{ChildState, RunId};
use crate::effect::{ChildKind, Effect};

/// What an error call of a child is called in the diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildError {
    /// `shuffleError`.
    Shuffle,
    /// `fsError`.
    FileSystem,
    /// `fatalError`.
    Fatal,
}

impl ChildError {
    fn prefix(self) -> &'static str {
        match self {
            ChildError::Shuffle => "Shuffle Error: ",
            ChildError::FileSystem => "FSError: ",
            ChildError::Fatal => "Error: ",
        }
    }
}

const DIE: JvmTask = JvmTask { should_die: true, task: None };

impl TaskTracker {
    /// `getTask`: the child's attempt, or that it is to end; `None` while there is neither.
    pub fn get_task(&mut self, context: &JvmContext) -> Option<JvmTask> {
        let Some(child) = self.children.get_mut(&context.jvm) else { return Some(DIE) };
        if child.pid.is_none() {
            let pid = context.pid.parse().ok().filter(|pid: &i32| *pid > 1);
            if let Some(pid) = pid {
                self.child_started(&context.jvm, pid);
            }
        }
        let child = self.children.get(&context.jvm)?;
        match (child.state, child.run) {
            (ChildState::Busy, Some(_)) if !child.prepared => None,
            (ChildState::Busy, Some(id)) => {
                let task = self.run(id).task.clone();
                let known = self.known(&task.attempt) == Some(id);
                Some(if known { JvmTask { should_die: false, task: Some(task) } } else { DIE })
            }
            (ChildState::Idle, _) if self.jobs.contains_key(&context.jvm.job) => None,
            _ => Some(DIE),
        }
    }

    fn validated(&self, id: RunId, attempt: &TaskAttemptId, jvm: &JvmId) -> Result<RunId, RemoteException> {
        if self.run(id).jvm() == Some(jvm) {
            return Ok(id);
        }
        Err(refused_child(attempt, jvm))
    }

    /// The attempt, if it is known and the child has it.
    fn of_child(&self, attempt: &TaskAttemptId, jvm: &JvmId) -> Result<Option<RunId>, RemoteException> {
        self.known(attempt).map(|id| self.validated(id, attempt, jvm)).transpose()
    }

    /// `statusUpdate`: whether the child goes on.
    pub fn status_update(&mut self, now: Now, attempt: &TaskAttemptId, report: TaskStatus, jvm: &JvmId) -> bool {
        let Ok(Some(id)) = self.of_child(attempt, jvm) else { return false };
        let run = self.run_mut(id);
        if !run.accepts(&report) {
            return true;
        }
        let before = run.status.phase;
        run.merge(report, now.mono);
        let counters = run.status.counters.as_ref();
        let (counters, groups) = counters.map_or((0, 0), |all| (all.len(), all.groups.len()));
        let (counters_max, groups_max) = (self.settings.counters_max, self.settings.counter_groups_max);
        if counters > counters_max || groups > groups_max {
            let text = format!(
                "Error: Exceeded counter limits - Counters={counters} Limit={counters_max}. Groups={groups} \
                 Limit={groups_max}"
            );
            self.run_mut(id).add_diagnostics(&text);
            self.purge(now, id, End::Failed);
            self.launch_queued(now);
        } else if before == Phase::Shuffle && self.run(id).status.phase != Phase::Shuffle {
            self.resets.remove(attempt);
        }
        true
    }

    /// `reportDiagnosticInfo`.
    pub fn report_diagnostics(
        &mut self,
        attempt: &TaskAttemptId,
        text: &str,
        jvm: &JvmId,
    ) -> Result<(), RemoteException> {
        if let Some(id) = self.of_child(attempt, jvm)? {
            self.run_mut(id).add_diagnostics(text);
        }
        Ok(())
    }

    /// `reportNextRecordRange`.
    pub fn report_next_records(
        &mut self,
        attempt: &TaskAttemptId,
        range: SortedRange,
        jvm: &JvmId,
    ) -> Result<(), RemoteException> {
        if let Some(id) = self.of_child(attempt, jvm)? {
            self.run_mut(id).status.next_records = range;
        }
        Ok(())
    }

    /// `ping`: whether the attempt is known. It is no sign of progress.
    pub fn ping(&self, attempt: &TaskAttemptId, jvm: &JvmId) -> Result<bool, RemoteException> {
        Ok(self.of_child(attempt, jvm)?.is_some())
    }

    /// `commitPending`.
    pub fn commit_pending(
        &mut self,
        now: Now,
        attempt: &TaskAttemptId,
        report: TaskStatus,
        jvm: &JvmId,
    ) -> Result<(), RemoteException> {
        if !self.status_update(now, attempt, report, jvm) {
            return Err(RemoteException::io(format!("Task not found for taskid: {attempt}")));
        }
        self.beat();
        Ok(())
    }

    /// `canCommit`. The daemon may wait a moment before it passes a `false` on.
    pub fn can_commit(&self, attempt: &TaskAttemptId, jvm: &JvmId) -> Result<bool, RemoteException> {
        match self.of_child(attempt, jvm)? {
            Some(_) => Ok(self.commits.contains(attempt)),
            None => Err(refused_child(attempt, jvm)),
        }
    }

    /// `done`.
    pub fn done(&mut self, now: Now, attempt: &TaskAttemptId, jvm: &JvmId) -> Result<(), RemoteException> {
        let Some(id) = self.of_child(attempt, jvm)? else { return Ok(()) };
        self.commits.remove(attempt);
        if !self.run(id).done && !self.run(id).killed {
            self.succeed(now, id);
        }
        Ok(())
    }

    /// `shuffleError`, `fsError`, `fatalError`: the attempt failed, and its child with it.
    pub fn child_error(
        &mut self,
        now: Now,
        attempt: &TaskAttemptId,
        error: ChildError,
        message: &str,
        jvm: &JvmId,
    ) -> Result<(), RemoteException> {
        if let Some(id) = self.of_child(attempt, jvm)? {
            self.run_mut(id).add_diagnostics(&format!("{}{message}", error.prefix()));
            self.purge(now, id, End::Failed);
            self.launch_queued(now);
        }
        Ok(())
    }

    /// `getMapCompletionEvents`: what a reduce asks. `None` while there is nothing new and some map is still to come.
    pub fn map_events(
        &mut self,
        attempt: &TaskAttemptId,
        from: i32,
        max: i32,
        jvm: &JvmId,
    ) -> Result<Option<MapTaskCompletionEventsUpdate>, RemoteException> {
        let Some(&id) = self.reported.get(attempt) else {
            let text = format!("Unknown task; {attempt}. Ignoring getMapCompletionEvents Request");
            return Err(RemoteException::io(text));
        };
        self.validated(id, attempt, jvm)?;
        if self.resets.remove(attempt) {
            return Ok(Some(MapTaskCompletionEventsUpdate { reset: true, events: Vec::new() }));
        }
        let Some(known) = self.jobs.get(attempt.job()).and_then(|job| job.events.as_ref()) else {
            return Ok(Some(MapTaskCompletionEventsUpdate::default()));
        };
        let events = known.slice(from, max);
        let waits = events.is_empty() && !known.complete();
        Ok((!waits).then_some(MapTaskCompletionEventsUpdate { reset: false, events }))
    }

    /// Whether the answer to a reduce that asked in vain is to come a moment late. Java's reduce looks for map output when
    /// it starts and, where there was none yet, five seconds later; beside that it asks for events once a second, and
    /// ends its shuffle only when it would ask again. All from the same start on, so its last question comes right before
    /// its last fetch, and a second is lost. The first question in vain shifts all later ones behind the fetch.
    pub fn answers_late(&mut self, attempt: &TaskAttemptId) -> bool {
        let Some(&id) = self.reported.get(attempt) else { return false };
        let run = self.run_mut(id);
        if std::mem::replace(&mut run.asked_in_vain, true) {
            return false;
        }
        let Some(jvm) = run.jvm().cloned() else { return false };
        self.children.get(&jvm).is_some_and(|child| child.kind == ChildKind::Java)
    }

    /// Asks the JobTracker for what is new about a job's maps, if a reduce of the job is in its shuffle.
    pub fn fetch_map_events(&mut self, job: &JobId) {
        let shuffles = self.runs.values().any(|run| {
            run.task.attempt.job() == job
                && run.task.is_map_or_reduce()
                && run.status.phase == Phase::Shuffle
                && run.status.state == TaskState::Running
        });
        let Some(events) = self.jobs.get_mut(job).and_then(|job| job.events.as_mut()) else { return };
        if !shuffles {
            return;
        }
        if events.fetching {
            events.again = true;
            return;
        }
        events.fetching = true;
        let (from, max) = (events.next, self.settings.events_batch);
        self.effects.push(Effect::FetchMapEvents { job: job.clone(), from, max });
    }

    /// The JobTracker's answer to [`Effect::FetchMapEvents`]; nothing if there was none.
    pub fn map_events_fetched(&mut self, job: &JobId, fetched: Option<Vec<TaskCompletionEvent>>) {
        let Some(events) = self.jobs.get_mut(job).and_then(|job| job.events.as_mut()) else { return };
        events.fetching = false;
        let stale = std::mem::take(&mut events.stale);
        let mut again = std::mem::take(&mut events.again) || stale;
        match fetched {
            Some(fetched) if !stale => {
                again |= i32::try_from(fetched.len()).is_ok_and(|len| len >= self.settings.events_batch);
                events.append(fetched);
            }
            // The next heartbeat asks again.
            None => again = false,
            Some(_) => (),
        }
        if again {
            self.fetch_map_events(job);
        }
    }

    /// Every job with a reduce in its shuffle asks what is new.
    pub(crate) fn fetch_all_map_events(&mut self) {
        let jobs: Vec<JobId> = self.jobs.keys().cloned().collect();
        for job in jobs {
            self.fetch_map_events(&job);
        }
    }
}

fn refused_child(attempt: &TaskAttemptId, jvm: &JvmId) -> RemoteException {
    RemoteException::io(format!("JvmValidate Failed. Ignoring request from task: {attempt}, with JvmId: {jvm}"))
}
