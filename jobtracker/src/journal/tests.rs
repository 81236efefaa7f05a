//! What is kept is found again, whatever a crash leaves of it.

use std::collections::BTreeMap;

use jobtracker_core::{
    ClusterRecord, HostFaults, JobChange, JobRecord, Notification, Record, SkipSettings, SplitWithRacks, Submission,
    TaskPlace, TrackerPlace, Workflow,
};
use types::{
    AccessControlList, Counters, JobAcl, JobId, JobPriority, ReduceProgress, SplitMeta, TaskKind, TaskState, TaskStatus,
};

use super::{Found, JOURNAL, Journal, TokenState};

fn job() -> JobId {
    JobId::new("201301010000", 7)
}

/// A submission that has nothing of a default.
fn submission() -> Submission {
    Submission {
        user_name: Some("ann".into()),
        name: "a job".into(),
        url: "http://h/".into(),
        queue: "q".into(),
        pool: "p".into(),
        priority: JobPriority::VeryLow,
        map_attempts_max: 1,
        reduce_attempts_max: 2,
        locality_wait_factor: 0.5,
        map_failures_percent: 3,
        reduce_failures_percent: 4,
        map_speculation: false,
        reduce_speculation: false,
        slow_start: Some(0.25),
        tracker_failures_max: 5,
        map_memory_mb: 6,
        reduce_memory_mb: 7,
        reduce_input_limit: Some(-1),
        skip: SkipSettings { attempts_to_start: 8, map_records_max: 9, reduce_groups_max: 10 },
        acls: vec![(JobAcl::ModifyJob, AccessControlList::parse("a,b c"))],
        notification: Some(Notification { url: "u".into(), retries: 1, interval_ms: 2, timeout_ms: 3 }),
        workflow: Workflow {
            id: "i".into(),
            name: "n".into(),
            node_name: "o".into(),
            adjacencies: "a".into(),
            tags: "t".into(),
        },
        keep_files: true,
        cancel_tokens: false,
        setup_and_cleanup: false,
        restart_recover: false,
        recovered: true,
        ..Submission::new(job(), "ann", 11, 12)
    }
}

fn status(kind: TaskKind) -> TaskStatus {
    let mut counters = Counters::new();
    counters.increment("g", "n", -3);
    TaskStatus {
        state: TaskState::Succeeded,
        progress: 0.5,
        diagnostics: "é\n".into(),
        finish_time: 9,
        counters: Some(counters),
        reduce: (kind == TaskKind::Reduce).then(|| ReduceProgress { shuffle_finish: 1, ..ReduceProgress::default() }),
        ..TaskStatus::unassigned(job().task(kind, 3).attempt(1), 2)
    }
}

/// One of each kind.
fn changes() -> Vec<JobChange> {
    use JobChange as C;
    let place = || TrackerPlace { name: "t".into(), host: "h".into(), rack: "/r".into(), http_port: -1 };
    let task = TaskPlace { kind: TaskKind::Map, number: 3 };
    let split = SplitMeta { locations: vec!["a".into(), "b".into()], start_offset: 5, input_length: i64::MAX };
    vec![
        C::Submitted(Box::new(submission())),
        C::Inited(vec![SplitWithRacks { split, racks: vec!["/r1".into(), "/r2".into()] }, SplitWithRacks::default()]),
        C::Launched { task, tracker: place(), cluster_size: 9 },
        C::CleanupLaunched { task: TaskPlace { kind: TaskKind::Reduce, ..task }, number: 2, tracker: place() },
        C::Reported { status: Box::new(status(TaskKind::Map)), safe_mode: true, cluster_size: 0 },
        C::Ended { status: Box::new(status(TaskKind::Reduce)), safe_mode: false, cluster_size: 3 },
        C::Lost { task, number: 0, reason: "gone".into() },
        C::HostPenalized { host: "h".into(), cluster_size: 4 },
        C::KillWished { task, number: 1, fail: true },
        C::Priority(JobPriority::High),
        C::Failed("why".into()),
        C::Killed,
    ]
}

fn cluster_records() -> Vec<ClusterRecord> {
    let place = TrackerPlace { name: "t".into(), host: "h".into(), rack: "/r".into(), http_port: 1 };
    let (unhealthy, graylisted) = (Some("ERROR".to_owned()), None);
    vec![
        ClusterRecord::Tracker { place, map_slots: 2, reduce_slots: 3 },
        ClusterRecord::TrackerGone { name: "u".into() },
        ClusterRecord::Faults(HostFaults { host: "h".into(), buckets: vec![0, 2], rotated: 7, unhealthy, graylisted }),
        ClusterRecord::NoFaults { host: "i".into() },
    ]
}

