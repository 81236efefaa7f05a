//! Both clients against the server: replies out of order, errors, tokens, retries, time limits.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{OneToken, SmallTracker, start, start_blocking};
use rpc::server::Security;
use rpc::{CallError, ClientOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use types::{ExceptionKind, JobId, JvmContext, JvmId, TaskKind, Token};
use wire::ipc::GetProtocolVersion;
use wire::mapred::{job_submission as js, task_umbilical as tu};

fn version_of(protocol: &str) -> GetProtocolVersion {
    GetProtocolVersion { protocol: protocol.into(), client_version: 1 }
}

fn token() -> Token {
    Token { identifier: b"\x05job_1".to_vec(), password: vec![7; 20], kind: "mapreduce.job".into(), service: "".into() }
}

fn tokens() -> Security {
    Security::Tokens(Arc::new(OneToken { identifier: token().identifier, password: token().password }))
}

#[tokio::test]
async fn a_later_call_is_answered_while_an_earlier_one_is_held() {
    let tracker = Arc::new(SmallTracker::default());
    let address = start(&tracker, Security::Simple).await;
    let client = rpc::client::Client::new(address.to_string(), js::NAME, ClientOptions::for_user("alice"));
    let held = tokio::spawn({
        let client = client.clone();
        async move { client.call(&js::GetFilesystemName {}).await }
    });
    for _ in 0..50 {
        assert_eq!(client.call(&version_of(js::NAME)).await.unwrap(), 28);
    }
    assert!(!held.is_finished());
    tracker.gate.notify_one();
    assert_eq!(held.await.unwrap().unwrap(), "file:///");
    let callers = tracker.callers.lock().unwrap();
    assert!(callers.iter().all(|caller| caller.user == "alice" && !caller.by_token));
}

#[tokio::test]
async fn large_replies_and_errors_reach_their_calls() {
    let address = start(&Arc::new(SmallTracker::default()), Security::Simple).await;
    let client = rpc::client::Client::new(address.to_string(), js::NAME, ClientOptions::for_user("alice"));
    let error = client.call(&version_of("no.such.Protocol")).await.unwrap_err();
    let remote = error.remote().unwrap();
    assert_eq!(remote.kind, ExceptionKind::Io);
    assert_eq!(remote.message, "Unknown protocol to job tracker: no.such.Protocol");
    // UTF8 strings are cut at 21845 characters, as Hadoop cuts them.
    assert_eq!(client.call(&js::GetStagingAreaDir {}).await.unwrap().len(), 21845);
    let error = client.call(&js::KillJob { job: JobId::new("1", 1) }).await.unwrap_err();
    assert_eq!(error.remote().unwrap().message, "no killJob");
}

#[tokio::test]
async fn a_time_limit_ends_the_waiting_and_not_the_connection() {
    let tracker = Arc::new(SmallTracker::default());
    let address = start(&tracker, Security::Simple).await;
    let client = rpc::client::Client::new(address.to_string(), js::NAME, ClientOptions::for_user("alice"));
    let error = client.call_within(&js::GetFilesystemName {}, Duration::from_millis(50)).await.unwrap_err();
    assert!(matches!(error, CallError::TimedOut { method: "getFilesystemName", .. }), "{error}");
    tracker.gate.notify_one();
    assert_eq!(client.call(&version_of(js::NAME)).await.unwrap(), 28);
}

#[tokio::test]
async fn a_waiting_call_pings_a_silent_server() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let options = ClientOptions { ping_interval: Duration::from_millis(5), ..ClientOptions::for_user("alice") };
    let client = rpc::client::Client::new(listener.local_addr().unwrap().to_string(), js::NAME, options);
    let silent = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut seen = Vec::new();
        while !seen.ends_with(&[wire::ipc::PING, wire::ipc::PING].concat()) {
            stream.read_buf(&mut seen).await.unwrap();
        }
        let value = wire::object_writable::to_bytes(&28i64);
        stream.write_all(&wire::ipc::Response::Success { id: 0, value }.to_bytes()).await.unwrap();
        stream
    };
    let call = version_of(js::NAME);
    let (reply, _stream) = tokio::join!(client.call(&call), silent);
    assert_eq!(reply.unwrap(), 28);
}

#[tokio::test]
async fn nobody_at_the_address_is_an_error_after_the_retries() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let options = ClientOptions {
        connect_retries: 2,
        connect_retry_interval: Duration::from_millis(1),
        ..ClientOptions::for_user("alice")
    };
    let client = rpc::client::Client::new(free.to_string(), js::NAME, options.clone());
    let error = client.call(&version_of(js::NAME)).await.unwrap_err();
    assert!(matches!(&error, CallError::Connect { attempts: 3, .. }), "{error}");
    assert!(error.to_string().contains(&free.to_string()), "{error}");
    let blocking = tokio::task::spawn_blocking(move || {
        rpc::blocking::Client::new(free.to_string(), js::NAME, options).call(&version_of(js::NAME)).unwrap_err()
    });
    assert!(matches!(blocking.await.unwrap(), CallError::Connect { attempts: 3, .. }));
}

