//! The RPC protocols of MapReduce 1.2.1, a file each: a type per method and an enum of all its calls.

mod protocol;

pub mod admin;
pub mod inter_tracker;
pub mod job_submission;
pub mod refresh_authorization_policy;
pub mod refresh_user_mappings;
pub mod task_umbilical;
