//! What one child needs, Java's or ours, as a `LaunchSpec`: command line, environment, directories (Hadoop 1.2.1:
//! mapred.TaskRunner, MapTaskRunner, ReduceTaskRunner).
//!
//! When a child is started, reused or killed is `tasktracker-core`'s decision.

mod class_path;
mod environment;
mod options;
mod programs;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use configuration::{ConfigError, Configuration, keys};
use twins::Choice;
use types::{JvmId, TaskKind};

pub use environment::BadEnvironment;
pub use programs::{MissingProgram, Programs};

use crate::class_data::{ClassData, JavaChild};
use crate::launch_spec::{LaunchSpec, Limits, ResourceKind, Start};
use crate::localizer::{LocalizedJob, LocalizedTask, layout};
use crate::user_logs::LogName;

/// The class whose `main` is Java's child.
const JAVA_CHILD: &str = "org.apache.hadoop.mapred.Child";

/// Why no child can be started for an attempt. Its text becomes the attempt's diagnostics.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A value of the job's configuration.
    #[error("bad value in the job's job.xml")]
    Configuration(#[from] ConfigError),
    /// A program that is not there.
    #[error(transparent)]
    Program(#[from] MissingProgram),
    /// The job's variables for its children.
    #[error(transparent)]
    Environment(#[from] BadEnvironment),
    /// The job's own executable is not among its files.
    #[error(
        "{key} is {name}, and no file of the job's cache has that link name; submit the job with `hadoop native`",
        key = keys::HOWDAH_JOB_EXECUTABLE.name()
    )]
    NoExecutable {
        /// Its name.
        name: String,
    },
    /// The job may run in neither child.
    #[error("no child can run this job: {reason}")]
    Refused {
        /// Why not.
        reason: String,
    },
}

/// Fills in what children need.
#[derive(Debug)]
pub struct Launcher {
    programs: Programs,
    log_dir: PathBuf,
    umbilical: SocketAddr,
    class_data: Arc<ClassData>,
}

/// What a spec is made for.
struct Attempt<'a> {
    job: &'a LocalizedJob,
    task: &'a LocalizedTask,
    jvm: &'a JvmId,
}

impl Launcher {
    /// A launcher for children that call this umbilical address. `log_dir` is `hadoop.log.dir`.
    pub fn new(programs: Programs, log_dir: &Path, umbilical: SocketAddr, class_data: Arc<ClassData>) -> Self {
        let log_dir = std::path::absolute(log_dir).unwrap_or_else(|_| log_dir.to_owned());
        if let (Ok(java), Ok(class_path)) = (programs.java(), programs.class_path()) {
            class_data.prepare(java, class_path);
        }
        Launcher { programs, log_dir, umbilical, class_data }
    }

    /// The child that the job's choice names.
    ///
    /// # Errors
    /// If no child can be started for it.
    pub fn spec(&self, job: &LocalizedJob, task: &LocalizedTask, jvm: &JvmId) -> Result<LaunchSpec, LaunchError> {
        match job.choice(&task.task) {
            Choice::Native => self.native_spec(job, task, jvm),
            Choice::Java(_) => self.java_spec(job, task, jvm),
            Choice::Refused(reason) => Err(LaunchError::Refused { reason: reason.clone() }),
        }
    }

    /// Java's own child.
    ///
    /// # Errors
    /// If Java or its class path is not there, or the job's options are no options.
    pub fn java_spec(&self, job: &LocalizedJob, task: &LocalizedTask, jvm: &JvmId) -> Result<LaunchSpec, LaunchError> {
        let attempt = Attempt { job, task, jvm };
        let java = self.programs.java()?;
        let system = self.programs.class_path()?;
        let user_options = options::java_options(&job.conf, &task.task)?;
        let quickened = self.class_data.quicken(JavaChild {
            java,
            class_path: system,
            options: &user_options,
            task: &task.task,
            jvm,
            user_first: job.conf.get(&keys::MAPREDUCE_USER_CLASSPATH_FIRST)?,
        });
        let mut command = vec![java.display().to_string()];
        command.extend(quickened.options);
        command.extend(options::with_library_path(user_options, &self.programs.library_path(&task.work_dir)));
        command.push(format!("-Djava.io.tmpdir={}", options::tmp_dir(&job.conf, &task.work_dir)?.display()));
        command.push("-classpath".into());
        command.push(class_path::join(&quickened.class_path, job, &task.work_dir)?);
        command.push("-Dlog4j.configuration=task-log4j.properties".into());
        command.push(format!("-Dhadoop.log.dir={}", self.log_dir.display()));
        command.push("-Dhadoop.root.logger=INFO,TLA".into());
        command.extend(environment::task_log_properties(&task.task));
        command.extend(options::profiler(&job.conf, &task.task, &task.log_dir)?);
        command.push(JAVA_CHILD.into());
        command.extend(self.last_arguments(&attempt));
        self.fill(&attempt, command, Start::Script)
    }

