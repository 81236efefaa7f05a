//! What is needed to start one process for somebody: an attempt's child now, a container later.
//!
//! A [`LaunchSpec`] is data. `launcher` fills one in for an attempt, `script` writes it down, a
//! `task_controller` starts it.

use std::path::PathBuf;

/// Who may see a localized resource (Hadoop 1.2.1: filecache.TaskDistributedCacheManager.CacheFile).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Everybody on the node: kept in the tracker's own folder.
    Public,
    /// The job's user, in all of the user's jobs.
    Private,
    /// One job alone.
    Application,
}

/// What becomes of a resource once it is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceKind {
    /// It stays one file.
    File,
    /// It is unpacked into a folder.
    Archive,
}

/// A resource that was brought to this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalResource {
    /// Where it came from, as the job names it, fragment included.
    pub source: String,
    /// Where it lies: the file, or the folder that an archive was unpacked into.
    pub path: PathBuf,
    /// File or archive.
    pub kind: ResourceKind,
    /// Who may see it.
    pub visibility: Visibility,
    /// The name of its link in the working directory, if it is to have one.
    pub link: Option<String>,
}

/// What a process may use at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Address space of each process, in KiB (`ulimit -v`).
    pub address_space_kb: Option<u64>,
    /// Memory of the process tree, in bytes, for the memory watch.
    pub memory_bytes: Option<u64>,
    /// Share of processors, in thousandths of one.
    pub cpu_milli: Option<u32>,
}

/// How the process gets started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// By `bash` from the script, as Hadoop starts its children: variables in values are expanded by the shell.
    Script,
    /// By the tracker itself: no shell, no script, for programs of ours.
    Direct,
}

/// All that is needed to start one process for a user (DESIGN.md, D3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchSpec {
    /// Whose process it is.
    pub user: String,
    /// What it belongs to, by the name of that one's folder: a job.
    pub job: String,
    /// Itself, by the name of its folder: an attempt.
    pub attempt: String,
    /// Its working directory.
    pub work_dir: PathBuf,
    /// Directories that must exist before it starts, beside the working directory.
    pub directories: Vec<PathBuf>,
    /// Where its logs lie.
    pub log_dir: PathBuf,
    /// What takes its standard output, at the end.
    pub stdout: PathBuf,
    /// What takes its standard error, at the end.
    pub stderr: PathBuf,
    /// Where its script is written.
    pub script: PathBuf,
    /// Its variables, in the order of the script.
    pub environment: Vec<(String, String)>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it finds on this machine.
    pub resources: Vec<LocalResource>,
    /// The file with its tokens.
    pub credentials: Option<PathBuf>,
    /// What it may use.
    pub limits: Limits,
    /// How it is started.
    pub start: Start,
}
