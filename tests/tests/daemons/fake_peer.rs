//! A peer that behaves badly on purpose, at the JobTracker and at a TaskTracker's umbilical and shuffle, while a job
//! runs: real calls cut at every byte, impossible lengths, a thousand silent connections, other jobs' names and hashes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make, wait_until};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rpc::blocking::Client;
use rpc::{CallError, ClientOptions};
use serde_json::Value;
use types::{JobId, JvmContext, JvmId, TaskAttemptId, TaskKind, TipStatus};
use wire::credentials::read_storage;
use wire::ipc::{ConnectionHeader, PING, frame};
use wire::mapred::job_submission::{GetAllJobs, GetMapTaskReports, GetTaskCompletionEvents};
use wire::mapred::task_umbilical::{self, FatalError, GetTask, Ping};
use wire::{Writable, shuffle};

use crate::hostile_peers::{bytes, converse, error_class, resident_kib, umbilical};

/// What either daemon may grow by.
const GROWTH_KIB_MAX: u64 = 64 * 1024;
const IDLE_CONNECTIONS: usize = 1000;
const CLAIMED_FRAMES: usize = 20;
const DEADLINE: Duration = Duration::from_secs(120);

/// The beginning of a connection and, by method, the first call of each kind that a program of Hadoop's sent on it.
struct Recorded {
    opening: Vec<u8>,
    calls: BTreeMap<String, Vec<u8>>,
}

fn recorded(name: &str) -> Recorded {
    let path = format!("{}/vectors/captures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let capture: Value = serde_json::from_str(&text).expect("a capture");
    let mut recorded = Recorded { opening: Vec::new(), calls: BTreeMap::new() };
    for event in capture["events"].as_array().expect("events").iter().filter(|event| event["dir"] == "C") {
        match event["gloss"]["method"].as_str() {
            None => recorded.opening.extend(bytes(&event["hex"])),
            Some(method) => {
                recorded.calls.entry(method.to_owned()).or_insert_with(|| bytes(&event["hex"]));
            }
        }
    }
    recorded
}

/// A cluster with a job that runs until `open` is called.
struct Scene {
    cluster: Cluster,
    gate: PathBuf,
}

impl Scene {
    fn start() -> Scene {
        let cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
        let gate = cluster.dir().join("gate");
        let script = cluster.dir().join("wait.sh");
        let dir = cluster.dir().display();
        let text = format!("while [ -d {dir} ] && [ ! -e {} ]; do sleep 0.2; done\nexec cat\n", gate.display());
        fs::write(&script, text).expect("a script");
        fs::write(cluster.dir().join("text"), "one\n").expect("a text");
        Scene { cluster, gate }
    }

    /// Runs a job whose reduce stands still while `meanwhile` is at it, and fails unless it then succeeds.
    fn beside_a_job(&self, meanwhile: impl FnOnce(&JobId)) {
        let reducer = format!("sh {}", self.cluster.dir().join("wait.sh").display());
        std::thread::scope(|scope| {
            let client = scope.spawn(|| {
                let args = ["streaming", "-D", "mapred.map.tasks=1", "-input", "text", "-output", "out"];
                self.cluster.hadoop(&[&args[..], &["-mapper", "cat", "-reducer", &reducer]].concat())
            });
            let mut job = None;
            let has_map = wait_until(DEADLINE, || {
                let rpc = self.cluster.rpc_client();
                job = rpc.call(&GetAllJobs {}).ok().and_then(|jobs| jobs.first().map(|status| status.job.clone()));
                let maps = job.clone().and_then(|job| rpc.call(&GetMapTaskReports { job }).ok());
                maps.is_some_and(|maps| maps.first().is_some_and(|map| map.status == TipStatus::Complete))
            });
            assert!(has_map, "the map is not done");
            let gate = OpenAtTheEnd(&self.gate);
            meanwhile(&job.expect("awaited"));
            drop(gate);
            client.join().expect("the client").expect_success();
        });
        assert_eq!(fs::read_to_string(self.cluster.dir().join("out/part-00000")).expect("the output"), "one\t\n");
    }

    fn jobtracker(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.cluster.rpc_port))
    }

    fn umbilical(&self) -> SocketAddr {
        umbilical(&self.cluster.tasktrackers[0])
    }
}

/// Lets the reduce go on, also when a test fails.
struct OpenAtTheEnd<'a>(&'a Path);

impl Drop for OpenAtTheEnd<'_> {
    fn drop(&mut self) {
        fs::write(self.0, "").expect("the gate");
    }
}

/// Which recorded conversations are whose.
const TO_THE_JOBTRACKER: [&str; 4] =
    ["client-queries", "client-wordcount", "tasktracker-jobtracker", "admin-operations"];
