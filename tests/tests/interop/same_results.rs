//! The same jobs, by the same unmodified client, on Hadoop's cluster and on ours: the same output, the same counters.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use howdah_tests::harness::{Cluster, ClusterOptions, CounterMap, Install, Make, Run};

use crate::applications::{APPLICATIONS, write_input};

/// Counters that two clusters need not agree on, and why.
const MAY_DIFFER: &[(&str, &str, &str)] = &[
    ("Map-Reduce Framework", "CPU time spent (ms)", "CPU"),
    ("Map-Reduce Framework", "Physical memory (bytes) snapshot", "memory"),
    ("Map-Reduce Framework", "Virtual memory (bytes) snapshot", "memory"),
    ("Map-Reduce Framework", "Total committed heap usage (bytes)", "memory"),
    ("Job Counters ", "SLOTS_MILLIS_MAPS", "time"),
    ("Job Counters ", "SLOTS_MILLIS_REDUCES", "time"),
    (
        "FileSystemCounters",
        "FILE_BYTES_READ",
        "a child counts the local job files it reads, whose size follows from path names",
    ),
    (
        "FileSystemCounters",
        "FILE_BYTES_WRITTEN",
        "a child counts the job.xml it rewrites, whose size follows from path names",
    ),
];
/// More of them, each of one application's job alone.
const MAY_DIFFER_IN: &[(&str, usize, &str, &str, &str)] = &[
    (
        "grep",
        1,
        "Map-Reduce Framework",
        "SPLIT_RAW_BYTES",
        "it reads a folder whose name ends in a random number of any length",
    ),
    ("packed-sort", 0, "File Output Format Counters ", "Bytes Written", DEFLATE),
    ("packed-words", 0, "File Output Format Counters ", "Bytes Written", DEFLATE),
    ("packed-words", 0, "Map-Reduce Framework", "Map output materialized bytes", DEFLATE),
    ("packed-words", 0, "Map-Reduce Framework", "Reduce shuffle bytes", DEFLATE),
    (
        "packed-words",
        0,
        "File Input Format Counters ",
        "Bytes Read",
        "Hadoop's bzip2 reader looks further ahead, through two buffers, and reads the file's start twice",
    ),
];
/// Why compressed bytes are counted otherwise.
const DEFLATE: &str = "another program than the JDK's compresses, and finds other matches";

/// What an application left behind.
struct Ran {
    run: Run,
    /// Of each of its jobs, in order.
    counters: Vec<CounterMap>,
}

type Runs = BTreeMap<&'static str, Ran>;

/// Clusters whose counters can be compared: no attempt runs twice.
pub(crate) fn comparable(make: Make, native: &str) -> ClusterOptions {
    ClusterOptions::of(make)
        .set("mapred.map.tasks.speculative.execution", "false")
        .set("mapred.reduce.tasks.speculative.execution", "false")
        .set("howdah.child.native", native)
}

fn cluster(install: &Install, make: Make, native: &str) -> Cluster {
    Cluster::start(install, &comparable(make, native))
}

fn run_all(cluster: &Cluster, input: &Path, output: &Path) -> Runs {
    fs::create_dir_all(output).expect("an output folder");
    let mut runs = Runs::new();
    for application in APPLICATIONS {
        let run = application.run(cluster, input, output);
        println!("{:>14}  {:6.2} s  exit {:?}", application.name, run.elapsed.as_secs_f64(), run.code);
        let run = run.expect_success();
        let counters: Vec<CounterMap> = run.job_ids().iter().map(|job| cluster.counters(job)).collect();
        assert!(!counters.is_empty(), "{} ran no job: {run:#?}", application.name);
        runs.insert(application.name, Ran { run, counters });
    }
    runs
}

/// The counters that must agree.
fn compared(application: &str, counters: &[CounterMap]) -> Vec<CounterMap> {
    let may_differ = |job: usize, (group, name): &(String, String)| {
        MAY_DIFFER.iter().any(|(g, n, _)| g == group && n == name)
            || MAY_DIFFER_IN.iter().any(|(a, j, g, n, _)| (*a, *j, *g, *n) == (application, job, group, name))
    };
    let kept = |(job, map): (usize, &CounterMap)| {
        map.iter().filter(|(key, _)| !may_differ(job, key)).map(|(key, value)| (key.clone(), *value)).collect()
    };
    counters.iter().enumerate().map(kept).collect()
}

/// Every difference between the counters of jobs, as lines to read.
pub(crate) fn differences(application: &str, expected: &[CounterMap], actual: &[CounterMap]) -> Vec<String> {
    let (expected, actual) = (compared(application, expected), compared(application, actual));
    if expected.len() != actual.len() {
        return vec![format!("{application}: {} jobs with counters, Hadoop had {}", actual.len(), expected.len())];
    }
    let mut lines = Vec::new();
    for (job, (expected, actual)) in expected.iter().zip(&actual).enumerate() {
        let keys: std::collections::BTreeSet<_> = expected.keys().chain(actual.keys()).collect();
        for key in keys {
            let (left, right) = (expected.get(key), actual.get(key));
            if left != right {
                lines.push(format!("{application}, job {job}: {} / {}: Hadoop {left:?}, ours {right:?}", key.0, key.1));
            }
        }
    }
    lines
}

#[test]
fn the_stock_client_gets_hadoops_output_and_counters() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let input = write_input(dir.path());

    println!("Hadoop 1.2.1:");
    let hadoop = cluster(&install, Make::Hadoop, "auto");
    let records = input.join("records").display().to_string();
    let writer =
        ["randomwriter", "-Dtest.randomwrite.bytes_per_map=300000", "-Dtest.randomwriter.maps_per_host=2", &records];
    hadoop.java_jar("hadoop-examples", &writer).expect_success();
    // The output folders' names are equally long: counters such as SPLIT_RAW_BYTES count the letters of paths.
    let reference = dir.path().join("run-h");
    let expected = run_all(&hadoop, &input, &reference);
    drop(hadoop);

    let mut problems = Vec::new();
    for (native, folder) in [("never", "run-n"), ("auto", "run-a")] {
        println!("Howdah, howdah.child.native={native}:");
        let ours = cluster(&install, Make::Howdah, native);
        let output = dir.path().join(folder);
        let actual = run_all(&ours, &input, &output);
        for application in APPLICATIONS {
            let name = application.name;
            application.compare_output((&reference, &expected[name].run), (&output, &actual[name].run));
            problems.extend(
                differences(name, &expected[name].counters, &actual[name].counters)
                    .into_iter()
                    .map(|line| format!("{native}: {line}")),
            );
            let wants_native = native == "auto" && application.native;
            for job in actual[name].run.job_ids() {
                let native = ours.ran_natively(&job);
                if native != wants_native {
                    problems.push(format!("{name}, {job}: in a native child: {native}, wanted: {wants_native}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "they differ:\n{}", problems.join("\n"));
}
