//! A job one of whose TaskTrackers dies with the outputs of finished maps.

use nix::sys::signal::Signal;
use types::{JobState, TaskAttemptId, TaskKind, TipStatus};

use crate::bench::Bench;
use crate::files::{await_that, output_lines};
use crate::job::Job;
use crate::scenes::{Gates, Ran, stream, write_lines};

pub(crate) struct Lost {
    pub(crate) ran: Ran,
    pub(crate) state: JobState,
    /// Finished maps whose outputs the dead TaskTracker had.
    pub(crate) attempts: Vec<TaskAttemptId>,
    pub(crate) output: Vec<String>,
}

const MAPS: usize = 4;

pub(super) fn play(bench: &Bench) -> Lost {
    let gates = Gates::new(bench, "lost");
    let reducer = gates.command("reduce");
    let input = write_lines(bench, "lost", MAPS);
    std::thread::scope(|scope| {
        let client = scope.spawn(|| {
            stream(bench, "lost", &input, &["mapred.reduce.tasks=1"], &["-mapper", "cat", "-reducer", &reducer])
        });
        let job = Job::await_named(bench, "lost");
        await_that("the maps are done", || {
            assert!(!job.status().state.is_complete(), "the job ended before its time");
            let maps = job.reports(TaskKind::Map);
            maps.len() == MAPS && maps.iter().all(|report| report.status == TipStatus::Complete)
        });
        await_that("the reduce runs", || job.reports(TaskKind::Reduce)[0].status == TipStatus::Running);
        let is_map = |attempt: &TaskAttemptId| attempt.kind().is_map() && attempt.task.number < MAPS as i32;
        let events = job.events();
        let first = events.iter().find(|event| is_map(&event.attempt)).expect("a map's event");
        let home = first.tracker_http.clone();
        let attempts: Vec<TaskAttemptId> = events
            .iter()
            .filter(|event| event.tracker_http == home && is_map(&event.attempt))
            .map(|event| event.attempt.clone())
            .collect();
        let victim = bench.cluster.tracker_at(home.as_deref().expect("a tracker's address"));
        bench.cluster.tasktrackers[victim].signal(Signal::SIGKILL);
        await_that("the tracker is lost", || bench.cluster.active_trackers() == Some(1));
        gates.open("reduce-0");
        let state = job.await_end();
        let run = client.join().expect("the client");
        Lost { ran: Ran { run, id: job.id }, state, attempts, output: output_lines(&bench.path("out/lost")) }
    })
}
