//! What a cluster needs whose tasks run as their jobs' users: users, the set-user-id program in a folder of root's, and
//! folders that users can reach. All of it is gone when it is dropped.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::{Cluster, ClusterOptions, Install, Make, wait_until};

/// Where only root may write, all the way up; a temporary folder is not such a place.
const PARENT: &str = "/var/lib";
/// Another test, or the machine, may hold the lock of the account files; a user's last processes may still end.
const ACCOUNT_DEADLINE: Duration = Duration::from_secs(60);

/// An account that is removed when dropped.
#[derive(Debug)]
pub struct User {
    /// Its name.
    pub name: String,
    /// Its number.
    pub uid: u32,
    /// Its group, of the same name.
    pub gid: u32,
}

impl User {
    /// Makes an account whose name has `kind` in it. Needs root.
    pub fn add(kind: &str) -> User {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("hd{kind}{}y{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        insist(&["useradd", "-M", "-U", "-s", "/bin/sh", &name]);
        let account = nix::unistd::User::from_name(&name).ok().flatten().expect("the account was just made");
        User { name, uid: account.uid.as_raw(), gid: account.gid.as_raw() }
    }

    /// Makes a command run as this user.
    pub fn take_over(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
        command.env("USER", &self.name).env("LOGNAME", &self.name).env("HOME", "/nonexistent");
    }

    /// Makes a file this user's, with a mode.
    pub fn own(&self, path: &Path, mode: u32) {
        chown(path, Some(self.uid), Some(self.gid)).expect("root may");
        set_mode(path, mode);
    }
}

impl Drop for User {
    fn drop(&mut self) {
        insist(&["userdel", "-f", &self.name]);
    }
}

fn insist(words: &[&str]) {
    let mut said = String::new();
    let done = wait_until(ACCOUNT_DEADLINE, || {
        let run = Command::new(words[0]).args(&words[1..]).output().unwrap_or_else(|e| panic!("{}: {e}", words[0]));
        said = format!("{run:?}");
        run.status.success()
    });
    assert!(done, "{words:?}: {said}");
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// Users, and the program that acts as them.
#[derive(Debug)]
pub struct AsUsers {
    dir: tempfile::TempDir,
    /// Somebody.
    pub alice: User,
    /// Somebody else.
    pub bob: User,
}

impl AsUsers {
    /// Makes both; `None`, with the reason told, where that cannot be.
    pub fn new(install: &Install) -> Option<AsUsers> {
        let status = fs::read_to_string("/proc/self/status").expect("/proc is there");
        if !nix::unistd::getuid().is_root() || status.contains("NoNewPrivs:\t1") {
            println!("nothing is tested: a set-user-id program and its users need root, and a system that heeds it");
            return None;
        }
        let dir = tempfile::Builder::new().prefix("howdah-as-").tempdir_in(PARENT).expect("a folder of root's");
        let users = AsUsers { dir, alice: User::add("a"), bob: User::add("b") };
        let mut look = Command::new("ls");
        look.arg(install.root.join("bin"));
        users.alice.take_over(&mut look);
        if !look.output().expect("ls runs").status.success() {
            println!("nothing is tested: ordinary users cannot reach {}", install.root.display());
            return None;
        }
        set_mode(users.dir.path(), 0o755);
        for name in ["bin", "conf"] {
            fs::create_dir(users.dir.path().join(name)).expect("a folder");
            set_mode(&users.dir.path().join(name), 0o755);
        }
        fs::copy(built("task-controller"), users.program()).expect("task-controller is built");
        chown(users.program(), Some(0), Some(0)).expect("root may");
        set_mode(&users.program(), 0o4750);
        Some(users)
    }

    fn program(&self) -> PathBuf {
        self.dir.path().join("bin/task-controller")
    }

    /// Starts a JobTracker of ours and one TaskTracker of either make that runs tasks as their jobs' users.
    pub fn cluster(&self, install: &Install, tracker: Make) -> Cluster {
        let staging = self.dir.path().join("staging");
        fs::create_dir_all(&staging).expect("a folder");
        set_mode(&staging, 0o1777);
        let mut options = ClusterOptions::of(Make::Howdah)
            .set("mapreduce.jobtracker.staging.root.dir", &staging.display().to_string())
            // The JobTracker, which is root here, would make the output's folder its own.
            .set("hadoop.job.history.user.location", "none")
            .set("mapred.task.tracker.task-controller", "org.apache.hadoop.mapred.LinuxTaskController")
            .set("mapreduce.tasktracker.task-controller.exe", &self.program().display().to_string());
        options.tasktrackers.clear();
        let mut cluster = Cluster::start(install, &options);
        set_mode(cluster.dir(), 0o755);
        // Java's client unpacks the job's jar there.
        fs::create_dir_all(cluster.dir().join("tmp")).expect("a folder");
        set_mode(&cluster.dir().join("tmp"), 0o1777);
        let text = format!(
            "mapreduce.tasktracker.group=root\nhadoop.log.dir={}",
            cluster.dir().join("logs-tasktracker-0").display()
        );
        fs::write(self.dir.path().join("conf/taskcontroller.cfg"), text).expect("the configuration is written");
        cluster.add_tasktracker(tracker);
        cluster.await_trackers(1);
        for (user, name) in [(&self.alice, "alice"), (&self.bob, "bob")] {
            let own = cluster.dir().join(name);
            fs::create_dir(&own).expect("a folder");
            user.own(&own, 0o755);
        }
        cluster
    }
}

/// A program of the build that this test is of.
fn built(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a path");
    own.parent().and_then(Path::parent).expect("target/<profile>/deps").join(name)
}
