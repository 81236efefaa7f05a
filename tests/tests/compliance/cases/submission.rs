//! Getting a job in, by both APIs, and being refused.

use types::JobState;
use wire::mapred::job_submission::GetAllJobs;

use crate::bench::{Bench, Tool, shown};
use crate::case::Case;
use crate::cell::Part;
use crate::files::output_lines;
use crate::scenes::write_lines;

const GROUP: &str = "submission";

pub(super) const CASES: &[Case] = &[
    Case::core(GROUP, "a job of the new API gives the right output", |bench| {
        let scene = bench.word_count();
        assert_eq!(scene.ran.run.code, Some(0), "{:#?}", scene.ran.run);
        let mut expected: Vec<String> = scene.counts.iter().map(|(word, count)| format!("{word}\t{count}")).collect();
        let mut lines = output_lines(&bench.path("out/words"));
        expected.sort();
        lines.sort();
        assert_eq!(lines, expected);
    }),
    Case::core(GROUP, "a job of the old API gives the right output", |bench| {
        let scene = bench.streamed();
        assert_eq!(scene.told("no tab"), [""; 2], "the whole line is the key, the value is empty");
        assert_eq!(scene.told("is map"), ["true"; 2]);
        assert_eq!(scene.ran.job(bench).status().state, JobState::Succeeded);
    }),
    Case::core(GROUP, "the client tells id, progress and end of a job", |bench| {
        let run = &bench.word_count().ran.run;
        // Of the last steps a client that polls once a second may see none.
        for text in ["Running job: job_", " map 0% reduce 0%", "Job complete: job_", "Counters: "] {
            assert!(run.stderr.contains(text), "{text:?} is not on the console: {}", run.stderr);
        }
    }),
    Case::core(GROUP, "the children are native where they may be", |bench| {
        for ran in [&bench.word_count().ran, &bench.streamed().ran] {
            assert!(bench.cluster.ran_natively(&ran.id.to_string()), "{}", ran.id);
        }
    })
    .concerns(Part::NativeChild),
    Case::core(GROUP, "an output that exists is refused", |bench| {
        std::fs::create_dir_all(bench.path("out/there")).expect("a folder");
        let input = write_lines(bench, "there", 1);
        assert_refused(bench, "already exists", &["wordcount", &shown(&input), &shown(&bench.path("out/there"))]);
    }),
    Case::core(GROUP, "an input that does not exist is refused", |bench| {
        let (input, output) = (shown(&bench.path("in/nowhere")), shown(&bench.path("out/nowhere")));
        assert_refused(bench, "Input path does not exist", &["wordcount", &input, &output]);
    }),
    Case::core(GROUP, "a queue that does not exist is refused by name", |bench| {
        let input = shown(&write_lines(bench, "queueless", 1));
        let output = shown(&bench.path("out/queueless"));
        let args = ["wordcount", "-Dmapred.job.queue.name=nowhere", &input, &output];
        assert_refused(bench, "\"nowhere\"", &args);
    }),
];

/// Fails unless the client was refused with that text and no job of that output came to be.
fn assert_refused(bench: &Bench, cause: &str, args: &[&str]) {
    let jobs = || bench.rpc().call(&GetAllJobs {}).expect("jobs").into_iter().map(|status| status.job);
    let run = bench.hadoop(Tool::Examples, args);
    assert_ne!(run.code, Some(0), "{run:#?}");
    assert!(run.stderr.contains(cause), "{cause:?} is not on the console: {run:#?}");
    assert!(run.job_ids().is_empty(), "{run:#?}");
    let output = args.last().expect("an output");
    for job in jobs() {
        let profile = crate::job::Job { bench, id: job }.profile();
        let conf = std::fs::read_to_string(profile.job_file.trim_start_matches("file:")).unwrap_or_default();
        assert!(!conf.contains(&format!("<value>{output}</value>")), "{} has that output", profile.job);
    }
}
