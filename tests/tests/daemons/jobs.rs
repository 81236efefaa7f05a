//! Jobs of our own client on our own daemons, in native children.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use types::TaskAttemptId;

use crate::pages::{get, tracker_port};

fn cluster(trackers: usize) -> Cluster {
    let options = ClusterOptions::of(Make::Howdah).trackers(trackers).set("mapred.tasktracker.expiry.interval", "3000");
    Cluster::start(&Install::without_java(), &options)
}

#[test]
fn a_word_count_and_its_traces() {
    let cluster = cluster(1);
    fs::write(cluster.dir().join("text"), "b a b\nc\nb a\n").expect("a text");
    let run = cluster.hadoop(&["examples", "wordcount", "text", "out"]).expect_success();
    assert_eq!(fs::read_to_string(cluster.dir().join("out/part-r-00000")).expect("the output"), "a\t2\nb\t3\nc\t1\n");
    let job = run.job_ids().remove(0);
    assert!(cluster.ran_natively(&job));
    let counters = cluster.counters(&job);
    let counter = |name: &str| counters[&("Map-Reduce Framework".to_owned(), name.to_owned())];
    assert_eq!(counter("Map input records"), 3);
    assert_eq!((counter("Map output records"), counter("Combine output records")), (6, 3));
    assert_eq!((counter("Reduce input groups"), counter("Reduce output records")), (3, 3));

    let status = cluster.hadoop(&["job", "-status", &job]).expect_success().stdout;
    assert!(status.contains(&format!("Job: {job}\n")) && status.contains("map() completion: 1.0"), "{status}");
    let list = cluster.hadoop(&["job", "-list", "all"]).expect_success().stdout;
    assert!(list.starts_with("1 jobs submitted\n") && list.contains(&format!("{job}\t2\t")), "{list}");
    for path in [format!("/jobdetails.jsp?jobid={job}"), "/jobtracker.jsp".to_owned()] {
        let answer = get(cluster.http_port, &path);
        assert!(answer.contains(&job), "{path}: {answer}");
    }
    let local = cluster.dir().join("tasktracker-0/local/taskTracker");
    let gone = wait_until(Duration::from_secs(120), || {
        let users = fs::read_dir(&local).into_iter().flatten().flatten();
        users.map(|user| user.path().join("jobcache").join(&job)).all(|dir| !dir.exists())
    });
    assert!(gone, "the job's files are still in {}", local.display());
}

#[test]
fn streaming_runs_shell_commands() {
    let cluster = cluster(1);
    fs::write(cluster.dir().join("text"), "one\ntwo\none\n").expect("a text");
    let args = ["streaming", "-input", "text", "-output", "out", "-mapper", "tr a-z A-Z", "-reducer", "uniq -c"];
    cluster.hadoop(&args).expect_success();
    let output = fs::read_to_string(cluster.dir().join("out/part-00000")).expect("the output");
    let words: Vec<Vec<&str>> = output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words, [["2", "ONE"], ["1", "TWO"]], "{output}");

    let failing = ["streaming", "-input", "text", "-output", "out2", "-mapper", "exit-with-three", "-reducer", "cat"];
    let run = cluster.hadoop(&failing);
    assert_eq!(run.code, Some(1), "{run:#?}");
    let failed = "Job not successful. Error: # of failed Map Tasks exceeded allowed limit.";
    assert!(run.stderr.contains(failed) && run.stderr.contains(". Cause: "), "no cause on the console: {run:#?}");
    let again = cluster.hadoop(&args);
    assert_eq!(again.code, Some(4), "an output that exists: {again:#?}");
}

/// Those that run the job's maps now.
fn map_children(cluster: &Cluster, job: &str) -> Vec<Pid> {
    let is_map = |word: &String| {
        let attempt = word.parse::<TaskAttemptId>().ok();
        attempt.is_some_and(|id| id.job().to_string() == job && id.kind().is_map() && id.task.number < 2)
    };
    cluster.children(|words| words.iter().any(is_map))
}

