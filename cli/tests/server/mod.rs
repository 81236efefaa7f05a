//! A JobTracker's port that answers as the recorded JobTracker did: its state comes from what was recorded.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use rpc::server::{BoxFuture, Caller, Outcome, Server, ServerOptions, Service};
use serde_json::Value;
use types::{
    AccessControlList, ClusterStatus, CompletionStatus, Counter, CounterGroup, Counters, ExceptionKind, JobId,
    JobPriority, JobProfile, JobQueueInfo, JobState, JobStatus, JobTrackerState, QueueAclsInfo, RemoteException,
    TaskCompletionEvent, TaskId, TaskKind, TaskReport, TipStatus, counter_names,
};
use wire::ipc::Method;
use wire::mapred::{admin, job_submission, refresh_authorization_policy, refresh_user_mappings};

const JT_IDENTIFIER: &str = "202611302334";

/// The text of a member that must be there.
pub(crate) fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_else(|| panic!("no text {member} in {value}"))
}

/// What the entry under replay tells of the JobTracker.
#[derive(Default)]
struct State {
    /// What the entry printed.
    stdout: String,
    staging: String,
    submissions: Vec<String>,
}

/// The server, which ends with the test.
pub(crate) struct RecordedJobTracker {
    port: u16,
    state: Arc<Mutex<State>>,
    _runtime: tokio::runtime::Runtime,
}

