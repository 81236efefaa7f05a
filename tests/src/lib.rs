//! What the tests of the whole share: a harness that starts clusters of Hadoop's daemons, ours, or both.

#![forbid(unsafe_code)]

pub mod harness;
