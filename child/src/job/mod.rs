//! Jobs written in Rust: a team's own mapper and reducer, in an executable that is the child of the job's attempts.
//!
//! The executable's `main` hands over to [`Job::main`]. `hadoop native EXECUTABLE -input IN -output OUT` asks it what job
//! it is, takes it along in the distributed cache, and submits the job; every TaskTracker of ours starts it in place of
//! its own child. There is no plug-in interface to keep compatible: the executable brings the engine that it was built
//! with. `docs/native.md` has a tutorial, `examples/access-log` a whole job.

mod parts;
mod program;
#[cfg(test)]
mod tests;
mod writable;

pub use configuration::Configuration;

pub(crate) use self::parts::OwnParts;
pub use self::parts::{Mapper, Output, Reducer, Values};
pub use self::program::Job;
pub use self::writable::{Bytes, Double, Float, Int, Long, Null, Text, TextBytes, Writable};
pub use crate::api::{CounterHandle, Reporter, Result, TaskContext, TaskError};
