//! Rules that take a job each: streaming's, failures that are allowed, limits, children that are used again.

use std::collections::BTreeSet;
use std::fs;

use howdah_tests::harness::part_files;
use types::{CompletionStatus, JobState, TaskKind};

use crate::bench::Bench;
use crate::case::Case;
use crate::cell::Part;
use crate::files::output_lines;

const STREAMING: &str = "streaming";
const FAILURES: &str = "failures";
const CHILDREN: &str = "children";

pub(super) const CASES: &[Case] = &[
    Case::more(STREAMING, "keys may have several fields, and reduces get them by the first", |bench| {
        let _ = bench.shaped();
        let parts: Vec<Vec<String>> = part_files(&bench.path("out/shaped"))
            .values()
            .map(|path| fs::read_to_string(path).expect("a part").lines().map(str::to_owned).collect())
            .collect();
        assert_eq!(parts.len(), 3);
        // In the order of keys as text; a line with fewer fields is all key.
        let of = |start: &str| -> Vec<Vec<String>> {
            let lines =
                |part: &Vec<String>| part.iter().filter(|line| line.starts_with(start)).cloned().collect::<Vec<_>>();
            parts.iter().map(lines).filter(|lines| !lines.is_empty()).collect()
        };
        assert_eq!(of("a"), [["a.10\tz", "a.9\tp.q"]], "{parts:?}");
        assert_eq!(of("b"), [["b.1\t", "b.2\tx y"]], "{parts:?}");
        assert_eq!(of("c"), [["c.5\tr"]], "{parts:?}");
        assert_eq!(of("plain"), [["plain\t"]], "{parts:?}");
    }),
    Case::more(STREAMING, "keys may be sorted as numbers, backwards", |bench| {
        let _ = bench.sorted();
        assert_eq!(output_lines(&bench.path("out/sorted")), ["100\t", "20\t", "9\t", "-3\t"]);
    }),
    Case::more(STREAMING, "a command may combine", |bench| {
        let job = bench.combined().job(bench);
        assert_eq!(output_lines(&bench.path("out/combined")), ["a\t", "b\t"]);
        assert_eq!(job.counter("Map-Reduce Framework", "Combine input records"), Some(5));
        assert_eq!(job.counter("Map-Reduce Framework", "Combine output records"), Some(2));
    }),
    Case::more(STREAMING, "an exit code may be no failure", |bench| {
        assert_eq!(bench.lenient().run.code, Some(0));
        assert_eq!(output_lines(&bench.path("out/lenient")), ["line of 0\t"]);
    }),
    Case::more(STREAMING, "a script's surroundings are those that are promised", |bench| {
        let job = bench.surroundings().id.to_string();
        let lines = output_lines(&bench.path("out/surroundings"));
        let value = |key: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(&format!("{key}\t")));
            line.unwrap_or_else(|| panic!("{key} is not in {lines:?}"))
        };
        assert_eq!(value("folder"), "work");
        assert!(value("jobs folder").ends_with(&format!("/jobcache/{job}/work")), "{lines:?}");
        assert_eq!(value("tokens"), "readable");
        assert_eq!(value("set by the job"), "yes");
        assert_eq!(value("home"), "/homes/");
        assert_eq!(value("maps"), "1");
    }),
    Case::more(FAILURES, "a share of the maps may fail", |bench| {
        let ran = bench.tolerated();
        let job = ran.job(bench);
        assert_eq!((ran.run.code, job.status().state), (Some(0), JobState::Succeeded), "{:#?}", ran.run);
        let failed = job.events().into_iter().filter(|event| event.status == CompletionStatus::TipFailed).count();
        assert_eq!(failed, 1);
        assert_eq!(job.counter("Job Counters ", "Failed map tasks"), Some(1));
        assert_eq!(output_lines(&bench.path("out/tolerated")), ["line of 1\t"]);
    }),
    Case::more(FAILURES, "a task with too many counters fails and names the limit", |bench| {
        let job = bench.counted().job(bench);
        assert_eq!(job.status().state, JobState::Failed);
        let text = job.diagnostics(&job.attempt(TaskKind::Map, 0, 0));
        assert!(text.contains("Exceeded ") && text.contains("Limit=120"), "{text}");
    })
    .only_ours(Part::TaskTracker, super::failures::LOST_WORDS),
    Case::more(FAILURES, "a silent attempt fails and says for how long it was silent", |bench| {
        let job = bench.silent().job(bench);
        assert_eq!(job.status().state, JobState::Failed);
        // 1.2.1's TaskTracker loses what it said of one now and then.
        let text = [0, 1].map(|number| job.diagnostics(&job.attempt(TaskKind::Map, 0, number))).join("\n");
        assert!(text.contains("failed to report status for ") && text.contains(" seconds. Killing!"), "{text}");
    }),
    Case::more(FAILURES, "a job whose setup fails fails", |bench| {
        let job = bench.setupless().job(bench);
        let status = job.status();
        assert_eq!(status.state, JobState::Failed);
        assert!(["JobSetup", "JobCleanup"].iter().any(|word| status.failure_info.contains(word)), "{status:?}");
        // No map ran.
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 0)), None);
    }),
    Case::more(FAILURES, "a reduce that fails runs again and leaves one output", |bench| {
        let ran = bench.reduce_retried();
        let job = ran.job(bench);
        assert_eq!(ran.run.code, Some(0), "{:#?}", ran.run);
        assert_eq!(job.outcome(&job.attempt(TaskKind::Reduce, 0, 0)), Some(CompletionStatus::Failed));
        assert_eq!(job.outcome(&job.attempt(TaskKind::Reduce, 0, 1)), Some(CompletionStatus::Succeeded));
        assert_eq!(output_lines(&bench.path("out/reduce_retried")), ["line of 0\t", "line of 1\t"]);
        assert_eq!(job.counter("Job Counters ", "Launched reduce tasks"), Some(2));
    }),
    Case::more(FAILURES, "a debug script's words are in the diagnostics", |bench| {
        let job = bench.debugged().job(bench);
        let text = job.diagnostics(&job.attempt(TaskKind::Map, 0, 0));
        assert!(text.contains("looked-at 4"), "{text}");
        assert!(text.contains("last-words"), "{text}");
    }),
    Case::more(CHILDREN, "a child may run several maps of a job", |bench: &Bench| {
        assert_eq!(bench.reused().run.code, Some(0));
        let lines = output_lines(&bench.path("out/reused"));
        assert_eq!(lines.len(), 8);
        let children: BTreeSet<String> = lines.into_iter().collect();
        // Six slots: two of the eight maps found a child that was there.
        assert!(children.len() <= 6, "{children:?}");
    }),
];
