//! A JobTracker that is killed in the midst of a job and started again.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};

const DEADLINE: Duration = Duration::from_secs(120);

/// A script that notes the attempt that runs it, waits for a file of the test's, and passes its input on.
fn write_script(cluster: &Cluster, name: &str, noted: &str, awaited: &str) -> String {
    let (dir, script) = (cluster.dir().display(), cluster.dir().join(name));
    let text = format!(
        "#!/bin/sh\necho $mapred_task_id >> {dir}/{noted}\nwhile [ ! -e {dir}/{awaited} ]; do sleep 0.05; done\nexec cat\n"
    );
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("an executable script");
    script.display().to_string()
}

fn noted(cluster: &Cluster, name: &str) -> Vec<String> {
    let text = fs::read_to_string(cluster.dir().join(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn await_noted(cluster: &Cluster, name: &str, count: usize) {
    assert!(
        wait_until(DEADLINE, || noted(cluster, name).len() >= count),
        "{:?} ran, not {count} attempts; {}",
        noted(cluster, name),
        cluster.jobtracker.log()
    );
}

#[test]
fn a_job_goes_on_though_its_jobtracker_is_killed_in_maps_and_in_the_reduce() {
    let mut cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    fs::create_dir(cluster.dir().join("in")).expect("a folder");
    for name in ["a", "b", "c", "d"] {
        fs::write(cluster.dir().join("in").join(name), format!("{name}\n")).expect("an input");
    }
    let mapper = write_script(&cluster, "mapper", "maps", "go-maps");
    let reducer = write_script(&cluster, "reducer", "reduces", "go-reduce");
    let args = ["streaming", "-input", "in", "-output", "out", "-mapper", &mapper, "-reducer", &reducer];
    let mut client = cluster.hadoop_in_background(&args, "client.log");

    // Both map slots are taken; the other two maps wait.
    await_noted(&cluster, "maps", 2);
    cluster.jobtracker.kill();
    // What runs ends while there is no JobTracker.
    fs::write(cluster.dir().join("go-maps"), "").expect("a file");
    cluster.restart_jobtracker();
    await_noted(&cluster, "reduces", 1);
    cluster.jobtracker.kill();
    cluster.restart_jobtracker();
    fs::write(cluster.dir().join("go-reduce"), "").expect("a file");

    assert_eq!(client.exit_code(DEADLINE), Some(0), "{}\n{}", client.log(), cluster.jobtracker.log());
    assert_eq!(fs::read_to_string(cluster.dir().join("out/part-00000")).expect("the output"), "a\t\nb\t\nc\t\nd\t\n");
    let ran: Vec<String> = [noted(&cluster, "maps"), noted(&cluster, "reduces")].concat();
    let unique: BTreeSet<&String> = ran.iter().collect();
    assert_eq!((ran.len(), unique.len()), (5, 5), "an attempt ran twice: {ran:?}");
    assert!(ran.iter().all(|attempt| attempt.ends_with("_0")), "a task ran twice: {ran:?}");
    let log = cluster.tasktrackers[0].log();
    assert!(!log.to_lowercase().contains("reinit"), "the TaskTracker began anew: {log}");
}
