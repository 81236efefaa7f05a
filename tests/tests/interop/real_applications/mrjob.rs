//! mrjob, streaming jobs in Python.

use std::path::Path;
use std::process::Command;

use howdah_tests::harness::{Cluster, Make, Run, downloads};

use super::{below, cluster, expect, on_our_cluster};

const TEXT: &str = "b a b a c\nd a e\n";

#[test]
#[ignore = "mrjob comes from PyPI and runs five jobs; bin/check --full runs it"]
fn mrjob_runs_its_steps_and_finds_its_counters() {
    let (work, proof) = ("two steps of streaming; counters out of the job's history", "Hadoop 1.2.1's daemons");
    on_our_cluster("mrjob 0.7.4", work, proof, |ours| {
        let hadoop = cluster(ours.install(), Make::Hadoop);
        let expected = run(&hadoop, "steps", &[]);
        drop(hadoop);
        assert_eq!(expected.stdout, "1\t[\"c\", \"d\", \"e\"]\n2\t[\"b\"]\n3\t[\"a\"]\n");
        assert_eq!(run(ours, "steps", &[]).stdout, expected.stdout);

        let counted = run(ours, "counts", &["--only-count"]);
        assert!(counted.stderr.contains("\ttext\n\t\tlines=2\n"), "{counted:#?}");
        assert!(counted.stderr.contains("\t\tCombine input records=8\n"), "{counted:#?}");
    });
}

fn run(cluster: &Cluster, out: &str, options: &[&str]) -> Run {
    let environment = downloads::python(cluster.install(), "mrjob", &["mrjob==0.7.4", "setuptools<81"]);
    std::fs::write(cluster.dir().join("text"), TEXT).expect("a text");
    let mut command = Command::new(environment.join("bin/python"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("python/words_by_count.py")).args(["-r", "hadoop"]);
    command.arg("--hadoop-bin").arg(cluster.install().script("hadoop"));
    command.arg("--hadoop-streaming-jar").arg(cluster.install().jar("hadoop-streaming").expect("streaming's jar"));
    command.args(["--no-conf", "--cat-output", "--python-bin"]).arg(environment.join("bin/python")).args(options);
    // A path without a scheme would be HDFS's to mrjob.
    command.arg(format!("--hadoop-tmp-dir=file://{}", below(cluster, &format!("mrjob-{out}"))));
    command.arg(format!("--output-dir=file://{}", below(cluster, out))).arg("text");
    command.env("HADOOP_CONF_DIR", cluster.client_conf()).env_remove("HADOOP_HOME");
    if !options.is_empty() {
        // It looks for histories of this user's jobs only, and there is room for one job of somebody else's: the folder that its
        // client makes is not his.
        command.env("HADOOP_USER_NAME", "hadoop");
    }
    expect(cluster, command)
}
