//! What an attempt and a node may use: memory, address space, disks, and whether the node is healthy at all.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};
use wire::mapred::job_submission::GetClusterStatus;

const DEADLINE: Duration = Duration::from_secs(30);

fn cluster(site: &[(&str, &str)]) -> Cluster {
    let options = site.iter().fold(ClusterOptions::of(Make::Howdah), |options, (key, value)| options.set(key, value));
    let cluster = Cluster::start(&Install::without_java(), &options);
    fs::write(cluster.dir().join("text"), "one\n").expect("a text");
    cluster
}

/// Runs a streaming job of one map with that command and without reduces.
fn stream(cluster: &Cluster, mapper: &str, settings: &[&str]) -> howdah_tests::harness::Run {
    let mut args = vec!["streaming", "-D", "mapred.map.tasks=1", "-D", "mapred.reduce.tasks=0"];
    for setting in settings {
        args.extend(["-D", setting]);
    }
    args.extend(["-input", "text", "-output", "out", "-mapper", mapper]);
    cluster.hadoop(&args)
}

/// The processes that work in a directory or below it.
fn processes_below(dir: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
    let there = processes.filter(|process| fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(dir)));
    there.map(|process| process.display().to_string()).collect()
}

#[test]
fn a_tree_of_processes_beyond_its_memory_fails_and_is_gone() {
    let cluster = cluster(&[
        ("mapred.cluster.map.memory.mb", "1024"),
        ("mapred.tasktracker.taskmemorymanager.monitoring-interval", "200"),
    ]);
    // Each takes some megabytes of address space and next to no memory.
    let many = "sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; \
                do sleep 600 & done; done; wait'";
    let run = stream(&cluster, many, &["mapred.job.map.memory.mb=256", "mapred.map.max.attempts=1"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    for text in ["is running beyond memory-limits. Current usage : ", "Limit : 268435456bytes. Killing task."] {
        assert!(run.stderr.contains(text), "{text:?} is not told: {run:#?}");
    }
    let work = cluster.dir().join("tasktracker-0");
    assert!(wait_until(DEADLINE, || processes_below(&work).is_empty()), "{:?} live on", processes_below(&work));
}

#[test]
fn the_address_space_of_a_child_is_what_the_job_says() {
    let cluster = cluster(&[]);
    stream(&cluster, "sh -c 'ulimit -v'", &["mapred.child.ulimit=4000000"]).expect_success();
    assert_eq!(fs::read_to_string(cluster.dir().join("out/part-00000")).expect("the output").trim(), "4000000");
}

/// How many TaskTrackers are blacklisted.
fn blacklisted(cluster: &Cluster) -> Option<i32> {
    let status = cluster.rpc_client().call(&GetClusterStatus { detailed: false }).ok()?;
    Some(status.blacklisted_count)
}

#[test]
fn a_node_that_its_script_finds_ill_gets_no_work_until_it_is_well() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (script, ill) = (dir.path().join("health.sh"), dir.path().join("ill"));
    fs::write(&script, format!("#!/bin/sh\n[ -e {} ] && echo ERROR no fan\nexit 0\n", ill.display()))
        .expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = script.display().to_string();
    let mut cluster =
        cluster(&[("mapred.healthChecker.script.path", path.as_str()), ("mapred.healthChecker.interval", "200")]);
    fs::write(&ill, "").expect("a mark");
    assert!(wait_until(DEADLINE, || blacklisted(&cluster) == Some(1)), "{:?}", cluster.tasktrackers[0].log());
    fs::remove_file(&ill).expect("the mark");
    cluster.await_trackers(1);
    assert_eq!(blacklisted(&cluster), Some(0));
    stream(&cluster, "cat", &[]).expect_success();
}

#[test]
fn of_long_logs_the_end_stays() {
    let cluster = cluster(&[("mapreduce.cluster.map.userlog.retain-size", "100")]);
    let job = stream(&cluster, "sh -c 'seq 1000 >&2; cat'", &[]).expect_success().job_ids().remove(0);
    let attempt = format!("{}_m_000000_0", job.replace("job_", "attempt_"));
    let log = cluster.dir().join("logs-tasktracker-0/userlogs").join(&job).join(attempt).join("stderr");
    let expected = (900..=1000).map(|number| format!("{number}\n")).collect::<String>();
    let expected =
        format!("[ ... this log file was truncated because of excess length]\n{}", &expected[expected.len() - 100..]);
    let mut text = String::new();
    let cut = wait_until(DEADLINE, || {
        text = fs::read_to_string(&log).unwrap_or_default();
        text == expected
    });
    assert!(cut, "{text}");
}

#[test]
fn with_control_groups_nothing_that_an_attempt_started_lives_on() {
    if !nix::unistd::geteuid().is_root() || !Path::new("/sys/fs/cgroup").exists() {
        eprintln!("no control groups can be made: nothing tested");
        return;
    }
    let cluster = cluster(&[("howdah.tasktracker.cgroups", "true")]);
    let fled = cluster.dir().join("fled");
    fs::create_dir(&fled).expect("a folder");
    // A process that leaves its session, its group and its parent before its attempt ends well.
    let mapper =
        format!("sh -c '(cd {}; setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $! >pid); cat'", fled.display());
    stream(&cluster, &mapper, &[]).expect_success();
    assert!(fled.join("pid").exists(), "nothing fled");
    assert!(wait_until(DEADLINE, || processes_below(&fled).is_empty()), "{:?} live on", processes_below(&fled));
}

#[test]
fn an_attempt_that_is_silent_too_long_fails_although_it_pings() {
    let cluster = cluster(&[]);
    // Longer than two of the child's ticks, which ping when nothing moves.
    let run = stream(&cluster, "sleep 600", &["mapred.task.timeout=7000", "mapred.map.max.attempts=1"]);
    assert_eq!(run.code, Some(1), "{run:#?}");
    let text = "failed to report status for 7 seconds. Killing!";
    assert!(run.stderr.contains(text), "{text:?} is not told: {run:#?}");
    let work = cluster.dir().join("tasktracker-0");
    assert!(wait_until(DEADLINE, || processes_below(&work).is_empty()), "{:?} live on", processes_below(&work));
}
