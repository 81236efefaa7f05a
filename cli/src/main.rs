//! The program `hadoop`, which `bin/hadoop` starts for the commands that need no Java.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
    let mut console = cli::Console::new(&mut out, &mut err);
    ExitCode::from(cli::run(&args, &mut console))
}
