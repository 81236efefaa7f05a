//! The programs that Hadoop 1.2.1 brings to test a cluster, unmodified, on its own daemons and on ours.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use howdah_tests::harness::results::{Kind, recorded};
use howdah_tests::harness::{Cluster, Install, Make, Run, part_files};

use crate::same_results::comparable;

/// Where the sort validator writes, whoever runs it: one at a time, and nothing may be left of another user's.
const SORT_VALIDATOR: &str = "/tmp/sortvalidate";

/// Runs what runs the sort validator.
pub(crate) fn alone_with_the_sort_validator<T>(work: impl FnOnce() -> T) -> T {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // What is not there needs no removal.
    let _ = fs::remove_dir_all(SORT_VALIDATOR);
    let value = work();
    let _ = fs::remove_dir_all(SORT_VALIDATOR);
    value
}

/// One of them. `DIR` in an argument stands for the folder in which it runs.
struct TestProgram {
    name: &'static str,
    work: &'static str,
    class: &'static str,
    args: &'static [&'static str],
    /// What it must have said or written, beside ending with 0.
    check: fn(&Run, &Path),
}

/// What starts Hadoop's examples by their names.
const EXAMPLE: &str = "org.apache.hadoop.examples.ExampleDriver";

/// All but the one that stops TaskTrackers, in an order in which each finds its input.
const PROGRAMS: &[TestProgram] = &[
    TestProgram {
        name: "mrbench",
        work: "a small job, timed",
        class: "org.apache.hadoop.mapred.MRBench",
        args: &["-baseDir", "DIR/mrbench", "-numRuns", "2", "-maps", "2", "-reduces", "1", "-inputLines", "20"],
        check: |run, _| {
            let table = run.stdout.lines().find(|line| line.starts_with("20\t\t2\t1\t"));
            assert!(table.is_some(), "no line of figures: {run:#?}");
        },
    },
    TestProgram {
        name: "randomwriter",
        work: "SequenceFiles of random records, no reduces",
        class: EXAMPLE,
        args: &[
            "randomwriter",
            "-Dtest.randomwrite.bytes_per_map=200000",
            "-Dtest.randomwriter.maps_per_host=2",
            "DIR/random",
        ],
        check: |_, dir| {
            assert!(bytes_of(&dir.join("random")) >= 2 * 200_000);
        },
    },
    TestProgram {
        name: "sort",
        work: "randomwriter's files sorted",
        class: EXAMPLE,
        args: &["sort", "-r", "2", "DIR/random", "DIR/sorted"],
        check: |_, dir| assert_eq!(part_files(&dir.join("sorted")).len(), 2),
    },
    TestProgram {
        name: "testmapredsort",
        work: "two jobs that hold sorted files against their input",
        class: "org.apache.hadoop.mapred.SortValidator",
        args: &["-sortInput", "DIR/random", "-sortOutput", "DIR/sorted"],
        check: |run, _| assert!(run.stdout.contains("SUCCESS! Validated the MapReduce framework's 'sort'"), "{run:#?}"),
    },
    TestProgram {
        name: "loadgen",
        work: "half of all records kept by maps, half of those by reduces",
        class: "org.apache.hadoop.mapred.GenericMRLoadGenerator",
        args: &[
            "-m",
            "2",
            "-r",
            "1",
            "-keepmap",
            "50",
            "-keepred",
            "50",
            "-indir",
            "DIR/random",
            "-outdir",
            "DIR/load",
        ],
        check: |run, dir| {
            assert_eq!(part_files(&dir.join("load")).len(), 1);
            let counters = run.counters();
            let count = |name: &str| counters[0][&("Map-Reduce Framework".to_owned(), name.to_owned())];
            let (read, kept) = (count("Map input records"), count("Map output records"));
            assert!(kept > 0 && kept <= read, "{kept} of {read}");
        },
    },
    TestProgram {
        name: "threadedmapbench",
        work: "maps that sort and spill while they write",
        class: "org.apache.hadoop.mapred.ThreadedMapBenchmark",
        args: &["-dataSizePerMap", "1", "-numSpillsPerMap", "2", "-numMapsPerHost", "1"],
        check: |run, _| assert!(run.stderr.contains("Total time taken : "), "{run:#?}"),
    },
    TestProgram {
        name: "testbigmapoutput",
        work: "a map output of 40 MiB through one reduce",
        class: "org.apache.hadoop.mapred.BigMapOutput",
        args: &["-input", "DIR/big-in", "-output", "DIR/big-out", "-create", "40"],
        check: |run, dir| {
            assert!(bytes_of(&dir.join("big-out")) >= 40 << 20, "{run:#?}");
        },
    },
    TestProgram {
        name: "dbcount",
        work: "page views counted from and into HSQLDB 1.8.0.10",
        class: EXAMPLE,
        args: &["dbcount"],
        check: |run, _| {
            // It compares both itself, and throws if they differ.
            assert!(run.stderr.contains("totalPageview=") && run.stderr.contains("sumPageview="), "{run:#?}");
        },
    },
    TestProgram {
        name: "sudoku",
        work: "a puzzle, without a job",
        class: EXAMPLE,
        args: &["sudoku", "DIR/puzzle"],
        check: |run, _| assert!(run.stdout.contains("Found 1 solutions"), "{run:#?}"),
    },
    TestProgram {
        name: "multifilewc",
        work: "words of several files in one split counted",
        class: EXAMPLE,
        args: &["multifilewc", "DIR/texts", "DIR/words"],
        check: |_, dir| {
            let parts = part_files(&dir.join("words"));
            let text: String = parts.values().map(|path| fs::read_to_string(path).expect("a part")).collect();
            assert_eq!(text, "a\t2\nb\t2\nc\t1\n");
        },
    },
];

