//! The native child: runs the attempts of one job as Java's `org.apache.hadoop.mapred.Child` does, without a JVM.
//!
//! `api` is the line between the engine (records, sort, spill, shuffle, reports) and a job's parts (formats, mappers,
//! reducers). The engine is plain threads.

#![forbid(unsafe_code)]

pub mod api;
mod error;
pub mod input;
pub mod output;
mod reporter;
pub mod runner;
