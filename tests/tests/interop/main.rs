//! Our daemons beside Apache Hadoop 1.2.1's own, which Maven Central serves and `bin/get-hadoop-jars` fetches.
//!
//! Each test starts clusters of its own. They share two cores, so they run one after the other:
//! `bin/check --interop` passes `--test-threads=1`.

mod applications;
mod bad_jobs;
mod edited_word_count;
mod faults;
mod same_results;
