//! What becomes of a job when something is killed: the same on Hadoop's daemons and on ours.

use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Daemon, Install, Make, Run, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use types::{CompletionStatus, JobId, JobState, TaskAttemptId, TaskKind};
use wire::mapred::job_submission::{
    GetAllJobs, GetJobStatus, GetMapTaskReports, GetReduceTaskReports, GetTaskCompletionEvents, GetTaskDiagnostics,
};

const DEADLINE: Duration = Duration::from_secs(240);

/// A cluster of one make and the sleep job that runs on it.
struct Scene {
    cluster: Cluster,
    client: Daemon,
    job: JobId,
}

impl Scene {
    fn start(make: Make, trackers: usize, sleep_args: &[&str]) -> Scene {
        let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
        let options = ClusterOptions::of(make).trackers(trackers).set("mapred.tasktracker.expiry.interval", "6000");
        let cluster = Cluster::start(&install, &options);
        let mut args = vec!["sleep"];
        args.extend(sleep_args);
        let client = cluster.java_jar_in_background("hadoop-examples", &args, "client.log");
        let mut job = None;
        await_that("a job was submitted", || {
            let rpc = cluster.rpc_client();
            job = rpc.call(&GetAllJobs {}).ok().and_then(|jobs| jobs.first().map(|status| status.job.clone()));
            job.is_some()
        });
        Scene { cluster, client, job: job.expect("awaited") }
    }

    fn running(&self, kind: TaskKind) -> Option<TaskAttemptId> {
        let rpc = self.cluster.rpc_client();
        let job = self.job.clone();
        let reports = match kind {
            TaskKind::Map => rpc.call(&GetMapTaskReports { job }),
            TaskKind::Reduce => rpc.call(&GetReduceTaskReports { job }),
        };
        reports.ok()?.into_iter().find_map(|report| report.running.into_iter().next())
    }

    fn await_child(&self, kind: TaskKind) -> (TaskAttemptId, Pid) {
        let mut found = None;
        await_that("a child runs", || {
            found = self.running(kind).and_then(|attempt| Some((attempt.clone(), self.cluster.child_of(&attempt)?)));
            found.is_some()
        });
        found.expect("awaited")
    }

    fn state(&self) -> JobState {
        let status = self.cluster.rpc_client().call(&GetJobStatus { job: self.job.clone() });
        status.expect("the JobTracker answers").expect("a job that was submitted").state
    }

    fn await_end(&self) -> JobState {
        await_that("the job ends", || self.state().is_complete());
        self.state()
    }

    fn event_of(&self, attempt: &TaskAttemptId) -> Option<CompletionStatus> {
        let call = GetTaskCompletionEvents { job: self.job.clone(), from: 0, max: 1000 };
        let events = self.cluster.rpc_client().call(&call).expect("events");
        events.into_iter().find(|event| event.attempt == *attempt).map(|event| event.status)
    }

