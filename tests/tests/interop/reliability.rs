//! Hadoop's MRReliabilityTest, unmodified, against our daemons. It kills and fails attempts and stops TaskTrackers for longer
//! than the JobTracker waits for them: it has `ssh` look through `ps` for all TaskTrackers that are its user's. So the
//! cluster has a user of its own here, and an `sshd` that lets him in.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use howdah_tests::harness::results::{Kind, recorded};
use howdah_tests::harness::{Cluster, ClusterOptions, Daemon, Install, Make, User, free_port, wait_until};

use crate::test_programs::alone_with_the_sort_validator;

/// The TaskTrackers' name: `slaves.sh` needs no ssh for this machine's usual names.
const HOST: &str = "127.0.0.2";
/// After so long without a heartbeat a TaskTracker is lost; the program stops it for half as long again.
const EXPIRY_MS: &str = "8000";
const DEADLINE: Duration = Duration::from_secs(1200);

/// An `sshd` of one user's, and how `ssh` reaches it.
struct Door {
    daemon: Daemon,
    options: String,
}

impl Door {
    fn open(user: &User, dir: &Path) -> Door {
        fs::create_dir(dir).expect("a folder");
        user.own(dir, 0o700);
        let port = free_port();
        for key in ["host", "own"] {
            let mut command = Command::new("ssh-keygen");
            command.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(dir.join(key));
            user.take_over(&mut command);
            assert!(command.status().expect("ssh-keygen runs").success());
        }
        let at = dir.display();
        let conf = format!(
            "Port {port}\nListenAddress {HOST}\nHostKey {at}/host\nAuthorizedKeysFile {at}/own.pub\nPidFile none\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\n"
        );
        fs::write(dir.join("conf"), conf).expect("sshd's configuration");
        let options = format!(
            "-p {port} -i {at}/own -F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        );
        let mut command = Command::new("/usr/sbin/sshd");
        command.arg("-D").arg("-e").arg("-f").arg(dir.join("conf"));
        user.take_over(&mut command);
        let daemon = Daemon::start(command, &dir.join("log")).expect("sshd starts");
        let mut door = Door { daemon, options };
        let is_open = wait_until(Duration::from_secs(60), || door.lets_in(user));
        assert!(is_open, "sshd lets nobody in: {}", door.daemon.log());
        door
    }

    fn lets_in(&mut self, user: &User) -> bool {
        let mut command = Command::new("ssh");
        command.args(self.options.split(' ')).args([HOST, "true"]);
        user.take_over(&mut command);
        command.output().expect("ssh runs").status.success()
    }
}

/// Whether a process is stopped: it says so itself.
fn is_stopped(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}

#[test]
#[ignore = "it stops TaskTrackers for minutes, needs root and an sshd; bin/check --full runs it"]
fn jobs_survive_stopped_tasktrackers() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    if !nix::unistd::getuid().is_root() || !Path::new("/usr/sbin/sshd").exists() {
        println!("nothing is tested: a user for the cluster needs root, and /usr/sbin/sshd is Debian's openssh-server");
        return;
    }
    let (name, work) = ("MRReliabilityTest 1.2.1, our daemons", "four jobs while attempts die and trackers are lost");
    recorded(&install, Kind::TestProgram, name, work, "its own checks; trackers were seen stopped", || {
        alone_with_the_sort_validator(|| run(&install));
    });
}

fn run(install: &Install) {
    let user = Arc::new(User::add("r"));
    let mut options = ClusterOptions::of(Make::Howdah)
        .trackers(2)
        .set("mapred.tasktracker.expiry.interval", EXPIRY_MS)
        .set("mapred.tasktracker.map.tasks.maximum", "1")
        .set("test.randomwrite.bytes_per_map", "1000000")
        .set("test.randomwriter.maps_per_host", "4")
        // It looks for running jobs once a second, and waits for ever for one that is over by then.
        .set("howdah.child.native", "never")
        .set("mapred.child.java.opts", "-Xmx200m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .set("io.sort.mb", "10");
    options.tracker_host = HOST.to_owned();
    options.user = Some(user.clone());
    let mut cluster = Cluster::start(install, &options);
    let door = Door::open(&user, &cluster.dir().join("ssh"));
    let scratch = cluster.dir().join("scratch");
    fs::create_dir(&scratch).expect("a folder");
    user.own(&scratch, 0o755);

    let jar = |name: &str| install.jar(name).expect("a jar of Hadoop's").to_owned();
    let mut command = cluster.java_with(&[jar("hadoop-test"), jar("hadoop-examples")]);
    command.arg("org.apache.hadoop.mapred.ReliabilityTest").arg("-libjars").arg(jar("hadoop-examples"));
    command.arg("-scratchdir").arg(&scratch).current_dir(&scratch);
    command.env("HADOOP_HOME", &install.root).env("HADOOP_SSH_OPTS", &door.options);
    user.take_over(&mut command);
    let mut program = Daemon::start(command, &cluster.dir().join("reliability.log")).expect("java starts");

    let start = Instant::now();
    let mut stops = vec![0; cluster.tasktrackers.len()];
    let mut stopped = vec![false; stops.len()];
    while program.is_running() && start.elapsed() < DEADLINE {
        for (number, tracker) in cluster.tasktrackers.iter().enumerate() {
            let now = is_stopped(tracker.pid());
            stops[number] += usize::from(now && !stopped[number]);
            stopped[number] = now;
        }
        std::thread::park_timeout(Duration::from_millis(200));
    }
    let code = program.exit_code(Duration::ZERO);
    cluster.keep_logs_if(code != Some(0));
    println!("MRReliabilityTest: exit {code:?} after {:.0} s, stops {stops:?}", start.elapsed().as_secs_f64());
    assert_eq!(code, Some(0), "{}", program.log());
    assert!(stops.iter().all(|count| *count > 0), "TaskTrackers were stopped {stops:?} times: {}", program.log());
    assert!(program.log().contains("SortValidator job done"), "{}", program.log());
}
