//! The program `jobtracker`: arguments, configuration, logging, run.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use jobtracker::arguments::{self, Command, USAGE};

/// Java's `System.exit(-1)`.
const FAILED: u8 = 255;
/// Threads that run tasks; the core has one task, and the rest is waiting.
const WORKERS: usize = 2;
/// Threads for file work at most.
const BLOCKING_THREADS_MAX: usize = 16;

fn main() -> ExitCode {
    let done = match arguments::parse(std::env::args().skip(1)) {
        Command::Run(properties) => run(properties),
        Command::DumpConfiguration(properties) => dump(properties),
        Command::Usage => {
            println!("{USAGE}");
            return ExitCode::from(FAILED);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jobtracker: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

fn dump(properties: Vec<(String, String)>) -> anyhow::Result<()> {
    let conf = jobtracker::load_configuration(&configuration::conf_dir_from_env(), properties)?;
    jobtracker::dump_configuration(&conf, &mut std::io::stdout().lock())?;
    Ok(())
}

fn run(properties: Vec<(String, String)>) -> anyhow::Result<()> {
    daemon_shell::start_logging();
    daemon_shell::raise_descriptor_limit();
    let conf_dir = configuration::conf_dir_from_env();
    let conf = jobtracker::load_configuration(&conf_dir, properties)?;
    let findings = configuration::examine(&conf);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let daemon = jobtracker::start(conf, Some(conf_dir)).await?;
        // Only now: a daemon that cannot start says one thing.
        for mistake in findings.iter().filter(|finding| finding.is_a_mistake()) {
            tracing::warn!("{mistake}");
        }
        let mut signals = daemon_shell::StopSignals::catch()?;
        tokio::select! {
            () = signals.received() => Ok(()),
            () = daemon.fenced() => anyhow::bail!("another JobTracker has taken over the system directory"),
        }
    })
}
