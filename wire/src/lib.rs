//! How Hadoop 1.2.1 writes what [`types`] describes: Writables, the methods of its protocols, tokens, split files, job
//! history, and the texts that stand between its daemons. Knows bytes and nothing of their meaning; sockets are `rpc`'s,
//! record files are `hadoop-io`'s, `job.xml` is `configuration`'s.

#![forbid(unsafe_code)]

mod access;
mod counters;
mod ids;
mod job;
mod task;
mod tracker;
mod writable;

pub mod credentials;
pub mod exceptions;
pub mod history;
pub mod invocation;
pub mod ipc;
pub mod job_info;
pub mod mapred;
pub mod object_writable;
pub mod pipes;
pub mod shuffle;
pub mod splits;
pub mod task_log;

pub use invocation::CallError;
pub use task::{read_task, read_task_status, write_task, write_task_status};
pub use writable::Writable;
