//! A job's life as its events, counters, reports and queries tell it.

use types::{CompletionStatus, JobPriority, JobState, TaskKind, TipStatus};
use wire::mapred::job_submission::{GetCleanupTaskReports, GetSetupTaskReports};

use crate::bench::{Bench, Tool};
use crate::case::Case;

const GROUP: &str = "life cycle";
const FRAMEWORK: &str = "Map-Reduce Framework";
const JOB_COUNTERS: &str = "Job Counters ";

pub(super) const CASES: &[Case] = &[
    Case::core(GROUP, "every task of a job has its completion event", |bench| {
        let events = bench.word_count().ran.job(bench).events();
        for (number, event) in events.iter().enumerate() {
            assert_eq!(event.event_id, number as i32);
            assert_eq!(event.status, CompletionStatus::Succeeded, "{event:?}");
        }
        let maps = events.iter().filter(|event| event.is_map && event.attempt.task.number < 3).count();
        let reduces = events.iter().filter(|event| !event.is_map && event.attempt.task.number < 2).count();
        assert_eq!((maps, reduces), (3, 2), "{events:#?}");
        // Setup and cleanup have theirs too.
        assert_eq!(events.len(), 7, "{events:#?}");
    }),
    Case::core(GROUP, "a setup and a cleanup attempt ran", |bench| {
        let job = bench.word_count().ran.id.clone();
        let setups = bench.rpc().call(&GetSetupTaskReports { job: job.clone() }).expect("reports");
        let cleanups = bench.rpc().call(&GetCleanupTaskReports { job }).expect("reports");
        for reports in [setups, cleanups] {
            assert_eq!(reports.len(), 2, "{reports:#?}");
            let complete = reports.iter().filter(|report| report.status == TipStatus::Complete).count();
            assert_eq!(complete, 1, "{reports:#?}");
        }
    }),
    Case::core(GROUP, "the counters add up", |bench| {
        let scene = bench.word_count();
        let counters = scene.ran.job(bench).counters();
        let counter = |group: &str, name: &str| counters.get(&(group.to_owned(), name.to_owned())).copied();
        let framework = |name| counter(FRAMEWORK, name);
        assert_eq!(framework("Map input records"), Some(scene.lines as i64));
        assert_eq!(framework("Map output records"), Some(scene.words as i64));
        assert_eq!(framework("Combine input records"), Some(scene.words as i64));
        assert_eq!(framework("Reduce input groups"), Some(scene.counts.len() as i64));
        assert_eq!(framework("Reduce output records"), Some(scene.counts.len() as i64));
        assert_eq!(framework("Combine output records"), framework("Reduce input records"));
        assert_eq!(counter(JOB_COUNTERS, "Launched map tasks"), Some(3));
        assert_eq!(counter(JOB_COUNTERS, "Launched reduce tasks"), Some(2));
    }),
    Case::core(GROUP, "the client prints the counters that the JobTracker has", |bench| {
        let scene = bench.word_count();
        // Three groups' names end in a space, which lines do not show.
        let counters = scene.ran.job(bench).counters().into_iter();
        let counters = counters.map(|((group, name), value)| ((group.trim_end().to_owned(), name), value)).collect();
        assert_eq!(scene.ran.run.counters(), [counters]);
    }),
    Case::core(GROUP, "a job's status can be asked for while it runs", |bench| {
        let scene = bench.gated();
        assert_eq!(scene.status.code, Some(0), "{:#?}", scene.status);
        let text = &scene.status.stdout;
        assert!(text.contains(&format!("Job: {}\n", scene.ran.id)), "{text}");
        assert!(text.contains("map() completion: 0.0\n") && text.contains("reduce() completion: 0.0\n"), "{text}");
    }),
    Case::core(GROUP, "running jobs are listed", |bench| {
        let scene = bench.gated();
        let text = &scene.list.stdout;
        assert_eq!(scene.list.code, Some(0), "{:#?}", scene.list);
        assert!(
            text.contains("jobs currently running\n") && text.contains(&format!("{}\t1\t", scene.ran.id)),
            "{text}"
        );
    }),
    Case::core(GROUP, "ended jobs are listed with their states", |bench| {
        let ended = [(&bench.word_count().ran, 2), (&bench.failed().ran, 3), (&bench.killed().ran, 5)];
        let run = bench.job(&["-list", "all"]).expect_success();
        for (ran, state) in ended {
            assert!(run.stdout.contains(&format!("{}\t{state}\t", ran.id)), "{}", run.stdout);
        }
    }),
    Case::core(GROUP, "an attempt that was killed runs again", |bench| {
        let scene = bench.gated();
        let attempt = scene.ran.job(bench).attempt(TaskKind::Map, 0, 0);
        assert_eq!(scene.kill_task.code, Some(0), "{:#?}", scene.kill_task);
        assert_eq!(scene.kill_task.stdout, format!("Killed task {attempt}\n"));
        assert_eq!(scene.killed, CompletionStatus::Killed);
        assert!(scene.ran.job(bench).outcome(&attempt.task.attempt(1)).is_some());
    }),
    Case::core(GROUP, "an attempt that was failed runs again", |bench| {
        let scene = bench.gated();
        let attempt = scene.ran.job(bench).attempt(TaskKind::Map, 1, 0);
        assert_eq!(scene.fail_task.code, Some(0), "{:#?}", scene.fail_task);
        assert_eq!(scene.fail_task.stdout, format!("Killed task {attempt} by failing it\n"));
        assert_eq!(scene.failed, CompletionStatus::Failed);
        assert_eq!(scene.ran.job(bench).outcome(&attempt.task.attempt(1)), Some(CompletionStatus::Succeeded));
    }),
    Case::core(GROUP, "a priority can be set", |bench| {
        let scene = bench.gated();
        assert_eq!(scene.set_priority.code, Some(0), "{:#?}", scene.set_priority);
        assert_eq!(scene.priority, JobPriority::High);
    }),
    Case::core(GROUP, "reduces wait for the share of maps that a job asks for", |bench| {
        assert_eq!(bench.gated().reduce_before, TipStatus::Pending);
    }),
    Case::core(GROUP, "a killed job ends as killed", |bench| {
        let scene = bench.killed();
        assert_eq!(scene.kill.code, Some(0), "{:#?}", scene.kill);
        assert_eq!(scene.kill.stdout, format!("Killed job {}\n", scene.ran.id));
        assert_eq!(scene.state, JobState::Killed);
        assert_ne!(scene.ran.run.code, Some(0), "{:#?}", scene.ran.run);
    }),
    Case::core(GROUP, "a killed job's children are gone", |bench| {
        let job = bench.killed().ran.job(bench);
        for task in 0..2 {
            let attempt = job.attempt(TaskKind::Map, task, 0);
            crate::files::await_that(&format!("{attempt} has no process"), || job.children(&attempt).is_empty());
        }
    }),
    Case::core(GROUP, "a counter can be asked for by its names", |bench| {
        let scene = bench.word_count();
        let args =
            ["-counter", &scene.ran.id.to_string(), "org.apache.hadoop.mapred.Task$Counter", "MAP_INPUT_RECORDS"];
        let run = bench.job(&args);
        assert_eq!((run.code, run.stdout.trim()), (Some(0), scene.lines.to_string().as_str()), "{run:#?}");
    }),
    Case::core(GROUP, "a job's events can be asked for", |bench| {
        let scene = bench.word_count();
        let run = bench.job(&["-events", &scene.ran.id.to_string(), "0", "100"]).expect_success();
        assert!(run.stdout.starts_with("Task completion events for job_"), "{}", run.stdout);
        assert_eq!(
            run.stdout.lines().filter(|line| line.starts_with("SUCCEEDED attempt_")).count(),
            7,
            "{}",
            run.stdout
        );
    }),
    Case::more(GROUP, "running attempts are listed by their ids", |bench| {
        let scene = bench.gated();
        let job = scene.ran.job(bench);
        let attempts = [0, 1].map(|task| job.attempt(TaskKind::Map, task, 0).to_string());
        let mut lines: Vec<&str> = scene.attempt_ids.stdout.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, attempts, "{:#?}", scene.attempt_ids);
        // A quirk that scripts have learned to live with.
        assert_eq!(scene.attempt_ids.code, Some(255));
    }),
    Case::more(GROUP, "an attempt that has ended cannot be killed", |bench| {
        let run = &bench.gated().kill_task_again;
        assert_eq!(run.code, Some(255), "{run:#?}");
        assert!(run.stdout.starts_with("Could not kill task attempt_"), "{run:#?}");
    }),
    Case::more(GROUP, "safe mode can be asked for", |bench| {
        let run = bench.hadoop(Tool::MrAdmin, &["-safemode", "get"]).expect_success();
        assert_eq!(run.stdout, "Safe mode is OFF\n");
    }),
    Case::core(GROUP, "the queues are listed", |bench: &Bench| {
        let run = bench.hadoop(Tool::Queue, &["-list"]).expect_success();
        assert!(run.stdout.contains("Queue Name : default"), "{}", run.stdout);
    }),
];