    /// The native child, or the job's own executable, for setup and cleanup too: a child may go on with another attempt.
    ///
    /// # Errors
    /// If its program is not there, or the job's variables are none.
    pub fn native_spec(
        &self,
        job: &LocalizedJob,
        task: &LocalizedTask,
        jvm: &JvmId,
    ) -> Result<LaunchSpec, LaunchError> {
        let attempt = Attempt { job, task, jvm };
        let own = own_executable(job)?;
        let program = own.map_or_else(|| self.programs.native_child(), Ok)?;
        let mut command = vec![program.display().to_string()];
        command.extend(self.last_arguments(&attempt));
        let mut spec = self.fill(&attempt, command, Start::Direct)?;
        // Only a shell can lower its limits before the program starts, and expand other variables in values.
        let for_a_shell = |(_, value): &(String, String)| value.contains(['$', '`', '\\', '"']);
        if spec.limits.address_space_kb.is_some() || spec.environment.iter().any(for_a_shell) {
            spec.start = Start::Script;
        }
        Ok(spec)
    }

    /// Notes that a child has ended, and how: the next ones may start sooner for it.
    pub fn child_ended(&self, jvm: &JvmId, code: i32) {
        self.class_data.child_ended(jvm, code);
    }

    /// Host, port, first attempt, its folder of logs, id of the child: the same for both children.
    fn last_arguments(&self, attempt: &Attempt<'_>) -> [String; 5] {
        [
            self.umbilical.ip().to_string(),
            self.umbilical.port().to_string(),
            attempt.task.task.attempt.to_string(),
            attempt.task.log_dir.display().to_string(),
            attempt.jvm.number.to_string(),
        ]
    }

    fn fill(&self, attempt: &Attempt<'_>, command: Vec<String>, start: Start) -> Result<LaunchSpec, LaunchError> {
        let Attempt { job, task, .. } = attempt;
        let kind = task.task.kind();
        Ok(LaunchSpec {
            user: job.user.clone(),
            job: job.id.to_string(),
            attempt: layout::attempt_name(&task.task.attempt, task.task.task_cleanup),
            work_dir: task.work_dir.clone(),
            directories: Vec::new(),
            log_dir: task.log_dir.clone(),
            stdout: task.log_dir.join(LogName::Stdout.file_name()),
            stderr: task.log_dir.join(LogName::Stderr.file_name()),
            script: task.script.clone(),
            environment: environment::variables(job, task)?,
            command,
            resources: job.resources.clone(),
            credentials: Some(job.token_file.clone()),
            limits: Limits {
                address_space_kb: options::ulimit_kb(&job.conf, kind)?,
                memory_bytes: memory_bytes(&job.conf, kind)?,
                cpu_milli: None,
            },
            start,
        })
    }
}

/// The executable that the job brings along as its child, if it does.
fn own_executable(job: &LocalizedJob) -> Result<Option<&Path>, LaunchError> {
    let Some(name) = job.conf.get_optional(&keys::HOWDAH_JOB_EXECUTABLE)?.filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    let found = job.resources.iter().find(|file| file.kind == ResourceKind::File && file.link.as_ref() == Some(&name));
    found.map(|file| Some(file.path.as_path())).ok_or(LaunchError::NoExecutable { name })
}

/// What the job says that one of its tasks needs.
fn memory_bytes(conf: &Configuration, kind: TaskKind) -> Result<Option<u64>, ConfigError> {
    let key = match kind {
        TaskKind::Map => &keys::MAPRED_JOB_MAP_MEMORY_MB,
        TaskKind::Reduce => &keys::MAPRED_JOB_REDUCE_MEMORY_MB,
    };
    let megabytes = conf.get_optional(key)?.unwrap_or(-1);
    Ok(u64::try_from(megabytes).ok().filter(|megabytes| *megabytes > 0).map(|megabytes| megabytes << 20))
}

#[cfg(test)]
mod tests;
