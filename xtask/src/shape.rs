//! `cargo xtask shape`: how long files and functions are, so that one that outgrew its neighbours shows.

use std::path::Path;

use anyhow::Result;

use crate::sources;

/// How many of the longest are named.
const NAMED: usize = 15;

/// Prints the spread of both lengths, and the longest of each.
pub(crate) fn run(root: &Path) -> Result<()> {
    let sources = sources::all(root)?;
    let mut files = Vec::new();
    let mut functions = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        files.push((source.text.lines().count(), source.name.clone()));
        for (line, name, length) in functions_of(&source.text) {
            functions.push((length, format!("{}:{line} {name}", source.name)));
        }
    }
    print("files", files);
    print("functions", functions);
    Ok(())
}

fn print(what: &str, mut lengths: Vec<(usize, String)>) {
    lengths.sort();
    let at = |share: usize| lengths.get(lengths.len() * share / 100).map_or(0, |(length, _)| *length);
    println!("{what}: {} in all; half have at most {} lines, nine in ten at most {}", lengths.len(), at(50), at(90));
    for (length, name) in lengths.iter().rev().take(NAMED) {
        println!("  {length:5}  {name}");
    }
}

/// Line, name and length of each function. The text is formatted, so that a function ends with a brace under its start.
fn functions_of(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &&str| line.len() == indent + 1 && line.trim_start() == "}";
        if line.trim_end().ends_with(['}', ';']) {
            continue;
        }
        let body = lines[start..].iter().position(ends);
        if let Some(length) = body {
            found.push((start + 1, name, length + 1));
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let mut words = line.trim_start();
    for modifier in ["pub(crate) ", "pub(super) ", "pub ", "const ", "async "] {
        words = words.strip_prefix(modifier).unwrap_or(words);
    }
    let rest = words.strip_prefix("fn ")?;
    rest.split(['(', '<']).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_functions() {
        let text = "impl A {\n    pub(crate) fn b<T>(&self) {\n        c();\n    }\n\n    fn d();\n    fn e() {}\n}\n\nasync fn f(\n    g: u8,\n) {\n    {\n    }\n}\n";
        assert_eq!(functions_of(text), [(2, "b", 3), (10, "f", 6)]);
    }
}
