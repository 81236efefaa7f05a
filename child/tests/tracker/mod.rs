//! A TaskTracker in the test's own process: it hands attempts to real `child` processes, keeps what they say, and serves
//! map output.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use configuration::{Configuration, keys};
use hadoop_io::spill_index;
use rpc::server::{BoxFuture, Caller, Outcome, SecretManager, Security, Server, ServerOptions, Service, TokenOwner};
use types::{
    CompletionStatus, Counters, Credentials, JobId, JvmTask, MapTaskCompletionEventsUpdate, Phase, ReduceProgress,
    SortedRanges, Task, TaskAttemptId, TaskCompletionEvent, TaskDetail, TaskKind, TaskSplitIndex, TaskState,
    TaskStatus, Token,
};
use wire::ipc::Method;
use wire::mapred::task_umbilical::{self as protocol, Call};
use wire::{credentials, shuffle, splits};

/// The password of the job's token.
const PASSWORD: &[u8] = b"20 bytes of a secret";

/// What the tracker knows and was told.
#[derive(Default)]
pub(crate) struct Told {
    /// Attempts that wait for a child.
    pub(crate) tasks: VecDeque<Task>,
    /// Every call but `getTask`, in order.
    pub(crate) calls: Vec<Call>,
    /// What a reduce may fetch.
    pub(crate) events: Vec<TaskCompletionEvent>,
    /// So many times more `canCommit` answers no.
    pub(crate) commit_refusals: usize,
    /// Whether a status or ping is answered with "unknown".
    pub(crate) unknown: bool,
    /// Who called, and whether with a token.
    pub(crate) callers: Vec<(String, bool)>,
    /// Methods that break the connection off instead of answering.
    pub(crate) deaf: Vec<&'static str>,
    /// So many fetches more are answered with 410.
    pub(crate) fetch_refusals: usize,
}

/// The tracker, with a job's files under one temporary directory.
pub(crate) struct Tracker {
    root: tempfile::TempDir,
    told: Arc<Mutex<Told>>,
    rpc_port: u16,
    http_port: u16,
    _runtime: tokio::runtime::Runtime,
    /// The job's configuration.
    pub(crate) conf: Configuration,
}

/// What a child left behind.
pub(crate) struct Ran {
    /// Its exit code.
    pub(crate) code: Option<i32>,
    /// Its calls but `getTask`.
    pub(crate) calls: Vec<Call>,
    /// Its log.
    pub(crate) syslog: String,
}

struct Umbilical(Arc<Mutex<Told>>);

fn reply<M: Method>(_: &M, value: M::Reply) -> Outcome {
    Outcome::Reply(M::encode_reply(&value))
}

impl Umbilical {
    fn answer(&self, call: &Call) -> Outcome {
        let mut told = self.0.lock().unwrap();
        let known = !told.unknown;
        if told.deaf.contains(&call.method()) {
            return Outcome::Close;
        }
        match call {
            Call::GetProtocolVersion(call) => reply(call, protocol::VERSION),
            Call::GetTask(call) => {
                let task = told.tasks.pop_front();
                reply(call, JvmTask { should_die: task.is_none(), task })
            }
            Call::StatusUpdate(call) => reply(call, known),
            Call::Ping(call) => reply(call, known),
            Call::CanCommit(call) => {
                let refused = told.commit_refusals > 0;
                told.commit_refusals = told.commit_refusals.saturating_sub(1);
                reply(call, !refused)
            }
            Call::Done(call) => reply(call, ()),
            Call::CommitPending(call) => reply(call, ()),
            Call::ReportDiagnosticInfo(call) => reply(call, ()),
            Call::FsError(call) => reply(call, ()),
            Call::FatalError(call) => reply(call, ()),
            Call::ShuffleError(call) => reply(call, ()),
            Call::GetMapCompletionEvents(call) => {
                let events = told.events.iter().skip(call.from as usize).cloned().collect();
                reply(call, MapTaskCompletionEventsUpdate { reset: false, events })
            }
            _ => Outcome::Close,
        }
    }
}

impl Service for Umbilical {
    fn serves(&self, protocol: &str) -> bool {
        protocol == protocol::NAME
    }

    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome> {
        let call = Call::decode(&invocation).unwrap();
        let outcome = self.answer(&call);
        let mut told = self.0.lock().unwrap();
        let who = (caller.user.clone(), caller.by_token);
        if !told.callers.contains(&who) {
            told.callers.push(who);
        }
        if !matches!(call, Call::GetTask(_) | Call::GetProtocolVersion(_)) {
            told.calls.push(call);
        }
        Box::pin(std::future::ready(outcome))
    }
}

struct OneToken;

