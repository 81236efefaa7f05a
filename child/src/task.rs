//! Runs one attempt: a map, a reduce, or a setup or cleanup.
//!
//! Hadoop 1.2.1: MapTask.run, ReduceTask.run, Task.initialize, runJobSetupTask, runJobCleanupTask, runTaskCleanupTask.

use std::path::PathBuf;
use std::sync::Arc;

use configuration::{Configuration, keys};
use storage::{LocalFileSystem, Path, Storage};
use types::{JobState, Phase, Task, TaskDetail, TaskState, TaskStatus};
use wire::splits;

use crate::api::{Library, Reporter, Result, TaskContext, TaskError};
use crate::attempt::{AttemptReport, Ticker};
use crate::committer::Committer;
use crate::counters::{names, task_counter};
use crate::disk::Disks;
use crate::job::OwnParts;
use crate::umbilical::Umbilical;
use crate::{localize, map, reduce, runner};

/// An attempt with all that it works with.
pub(crate) struct Attempt {
    task: Task,
    conf: Configuration,
    storage: Arc<Storage>,
    disks: Disks,
    work_dir: PathBuf,
    committer: Committer,
    report: Arc<AttemptReport>,
}

impl Attempt {
    /// Prepares an attempt; `before_exit` is called if the process ends from within.
    pub(crate) fn new(
        task: Task,
        mut conf: Configuration,
        work_dir: PathBuf,
        umbilical: &Umbilical,
        before_exit: Box<dyn Fn() + Send + Sync>,
    ) -> Result<Self> {
        let storage = Arc::new(file_systems(&conf)?);
        let local = storage.for_path(&Path::parse("file:/")?)?;
        let disks = Disks::new(localize::local_dirs(&conf)?, local.clone());
        localize::write_configuration(&conf, &disks, local.as_ref())?;
        conf.set_key(&keys::MAPRED_SKIP_ON, task.skipping);
        let new_api = uses_new_api(&conf, &task);
        let committer = Committer::new(&conf, &storage, &task.attempt, new_api)?;
        // Quirk: under the new interface this key names the job's directory (Hadoop 1.2.1: Task.initialize).
        if let Some(dir) = if new_api { committer.output_dir() } else { committer.work_dir() } {
            conf.set_key(&keys::MAPRED_WORK_OUTPUT_DIR, dir);
        }
        let reporter = Reporter::new();
        // Every kind of task has this one, even at zero (Hadoop 1.2.1: Task's constructors).
        task_counter(&reporter, names::SPILLED_RECORDS);
        let status = first_status(&task);
        let report = AttemptReport::new(umbilical.clone(), reporter, status, local, before_exit);
        Ok(Attempt { task, conf, storage, disks, work_dir, committer, report: Arc::new(report) })
    }

    /// Runs to the end and reports it.
    pub(crate) fn run(&self, password: &[u8], own: Option<Arc<dyn OwnParts>>) -> Result<()> {
        let reporter = self.report.reporter();
        if matches!(self.task.detail, TaskDetail::Reduce { .. }) {
            reporter.set_status("reduce");
        }
        let ticker = self.report.start()?;
        if let Some(state) = self.task.job_cleanup {
            self.clean_up_job(state)?;
        } else if self.task.job_setup {
            reporter.set_status("setup");
            self.committer.setup_job()?;
        } else if self.task.task_cleanup {
            self.clean_up_task()?;
        } else {
            return self.run_task(ticker, password, own);
        }
        self.report.done(ticker, None, None)
    }

    /// Reports that cleanup begins and throws the attempt's output away.
    pub(crate) fn clean_up_task(&self) -> Result<()> {
        self.begin_cleanup()?;
        crate::log::info("mapred.Task", format_args!("Runnning cleanup for the task"));
        // Hadoop 1.2.1: FileOutputCommitter.abortTask keeps its own failures to itself.
        if let Err(error) = self.committer.abort_task() {
            crate::log::warn("mapred.FileOutputCommitter", format_args!("Error discarding output: {error}"));
        }
        Ok(())
    }

    fn begin_cleanup(&self) -> Result<()> {
        self.report.set_phase(Phase::Cleanup);
        self.report.reporter().set_status("cleanup");
        self.report.status_update()
    }

