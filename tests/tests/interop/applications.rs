//! The programs that a cluster must run: Hadoop's own examples and streaming, with small inputs that are the same at
//! each run.

use std::fs;
use std::path::{Path, PathBuf};

use howdah_tests::harness::{Cluster, Run, same_sequence_files, same_text};

/// How an application's output is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Part files, byte for byte; compressed ones by what is in them.
    Text,
    /// Part files, record by record.
    Records,
    /// What it prints, from the line that starts so.
    Printed(&'static str),
    /// Nothing.
    None,
}

/// One program and its arguments. `IN` and `OUT` stand for the input folder and this run's output folder.
#[derive(Debug, Clone)]
pub(crate) struct Application {
    pub(crate) name: &'static str,
    pub(crate) jar: &'static str,
    pub(crate) args: &'static [&'static str],
    /// The folder, below the run's output folder, that is compared.
    pub(crate) folder: &'static str,
    pub(crate) output: Output,
    /// Whether `auto` runs all its attempts without a JVM.
    pub(crate) native: bool,
}

/// A bzip2 file of several blocks and streams.
const BLOCKS: &[u8] = include_bytes!("../../../hadoop-io/tests/data/blocks.bz2");

const EXAMPLES: &str = "hadoop-examples";
const STREAMING: &str = "hadoop-streaming";

/// All of them, in an order in which each finds its input.
pub(crate) const APPLICATIONS: &[Application] = &[
    Application {
        name: "wordcount",
        jar: EXAMPLES,
        args: &["wordcount", "-Dmapred.reduce.tasks=2", "IN/text", "OUT/wordcount"],
        folder: "wordcount",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "grep",
        jar: EXAMPLES,
        args: &["grep", "IN/text", "OUT/grep", "a[b-d]+"],
        folder: "grep",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "sort",
        jar: EXAMPLES,
        args: &["sort", "-r", "2", "IN/records", "OUT/sort"],
        folder: "sort",
        output: Output::Records,
        native: true,
    },
    Application {
        name: "packed-sort",
        jar: EXAMPLES,
        args: &[
            "sort",
            "-Dmapred.output.compress=true",
            "-Dmapred.output.compression.type=BLOCK",
            "-r",
            "2",
            "IN/records",
            "OUT/packed-sort",
        ],
        folder: "packed-sort",
        output: Output::Records,
        native: true,
    },
    Application {
        // bzip2 blocks in three splits, zlib between maps and reduces, gzip at the end.
        name: "packed-words",
        jar: EXAMPLES,
        args: &[
            "wordcount",
            "-Dmapred.max.split.size=4000",
            "-Dmapred.compress.map.output=true",
            "-Dmapred.output.compress=true",
            "-Dmapred.output.compression.codec=org.apache.hadoop.io.compress.GzipCodec",
            "-Dmapred.reduce.tasks=2",
            "IN/packed",
            "OUT/packed-words",
        ],
        folder: "packed-words",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "pi",
        jar: EXAMPLES,
        args: &["pi", "2", "1000"],
        folder: "",
        output: Output::Printed("Estimated value of Pi"),
        native: true,
    },
    Application {
        name: "sleep",
        jar: EXAMPLES,
        args: &["sleep", "-m", "2", "-r", "1", "-mt", "100", "-rt", "100"],
        folder: "",
        output: Output::None,
        native: true,
    },
    Application {
        name: "secondarysort",
        jar: EXAMPLES,
        args: &["secondarysort", "IN/pairs", "OUT/secondarysort"],
        folder: "secondarysort",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "join",
        jar: EXAMPLES,
        args: &[
            "join",
            "-r",
            "1",
            "-inFormat",
            "org.apache.hadoop.mapred.KeyValueTextInputFormat",
            "-outFormat",
            "org.apache.hadoop.mapred.TextOutputFormat",
            "-outKey",
            "org.apache.hadoop.io.Text",
            "-outValue",
            "org.apache.hadoop.mapred.join.TupleWritable",
            "-joinOp",
            "outer",
            "IN/left",
            "IN/right",
            "OUT/join",
        ],
        folder: "join",
        output: Output::Text,
        native: false,
    },
    Application {
        name: "teragen",
        jar: EXAMPLES,
        args: &["teragen", "-Dmapred.map.tasks=2", "3000", "OUT/teragen"],
        folder: "teragen",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "terasort",
        jar: EXAMPLES,
        // Its partition file is looked for in the client's working directory when the default file system is local,
        // so the client runs in the input folder.
        args: &["terasort", "-Dmapred.reduce.tasks=2", ".", "OUT/terasort"],
        folder: "terasort",
        output: Output::Text,
        native: true,
    },
    Application {
        name: "teravalidate",
        jar: EXAMPLES,
        args: &["teravalidate", "OUT/terasort", "OUT/teravalidate"],
        folder: "teravalidate",
        output: Output::None,
        native: true,
    },
    Application {
        name: "streaming",
        jar: STREAMING,
        args: &[
            "-D",
            "mapred.reduce.tasks=2",
            "-input",
            "IN/text",
            "-output",
            "OUT/streaming",
            "-mapper",
            "tr a-c A-C",
            "-reducer",
            "uniq -c",
        ],
        folder: "streaming",
        output: Output::Text,
        native: true,
    },
];