#[test]
fn a_killed_child_and_a_killed_tracker_cost_attempts_not_the_job() {
    let mut cluster = cluster(2);
    let handle = std::thread::scope(|scope| {
        let client = {
            let cluster = &cluster;
            scope.spawn(|| cluster.hadoop(&["examples", "sleep", "-m", "2", "-r", "1", "-mt", "5000", "-rt", "1000"]))
        };
        let mut job = None;
        assert!(wait_until(Duration::from_secs(120), || {
            let list = cluster.hadoop(&["job", "-list"]).stdout;
            job = list
                .lines()
                .find(|line| line.starts_with("job_"))
                .and_then(|l| l.split('\t').next())
                .map(str::to_owned);
            job.is_some()
        }));
        let job = job.expect("awaited");
        let mut children = Vec::new();
        assert!(wait_until(Duration::from_secs(120), || {
            children = map_children(&cluster, &job);
            !children.is_empty()
        }));
        kill(children[0], Signal::SIGKILL).expect("the child is ours");
        let run = client.join().expect("the client").expect_success();
        assert!(run.stderr.contains("Status : FAILED"), "no failed attempt was told: {run:#?}");
        job
    });
    let events = cluster.hadoop(&["job", "-events", &handle, "0", "100"]).expect_success().stdout;
    assert!(events.contains("FAILED attempt_"), "{events}");

    cluster.tasktrackers[0].kill();
    cluster.await_trackers(1);
    cluster.hadoop(&["examples", "sleep", "-m", "2", "-r", "1", "-mt", "1", "-rt", "1"]).expect_success();
}

#[test]
fn a_job_killed_by_command_ends_killed() {
    let cluster = cluster(1);
    std::thread::scope(|scope| {
        let client = scope.spawn(|| cluster.hadoop(&["examples", "sleep", "-m", "1", "-r", "1", "-mt", "60000"]));
        let mut job = None;
        assert!(wait_until(Duration::from_secs(120), || {
            let list = cluster.hadoop(&["job", "-list"]).stdout;
            job = list
                .lines()
                .find(|line| line.starts_with("job_"))
                .and_then(|l| l.split('\t').next())
                .map(str::to_owned);
            job.as_ref().is_some_and(|job| !map_children(&cluster, job).is_empty())
        }));
        let job = job.expect("awaited");
        let task = format!("{}_m_000000", job.replace("job_", "task_"));
        let tracker = tracker_port(&get(cluster.http_port, &format!("/taskdetails.jsp?tipid={task}")));
        let attempt = format!("{}_0", task.replace("task_", "attempt_"));
        let page = get(tracker, "/tasktracker.jsp");
        assert!(page.contains(&attempt) && page.contains("RUNNING"), "{page}");
        let explain = |id: &str| cluster.hadoop(&["job", "-explain", id]);
        let told = explain(&job).expect_success().stdout;
        assert!(told.starts_with("no map of the job waits for a slot\n"), "{told}");
        assert_eq!(explain(&task).expect_success().stdout, "it runs, or has run\n");
        assert_eq!(explain("job_201301010000_0001").code, Some(255));
        let killed = cluster.hadoop(&["job", "-kill", &job]).expect_success();
        assert_eq!(killed.stdout, format!("Killed job {job}\n"));
        let run = client.join().expect("the client");
        // What the examples' driver ends with when a job fails.
        assert_eq!(run.code, Some(255), "{run:#?}");
        assert!(wait_until(Duration::from_secs(120), || map_children(&cluster, &job).is_empty()), "its child lives on");
        let list = cluster.hadoop(&["job", "-list", "all"]).expect_success().stdout;
        assert!(list.contains(&format!("{job}\t5\t")), "{list}");
    });
}

/// Whether the JobTracker was told that a map's attempt runs.
fn runs(cluster: &Cluster, job: &str, map: u32) -> bool {
    let task = format!("{}_m_{map:06}", job.replace("job_", "task_"));
    get(cluster.http_port, &format!("/taskdetails.jsp?tipid={task}")).contains("RUNNING")
}

