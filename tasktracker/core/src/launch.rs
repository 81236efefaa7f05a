//! From "launch this attempt" to a child that has it: registration, the queue before the slots, the job's files, the
//! choice of a child (Hadoop 1.2.1: TaskTracker.registerTask, TaskLauncher, startNewTask; JvmManager.reapJvm).

use types::{JobId, JvmId, Monotonic, Now, Task, TaskDetail, TaskKind, TaskState};

use crate::attempt::{Attempt, End, Stage};
use crate::child::{Child, ChildEvent, ChildState, Reap, RunId, reap};
use crate::effect::{ChildKind, Effect, Signal};
use crate::local_job::{JobInfo, LocalJob, Localization, MapEvents};
use crate::{LEAVE_TIME, TaskTracker};

impl TaskTracker {
    /// Takes an attempt from the JobTracker: it is reported from now on and waits for slots.
    pub(crate) fn register(&mut self, now: Now, task: Task) {
        if self.stopping {
            return;
        }
        let (id, kind, attempt) = (self.next_run, task.kind(), task.attempt.clone());
        self.next_run += 1;
        self.runs.insert(id, Attempt::new(task, now.mono));
        let before = [self.tasks.insert(attempt.clone(), id), self.reported.insert(attempt, id)];
        for replaced in before.into_iter().flatten() {
            self.forget_if_unused(replaced);
        }
        self.queues.entry(kind).or_default().push_back(id);
    }

    /// Gives free slots to the attempts at the heads of the queues. An attempt that was killed meanwhile takes none.
    pub(crate) fn launch_queued(&mut self, now: Now) {
        for kind in TaskKind::BOTH {
            while let Some(&id) = self.queues[&kind].front() {
                let run = self.run(id);
                let (launchable, slots) = (run.can_be_launched(), run.task.slots_required);
                if launchable && slots > self.free_slots[&kind] {
                    break;
                }
                self.queues.entry(kind).or_default().pop_front();
                if launchable {
                    *self.free_slots.entry(kind).or_default() -= slots;
                    self.start(now, id);
                } else {
                    self.forget_if_unused(id);
                }
            }
        }
    }

    fn start(&mut self, now: Now, id: RunId) {
        let run = self.run_mut(id);
        run.stage = Stage::Localizing;
        let task = run.task.clone();
        let job_id = task.attempt.job().clone();
        self.leaving_jobs.remove(&job_id);
        let job = self.jobs.entry(job_id.clone()).or_insert_with(|| LocalJob::new(task.user.clone()));
        job.runs.insert(id);
        match &job.localization {
            Localization::Done => {
                let info = job.info.clone().expect("a job that is here has said what it wants");
                self.launch(now, id, &info);
            }
            Localization::Running { .. } => job.waiting.push(id),
            Localization::NotYet => {
                job.localization = Localization::Running { by: id };
                job.waiting.push(id);
                self.effects.push(Effect::LocalizeJob { job: job_id, task: Box::new(task) });
            }
        }
    }

    /// A job's files are here, or could not be had: `Err` is what the attempt that asked for them will say. The next
    /// attempt that waits tries again.
    pub fn job_localized(&mut self, now: Now, job: &JobId, result: Result<JobInfo, String>) {
        let Some(local) = self.jobs.get_mut(job) else { return };
        let Localization::Running { by } = local.localization else { return };
        let waiting = std::mem::take(&mut local.waiting);
        match result {
            Ok(info) => {
                local.localization = Localization::Done;
                local.info = Some(info.clone());
                for id in waiting {
                    self.launch(now, id, &info);
                }
            }
            Err(problem) => {
                local.localization = Localization::NotYet;
                let rest: Vec<RunId> = waiting.into_iter().filter(|id| *id != by).collect();
                self.fail_initialization(now, by, &problem);
                let waits = |id: &RunId| self.runs.get(id).is_some_and(|run| run.stage == Stage::Localizing);
                let rest: Vec<RunId> = rest.into_iter().filter(waits).collect();
                self.localize_for_next(job, rest);
            }
        }
        if self.jobs.get(job).is_some_and(|local| local.over) {
            self.purge_job(now, job);
        }
        self.launch_queued(now);
    }

