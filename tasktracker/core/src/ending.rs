//! How attempts end: by success, by their child's exit, by silence, by a kill; and how their files and their job's go
//! (Hadoop 1.2.1: TaskInProgress.reportDone, taskFinished, kill, cleanup; TaskTracker.purgeTask, purgeJob).

use types::{JobId, JvmId, Now, TaskAttemptId, TaskState};

use crate::attempt::{Attempt, End, Stage};
use crate::child::{ChildState, RunId};
use crate::effect::{AttemptFiles, Effect};
use crate::local_job::Localization;
use crate::{DONE_AFTER_EXIT, TaskTracker};

impl TaskTracker {
    /// A child's attempt succeeded.
    pub(crate) fn succeed(&mut self, now: Now, id: RunId) {
        let run = self.run_mut(id);
        run.status.state = run.success_state();
        run.status.progress = 1.0;
        run.finish_at(now.wall.0);
        run.done = true;
        let jvm = run.jvm().cloned();
        let cleanup_failed = run.status.state != TaskState::Succeeded;
        self.end_stage(id);
        if let Some(child) = jvm.and_then(|jvm| self.children.get_mut(&jvm)).filter(|child| child.is_busy()) {
            child.attempt_ended();
        }
        if cleanup_failed {
            self.drop_from_tasks(id);
            self.clean(id, AttemptFiles::All);
        }
        self.beat();
        self.launch_queued(now);
    }

    /// A child has ended. The code is its exit status, or 128 and the signal's number.
    pub fn child_exited(&mut self, now: Now, jvm: &JvmId, code: i32) {
        let Some(run) = self.remove_child(jvm) else { return };
        if let Some(id) = run {
            let run = self.run_mut(id);
            if code != 0 && !run.killed && !run.done {
                let text = format!(
                    "java.lang.Throwable: Child Error\nCaused by: java.io.IOException: Task process exit with nonzero \
                     status of {code}.\n"
                );
                run.add_diagnostics(&text);
            }
            self.child_lost(now, id, jvm);
        }
        self.clean_left_jobs();
        self.launch_queued(now);
    }

    /// A child could not be started.
    pub fn child_not_started(&mut self, now: Now, jvm: &JvmId, problem: &str) {
        let Some(run) = self.remove_child(jvm) else { return };
        if let Some(id) = run {
            let run = self.run_mut(id);
            if !run.killed {
                run.add_diagnostics(&format!("java.lang.Throwable: Child Error\nCaused by: {problem}\n"));
            }
            self.child_lost(now, id, jvm);
            self.settle(now, id);
        }
        self.clean_left_jobs();
        self.launch_queued(now);
    }

    /// Takes a child off the books, and closes its logs. The inner value is the attempt it still had.
    fn remove_child(&mut self, jvm: &JvmId) -> Option<Option<RunId>> {
        let child = self.children.remove(jvm)?;
        self.effects.push(Effect::CloseLogs { first: child.first.clone(), attempts: child.attempts.clone() });
        let ran = |run: &Attempt| child.attempts.iter().any(|(attempt, cleanup)| run.is(attempt, *cleanup));
        let clean = self.runs.iter().filter(|(_, run)| run.clean_at_exit && ran(run));
        let clean: Vec<RunId> = clean.map(|(id, _)| *id).collect();
        for id in &clean {
            self.clean_now(*id, AttemptFiles::All);
        }
        let (attempt, task_cleanup) = child.first;
        // The job's script looks at the working directory first.
        let looked_at = child.run.is_some_and(|id| self.is_debugged(id));
        let work_is_gone = looked_at || clean.iter().any(|id| self.run(*id).is(&attempt, task_cleanup));
        if !work_is_gone {
            self.effects.push(Effect::CleanAttempt {
                attempt,
                task_cleanup,
                user: child.user,
                files: AttemptFiles::Work,
                failed: false,
            });
        }
        for id in clean {
            self.forget_if_unused(id);
        }
        // A killed attempt may have been reported and forgotten while its child was still on its way out.
        Some(child.run.filter(|id| self.runs.contains_key(id)))
    }

    /// An attempt's child is gone: either it was killed, or a last word may still come.
    fn child_lost(&mut self, now: Now, id: RunId, jvm: &JvmId) {
        let run = self.run_mut(id);
        if run.done || run.killed || run.stage == Stage::Ended {
            self.forget_if_unused(id);
        } else {
            run.stage = Stage::Exited { jvm: jvm.clone(), until: now.mono + DONE_AFTER_EXIT };
        }
    }

    /// Fails attempts whose child exited and said nothing more.
    pub(crate) fn settle_exited(&mut self, now: Now) {
        let late = |stage: &Stage| matches!(stage, Stage::Exited { until, .. } if *until <= now.mono);
        let due: Vec<RunId> = self.runs.iter().filter(|(_, run)| late(&run.stage)).map(|(id, _)| *id).collect();
        for id in due {
            self.settle(now, id);
        }
        self.launch_queued(now);
    }