impl RecordedJobTracker {
    /// Listens on a free port.
    pub(crate) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("runs");
        let state = Arc::new(Mutex::new(State::default()));
        let service = Arc::new(Recorded(state.clone()));
        let bound = Server::bind("127.0.0.1:0", service, ServerOptions::default());
        let server = runtime.block_on(bound).expect("a port is free");
        let port = server.local_addr().expect("an address").port();
        runtime.spawn(server.run());
        RecordedJobTracker { port, state, _runtime: runtime }
    }

    /// `host:port`.
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// From now on answers as it did for this entry.
    pub(crate) fn recall(&self, entry: &Value) {
        lock(&self.state).stdout = text(entry, "stdout").to_owned();
    }

    /// Where jobs are to be staged.
    pub(crate) fn stage_in(&self, dir: &Path) {
        lock(&self.state).staging = format!("file:{}", dir.join("staging").display());
    }

    /// The staging directories of the jobs that were submitted.
    pub(crate) fn submissions(&self) -> Vec<String> {
        lock(&self.state).submissions.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

struct Recorded(Arc<Mutex<State>>);

impl Service for Recorded {
    fn serves(&self, protocol: &str) -> bool {
        protocol.starts_with("org.apache.hadoop.")
    }

    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome> {
        let mut state = lock(&self.0);
        let reply = match caller.protocol.as_str() {
            job_submission::NAME => jobs(&mut state, job_submission::Call::decode(&invocation).expect("a call")),
            admin::NAME => match admin::Call::decode(&invocation).expect("a call") {
                admin::Call::GetProtocolVersion(_) => version(admin::VERSION),
                admin::Call::RefreshQueues(_) => reply::<admin::RefreshQueues>(()),
                admin::Call::RefreshNodes(_) => reply::<admin::RefreshNodes>(()),
                admin::Call::SetSafeMode(_) => reply::<admin::SetSafeMode>(false),
            },
            refresh_user_mappings::NAME => match refresh_user_mappings::Call::decode(&invocation).expect("a call") {
                refresh_user_mappings::Call::GetProtocolVersion(_) => version(refresh_user_mappings::VERSION),
                _ => reply::<refresh_user_mappings::RefreshUserToGroupsMappings>(()),
            },
            _ => match refresh_authorization_policy::Call::decode(&invocation).expect("a call") {
                refresh_authorization_policy::Call::GetProtocolVersion(_) => {
                    version(refresh_authorization_policy::VERSION)
                }
                _ => Err(RemoteException::new(ExceptionKind::Authorization, "")),
            },
        };
        Box::pin(std::future::ready(match reply {
            Ok(bytes) => Outcome::Reply(bytes),
            Err(error) => Outcome::Error(error),
        }))
    }
}

type Reply = Result<Vec<u8>, RemoteException>;

fn reply<M: Method>(value: M::Reply) -> Reply {
    Ok(M::encode_reply(&value))
}

fn version(version: i64) -> Reply {
    reply::<wire::ipc::GetProtocolVersion>(version)
}

fn jobs(state: &mut State, call: job_submission::Call) -> Reply {
    use job_submission::*;
    match call {
        Call::GetProtocolVersion(_) => version(VERSION),
        Call::GetJobStatus(call) => reply::<GetJobStatus>(job_status(&call.job)),
        Call::GetJobProfile(call) => reply::<GetJobProfile>(job_status(&call.job).map(|_| profile(&call.job))),
        Call::GetJobCounters(call) => reply::<GetJobCounters>(job_status(&call.job).map(|_| counters(state))),
        Call::KillJob(_) => reply::<KillJob>(()),
        Call::SetJobPriority(_) => reply::<SetJobPriority>(()),
        Call::KillTask(call) => {
            let running = call.attempt.job().number == 5 && call.attempt.task.number < 2;
            reply::<KillTask>(running)
        }
        Call::GetTaskCompletionEvents(call) if call.from < 0 => {
            Err(RemoteException::io(format!("java.lang.IndexOutOfBoundsException: fromIndex = {}", call.from)))
        }
        Call::GetTaskCompletionEvents(_) => reply::<GetTaskCompletionEvents>(events(&state.stdout)),
        Call::JobsToComplete(_) => reply::<JobsToComplete>(job_table(&state.stdout)),
        Call::GetAllJobs(_) => reply::<GetAllJobs>(job_table(&state.stdout)),
        Call::GetJobsFromQueue(_) => reply::<GetJobsFromQueue>(job_table(&state.stdout)),
        Call::GetClusterStatus(_) => reply::<GetClusterStatus>(cluster()),
        Call::GetMapTaskReports(call) => reply::<GetMapTaskReports>(map_reports(&call.job)),
        Call::GetReduceTaskReports(call) => reply::<GetReduceTaskReports>(completed(&call.job, TaskKind::Reduce, 0)),
        Call::GetSetupTaskReports(call) => reply::<GetSetupTaskReports>(completed(&call.job, TaskKind::Map, 3)),
        Call::GetCleanupTaskReports(call) => reply::<GetCleanupTaskReports>(completed(&call.job, TaskKind::Map, 2)),
        Call::GetQueues(_) => reply::<GetQueues>(vec![queue("default"), queue("research")]),
        Call::GetQueueInfo(call) => reply::<GetQueueInfo>((call.queue != "nothing").then(|| queue(&call.queue))),
        Call::GetQueueAclsForCurrentUser(_) => reply::<GetQueueAclsForCurrentUser>(acls()),
        Call::GetQueueAdmins(_) => reply::<GetQueueAdmins>(AccessControlList::everybody()),
        Call::GetStagingAreaDir(_) => reply::<GetStagingAreaDir>(state.staging.clone()),
        Call::GetNewJobId(_) => reply::<GetNewJobId>(JobId::new(JT_IDENTIFIER, 1)),
        Call::SubmitJob(call) => {
            state.submissions.push(call.submit_dir);
            reply::<SubmitJob>(job_status(&call.job).expect("a job"))
        }
        other => Err(RemoteException::io(format!("{} was not recorded", other.method()))),
    }
}

/// The jobs of the recording; the others are unknown.
fn job_status(job: &JobId) -> Option<JobStatus> {
    let (state, map_progress) = match (&*job.jt_identifier, job.number) {
        (JT_IDENTIFIER, 1 | 2) => (JobState::Succeeded, 1.0),
        (JT_IDENTIFIER, 3) => (JobState::Failed, 1.0),
        (JT_IDENTIFIER, 4) => (JobState::Killed, 1.0),
        (JT_IDENTIFIER, 5) => (JobState::Running, 0.08724085),
        _ => return None,
    };
    let failure_info = match state {
        JobState::Failed => {
            "# of failed Map Tasks exceeded allowed limit. FailedCount: 1. LastFailedTask: \
             task_202611302334_0003_m_000000"
        }
        _ => "NA",
    };
    Some(JobStatus {
        map_progress,
        reduce_progress: if state == JobState::Running { 0.0 } else { 1.0 },
        failure_info: failure_info.to_owned(),
        ..status_row(job.clone(), state, 0, "root", JobPriority::Normal, "NA")
    })
}

fn status_row(
    job: JobId,
    state: JobState,
    start_time: i64,
    user: &str,
    priority: JobPriority,
    scheduling_info: &str,
) -> JobStatus {
    JobStatus {
        job,
        setup_progress: 1.0,
        map_progress: 0.0,
        reduce_progress: 0.0,
        cleanup_progress: 0.0,
        state,
        start_time,
        user: user.to_owned(),
        priority,
        scheduling_info: scheduling_info.to_owned(),
        acls: Vec::new(),
        failure_info: "NA".to_owned(),
    }
}

fn profile(job: &JobId) -> JobProfile {
    JobProfile {
        job: job.clone(),
        job_file: format!("file:/srv/hadoop/tmp/mapred/staging/root/.staging/{job}/job.xml"),
        url: format!("http://localhost:50030/jobdetails.jsp?jobid={job}"),
        user: "root".to_owned(),
        name: "x".to_owned(),
        queue: "default".to_owned(),
    }
}

/// The rows of a printed table of jobs.
fn job_table(stdout: &str) -> Vec<JobStatus> {
    let rows = stdout.lines().filter(|line| line.starts_with("job_"));
    rows.map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let state = JobState::from_number(fields[1].parse().expect("a number")).expect("a state");
        let priority = JobPriority::from_name(fields[4]).expect("a priority");
        let start_time = fields[2].parse().expect("a number");
        status_row(fields[0].parse().expect("an id"), state, start_time, fields[3], priority, fields[5])
    })
    .collect()
}

