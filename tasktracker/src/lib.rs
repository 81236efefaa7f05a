//! The TaskTracker daemon: launches children, brings their files, serves map output and logs.
//!
//! Decisions are `tasktracker-core`'s; here are the deeds.

#![forbid(unsafe_code)]

pub mod class_data;
pub mod launch_spec;
pub mod launcher;
pub mod localizer;
pub mod script;
pub mod task_controller;
pub mod user_logs;

#[cfg(test)]
mod test_data;
