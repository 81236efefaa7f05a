//! Our daemons beside Apache Hadoop 1.2.1's own, which Maven Central serves and `bin/get-hadoop-jars` fetches.
//!
//! Each test starts clusters of its own, in directories and on ports of its own, and several run at once: what a test looks
//! for in `/proc` or waits for must be its own cluster's, however slow the machine.

mod applications;
mod bad_jobs;
mod codecs;
mod edited_word_count;
mod faults;
mod looked_at;
mod pipes;
mod real_applications;
mod reliability;
mod restarts;
mod rolling;
mod same_results;
mod streaming;
mod test_programs;
mod two_users;
