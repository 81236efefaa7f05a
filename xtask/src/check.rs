//! `cargo xtask check`: everything that must pass and needs no Java. One build profile serves programs and tests.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{config_docs, tidy};

/// Each with its own words; the programs come before the tests that start them.
const STEPS: &[&[&str]] = &[
    &["fmt", "--all", "--check"],
    &["clippy", "--profile", "fast", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"],
    &[
        "build",
        "--profile",
        "fast",
        "-p",
        "jobtracker",
        "-p",
        "tasktracker",
        "-p",
        "child",
        "-p",
        "cli",
        "-p",
        "task-controller",
    ],
    &["test", "--profile", "fast", "--workspace", "--no-fail-fast"],
];

const SOAK: &[&str] = &["run", "--quiet", "--profile", "fast", "-p", "simulator", "--bin", "soak", "--"];

/// Runs every step, and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<()> {
    // What is quick comes first.
    step("tidy", || tidy::run(root))?;
    step("config-docs --check", || config_docs::check(root))?;
    for arguments in STEPS {
        step(&format!("cargo {}", arguments.join(" ")), || cargo(root, arguments))?;
    }
    step("soak", || soak(root, &["200"]))?;
    if installed(root, "deny") {
        step("cargo deny check", || cargo(root, &["deny", "check", "bans", "licenses", "sources"]))?;
    } else {
        println!("== cargo deny check: left out, cargo-deny is not installed (cargo install cargo-deny)");
    }
    println!("== all checks passed");
    Ok(())
}

/// Plays seeds of the simulated cluster: 10,000, or as told.
pub(crate) fn soak(root: &Path, arguments: &[&str]) -> Result<()> {
    cargo(root, &[SOAK, arguments].concat())
}

fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("== {name}");
    let began = Instant::now();
    work().with_context(|| format!("{name} failed"))?;
    println!("   {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("cargo").args(arguments).current_dir(root).status().context("cannot start cargo")?;
    if !status.success() {
        bail!("it ended with {status}");
    }
    Ok(())
}

fn installed(root: &Path, subcommand: &str) -> bool {
    let version = Command::new("cargo")
        .args([subcommand, "--version"])
        .current_dir(root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    version.is_ok_and(|status| status.success())
}
