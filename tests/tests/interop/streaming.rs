//! What streaming can do beyond the ordinary: the same jobs in Hadoop's own child and in the native one, side by side on
//! one cluster. Java's client submits the former, our own the latter.

use std::fs;
use std::path::Path;

use howdah_tests::harness::{Cluster, Install, Make, Run, same_sequence_files, same_text};

use crate::applications::write_input;
use crate::same_results::{comparable, differences};

/// One job: `IN` stands for the input folder, `MAP`, `COMBINE` and `REDUCE` for scripts of that name there.
struct Case {
    name: &'static str,
    args: &'static [&'static str],
    /// Whether the output is SequenceFiles.
    records: bool,
}

/// Its reports come last: Java's child fails of a NullPointerException if one comes before the first record.
const MAP: &str = r#"#!/bin/sh
tr ' ' '\n' | grep . | sed "s/^\(.\)\(.*\)$/\1.\2.$mapred_reduce_tasks-$stream_num_map_output_key_fields-$MINE/"
echo no separator
echo "reporter:counter:mine,lines,2" >&2
echo "reporter:counter:mine,bad" >&2
echo "reporter:status:going on" >&2
echo "an ordinary line" >&2
printf 'z.last.without newline'
"#;

const COMBINE: &str = r#"#!/bin/sh
sed 's/:/_/'
"#;

const REDUCE: &str = r#"#!/bin/sh
uniq -c | sed 's/^ *//; s/ /_/'
"#;

/// Values for each of the aggregators; doubles that every JVM shows alike.
const AGGREGATE: &str = r#"#!/bin/sh
tr ' ' '\n' | grep . | sed 's/.*/LongValueSum:&\t1\nlongvaluesum:all\t-3\nDoubleValueSum:half\t0.5\nUniqValueCount:words\t&\nValueHistogram:words\t&\nStringValueMax:last\t&\nStringValueMin:first\t&/'
printf 'LongValueMax:n\t4\nLongValueMax:n\t-9\nLongValueMin:n\t4\nLongValueMin:n\t-9\nValueHistogram:n\ta\t3\nValueHistogram:n\ta\n'
"#;

const CASES: &[Case] = &[
    Case {
        name: "aggregate",
        args: &[
            "-Dmapred.reduce.tasks=2",
            "-Daggregate.max.num.unique.values=1000",
            "-input",
            "IN/text/part-0.txt",
            "-mapper",
            "aggregate.sh",
            "-reducer",
            "aggregate",
            "-file",
            "IN/aggregate.sh",
        ],
        records: false,
    },
    Case {
        name: "text",
        args: &[
            "-Dmapred.reduce.tasks=2",
            "-Dstream.map.output.field.separator=.",
            "-Dstream.num.map.output.key.fields=2",
            "-Dstream.reduce.input.field.separator=:",
            "-Dstream.reduce.output.field.separator=_",
            "-Dmap.output.key.field.separator=.",
            "-Dmapred.text.key.partitioner.options=-k1,1",
            "-input",
            "IN/text/part-0.txt",
            "-mapper",
            "map.sh",
            "-combiner",
            "combine.sh",
            "-reducer",
            "reduce.sh",
            "-cmdenv",
            "MINE=a=b",
            "-partitioner",
            "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner",
            "-file",
            "IN/map.sh",
            "-file",
            "IN/combine.sh",
            "-file",
            "IN/reduce.sh",
        ],
        records: false,
    },
    Case {
        name: "typed",
        args: &[
            "-Dmapred.reduce.tasks=1",
            "-io",
            "typedbytes",
            "-input",
            "IN/text/part-0.txt",
            "-mapper",
            "cat",
            "-reducer",
            "cat",
            "-outputformat",
            "org.apache.hadoop.mapred.SequenceFileOutputFormat",
        ],
        records: true,
    },
    Case {
        // Two maps: both give records of the middle, as Hadoop's do.
        name: "marks",
        args: &[
            "-inputreader",
            "StreamXmlRecordReader,begin=<page>,end=</page>",
            "-input",
            "IN/pages.xml",
            "-mapper",
            "tr a-c A-C",
            "-reducer",
            "NONE",
        ],
        records: false,
    },
    Case {
        name: "bytes",
        args: &[
            "-Dmapred.reduce.tasks=1",
            "-io",
            "rawbytes",
            "-input",
            "IN/text/part-0.txt",
            "-mapper",
            "cat",
            "-reducer",
            "cat",
        ],
        records: false,
    },
];

