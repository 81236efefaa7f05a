//! The project's own tasks, all that CI runs: `cargo xtask check | soak [SEEDS] | tidy | config-docs [--check] | shape`.
#![forbid(unsafe_code)]

mod check;
mod config_docs;
mod shape;
mod sources;
mod tidy;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo xtask check | soak [SEEDS] [--first SEED] [--fresh SEEDS] | soak --seed SEED | tidy | config-docs [--check] \
                     | shape";

fn run(arguments: &[&str]) -> Result<()> {
    let root = sources::root();
    match arguments {
        ["check"] => check::run(&root),
        ["soak", rest @ ..] => check::soak(&root, rest),
        ["tidy"] => tidy::run(&root),
        ["config-docs"] => config_docs::write(&root),
        ["config-docs", "--check"] => config_docs::check(&root),
        ["shape"] => shape::run(&root),
        _ => bail!(USAGE),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
