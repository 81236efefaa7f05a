//! Attempts and jobs that fail, and outputs that get lost.

use types::{CompletionStatus, JobState, TaskKind};

use crate::case::Case;
use crate::cell::Part;
use crate::files::output_lines;

const GROUP: &str = "failures";
/// Seen on a loaded machine: the history's ERROR of such an attempt is empty too.
pub(super) const LOST_WORDS: &str = "1.2.1's TaskTracker now and then loses what an attempt said before its cleanup";

pub(super) const CASES: &[Case] = &[
    Case::core(GROUP, "a failed attempt is followed by another", |bench| {
        let ran = &bench.retried().ran;
        let job = ran.job(bench);
        assert_eq!(ran.run.code, Some(0), "{:#?}", ran.run);
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 0)), Some(CompletionStatus::Failed));
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 1)), Some(CompletionStatus::Succeeded));
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 1, 0)), Some(CompletionStatus::Succeeded));
    }),
    Case::core(GROUP, "a failed attempt says why", |bench| {
        let job = bench.retried().ran.job(bench);
        let text = job.diagnostics(&job.attempt(TaskKind::Map, 0, 0));
        assert!(text.contains("subprocess failed with code 3"), "{text}");
    })
    .only_ours(Part::TaskTracker, LOST_WORDS),
    Case::core(GROUP, "the client tells of a failed attempt", |bench| {
        let scene = bench.gated();
        let attempt = scene.ran.job(bench).attempt(TaskKind::Map, 1, 0);
        let text = format!("Task Id : {attempt}, Status : FAILED");
        // Streaming's own client of the old API prints no events.
        let events = scene.ran.job(bench).events();
        assert!(events.iter().any(|event| event.attempt == attempt), "{text}: {events:#?}");
    }),
    Case::core(GROUP, "a job whose map uses up its attempts fails", |bench| {
        let ran = &bench.failed().ran;
        let job = ran.job(bench);
        assert_eq!(job.status().state, JobState::Failed);
        assert_ne!(ran.run.code, Some(0), "{:#?}", ran.run);
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 0)), Some(CompletionStatus::Failed));
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 1)), Some(CompletionStatus::TipFailed));
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 2)), None);
    }),
    Case::core(GROUP, "a failed job's reason is on the console", |bench| {
        let run = &bench.failed().ran.run;
        let reason = "# of failed Map Tasks exceeded allowed limit. FailedCount: 1. LastFailedTask: task_";
        assert!(run.stderr.contains(reason), "{run:#?}");
        let status = bench.failed().ran.job(bench).status();
        assert!(status.failure_info.contains(reason), "{status:#?}");
    }),
    Case::core(GROUP, "a map whose output is lost runs again", |bench| {
        let scene = bench.gated();
        let job = scene.ran.job(bench);
        assert_eq!(scene.ran.run.code, Some(0), "{:#?}", scene.ran.run);
        let events = job.events();
        let of = |attempt: &types::TaskAttemptId| -> Vec<CompletionStatus> {
            events.iter().filter(|event| event.attempt == *attempt).map(|event| event.status).collect()
        };
        let lost = of(&scene.lost);
        assert!(lost.contains(&CompletionStatus::Obsolete) && lost.contains(&CompletionStatus::Failed), "{events:#?}");
        assert_eq!(of(&scene.lost.task.attempt(2)), [CompletionStatus::Succeeded], "{events:#?}");
        let text = job.diagnostics(&scene.lost);
        assert!(text.contains("Map output lost"), "{text}");
    }),
    Case::core(GROUP, "the output of a job that lost a map's output is whole", |bench| {
        let _ = bench.gated();
        assert_eq!(output_lines(&bench.path("out/gated")), ["line of 0\t", "line of 1\t"]);
    }),
];
