//! A job that stands still while people look at it, change its priority, kill and fail its attempts; and one of whose
//! map outputs is lost before the reduce comes for it.

use howdah_tests::harness::Run;
use types::{CompletionStatus, JobId, JobPriority, TaskAttemptId, TaskKind, TipStatus};

use wire::mapred::job_submission::GetJobsFromQueue;

use crate::bench::Bench;
use crate::files::{await_some, files_below};
use crate::job::Job;
use crate::scenes::{Gates, Ran, stream, write_lines};

pub(crate) struct Gated {
    pub(crate) ran: Ran,
    /// `hadoop job -list`, `-status`, `-list-attempt-ids` while both maps ran.
    pub(crate) list: Run,
    pub(crate) status: Run,
    pub(crate) attempt_ids: Run,
    /// The jobs of the default queue meanwhile.
    pub(crate) in_queue: Vec<JobId>,
    pub(crate) set_priority: Run,
    pub(crate) priority: JobPriority,
    /// `hadoop job -kill-task` of map 0 and `-fail-task` of map 1.
    pub(crate) kill_task: Run,
    pub(crate) fail_task: Run,
    pub(crate) kill_task_again: Run,
    pub(crate) killed: CompletionStatus,
    pub(crate) failed: CompletionStatus,
    /// What the reduce was while one of the two maps still ran.
    pub(crate) reduce_before: TipStatus,
    /// The attempt whose output was lost.
    pub(crate) lost: TaskAttemptId,
}

pub(super) fn play(bench: &Bench) -> Gated {
    let gates = Gates::new(bench, "gated");
    let mapper = gates.command("map");
    let input = write_lines(bench, "gated", 2);
    let properties = ["mapred.reduce.tasks=1", "mapred.reduce.slowstart.completed.maps=1.0"];
    std::thread::scope(|scope| {
        let client =
            scope.spawn(|| stream(bench, "gated", &input, &properties, &["-mapper", &mapper, "-reducer", "cat"]));
        let job = Job::await_named(bench, "gated");
        let id = job.id.to_string();
        let first = [0, 1].map(|task| job.attempt(TaskKind::Map, task, 0));
        for attempt in &first {
            job.await_child(attempt);
        }
        let list = bench.job(&["-list"]);
        let status = bench.job(&["-status", &id]);
        let attempt_ids = bench.job(&["-list-attempt-ids", &id, "map", "running"]);
        let in_queue = bench.rpc().call(&GetJobsFromQueue { queue: "default".to_owned() }).expect("jobs");
        let in_queue = in_queue.into_iter().map(|status| status.job).collect();
        let set_priority = bench.job(&["-set-priority", &id, "HIGH"]);
        let priority = job.status().priority;
        let kill_task = bench.job(&["-kill-task", &first[0].to_string()]);
        let fail_task = bench.job(&["-fail-task", &first[1].to_string()]);
        let killed = job.await_outcome(&first[0]);
        let failed = job.await_outcome(&first[1]);
        let kill_task_again = bench.job(&["-kill-task", &first[0].to_string()]);
        let lost = job.attempt(TaskKind::Map, 0, 1);
        job.await_child(&lost);
        gates.open("map-0");
        assert_eq!(job.await_outcome(&lost), CompletionStatus::Succeeded);
        remove_output(bench, &lost);
        let reduce_before = job.reports(TaskKind::Reduce)[0].status;
        gates.open("map-1");
        job.await_end();
        let run = client.join().expect("the client");
        let ran = Ran { run, id: job.id };
        Gated {
            ran,
            list,
            status,
            attempt_ids,
            in_queue,
            set_priority,
            priority,
            kill_task,
            fail_task,
            kill_task_again,
            killed,
            failed,
            reduce_before,
            lost,
        }
    })
}

/// Removes a map's output where its TaskTracker keeps it.
fn remove_output(bench: &Bench, attempt: &TaskAttemptId) {
    let end = format!("{attempt}/output/file.out");
    let output = await_some(&format!("{end} is there"), || {
        let mut files = bench.tracker_dirs().into_iter().flat_map(|dir| files_below(&dir));
        files.find(|path| path.ends_with(&end))
    });
    std::fs::remove_file(&output).unwrap_or_else(|error| panic!("{}: {error}", output.display()));
}
