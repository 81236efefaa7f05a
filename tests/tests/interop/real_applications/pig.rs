//! Apache Pig.

use howdah_tests::harness::{Cluster, Run, downloads, same_text};

use super::{below, expect, on_our_cluster, write_tables};

const ARTIFACTS: &[&str] = &[
    "org.apache.pig:pig:0.12.1",
    "org.antlr:antlr-runtime:3.4",
    "org.python:jython-standalone:2.5.3",
    // What its own list forgets.
    "com.google.guava:guava:11.0.2",
    "joda-time:joda-time:2.1",
    "dk.brics.automaton:automaton:1.11-8",
];

/// Four jobs. ORDER looks for its partition file in the job's working directory, as TeraSort does: with the default file system
/// local that would be the client's.
const SCRIPT: &str = "
SET mapred.working.dir '.';
users = LOAD '$in/users' USING PigStorage(',') AS (id:int, name:chararray, city:chararray);
visits = LOAD '$in/visits' USING PigStorage(',') AS (user:int, page:chararray, ms:long);
slow = FILTER visits BY ms > 10L;
both = JOIN users BY id, slow BY user;
cities = GROUP both BY users::city;
sums = FOREACH cities GENERATE group AS city, COUNT(both) AS visits, SUM(both.slow::ms) AS total;
sorted = ORDER sums BY total DESC, city;
STORE sorted INTO '$out';
";

#[test]
#[ignore = "Pig comes from Maven Central and runs four jobs; bin/check --full runs it"]
fn pig_joins_groups_and_orders() {
    let (work, proof) = ("LOAD, FILTER, JOIN, GROUP, ORDER, STORE: four jobs", "the script with `-x local`");
    on_our_cluster("Apache Pig 0.12.1", work, proof, |cluster| {
        write_tables(cluster.dir());
        std::fs::write(cluster.dir().join("script.pig"), SCRIPT).expect("the script");
        pig(cluster, "local", "expected");
        let run = pig(cluster, "mapreduce", "actual");
        same_text(&cluster.dir().join("expected"), &cluster.dir().join("actual"));
        assert!(run.stderr.contains("Successfully read 50 records from"), "{run:#?}");
        assert!(run.stderr.contains("Successfully stored 7 records in"), "{run:#?}");
    });
}

fn pig(cluster: &Cluster, how: &str, out: &str) -> Run {
    let mut command = cluster.java_with(&downloads::maven(cluster.install(), "pig", ARTIFACTS));
    command.args(["org.apache.pig.Main", "-x", how, "-param"]).arg(format!("in={}", cluster.dir().display()));
    command.arg("-param").arg(format!("out={}", below(cluster, out))).args(["-f", "script.pig"]);
    expect(cluster, command)
}