    fn diagnostics(&self, attempt: &TaskAttemptId) -> String {
        let call = GetTaskDiagnostics { attempt: attempt.clone() };
        let lines = self.cluster.rpc_client().call(&call).expect("diagnostics");
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

fn await_that(what: &str, condition: impl FnMut() -> bool) {
    assert!(wait_until(DEADLINE, condition), "not within {DEADLINE:?}: {what}");
}

fn both(test: impl Fn(Make)) {
    for make in [Make::Hadoop, Make::Howdah] {
        println!("{make:?}");
        test(make);
    }
}

#[test]
fn a_killed_child_costs_one_attempt() {
    both(|make| {
        let mut scene = Scene::start(make, 1, &["-m", "1", "-r", "1", "-mt", "6000", "-rt", "1"]);
        let (attempt, child) = scene.await_child(TaskKind::Map);
        kill(child, Signal::SIGKILL).expect("the child is ours");
        assert_eq!(scene.await_end(), JobState::Succeeded);
        assert_eq!(scene.event_of(&attempt), Some(CompletionStatus::Failed));
        let diagnostics = scene.diagnostics(&attempt);
        assert!(diagnostics.contains("Task process exit with nonzero status of 137"), "{diagnostics}");
        let second = attempt.task.attempt(1);
        assert_eq!(scene.event_of(&second), Some(CompletionStatus::Succeeded));
        await_that("the client ends", || !scene.client.is_running());
        assert!(scene.client.log().contains(&format!("Task Id : {attempt}, Status : FAILED")));
    });
}

#[test]
fn a_killed_tasktracker_is_lost_and_its_maps_run_again() {
    both(|make| {
        let mut scene = Scene::start(make, 2, &["-m", "4", "-r", "1", "-mt", "1000", "-rt", "12000"]);
        // The maps are done and the reduce sleeps: the other tracker holds outputs that the job may need again.
        await_that("the reduce runs", || {
            scene.running(TaskKind::Reduce).and_then(|attempt| scene.cluster.child_of(&attempt)).is_some()
        });
        await_that("the maps are done", || {
            let status = scene.cluster.rpc_client().call(&GetJobStatus { job: scene.job.clone() });
            status.is_ok_and(|status| status.is_some_and(|status| status.map_progress >= 1.0))
        });
        scene.cluster.tasktrackers[0].kill();
        assert_eq!(scene.await_end(), JobState::Succeeded);
        let call = GetTaskCompletionEvents { job: scene.job.clone(), from: 0, max: 1000 };
        let events = scene.cluster.rpc_client().call(&call).expect("events");
        let lost: Vec<_> = events.iter().filter(|event| event.status == CompletionStatus::Killed).collect();
        assert!(!lost.is_empty(), "no attempt was lost with its tracker: {events:#?}");
        for event in lost {
            let diagnostics = scene.diagnostics(&event.attempt);
            assert!(diagnostics.contains("Lost task tracker"), "{}: {diagnostics}", event.attempt);
        }
        assert!(!events.iter().any(|event| event.status == CompletionStatus::Failed), "{events:#?}");
    });
}

#[test]
fn an_attempt_killed_by_command_runs_again() {
    both(|make| {
        let scene = Scene::start(make, 1, &["-m", "1", "-r", "1", "-mt", "6000", "-rt", "1"]);
        let (attempt, _) = scene.await_child(TaskKind::Map);
        let run = job_command(&scene, &["-kill-task", &attempt.to_string()]);
        assert_eq!((run.code, run.stdout.trim_end()), (Some(0), format!("Killed task {attempt}").as_str()), "{run:#?}");
        assert_eq!(scene.await_end(), JobState::Succeeded);
        assert_eq!(scene.event_of(&attempt), Some(CompletionStatus::Killed));
        assert_eq!(scene.event_of(&attempt.task.attempt(1)), Some(CompletionStatus::Succeeded));
    });
}

#[test]
fn an_attempt_failed_by_command_counts() {
    both(|make| {
        let scene = Scene::start(make, 1, &["-m", "1", "-r", "1", "-mt", "6000", "-rt", "1"]);
        let (attempt, _) = scene.await_child(TaskKind::Map);
        let run = job_command(&scene, &["-fail-task", &attempt.to_string()]);
        assert_eq!(run.code, Some(0), "{run:#?}");
        assert_eq!(scene.await_end(), JobState::Succeeded);
        assert_eq!(scene.event_of(&attempt), Some(CompletionStatus::Failed));
    });
}

#[test]
fn a_job_killed_by_command_ends_killed() {
    both(|make| {
        let mut scene = Scene::start(make, 1, &["-m", "2", "-r", "1", "-mt", "60000", "-rt", "1"]);
        let (_, child) = scene.await_child(TaskKind::Map);
        let run = job_command(&scene, &["-kill", &scene.job.to_string()]);
        assert_eq!(
            (run.code, run.stdout.trim_end()),
            (Some(0), format!("Killed job {}", scene.job).as_str()),
            "{run:#?}"
        );
        assert_eq!(scene.await_end(), JobState::Killed);
        await_that("the child is gone", || kill(child, None).is_err());
        await_that("the client ends", || !scene.client.is_running());
        assert!(scene.client.log().contains("Job complete") || scene.client.log().contains("Job failed"));
    });
}

/// `hadoop job` of the cluster's own make.
fn job_command(scene: &Scene, args: &[&str]) -> Run {
    scene.cluster.java("org.apache.hadoop.mapred.JobClient", args)
}
