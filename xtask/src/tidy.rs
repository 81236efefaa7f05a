//! `cargo xtask tidy`: what ARCHITECTURE.md says is absent is absent. Each rule is a function from sources to
//! findings; a finding names file and line and says what to do.

mod crates;
mod text;

use std::path::Path;

use anyhow::{Result, bail};

use crate::sources::{self, Source};

/// One thing that a rule does not allow.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    file: String,
    line: usize,
    message: String,
}

impl Finding {
    fn new(source: &Source, line: usize, message: impl Into<String>) -> Self {
        Finding { file: source.name.clone(), line, message: message.into() }
    }
}

type Rule = fn(&[Source]) -> Vec<Finding>;

const RULES: &[(&str, Rule)] = &[
    ("cores have no clock, I/O, thread, lock or hash order", crates::cores_are_pure),
    ("arrows between crates point one way", crates::dependencies_point_one_way),
    ("every crate forbids unsafe code", crates::unsafe_is_forbidden),
    ("only servers listen", crates::only_servers_listen),
    ("children do not speak to the JobTracker", crates::children_stay_local),
    ("key names stand in configuration alone", text::key_names_stand_in_configuration),
    ("every Rust file says what it is responsible for", text::files_say_what_they_are),
    ("no paths of one machine", text::no_local_paths),
    ("files are short enough to read", text::files_are_short),
];

/// Prints every finding, and fails if there is one.
pub(crate) fn run(root: &Path) -> Result<()> {
    let sources = sources::all(root)?;
    let mut count = 0;
    for (name, rule) in RULES {
        for Finding { file, line, message } in rule(&sources) {
            println!("{file}:{line}: {message} ({name})");
            count += 1;
        }
    }
    if count > 0 {
        bail!("{count} findings");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
