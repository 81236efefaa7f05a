//! The TaskTracker daemon: launches children, brings their files, serves map output and logs.
//!
//! Decisions are `tasktracker-core`'s; here are the deeds.

#![forbid(unsafe_code)]

mod cgroups;
mod daemon;
mod debug_script;
mod driver;
mod effects;
mod heartbeat_loop;
mod job_tracker;
mod memory_watch;
mod node;
mod node_health;
mod process_table;
mod resources;
mod session;
mod settings;
mod umbilical_server;

pub mod arguments;
pub mod class_data;
pub mod http;
pub mod launch_spec;
pub mod launcher;
pub mod localizer;
pub mod script;
mod shuffle_server;
pub mod task_controller;
pub mod user_logs;

pub use daemon::{Daemon, StartError, start};
pub use driver::{CoreHandle, Poll};

#[cfg(test)]
mod test_data;
