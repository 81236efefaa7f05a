//! An installation of the program in a folder of root's, with users of its own, all gone when the test is over.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The commands.
pub(crate) const INITIALIZE_JOB: &str = "0";
pub(crate) const LAUNCH_TASK: &str = "1";
pub(crate) const SIGNAL_TASK: &str = "2";
pub(crate) const DELETE_AS_USER: &str = "3";
pub(crate) const DELETE_LOG_AS_USER: &str = "4";
pub(crate) const RUN_COMMAND: &str = "5";

/// The job and attempt of most tests.
pub(crate) const JOB: &str = "job_202612010600_0001";
pub(crate) const ATTEMPT: &str = "attempt_202612010600_0001_m_000000_0";

/// Where only root may write, all the way up; a temporary folder is not such a place.
const PARENT: &str = "/var/lib";
/// Another test, or the machine, may hold the lock of the account files.
const ACCOUNT_DEADLINE: Duration = Duration::from_secs(60);

/// An account that is removed when dropped.
#[derive(Debug)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl User {
    fn add(kind: &str) -> User {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("hd{kind}{}x{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        insist(&["useradd", "-M", "-U", "-s", "/bin/sh", &name]);
        let user = User { uid: number(&["id", "-u", &name]), gid: number(&["id", "-g", &name]), name };
        assert!(user.uid >= 1000, "{user:?} is no ordinary user");
        user
    }
}

impl Drop for User {
    fn drop(&mut self) {
        insist(&["userdel", "-f", &self.name]);
    }
}

/// Repeats a command until it works.
fn insist(words: &[&str]) {
    let deadline = Instant::now() + ACCOUNT_DEADLINE;
    loop {
        let run = Command::new(words[0]).args(&words[1..]).output().unwrap_or_else(|e| panic!("{}: {e}", words[0]));
        if run.status.success() {
            return;
        }
        assert!(Instant::now() < deadline, "{words:?}: {run:?}");
        std::thread::yield_now();
    }
}

fn number(words: &[&str]) -> u32 {
    let run = Command::new(words[0]).args(&words[1..]).output().expect("id runs");
    String::from_utf8_lossy(&run.stdout).trim().parse().unwrap_or_else(|_| panic!("{words:?}: {run:?}"))
}

/// How the program ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    #[expect(dead_code, reason = "shown when a test fails")]
    pub(crate) stderr: String,
}

impl Outcome {
    /// This outcome, if the code is the expected one.
    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }
}

/// An installation.
pub(crate) struct Site {
    dir: tempfile::TempDir,
    pub(crate) tracker: User,
    pub(crate) alice: User,
    pub(crate) bob: User,
}

