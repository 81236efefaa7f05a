//! The files of the project, and the part of a Rust file that is not its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A file under version control, or about to be.
pub(crate) struct Source {
    /// Its name from the root, with slashes.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Every text file that is tracked, or new and not ignored.
pub(crate) fn all(root: &Path) -> Result<Vec<Source>> {
    let list = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    if !list.status.success() {
        bail!("git ls-files failed: {}", String::from_utf8_lossy(&list.stderr).trim());
    }
    let names = String::from_utf8_lossy(&list.stdout).into_owned();
    let mut sources = Vec::new();
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        // What was deleted and not yet committed, and what is no text, is no source.
        if let Ok(text) = fs::read_to_string(root.join(name)) {
            sources.push(Source { name: name.to_owned(), text });
        }
    }
    Ok(sources)
}

impl Source {
    pub(crate) fn is_rust(&self) -> bool {
        self.name.ends_with(".rs")
    }

    /// Whether the whole file is tests or serves tests.
    pub(crate) fn is_test(&self) -> bool {
        let parts: Vec<&str> = self.name.split('/').collect();
        parts.contains(&"tests") || parts.contains(&"benches") || self.name.ends_with("/tests.rs")
    }

    /// The numbered lines before the tests at the end of the file, without comments.
    pub(crate) fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let before_tests = lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        before_tests.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}
