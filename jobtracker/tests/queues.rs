//! Queues as an operator sets them up: the capacity scheduler's shares, access lists, stopped queues, refreshes.

mod support;

use std::path::Path;

use jobtracker::Daemon;
use rpc::client::Client;
use support::{FakeTracker, JobFiles, client, get, submit};
use types::{ExceptionKind, JobQueueInfo};
use wire::mapred::admin;
use wire::mapred::job_submission::{GetJobsFromQueue, GetQueueAclsForCurrentUser, GetQueueInfo};

const SCHEDULER: &str = "org.apache.hadoop.mapred.CapacityTaskScheduler";

/// A directory of site files.
struct Site {
    dir: tempfile::TempDir,
}

impl Site {
    fn new(properties: &[(&str, &str)]) -> Site {
        let site = Site { dir: tempfile::tempdir().unwrap() };
        let tmp = site.dir.path().join("tmp").display().to_string();
        let own = [
            ("hadoop.tmp.dir", tmp.as_str()),
            ("mapred.job.tracker", "127.0.0.1:0"),
            ("mapred.job.tracker.http.address", "127.0.0.1:0"),
            ("mapred.jobtracker.taskScheduler", SCHEDULER),
            ("mapred.queue.names", "default,research"),
        ];
        site.write("mapred-site.xml", own.iter().chain(properties));
        site
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn write<'a>(&self, file: &str, properties: impl IntoIterator<Item = &'a (&'a str, &'a str)>) {
        let property = |(name, value): &(&str, &str)| {
            format!("  <property><name>{name}</name><value>{value}</value></property>\n")
        };
        let properties: String = properties.into_iter().map(property).collect();
        let text = format!("<?xml version=\"1.0\"?>\n<configuration>\n{properties}</configuration>\n");
        std::fs::write(self.path().join(file), text).unwrap();
    }

    fn shares(&self, default: &str, research: &str) {
        let key = |queue: &str| format!("mapred.capacity-scheduler.queue.{queue}.capacity");
        self.write("capacity-scheduler.xml", [&(&*key("default"), default), &(&*key("research"), research)]);
    }

    async fn start(&self) -> Daemon {
        let logs = self.path().join("logs").display().to_string();
        let system = vec![("hadoop.log.dir".to_owned(), logs)];
        let conf = jobtracker::load_configuration(self.path(), system).unwrap();
        jobtracker::start(conf, Some(self.path().to_owned())).await.unwrap()
    }
}

/// An administrator: the user as whom the JobTracker runs.
fn administrator(daemon: &Daemon) -> Client {
    let me = std::process::Command::new("id").arg("-un").output().unwrap().stdout;
    let options = rpc::ClientOptions::for_user(String::from_utf8(me).unwrap().trim());
    Client::new(daemon.rpc_address().to_string(), admin::NAME, options)
}

async fn queue(client: &Client, queue: &str) -> JobQueueInfo {
    client.call(&GetQueueInfo { queue: queue.to_owned() }).await.unwrap().unwrap()
}

