//! The HTTP server, asked as the real one was asked: `tests/vectors/captures/raw-http.json`.

use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use configuration::Configuration;
use hadoop_io::spill_index::{self, IndexRecord};
use serde_json::Value;
use tasktracker::http::{HttpServer, Services, Tracker};
use tasktracker::localizer::{JobSecret, JobSecrets, LocalDirs};
use tasktracker::user_logs::UserLogs;
use tasktracker_core::View;
use types::TaskAttemptId;

const MAP: &str = "attempt_202611302130_0002_m_000000_0";
const JOB: &str = "job_202611302130_0002";

#[derive(Default)]
struct FakeTracker {
    lost: Mutex<Vec<(TaskAttemptId, String)>>,
}

impl Tracker for FakeTracker {
    fn view(&self) -> Pin<Box<dyn Future<Output = View> + Send + '_>> {
        Box::pin(async { View { name: "tracker_h:h/127.0.0.1:1".into(), ..View::default() } })
    }

    fn map_output_lost(&self, attempt: TaskAttemptId, reason: String) {
        self.lost.lock().unwrap().push((attempt, reason));
    }
}

struct Fixture {
    root: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
    tracker: Arc<FakeTracker>,
    server: HttpServer,
    password: Vec<u8>,
    capture: Value,
}

/// An answer without its chunks.
struct Answer {
    status: u16,
    reason: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Whether the answer came to its end.
    whole: bool,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

fn fixture() -> Fixture {
    fixture_at("127.0.0.1:0")
}

fn fixture_at(address: &str) -> Fixture {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/captures/raw-http.json");
    let capture: Value = serde_json::from_str(&std::fs::read_to_string(vectors).unwrap()).unwrap();
    let password = bytes_of_hex(capture[0]["jobTokenPassword"].as_str().unwrap());
    let root = tempfile::tempdir().unwrap();
    let local = root.path().join("local");
    std::fs::create_dir(&local).unwrap();
    let dirs = Arc::new(LocalDirs::new(vec![local]));
    let logs = Arc::new(UserLogs::new(&root.path().join("logs"), dirs.clone()).unwrap());
    let secrets = Arc::new(JobSecrets::default());
    secrets.put(&JOB.parse().unwrap(), JobSecret { user: "root".into(), password: password.clone() });
    let tracker = Arc::new(FakeTracker::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let services = Services {
        tracker: tracker.clone(),
        secrets,
        dirs,
        logs,
        conf: Configuration::new(),
        log_dir: root.path().join("logs"),
    };
    let server = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await.unwrap();
        HttpServer::start(listener, services).unwrap()
    });
    Fixture { root, runtime, tracker, server, password, capture }
}

impl Fixture {
    fn output_dir(&self) -> PathBuf {
        self.root.path().join(format!("local/taskTracker/root/jobcache/{JOB}/{MAP}/output"))
    }

    fn write_output(&self, parts: &[&[u8]]) {
        std::fs::create_dir_all(self.output_dir()).unwrap();
        let mut start = 0;
        let mut records = Vec::new();
        for part in parts {
            let part_len = part.len() as u64;
            records.push(IndexRecord { start, raw_len: part_len - 4, part_len });
            start += part_len;
        }
        std::fs::write(self.output_dir().join("file.out"), parts.concat()).unwrap();
        std::fs::write(self.output_dir().join("file.out.index"), spill_index::encode(&records)).unwrap();
    }

    fn recorded(&self, name: &str) -> (String, Vec<u8>) {
        let all = self.capture.as_array().unwrap();
        let exchange = all.iter().find(|exchange| exchange["name"] == name).unwrap();
        let text = exchange["events"][0]["text"].as_str().unwrap().to_owned();
        let answer = exchange["events"].as_array().unwrap()[1..].iter();
        (text, answer.flat_map(|event| bytes_of_hex(event["hex"].as_str().unwrap())).collect())
    }

