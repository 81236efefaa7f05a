//! A TaskTracker that dies. These cases come last: they cost the cluster one.

use types::{CompletionStatus, JobState};

use crate::case::Case;

const GROUP: &str = "lost tracker";

pub(super) const CASES: &[Case] = &[
    Case::core(GROUP, "a job outlives a TaskTracker", |bench| {
        let scene = bench.lost();
        assert_eq!(scene.state, JobState::Succeeded);
        assert_eq!(scene.ran.run.code, Some(0), "{:#?}", scene.ran.run);
        assert_eq!(scene.output, ["line of 0\t", "line of 1\t", "line of 2\t", "line of 3\t"]);
    }),
    Case::core(GROUP, "finished maps of a lost TaskTracker are killed and run again", |bench| {
        let scene = bench.lost();
        let job = scene.ran.job(bench);
        let events = job.events();
        for attempt in &scene.attempts {
            assert_eq!(job.outcome(attempt), Some(CompletionStatus::Killed), "{attempt}: {events:#?}");
            assert_eq!(job.outcome(&attempt.task.attempt(1)), Some(CompletionStatus::Succeeded), "{events:#?}");
        }
    }),
    Case::core(GROUP, "attempts of a lost TaskTracker say so", |bench| {
        let scene = bench.lost();
        for attempt in &scene.attempts {
            let text = scene.ran.job(bench).diagnostics(attempt);
            assert!(text.contains("Lost task tracker: tracker_"), "{attempt}: {text}");
        }
    }),
];