/// A job that fails, and what both children say.
const FAILURE: Case = Case {
    name: "code",
    args: &["-input", "IN/text/part-0.txt", "-mapper", "sh -c 'cat; exit 3'", "-reducer", "NONE"],
    records: false,
};
const CAUSE: &str = "PipeMapRed.waitOutputThreads(): subprocess failed with code 3";

/// A command that reads nothing of a long input. Java's child stumbles over its own report of it, a NullPointerException;
/// both jobs fail, so that one of them is enough here.
const DEAF: Case =
    Case { name: "deaf", args: &["-input", "IN/long.txt", "-mapper", "true", "-reducer", "cat"], records: false };

fn run(cluster: &Cluster, case: &Case, input: &Path, output: &Path, native: bool) -> Run {
    let child = if native { "always" } else { "never" };
    let mut args = vec![format!("-Dhowdah.child.native={child}"), "-Dmapred.map.max.attempts=1".to_owned()];
    args.extend(case.args.iter().map(|arg| match arg.strip_prefix("IN/") {
        Some(rest) => input.join(rest).display().to_string(),
        None => (*arg).to_owned(),
    }));
    args.extend(["-output".to_owned(), output.join(case.name).display().to_string()]);
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    let run = if native {
        args.insert(0, "streaming");
        cluster.hadoop(&args)
    } else {
        cluster.java_jar("hadoop-streaming", &args)
    };
    println!("{:>8} {child:>7} {:6.2} s  exit {:?}", case.name, run.elapsed.as_secs_f64(), run.code);
    run
}

#[test]
fn streaming_does_the_same_in_both_children() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    let input = write_input(dir.path());
    for (name, script) in [("map.sh", MAP), ("combine.sh", COMBINE), ("reduce.sh", REDUCE), ("aggregate.sh", AGGREGATE)]
    {
        fs::write(input.join(name), script).expect("a script");
    }
    let page = |n: u32| format!("<page>\n <title>page {n}</title> a < b\n</page>\n<!-- {} -->\n", n * n);
    fs::write(input.join("pages.xml"), (0..400).map(page).collect::<String>()).expect("pages");
    let cluster = Cluster::start(&install, &comparable(Make::Howdah, "auto"));
    let (reference, output) = (dir.path().join("java"), dir.path().join("ours"));
    let mut problems = Vec::new();
    for case in CASES {
        let [expected, actual] = [(&reference, false), (&output, true)].map(|(output, native)| {
            let run = run(&cluster, case, &input, output, native).expect_success();
            let job = run.job_ids().remove(0);
            assert_eq!(cluster.ran_natively(&job), native, "{}", case.name);
            [cluster.counters(&job)]
        });
        let compare = if case.records { same_sequence_files } else { same_text };
        compare(&reference.join(case.name), &output.join(case.name));
        problems.extend(differences(case.name, &expected, &actual));
    }
    fs::write(input.join("long.txt"), "a line of a file that nobody reads\n".repeat(60_000)).expect("a long text");
    for (output, native) in [(&reference, false), (&output, true)] {
        let run = run(&cluster, &FAILURE, &input, output, native);
        assert_eq!(run.code, Some(1), "{run:#?}");
        assert!(run.stderr.contains(CAUSE), "no {CAUSE:?}: {run:#?}");
    }
    let deaf = run(&cluster, &DEAF, &input, &output, true);
    assert_eq!(deaf.code, Some(1), "{deaf:#?}");
    assert!(
        deaf.stderr.contains("Job not successful. Error: # of failed Map Tasks exceeded allowed limit."),
        "{deaf:#?}"
    );
    let names = both_variables(&cluster, &input, dir.path());
    assert!(names[0].len() > 300, "{names:?}");
    assert_eq!(names[0], names[1]);
    assert!(problems.is_empty(), "they differ:\n{}", problems.join("\n"));
}

/// The names of a command's variables in both children, of a job that Java's client submits twice.
fn both_variables(cluster: &Cluster, input: &Path, output: &Path) -> [Vec<String>; 2] {
    let input = input.join("pairs").display().to_string();
    ["never", "always"].map(|child| {
        let native = format!("-Dhowdah.child.native={child}");
        let output = output.join(format!("names-{child}"));
        let to = output.display().to_string();
        let mapper = "sh -c \"env | grep = | sed 's/=.*//' | sort -u\"";
        let args = [native.as_str(), "-Dmapred.map.tasks=1", "-input", &input, "-output", &to, "-mapper", mapper];
        cluster.java_jar("hadoop-streaming", &[&args[..], &["-reducer", "NONE"]].concat()).expect_success();
        let text = fs::read_to_string(output.join("part-00000")).expect("the names");
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    })
}
