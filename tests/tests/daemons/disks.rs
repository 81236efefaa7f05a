//! Disks that fail, fill up and come back, as mounts in the TaskTracker's own namespace: they need root.

use std::fs;
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, Run, wait_until};

const DEADLINE: Duration = Duration::from_secs(30);

/// A JobTracker and one TaskTracker over local directories `a` and `b`, or over `a` alone; each is a disk of so many
/// megabytes. Nothing where the test may not mount.
fn cluster(dirs: &[&str], megabytes: u32, settings: &[(&str, &str)]) -> Option<Cluster> {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("not root: nothing is mounted and nothing tested");
        return None;
    }
    let mut cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah).trackers(0));
    let own = cluster.dir().join("tasktracker-0");
    let names: Vec<String> = dirs.iter().map(|dir| own.join(dir).display().to_string()).collect();
    let mounts: Vec<String> =
        dirs.iter().map(|dir| format!("mkdir {dir} && mount -t tmpfs -o size={megabytes}m none {dir}")).collect();
    let names = names.join(",");
    let mut site = vec![("mapred.local.dir", names.as_str()), ("mapred.disk.healthChecker.interval", "200")];
    site.extend(settings);
    cluster.add_tasktracker_with_mounts(&site, &mounts.join("\n"));
    cluster.await_trackers(1);
    fs::write(cluster.dir().join("text"), "b a b\n").expect("a text");
    Some(cluster)
}

fn told(cluster: &Cluster, text: &str) -> bool {
    wait_until(DEADLINE, || cluster.tasktrackers[0].log().contains(text))
}

fn word_count(cluster: &Cluster, output: &str) -> Run {
    let run = cluster.hadoop(&["examples", "wordcount", "text", output]).expect_success();
    let counts = fs::read_to_string(cluster.dir().join(output).join("part-r-00000")).expect("the output");
    assert_eq!(counts, "a\t1\nb\t2\n");
    assert!(!run.stderr.contains("Status : FAILED"), "an attempt failed: {run:#?}");
    run
}

/// The only job that runs, once its only map does.
fn running_job(cluster: &Cluster) -> String {
    let mut job = None;
    assert!(wait_until(DEADLINE, || {
        let list = cluster.hadoop(&["job", "-list"]).stdout;
        job = list
            .lines()
            .find(|line| line.starts_with("job_"))
            .and_then(|line| line.split('\t').next())
            .map(str::to_owned);
        let map = job.as_ref().map(|job| format!("{}_m_000000_0", job.replace("job_", "attempt_")));
        map.is_some_and(|map| cluster.tasktrackers[0].log().contains(&format!("a child takes its task attempt={map} ")))
    }));
    job.expect("awaited")
}

#[test]
fn a_disk_that_fails_leaves_the_rotation_and_comes_back() {
    let Some(mut cluster) = cluster(&["a", "b"], 64, &[]) else { return };
    word_count(&cluster, "out0");
    let sleep = ["examples", "sleep", "-m", "2", "-r", "1", "-mt", "4000", "-rt", "1"];
    std::thread::scope(|scope| {
        let cluster = &cluster;
        let client = scope.spawn(|| cluster.hadoop(&sleep));
        let job = running_job(cluster);
        // As a failing disk looks: nothing that was there can be found, and nothing can be written.
        cluster.in_mounts_of(0, "mount -t tmpfs -o ro none a");
        assert!(told(cluster, "local directories are given up"), "{}", cluster.tasktrackers[0].log());
        word_count(cluster, "out1");
        client.join().expect("the client").expect_success();
        let events = cluster.hadoop(&["job", "-events", &job, "0", "100"]).expect_success().stdout;
        assert!(!events.contains("FAILED attempt_"), "{events}");
    });
    cluster.in_mounts_of(0, "umount a");
    assert!(told(&cluster, "works again"), "{}", cluster.tasktrackers[0].log());
    word_count(&cluster, "out2");
    assert!(cluster.tasktrackers[0].is_running());
    assert_eq!(cluster.active_trackers(), Some(1));
    assert!(
        !cluster.tasktrackers[0].log().contains("tracker starts over"),
        "one disk is no reason to lose all attempts"
    );
}

#[test]
fn a_tracker_without_any_disk_ends() {
    let Some(mut cluster) = cluster(&["a"], 64, &[]) else { return };
    cluster.in_mounts_of(0, "mount -t tmpfs -o ro none a");
    assert!(wait_until(DEADLINE, || !cluster.tasktrackers[0].is_running()), "{}", cluster.tasktrackers[0].log());
    let log = cluster.tasktrackers[0].log();
    assert!(log.contains("no directory of mapred.local.dir works"), "{log}");
}

#[test]
fn a_full_disk_fails_one_attempt_and_not_the_node() {
    let Some(mut cluster) = cluster(&["a"], 8, &[]) else { return };
    let much = "sh -c 'head -c 20000000 /dev/zero | tr \"\\0\" a | fold -w 100'";
    let args = ["streaming", "-D", "mapred.map.tasks=1", "-D", "mapred.map.max.attempts=1"];
    let run = cluster
        .hadoop(&[&args[..], &["-input", "text", "-output", "out0", "-mapper", much, "-reducer", "cat"]].concat());
    assert_eq!(run.code, Some(1), "{run:#?}");
    let told = run.stderr.contains("No space left on device") || run.stderr.contains("valid local directory");
    assert!(told, "the cause is not on the console: {run:#?}");
    word_count(&cluster, "out1");
    assert!(cluster.tasktrackers[0].is_running());
}

#[test]
fn below_the_space_to_go_on_an_attempt_is_killed_and_runs_again_once_there_is_room() {
    let keep = (10 << 20).to_string();
    let settings =
        [("mapred.local.dir.minspacekill", keep.as_str()), ("mapred.local.dir.minspacestart", keep.as_str())];
    let Some(cluster) = cluster(&["a"], 24, &settings) else { return };
    std::thread::scope(|scope| {
        let client = scope.spawn(|| cluster.hadoop(&["examples", "sleep", "-m", "1", "-r", "0", "-mt", "3000"]));
        let job = running_job(&cluster);
        cluster.in_mounts_of(0, "head -c 20000000 /dev/zero > a/fill");
        let ended = told(&cluster, "signalled a child");
        let map = format!("{}_m_000000_1", job.replace("job_", "attempt_"));
        let given = cluster.tasktrackers[0].log().contains(&map);
        // Whatever was found, the client must end.
        cluster.in_mounts_of(0, "rm a/fill");
        let run = client.join().expect("the client").expect_success();
        assert!(ended && !given, "not killed, or work was given to a node without room: {run:#?}");
        assert!(!run.stderr.contains("Status : FAILED"), "{run:#?}");
        let events = cluster.hadoop(&["job", "-events", &job, "0", "100"]).expect_success().stdout;
        assert!(events.contains("KILLED attempt_") && events.contains(&format!("SUCCEEDED {map}")), "{events}");
    });
}