impl Application {
    /// Runs it with Hadoop's unmodified client.
    pub(crate) fn run(&self, cluster: &Cluster, input: &Path, output: &Path) -> Run {
        let args: Vec<String> = self
            .args
            .iter()
            .map(|arg| {
                let arg = match arg.strip_prefix("IN/") {
                    Some(rest) => input.join(rest).display().to_string(),
                    None => (*arg).to_owned(),
                };
                match arg.strip_prefix("OUT/") {
                    Some(rest) => output.join(rest).display().to_string(),
                    None => arg,
                }
            })
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let dir = if self.name == "terasort" { output.join("teragen") } else { output.to_owned() };
        cluster.java_jar_in(self.jar, &args, &dir)
    }

    /// Fails unless both runs gave the same.
    pub(crate) fn compare_output(&self, expected: (&Path, &Run), actual: (&Path, &Run)) {
        match self.output {
            Output::Text => same_text(&expected.0.join(self.folder), &actual.0.join(self.folder)),
            Output::Records => same_sequence_files(&expected.0.join(self.folder), &actual.0.join(self.folder)),
            Output::Printed(start) => {
                let line = |run: &Run| run.stdout.lines().find(|line| line.starts_with(start)).map(str::to_owned);
                assert!(line(expected.1).is_some(), "{} printed no {start:?}", self.name);
                assert_eq!(line(expected.1), line(actual.1), "{}", self.name);
            }
            Output::None => {}
        }
    }
}

/// Writes the input of all applications and gives its folder. `records` comes from Hadoop's own `randomwriter`.
pub(crate) fn write_input(dir: &Path) -> PathBuf {
    let input = dir.join("input");
    let mut dice = fastrand::Rng::with_seed(7);
    let words: Vec<String> =
        (0..300).map(|_| (0..dice.usize(1..5)).map(|_| char::from(dice.u8(b'a'..=b'j'))).collect()).collect();
    fs::create_dir_all(input.join("text")).expect("the input folder");
    for file in 0..3 {
        let mut text = String::new();
        for _ in 0..700 {
            let line: Vec<&str> = (0..dice.usize(0..12)).map(|_| words[dice.usize(0..words.len())].as_str()).collect();
            text.push_str(&line.join(" "));
            text.push('\n');
        }
        fs::write(input.join(format!("text/part-{file}.txt")), text).expect("a text");
    }
    fs::create_dir_all(input.join("packed")).expect("a folder");
    fs::write(input.join("packed/blocks.bz2"), BLOCKS).expect("a bzip2 file");
    let pairs: String = (0..400).map(|_| format!("{} {}\n", dice.i32(-50..50), dice.i32(0..1000))).collect();
    fs::write(input.join("pairs"), pairs).expect("the pairs");
    for side in ["left", "right"] {
        fs::create_dir_all(input.join(side)).expect("a folder");
        let keys = (1000..9999).filter(|_| dice.u32(0..80) == 0);
        let table: String = keys.map(|key| format!("{key}\t{side}-{}\n", key * 3)).collect();
        fs::write(input.join(side).join("data"), table).expect("a table");
    }
    input
}