#[tokio::test]
async fn a_client_connects_anew_after_the_server_was_gone() {
    let tracker = Arc::new(SmallTracker::default());
    let address = start(&tracker, Security::Simple).await;
    let client = rpc::client::Client::new(address.to_string(), js::NAME, ClientOptions::for_user("alice"));
    assert_eq!(client.call(&version_of(js::NAME)).await.unwrap(), 28);
    client.close().await;
    assert_eq!(client.call(&version_of(js::NAME)).await.unwrap(), 28);
}

#[tokio::test]
async fn a_token_is_proven_and_a_wrong_one_refused() {
    let tracker = Arc::new(SmallTracker::default());
    let address = start(&tracker, tokens()).await;
    let with = |token: Token| ClientOptions { token: Some(token), ..ClientOptions::for_user("ignored") };
    let client = rpc::client::Client::new(address.to_string(), tu::NAME, with(token()));
    assert_eq!(client.call(&version_of(tu::NAME)).await.unwrap(), 19);
    assert_eq!(tracker.callers.lock().unwrap()[0].user, "job_1");

    let wrong = Token { password: vec![8; 20], ..token() };
    let error = rpc::client::Client::new(address.to_string(), tu::NAME, with(wrong)).call(&version_of(tu::NAME)).await;
    assert_eq!(error.unwrap_err().remote().unwrap().kind, ExceptionKind::Sasl);
    let unknown = Token { identifier: b"\x05job_2".to_vec(), ..token() };
    let error =
        rpc::client::Client::new(address.to_string(), tu::NAME, with(unknown)).call(&version_of(tu::NAME)).await;
    assert_eq!(error.unwrap_err().remote().unwrap().kind, ExceptionKind::InvalidToken);
    let simple = rpc::client::Client::new(address.to_string(), tu::NAME, ClientOptions::for_user("x"));
    let error = simple.call(&version_of(tu::NAME)).await.unwrap_err();
    assert_eq!(error.remote().unwrap().kind, ExceptionKind::AccessControl);
}

#[tokio::test]
async fn a_token_falls_back_to_simple_only_where_allowed() {
    let tracker = Arc::new(SmallTracker::default());
    let address = start(&tracker, Security::Simple).await;
    let options = ClientOptions { token: Some(token()), ..ClientOptions::for_user("alice") };
    let client = rpc::client::Client::new(address.to_string(), tu::NAME, options.clone());
    assert!(matches!(client.call(&version_of(tu::NAME)).await, Err(CallError::Lost { .. })));
    let options = ClientOptions { fallback_to_simple: true, ..options };
    let client = rpc::client::Client::new(address.to_string(), tu::NAME, options);
    assert_eq!(client.call(&version_of(tu::NAME)).await.unwrap(), 19);
    assert_eq!(tracker.callers.lock().unwrap()[0].user, "alice");
}

#[test]
fn threads_share_a_blocking_connection() {
    let tracker = Arc::new(SmallTracker::default());
    let (_runtime, address) = start_blocking(&tracker, tokens());
    let options = ClientOptions { token: Some(token()), ..ClientOptions::default() };
    let client = rpc::blocking::Client::new(address.to_string(), tu::NAME, options);
    let job = JobId::new("1", 1);
    let jvm = JvmContext { jvm: JvmId { job: job.clone(), kind: TaskKind::Map, number: 1 }, pid: "1".into() };
    let attempt = job.task(TaskKind::Map, 0).attempt(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let ping = tu::Ping { attempt: attempt.clone(), context: jvm.clone() };
                    assert!(client.call(&ping).unwrap());
                    let commit = tu::CanCommit { attempt: attempt.clone(), context: jvm.clone() };
                    assert_eq!(client.call(&commit).unwrap_err().remote().unwrap().message, "boom");
                }
            });
        }
    });
    // One connection, since all calls came from one port.
    let callers = tracker.callers.lock().unwrap();
    assert_eq!(callers.len(), 400);
    assert!(callers.iter().all(|caller| caller.address == callers[0].address && caller.user == "job_1"));
}

#[test]
fn a_blocking_call_has_limits_and_pings_too() {
    let tracker = Arc::new(SmallTracker::default());
    let (_runtime, address) = start_blocking(&tracker, Security::Simple);
    let options = ClientOptions { ping_interval: Duration::from_millis(20), ..ClientOptions::for_user("alice") };
    let client = rpc::blocking::Client::new(address.to_string(), js::NAME, options);
    let error = client.call_within(&js::GetFilesystemName {}, Duration::from_millis(100)).unwrap_err();
    assert!(matches!(error, CallError::TimedOut { .. }), "{error}");
    assert_eq!(client.call(&version_of(js::NAME)).unwrap(), 28);
    assert_eq!(client.call(&js::GetStagingAreaDir {}).unwrap().len(), 21845);
    client.close();
    assert_eq!(client.call(&version_of(js::NAME)).unwrap(), 28);
}
