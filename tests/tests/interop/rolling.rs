//! A cluster moves from Hadoop's daemons to ours and back, one daemon at a time, and nobody who submits jobs notices.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, JavaClient, Make, part_files, wait_until};

const DEADLINE: Duration = Duration::from_secs(300);
const TRACKERS: usize = 3;

fn start(jobtracker: Make, tasktrackers: Vec<Make>) -> Cluster {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let mut options = ClusterOptions::of(jobtracker)
        .set("mapred.tasktracker.expiry.interval", "8000")
        .set("mapred.child.java.opts", "-Xmx100m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .set("io.sort.mb", "10");
    options.tasktrackers = tasktrackers;
    let cluster = Cluster::start(&install, &options);
    fs::create_dir_all(cluster.dir().join("in")).expect("a folder");
    for number in 0..3 {
        fs::write(cluster.dir().join(format!("in/{number}.txt")), "one two two\n").expect("a text");
    }
    cluster
}

/// Somebody who runs one word count after the other with Hadoop's client.
struct User {
    client: JavaClient,
    dir: PathBuf,
    jar: String,
    jobs: AtomicUsize,
    /// The first failure that was to be seen.
    trouble: Mutex<Option<String>>,
}

impl User {
    fn of(cluster: &Cluster) -> User {
        User {
            client: cluster.java_client(),
            dir: cluster.dir().to_owned(),
            jar: cluster.install().jar("hadoop-examples").expect("the examples").display().to_string(),
            jobs: AtomicUsize::new(0),
            trouble: Mutex::new(None),
        }
    }

    fn jobs(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a job; its id.
    fn run_job(&self) -> Result<String, String> {
        let output = format!("out-{}", self.jobs());
        let args = [self.jar.as_str(), "wordcount", "-Dmapred.reduce.tasks=1", "in", &output];
        let run = self.client.run("org.apache.hadoop.util.RunJar", &args);
        if run.code != Some(0) || run.stderr.contains("Status : FAILED") {
            return Err(format!("{run:#?}"));
        }
        let parts = part_files(&self.dir.join(&output));
        let text: String = parts.values().map(|path| fs::read_to_string(path).expect("a part")).collect();
        self.jobs.fetch_add(1, Ordering::Relaxed);
        let id = run.job_ids().pop().ok_or("no job was told")?;
        if text == "one\t3\ntwo\t6\n" { Ok(id) } else { Err(format!("{output} holds {text:?}")) }
    }

    fn run_jobs_until(&self, over: &AtomicBool) {
        while !over.load(Ordering::Relaxed) {
            if let Err(problem) = self.run_job() {
                *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                return;
            }
        }
    }

    /// Waits until so many more jobs are done; false if that does not happen.
    fn await_jobs(&self, count: usize) -> bool {
        let wanted = self.jobs() + count;
        wait_until(DEADLINE, || self.trouble().is_some() || self.jobs() >= wanted) && self.trouble().is_none()
    }
}

/// Ends the stream of jobs, also when a test fails.
struct SetAtTheEnd<'a>(&'a AtomicBool);

impl Drop for SetAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Jobs run one after the other while each TaskTracker in turn is stopped and one of the other make started.
fn roll(jobtracker: Make) {
    let mut cluster = start(jobtracker, vec![Make::Hadoop; TRACKERS]);
    let user = User::of(&cluster);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| user.run_jobs_until(&over));
        let _end = SetAtTheEnd(&over);
        assert!(user.await_jobs(1), "{:?}", user.trouble());
        for make in [Make::Howdah, Make::Hadoop].iter().flat_map(|make| [*make; TRACKERS]) {
            // The oldest is always the first.
            cluster.tasktrackers.remove(0).stop();
            let gone = wait_until(DEADLINE, || cluster.active_trackers() == Some(TRACKERS - 1));
            assert!(gone, "the stopped TaskTracker is still counted");
            cluster.add_tasktracker(make);
            cluster.await_trackers(TRACKERS);
            assert!(user.await_jobs(2), "after {} jobs: {:?}", user.jobs(), user.trouble());
        }
    });
    assert_eq!(user.trouble(), None, "after {} jobs", user.jobs());
    println!("{jobtracker:?} JobTracker: {} jobs without a failure", user.jobs());
}

#[test]
#[ignore = "takes minutes: bin/check --full"]
fn tasktrackers_are_replaced_under_hadoops_jobtracker() {
    roll(Make::Hadoop);
}

#[test]
#[ignore = "takes minutes: bin/check --full"]
fn tasktrackers_are_replaced_under_our_jobtracker() {
    roll(Make::Howdah);
}

#[test]
fn a_jobtracker_is_replaced_between_jobs_and_back() {
    let mut cluster = start(Make::Hadoop, vec![Make::Howdah]);
    // A client of its own for each: one that stays would find its old connection closed.
    let user = User::of(&cluster);
    let mut ids = vec![user.run_job().unwrap_or_else(|problem| panic!("{problem}"))];
    for make in [Make::Howdah, Make::Hadoop] {
        cluster.replace_jobtracker(make);
        let user = User { jobs: AtomicUsize::new(ids.len()), ..User::of(&cluster) };
        ids.push(user.run_job().unwrap_or_else(|problem| panic!("under {make:?}: {problem}")));
        // Both file histories at the same place, and each leaves the other's alone.
        let done = cluster.dir().join("logs-jobtracker/history/done");
        let filed = wait_until(DEADLINE, || ids.iter().all(|id| is_filed(&done, id)));
        assert!(filed, "{ids:?} are not all in {}", done.display());
    }
}

fn is_filed(dir: &std::path::Path, job: &str) -> bool {
    fs::read_dir(dir).into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() { is_filed(&path, job) } else { entry.file_name().to_string_lossy().starts_with(job) }
    })
}