fn bytes_of(folder: &Path) -> u64 {
    part_files(folder).values().map(|path| fs::metadata(path).expect("a part").len()).sum()
}

/// One square of nine by nine with the numbers that make it have one solution.
const PUZZLE: &str = "\
5 3 ? ? 7 ? ? ? ?
6 ? ? 1 9 5 ? ? ?
? 9 8 ? ? ? ? 6 ?
8 ? ? ? 6 ? ? ? 3
4 ? ? 8 ? 3 ? ? 1
7 ? ? ? 2 ? ? ? 6
? 6 ? ? ? ? 2 8 ?
? ? ? 4 1 9 ? ? 5
? ? ? ? 8 ? ? 7 9
";

fn run_all(install: &Install, make: Make, whose: &str) {
    let cluster = Cluster::start(install, &comparable(make, "auto"));
    let dir = cluster.dir().join("programs");
    fs::create_dir_all(dir.join("texts")).expect("a folder");
    for (name, text) in [("puzzle", PUZZLE), ("texts/1", "a b a\n"), ("texts/2", "b c\n")] {
        fs::write(dir.join(name), text).expect("an input");
    }
    for program in PROGRAMS {
        let name = format!("{} 1.2.1, {whose} daemons", program.name);
        recorded(install, Kind::TestProgram, &name, program.work, "its own checks", || {
            let run = match program.name {
                "testmapredsort" => alone_with_the_sort_validator(|| program.run(&cluster, &dir)),
                _ => program.run(&cluster, &dir),
            };
            let run = run.expect_success();
            println!("{:>16}  {:6.2} s", program.name, run.elapsed.as_secs_f64());
            (program.check)(&run, &dir);
        });
    }
}

impl TestProgram {
    fn run(&self, cluster: &Cluster, dir: &Path) -> Run {
        let jar = |name: &str| cluster.install().jar(name).expect("a jar of Hadoop's").to_owned();
        let mut command = cluster.java_with(&[jar("hadoop-test"), jar("hadoop-examples")]);
        // Where threadedmapbench writes.
        command.arg(format!("-Dtest.build.data={}", dir.join("threaded").display())).arg(self.class);
        command.args(self.args.iter().map(|arg| arg.replace("DIR", &dir.display().to_string())));
        cluster.run_within(std::time::Duration::from_secs(600), command, dir)
    }
}

#[test]
#[ignore = "ten programs of Hadoop's take minutes; bin/check --full runs them"]
fn hadoops_test_programs_pass_on_hadoop() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    run_all(&install, Make::Hadoop, "Hadoop's");
}

#[test]
#[ignore = "ten programs of Hadoop's take minutes; bin/check --full runs them"]
fn hadoops_test_programs_pass_on_howdah() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    run_all(&install, Make::Howdah, "our");
}
