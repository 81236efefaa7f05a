//! Rules about what a file may say, and how long it may be.

use std::collections::BTreeSet;

use configuration::all_keys;

use super::Finding;
use crate::sources::Source;

/// Key names that are other things too: a query parameter, a system property.
const TWO_MEANINGS: &[&str] = &["user.name", "hadoop.log.dir"];

/// A key's name is a string literal in `configuration` and nowhere else outside of tests.
pub(super) fn key_names_stand_in_configuration(sources: &[Source]) -> Vec<Finding> {
    let names: BTreeSet<&str> = all_keys().flat_map(|row| row.new_names.iter().copied().chain([row.name])).collect();
    let mut findings = Vec::new();
    // Cores cannot use `configuration`; the few names in them are words of a refusal.
    // Neither can the set-user-id program, whose file is another one.
    let free = ["configuration/", "xtask/", "jobtracker/core/", "tasktracker/core/", "task-controller/"];
    let others = sources.iter().filter(|source| source.is_rust() && !source.is_test());
    for source in others.filter(|source| !free.iter().any(|folder| source.name.starts_with(folder))) {
        for (line, text) in source.code() {
            for literal in literals(text) {
                let is_key = names.contains(literal) || literal.starts_with("howdah.") && !literal.contains(' ');
                if is_key && literal.contains('.') && !TWO_MEANINGS.contains(&literal) && !literal.contains(':') {
                    let message = format!("\"{literal}\" is a key; use its row in configuration::keys");
                    findings.push(Finding::new(source, line, message));
                }
            }
        }
    }
    findings
}

/// The string literals of a line, where they hold neither quotes nor escapes.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

/// Every Rust file starts with `//!`.
pub(super) fn files_say_what_they_are(sources: &[Source]) -> Vec<Finding> {
    let rust = sources.iter().filter(|source| source.is_rust());
    let silent = rust.filter(|source| !source.text.starts_with("//!"));
    silent.map(|source| Finding::new(source, 1, "start the file with //! and what it is responsible for")).collect()
}

/// Folders of recorded bytes: what they say is what was recorded.
const RECORDED: &[&str] = &["tests/vectors/", "hadoop-io/tests/", "wire/tests/"];

/// Paths of one machine say nothing on another. Written in two halves, so that this file keeps its own rule.
pub(super) fn no_local_paths(sources: &[Source]) -> Vec<Finding> {
    let banned = [concat!("/wo", "rk/"), concat!("/ho", "me/runner"), concat!("/ro", "ot/"), concat!("/tmp", "/w/")];
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| !RECORDED.iter().any(|folder| source.name.starts_with(folder))) {
        for (at, line) in source.text.lines().enumerate() {
            for path in banned.iter().filter(|path| starts_a_path(line, path)) {
                findings.push(Finding::new(source, at + 1, format!("{path}… is a path of one machine")));
            }
        }
    }
    findings
}

/// Whether the text stands in the line and is not the middle of a longer path.
fn starts_a_path(line: &str, path: &str) -> bool {
    let inner = |at: usize| {
        line[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || "/._-}>*)".contains(before))
    };
    line.match_indices(path).any(|(at, _)| !inner(at))
}

/// The longest file, in lines. Half of all should stay under 300; `cargo xtask shape` shows where they stand.
const LINES_MAX: usize = 800;

/// A longer file has parts with names of their own.
pub(super) fn files_are_short(sources: &[Source]) -> Vec<Finding> {
    let rust = sources.iter().filter(|source| source.is_rust());
    let lines = rust.map(|source| (source, source.text.lines().count()));
    let long = lines.filter(|(_, lines)| *lines > LINES_MAX);
    let message = |lines| format!("{lines} lines; split it where a part has a name of its own (at most {LINES_MAX})");
    long.map(|(source, lines)| Finding::new(source, lines, message(lines))).collect()
}