const TO_THE_UMBILICAL: [&str; 5] = ["child-map", "child-reduce", "child-setup", "child-cleanup", "child-task-cleanup"];

#[test]
fn calls_cut_at_every_byte_and_a_thousand_idle_peers_beside_a_job() {
    // This process holds the other ends of all connections.
    let (_, descriptors) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    setrlimit(Resource::RLIMIT_NOFILE, descriptors, descriptors).expect("the soft limit may be raised");
    let mut scene = Scene::start();
    let before = [resident_kib(&scene.cluster.jobtracker), resident_kib(&scene.cluster.tasktrackers[0])];
    scene.beside_a_job(|_| {
        let targets = [(scene.jobtracker(), &TO_THE_JOBTRACKER[..]), (scene.umbilical(), &TO_THE_UMBILICAL[..])];
        let mut idle = Vec::new();
        for (address, names) in targets {
            let opening = recorded(names[0]).opening;
            idle.extend((0..IDLE_CONNECTIONS).map(|number| idle_connection(address, &opening, number)));
            for name in names {
                send_cut_calls(address, name);
            }
            send_claims(address, &opening);
        }
        assert_eq!(scene.cluster.active_trackers(), Some(1), "beside {} idle peers", idle.len());
        let after = [resident_kib(&scene.cluster.jobtracker), resident_kib(&scene.cluster.tasktrackers[0])];
        for (before, after) in before.into_iter().zip(after) {
            let grown = after.saturating_sub(before);
            assert!(grown <= GROWTH_KIB_MAX, "{grown} KiB more than the {before} KiB before");
        }
    });
    assert!(scene.cluster.jobtracker.is_running() && scene.cluster.tasktrackers[0].is_running());
}

/// A connection that says nothing, or a beginning and no more.
fn idle_connection(address: SocketAddr, opening: &[u8], number: usize) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("the RPC port");
    let said = [0, 4, opening.len() / 2, opening.len()][number % 4];
    stream.write_all(&opening[..said]).expect("a beginning");
    stream
}

/// Every call of a recorded conversation, cut at every byte: Hadoop drops the connection without a word.
fn send_cut_calls(address: SocketAddr, name: &str) {
    let recorded = recorded(name);
    assert!(!recorded.calls.is_empty(), "{name}");
    for cut in 0..recorded.opening.len() {
        assert_eq!(converse(address, &recorded.opening[..cut]), b"", "{name}: the opening cut after {cut} bytes");
    }
    for (method, call) in &recorded.calls {
        for cut in 0..call.len() {
            let sent = [&recorded.opening[..], &call[..cut]].concat();
            assert_eq!(converse(address, &sent), b"", "{name}: {method} cut after {cut} bytes");
        }
    }
}

/// Lengths that no frame can have, and the one that is a ping.
fn send_claims(address: SocketAddr, opening: &[u8]) {
    for claimed in [i32::MAX, i32::MIN, -2] {
        for _ in 0..CLAIMED_FRAMES {
            let sent = [opening, &claimed.to_be_bytes(), &[0; 4096]].concat();
            assert_eq!(converse(address, &sent), b"", "a frame of {claimed} bytes was answered");
        }
    }
    assert_eq!(PING, [0xff; 4]);
    assert_eq!(converse(address, &[opening, &PING, &PING].concat()), b"", "a ping was answered");
}

#[test]
fn a_peer_of_rpc_version_9_is_told_in_its_own_tongue() {
    let scene = Scene::start();
    let jobtracker = format!("127.0.0.1:{} is a MapReduce JobTracker", scene.cluster.rpc_port);
    let pages = format!("http://127.0.0.1:{}/", scene.cluster.http_port);
    for (address, texts) in [
        (scene.jobtracker(), vec!["version 4", "version 9", &jobtracker.replace("127.0.0.1", ""), &pages]),
        (scene.umbilical(), vec!["version 4", "version 9", "umbilical port of a TaskTracker"]),
    ] {
        // The preamble of a client of Hadoop 3: magic, version, service class, no authentication.
        let answered = converse(address, b"hrpc\x09\x00\x00");
        let length = u32::from_be_bytes(answered[..4].try_into().expect("a frame's length"));
        assert_eq!(length as usize, answered.len() - 4, "one frame");
        // RpcResponseHeaderProto: callId -1, status FATAL, serverIpcVersionNum 4, in the order of their numbers.
        let mut at = 4;
        while answered[at] & 0x80 != 0 {
            at += 1;
        }
        let fields = [0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x10, 0x02, 0x18, 0x04];
        assert_eq!(&answered[at + 1..at + 11], fields, "{answered:02x?}");
        let text = String::from_utf8_lossy(&answered);
        assert!(text.contains("org.apache.hadoop.ipc.RPC$VersionMismatch"), "{text}");
        for wanted in texts {
            let wanted = wanted.trim_start_matches("http://127.0.0.1");
            assert!(text.contains(wanted), "{wanted:?} is not in {text}");
        }
    }
}

