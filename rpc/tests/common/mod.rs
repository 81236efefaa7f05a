//! A small JobTracker for tests: answers what the captures ask, and nothing else.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rpc::server::{BoxFuture, Caller, Outcome, SecretManager, Security, Server, ServerOptions, Service, TokenOwner};
use tokio::sync::Notify;
use types::{ExceptionKind, RemoteException};
use wire::ipc::Method;
use wire::mapred::{admin, inter_tracker, job_submission as js, task_umbilical as tu};

/// Answers the calls of the captures. `getFilesystemName` waits until `gate` opens; `getBuildVersion` panics.
#[derive(Default)]
pub(crate) struct SmallTracker {
    pub(crate) gate: Notify,
    pub(crate) callers: std::sync::Mutex<Vec<Caller>>,
}

fn value<M: Method>(_: &M, reply: M::Reply) -> Outcome {
    Outcome::Reply(M::encode_reply(&reply))
}

fn version(call: &wire::ipc::GetProtocolVersion) -> Outcome {
    match call.protocol.as_str() {
        js::NAME => value(call, js::VERSION),
        tu::NAME => value(call, tu::VERSION),
        other => Outcome::Error(RemoteException::io(format!("Unknown protocol to job tracker: {other}"))),
    }
}

fn refuse(error: wire::CallError) -> Outcome {
    error.reply().map_or(Outcome::Close, Outcome::Error)
}

impl SmallTracker {
    async fn answer(self: Arc<Self>, caller: Arc<Caller>, invocation: Vec<u8>) -> Outcome {
        match caller.protocol.as_str() {
            js::NAME => match js::Call::decode(&invocation) {
                Ok(js::Call::GetProtocolVersion(call)) => version(&call),
                Ok(js::Call::GetSystemDir(call)) => value(&call, Some("file:/srv/hadoop/tmp/mapred/system".to_owned())),
                Ok(js::Call::GetQueueInfo(call)) => value(&call, None),
                Ok(js::Call::GetStagingAreaDir(call)) => value(&call, "x".repeat(300_000)),
                Ok(js::Call::GetFilesystemName(call)) => {
                    self.gate.notified().await;
                    value(&call, "file:///".to_owned())
                }
                Ok(other) => Outcome::Error(RemoteException::io(format!("no {}", other.method()))),
                Err(error) => refuse(error),
            },
            tu::NAME => match tu::Call::decode(&invocation) {
                Ok(tu::Call::GetProtocolVersion(call)) => version(&call),
                Ok(tu::Call::Ping(call)) => value(&call, true),
                Ok(tu::Call::CanCommit(_)) => Outcome::Error(RemoteException::io("boom")),
                Ok(other) => Outcome::Error(RemoteException::io(format!("no {}", other.method()))),
                Err(error) => refuse(error),
            },
            admin::NAME => match admin::Call::decode(&invocation) {
                Ok(admin::Call::RefreshQueues(call)) => value(&call, ()),
                Ok(other) => Outcome::Error(RemoteException::io(format!("no {}", other.method()))),
                Err(error) => refuse(error),
            },
            _ => match inter_tracker::Call::decode(&invocation) {
                Ok(inter_tracker::Call::GetBuildVersion(_)) => panic!("as the test wants"),
                Ok(other) => Outcome::Error(RemoteException::io(format!("no {}", other.method()))),
                Err(error) => refuse(error),
            },
        }
    }
}

/// The service of a shared [`SmallTracker`].
pub(crate) struct Serve(pub(crate) Arc<SmallTracker>);

impl Service for Serve {
    fn serves(&self, protocol: &str) -> bool {
        [js::NAME, tu::NAME, admin::NAME, inter_tracker::NAME].contains(&protocol)
    }

    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome> {
        self.0.callers.lock().unwrap().push((*caller).clone());
        Box::pin(self.0.clone().answer(caller, invocation))
    }
}

/// Knows one job token.
#[allow(dead_code, reason = "not every test program needs tokens")]
pub(crate) struct OneToken {
    pub(crate) identifier: Vec<u8>,
    pub(crate) password: Vec<u8>,
}

impl SecretManager for OneToken {
    fn owner(&self, identifier: &[u8]) -> Result<TokenOwner, RemoteException> {
        if identifier != self.identifier {
            return Err(RemoteException::new(ExceptionKind::InvalidToken, "Can't find job token"));
        }
        let user = String::from_utf8_lossy(&identifier[1..]).into_owned();
        Ok(TokenOwner { password: self.password.clone(), user, real_user: None })
    }
}

/// A server on a free port, in a task of this runtime.
pub(crate) async fn start(tracker: &Arc<SmallTracker>, security: Security) -> SocketAddr {
    let options = ServerOptions {
        security,
        frame_bytes_max: 4 << 20,
        stall_timeout: Duration::from_secs(2),
        about: "This is the test's RPC port.".to_owned(),
        ..ServerOptions::default()
    };
    let server = Server::bind("127.0.0.1:0", Arc::new(Serve(tracker.clone())), options).await.unwrap();
    let address = server.local_addr().unwrap();
    tokio::spawn(server.run());
    address
}

/// A server with a runtime of its own, for tests that block.
pub(crate) fn start_blocking(tracker: &Arc<SmallTracker>, security: Security) -> (tokio::runtime::Runtime, SocketAddr) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let address = runtime.block_on(start(tracker, security));
    (runtime, address)
}
