//! The RPC port: finds the protocol of a call and has it answered. Each protocol's file turns a wire message into calls
//! of the core and its value into a wire reply.

mod admin;
pub(crate) mod held_events;
mod inter_tracker;
mod job_submission;
mod refresh;

use std::sync::Arc;

use rpc::server::{BoxFuture, Caller, Outcome, Service};
use types::RemoteException;
use wire::ipc::{GetProtocolVersion, Method};
use wire::mapred::{
    admin as admin_protocol, inter_tracker as tracker_protocol, job_submission as client_protocol,
    refresh_authorization_policy, refresh_user_mappings,
};

use crate::proxy_users;
use crate::state::Shared;

/// Every protocol that the port serves, with its version.
const PROTOCOLS: [(&str, i64); 5] = [
    (client_protocol::NAME, client_protocol::VERSION),
    (tracker_protocol::NAME, tracker_protocol::VERSION),
    (admin_protocol::NAME, admin_protocol::VERSION),
    (refresh_authorization_policy::NAME, refresh_authorization_policy::VERSION),
    (refresh_user_mappings::NAME, refresh_user_mappings::VERSION),
];

/// What a call comes to: a reply's bytes, or an error.
type Answer = Result<Vec<u8>, RemoteException>;

/// The URI of the default file system as Java prints it (Hadoop 1.2.1: FileSystem.getUri): without a path, but with the
/// three slashes of the local one.
fn file_system_name(shared: &Shared) -> String {
    let root = shared.storage.default_file_system().root();
    let scheme = root.scheme().unwrap_or("file");
    match root.authority() {
        Some(authority) => format!("{scheme}://{authority}"),
        None => format!("{scheme}:///"),
    }
}

/// Answers calls.
pub(crate) struct Handlers {
    shared: Arc<Shared>,
}

impl Handlers {
    pub(crate) fn new(shared: Arc<Shared>) -> Handlers {
        Handlers { shared }
    }
}

/// The reply of a method.
fn reply<M: Method>(_: &M, value: M::Reply) -> Answer {
    Ok(M::encode_reply(&value))
}

/// The version of the protocol that is asked for (Hadoop 1.2.1: JobTracker.getProtocolVersion).
fn protocol_version(call: &GetProtocolVersion) -> Answer {
    match PROTOCOLS.iter().find(|(name, _)| *name == call.protocol) {
        Some((_, version)) => reply(call, *version),
        None => Err(RemoteException::io(format!("Unknown protocol to job tracker: {}", call.protocol))),
    }
}

async fn answer(shared: Arc<Shared>, caller: Arc<Caller>, invocation: Vec<u8>) -> Outcome {
    let answered = match caller.protocol.as_str() {
        client_protocol::NAME => match client_protocol::Call::decode(&invocation) {
            Ok(call) => job_submission::answer(&shared, &caller, call).await,
            Err(error) => return refuse(&error),
        },
        tracker_protocol::NAME => match tracker_protocol::Call::decode(&invocation) {
            Ok(call) => inter_tracker::answer(&shared, call).await,
            Err(error) => return refuse(&error),
        },
        admin_protocol::NAME => match admin_protocol::Call::decode(&invocation) {
            Ok(call) => admin::answer(&shared, &caller, call).await,
            Err(error) => return refuse(&error),
        },
        refresh_user_mappings::NAME => match refresh_user_mappings::Call::decode(&invocation) {
            Ok(call) => refresh::user_mappings(&shared, &caller, call),
            Err(error) => return refuse(&error),
        },
        _ => match refresh_authorization_policy::Call::decode(&invocation) {
            Ok(call) => refresh::authorization_policy(&shared, call),
            Err(error) => return refuse(&error),
        },
    };
    match answered {
        Ok(value) => Outcome::Reply(value),
        Err(error) => Outcome::Error(error),
    }
}

fn refuse(error: &wire::CallError) -> Outcome {
    error.reply().map_or(Outcome::Close, Outcome::Error)
}

impl Service for Handlers {
    fn serves(&self, protocol: &str) -> bool {
        PROTOCOLS.iter().any(|(name, _)| *name == protocol)
    }

    fn authorize(&self, caller: Caller) -> BoxFuture<Result<(), RemoteException>> {
        let shared = self.shared.clone();
        Box::pin(async move {
            proxy_users::authorize(&shared.conf(), &shared.groups, &caller).await?;
            shared.service_acls.authorize(&shared.groups, &caller).await
        })
    }

    fn call(&self, caller: Arc<Caller>, invocation: Vec<u8>) -> BoxFuture<Outcome> {
        Box::pin(answer(self.shared.clone(), caller, invocation))
    }
}