impl Site {
    /// A good installation; `None`, with the reason told, where none can be made.
    pub(crate) fn new() -> Option<Site> {
        let status = fs::read_to_string("/proc/self/status").expect("/proc is there");
        if !status.lines().any(|line| line.starts_with("Uid:\t0\t0\t")) {
            println!("nothing is tested: a set-user-id program and its users need root to be made");
            return None;
        }
        if status.contains("NoNewPrivs:\t1") {
            println!("nothing is tested: set-user-id programs are without effect here (no_new_privs)");
            return None;
        }
        let dir = tempfile::Builder::new().prefix("howdah-tc-").tempdir_in(PARENT).expect("a folder of root's");
        let site = Site { dir, tracker: User::add("t"), alice: User::add("a"), bob: User::add("b") };
        set_mode(site.path(""), 0o755);
        for name in ["bin", "conf", "local0", "local1", "logs", "home"] {
            fs::create_dir(site.path(name)).expect("a folder");
            set_mode(site.path(name), 0o755);
        }
        fs::copy(env!("CARGO_BIN_EXE_task-controller"), site.program()).expect("the program is copied");
        chown(site.program(), Some(0), Some(site.tracker.gid)).expect("root may");
        set_mode(site.program(), 0o4750);
        for dir in ["local0", "local1", "logs"] {
            for inner in ["", "taskTracker", "userlogs", "ttprivate"] {
                site.make_dir(&format!("{dir}/{inner}"), &site.tracker, 0o755);
            }
        }
        site.configure("");
        site.give_file("local0/ttprivate/jobToken", &site.tracker, "the token");
        site.give_file("local0/ttprivate/job.xml", &site.tracker, "<configuration/>");
        Some(site)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.dir.path().to_owned() } else { self.dir.path().join(name) }
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.path("bin/task-controller")
    }

    pub(crate) fn conf_file(&self) -> PathBuf {
        self.path("conf/taskcontroller.cfg")
    }

    /// Writes the configuration, with lines more.
    pub(crate) fn configure(&self, more: &str) {
        let text =
            format!("hadoop.log.dir={}\nmapreduce.tasktracker.group={}\n{more}", self.text("logs"), self.tracker.name);
        fs::write(self.conf_file(), text).expect("the configuration is written");
        set_mode(self.conf_file(), 0o644);
    }

    /// Makes a folder of a user's, with a mode.
    pub(crate) fn make_dir(&self, name: &str, owner: &User, mode: u32) {
        fs::create_dir_all(self.path(name)).expect("a folder");
        chown(self.path(name), Some(owner.uid), Some(owner.gid)).expect("root may");
        set_mode(self.path(name), mode);
    }

    /// Writes a file of a user's that nobody else may read.
    pub(crate) fn give_file(&self, name: &str, owner: &User, text: &str) {
        fs::write(self.path(name), text).expect("a file");
        chown(self.path(name), Some(owner.uid), Some(owner.gid)).expect("root may");
        set_mode(self.path(name), 0o600);
    }

    pub(crate) fn local_dirs(&self) -> String {
        format!("{},{}", self.text("local0"), self.text("local1"))
    }

    /// The program, as the TaskTracker starts it.
    pub(crate) fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).uid(self.tracker.uid).gid(self.tracker.gid).current_dir("/").stdin(Stdio::null());
        command
    }

    /// Runs the program with whatever arguments.
    pub(crate) fn run_with(&self, arguments: &[&str]) -> Outcome {
        outcome(self.command(&self.program(), arguments))
    }

    /// Runs a command as a user.
    pub(crate) fn run(&self, user: &str, command: &str, arguments: &[&str]) -> Outcome {
        let dirs = self.local_dirs();
        let mut all = vec![user, &dirs, command];
        all.extend(arguments);
        self.run_with(&all)
    }

    /// Brings a job of a user's here; its localizer does nothing.
    pub(crate) fn initialize(&self, user: &User, job: &str) -> Outcome {
        let (token, conf) = (self.text("local0/ttprivate/jobToken"), self.text("local0/ttprivate/job.xml"));
        self.run(&user.name, INITIALIZE_JOB, &[job, &token, &conf, "true"])
    }

    /// The working directory of the attempt in a local directory.
    pub(crate) fn work(&self, local: &str, user: &User) -> String {
        format!("{local}/taskTracker/{}/jobcache/{JOB}/{ATTEMPT}/work", user.name)
    }

    /// Starts the attempt with a script; answers when it is over.
    pub(crate) fn launch(&self, user: &User, script: &str) -> Outcome {
        self.give_file("local0/ttprivate/script", &self.tracker, script);
        let (work, script) = (self.text(&self.work("local0", user)), self.text("local0/ttprivate/script"));
        self.run(&user.name, LAUNCH_TASK, &[JOB, ATTEMPT, &work, &script])
    }

    /// A process of a user's that waits to be signalled, in a process group of its own.
    pub(crate) fn sleeper(&self, user: &User) -> std::process::Child {
        let mut command = Command::new("sleep");
        command.arg("600").uid(user.uid).gid(user.gid).process_group(0).current_dir("/");
        command.spawn().expect("sleep starts")
    }
}

/// Runs a command to its end.
pub(crate) fn outcome(mut command: Command) -> Outcome {
    let run = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Outcome { code: run.status.code(), stdout: text(run.stdout), stderr: text(run.stderr) }
}

pub(crate) fn set_mode(path: impl AsRef<Path>, mode: u32) {
    let path = path.as_ref();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Owner, group and mode.
pub(crate) fn facts(path: impl AsRef<Path>) -> (u32, u32, u32) {
    let path = path.as_ref();
    let found = fs::symlink_metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (found.uid(), found.gid(), found.mode() & 0o7777)
}

/// Says something without the standard library's help, for programs that cannot.
pub(crate) fn write_script(path: &Path, text: &str) {
    let mut file = fs::File::create(path).expect("a script");
    file.write_all(text.as_bytes()).expect("its text");
    set_mode(path, 0o755);
}