#[test]
fn another_jobs_name_and_hash_open_nothing() {
    let scene = Scene::start();
    scene.beside_a_job(|job| {
        let attempt = job.task(TaskKind::Map, 0).attempt(0);
        assert_umbilical_refuses(&scene, &attempt);
        assert_shuffle_refuses(&scene, &attempt);
    });
}

fn assert_umbilical_refuses(scene: &Scene, attempt: &TaskAttemptId) {
    let other = JobId::new(attempt.job().jt_identifier.clone(), attempt.job().number + 1);
    let context = |job: &JobId| JvmContext {
        jvm: JvmId { job: job.clone(), kind: TaskKind::Map, number: 7 },
        pid: "1".to_owned(),
    };
    let as_job = |user: &str| {
        let options = ClientOptions { call_timeout: Some(DEADLINE), ..ClientOptions::for_user(user) };
        Client::new(scene.umbilical().to_string(), task_umbilical::NAME, options)
    };
    let (owner, stranger) = (as_job(&attempt.job().to_string()), as_job(&other.to_string()));
    let wanted = format!("JVM with {other} is not authorized for {}", attempt.job());
    let check = |what: &str, error: CallError| {
        let remote = error.remote().unwrap_or_else(|| panic!("{what}: {error}"));
        assert!(remote.message.contains(&wanted), "{what}: {remote:?}");
    };
    let ping = Ping { attempt: attempt.clone(), context: context(attempt.job()) };
    check("ping", stranger.call(&ping).expect_err("a stranger's ping"));
    let task = GetTask { context: context(attempt.job()) };
    check("getTask", stranger.call(&task).expect_err("a stranger asks for a task"));
    let fatal =
        FatalError { attempt: attempt.clone(), message: "not mine".to_owned(), context: context(attempt.job()) };
    check("fatalError", stranger.call(&fatal).expect_err("a stranger fails an attempt"));
    // In the job's own name, but from a JVM that nobody started: there is no task for it, and it should die.
    let answer = owner.call(&task).expect("an answer");
    assert!(answer.should_die && answer.task.is_none(), "{answer:?}");
    // A header of another protocol is no way in.
    let mut header = hadoop_io::DataOutput::new();
    ConnectionHeader { protocol: "no.such.Protocol".into(), user: Some("x".into()), real_user: None }
        .write(&mut header);
    let sent = [b"hrpc\x04\x50", &frame(header.as_bytes())[..]].concat();
    assert_eq!(error_class(&converse(scene.umbilical(), &sent)), None);
}

fn assert_shuffle_refuses(scene: &Scene, attempt: &TaskAttemptId) {
    let call = GetTaskCompletionEvents { job: attempt.job().clone(), from: 0, max: 100 };
    let events = scene.cluster.rpc_client().call(&call).expect("events");
    let event = events.into_iter().find(|event| event.attempt == *attempt).expect("the map's event");
    let tracker = scene.cluster.tracker_at(event.tracker_http.as_deref().expect("its tracker"));
    let port = scene.cluster.tracker_ports[tracker];
    let uri = format!("/mapOutput?job={}&map={attempt}&reduce=0", attempt.job());
    let path = scene.cluster.dir().join(format!("tmp/mapred/system/{}/jobToken", attempt.job()));
    let storage = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let credentials = read_storage(&storage).expect("credentials");
    let (_, token) =
        credentials.tokens.iter().find(|(_, token)| token.kind == "mapreduce.job").expect("the job's token");
    let mut wrong = token.password.clone();
    wrong[0] ^= 1;
    let right = shuffle::url_hash(&token.password, port, &uri);
    let hashes = [
        (None, 401),
        (Some(String::new()), 401),
        (Some("no base 64!".to_owned()), 401),
        (Some(shuffle::url_hash(&wrong, port, &uri)), 401),
        (Some(shuffle::url_hash(&token.password, port, &uri.replace("reduce=0", "reduce=1"))), 401),
        (Some(right.clone()), 200),
    ];
    for (hash, status) in hashes {
        let header = hash.as_ref().map(|hash| format!("UrlHash: {hash}\r\n")).unwrap_or_default();
        let request = format!("GET {uri} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}Connection: close\r\n\r\n");
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the shuffle's port");
        stream.set_read_timeout(Some(DEADLINE)).expect("a time limit");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answered = Vec::new();
        stream.read_to_end(&mut answered).expect("an answer");
        let text = String::from_utf8_lossy(&answered);
        assert!(text.starts_with(&format!("HTTP/1.1 {status} ")), "{hash:?}: {text}");
    }
}
