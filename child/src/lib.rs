//! The native child: runs the attempts of one job as Java's `org.apache.hadoop.mapred.Child` does, without a JVM.
//!
//! `api` is the line between the engine (records, sort, spill, shuffle, reports) and a job's parts (formats, mappers,
//! reducers). The engine is plain threads.

#![forbid(unsafe_code)]

pub mod api;
mod attempt;
mod child;
mod combine;
mod committer;
mod counters;
mod disk;
mod error;
pub mod input;
pub mod job;
mod localize;
mod log;
mod map;
mod merge;
pub mod output;
mod output_tracker;
mod process;
mod reduce;
mod reporter;
pub mod runner;
mod sort;
mod sorted;
mod task;
mod umbilical;

/// The tutorial's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/native.md")]
struct Tutorial;

pub use child::{Invocation, InvocationError, run};
