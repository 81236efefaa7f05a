//! Carries out what the core wants: files and processes on threads that may wait, calls of the JobTracker, clean-ups one
//! after the other. What comes of it goes back to the core.

use std::sync::Arc;
use std::time::Duration;

use configuration::{ConfigError, Configuration, keys};
use nix::sys::signal;
use tasktracker_core::{AttemptFiles, Effect, JobInfo, MemoryLimits, Signal};
use tokio::sync::{Notify, mpsc};
use twins::Choice;
use types::{JobId, JvmId, Task, TaskAttemptId, TaskKind};

use crate::cgroups::{Cgroups, Group, GroupLimits};
use crate::debug_script;
use crate::driver::CoreHandle;
use crate::job_tracker::JobTracker;
use crate::launcher::Launcher;
use crate::localizer::{LocalizedJob, Localizer, chain};
use crate::task_controller::{Running, TaskController};
use crate::user_logs::{LogSizes, UserLogs};
use daemon_shell::Clock;

/// Forgets what is remembered of a job's map outputs.
pub(crate) type ForgetMapOutputs = Arc<dyn Fn(&JobId) + Send + Sync>;

/// All that effects need.
pub(crate) struct Tools {
    pub(crate) core: CoreHandle,
    pub(crate) clock: Clock,
    pub(crate) localizer: Arc<Localizer>,
    pub(crate) launcher: Launcher,
    pub(crate) controller: Arc<dyn TaskController>,
    pub(crate) logs: Arc<UserLogs>,
    pub(crate) cgroups: Option<Cgroups>,
    pub(crate) log_sizes: LogSizes,
    pub(crate) job_tracker: Arc<JobTracker>,
    pub(crate) forget_map_outputs: ForgetMapOutputs,
    /// Asks for a heartbeat at once.
    pub(crate) heartbeat: Arc<Notify>,
}

/// Carries out effects in their order.
pub(crate) struct Effects {
    tools: Arc<Tools>,
    cleaner: mpsc::UnboundedSender<Effect>,
}

impl Effects {
    /// Starts the task that cleans up.
    pub(crate) fn new(tools: Arc<Tools>) -> Effects {
        let (cleaner, queue) = mpsc::unbounded_channel();
        tokio::spawn(clean_up(tools.clone(), queue));
        Effects { tools, cleaner }
    }

    /// Begins an effect; returns at once.
    pub(crate) fn begin(&self, effect: Effect) {
        let tools = self.tools.clone();
        match effect {
            Effect::Heartbeat => tools.heartbeat.notify_one(),
            Effect::LocalizeJob { job, task } => drop(tokio::spawn(localize_job(tools, job, task))),
            Effect::SpawnChild { jvm, task, .. } => drop(tokio::spawn(run_child(tools, jvm, task))),
            Effect::PrepareTask { jvm, task } => drop(tokio::spawn(prepare_task(tools, jvm, task))),
            Effect::FetchMapEvents { job, from, max } => drop(tokio::spawn(fetch_map_events(tools, job, from, max))),
            Effect::RunDebugScript { task } => drop(tokio::spawn(run_debug_script(tools, task))),
            Effect::SignalChild { jvm, user, pid, signal } => {
                // Another program may have to run for it.
                drop(tokio::spawn(blocking(move || signal_child(&tools, &jvm, &user, pid, signal))));
            }
            effect @ (Effect::CleanAttempt { .. } | Effect::CleanJob { .. } | Effect::CloseLogs { .. }) => {
                // The cleaner ends with the runtime only.
                let _ = self.cleaner.send(effect);
            }
        }
    }
}

/// Does what blocks; `None` if the runtime is ending.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

async fn localize_job(tools: Arc<Tools>, job: JobId, task: Box<Task>) {
    let started = std::time::Instant::now();
    let (localizer, attempt) = (tools.localizer.clone(), task.attempt.clone());
    let system_dir = tools.job_tracker.system_dir();
    let localized = blocking(move || {
        let local = localizer.localize_job(&task, &system_dir).map_err(|error| chain(&error))?;
        job_info(&local).map_err(|error| error.to_string()).map(|info| (info, local))
    });
    let Some(localized) = localized.await else { return };
    let elapsed_ms = started.elapsed().as_millis();
    match &localized {
        Ok((info, local)) => {
            let reason = local.child.reason().unwrap_or_default();
            tracing::info!(%job, native = info.native, reason, elapsed_ms, "the job is here");
        }
        Err(problem) => tracing::warn!(%job, %attempt, problem, elapsed_ms, "the job cannot be brought here"),
    }
    let result = localized.map(|(info, _)| info);
    tools.core.tell(move |core, now| core.job_localized(now, &job, result));
}

