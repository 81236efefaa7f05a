//! Our programs as an operator starts them, without Java: a job from end to end, and starts that must be refused.
//!
//! The programs must have been built; `bin/hadoop` takes the newest.

mod jobs;
mod refused_starts;
