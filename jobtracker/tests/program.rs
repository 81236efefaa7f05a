//! The program itself: arguments, exit codes, one line for what is wrong.

use std::path::Path;
use std::process::{Command, Output};

fn run(conf: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jobtracker"))
        .args(arguments)
        .env("HADOOP_CONF_DIR", conf)
        .env("HADOOP_LOG_DIR", conf.join("logs"))
        .output()
        .unwrap()
}

fn site(dir: &Path, properties: &[(&str, &str)]) {
    let property =
        |(name, value): &(&str, &str)| format!("<property><name>{name}</name><value>{value}</value></property>");
    let body: String = properties.iter().map(property).collect();
    std::fs::write(dir.join("mapred-site.xml"), format!("<configuration>{body}</configuration>")).unwrap();
}

/// Runs with this site and expects one line on the error stream, and Java's exit code for -1.
fn assert_refuses(properties: &[(&str, &str)], told: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let tmp = dir.path().join("tmp").display().to_string();
    site(dir.path(), &[&[("hadoop.tmp.dir", tmp.as_str())], properties].concat());
    let output = run(dir.path(), &[]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(255), "{text}");
    let last = text.trim_end().lines().last().unwrap_or_default();
    assert!(last.starts_with("jobtracker: "), "{text}");
    for part in told {
        assert!(last.contains(part), "{part:?} is not in {text}");
    }
    assert!(!dir.path().join("tmp").exists(), "something was started");
}

#[test]
fn what_is_wrong_is_told_in_one_line() {
    assert_refuses(&[], &["mapred.job.tracker is not set; set it in mapred-site.xml"]);
    assert_refuses(
        &[("mapred.job.tracker", "local")],
        &["mapred-site.xml: mapred.job.tracker is \"local\"; expected host:port"],
    );
    let address = ("mapred.job.tracker", "127.0.0.1:0");
    assert_refuses(
        &[address, ("mapred.heartbeats.in.second", "x")],
        &["mapred.heartbeats.in.second is \"x\"; expected a whole number"],
    );
    assert_refuses(&[address, ("fs.default.name", "hdfs://nn:8020/")], &["fs.default.name", "hdfs"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    assert_refuses(&[("mapred.job.tracker", "127.0.0.1:1x")], &["expected host:port"]);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let used = listener.local_addr().unwrap().to_string();
    assert_refuses(&[("mapred.job.tracker", &used)], &["mapred.job.tracker is", &used, "in use"]);
    assert_refuses(
        &[address, ("mapred.job.tracker.http.address", &used)],
        &["mapred.job.tracker.http.address is", "in use"],
    );
    drop(taken);
}

#[test]
fn unknown_arguments_print_the_usage() {
    let dir = tempfile::tempdir().unwrap();
    let output = run(dir.path(), &["-Dproc_jobtracker", "org.apache.hadoop.mapred.JobTracker", "-format"]);
    assert_eq!(output.status.code(), Some(255));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "usage: JobTracker [-dumpConfiguration]\n");
}

#[test]
fn the_configuration_is_dumped_as_two_documents() {
    let dir = tempfile::tempdir().unwrap();
    site(dir.path(), &[("mapred.queue.names", "a,b"), ("mapred.queue.b.state", "STOPPED")]);
    let output = run(dir.path(), &["org.apache.hadoop.mapred.JobTracker", "-dumpConfiguration"]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let documents: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = documents[0]["properties"].as_array().unwrap().iter().filter(|p| p["key"] == "mapred.queue.names");
    assert_eq!(names.map(|p| p["value"].clone()).collect::<Vec<_>>(), ["a,b"]);
    assert_eq!(documents[1]["queues"][1]["state"], "stopped");
}
