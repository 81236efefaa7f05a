//! What few jobs and sites ask for: bad records skipped, profiles, slow attempts overtaken, Pipes, guarded queues and jobs, health
//! scripts.

use types::{CompletionStatus, ExceptionKind, JobPriority, TaskKind};
use wire::mapred::job_submission::{GetJobCounters, GetQueueAclsForCurrentUser, GetQueues, KillJob, SetJobPriority};

use crate::bench::Bench;
use crate::case::Case;
use crate::files::{await_that, files_below, output_lines};
use crate::job::refusal;
use crate::scenes::guarded::{FRIEND, OWNER, client, submit};
use crate::scenes::rarer::OVERTAKEN_LINES;

const SKIPPING: &str = "skipping";
const PROFILING: &str = "profiling";
const SPECULATION: &str = "speculation";
const PIPES: &str = "pipes";
const GUARDED: &str = "queues and access lists";
const HEALTH: &str = "cluster blacklist";

pub(super) const CASES: &[Case] = &[
    Case::more(SKIPPING, "a record that kills its map is left out in the end", |bench| {
        let ran = bench.skipped();
        assert_eq!(ran.run.code, Some(0), "{:#?}", ran.run);
        assert_eq!(output_lines(&bench.path("out/skipped")), ["one\t", "two\t", "four\t", "five\t"]);
    }),
    Case::more(SKIPPING, "what was left out is counted", |bench| {
        let job = bench.skipped().job(bench);
        assert_eq!(job.counter("Map-Reduce Framework", "Map skipped records"), Some(1), "{:?}", job.counters());
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 0)), Some(CompletionStatus::Failed));
    }),
    Case::more(PROFILING, "the attempts that are named are profiled, and no other", |bench: &Bench| {
        let job = bench.profiled().job(bench);
        let folder = job.id.to_string();
        // The log folder has a link to where an attempt's logs are.
        let dirs = bench.tracker_logs().into_iter().chain(bench.tracker_dirs());
        let logs: Vec<_> = dirs.flat_map(|dir| files_below(&dir)).collect();
        let profiles: Vec<_> = logs
            .iter()
            .map(|path| path.display().to_string())
            .filter(|path| path.contains(&folder) && path.ends_with("/profile.out"))
            .collect();
        assert!(!profiles.is_empty(), "no profile of {folder}");
        let first = job.attempt(TaskKind::Map, 0, 0).to_string();
        assert!(profiles.iter().all(|path| path.contains(&first)), "{profiles:?}");
    }),
    Case::more(SPECULATION, "a map that lags behind for a minute is run a second time", |bench| {
        let ran = bench.overtaken();
        let job = ran.job(bench);
        assert_eq!(ran.run.code, Some(0), "{:#?}", ran.run);
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 0, 1)), Some(CompletionStatus::Succeeded));
        // A launch that takes too long counts too.
        let launched = job.counter("Job Counters ", "Launched map tasks");
        assert!(launched >= Some(4), "{launched:?}");
    }),
    Case::more(SPECULATION, "the attempt that was overtaken is killed and leaves nothing", |bench| {
        let job = bench.overtaken().job(bench);
        let first = job.attempt(TaskKind::Map, 0, 0);
        assert_ne!(job.outcome(&first), Some(CompletionStatus::Succeeded));
        await_that("its processes are gone", || job.children(&first).is_empty());
        assert_eq!(job.outcome(&job.attempt(TaskKind::Map, 1, 1)), None, "nothing else was slow");
        assert_eq!(output_lines(&bench.path("out/overtaken")).len(), OVERTAKEN_LINES + 2);
    }),
    Case::more(PIPES, "a Pipes program maps and reduces", |bench| {
        assert_eq!(bench.piped().run.code, Some(0));
        assert_eq!(output_lines(&bench.path("out/piped")), ["a\t2", "b\t3", "c\t1"]);
    }),
    Case::more(PIPES, "a Pipes program counts", |bench| {
        let job = bench.piped().job(bench);
        assert_eq!(job.counter("PEER", "WORDS"), Some(6), "{:?}", job.counters());
    }),
    Case::more(GUARDED, "a queue that is stopped says so, and takes no job", |bench| {
        let cluster = &bench.guarded().cluster;
        let queues = client(cluster, OWNER).call(&GetQueues {}).expect("queues");
        let state = |name: &str| queues.iter().find(|queue| queue.name == name).map(|queue| queue.state.clone());
        assert_eq!(state("stopped").as_deref(), Some("stopped"));
        assert_eq!(state("guarded").as_deref(), Some("running"));
        let error = refusal(submit(cluster, OWNER, "stopped", &[]));
        assert!(error.message.contains("\"stopped\"") && error.message.contains("not running"), "{error:?}");
    }),
    Case::more(GUARDED, "a queue that does not exist takes no job", |bench| {
        let error = refusal(submit(&bench.guarded().cluster, OWNER, "nowhere", &[]));
        assert!(error.message.contains("nowhere") && error.message.contains("does not exist"), "{error:?}");
    }),
    Case::more(GUARDED, "a queue takes jobs from those on its list alone", |bench| {
        let cluster = &bench.guarded().cluster;
        let error = refusal(submit(cluster, OWNER, "guarded", &[]));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
        assert!(error.message.contains(OWNER) && error.message.contains("guarded"), "{error:?}");
        submit(cluster, FRIEND, "guarded", &[]).expect("it is on the list");
    }),
    Case::more(GUARDED, "users are told what they may do with each queue", |bench| {
        let cluster = &bench.guarded().cluster;
        let may_submit = |user: &str, queue: &str| {
            let acls = client(cluster, user).call(&GetQueueAclsForCurrentUser {}).expect("an answer");
            let own = acls.into_iter().find(|acl| acl.queue == queue);
            own.is_some_and(|acl| acl.operations.iter().any(|operation| operation.as_deref() == Some("acl-submit-job")))
        };
        assert!(may_submit(FRIEND, "guarded") && !may_submit(OWNER, "guarded"));
        assert!(may_submit(OWNER, "default"));
    }),
    Case::more(GUARDED, "a job's counters are for those that it names", |bench| {
        let scene = bench.guarded();
        let ask = |user: &str, job: &types::JobId| {
            client(&scene.cluster, user).call(&GetJobCounters { job: job.clone() }).map(|_| ())
        };
        ask(OWNER, &scene.own).expect("its owner may");
        ask(FRIEND, &scene.shown).expect("it names him");
        let error = refusal(ask(FRIEND, &scene.own));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
    }),
    Case::more(GUARDED, "to look at a job is not to change it", |bench| {
        let scene = bench.guarded();
        let rpc = client(&scene.cluster, FRIEND);
        let error = refusal(rpc.call(&KillJob { job: scene.shown.clone() }));
        assert_eq!(error.kind, ExceptionKind::AccessControl, "{error:?}");
        let call = SetJobPriority { job: scene.shown.clone(), priority: JobPriority::High.name().to_owned() };
        assert_eq!(refusal(rpc.call(&call)).kind, ExceptionKind::AccessControl);
    }),
    Case::more(HEALTH, "a TaskTracker whose health script complains is blacklisted", |bench| {
        let [before, sick, _] = &bench.unhealthy().statuses;
        assert_eq!((before.active_count, before.blacklisted_count), (1, 0));
        assert_eq!((sick.active_count, sick.blacklisted_count), (0, 1));
        assert!(sick.blacklisted.iter().all(|name| name.starts_with("tracker_")), "{sick:?}");
        assert_eq!((sick.map_slots, sick.reduce_slots), (0, 0), "its slots count no more");
    }),
    Case::more(HEALTH, "a TaskTracker that is well again takes part again", |bench| {
        let [before, _, after] = &bench.unhealthy().statuses;
        assert_eq!((after.active_count, after.map_slots), (1, before.map_slots));
    }),
];
