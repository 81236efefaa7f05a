//! Sockets under Hadoop RPC version 4: a server and a client on tokio, and a client on plain threads for programs that
//! have no runtime. Knows frames, connections, authentication and retries; what a message says is `wire`'s, what it
//! means the daemons'.

#![forbid(unsafe_code)]

mod call;
mod options;
mod retry;
mod setup;

pub mod blocking;
pub mod client;
pub mod digest_md5;
pub mod secret;
pub mod server;

pub use call::CallError;
pub use options::ClientOptions;
