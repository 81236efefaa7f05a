//! Clusters of daemons on one machine, of Hadoop's make, of ours, or mixed; clients of either; and what they print.
//!
//! Each cluster lives in a directory of its own, on free ports, and is stopped when it is dropped. Its logs are kept
//! when the test failed.

mod as_users;
mod children;
mod cluster;
mod console;
pub mod downloads;
mod install;
mod java_client;
mod output;
mod process;
pub mod results;

pub use as_users::{AsUsers, User};
pub use cluster::{Cluster, ClusterOptions, Make};
pub use console::{CounterMap, Run};
pub use install::Install;
pub use java_client::JavaClient;
pub use output::{part_files, same_sequence_files, same_text};
pub use process::{Daemon, free_port, wait_until};