    /// Sends bytes and reads until the server closes.
    fn exchange(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.server.address()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A connection that breaks off may end in an error; what came until then counts.
        let _ = stream.read_to_end(&mut bytes);
        parse(&bytes)
    }

    /// A recorded request with a proof that holds for this server's port, if the recorded one held.
    fn replay(&self, name: &str) -> (Answer, Answer) {
        let (mut text, recorded) = self.recorded(name);
        let uri = text.split(' ').nth(1).unwrap().to_owned();
        if let Some(line) = text.lines().find(|line| line.starts_with("UrlHash: ")).map(str::to_owned) {
            let old = line.strip_prefix("UrlHash: ").unwrap();
            if wire::shuffle::verify_url_hash(&self.password, 19160, &uri, old) {
                let new = wire::shuffle::url_hash(&self.password, self.server.port(), &uri);
                text = text.replace(old, &new);
            }
        }
        (self.exchange(&text), parse(&recorded))
    }

    fn get(&self, uri: &str, headers: &str) -> Answer {
        self.exchange(&format!("GET {uri} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n"))
    }

    fn signed(&self, reduce: i32) -> Answer {
        let uri = format!("/mapOutput?job={JOB}&map={MAP}&reduce={reduce}");
        let proof = wire::shuffle::url_hash(&self.password, self.server.port(), &uri);
        self.get(&uri, &format!("UrlHash: {proof}\r\n"))
    }

    fn lost(&self) -> Vec<String> {
        self.tracker.lost.lock().unwrap().iter().map(|(attempt, _)| attempt.to_string()).collect()
    }
}

fn bytes_of_hex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap().splitn(3, ' ');
    let status = first.nth(1).unwrap().parse().unwrap();
    let reason = first.next().unwrap_or("").to_owned();
    let headers = lines.map(|line| line.split_once(": ").unwrap());
    let headers: Vec<_> = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut answer = Answer { status, reason, headers, body: bytes[end + 4..].to_vec(), whole: true };
    if answer.header("transfer-encoding") == Some("chunked") {
        (answer.body, answer.whole) = unchunk(&answer.body);
    }
    answer
}

fn unchunk(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..at]).unwrap(), 16).unwrap();
        if length == 0 {
            return (body, true);
        }
        let rest = &bytes[at + 2..];
        body.extend_from_slice(&rest[..length.min(rest.len())]);
        bytes = rest.get(length + 2..).unwrap_or(b"");
    }
    (body, false)
}

#[test]
fn a_signed_fetch_is_answered_as_hadoop_answers_it() {
    let f = fixture();
    let (_, recorded) = f.recorded("mapOutput_ok");
    let segment = parse(&recorded).body;
    f.write_output(&[&segment]);
    let (ours, hadoops) = f.replay("mapOutput_ok");
    assert_eq!((ours.status, &ours.body, ours.whole), (200, &hadoops.body, true));
    for name in ["from-map-task", "Raw-Map-Output-Length", "Map-Output-Length", "for-reduce-task", "Content-Type"] {
        assert_eq!(ours.header(name), hadoops.header(name), "{name}");
    }
    assert_eq!(ours.header("Content-Length"), None);
    let uri = format!("/mapOutput?job={JOB}&map={MAP}&reduce=0");
    let proof = wire::shuffle::url_hash(&f.password, f.server.port(), &uri);
    assert!(wire::shuffle::verify_reply_hash(&f.password, &proof, ours.header("ReplyHash").unwrap()));
    assert!(f.lost().is_empty());
}

#[test]
fn refusals_have_hadoops_codes_and_reasons() {
    let f = fixture();
    f.write_output(&[b"xxxx"]);
    for name in [
        "mapOutput_badhash",
        "mapOutput_nohash",
        "mapOutput_nojob",
        "mapOutput_nomap",
        "mapOutput_unknownjob",
        "tasklog_noattempt",
        "tasklog_unknown",
    ] {
        let (ours, hadoops) = f.replay(name);
        assert_eq!(ours.status, hadoops.status, "{name}");
        assert!(ours.reason.eq_ignore_ascii_case(&hadoops.reason), "{name}: {:?} {:?}", ours.reason, hadoops.reason);
        for header in ["Content-Type", "Cache-Control"] {
            assert_eq!(ours.header(header), hadoops.header(header), "{name} {header}");
        }
    }
    assert!(f.lost().is_empty(), "a request without a proof costs no map");
}

