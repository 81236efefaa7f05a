//! The job on a cluster of ours.

use std::fs;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_access-log");

fn line(host: &str, bytes: &str) -> String {
    format!("{host} - - [01/Dec/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 {bytes}\n")
}

#[test]
fn bytes_are_added_up_by_host() {
    let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    fs::create_dir(cluster.dir().join("in")).expect("a folder");
    for (name, text) in [
        (
            "monday",
            [line("b.example", "20"), line("a.example", "3"), "?\n".to_owned(), line("a.example", "-")].concat(),
        ),
        ("tuesday", [line("a.example", "4"), line("c.example", "500"), line("b.example", "1")].concat()),
    ] {
        fs::write(cluster.dir().join("in").join(name), text).expect("a log");
    }

    let run = cluster.hadoop(&[
        "native",
        "-D",
        "mapred.job.reuse.jvm.num.tasks=-1",
        EXECUTABLE,
        "-input",
        "in",
        "-output",
        "out",
    ]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let output = fs::read_to_string(cluster.dir().join("out/part-r-00000")).expect("the output");
    assert_eq!(output, "a.example\t7\nb.example\t21\nc.example\t500\n");
    for counter in ["Malformed lines=1", "Map input records=7", "Map output records=6", "Combine output records=5"] {
        assert!(run.stderr.contains(counter), "{counter} is not in {}", run.stderr);
    }
}

#[test]
fn a_job_that_no_tracker_may_run_natively_is_refused() {
    let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    fs::write(cluster.dir().join("in"), line("a.example", "3")).expect("a log");
    let run =
        cluster.hadoop(&["native", "-D", "howdah.child.native=never", EXECUTABLE, "-input", "in", "-output", "out"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("howdah.job.executable names a child of the job's own"), "{}", run.stderr);
}