#[test]
fn a_tracker_killed_under_a_job_and_an_attempt_killed_by_command() {
    let mut cluster = cluster(2);
    let mut victim = cluster.tasktrackers.remove(0);
    let job = std::thread::scope(|scope| {
        let client = {
            let cluster = &cluster;
            scope.spawn(|| cluster.hadoop(&["examples", "sleep", "-m", "2", "-r", "1", "-mt", "8000", "-rt", "1"]))
        };
        let mut job = None;
        assert!(wait_until(Duration::from_secs(120), || {
            let list = cluster.hadoop(&["job", "-list"]).stdout;
            let ids = list.lines().filter(|line| line.starts_with("job_"));
            job = ids.filter_map(|line| line.split('\t').next()).map(str::to_owned).next();
            // An attempt that no heartbeat has told of would end as FAILED with "Error launching task" in 1.2.1 too.
            job.as_ref().is_some_and(|job| [0, 1].into_iter().all(|map| runs(&cluster, job, map)))
        }));
        let job = job.expect("awaited");
        let attempt = format!("{}_m_000000_0", job.replace("job_", "attempt_"));
        let killed = cluster.hadoop(&["job", "-kill-task", &attempt]).expect_success();
        assert_eq!(killed.stdout, format!("Killed task {attempt}\n"));
        victim.kill();
        // As when its machine dies. Left alone they would notice by themselves, but outlive the test.
        let logs = cluster.dir().join("logs-tasktracker-0").display().to_string();
        for child in cluster.children(|words| words.iter().any(|word| word.starts_with(&logs))) {
            // One that has just ended needs no signal.
            let _ = kill(child, Signal::SIGKILL);
        }
        client.join().expect("the client").expect_success();
        job
    });
    let events = cluster.hadoop(&["job", "-events", &job, "0", "100"]).expect_success().stdout;
    assert!(events.contains("KILLED attempt_") && !events.contains("FAILED attempt_"), "{events}");
}

#[test]
fn children_of_a_killed_tracker_end_soon() {
    let mut cluster = cluster(1);
    let mut victim = cluster.tasktrackers.remove(0);
    let sleep = ["examples", "sleep", "-m", "1", "-r", "0", "-mt", "600000"];
    let _client = cluster.hadoop_in_background(&sleep, "client.log");
    let mut job = None;
    assert!(wait_until(Duration::from_secs(30), || {
        let list = cluster.hadoop(&["job", "-list"]).stdout;
        let ids = list.lines().filter(|line| line.starts_with("job_"));
        job = ids.filter_map(|line| line.split('\t').next()).map(str::to_owned).next();
        job.as_ref().is_some_and(|job| !map_children(&cluster, job).is_empty() && runs(&cluster, job, 0))
    }));
    let job = job.expect("awaited");
    victim.kill();
    // A tick of three seconds and two of tries; Hadoop's own child takes half a minute.
    assert!(wait_until(Duration::from_secs(15), || map_children(&cluster, &job).is_empty()), "its child lives on");
}

/// The map outputs that lie in a directory or below it.
fn map_outputs(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(map_outputs(&path));
        } else if path.ends_with("output/file.out") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_corrupt_map_output_is_found_and_its_map_runs_again() {
    let cluster = cluster(1);
    fs::create_dir(cluster.dir().join("in")).expect("a folder");
    fs::write(cluster.dir().join("in/quick"), "quick\n").expect("a text");
    fs::write(cluster.dir().join("in/slow"), "slow\n").expect("a text");
    // Its reduce starts when the second map is done, long after the first one's output was spoilt. It reports three failed
    // fetches before the map runs again, with the pauses that Hadoop's reduces make.
    let mapper = "sh -c 'read line; [ $line = slow ] && sleep 5; echo $line'";
    let set = ["streaming", "-D", "mapred.reduce.slowstart.completed.maps=1", "-D", "mapred.map.tasks=1"];
    let args = [&set[..], &["-input", "in", "-output", "out", "-mapper", mapper, "-reducer", "cat"]].concat();
    let local = cluster.dir().join("tasktracker-0/local");
    let (spoilt, run) = std::thread::scope(|scope| {
        let client = scope.spawn(|| cluster.hadoop(&args));
        let mut outputs = Vec::new();
        let spoilt = wait_until(Duration::from_secs(30), || {
            outputs = map_outputs(&local);
            !outputs.is_empty() && cluster.tasktrackers[0].log().matches("code=0").count() >= 2
        });
        for path in &outputs {
            let mut bytes = fs::read(path).expect("a map's output");
            bytes[2] ^= 1;
            fs::write(path, bytes).expect("a map's output");
        }
        (spoilt, client.join().expect("the client"))
    });
    assert!(spoilt, "no map put out anything");
    let run = run.expect_success();
    assert_eq!(fs::read_to_string(cluster.dir().join("out/part-00000")).expect("the output"), "quick\t\nslow\t\n");
    let job = run.job_ids().remove(0);
    let events = cluster.hadoop(&["job", "-events", &job, "0", "100"]).expect_success().stdout;
    assert!(events.contains("OBSOLETE attempt_") && events.contains("_1 http://"), "{events}");
}
