//! A JobTracker within the test, a client that hands in jobs, and a TaskTracker that does what it is told at once.

#![allow(dead_code, reason = "each test program uses a part")]

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use configuration::Configuration;
use jobtracker::Daemon;
use rpc::ClientOptions;
use rpc::client::Client;
use types::{
    Credentials, HeartbeatResponse, JobId, JobState, JobStatus, Phase, SplitMeta, Task, TaskState, TaskStatus,
    TaskTrackerAction, TaskTrackerHealthStatus, TaskTrackerStatus,
};
use wire::mapred::inter_tracker::{self, Heartbeat};
use wire::mapred::job_submission::{self, GetJobStatus, GetNewJobId, GetStagingAreaDir, SubmitJob};

/// The most that anything may take.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A site with everything under one directory, and any free ports.
pub(crate) fn site(dir: &Path) -> Configuration {
    let mut conf = Configuration::new();
    conf.set_system_property("user.name", "tester");
    conf.set_system_property("hadoop.log.dir", dir.join("logs").display().to_string());
    for (name, value) in [
        ("hadoop.tmp.dir", dir.join("tmp").display().to_string()),
        ("mapred.job.tracker", "127.0.0.1:0".to_owned()),
        ("mapred.job.tracker.http.address", "127.0.0.1:0".to_owned()),
    ] {
        conf.set_from(name, value, "mapred-site.xml");
    }
    conf
}

/// Starts a JobTracker.
pub(crate) async fn start(conf: Configuration) -> Daemon {
    jobtracker::start(conf, None).await.unwrap()
}

