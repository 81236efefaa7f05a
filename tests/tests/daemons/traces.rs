//! What a job leaves where operators look: user logs and the page that serves them, a task's page, and the
//! history in its `done` folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};

use crate::pages::{get, tracker_port};

const DEADLINE: Duration = Duration::from_secs(120);

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn logs_pages_and_history_of_a_job() {
    let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    fs::write(cluster.dir().join("text"), "one\n").expect("a text");
    let mapper = "sh -c 'echo said-by-the-mapper >&2; cat'";
    let args = ["streaming", "-D", "mapred.map.tasks=1", "-input", "text", "-output", "out", "-mapper", mapper];
    let job = cluster.hadoop(&args).expect_success().job_ids().remove(0);
    let task = job.replace("job_", "task_") + "_m_000000";
    let attempt = job.replace("job_", "attempt_") + "_m_000000_0";

    let logs = cluster.dir().join("logs-tasktracker-0/userlogs").join(&job).join(&attempt);
    for name in ["stdout", "stderr", "syslog", "log.index"] {
        assert!(logs.join(name).is_file(), "{name} is not in {}", logs.display());
    }
    let details = get(cluster.http_port, &format!("/taskdetails.jsp?tipid={task}"));
    assert!(details.contains(&attempt) && details.contains("SUCCEEDED"), "{details}");
    let port = tracker_port(&details);
    let stderr = get(port, &format!("/tasklog?attemptid={attempt}&plaintext=true&filter=stderr"));
    assert!(stderr.contains("said-by-the-mapper\n"), "{stderr}");

    let logs = cluster.dir().join("logs-jobtracker/history");
    let mut done = Vec::new();
    let moved = wait_until(DEADLINE, || {
        done = files_below(&logs.join("done"));
        let names = done.iter().filter_map(|path| path.file_name()?.to_str());
        names.filter(|name| name.starts_with(&job)).count() == 2
    });
    assert!(moved, "not a history and its configuration in done: {done:?}");
    let is_conf = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "xml");
    assert!(done.iter().any(|path| is_conf(&path)), "{done:?}");
    let is_of_job = |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&job));
    let history = done.iter().find(|path| is_of_job(path) && !is_conf(path)).expect("counted above");
    let history = fs::read_to_string(history).expect("the history");
    assert!(history.contains("JOB_STATUS=\"SUCCESS\"") && history.contains(&attempt), "{history}");
}