    fn clean_up_job(&self, state: JobState) -> Result<()> {
        self.begin_cleanup()?;
        crate::log::info("mapred.Task", format_args!("Cleaning up job"));
        match state {
            JobState::Succeeded => self.committer.commit_job(),
            JobState::Failed | JobState::Killed => self.committer.abort_job(),
            other => Err(TaskError::io_exception(format!(
                "Invalid state of the job for cleanup. State found {other:?} expecting SUCCEEDED, FAILED or KILLED"
            ))),
        }
    }

    fn run_task(&self, ticker: Ticker, password: &[u8], own: Option<Arc<dyn OwnParts>>) -> Result<()> {
        let library: Arc<dyn Library> = Arc::new(runner::library(&self.conf)?.with_own(own));
        let output_size = match &self.task.detail {
            TaskDetail::Map(index) => {
                let split = map::read_split(&self.storage, index)?;
                let ctx = self.context(self.conf_with_split(&split), password);
                map::run(&library, &split, &ctx, self.disks.clone())?
            }
            TaskDetail::Reduce { maps } => {
                let maps = usize::try_from(*maps).unwrap_or(0);
                let ctx = self.context(self.conf.clone(), password);
                reduce::run(&library, maps, &ctx, self.disks.clone(), &self.report, password.to_vec())?;
                None
            }
        };
        self.report.done(ticker, Some(&self.committer), output_size)
    }

    /// The old interface's maps find their split in the configuration (Hadoop 1.2.1: MapTask.updateJobWithSplit).
    fn conf_with_split(&self, split: &crate::api::InputSplit) -> Configuration {
        let mut conf = self.conf.clone();
        if let Some(file) = split.file.as_ref().filter(|_| split.class == splits::OLD_FILE_SPLIT) {
            conf.set_key(&keys::MAP_INPUT_FILE, &file.path);
            conf.set_key(&keys::MAP_INPUT_START, file.start);
            conf.set_key(&keys::MAP_INPUT_LENGTH, file.length);
        }
        match &split.file {
            Some(file) => crate::log::info(
                "mapred.MapTask",
                format_args!("Processing split: {}:{}+{}", file.path, file.start, file.length),
            ),
            None => crate::log::info("mapred.MapTask", format_args!("Processing split: {}", split.class)),
        }
        conf
    }

    fn context(&self, conf: Configuration, password: &[u8]) -> TaskContext {
        TaskContext {
            conf: Arc::new(conf),
            storage: self.storage.clone(),
            attempt: self.task.attempt.clone(),
            partition: u32::try_from(self.task.partition).unwrap_or(0),
            secret: password.into(),
            work_dir: self.work_dir.clone(),
            output_dir: self.committer.work_dir().cloned(),
            reporter: self.report.reporter().clone(),
        }
    }
}

/// The job's file systems, seen from the job's working directory.
fn file_systems(conf: &Configuration) -> Result<Storage> {
    let setup = |error: storage::StorageError| TaskError::Storage { source: error };
    let storage = Storage::from_configuration(conf).map_err(|error| TaskError::io_exception(error.to_string()))?;
    let Some(dir) = conf.get_optional(&keys::MAPRED_WORKING_DIR)? else { return Ok(storage) };
    let dir = Path::parse(&dir).map_err(setup)?;
    storage.find(keys::MAPRED_WORKING_DIR.name(), &dir)?;
    Ok(Storage::local(LocalFileSystem::from_configuration(conf)?.at(dir.as_local())))
}

/// Which interface the attempt's kind of task has.
fn uses_new_api(conf: &Configuration, task: &Task) -> bool {
    match task.detail {
        TaskDetail::Map(_) => conf.get_or(&keys::MAPRED_MAPPER_NEW_API, false),
        TaskDetail::Reduce { .. } => conf.get_or(&keys::MAPRED_REDUCER_NEW_API, false),
    }
}

/// The status with which an attempt begins (Hadoop 1.2.1: Task.initialize).
fn first_status(task: &Task) -> TaskStatus {
    let mut status = task.status.clone();
    if status.state == TaskState::Unassigned {
        status.state = TaskState::Running;
    }
    if task.task_cleanup {
        status.phase = Phase::Cleanup;
    }
    status
}