/// Starts one in the place of another that has just ended, as soon as its port is free again.
pub(crate) async fn start_again(conf: &Configuration) -> Daemon {
    let end = Instant::now() + DEADLINE;
    loop {
        match jobtracker::start(conf.clone(), None).await {
            Ok(daemon) => return daemon,
            Err(jobtracker::StartError::Listen { .. }) if Instant::now() < end => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// A client for a user.
pub(crate) fn client(daemon: &Daemon, user: &str) -> Client {
    Client::new(daemon.rpc_address().to_string(), job_submission::NAME, ClientOptions::for_user(user))
}

/// What a client writes before it submits.
pub(crate) struct JobFiles {
    pub(crate) maps: usize,
    pub(crate) properties: Vec<(String, String)>,
}

impl JobFiles {
    pub(crate) fn new(maps: usize, reduces: usize) -> JobFiles {
        let properties =
            vec![("mapred.reduce.tasks".to_owned(), reduces.to_string()), ("mapred.job.name".into(), "a_job".into())];
        JobFiles { maps, properties }
    }

    pub(crate) fn set(mut self, name: &str, value: impl ToString) -> JobFiles {
        self.properties.push((name.to_owned(), value.to_string()));
        self
    }

    /// Writes the files into a staging directory; the directory's URL.
    pub(crate) fn write(&self, staging: &str, job: &JobId) -> String {
        let url = format!("{staging}/{job}");
        let directory = Path::new(url.strip_prefix("file:").unwrap());
        std::fs::create_dir_all(directory).unwrap();
        let mut conf = Configuration::new();
        conf.set("mapred.map.tasks", self.maps.to_string());
        for (name, value) in &self.properties {
            conf.set(name, value);
        }
        std::fs::write(directory.join("job.xml"), conf.to_xml()).unwrap();
        let splits: Vec<SplitMeta> = (0..self.maps)
            .map(|map| SplitMeta { locations: vec!["host-a".into()], start_offset: map as i64 * 100, input_length: 10 })
            .collect();
        std::fs::write(directory.join("job.splitmetainfo"), wire::splits::write_meta(&splits)).unwrap();
        url
    }
}

/// Submits a job as a stock client does.
pub(crate) async fn submit(client: &Client, files: &JobFiles) -> Result<JobStatus, rpc::CallError> {
    let staging = client.call(&GetStagingAreaDir {}).await?;
    let job = client.call(&GetNewJobId {}).await?;
    let submit_dir = files.write(&staging, &job);
    client.call(&SubmitJob { job, submit_dir, credentials: Credentials::default() }).await
}

/// A job's status.
pub(crate) async fn status(client: &Client, job: &JobId) -> JobStatus {
    client.call(&GetJobStatus { job: job.clone() }).await.unwrap().unwrap()
}

/// A TaskTracker that ends each attempt as soon as it is launched.
pub(crate) struct FakeTracker {
    pub(crate) client: Client,
    pub(crate) name: String,
    tasks: Vec<TaskStatus>,
    response_id: i16,
    initial: bool,
    /// What it was told, in order.
    pub(crate) told: Vec<TaskTrackerAction>,
}

impl FakeTracker {
    pub(crate) fn new(address: SocketAddr, host: &str) -> FakeTracker {
        FakeTracker {
            client: Client::new(address.to_string(), inter_tracker::NAME, ClientOptions::for_user("mapred")),
            name: format!("tracker_{host}:localhost/127.0.0.1:4000"),
            tasks: Vec::new(),
            response_id: -1,
            initial: true,
            told: Vec::new(),
        }
    }

    /// Acts as one that was registered before.
    pub(crate) fn pretend_to_be_known(&mut self) {
        (self.initial, self.response_id) = (false, 5);
    }

    /// A heartbeat whose answer is lost.
    pub(crate) async fn beat_unheard(&mut self) {
        self.client.call(&self.heartbeat()).await.unwrap();
    }

    fn heartbeat(&self) -> Heartbeat {
        let status = TaskTrackerStatus {
            name: self.name.clone(),
            host: "host-a".into(),
            http_port: 50060,
            task_failures: 0,
            dir_failures: 0,
            max_map_slots: 2,
            max_reduce_slots: 2,
            resources: types::ResourceStatus::default(),
            tasks: self.tasks.clone(),
            health: TaskTrackerHealthStatus::default(),
        };
        Heartbeat {
            status,
            restarted: false,
            initial_contact: self.initial,
            accept_new_tasks: true,
            response_id: self.response_id,
        }
    }

    /// One heartbeat; what was launched is reported as done by the next.
    pub(crate) async fn beat(&mut self) -> HeartbeatResponse {
        let response = self.client.call(&self.heartbeat()).await.unwrap();
        self.response_id = response.response_id;
        self.initial = false;
        self.tasks.retain(|task| !task.state.is_terminal());
        for action in &response.actions {
            match action {
                TaskTrackerAction::Launch(task) => self.tasks.push(first_report(task)),
                TaskTrackerAction::CommitTask(attempt) => {
                    let task = self.tasks.iter_mut().find(|task| task.attempt == *attempt).unwrap();
                    task.state = TaskState::Succeeded;
                    task.finish_time = 2000;
                }
                _ => (),
            }
        }
        self.told.extend(response.actions.iter().cloned());
        response
    }

    /// Beats until the job is over.
    pub(crate) async fn beat_until_over(&mut self, client: &Client, job: &JobId) -> JobStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            self.beat().await;
            let status = status(client, job).await;
            if status.state.is_complete() {
                return status;
            }
            assert!(Instant::now() < end, "{job} is {:?} after {DEADLINE:?}; told {:?}", status.state, self.told);
            tokio::task::yield_now().await;
        }
    }
}

/// A reduce asks to commit; everything else is done at once.
fn first_report(task: &Task) -> TaskStatus {
    let mut status = TaskStatus::unassigned(task.attempt.clone(), task.slots_required);
    status.state = TaskState::Succeeded;
    status.progress = 1.0;
    (status.start_time, status.finish_time) = (1000, 2000);
    if task.job_cleanup.is_some() || task.job_setup {
        status.phase = Phase::Cleanup;
    } else if let Some(reduce) = &mut status.reduce {
        (reduce.shuffle_finish, reduce.sort_finish) = (1200, 1500);
        status.state = TaskState::CommitPending;
        status.phase = Phase::Reduce;
        status.finish_time = 0;
    }
    if let Some(counters) = &mut status.counters {
        counters.set("g", "done", 1);
    }
    status
}

/// The state a job ended in.
pub(crate) fn assert_succeeded(status: &JobStatus) {
    assert_eq!(status.state, JobState::Succeeded, "{}", status.failure_info);
}

/// Gets a page: status and body.
pub(crate) async fn get(daemon: &Daemon, address: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(daemon.http_address()).await.unwrap();
    let request = format!("GET {address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}