    /// Some of a job's files are gone with a disk: its next attempt has them brought again. Attempts that run go on.
    pub fn job_files_lost(&mut self, job: &JobId) {
        if let Some(local) = self.jobs.get_mut(job)
            && matches!(local.localization, Localization::Done)
        {
            local.localization = Localization::NotYet;
        }
    }

    fn localize_for_next(&mut self, job: &JobId, waiting: Vec<RunId>) {
        let Some(&by) = waiting.first() else { return };
        let task = Box::new(self.run(by).task.clone());
        if let Some(local) = self.jobs.get_mut(job) {
            local.localization = Localization::Running { by };
            local.waiting = waiting;
            self.effects.push(Effect::LocalizeJob { job: job.clone(), task });
        }
    }

    fn fail_initialization(&mut self, now: Now, id: RunId, problem: &str) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.stage == Stage::Ended {
            return self.forget_if_unused(id);
        }
        let text = format!("Error initializing {}:\n{problem}", run.task.attempt);
        run.add_diagnostics(&text);
        self.purge(now, id, End::Failed);
    }

    /// The job's files are here: the attempt starts (Hadoop 1.2.1: TaskInProgress.launchTask).
    fn launch(&mut self, now: Now, id: RunId, info: &JobInfo) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.stage != Stage::Localizing || !run.can_be_launched() {
            return self.forget_if_unused(id);
        }
        run.task.job_file.clone_from(&info.job_file);
        run.timeout = info.task_timeout;
        run.last_progress = now.mono;
        run.status.start_time = now.wall.0;
        if run.status.state == TaskState::Unassigned {
            run.status.state = TaskState::Running;
        }
        self.watch_maps(id);
        self.give_child(now, id, info);
    }

    /// A reduce begins: its job's map events are wanted.
    fn watch_maps(&mut self, id: RunId) {
        let task = &self.run(id).task;
        let TaskDetail::Reduce { maps } = task.detail else { return };
        if !task.is_map_or_reduce() {
            return;
        }
        let job = task.attempt.job().clone();
        if let Some(local) = self.jobs.get_mut(&job) {
            local.events.get_or_insert_with(|| MapEvents::new(maps));
        }
        self.fetch_map_events(&job);
    }

    fn give_child(&mut self, now: Now, id: RunId, info: &JobInfo) {
        let task = self.run(id).task.clone();
        let (job, slot) = (task.attempt.job().clone(), task.kind());
        let native = if task.is_map_or_reduce() { info.native } else { info.native_setup_cleanup };
        let kind = if native { ChildKind::Native } else { ChildKind::Java };
        let children_max = usize::try_from(self.settings.slots(slot)).unwrap_or(0);
        match reap(&self.children, slot, children_max, &job, kind) {
            Reap::Reuse(jvm) => return self.reuse(id, jvm, task),
            Reap::Replace(jvm) => self.dismiss(now.mono, &jvm),
            Reap::Spawn => (),
            // Each busy child has an attempt that holds a slot, and this attempt holds one too.
            Reap::Inconsistent => panic!("all children of {slot:?} slots are busy although a slot was free"),
        }
        self.spawn(id, kind, info.tasks_per_child, task);
    }

    fn spawn(&mut self, id: RunId, kind: ChildKind, ran_max: Option<u32>, task: Task) {
        let mut jvm = JvmId { job: task.attempt.job().clone(), kind: task.kind(), number: self.random_i32() };
        while self.children.contains_key(&jvm) {
            jvm.number = self.random_i32();
        }
        let first = (task.attempt.clone(), task.task_cleanup);
        let child = Child {
            kind,
            user: task.user.clone(),
            state: ChildState::Busy,
            run: Some(id),
            prepared: true,
            pid: None,
            ran: 0,
            ran_max,
            signal_at: None,
            attempts: vec![first.clone()],
            first,
        };
        self.children.insert(jvm.clone(), child);
        self.run_mut(id).stage = Stage::Launched { jvm: jvm.clone() };
        self.effects.push(Effect::SpawnChild { jvm, kind, task: Box::new(task) });
    }

    fn reuse(&mut self, id: RunId, jvm: JvmId, task: Task) {
        let child = self.children.get_mut(&jvm).expect("the child was found in the pool");
        child.apply(ChildEvent::Assign);
        child.run = Some(id);
        child.prepared = false;
        child.signal_at = None;
        child.attempts.push((task.attempt.clone(), task.task_cleanup));
        self.run_mut(id).stage = Stage::Launched { jvm: jvm.clone() };
        self.effects.push(Effect::PrepareTask { jvm, task: Box::new(task) });
    }

    /// The directories of an attempt for an idle child are there, or could not be made.
    pub fn task_prepared(&mut self, now: Now, jvm: &JvmId, result: Result<(), String>) {
        let Some(child) = self.children.get_mut(jvm) else { return };
        let Some(id) = child.run else { return };
        match result {
            Ok(()) => child.prepared = true,
            Err(problem) => self.fail_initialization(now, id, &problem),
        }
        self.launch_queued(now);
    }

    /// A child's process runs. `pid` leads its process group.
    pub fn child_started(&mut self, jvm: &JvmId, pid: i32) {
        let Some(child) = self.children.get_mut(jvm) else { return };
        let unknown = child.pid.replace(pid).is_none();
        if unknown && child.state == ChildState::Dying {
            self.signal_first(jvm);
        }
    }

    /// Takes a child out of the pool: it is told to end when it asks for a task, and signalled if it does not end.
    pub(crate) fn dismiss(&mut self, now: Monotonic, jvm: &JvmId) {
        let Some(child) = self.children.get_mut(jvm) else { return };
        if child.state.in_pool() {
            child.signal_at = Some(now + LEAVE_TIME);
        }
        child.apply(ChildEvent::Dismiss);
    }

    /// Ends a child now: SIGTERM, and SIGKILL after the site's delay (Hadoop 1.2.1: JvmRunner.kill).
    pub(crate) fn kill_child(&mut self, now: Now, jvm: &JvmId) {
        let delay = self.settings.sigkill_delay;
        let Some(child) = self.children.get_mut(jvm) else { return };
        if child.state == ChildState::Dying {
            return;
        }
        child.apply(ChildEvent::Kill);
        child.signal_at = (!delay.is_zero()).then(|| now.mono + delay);
        self.signal_first(jvm);
    }

    fn signal_first(&mut self, jvm: &JvmId) {
        let signal = if self.settings.sigkill_delay.is_zero() { Signal::Kill } else { Signal::Term };
        self.signal(jvm, signal);
    }

    /// Does nothing while the process id is unknown: `child_started` comes back to it.
    fn signal(&mut self, jvm: &JvmId, signal: Signal) {
        let Some(child) = self.children.get(jvm) else { return };
        if let Some(pid) = child.pid {
            self.effects.push(Effect::SignalChild { jvm: jvm.clone(), user: child.user.clone(), pid, signal });
        }
    }

    /// Signals children whose time is up.
    pub(crate) fn signal_late(&mut self, now: Now) {
        let due = self.children.iter().filter(|(_, child)| child.signal_at.is_some_and(|at| at <= now.mono));
        let due: Vec<(JvmId, ChildState)> = due.map(|(jvm, child)| (jvm.clone(), child.state)).collect();
        for (jvm, state) in due {
            if let Some(child) = self.children.get_mut(&jvm) {
                child.signal_at = None;
            }
            if state == ChildState::Dying {
                self.signal(&jvm, Signal::Kill);
            } else {
                self.kill_child(now, &jvm);
            }
        }
    }
}
