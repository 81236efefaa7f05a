//! A job on a cluster, asked by direct calls.

use howdah_tests::harness::CounterMap;
use rpc::CallError;
use types::{
    CompletionStatus, JobId, JobProfile, JobState, JobStatus, RemoteException, TaskAttemptId, TaskCompletionEvent,
    TaskKind, TaskReport,
};
use wire::mapred::job_submission::{
    GetAllJobs, GetJobProfile, GetJobStatus, GetMapTaskReports, GetReduceTaskReports, GetTaskCompletionEvents,
    GetTaskDiagnostics,
};

use crate::bench::{Bench, shown};
use crate::files::{await_some, await_that, processes};
use crate::scenes::client_log;

/// A job that the JobTracker knows.
#[derive(Clone)]
pub(crate) struct Job<'a> {
    pub(crate) bench: &'a Bench,
    pub(crate) id: JobId,
}

impl<'a> Job<'a> {
    /// Waits until a job of that name was submitted.
    pub(crate) fn await_named(bench: &'a Bench, name: &str) -> Job<'a> {
        let id = await_some(&format!("the job {name} was submitted"), || {
            let ended = std::fs::read_to_string(client_log(bench, name));
            assert!(ended.is_err(), "the client of {name} ended: {}", ended.unwrap_or_default());
            let rpc = bench.rpc();
            let jobs = rpc.call(&GetAllJobs {}).ok()?;
            jobs.into_iter().map(|status| status.job).find(|job| {
                let profile = rpc.call(&GetJobProfile { job: job.clone() });
                profile.ok().flatten().is_some_and(|profile| profile.name == name)
            })
        });
        Job { bench, id }
    }

    pub(crate) fn status(&self) -> JobStatus {
        let status = self.bench.rpc().call(&GetJobStatus { job: self.id.clone() });
        status.expect("the JobTracker answers").expect("a job that was submitted")
    }

    pub(crate) fn profile(&self) -> JobProfile {
        let profile = self.bench.rpc().call(&GetJobProfile { job: self.id.clone() });
        profile.expect("the JobTracker answers").expect("a job that was submitted")
    }

    pub(crate) fn await_end(&self) -> JobState {
        await_that(&format!("{} ends", self.id), || self.status().state.is_complete());
        self.status().state
    }

    pub(crate) fn reports(&self, kind: TaskKind) -> Vec<TaskReport> {
        let (rpc, job) = (self.bench.rpc(), self.id.clone());
        let reports = match kind {
            TaskKind::Map => rpc.call(&GetMapTaskReports { job }),
            TaskKind::Reduce => rpc.call(&GetReduceTaskReports { job }),
        };
        reports.expect("reports")
    }

    pub(crate) fn events(&self) -> Vec<TaskCompletionEvent> {
        let call = GetTaskCompletionEvents { job: self.id.clone(), from: 0, max: 10_000 };
        self.bench.rpc().call(&call).expect("events")
    }

    /// What became of an attempt, by its last event.
    pub(crate) fn outcome(&self, attempt: &TaskAttemptId) -> Option<CompletionStatus> {
        self.events().into_iter().rev().find(|event| event.attempt == *attempt).map(|event| event.status)
    }

    pub(crate) fn await_outcome(&self, attempt: &TaskAttemptId) -> CompletionStatus {
        await_some(&format!("{attempt} ends"), || {
            let state = self.status().state;
            let outcome = self.outcome(attempt);
            assert!(outcome.is_some() || !state.is_complete(), "{} is {state:?} and {attempt} has no event", self.id);
            outcome
        })
    }

    pub(crate) fn attempt(&self, kind: TaskKind, task: i32, number: i32) -> TaskAttemptId {
        self.id.task(kind, task).attempt(number)
    }

    pub(crate) fn diagnostics(&self, attempt: &TaskAttemptId) -> String {
        let lines = self.bench.rpc().call(&GetTaskDiagnostics { attempt: attempt.clone() }).expect("diagnostics");
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn counters(&self) -> CounterMap {
        self.bench.cluster.counters(&self.id.to_string())
    }

    /// A counter under the names that people see.
    pub(crate) fn counter(&self, group: &str, name: &str) -> Option<i64> {
        self.counters().get(&(group.to_owned(), name.to_owned())).copied()
    }

    /// Waits until an attempt is reported as running and its child is there.
    pub(crate) fn await_child(&self, attempt: &TaskAttemptId) {
        await_that(&format!("{attempt} runs"), || {
            let state = self.status().state;
            assert!(!state.is_complete(), "{} is {state:?} before {attempt} ran", self.id);
            let reports = self.reports(attempt.kind());
            reports.iter().any(|report| report.running.contains(attempt)) && !self.children(attempt).is_empty()
        });
    }

    /// The processes of an attempt.
    pub(crate) fn children(&self, attempt: &TaskAttemptId) -> Vec<nix::unistd::Pid> {
        processes(&[&shown(self.bench.cluster.dir()), &attempt.to_string()])
    }
}

/// The error that the server answered with; anything else is a failure.
pub(crate) fn refusal<T: std::fmt::Debug>(answer: Result<T, CallError>) -> RemoteException {
    let error = answer.expect_err("the call should be refused");
    error.remote().unwrap_or_else(|| panic!("not refused by the server: {error}")).clone()
}