/// What Hadoop 1.2.1's queues say of themselves (CapacitySchedulerQueue.toString).
fn scheduling_info(percent: &str, capacity: i32) -> String {
    let slots = format!("Capacity: {capacity} slots\nUsed capacity: 0 (0.0% of Capacity)\nRunning tasks: 0\n");
    format!(
        "Queue configuration\nCapacity Percentage: {percent}%\nUser Limit: 100%\nPriority Supported: NO\n\
         -------------\nMap tasks\n{slots}-------------\nReduce tasks\n{slots}-------------\nJob info\n\
         Number of Waiting Jobs: 0\nNumber of Initializing Jobs: 0\nNumber of users who have submitted jobs: 0\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_run_in_queues_with_shares_that_a_refresh_changes() {
    let site = Site::new(&[]);
    site.shares("50", "50");
    let daemon = site.start().await;
    let ann = client(&daemon, "ann");
    let mut tracker = FakeTracker::new(daemon.rpc_address(), "host-a");
    tracker.beat().await;
    tracker.beat().await;
    assert_eq!(queue(&ann, "research").await.scheduling_info, scheduling_info("50.0", 1));

    let job = submit(&ann, &JobFiles::new(2, 1).set("mapred.job.queue.name", "research")).await.unwrap().job;
    let end = std::time::Instant::now() + support::DEADLINE;
    loop {
        let (status, told) = get(&daemon, &format!("/howdah/explain?id={job}")).await;
        assert_eq!(status, 200);
        match told.as_str() {
            "the job's setup has not ended\n" => break,
            reading => assert_eq!(reading, "the job is being initialised: its splits are being read\n"),
        }
        assert!(std::time::Instant::now() < end, "still {told}");
        tokio::task::yield_now().await;
    }
    assert_eq!(get(&daemon, "/howdah/explain?id=job_201301010000_0001").await.0, 404);
    assert_eq!(get(&daemon, "/howdah/explain?id=x").await.0, 400);
    let listed = ann.call(&GetJobsFromQueue { queue: "research".into() }).await.unwrap();
    assert_eq!(listed.iter().map(|status| &status.job).collect::<Vec<_>>(), [&job]);
    assert_eq!(ann.call(&GetJobsFromQueue { queue: "default".into() }).await.unwrap(), []);
    let ended = tracker.beat_until_over(&ann, &job).await;
    support::assert_succeeded(&ended);
    let none = "0 running map tasks using 0 map slots. 0 additional slots reserved. \
                0 running reduce tasks using 0 reduce slots. 0 additional slots reserved.";
    assert_eq!(ended.scheduling_info, none);

    site.shares("75", "25");
    administrator(&daemon).call(&admin::RefreshQueues {}).await.unwrap();
    tracker.beat().await;
    assert_eq!(queue(&ann, "research").await.scheduling_info, scheduling_info("25.0", 0));
    let (status, page) = get(&daemon, "/scheduler").await;
    assert_eq!(status, 200);
    assert!(page.contains("75.0%") && page.contains("25.0%"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_file_leaves_the_queues_as_they_are_and_says_where_it_is_broken() {
    let site = Site::new(&[]);
    site.shares("50", "50");
    let daemon = site.start().await;
    let (ann, admins) = (client(&daemon, "ann"), administrator(&daemon));
    let refused = async || admins.call(&admin::RefreshQueues {}).await.unwrap_err().to_string();
    std::fs::write(site.path().join("capacity-scheduler.xml"), "<configuration>\n<property>\n</wrong>\n").unwrap();
    let error = refused().await;
    assert!(error.contains("capacity-scheduler.xml: line 3: "), "{error}");
    let (_, page) = get(&daemon, "/scheduler").await;
    assert!(page.contains("capacity-scheduler.xml: line 3: "), "{page}");
    site.shares("50", "40");
    let error = refused().await;
    assert!(error.contains("capacity-scheduler.xml: mapred.capacity-scheduler.queue.research.capacity"), "{error}");
    assert!(error.contains("add up to 90"), "{error}");
    assert!(queue(&ann, "research").await.scheduling_info.contains("Capacity Percentage: 50.0%"));

    // A queue is not taken away by a refresh.
    site.shares("100", "0");
    let path = site.path().join("mapred-site.xml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("default,research", "default")).unwrap();
    let error = refused().await;
    assert!(error.contains("Couldn't find queue 'research' during refresh!"), "{error}");

    std::fs::write(&path, text).unwrap();
    site.shares("60", "40");
    admins.call(&admin::RefreshQueues {}).await.unwrap();
    assert!(queue(&ann, "research").await.scheduling_info.contains("Capacity Percentage: 40.0%"));
    let (_, page) = get(&daemon, "/scheduler").await;
    assert!(!page.contains("refresh failed"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_without_shares_is_refused() {
    let site = Site::new(&[]);
    let conf = jobtracker::load_configuration(site.path(), Vec::new()).unwrap();
    let error = jobtracker::start(conf, Some(site.path().to_owned())).await.err().unwrap().to_string();
    assert!(error.contains("queue.default.capacity is not set; set it in capacity-scheduler.xml"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queues_are_closed_by_state_and_by_access_list_and_opened_by_a_refresh() {
    let site = Site::new(&[("mapred.acls.enabled", "true")]);
    site.shares("50", "50");
    let lists = |state: &'static str, submitters: &'static str| {
        [
            ("mapred.queue.default.state", state),
            ("mapred.queue.research.acl-submit-job", submitters),
            ("mapred.queue.research.acl-administer-jobs", "eve"),
        ]
    };
    site.write("mapred-queue-acls.xml", &lists("STOPPED", "bob"));
    let daemon = site.start().await;
    let (ann, bob, eve) = (client(&daemon, "ann"), client(&daemon, "bob"), client(&daemon, "eve"));
    let research = || JobFiles::new(1, 0).set("mapred.job.queue.name", "research");

    let refusal =
        async |client: &Client, files: JobFiles| submit(client, &files).await.unwrap_err().remote().unwrap().clone();
    let error = refusal(&ann, JobFiles::new(1, 0)).await;
    assert_eq!((error.kind, error.message.as_str()), (ExceptionKind::Io, "Queue \"default\" is not running"));
    assert_eq!(queue(&ann, "default").await.state, "stopped");
    let error = refusal(&ann, research()).await;
    assert_eq!(error.kind, ExceptionKind::AccessControl);
    assert!(error.message.starts_with("User ann cannot perform operation SUBMIT_JOB on queue research."), "{error:?}");
    let error = refusal(&ann, JobFiles::new(1, 0).set("mapred.job.queue.name", "none")).await;
    assert!(error.message.ends_with("Queue \"none\" does not exist"), "{error:?}");

    let may = async |client: &Client| {
        let all = client.call(&GetQueueAclsForCurrentUser {}).await.unwrap();
        let of = all.into_iter().find(|info| info.queue == "research");
        of.map_or(Vec::new(), |info| info.operations.into_iter().flatten().collect::<Vec<String>>())
    };
    assert_eq!(may(&ann).await, Vec::<String>::new());
    assert_eq!(may(&bob).await, ["acl-submit-job"]);
    assert_eq!(may(&eve).await, ["acl-administer-jobs"]);

    // A job may be killed by its owner and by who administers its queue, and by nobody else.
    let job = submit(&bob, &research()).await.unwrap().job;
    let kill = || wire::mapred::job_submission::KillJob { job: job.clone() };
    let error = ann.call(&kill()).await.unwrap_err().remote().unwrap().clone();
    assert_eq!(error.kind, ExceptionKind::AccessControl);
    assert!(error.message.starts_with("User ann cannot perform operation KILL_JOB on "), "{error:?}");
    eve.call(&kill()).await.unwrap();

    site.write("mapred-queue-acls.xml", &lists("RUNNING", "bob,ann"));
    administrator(&daemon).call(&admin::RefreshQueues {}).await.unwrap();
    submit(&ann, &JobFiles::new(1, 0)).await.unwrap();
    submit(&ann, &research()).await.unwrap();

    let ann = Client::new(daemon.rpc_address().to_string(), admin::NAME, rpc::ClientOptions::for_user("ann"));
    let error = ann.call(&admin::RefreshQueues {}).await.unwrap_err().remote().unwrap().clone();
    assert_eq!(error.kind, ExceptionKind::AccessControl);
}
