//! Pipes programs that behave and programs that do not, in native children. The program is the one that passes on
//! Hadoop's own side of the protocol (`tests/tests/interop/pipes.rs`).

use std::fs;
use std::path::Path;
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pipes-word-count");
const READER: [&str; 2] = ["-inputformat", "org.apache.hadoop.mapred.TextInputFormat"];
const WRITER: [&str; 2] = ["-writer", "org.apache.hadoop.mapred.TextOutputFormat"];

fn words(dir: &Path, parts: usize) -> Vec<String> {
    let parts = (0..parts).map(|part| dir.join(format!("part-{part:05}")));
    let lines = parts.flat_map(|part| {
        let text = fs::read_to_string(&part).unwrap_or_else(|error| panic!("{}: {error}", part.display()));
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    lines.collect()
}

#[test]
fn programs_count_words_and_misfits_fail_with_their_cause() {
    let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    fs::write(cluster.dir().join("text"), "b a b\nc\nb a\n").expect("a text");
    let linked = format!("{PROGRAM}#counter");
    let jobs: [(&str, &[&str], &[&str]); 5] = [
        ("both", &[READER, WRITER].concat(), &["a\t2", "b\t3", "c\t1"]),
        ("reader", &READER, &["a\t2", "b\t3", "c\t1"]),
        ("writer", &WRITER, &["a\t2", "b\t3", "c\t1"]),
        // A program with a name for its link has a debug script of Hadoop's own beside it.
        ("linked", &WRITER, &["a\t2", "b\t3", "c\t1"]),
        // 97 and 99 are odd, 98 is even: the program's own choice of the reduce.
        ("chosen", &["-jobconf", "peer.partition=true", "-reduces", "2"], &["b\t3", "a\t2", "c\t1"]),
    ];
    for (name, options, expected) in jobs {
        let program = if name == "linked" { linked.as_str() } else { PROGRAM };
        let mut args = vec!["pipes", "-input", "text", "-output", name, "-program", program];
        args.extend_from_slice(options);
        let run = cluster.hadoop(&args).expect_success();
        let job = &run.job_ids()[0];
        assert!(cluster.ran_natively(job), "{name}");
        assert_eq!(words(&cluster.dir().join(name), if name == "chosen" { 2 } else { 1 }), expected, "{name}");
        let counters = cluster.counters(job);
        let counted = ["WORDS", "LINES"].map(|counter| counters[&("PEER".to_owned(), counter.to_owned())]);
        assert_eq!(counted, [6, 3], "{name}");
    }

    for (fault, cause) in [
        ("early", "the pipes program ended before it connected: exit status: 3"),
        ("digest", "Authentication Failed"),
        ("exit", "pipe child exception: java.io.EOFException"),
        ("code", "pipe child exception: java.io.IOException: Bad command code: 99"),
        ("counter", "pipe child exception: java.io.IOException: Invalid counter with id: 77"),
    ] {
        let environment = format!("-Dmapred.child.env=PEER_FAULT={fault}");
        let mut args = vec!["pipes", &environment, "-Dmapred.map.max.attempts=1"];
        args.extend_from_slice(&["-input", "text", "-output", fault, "-program", PROGRAM]);
        args.extend_from_slice(&READER);
        let run = cluster.hadoop(&args);
        assert_eq!(run.code, Some(1), "{run:#?}");
        assert!(run.stderr.contains("java.io.IOException: Job failed!"), "{run:#?}");
        assert!(run.stderr.contains(cause), "no {cause:?} on the console: {run:#?}");
        assert!(run.elapsed < Duration::from_secs(60), "{fault}: {:?}", run.elapsed);
    }
}
