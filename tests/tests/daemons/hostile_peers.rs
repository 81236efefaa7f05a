//! A running JobTracker and a TaskTracker's umbilical answer odd peers as Hadoop 1.2.1 does, serve the others on, and
//! keep their memory bounded.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use hadoop_io::DataInput;
use howdah_tests::harness::{Cluster, ClusterOptions, Daemon, Install, Make};
use serde_json::Value;
use wire::Writable;
use wire::exceptions::ErrorText;
use wire::ipc::{ConnectionHeader, ResponseHeader, Status, frame};
use wire::mapred::task_umbilical;

/// What the daemon may grow by while hostile peers are at it: far below one frame of the length they claim.
const GROWTH_KIB_MAX: u64 = 16 * 1024;
const IDLE_CONNECTIONS: usize = 200;
const CLAIMED_FRAMES: usize = 20;

fn jobtracker() -> Cluster {
    Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah).trackers(0))
}

fn address(cluster: &Cluster) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], cluster.rpc_port))
}

pub(crate) fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().expect("hex digits");
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits")).collect()
}

fn captures() -> Vec<Value> {
    let path = format!("{}/vectors/captures/raw-ipc.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).expect("captures")
}

fn side(capture: &Value, dir: &str) -> Vec<u8> {
    let events = capture["events"].as_array().expect("events");
    events.iter().filter(|event| event["dir"] == dir).flat_map(|event| bytes(&event["hex"])).collect()
}

/// Sends bytes, says that no more come, and reads all that is answered.
pub(crate) fn converse(address: SocketAddr, sent: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("the RPC port");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
    stream.write_all(sent).expect("a small message fits");
    let _ = stream.shutdown(Shutdown::Write);
    let mut answered = Vec::new();
    // A peer that closes while bytes are unread resets the connection; what it said before is here all the same.
    let _ = stream.read_to_end(&mut answered);
    answered
}

/// The call's number and the Java class of the error that an answer begins with, or `None` for any other answer.
pub(crate) fn error_class(answered: &[u8]) -> Option<(i32, Option<String>)> {
    let mut input = DataInput::new(answered);
    let head = ResponseHeader::read(&mut input).ok()?;
    if head.status != Status::Error {
        return None;
    }
    Some((head.id, ErrorText::read(&mut input).ok()?.class))
}

/// A captured answer with our system directory, a string after its length, in place of that cluster's.
fn with_system_directory(answer: Vec<u8>, system: &str) -> Vec<u8> {
    let string = |text: &str| {
        let length = u16::try_from(text.len()).expect("a short path");
        [&length.to_be_bytes()[..], text.as_bytes()].concat()
    };
    let theirs = string("file:/srv/hadoop/tmp/mapred/system");
    match answer.windows(theirs.len()).position(|window| window == theirs) {
        Some(at) => [&answer[..at], &string(system), &answer[at + theirs.len()..]].concat(),
        None => answer,
    }
}

pub(crate) fn resident_kib(daemon: &Daemon) -> u64 {
    let path = format!("/proc/{}/status", daemon.pid());
    let status = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn what_odd_clients_sent_to_hadoop_is_answered_alike() {
    let mut cluster = jobtracker();
    let system = format!("file:{}", cluster.dir().join("tmp/mapred/system").display());
    let mut compared = 0;
    for capture in captures() {
        let name = capture["name"].as_str().expect("a name");
        match name {
            // Answered on purpose where Hadoop is silent: docs/quirks.md.
            "http_get" | "bad_version" => continue,
            // Its answer lists a job of that cluster.
            "exception_reply" => continue,
            _ => compared += 1,
        }
        let mut answered = converse(address(&cluster), &side(&capture, "C"));
        let expected = with_system_directory(side(&capture, "S"), &system);
        if name == "pipelined" && answered.starts_with(&[0, 0, 0, 11]) {
            // Replies come in the order in which calls end; the first of these is 22 bytes long.
            let at = answered.len() - 22;
            answered.rotate_left(at);
        }
        match error_class(&expected) {
            // Traces and texts tell of Java's code; the class is what a client tests for.
            Some(error) => assert_eq!(error_class(&answered), Some(error), "{name}"),
            None => assert_eq!(answered, expected, "{name}"),
        }
        assert_eq!(cluster.active_trackers(), Some(0), "after {name} the JobTracker does not answer");
    }
    assert_eq!(compared, 13);
    assert!(cluster.jobtracker.is_running());
}

#[test]
fn claimed_lengths_and_idle_connections_cost_little_memory() {
    let mut cluster = jobtracker();
    let opening = side(&captures()[0], "C");
    let header = opening.windows(6).position(|window| window == b"alice\0").expect("the opening's end") + 6;
    let before = resident_kib(&cluster.jobtracker);
    let idle: Vec<TcpStream> = (0..IDLE_CONNECTIONS)
        .map(|_| {
            let mut stream = TcpStream::connect(address(&cluster)).expect("the RPC port");
            stream.write_all(&opening[..header]).expect("a header");
            stream
        })
        .collect();
    for _ in 0..CLAIMED_FRAMES {
        let mut sent = opening[..header].to_vec();
        sent.extend(i32::MAX.to_be_bytes());
        sent.extend([0; 4096]);
        assert_eq!(converse(address(&cluster), &sent), b"", "a frame of 2 GiB was answered");
    }
    assert_eq!(cluster.active_trackers(), Some(0), "the JobTracker does not answer beside {} idle peers", idle.len());
    let grown = resident_kib(&cluster.jobtracker).saturating_sub(before);
    assert!(grown <= GROWTH_KIB_MAX, "{grown} KiB more than the {before} KiB before");
    assert!(cluster.jobtracker.is_running());
}

/// Where a TaskTracker's children call, by its log.
pub(crate) fn umbilical(tracker: &Daemon) -> SocketAddr {
    let log = tracker.log();
    let at = log.find("umbilical at ").expect("the line that tells the ports") + "umbilical at ".len();
    log[at..].split(',').next().and_then(|address| address.parse().ok()).expect("an address")
}

/// What the JobTracker was sent, as a child of that job would send it to its tracker.
fn to_the_umbilical(sent: &[u8]) -> Vec<u8> {
    let header =
        ConnectionHeader { protocol: task_umbilical::NAME.into(), user: Some("job_1_0001".into()), real_user: None };
    let mut bytes = hadoop_io::DataOutput::new();
    header.write(&mut bytes);
    let length = i32::from_be_bytes(sent[6..10].try_into().expect("the header's length"));
    let calls = &sent[10 + usize::try_from(length).expect("a length")..];
    [&sent[..6], &frame(bytes.as_bytes()), calls].concat()
}

#[test]
fn odd_frames_at_a_trackers_umbilical_are_answered_alike() {
    let mut cluster = Cluster::start(&Install::without_java(), &ClusterOptions::of(Make::Howdah));
    let address = umbilical(&cluster.tasktrackers[0]);
    let before = resident_kib(&cluster.tasktrackers[0]);
    let mut compared = 0;
    for capture in captures() {
        let name = capture["name"].as_str().expect("a name");
        if !matches!(name, "unknown_method" | "wrong_param_types" | "unknown_class_param" | "bad_auth") {
            continue;
        }
        compared += 1;
        let answered = converse(address, &to_the_umbilical(&side(&capture, "C")));
        let expected = side(&capture, "S");
        match error_class(&expected) {
            Some(error) => assert_eq!(error_class(&answered), Some(error), "{name}"),
            None => assert_eq!(answered, expected, "{name}"),
        }
    }
    assert_eq!(compared, 4);
    let capture = captures().into_iter().find(|capture| capture["name"] == "unknown_method").expect("a capture");
    let whole = to_the_umbilical(&side(&capture, "C"));
    for cut in 1..whole.len() {
        assert_eq!(converse(address, &whole[..cut]), b"", "cut after {cut} bytes");
    }
    let header = whole.len() - 26;
    for _ in 0..CLAIMED_FRAMES {
        let mut sent = whole[..header].to_vec();
        sent.extend(i32::MAX.to_be_bytes());
        sent.extend([0; 4096]);
        assert_eq!(converse(address, &sent), b"", "a frame of 2 GiB was answered");
    }
    let grown = resident_kib(&cluster.tasktrackers[0]).saturating_sub(before);
    assert!(grown <= GROWTH_KIB_MAX, "{grown} KiB more than the {before} KiB before");
    assert!(cluster.tasktrackers[0].is_running());
    cluster.hadoop(&["examples", "sleep", "-m", "1", "-r", "1", "-mt", "1", "-rt", "1"]).expect_success();
}