/// Counters that were printed, else the two that were asked for by name.
fn counters(state: &State) -> Counters {
    let mut counters = Counters::new();
    for line in state.stdout.lines() {
        match (line.strip_prefix("\t\t"), line.strip_prefix('\t')) {
            (Some(counter), _) => {
                let (display, value) = counter.split_once('=').expect("name and value");
                let group = counters.groups.last_mut().expect("a group");
                let (name, value) = (display.to_owned(), value.parse().expect("a number"));
                group.counters.push(Counter { display: name.clone(), name, value });
            }
            (None, Some(group)) => {
                let name = group.to_owned();
                counters.groups.push(CounterGroup { display: name.clone(), name, counters: Vec::new() });
            }
            _ => (),
        }
    }
    if counters.is_empty() {
        counters.set(counter_names::TASK, "MAP_INPUT_RECORDS", 4);
        counters.set(counter_names::FILE_SYSTEM, "FILE_BYTES_READ", 626);
    }
    counters
}

/// Events that were printed.
fn events(stdout: &str) -> Vec<TaskCompletionEvent> {
    let lines = stdout.lines().filter(|line| line.contains("/tasklog?"));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let (tracker, _) = fields[2].split_once("/tasklog").expect("an address");
            TaskCompletionEvent {
                attempt: fields[1].parse().expect("an id"),
                id_within_job: 0,
                is_map: true,
                status: CompletionStatus::from_name(fields[0]).expect("a status"),
                tracker_http: Some(tracker.to_owned()),
                run_time_ms: 0,
                event_id: 0,
            }
        })
        .collect()
}

fn cluster() -> ClusterStatus {
    ClusterStatus {
        active_count: 1,
        active: vec!["tracker_localhost:localhost/127.0.0.1:36369".to_owned()],
        blacklisted_count: 0,
        blacklisted: Vec::new(),
        graylisted_count: 0,
        graylisted: Vec::new(),
        excluded_count: 0,
        tracker_expiry_ms: 600_000,
        running_maps: 0,
        running_reduces: 0,
        map_slots: 2,
        reduce_slots: 2,
        used_memory: 0,
        max_memory: 0,
        state: JobTrackerState::Running,
    }
}

fn report(task: TaskId, status: TipStatus) -> TaskReport {
    let attempt = task.attempt(0);
    TaskReport {
        task,
        progress: 0.0,
        state: String::new(),
        start_time: 0,
        finish_time: 0,
        diagnostics: Vec::new(),
        counters: Counters::new(),
        status,
        running: if status == TipStatus::Running { vec![attempt.clone()] } else { Vec::new() },
        successful: (status == TipStatus::Complete).then_some(attempt),
    }
}

fn map_reports(job: &JobId) -> Vec<TaskReport> {
    let statuses: &[TipStatus] = match job.number {
        1 => &[TipStatus::Complete, TipStatus::Complete],
        3 => &[TipStatus::Failed, TipStatus::Killed],
        5 => &[TipStatus::Running, TipStatus::Running, TipStatus::Pending],
        _ => &[],
    };
    let tasks = statuses.iter().enumerate();
    tasks.map(|(number, status)| report(job.task(TaskKind::Map, number as i32), *status)).collect()
}

fn completed(job: &JobId, kind: TaskKind, number: i32) -> Vec<TaskReport> {
    if job.number > 5 {
        return Vec::new();
    }
    vec![report(job.task(kind, number), TipStatus::Complete)]
}

fn queue(name: &str) -> JobQueueInfo {
    let text = |text: &str| text.to_owned();
    JobQueueInfo { name: text(name), state: text("running"), scheduling_info: text("N/A") }
}

fn acls() -> Vec<QueueAclsInfo> {
    let operations = || ["acl-submit-job", "acl-administer-jobs"].map(|operation| Some(operation.to_owned())).to_vec();
    ["default", "research"].map(|queue| QueueAclsInfo { queue: queue.to_owned(), operations: operations() }).to_vec()
}
