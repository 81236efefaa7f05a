//! Howdah beside Apache Hadoop 1.2.1, in one run on one machine: `cargo run --profile fast -p howdah-benches -- BENCH`.
//!
//! Each bench prints a Markdown table, with the machine, the versions and the date, for `docs/benchmarks.md`. Figures of
//! two programs are taken in turn, so that a machine whose speed drifts drifts for both.

#![forbid(unsafe_code)]

mod core_heartbeats;
mod jobtracker_load;
mod machine;
mod native_jobs;
mod sample;
mod small_jobs;

use anyhow::{Result, bail};

const USAGE: &str =
    "usage: howdah-benches small-jobs|jobtracker-load|core-heartbeats [RUNS], or native-jobs [RUNS [MIB]]";

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let runs = args.get(1).map_or(Ok(5), |runs| runs.parse())?;
    match args.first().map(String::as_str) {
        Some("small-jobs") => small_jobs::run(runs),
        Some("native-jobs") => native_jobs::run(runs, args.get(2).map_or(Ok(256), |mib| mib.parse())?),
        Some("core-heartbeats") => core_heartbeats::run(runs),
        Some("jobtracker-load") => jobtracker_load::run(runs),
        _ => bail!("{USAGE}"),
    }
}