#[test]
fn what_cannot_be_read_is_gone_and_the_map_is_lost() {
    let f = fixture();
    f.write_output(&[b"xxxx"]);
    let (ours, hadoops) = f.replay("mapOutput_badreduce");
    assert_eq!((ours.status, hadoops.status), (410, 410));
    let first = |reason: &str| reason.split("Info Length = 1").next().unwrap().to_owned();
    assert_eq!(first(&ours.reason), first(&hadoops.reason));
    assert_eq!(f.lost(), [MAP]);
    // An index of more than there is.
    std::fs::write(f.output_dir().join("file.out"), b"x").unwrap();
    assert_eq!(f.signed(0).status, 410);
    std::fs::remove_dir_all(f.output_dir()).unwrap();
    assert_eq!(f.signed(0).status, 410);
    assert_eq!(f.lost(), [MAP, MAP, MAP]);
}

#[test]
fn large_and_empty_parts_arrive_whole() {
    let f = fixture();
    let large: Vec<u8> = (0..3_000_000_u32).map(|at| (at / 7) as u8).collect();
    f.write_output(&[b"\xff\xff\x01\x02\x03\x04", &large, b"last"]);
    for (reduce, expected) in [(0, &b"\xff\xff\x01\x02\x03\x04"[..]), (1, &large), (2, b"last")] {
        let answer = f.signed(reduce);
        assert_eq!((answer.status, answer.whole), (200, true), "{reduce}");
        assert!(answer.body == expected, "{reduce}");
        assert_eq!(answer.header("Map-Output-Length").unwrap(), expected.len().to_string());
    }
}

#[test]
fn one_connection_serves_many_fetches() {
    let f = fixture();
    f.write_output(&[b"first", b"second"]);
    let mut stream = TcpStream::connect(f.server.address()).unwrap();
    for (reduce, expected) in [(0, "first"), (1, "second"), (0, "first")] {
        let uri = format!("/mapOutput?job={JOB}&map={MAP}&reduce={reduce}");
        let proof = wire::shuffle::url_hash(&f.password, f.server.port(), &uri);
        stream.write_all(format!("GET {uri} HTTP/1.1\r\nHost: x\r\nUrlHash: {proof}\r\n\r\n").as_bytes()).unwrap();
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"0\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            bytes.push(byte[0]);
        }
        let answer = parse(&bytes);
        assert_eq!((answer.status, answer.body.as_slice()), (200, expected.as_bytes()));
    }
}

