//! What a job asks for to be looked at afterwards: its debug script, with either child, and a profile, with Java's.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make};

fn cluster() -> Cluster {
    let install = Install::find().unwrap_or_else(|error| panic!("{error}"));
    let cluster = Cluster::start(&install, &ClusterOptions::of(Make::Howdah));
    fs::write(cluster.dir().join("text"), "one\n").expect("a text");
    cluster
}

#[test]
fn a_debug_script_sees_the_failed_attempt_and_is_heard() {
    let cluster = cluster();
    let script = cluster.dir().join("debug.sh");
    // Its arguments are standard output, standard error, log, configuration; it runs where the attempt did.
    let text = "#!/bin/sh\necho stderr-had $(grep -c said-by-the-mapper $2); basename $PWD; basename $4; exit 3\n";
    fs::write(&script, text).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a program");
    let set = format!("mapred.map.task.debug.script={}", script.display());
    let mapper = "sh -c 'echo said-by-the-mapper >&2; exit 7'";
    for (child, native) in [("never", false), ("always", true)] {
        let child = format!("howdah.child.native={child}");
        let args = ["-D", &set, "-D", &child, "-D", "mapred.map.max.attempts=1", "-D", "mapred.map.tasks=1"];
        let more = ["-input", "text", "-output", "out", "-mapper", mapper, "-reducer", "cat"];
        let run = cluster.java_jar("hadoop-streaming", &[&args[..], &more[..]].concat());
        assert_eq!(run.code, Some(1), "{run:#?}");
        let job = run.job_ids().first().cloned().unwrap_or_else(|| panic!("{run:#?}"));
        assert_eq!(cluster.ran_natively(&job), native);
        let logs = cluster.dir().join("logs-tasktracker-0/userlogs").join(&job);
        let attempt = format!("{}_m_000000_0", job.replace("job_", "attempt_"));
        let output = fs::read_to_string(logs.join(attempt).join("debugout")).unwrap_or_default();
        assert_eq!(output, "stderr-had 1\nwork\njob.xml\n", "{run:#?}");
        fs::remove_dir_all(cluster.dir().join("out")).expect("the failed job's folder");
    }
}

#[test]
fn a_profile_of_the_tasks_that_were_asked_for_lies_with_their_logs() {
    let cluster = cluster();
    let args = ["-D", "mapred.task.profile=true", "-D", "mapred.task.profile.maps=0", "-D"];
    let more = ["mapred.task.profile.params=-Xlog:gc*:file=%s", "-D", "mapred.task.profile.reduces=1-3", "-D"];
    let rest = ["mapred.map.tasks=1", "-input", "text", "-output", "out", "-mapper", "cat", "-reducer", "cat"];
    let job = cluster
        .java_jar("hadoop-streaming", &[&args[..], &more[..], &rest[..]].concat())
        .expect_success()
        .job_ids()
        .remove(0);
    let logs = cluster.dir().join("logs-tasktracker-0/userlogs").join(&job);
    let profile = |kind: &str| logs.join(format!("{}_{kind}_000000_0/profile.out", job.replace("job_", "attempt_")));
    assert!(profile("m").is_file() && !profile("r").exists(), "{}", logs.display());
}
