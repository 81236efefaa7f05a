//! Our programs as an operator starts them, without Java: jobs from end to end, what they leave behind, peers that
//! misbehave, and starts that must be refused.
//!
//! The programs must have been built; `bin/hadoop` takes the newest.

mod codecs;
mod disks;
mod fake_peer;
mod hostile_peers;
mod jobs;
mod limits;
mod pages;
mod pipes;
mod refused_starts;
mod restarts;
mod traces;
mod two_users;
