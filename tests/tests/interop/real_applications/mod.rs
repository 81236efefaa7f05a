//! What people run on Hadoop 1.x clusters, as the public registries have it, on ours: the same output as from Hadoop's own
//! LocalJobRunner, or from its daemons where that cannot run it.

mod avro;
mod giraph;
mod hbase;
mod hive;
mod luigi;
mod mahout;
mod mrjob;
mod pig;
mod sqoop;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use howdah_tests::harness::results::{Kind, recorded};
use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, Run, part_files};

/// Sets the local runner.
const LOCAL: &str = "-Dmapred.job.tracker=local";
/// Chains of jobs, each of several JVMs, on whatever machine.
const DEADLINE: Duration = Duration::from_secs(1200);

/// Runs a test of an application on a cluster of ours with room for small JVMs, and records how it ended.
fn on_our_cluster(program: &str, work: &str, proof: &str, test: impl FnOnce(&Cluster)) {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    recorded(&install, Kind::Application, program, work, proof, || test(&cluster(&install, Make::Howdah)));
}

fn cluster(install: &Install, make: Make) -> Cluster {
    let opts = "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    Cluster::start(install, &ClusterOptions::of(make).set("mapred.child.java.opts", opts))
}

/// Compiles a source of `tests/java/applications` against jars and Hadoop's; gives the folder of its classes.
fn compiled(cluster: &Cluster, jars: &[PathBuf], source: &str) -> PathBuf {
    let folder = cluster.dir().join("classes");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/applications").join(source);
    let mut path = cluster.install().class_path(&folder);
    for jar in jars {
        path.push(':');
        path.push_str(&jar.display().to_string());
    }
    let mut command = Command::new("javac");
    command.args(["-nowarn", "-cp", &path, "-d"]).arg(&folder).arg(source);
    expect(cluster, command);
    folder
}

/// Runs a program in the cluster's directory; it must end with 0.
fn expect(cluster: &Cluster, command: Command) -> Run {
    cluster.run_within(DEADLINE, command, cluster.dir()).expect_success()
}

/// A path below the cluster's directory, as text.
fn below(cluster: &Cluster, name: &str) -> String {
    cluster.dir().join(name).display().to_string()
}

/// All lines of a folder's part files, in order of the lines.
fn sorted_lines(folder: &Path) -> Vec<String> {
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines: Vec<String> = part_files(folder)
        .values()
        .flat_map(|path| text(path).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(!lines.is_empty(), "{} has no output", folder.display());
    lines.sort();
    lines
}

/// Jars as an option's value.
fn listed(jars: &[PathBuf]) -> String {
    jars.iter().map(|jar| jar.display().to_string()).collect::<Vec<_>>().join(",")
}

/// Two tables, of users and of their visits to pages; columns are separated by commas.
fn write_tables(dir: &Path) {
    let mut dice = fastrand::Rng::with_seed(11);
    let users: String = (0..50).map(|id| format!("{id},name {id},city {}\n", dice.u32(0..7))).collect();
    // Some visits are of nobody.
    let visits: String =
        (0..800).map(|_| format!("{},/page-{},{}\n", dice.u32(0..60), dice.u32(0..9), dice.u32(0..500))).collect();
    fs::write(dir.join("users"), users).expect("a table");
    fs::write(dir.join("visits"), visits).expect("a table");
}
