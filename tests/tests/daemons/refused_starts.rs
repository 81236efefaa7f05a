//! A daemon that cannot start says in one line which file, key and value is wrong and what to do, ends as Hadoop's
//! does, and leaves nothing behind.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use howdah_tests::harness::Install;

/// Runs `bin/hadoop DAEMON` with that `mapred-site.xml`, to its end.
fn start(daemon: &str, dir: &Path, site: &str) -> Output {
    let conf = dir.join("conf");
    fs::create_dir_all(&conf).expect("a folder");
    let core = format!(
        "<configuration><property><name>fs.default.name</name><value>file:///</value></property>\
         <property><name>hadoop.tmp.dir</name><value>{}</value></property></configuration>",
        dir.join("tmp").display()
    );
    fs::write(conf.join("core-site.xml"), core).expect("core-site.xml");
    fs::write(conf.join("mapred-site.xml"), site).expect("mapred-site.xml");
    let mut command = Command::new(Install::without_java().script("hadoop"));
    command.arg("--config").arg(&conf).arg(daemon).env("HADOOP_LOG_DIR", dir.join("logs"));
    command.output().expect("bin/hadoop runs")
}

/// Pages at any port, so that what is refused is refused for its own sake; what follows wins.
const ANY_PORTS: [(&str, &str); 2] =
    [("mapred.job.tracker.http.address", "127.0.0.1:0"), ("mapred.task.tracker.http.address", "127.0.0.1:0")];

fn site(pairs: &[(&str, &str)]) -> String {
    let property =
        |(key, value): &(&str, &str)| format!("<property><name>{key}</name><value>{value}</value></property>");
    format!("<configuration>{}</configuration>", ANY_PORTS.iter().chain(pairs).map(property).collect::<String>())
}

/// Fails unless the daemon refuses with one line that has all of `words`, and code 255.
fn check(daemon: &str, site: &str, words: &[&str]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let output = start(daemon, dir.path(), site);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!((lines.len(), output.status.code()), (1, Some(255)), "{daemon}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{daemon}: {word:?} is not in {stderr}");
    }
    assert!(!dir.path().join("tmp").exists(), "{daemon}: {stderr} and yet it made directories");
}

const NOWHERE: (&str, &str) = ("mapred.job.tracker", "127.0.0.1:0");

#[test]
fn broken_xml_is_named_with_its_line() {
    for daemon in ["jobtracker", "tasktracker"] {
        check(daemon, "<configuration>\n<property><name>a</name>\n", &["mapred-site.xml", "line 3", "<property>"]);
    }
}

#[test]
fn a_jobtracker_without_an_address_names_the_key() {
    check("jobtracker", &site(&[]), &["mapred.job.tracker", "host:port"]);
    check(
        "jobtracker",
        &site(&[("mapred.job.tracker", "local")]),
        &["mapred-site.xml", "mapred.job.tracker", "\"local\""],
    );
    check("tasktracker", &site(&[]), &["mapred.job.tracker", "host:port"]);
}

#[test]
fn a_wrong_value_is_named_with_what_is_allowed() {
    let slots = [("mapred.job.tracker", "127.0.0.1:1"), ("mapred.tasktracker.map.tasks.maximum", "two")];
    let words = ["mapred-site.xml", "mapred.tasktracker.map.tasks.maximum", "\"two\"", "whole number"];
    check("tasktracker", &site(&slots), &words);
    let expiry = [NOWHERE, ("mapred.tasktracker.expiry.interval", "soon")];
    check("jobtracker", &site(&expiry), &["mapred-site.xml", "mapred.tasktracker.expiry.interval", "\"soon\""]);
}

#[test]
fn what_is_not_there_yet_is_refused_by_name() {
    let scheduler = "com.example.OtherScheduler";
    check("jobtracker", &site(&[NOWHERE, ("mapred.jobtracker.taskScheduler", scheduler)]), &[scheduler]);
    check("jobtracker", &site(&[NOWHERE, ("hadoop.security.authentication", "kerberos")]), &["\"kerberos\""]);
    let controller = "com.example.OtherTaskController";
    let key = ("mapred.task.tracker.task-controller", controller);
    check("tasktracker", &site(&[("mapred.job.tracker", "127.0.0.1:1"), key]), &[controller]);
}

#[test]
fn a_program_that_cannot_act_as_users_is_named() {
    let linux = ("mapred.task.tracker.task-controller", "org.apache.hadoop.mapred.LinuxTaskController");
    let program = ("mapreduce.tasktracker.task-controller.exe", "/no/such/task-controller");
    let site = site(&[("mapred.job.tracker", "127.0.0.1:1"), linux, program]);
    check("tasktracker", &site, &[linux.0, program.0, program.1]);
}

#[test]
fn a_used_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("its address").to_string();
    check("jobtracker", &site(&[("mapred.job.tracker", &address)]), &["mapred.job.tracker", &address, "listen"]);
    for key in ["mapred.task.tracker.http.address", "mapred.task.tracker.report.address"] {
        let site = site(&[("mapred.job.tracker", "127.0.0.1:1"), (key, &address)]);
        check("tasktracker", &site, &[key, &address, "listen"]);
    }
}

#[test]
fn a_missing_folder_is_named() {
    let mut command = Command::new(Install::without_java().script("hadoop"));
    let output = command.args(["--config", "/no/such/folder", "jobtracker"]).output().expect("bin/hadoop runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/folder"));
}

#[test]
fn a_refused_daemon_leaves_no_pid_file() {
    for daemon in ["jobtracker", "tasktracker"] {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let conf = dir.path().join("conf");
        fs::create_dir_all(&conf).expect("a folder");
        fs::write(conf.join("mapred-site.xml"), "<configuration>").expect("mapred-site.xml");
        let pids = dir.path().join("pids");
        let mut command = Command::new(Install::without_java().script("hadoop-daemon.sh"));
        command.arg("--config").arg(&conf).args(["start", daemon]);
        command.env("HADOOP_LOG_DIR", dir.path().join("logs")).env("HADOOP_PID_DIR", &pids);
        let output = command.output().expect("bin/hadoop-daemon.sh runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{daemon}: {stderr}");
        assert!(stderr.contains("mapred-site.xml"), "{daemon}: the cause is not shown: {stderr}");
        let left: Vec<_> = fs::read_dir(&pids).expect("the pid folder").flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "{daemon}: {left:?}");
    }
}
