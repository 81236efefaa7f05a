//! The command line: `job`, `queue`, `mradmin`, `version`, `pipes`, `native`, and the native `streaming` and `examples`, a module each. A
//! client of the JobTracker and of the shared file system; it decides nothing. Output that scripts parse and exit codes
//! are 1.2.1's.

#![forbid(unsafe_code)]

mod console;
mod error;
mod examples;
mod http;
mod job;
mod job_list;
mod job_tracker;
mod monitor;
mod mradmin;
mod native;
mod options;
mod pipes;
mod queue;
mod session;
mod streaming;
mod submission;
mod version;

pub use console::Console;
pub use error::CliError;

/// An exit code; Java's -1 is 255.
pub type Exit = u8;

/// Java's -1.
const FAILED: Exit = 255;

const USAGE: &str = "\
Usage: hadoop COMMAND
where COMMAND is one of:
  job        manipulate MapReduce jobs
  queue      get information regarding JobQueues
  mradmin    run a Map-Reduce admin client
  streaming  run a streaming job
  native     run a job that is written in Rust
  pipes      run a Pipes job
  examples   run one of the example jobs
  version    print the version
Most commands print help when invoked without parameters.";

/// Runs a command: its name, then its arguments.
pub fn run(args: &[String], console: &mut Console<'_>) -> Exit {
    let Some((command, args)) = args.split_first() else {
        console.out(USAGE);
        return 1;
    };
    let result = match command.as_str() {
        "job" => job::run(args, console),
        "queue" => queue::run(args, console),
        "mradmin" => mradmin::run(args, console),
        "native" => native::run(args, console),
        "pipes" => pipes::run(args, console),
        "streaming" => streaming::run(args, console),
        "examples" => examples::run(args, console),
        "version" => {
            version::print(console);
            Ok(0)
        }
        "help" | "-help" | "--help" | "-h" => {
            console.out(USAGE);
            Ok(0)
        }
        other => {
            console.err(format_args!("hadoop: {other} is no command; see: hadoop help"));
            Ok(1)
        }
    };
    result.unwrap_or_else(|error| {
        console.uncaught(&error);
        1
    })
}