/// What the core needs to know of a job.
fn job_info(job: &LocalizedJob) -> Result<JobInfo, ConfigError> {
    let conf = &job.conf;
    let reuse = conf.get(&keys::MAPRED_JOB_REUSE_JVM_NUM_TASKS)?;
    Ok(JobInfo {
        job_file: job.job_xml.display().to_string(),
        tasks_per_child: (reuse != -1).then(|| u32::try_from(reuse).unwrap_or(1).max(1)),
        task_timeout: task_timeout(conf)?,
        native: job.child.is_native(),
        java_reason: job.child.reason().unwrap_or_default().to_owned(),
        native_setup_cleanup: job.setup_cleanup_child.is_native(),
        debugs: (conf.is_set(&keys::MAPRED_MAP_TASK_DEBUG_SCRIPT), conf.is_set(&keys::MAPRED_REDUCE_TASK_DEBUG_SCRIPT)),
        map_memory: memory_limits(conf, TaskKind::Map)?,
        reduce_memory: memory_limits(conf, TaskKind::Reduce)?,
    })
}

/// What an attempt of that kind may use (Hadoop 1.2.1: JobConf.getMemoryForMapTask, getMemoryForReduceTask).
fn memory_limits(conf: &Configuration, kind: TaskKind) -> Result<MemoryLimits, ConfigError> {
    let (virtual_mb, resident_mb) = match kind {
        TaskKind::Map => (&keys::MAPRED_JOB_MAP_MEMORY_MB, &keys::MAPREDUCE_MAP_MEMORY_PHYSICAL_MB),
        TaskKind::Reduce => (&keys::MAPRED_JOB_REDUCE_MEMORY_MB, &keys::MAPREDUCE_REDUCE_MEMORY_PHYSICAL_MB),
    };
    let bytes = |megabytes: i64| u64::try_from(megabytes).ok().map(|megabytes| megabytes.saturating_mul(1 << 20));
    let old = conf.get_optional(&keys::MAPRED_TASK_MAXVMEM)?.filter(|bytes| *bytes >= 0);
    Ok(MemoryLimits {
        virtual_bytes: match old {
            Some(old) => bytes(old >> 20),
            None => bytes(conf.get(virtual_mb)?),
        },
        resident_bytes: conf.get_optional(resident_mb)?.and_then(bytes),
    })
}

fn task_timeout(conf: &Configuration) -> Result<Option<Duration>, ConfigError> {
    let millis = match conf.is_set(&keys::MAPRED_TASK_TIMEOUT) || !conf.is_set(&keys::MAPREDUCE_TASK_TIMEOUT) {
        true => conf.get(&keys::MAPRED_TASK_TIMEOUT)?,
        false => conf.get(&keys::MAPREDUCE_TASK_TIMEOUT)?,
    };
    Ok(u64::try_from(millis).ok().filter(|millis| *millis > 0).map(Duration::from_millis))
}

/// A child from its files to its exit.
async fn run_child(tools: Arc<Tools>, jvm: JvmId, task: Box<Task>) {
    let (own, attempt, id) = (tools.clone(), task.attempt.clone(), jvm.clone());
    let Some(started) = blocking(move || start_child(&own, &id, &task)).await else { return };
    let (mut running, group) = match started {
        Ok(started) => started,
        Err(problem) => {
            tracing::warn!(%attempt, %jvm, problem, "a child cannot be started");
            return tools.core.tell(move |core, now| core.child_not_started(now, &jvm, &problem));
        }
    };
    let pid = running.pid();
    tracing::info!(%attempt, %jvm, pid, "a child runs");
    let started = jvm.clone();
    tools.core.tell(move |core, _| core.child_started(&started, pid));
    let code = running.wait().await;
    if let Some(group) = group {
        // Before the core hears of the end, so that nobody writes into files that go.
        blocking(move || group.end()).await;
    }
    tracing::info!(%jvm, pid, code, "a child has ended");
    tools.launcher.child_ended(&jvm, code);
    tools.core.tell(move |core, now| core.child_exited(now, &jvm, code));
}

fn start_child(tools: &Tools, jvm: &JvmId, task: &Task) -> Result<(Running, Option<Group>), String> {
    let job = job_of(tools, task)?;
    let local = tools.localizer.localize_task(&job, task).map_err(|error| chain(&error))?;
    let spec = tools.launcher.spec(&job, &local, jvm).map_err(|error| chain(&error))?;
    let limits =
        GroupLimits { memory: spec.limits.memory_bytes, slots: u64::try_from(task.slots_required).unwrap_or(1) };
    let group = tools.cgroups.as_ref().map(|cgroups| cgroups.create(&jvm.to_string(), limits));
    let group = group.transpose().map_err(|error| error.to_string())?;
    let running = match tools.controller.launch_task(&spec) {
        Ok(running) => running,
        Err(error) => {
            group.into_iter().for_each(Group::end);
            return Err(chain(&error));
        }
    };
    if let Some(Err(error)) = group.as_ref().map(|group| group.add(running.pid())) {
        tracing::warn!(%jvm, pid = running.pid(), %error, "a child is in no control group");
    }
    Ok((running, group))
}

