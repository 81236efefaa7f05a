//! The JobTracker's daemon: the shell around `jobtracker-core`. It owns sockets, files, clocks and threads; every
//! decision is the core's. `main.rs` starts it as a program, tests start it within themselves.

#![forbid(unsafe_code)]

mod child_choices;
mod daemon;
mod delegation_tokens;
mod directory_lock;
mod driver;
mod dump;
mod effects;
mod groups;
mod handlers;
mod http;
mod journal;
mod memory;
mod proxy_users;
mod racks;
mod recovery;
mod schedulers;
mod service_acls;
mod settings;
mod state;
mod submission;

pub mod arguments;

pub use daemon::{Daemon, StartError, load_configuration, start};
pub use dump::dump_configuration;