impl SecretManager for OneToken {
    fn owner(&self, identifier: &[u8]) -> Result<TokenOwner, types::RemoteException> {
        assert_eq!(identifier, b"identifier");
        Ok(TokenOwner { password: PASSWORD.to_vec(), user: "job_1_0001".to_owned(), real_user: None })
    }
}

impl Tracker {
    /// A tracker without security.
    pub(crate) fn start() -> Self {
        Self::start_with(Security::Simple)
    }

    /// A tracker that wants the job's token.
    pub(crate) fn start_secure() -> Self {
        Self::start_with(Security::Tokens(Arc::new(OneToken)))
    }

    fn start_with(security: Security) -> Self {
        let root = tempfile::tempdir().unwrap();
        let told = Arc::new(Mutex::new(Told::default()));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let service = Arc::new(Umbilical(told.clone()));
        let options = ServerOptions { security, ..ServerOptions::default() };
        let server = runtime.block_on(Server::bind("127.0.0.1:0", service, options)).unwrap();
        let rpc_port = server.local_addr().unwrap().port();
        runtime.spawn(server.run());
        let http_port = serve_map_output(root.path().join("local"), told.clone());
        let tracker = Tracker { conf: Configuration::new(), root, told, rpc_port, http_port, _runtime: runtime };
        tracker.prepare()
    }

    fn prepare(mut self) -> Self {
        for dir in ["local", "logs", "in"] {
            std::fs::create_dir(self.path(dir)).unwrap();
        }
        let token = Token {
            identifier: b"identifier".to_vec(),
            password: PASSWORD.to_vec(),
            kind: credentials::JOB_TOKEN_KIND.to_owned(),
            service: "job_1_0001".to_owned(),
        };
        let mut tokens = Credentials::default();
        tokens.set_token(Credentials::JOB_TOKEN, token);
        std::fs::write(self.path("jobToken"), credentials::write_storage(&tokens)).unwrap();
        let (local, out) = (self.path("local"), self.path("out"));
        self.conf.set_key(&keys::MAPRED_LOCAL_DIR, local.display());
        self.conf.set_key(&keys::MAPRED_OUTPUT_DIR, out.display());
        self.conf.set_key(&keys::USER_NAME, "u");
        self
    }

    /// A path under the test's directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// What was told so far.
    pub(crate) fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap()
    }

    /// Writes an input file and returns a map over all of it, under the old interface.
    pub(crate) fn map(&self, number: i32, text: &[u8]) -> Task {
        let input = self.path("in").join(format!("{number}"));
        std::fs::write(&input, text).unwrap();
        let split =
            splits::FileSplit { path: format!("file:{}", input.display()), start: 0, length: text.len() as i64 };
        let mut writer = splits::SplitWriter::new();
        let start_offset = writer.push(&if self.conf.get(&keys::MAPRED_MAPPER_NEW_API).unwrap() {
            split.store_new()
        } else {
            split.store_old()
        });
        let file = self.path(&format!("job.split.{number}"));
        std::fs::write(&file, writer.into_bytes()).unwrap();
        let split_location = format!("file:{}", file.display());
        self.task(TaskKind::Map, number, TaskDetail::Map(TaskSplitIndex { split_location, start_offset }))
    }

    /// A reduce.
    pub(crate) fn reduce(&self, number: i32, maps: i32) -> Task {
        self.task(TaskKind::Reduce, number, TaskDetail::Reduce { maps })
    }

    /// An attempt; for setup and cleanup the caller sets what makes it one.
    pub(crate) fn task(&self, kind: TaskKind, number: i32, detail: TaskDetail) -> Task {
        let attempt = JobId::new("1", 1).task(kind, number).attempt(0);
        let status = TaskStatus {
            attempt: attempt.clone(),
            progress: 0.0,
            slots: 1,
            state: TaskState::Unassigned,
            diagnostics: String::new(),
            state_string: String::new(),
            phase: if kind.is_map() { Phase::Map } else { Phase::Shuffle },
            start_time: 0,
            finish_time: 0,
            output_size: -1,
            counters: Some(Counters::new()),
            next_records: types::SortedRange::default(),
            reduce: (!kind.is_map()).then(ReduceProgress::default),
        };
        Task {
            job_file: self.path("job.xml").display().to_string(),
            attempt,
            partition: number,
            slots_required: 1,
            status,
            skip_ranges: SortedRanges::default(),
            skipping: false,
            job_cleanup: None,
            job_setup: false,
            write_skip_records: true,
            task_cleanup: false,
            user: "u".to_owned(),
            detail,
        }
    }

    /// Tells reduces that a map's output can be fetched here.
    pub(crate) fn completed(&self, map: &TaskAttemptId) {
        let mut told = self.told();
        let event = TaskCompletionEvent {
            attempt: map.clone(),
            id_within_job: map.task.number,
            is_map: true,
            status: CompletionStatus::Succeeded,
            tracker_http: Some(format!("http://127.0.0.1:{}", self.http_port)),
            run_time_ms: 1,
            event_id: told.events.len() as i32,
        };
        told.events.push(event);
    }

    /// Runs one child over these attempts, to its end.
    pub(crate) fn run(&self, tasks: impl IntoIterator<Item = Task>) -> Ran {
        let tasks: VecDeque<Task> = tasks.into_iter().collect();
        let attempt = tasks[0].attempt.to_string();
        std::fs::write(self.path("job.xml"), self.conf.to_xml()).unwrap();
        {
            let mut told = self.told();
            told.tasks = tasks;
            told.calls.clear();
            told.callers.clear();
        }
        let (logs, work) = (self.path("logs").join(&attempt), self.path("local/work"));
        std::fs::create_dir_all(&logs).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_child"))
            .args(["127.0.0.1", &self.rpc_port.to_string(), &attempt])
            .arg(&logs)
            .arg("-5")
            .env("HADOOP_TOKEN_FILE_LOCATION", self.path("jobToken"))
            .env("HADOOP_WORK_DIR", &work)
            .env("JVM_PID", "4711")
            .current_dir(&work)
            .status()
            .unwrap();
        let syslog = std::fs::read_to_string(logs.join("syslog")).unwrap();
        Ran { code: status.code(), calls: std::mem::take(&mut self.told().calls), syslog }
    }

    /// The directory of an attempt.
    pub(crate) fn attempt_dir(&self, attempt: &TaskAttemptId) -> PathBuf {
        attempt_dir(&self.path("local"), &attempt.to_string())
    }

    /// The text of an output file.
    pub(crate) fn output(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("out").join(name)).unwrap()
    }
}