async fn prepare_task(tools: Arc<Tools>, jvm: JvmId, task: Box<Task>) {
    let own = tools.clone();
    let prepared = blocking(move || {
        let job = job_of(&own, &task)?;
        if let Choice::Refused(reason) = job.choice(&task) {
            return Err(reason.clone());
        }
        own.localizer.localize_task(&job, &task).map(|_| ()).map_err(|error| chain(&error))
    });
    let Some(result) = prepared.await else { return };
    tools.core.tell(move |core, now| core.task_prepared(now, &jvm, result));
}

fn job_of(tools: &Tools, task: &Task) -> Result<Arc<LocalizedJob>, String> {
    let job = task.attempt.job();
    tools.localizer.job(job).ok_or_else(|| format!("the files of {job} are not here any more"))
}

async fn run_debug_script(tools: Arc<Tools>, task: Box<Task>) {
    let (attempt, cleanup) = (task.attempt.clone(), task.task_cleanup);
    let output = match tools.localizer.job(attempt.job()) {
        Some(job) => debug_script::run(&job, &task, tools.localizer.dirs(), &tools.logs).await,
        None => String::new(),
    };
    tools.core.tell(move |core, now| core.debug_script_ended(now, &attempt, cleanup, &output));
}

async fn fetch_map_events(tools: Arc<Tools>, job: JobId, from: i32, max: i32) {
    let fetched = match tools.job_tracker.map_events(&job, from, max).await {
        Ok(events) => Some(events),
        Err(error) => {
            tracing::warn!(%job, %error, "cannot ask for completed maps");
            None
        }
    };
    tools.core.tell(move |core, _| core.map_events_fetched(&job, fetched));
}

fn signal_child(tools: &Tools, jvm: &JvmId, user: &str, pid: i32, which: Signal) {
    let number = match which {
        Signal::Term => signal::Signal::SIGTERM,
        Signal::Kill => signal::Signal::SIGKILL,
    };
    match tools.controller.signal_task(user, pid, number) {
        Ok(there) => tracing::info!(%jvm, pid, signal = number.as_str(), there, "signalled a child"),
        Err(error) => tracing::warn!(%jvm, pid, signal = number.as_str(), %error, "cannot signal a child"),
    }
}

async fn clean_up(tools: Arc<Tools>, mut queue: mpsc::UnboundedReceiver<Effect>) {
    while let Some(effect) = queue.recv().await {
        let own = tools.clone();
        if blocking(move || clean_one(&own, effect)).await.is_none() {
            return;
        }
    }
}

fn clean_one(tools: &Tools, effect: Effect) {
    match effect {
        Effect::CleanAttempt { attempt, task_cleanup, user, files, failed } => match files {
            AttemptFiles::Work => tools.localizer.clean_work_dir(&user, &attempt, task_cleanup),
            AttemptFiles::All if kept(tools, &attempt, failed) => (),
            AttemptFiles::All => tools.localizer.clean_attempt(&user, &attempt, task_cleanup),
        },
        Effect::CleanJob { job, user } => clean_job(tools, &job, &user),
        Effect::CloseLogs { first, attempts } => tools.logs.truncate(&first, &attempts, tools.log_sizes),
        _ => (),
    }
}

/// Whether the job wants an attempt's files kept (Hadoop 1.2.1: TaskInProgress.cleanup).
fn kept(tools: &Tools, attempt: &TaskAttemptId, failed: bool) -> bool {
    let Some(job) = tools.localizer.job(attempt.job()) else { return false };
    let keeps_failed = || job.conf.get_or(&keys::KEEP_FAILED_TASK_FILES, false);
    (failed && keeps_failed()) || keep_pattern(&job.conf).is_some_and(|pattern| pattern.is_match(&attempt.to_string()))
}

/// The pattern of attempts whose files are kept, which must match the whole id.
fn keep_pattern(conf: &Configuration) -> Option<regex::Regex> {
    let pattern = conf.get_optional(&keys::KEEP_TASK_FILES_PATTERN).ok().flatten()?;
    regex::Regex::new(&format!("^(?:{pattern})$")).ok()
}

fn clean_job(tools: &Tools, id: &JobId, user: &str) {
    (tools.forget_map_outputs)(id);
    let Some(job) = tools.localizer.job(id) else { return tools.localizer.clean_job(user, id) };
    let hours = u64::try_from(job.conf.get_or(&keys::MAPRED_USERLOG_RETAIN_HOURS, 24)).unwrap_or(0);
    tools.logs.job_finished(id, tools.clock.now().mono.0 + Duration::from_secs(hours * 3600));
    if job.conf.get_or(&keys::KEEP_FAILED_TASK_FILES, false) || keep_pattern(&job.conf).is_some() {
        tools.localizer.forget_job(id);
    } else {
        tools.localizer.clean_job(user, id);
    }
    tracing::info!(job = %id, "the job's files are gone");
}
