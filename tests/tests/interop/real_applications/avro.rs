//! Apache Avro's MapReduce library for Hadoop 1.

use std::process::Command;

use howdah_tests::harness::{Cluster, Run, downloads};

use super::{LOCAL, below, compiled, expect, listed, on_our_cluster};

#[test]
#[ignore = "Avro comes from Maven Central; bin/check --full runs it"]
fn avro_files_are_summed() {
    let (work, proof) = ("Avro files in and out, Avro's shuffle order", "the job on Hadoop's LocalJobRunner");
    on_our_cluster("Apache Avro 1.7.7 (hadoop1)", work, proof, |cluster| {
        let expected = sums(cluster, "expected", &[LOCAL]);
        let actual = sums(cluster, "actual", &[]);
        assert_eq!(expected.stdout.lines().count(), 17, "{expected:#?}");
        assert_eq!(expected.stdout, actual.stdout);
    });
}

fn sums(cluster: &Cluster, out: &str, options: &[&str]) -> Run {
    let mut jars = downloads::maven(cluster.install(), "avro", &["org.apache.avro:avro-mapred:1.7.7:hadoop1"]);
    let libraries = listed(&jars);
    let classes = compiled(cluster, &jars, "AvroVisits.java");
    let jar = cluster.dir().join("avro-visits.jar");
    let mut command = Command::new("jar");
    command.arg("cf").arg(&jar).arg("-C").arg(&classes).arg(".");
    expect(cluster, command);
    jars.insert(0, jar);
    let mut command = cluster.java_with(&jars);
    command.arg("AvroVisits").args(options).args(["-libjars", &libraries]);
    command.args([below(cluster, &format!("{out}-in")), below(cluster, out)]);
    expect(cluster, command)
}