fn tokens() -> TokenState {
    TokenState {
        job_token_key: vec![1; 20],
        key: vec![2; 20],
        last_number: 5,
        expiry: BTreeMap::from([(3, 30), (5, 50)]),
    }
}

/// A system directory with a journal of everything.
fn directory() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(job().to_string())).unwrap();
    let journal = Journal::new(dir.path().to_owned());
    journal.begin(4, cluster_records(), &tokens()).unwrap();
    journal.begin_job(&submission()).unwrap();
    let at = |change| Record::Job(JobRecord { job: job(), at: 77, change });
    journal.keep(changes().into_iter().map(at).collect());
    journal.keep_token(6, 60);
    journal.drop_token(3);
    journal.close_job(&job());
    dir
}

#[test]
fn what_was_kept_is_found() {
    let dir = directory();
    let found = Found::read(dir.path(), Some(4)).unwrap();
    assert_eq!(found.cluster, cluster_records());
    let expiry = BTreeMap::from([(5, 50), (6, 60)]);
    assert_eq!(found.tokens, Some(TokenState { last_number: 6, expiry, ..tokens() }));
    let [job] = found.jobs.as_slice() else { panic!("one job") };
    assert_eq!((job.closed, job.notified), (true, false));
    let kept: Vec<JobChange> = job.records.iter().skip(1).map(|record| record.change.clone()).collect();
    assert_eq!(kept, changes());
    assert!(job.records.iter().skip(1).all(|record| record.at == 77));
    assert_eq!(job.records[0].change, changes()[0]);
}

#[test]
fn wherever_a_journal_is_cut_its_whole_records_count_and_the_rest_is_kept_aside() {
    let dir = directory();
    let path = dir.path().join(job().to_string()).join(JOURNAL);
    let whole = std::fs::read(&path).unwrap();
    let all = Found::read(dir.path(), Some(4)).unwrap().jobs.remove(0).records;
    let mut lengths = Vec::new();
    for end in 0..whole.len() {
        std::fs::write(&path, &whole[..end]).unwrap();
        let found = Found::read(dir.path(), Some(4)).unwrap();
        let records = found.jobs.first().map_or(&[][..], |job| &job.records);
        assert_eq!(records, &all[..records.len()], "cut at {end}");
        lengths.push(records.len());
        for entry in std::fs::read_dir(path.parent().unwrap()).unwrap() {
            let entry = entry.unwrap().path();
            let kept = std::fs::read(&entry).unwrap();
            assert!(whole[..end].ends_with(&kept) || whole[..end].starts_with(&kept), "{}", entry.display());
            std::fs::remove_file(entry).unwrap();
        }
    }
    assert!(lengths.is_sorted() && lengths.last() == Some(&all.len()), "{lengths:?}");
}

#[test]
fn a_changed_byte_ends_the_journal_there() {
    let dir = directory();
    let path = dir.path().join(job().to_string()).join(JOURNAL);
    let mut bytes = std::fs::read(&path).unwrap();
    let all = Found::read(dir.path(), Some(4)).unwrap().jobs.remove(0).records;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    std::fs::write(&path, &bytes).unwrap();
    let records = Found::read(dir.path(), Some(4)).unwrap().jobs.remove(0).records;
    assert!(!records.is_empty() && records.len() < all.len() && all.starts_with(&records));
    assert!(path.with_file_name("journal.bad.1").exists());
}

#[test]
fn a_journal_that_hadoop_has_run_without_is_set_aside() {
    let dir = directory();
    let of_job = dir.path().join(job().to_string());
    for file in ["job-info", "jobToken"] {
        std::fs::write(of_job.join(file), "x").unwrap();
    }
    let found = Found::read(dir.path(), Some(5)).unwrap();
    assert!(found.jobs.is_empty() && found.cluster.is_empty() && found.tokens.is_none());
    assert_eq!(found.unjournaled, [job()]);
    assert!(of_job.join("journal.aside").exists() && !of_job.join(JOURNAL).exists());
}

#[test]
fn the_cluster_s_journal_stays_short() {
    let dir = directory();
    let journal = Journal::new(dir.path().to_owned());
    journal.begin(0, cluster_records(), &tokens()).unwrap();
    let record = cluster_records().remove(0);
    for _ in 0..60 {
        journal.keep(vec![Record::Cluster(record.clone()); 1000]);
        journal.shrink(cluster_records, &tokens());
    }
    assert!(std::fs::metadata(dir.path().join(JOURNAL)).unwrap().len() < 2 << 20);
    assert_eq!(Found::read(dir.path(), Some(0)).unwrap().tokens, Some(tokens()));
}
