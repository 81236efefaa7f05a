//! Files, pages and processes that cases look at.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::wait_until;
use nix::unistd::Pid;

/// How long anything may take; a loaded machine is slow.
pub(crate) const DEADLINE: Duration = Duration::from_secs(180);

/// Waits, and fails with what was awaited.
pub(crate) fn await_that(what: &str, condition: impl FnMut() -> bool) {
    assert!(wait_until(DEADLINE, condition), "not within {DEADLINE:?}: {what}");
}

/// Waits for a value.
pub(crate) fn await_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let mut found = None;
    await_that(what, || {
        found = look();
        found.is_some()
    });
    found.expect("awaited")
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// All files below a folder; those that vanish meanwhile are left out.
pub(crate) fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

/// The `part-*` files of an output folder, one after the other, as lines.
pub(crate) fn output_lines(dir: &Path) -> Vec<String> {
    let parts = howdah_tests::harness::part_files(dir);
    let texts =
        parts.values().map(|path| fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A page with its headers.
pub(crate) fn get(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the pages' port");
    stream.set_read_timeout(Some(DEADLINE)).expect("a time limit");
    write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Processes that have all of the words in their arguments, at least as parts. Two clusters may have jobs of the same
/// id, so one of the words should be the cluster's folder.
pub(crate) fn processes(words: &[&str]) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok());
    let is_wanted = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        words.iter().all(|word| line.contains(word))
    };
    pids.filter(is_wanted).map(Pid::from_raw).collect()
}
