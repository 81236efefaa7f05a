//! Replays what clients sent to real daemons of Hadoop 1.2.1, and compares what they got.

mod common;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use common::{OneToken, SmallTracker, start_blocking};
use hadoop_io::DataInput;
use rpc::server::Security;
use serde_json::Value;
use wire::Writable;
use wire::exceptions::ErrorText;
use wire::ipc::{Response, ResponseHeader};

fn captures(name: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/captures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let hex = hex.as_str().unwrap();
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn sent_and_answered(capture: &Value) -> (Vec<u8>, Vec<u8>) {
    let events = capture["events"].as_array().unwrap();
    let side = |dir: &str| events.iter().filter(|e| e["dir"] == dir).flat_map(|e| bytes(&e["hex"])).collect();
    (side("C"), side("S"))
}

/// Sends bytes, says that no more come, and reads all that is answered.
fn converse(address: std::net::SocketAddr, sent: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(sent).unwrap();
    let _ = stream.shutdown(Shutdown::Write);
    let mut answered = Vec::new();
    // A peer that closes while bytes are unread resets the connection; what it said before is here all the same.
    let _ = stream.read_to_end(&mut answered);
    answered
}

/// An answer with its stack traces taken out, which tell of Java's code and nothing else.
fn without_traces(answered: &[u8]) -> Vec<u8> {
    let mut input = DataInput::new(answered);
    let mut out = Vec::new();
    let head = ResponseHeader::read(&mut input);
    match head {
        Ok(head) if head.status == wire::ipc::Status::Error => {
            let error = ErrorText::read(&mut input).unwrap();
            head.to_bytes().iter().for_each(|byte| out.push(*byte));
            out.extend(format!("{:?}", error.to_exception()).bytes());
            out.extend(input.rest());
        }
        _ => out.extend(answered),
    }
    out
}

#[test]
fn odd_input_is_answered_as_hadoop_answers_it() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let mut compared = 0;
    for capture in captures("raw-ipc.json") {
        let name = capture["name"].as_str().unwrap();
        let (sent, expected) = sent_and_answered(&capture);
        match name {
            // Answered where Hadoop is silent: `odd_peers.rs`.
            "http_get" | "bad_version" => continue,
            // Asks for jobs, which this server has none of.
            "exception_reply" => continue,
            _ => compared += 1,
        }
        let mut answered = converse(address, &sent);
        if name == "pipelined" && answered.starts_with(&[0, 0, 0, 11]) {
            // Replies come in the order in which calls end; the second reply is 62 bytes long.
            answered.rotate_left(62);
        }
        assert_eq!(without_traces(&answered), without_traces(&expected), "{name}");
    }
    assert_eq!(compared, 13);
}

#[test]
fn a_client_of_another_version_is_told_so_in_its_own_format() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let old = converse(address, b"hrpc\x03\0\0\0\x01");
    let mut input = DataInput::new(&old);
    assert_eq!((input.int().unwrap(), input.int().unwrap()), (-1, -1));
    let error = ErrorText::read(&mut input).unwrap();
    assert_eq!(error.class.as_deref(), Some("org.apache.hadoop.ipc.RPC$VersionMismatch"));
    let text = error.text.unwrap();
    assert!(text.contains("version 4") && text.contains("version 3") && text.contains("test's RPC port"), "{text}");

    let new = converse(address, b"hrpc\x09\0\0");
    let len = u32::from_be_bytes(new[..4].try_into().unwrap()) as usize;
    assert_eq!(len, new.len() - 4);
    assert!(String::from_utf8_lossy(&new).contains("version 9"));

    let http = String::from_utf8(converse(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).unwrap();
    assert!(http.starts_with("HTTP/1.1 404 Not Found\r\n"), "{http}");
    assert!(http.ends_with("This is the test's RPC port. It does not speak HTTP.\n"), "{http}");
}

#[test]
fn a_peer_that_only_says_who_it_is_is_refused_where_tokens_count() {
    let token = OneToken { identifier: vec![1, b'j'], password: vec![2] };
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Tokens(Arc::new(token)));
    let captures = captures("sasl-digest-md5.json");
    let simple = captures.iter().find(|c| c["name"] == "sasl-authentication-simple-client").unwrap();
    let (sent, expected) = sent_and_answered(simple);
    assert_eq!(String::from_utf8_lossy(&converse(address, &sent)), String::from_utf8_lossy(&expected));
}

/// The server's nonces are fresh, so the client's part is played by our own client's side of the exchange; that both
/// sides say what Java's said for Java's nonces is tested beside them.
#[test]
fn a_token_opens_a_connection_as_in_the_capture() {
    let captures = captures("sasl-digest-md5.json");
    for name in ["sasl-authentication-ok", "sasl-authentication-wrong-password"] {
        let capture = captures.iter().find(|c| c["name"] == name).unwrap();
        let good = captures.iter().find(|c| c["name"] == "sasl-authentication-ok").unwrap();
        let part = |capture: &Value, of: &str| bytes(&capture["token"][of]);
        let known = OneToken { identifier: part(good, "ident"), password: part(good, "password") };
        let tracker = Arc::new(SmallTracker::default());
        let (_runtime, address) = start_blocking(&tracker, Security::Tokens(Arc::new(known)));
        let shown = types::Token {
            identifier: part(capture, "ident"),
            password: part(capture, "password"),
            kind: "mapreduce.job".into(),
            service: String::new(),
        };
        let events: Vec<(bool, Vec<u8>)> = capture["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| (event["dir"] == "C", bytes(&event["hex"])))
            .collect();
        play(address, &events, &shown);
        let callers = tracker.callers.lock().unwrap();
        assert!(callers.iter().all(|caller| caller.by_token && caller.user == "job_201301010000_0007"));
        assert_eq!(callers.is_empty(), name.ends_with("wrong-password"));
    }
}

/// Plays a capture, with the frames that hold nonces replaced by ones for the nonces of this run.
fn play(address: std::net::SocketAddr, events: &[(bool, Vec<u8>)], token: &types::Token) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut exchange = rpc::digest_md5::ClientExchange::start(token);
    let mut challenge = Vec::new();
    for (from_client, expected) in events {
        if *from_client {
            let response = expected.windows(9).any(|window| window == b"username=");
            let frame =
                if response { wire::ipc::frame(&exchange.respond(&challenge).unwrap()) } else { expected.clone() };
            stream.write_all(&frame).unwrap();
            continue;
        }
        if expected.windows(5).any(|window| window == b"\n\tat ") {
            // The same error without Java's stack trace.
            let mut input = DataInput::new(expected);
            let id = ResponseHeader::read(&mut input).unwrap().id;
            let error = ErrorText::read(&mut input).unwrap().to_exception();
            let ours = Response::Error { id, error }.to_bytes();
            let mut answered = vec![0; ours.len()];
            stream.read_exact(&mut answered).unwrap();
            assert_eq!(answered, ours);
            continue;
        }
        let mut answered = vec![0; expected.len()];
        stream.read_exact(&mut answered).unwrap();
        match expected {
            _ if expected.windows(6).any(|window| window == b"nonce=") => {
                assert_eq!(answered[..30], expected[..30]);
                challenge = answered[8..].to_vec();
            }
            _ if expected[8..].starts_with(b"rspauth=") => exchange.accept(&answered[8..]).unwrap(),
            _ => assert_eq!(&answered, expected),
        }
    }
}