fn attempt_dir(local: &Path, attempt: &str) -> PathBuf {
    local.join("taskTracker/u/jobcache/job_1_0001").join(attempt)
}

impl Ran {
    /// The names of the calls, repeated ones once.
    pub(crate) fn call_names(&self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.calls.iter().map(Call::method).collect();
        names.dedup();
        names
    }

    /// The last status.
    pub(crate) fn status(&self) -> &TaskStatus {
        let mut updates = self.calls.iter().filter_map(|call| match call {
            Call::StatusUpdate(update) => Some(&update.status),
            _ => None,
        });
        updates.next_back().unwrap()
    }

    /// A framework counter of the last status; `None` if it was not reported.
    pub(crate) fn counter(&self, name: &str) -> Option<i64> {
        let group = match name {
            "BYTES_READ" => types::counter_names::FILE_INPUT,
            "BYTES_WRITTEN" => types::counter_names::FILE_OUTPUT,
            _ => types::counter_names::TASK,
        };
        self.status().counters.as_ref().unwrap().get(group, name)
    }
}

fn serve_map_output(local: PathBuf, told: Arc<Mutex<Told>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer_fetch(stream, port, &local, &told);
        }
    });
    port
}

fn answer_fetch(mut stream: TcpStream, port: u16, local: &Path, told: &Mutex<Told>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let uri = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let proof = headers.iter().find_map(|line| line.strip_prefix("UrlHash: ")).unwrap().to_owned();
    assert!(shuffle::verify_url_hash(PASSWORD, port, &uri, &proof));
    let mut told = told.lock().unwrap();
    if told.fetch_refusals > 0 {
        told.fetch_refusals -= 1;
        let _ = stream.write_all(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n");
        return;
    }
    drop(told);
    let request = shuffle::MapOutputRequest::parse_query(uri.split_once('?').unwrap().1).unwrap();
    let dir = attempt_dir(local, &request.map.to_string()).join("output");
    let index = spill_index::decode(&std::fs::read(dir.join("file.out.index")).unwrap()).unwrap();
    let record = index[request.reduce as usize];
    let file = std::fs::read(dir.join("file.out")).unwrap();
    let segment = &file[record.start as usize..(record.start + record.part_len) as usize];
    let head = format!(
        "HTTP/1.1 200 OK\r\nReplyHash: {}\r\nfrom-map-task: {}\r\nRaw-Map-Output-Length: {}\r\n\
         Map-Output-Length: {}\r\nfor-reduce-task: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        shuffle::reply_hash(PASSWORD, &proof),
        request.map,
        record.raw_len,
        record.part_len,
        request.reduce
    );
    let mut body = head.into_bytes();
    for chunk in segment.chunks(1000) {
        body.extend(format!("{:x}\r\n", chunk.len()).bytes());
        body.extend_from_slice(chunk);
        body.extend(b"\r\n");
    }
    body.extend(b"0\r\n\r\n");
    let _ = stream.write_all(&body);
}
