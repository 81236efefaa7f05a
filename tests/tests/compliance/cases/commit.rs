//! What output directories hold in the end.

use std::path::Path;

use crate::bench::Bench;
use crate::case::Case;
use crate::files::{await_that, output_lines};

const GROUP: &str = "commit";

pub(super) const CASES: &[Case] = &[
    Case::core(GROUP, "a failed attempt leaves nothing in the output", |bench| {
        let _ = bench.retried();
        let mut lines = output_lines(&bench.path("out/retried"));
        lines.sort();
        assert_eq!(lines, ["line of 0\t", "line of 1\t"]);
    }),
    Case::core(GROUP, "a job that succeeds is marked so", |bench| {
        let _ = (bench.word_count(), bench.retried());
        for job in ["words", "retried"] {
            let output = bench.path(&format!("out/{job}"));
            assert!(output.join("_SUCCESS").is_file(), "no _SUCCESS in {}", output.display());
            assert!(!output.join("_temporary").exists(), "_temporary is left in {}", output.display());
        }
    }),
    Case::core(GROUP, "a job that fails commits nothing", |bench| {
        let _ = bench.failed();
        assert_nothing_committed(bench, "failed");
    }),
    Case::core(GROUP, "a job that is killed commits nothing", |bench| {
        assert!(bench.killed().had_temporary_output);
        assert_nothing_committed(bench, "killed");
    }),
    Case::core(GROUP, "the staging directory goes with its job", |bench| {
        let id = bench.word_count().ran.id.to_string();
        let staging = bench.path("tmp/mapred/staging");
        let left = || crate::files::files_below(&staging).iter().any(|path| path.iter().any(|part| *part == *id));
        await_that("the job's files are gone", || !left());
    }),
    Case::core(GROUP, "a job's local files go with it", |bench| {
        let id = bench.word_count().ran.id.to_string();
        let is_left = |dir: &Path| {
            let users = std::fs::read_dir(dir.join("taskTracker")).into_iter().flatten().flatten();
            users.map(|user| user.path().join("jobcache").join(&id)).any(|path| path.exists())
        };
        await_that("no TaskTracker has files of the job", || !bench.tracker_dirs().iter().any(|dir| is_left(dir)));
    }),
];

fn assert_nothing_committed(bench: &Bench, job: &str) {
    let output = bench.path(&format!("out/{job}"));
    let parts = howdah_tests::harness::part_files(&output);
    assert!(parts.is_empty(), "{parts:?}");
    for name in ["_SUCCESS", "_temporary"] {
        assert!(!output.join(name).exists(), "{name} is in {}", output.display());
    }
}