    fn settle(&mut self, now: Now, id: RunId) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if !matches!(run.stage, Stage::Exited { .. }) {
            return;
        }
        if self.is_debugged(id) {
            let run = self.run_mut(id);
            run.stage = Stage::Debugged;
            let task = Box::new(run.task.clone());
            return self.effects.push(Effect::RunDebugScript { task });
        }
        self.fail_exited(now, id);
    }

    /// Whether the job's script is to look at the attempt if it fails by itself.
    fn is_debugged(&self, id: RunId) -> bool {
        let Some(run) = self.runs.get(&id) else { return false };
        let attempt = &run.task.attempt;
        let (maps, reduces) =
            self.jobs.get(attempt.job()).and_then(|job| job.info()).map_or((false, false), |i| i.debugs);
        let wanted = if attempt.kind().is_map() { maps } else { reduces };
        wanted && !run.done && !run.killed
    }

    /// The job's script has looked at a failed attempt; `output` goes to its diagnostics (Hadoop 1.2.1:
    /// TaskInProgress.taskFinished).
    pub fn debug_script_ended(&mut self, now: Now, attempt: &TaskAttemptId, task_cleanup: bool, output: &str) {
        let debugged = |run: &Attempt| run.is(attempt, task_cleanup) && run.stage == Stage::Debugged;
        let Some(id) = self.runs.iter().find(|(_, run)| debugged(run)).map(|(id, _)| *id) else { return };
        let first = (attempt.clone(), task_cleanup);
        self.effects.push(Effect::CloseLogs { first: first.clone(), attempts: vec![first] });
        self.run_mut(id).add_diagnostics(output);
        self.fail_exited(now, id);
        self.launch_queued(now);
    }

    fn fail_exited(&mut self, now: Now, id: RunId) {
        let run = self.run_mut(id);
        run.status.state = run.end_state(End::Failed);
        run.status.progress = 0.0;
        run.finish_at(now.wall.0);
        self.task_failures += 1;
        self.end_stage(id);
        self.drop_from_job(id);
        self.drop_from_tasks(id);
        self.clean(id, AttemptFiles::All);
        self.beat();
        self.forget_if_unused(id);
    }

    /// Fails attempts that said nothing for too long (Hadoop 1.2.1: TaskTracker.markUnresponsiveTasks).
    pub(crate) fn fail_silent(&mut self, now: Now) {
        let silent = |run: &Attempt| run.times_out_at().is_some_and(|at| at <= now.mono);
        let due: Vec<RunId> = self.runs.iter().filter(|(_, run)| silent(run)).map(|(id, _)| *id).collect();
        for id in due {
            let run = self.run_mut(id);
            let seconds = (now.mono - run.last_progress).as_secs();
            let text = format!("Task {} failed to report status for {seconds} seconds. Killing!", run.task.attempt);
            run.add_diagnostics(&text);
            self.purge(now, id, End::Failed);
        }
        self.launch_queued(now);
    }

    /// Ends an attempt, whatever it is doing, and removes its files.
    pub(crate) fn purge(&mut self, now: Now, id: RunId, end: End) {
        self.drop_from_job(id);
        self.kill(now, id, end);
        self.drop_from_tasks(id);
        self.clean(id, AttemptFiles::All);
        self.forget_if_unused(id);
    }

    /// Hadoop 1.2.1: TaskInProgress.jobHasFinished, kill.
    fn kill(&mut self, now: Now, id: RunId, end: End) {
        let run = self.run_mut(id);
        let waiting = run.status.state == TaskState::Unassigned;
        if !(run.is_active() || waiting || run.holds_slots()) || run.stage == Stage::Ended {
            return;
        }
        run.status.state = match (waiting, end) {
            (true, End::Failed) => TaskState::Failed,
            (true, End::Killed) => TaskState::Killed,
            (false, end) => run.end_state(end),
        };
        run.killed = !waiting;
        run.finish_at(now.wall.0);
        let jvm = run.jvm().cloned();
        if end == End::Failed {
            self.task_failures += 1;
        }
        self.end_stage(id);
        if let Some(jvm) = jvm {
            self.kill_child(now, &jvm);
        }
        self.beat();
    }

    /// Gives an attempt's slots back.
    fn end_stage(&mut self, id: RunId) {
        let run = self.run_mut(id);
        let (held, slots, kind) = (run.holds_slots(), run.task.slots_required, run.task.kind());
        run.stage = Stage::Ended;
        if held {
            *self.free_slots.entry(kind).or_default() += slots;
        }
    }

    pub(crate) fn drop_from_tasks(&mut self, id: RunId) {
        let Some(run) = self.runs.get(&id) else { return };
        let attempt = run.task.attempt.clone();
        if self.tasks.get(&attempt) == Some(&id) {
            self.tasks.remove(&attempt);
            self.commits.remove(&attempt);
            self.resets.remove(&attempt);
        }
    }

    fn drop_from_job(&mut self, id: RunId) {
        let Some(run) = self.runs.get(&id) else { return };
        if let Some(job) = self.jobs.get_mut(&run.task.attempt.job().clone()) {
            job.runs.remove(&id);
            job.waiting.retain(|waiting| *waiting != id);
        }
    }

    /// Deletes an attempt's files once no child of its works on them. A job that reuses children keeps them to its end,
    /// since one child's directory serves several attempts (Hadoop 1.2.1: TaskInProgress.removeTaskFiles).
    fn clean(&mut self, id: RunId, files: AttemptFiles) {
        let run = self.run(id);
        let Some(info) = self.jobs.get(run.task.attempt.job()).and_then(|job| job.info()) else { return };
        if info.tasks_per_child != Some(1) {
            return;
        }
        if self.children.values().any(|child| child.attempts.iter().any(|(id, cleanup)| run.is(id, *cleanup))) {
            self.run_mut(id).clean_at_exit = true;
        } else {
            self.clean_now(id, files);
        }
    }

    fn clean_now(&mut self, id: RunId, files: AttemptFiles) {
        let run = self.run_mut(id);
        run.clean_at_exit = false;
        let effect = Effect::CleanAttempt {
            attempt: run.task.attempt.clone(),
            task_cleanup: run.task.task_cleanup,
            user: run.task.user.clone(),
            files,
            failed: run.status.state == TaskState::Failed,
        };
        self.effects.push(effect);
    }

    /// The JobTracker says that an attempt is to end, or that a finished one is not needed any more.
    pub(crate) fn kill_task(&mut self, now: Now, attempt: &TaskAttemptId) {
        if let Some(id) = self.known(attempt) {
            self.purge(now, id, End::Killed);
        }
    }

    /// The JobTracker says that a job is over.
    pub(crate) fn purge_job(&mut self, now: Now, job: &JobId) {
        // Attempts that still wait for slots are the job's too, though it may not be here yet.
        let of_job = |id: &&RunId| self.run(**id).task.attempt.job() == job;
        let runs: Vec<RunId> = self.runs.keys().filter(of_job).copied().collect();
        for id in runs {
            self.purge(now, id, End::Killed);
        }
        let Some(local) = self.jobs.get_mut(job) else { return };
        if matches!(local.localization, Localization::Running { .. }) {
            // Its files are being brought: they go as soon as they are here.
            local.over = true;
            return;
        }
        let user = local.user.clone();
        self.jobs.remove(job);
        self.leaving_jobs.insert(job.clone(), user);
        let children: Vec<JvmId> = self.children.keys().filter(|jvm| jvm.job == *job).cloned().collect();
        for jvm in children {
            if self.children.get(&jvm).is_some_and(|child| child.state == ChildState::Busy) {
                self.kill_child(now, &jvm);
            } else {
                self.dismiss(now.mono, &jvm);
            }
        }
        self.clean_left_jobs();
    }

    /// Jobs that are over go when no child of theirs is left to write into their directories.
    fn clean_left_jobs(&mut self) {
        let busy = |job: &JobId| self.children.keys().any(|jvm| jvm.job == *job);
        let gone: Vec<JobId> = self.leaving_jobs.keys().filter(|job| !busy(job)).cloned().collect();
        for job in gone {
            if let Some(user) = self.leaving_jobs.remove(&job) {
                self.effects.push(Effect::CleanJob { job, user });
            }
        }
    }

    /// A map's output could not be read for a reduce: the JobTracker hears that the map failed.
    pub fn map_output_lost(&mut self, now: Now, attempt: &TaskAttemptId, problem: &str) {
        let Some(id) = self.known(attempt) else { return };
        let run = self.run_mut(id);
        if !matches!(run.status.state, TaskState::CommitPending | TaskState::Succeeded) {
            return;
        }
        run.status.state = TaskState::Failed;
        run.status.progress = 0.0;
        run.add_diagnostics(&format!("Map output lost, rescheduling: {problem}"));
        run.finish_at(now.wall.0);
        self.reported.insert(attempt.clone(), id);
        self.beat();
    }

    /// Ends a running attempt for what the daemon saw of its process: too much memory, for instance.
    pub fn end_attempt(&mut self, now: Now, attempt: &TaskAttemptId, failed: bool, diagnostics: &str) {
        let Some(id) = self.known(attempt) else { return };
        let run = self.run_mut(id);
        if !run.is_active() || run.killed || run.done {
            return;
        }
        run.add_diagnostics(diagnostics);
        self.purge(now, id, if failed { End::Failed } else { End::Killed });
        self.launch_queued(now);
    }
}
