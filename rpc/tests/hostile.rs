//! Peers that send nonsense, stop in the middle, or read nothing: the server lives on, and its memory stays small.

mod common;

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{SmallTracker, start_blocking};
use rpc::server::Security;
use wire::Writable;
use wire::ipc::{AuthMethod, ConnectionHeader, GetProtocolVersion, Method, call_frame, frame, preamble};
use wire::mapred::job_submission as js;

fn opening() -> Vec<u8> {
    let header = ConnectionHeader { protocol: js::NAME.into(), user: Some("alice".into()), real_user: None };
    [preamble(AuthMethod::Simple).to_vec(), frame(&header.to_bytes())].concat()
}

fn whole_conversation() -> Vec<u8> {
    let call = GetProtocolVersion { protocol: js::NAME.into(), client_version: 28 };
    [opening(), call_frame(1, &call.encode())].concat()
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

fn assert_serves(address: SocketAddr) {
    let mut stream = connect(address);
    stream.write_all(&whole_conversation()).unwrap();
    let mut reply = [0; 22];
    stream.read_exact(&mut reply).unwrap();
    assert_eq!(reply[21], 28);
}

/// Reads to the end; a reset counts as an end.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

#[test]
fn a_conversation_cut_anywhere_is_closed_without_a_word() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let whole = whole_conversation();
    for cut in 0..whole.len() {
        let mut stream = connect(address);
        stream.write_all(&whole[..cut]).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(rest(stream), [], "cut at {cut}");
    }
    assert_serves(address);
}

#[test]
fn any_changed_byte_of_the_opening_leaves_the_server_well() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let whole = whole_conversation();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x41;
        let mut stream = connect(address);
        stream.write_all(&changed).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        rest(stream);
    }
    assert_serves(address);
}

#[test]
fn huge_and_negative_lengths_close_the_connection() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    for len in [i32::MAX, -2, i32::MIN, 0, 3, (4 << 20) + 1] {
        for before in [preamble(AuthMethod::Simple).to_vec(), opening()] {
            if before.len() < 10 && (0..=3).contains(&len) {
                continue; // A header may be short, and then more bytes are waited for.
            }
            let mut stream = connect(address);
            stream.write_all(&[before, len.to_be_bytes().to_vec()].concat()).unwrap();
            assert_eq!(rest(stream), [], "length {len}");
        }
    }
    assert_serves(address);
}

#[test]
fn a_peer_that_stops_inside_a_frame_is_given_up() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let started = Instant::now();
    let stalled: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = connect(address);
            // Announces 4 MiB and sends five bytes.
            stream.write_all(&[opening(), (4i32 << 20).to_be_bytes().to_vec(), vec![0; 5]].concat()).unwrap();
            stream
        })
        .collect();
    assert_serves(address);
    for stream in stalled {
        assert_eq!(rest(stream), []);
    }
    assert!(started.elapsed() >= Duration::from_millis(1900), "given up too early");
}

#[test]
fn a_peer_that_reads_nothing_does_not_stop_the_others() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let mut deaf = connect(address);
    deaf.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    deaf.write_all(&opening()).unwrap();
    // Each reply is 300 kB, so that the sockets' buffers are soon full.
    let call = js::GetStagingAreaDir {}.encode();
    for id in 0..10_000 {
        if deaf.write_all(&call_frame(id, &call)).is_err() {
            break;
        }
    }
    assert_serves(address);
}

#[test]
fn a_call_that_panics_closes_its_connection_alone() {
    let (_runtime, address) = start_blocking(&Arc::new(SmallTracker::default()), Security::Simple);
    let protocol = wire::mapred::inter_tracker::NAME;
    let client = rpc::blocking::Client::new(address.to_string(), protocol, rpc::ClientOptions::for_user("tt"));
    let error = client.call(&wire::mapred::inter_tracker::GetBuildVersion {}).unwrap_err();
    assert!(matches!(error, rpc::CallError::Lost { .. }), "{error}");
    assert_serves(address);
}