#[test]
fn a_slow_reader_of_a_large_part_gets_all_of_it_and_then_a_page() {
    let f = fixture();
    let large: Vec<u8> = (0..20_000_000_u32).map(|at| (at / 11) as u8).collect();
    f.write_output(&[b"first", &large]);
    let uri = format!("/mapOutput?job={JOB}&map={MAP}&reduce=1");
    let proof = wire::shuffle::url_hash(&f.password, f.server.port(), &uri);
    let mut stream = TcpStream::connect(f.server.address()).unwrap();
    stream.write_all(format!("GET {uri} HTTP/1.1\r\nHost: x\r\nUrlHash: {proof}\r\n\r\n").as_bytes()).unwrap();
    stream.write_all(b"GET /conf?format=foo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    // Another reduce is not kept waiting by one that does not read.
    assert_eq!(f.signed(0).body, b"first");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let second = bytes.len() - bytes.windows(9).rev().position(|nine| nine == b"HTTP/1.1 ").unwrap() - 9;
    let answer = parse(&bytes[..second]);
    assert!(answer.whole && answer.body == large, "{} bytes", answer.body.len());
    assert_eq!(parse(&bytes[second..]).status, 400);
    assert!(f.lost().is_empty());
}

#[test]
fn reduces_may_come_by_ipv6_and_nonsense_is_a_bad_request() {
    let Ok(_) = std::net::TcpListener::bind("[::1]:0") else { return };
    let f = fixture_at("[::1]:0");
    f.write_output(&[b"xxxx"]);
    let answer = f.signed(0);
    assert_eq!((answer.status, answer.body.as_slice()), (200, &b"xxxx"[..]));
    let bad = f.get(&format!("/mapOutput?job={JOB}&map=x&reduce=0"), "");
    assert_eq!((bad.status, bad.reason.as_str()), (400, "map is \"x\"; expected an attempt id"));
    assert!(f.lost().is_empty());
}

#[test]
fn logs_are_shown_as_hadoop_shows_them() {
    let f = fixture();
    let (_, recorded) = f.recorded("tasklog_plain");
    let syslog = parse(&recorded).body;
    let dir = f.root.path().join(format!("logs/userlogs/{JOB}/{MAP}"));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("stdout"), "").unwrap();
    std::fs::write(dir.join("stderr"), "").unwrap();
    std::fs::write(dir.join("syslog"), &syslog).unwrap();
    let (ours, hadoops) = f.replay("tasklog_plain");
    assert_eq!((ours.status, ours.header("Content-Type")), (200, hadoops.header("Content-Type")));
    assert_eq!(ours.body, hadoops.body);
    let (ours, hadoops) = f.replay("tasklog_list");
    assert_eq!(String::from_utf8_lossy(&ours.body), String::from_utf8_lossy(&hadoops.body));
    let tail = f.get(&format!("/tasklog?attemptid={MAP}&plaintext=true&filter=syslog&start=-6"), "");
    assert_eq!(tail.body, syslog[syslog.len() - 5..]);
    let profile = f.get(&format!("/tasklog?attemptid={MAP}&filter=profile"), "");
    assert_eq!(profile.status, 410);
    assert_eq!(profile.reason, format!("Failed to retrieve profile.out log for task: {MAP}"));
    let debug = f.get(&format!("/tasklog?attemptid={MAP}&filter=debugout"), "");
    assert_eq!(debug.status, 200);
}

#[test]
fn pages_answer_and_nothing_outside_the_log_directory_does() {
    let f = fixture();
    assert!(String::from_utf8(f.get("/", "").body).unwrap().contains("url=tasktracker.jsp"));
    let page = f.get("/tasktracker.jsp", "");
    assert!(String::from_utf8(page.body).unwrap().contains("tracker_h:h/127.0.0.1:1 Task Tracker Status"));
    assert_eq!(f.get("/conf", "").header("Content-Type"), Some("text/xml; charset=utf-8"));
    let bad = f.get("/conf?format=foo", "");
    assert_eq!((bad.status, bad.reason.as_str()), (400, "Bad format: foo"));
    let missing = f.get("/nothing.jsp", "");
    assert_eq!((missing.status, missing.reason.as_str()), (404, "/nothing.jsp"));
    std::fs::write(f.root.path().join("secret"), "s").unwrap();
    std::fs::write(f.root.path().join("logs/daemon.log"), "d").unwrap();
    std::os::unix::fs::symlink(f.root.path().join("secret"), f.root.path().join("logs/link")).unwrap();
    assert_eq!(f.get("/logs/daemon.log", "").body, b"d");
    for name in ["../secret", "%2e%2e/secret", "link", "userlogs", "..%2fsecret"] {
        assert_eq!(f.get(&format!("/logs/{name}"), "").status, 404, "{name}");
    }
    assert_eq!(f.exchange("PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").status, 405);
}

#[test]
fn a_stopped_server_lets_go_of_its_port() {
    let f = fixture();
    let address = f.server.address();
    f.runtime.block_on(f.server.stop());
    std::net::TcpListener::bind(address).unwrap();
}
