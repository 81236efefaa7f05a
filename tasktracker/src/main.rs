//! The program `tasktracker`: arguments, configuration, logging, run.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use configuration::Overrides;
use tasktracker::arguments::{self, Command, USAGE};

/// Java's `System.exit(-1)`.
const FAILED: u8 = 255;
/// Threads for file work at most; one that is idle for so long ends.
const BLOCKING_THREADS_MAX: usize = 16;
const BLOCKING_THREAD_IDLE: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let properties = match arguments::parse(std::env::args().skip(1)) {
        Command::Run(properties) => properties,
        Command::LocalizeJob(arguments) => return localize_job(&arguments),
        Command::Usage => {
            println!("{USAGE}");
            return ExitCode::from(FAILED);
        }
    };
    match run(properties) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tasktracker: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}

/// As the job's user, started by the set-user-id program; what it prints becomes the attempt's diagnostics.
fn localize_job(arguments: &[String]) -> ExitCode {
    match tasktracker::localizer::as_user::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{}", tasktracker::localizer::chain(&error));
            ExitCode::from(FAILED)
        }
    }
}

fn run(properties: Vec<(String, String)>) -> anyhow::Result<()> {
    daemon_shell::start_logging();
    daemon_shell::raise_descriptor_limit();
    let overrides = Overrides { system: properties, ..Overrides::default() };
    let conf = configuration::load(&configuration::conf_dir_from_env(), &overrides)?;
    let findings = configuration::examine(&conf);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .thread_keep_alive(BLOCKING_THREAD_IDLE)
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        let mut daemon = tasktracker::start(conf).await?;
        // Only now: a daemon that cannot start says one thing.
        for mistake in findings.iter().filter(|finding| finding.is_a_mistake()) {
            tracing::warn!("{mistake}");
        }
        println!("tasktracker: {} umbilical at {}, HTTP at {}", daemon.name, daemon.umbilical, daemon.http);
        let mut signals = daemon_shell::StopSignals::catch()?;
        tokio::select! {
            ended = daemon.ended() => ended?,
            () = signals.received() => (),
        }
        anyhow::Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}
