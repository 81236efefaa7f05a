//! Jobs of Hadoop's own client that cannot work: each is refused or fails with its cause where people look for it, in
//! the console, on the job's page and in the history.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, Run, wait_until};
use types::JobState;
use wire::mapred::job_submission::{GetAllJobs, GetJobStatus};

const DEADLINE: Duration = Duration::from_secs(120);

fn cluster() -> Cluster {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let cluster = Cluster::start(&install, &ClusterOptions::of(Make::Howdah));
    fs::create_dir_all(cluster.dir().join("in")).expect("a folder");
    fs::write(cluster.dir().join("in/text"), "one two\n").expect("a text");
    cluster
}

fn page(cluster: &Cluster, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", cluster.http_port)).expect("the pages' port");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

/// The job's history once it is in the `done` folder.
fn history(cluster: &Cluster, job: &str) -> String {
    let done = cluster.dir().join("logs-jobtracker/history/done");
    let mut found = None;
    let moved = wait_until(DEADLINE, || {
        found = files_below(&done).into_iter().find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(job) && !name.ends_with(".xml")
        });
        found.is_some()
    });
    assert!(moved, "no history of {job} in {}", done.display());
    // Its values escape what delimits records.
    fs::read_to_string(found.expect("awaited")).expect("the history").replace('\\', "")
}

/// Fails unless the client was refused with `cause` and no job came to be.
fn assert_refused(cluster: &Cluster, run: &Run, cause: &str) {
    assert_ne!(run.code, Some(0), "{run:#?}");
    assert!(run.stderr.contains(cause), "{cause:?} is not on the console: {run:#?}");
    let jobs = cluster.rpc_client().call(&GetAllJobs {}).expect("jobs");
    assert!(jobs.is_empty(), "{jobs:#?}");
}

/// Fails unless the job failed with `cause` on the console, the page and in the history.
fn assert_failed(cluster: &Cluster, run: &Run, cause: &str) {
    assert_ne!(run.code, Some(0), "{run:#?}");
    let job = run.job_ids().into_iter().next().unwrap_or_else(|| panic!("no job was run: {run:#?}"));
    let call = GetJobStatus { job: job.parse().expect("a job's id") };
    let status = cluster.rpc_client().call(&call).expect("an answer").expect("a known job");
    assert_eq!(status.state, JobState::Failed, "{run:#?}");
    let history = history(cluster, &job);
    let page = page(cluster, &format!("/jobdetails.jsp?jobid={job}"));
    for (place, text) in [("console", &run.stderr), ("page", &page), ("history", &history)] {
        assert!(text.contains(cause), "{cause:?} is not in the {place}: {text}");
    }
}

#[test]
fn a_job_without_input_or_with_an_existing_output_is_refused() {
    let cluster = cluster();
    let run = cluster.java_jar("hadoop-examples", &["wordcount", "no-such-input", "out"]);
    assert_refused(&cluster, &run, "Input path does not exist");
    fs::create_dir(cluster.dir().join("there")).expect("a folder");
    let run = cluster.java_jar("hadoop-examples", &["wordcount", "in", "there"]);
    assert_refused(&cluster, &run, "already exists");
}

#[test]
fn a_job_with_a_missing_class_fails_with_its_name() {
    let cluster = cluster();
    // The client does not look at the partitioner; the first map does. A client of the new API looks for failed
    // attempts once a second until the job has ended, and prints no reason then: the last attempt's cause may come
    // too late for it, an earlier one's does not.
    let missing = "-Dmapreduce.partitioner.class=no.such.Partitioner";
    let args = ["wordcount", missing, "-Dmapred.reduce.tasks=2", "in", "out"];
    let run = cluster.java_jar("hadoop-examples", &args);
    assert_failed(&cluster, &run, "java.lang.ClassNotFoundException: no.such.Partitioner");
}

#[test]
fn a_job_whose_jar_is_no_jar_fails_with_its_cause() {
    let cluster = cluster();
    let jar = cluster.dir().join("no.jar");
    fs::write(&jar, "this is no jar\n").expect("a file");
    let conf = format!("{}", jar.display());
    let run = cluster
        .java("org.apache.hadoop.mapred.JobClient", &["-submit", &job_file(&cluster, &conf).display().to_string()]);
    let job = submitted(&run);
    let mut state = None;
    let ended = wait_until(DEADLINE, || {
        let call = GetJobStatus { job: job.parse().expect("a job's id") };
        state = cluster.rpc_client().call(&call).ok().flatten().map(|status| status.state);
        state.is_some_and(|state| state.is_complete())
    });
    assert!(ended && state == Some(JobState::Failed), "{job} is {state:?}: {run:#?}");
    let history = history(&cluster, &job);
    let page = page(&cluster, &format!("/jobdetails.jsp?jobid={job}"));
    for (place, text) in [("page", &page), ("history", &history)] {
        assert!(text.contains("job.jar: it is no zip or jar"), "the cause is not in the {place}: {text}");
    }
}

/// A `job.xml` for `hadoop job -submit`: the identity job of the old API, with that jar.
fn job_file(cluster: &Cluster, jar: &str) -> PathBuf {
    let dir = cluster.dir();
    let path = dir.join("bad-job.xml");
    let pairs = [
        ("mapred.jar", jar.to_owned()),
        ("mapred.input.dir", dir.join("in").display().to_string()),
        ("mapred.output.dir", dir.join("out").display().to_string()),
        ("mapred.output.key.class", "org.apache.hadoop.io.LongWritable".to_owned()),
        ("mapred.output.value.class", "org.apache.hadoop.io.Text".to_owned()),
        ("mapred.map.max.attempts", "1".to_owned()),
    ];
    let property =
        |(key, value): &(&str, String)| format!("<property><name>{key}</name><value>{value}</value></property>");
    let xml: String = pairs.iter().map(property).collect();
    fs::write(&path, format!("<configuration>{xml}</configuration>")).expect("a job file");
    path
}

/// The id that `hadoop job -submit` prints.
fn submitted(run: &Run) -> String {
    assert_eq!(run.code, Some(0), "{run:#?}");
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("Created job "));
    line.unwrap_or_else(|| panic!("no job was created: {run:#?}")).trim().to_owned()
}

#[test]
fn a_wrong_java_home_fails_the_java_job_with_its_cause() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let options = ClusterOptions::of(Make::Howdah)
        .set("howdah.child.native", "never")
        .set("mapred.map.max.attempts", "1")
        .env("JAVA_HOME", "/no/such/java");
    let cluster = Cluster::start(&install, &options);
    let run = cluster.java_jar("hadoop-examples", &["sleep", "-m", "1", "-r", "0", "-mt", "1"]);
    assert_failed(&cluster, &run, "JAVA_HOME is /no/such/java");
}
