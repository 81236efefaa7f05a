//! A Pipes program on Hadoop's cluster, then in both kinds of our children: the same output, the same counters.

use std::fs;
use std::path::Path;

use howdah_tests::harness::{Cluster, CounterMap, Install, Make, same_text};

use crate::applications::write_input;
use crate::same_results::{comparable, differences};

/// Hadoop's own client of pipes.
const SUBMITTER: &str = "org.apache.hadoop.mapred.pipes.Submitter";

/// A name and options.
type Job = (&'static str, &'static [&'static str]);

/// The jobs, and the options that make them: who reads, who writes, who chooses the reduces.
const JOBS: [Job; 2] = [
    (
        "piped",
        &[
            "-inputformat",
            "org.apache.hadoop.mapred.TextInputFormat",
            "-writer",
            "org.apache.hadoop.mapred.TextOutputFormat",
        ],
    ),
    ("alone", &["-jobconf", "peer.partition=true"]),
];

/// One attempt at a time: in Java they share the file of the job's password, which lies where the client stood.
fn cluster(install: &Install, make: Make, native: &str) -> Cluster {
    let options = comparable(make, native)
        .set("mapred.tasktracker.map.tasks.maximum", "1")
        .set("mapred.tasktracker.reduce.tasks.maximum", "1");
    Cluster::start(install, &options)
}

fn run(cluster: &Cluster, jobs: &[Job], input: &Path, output: &Path, by_java: bool) -> Vec<CounterMap> {
    let text = input.join("text/part-0.txt").display().to_string();
    let program = format!("file:{}", env!("CARGO_BIN_EXE_pipes-word-count"));
    let jobs = jobs.iter().map(|(name, options)| {
        let output = output.join(name).display().to_string();
        let secret = format!("-Dmapred.child.env=PEER_SECRET_DIR={}", cluster.dir().display());
        let mut args = vec![&*secret, "-input", &text, "-output", &output, "-program", &program, "-reduces", "2"];
        args.extend_from_slice(options);
        let run = if by_java {
            cluster.java(SUBMITTER, &args)
        } else {
            args.insert(0, "pipes");
            cluster.hadoop(&args)
        };
        println!("{name:>8}  {:6.2} s  exit {:?}", run.elapsed.as_secs_f64(), run.code);
        let run = run.expect_success();
        cluster.counters(&run.job_ids()[0])
    });
    jobs.collect()
}

#[test]
fn a_pipes_program_gets_the_same_from_hadoop_and_from_both_children() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let input = write_input(dir.path());
    println!("Hadoop 1.2.1:");
    let reference = dir.path().join("run-h");
    let expected = run(&cluster(&install, Make::Hadoop, "auto"), &JOBS, &input, &reference, true);
    let words = expected[0][&("PEER".to_owned(), "WORDS".to_owned())];
    let text = fs::read_to_string(input.join("text/part-0.txt")).expect("the text");
    assert_eq!(words, text.split_whitespace().count() as i64, "the reference itself");

    let mut problems = Vec::new();
    for (native, folder, jobs) in [("never", "run-n", &JOBS[..1]), ("auto", "run-a", &JOBS[..])] {
        println!("Howdah, howdah.child.native={native}:");
        let ours = cluster(&install, Make::Howdah, native);
        let output = dir.path().join(folder);
        let actual = run(&ours, jobs, &input, &output, native == "never");
        for ((name, _), (expected, actual)) in jobs.iter().zip(expected.iter().zip(&actual)) {
            same_text(&reference.join(name), &output.join(name));
            let found = differences(name, std::slice::from_ref(expected), std::slice::from_ref(actual));
            problems.extend(found.into_iter().map(|line| format!("{native}: {line}")));
        }
    }
    assert!(problems.is_empty(), "they differ:\n{}", problems.join("\n"));
}
