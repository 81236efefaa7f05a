//! Rules about what a crate may use.

use super::Finding;
use crate::sources::Source;

/// Crates without I/O, clock, thread or lock.
const CORES: &[&str] = &["jobtracker/core/", "tasktracker/core/"];

/// What must not stand in a core, and what to do about it.
const IMPURE: &[(&str, &str)] = &[
    ("std::net", "a core opens no socket; queue an effect"),
    ("std::fs", "a core reads no file; the shell looks it up and passes it in"),
    ("std::thread", "a core has no thread; one task of the shell owns it"),
    ("std::process", "a core starts no process; queue an effect"),
    ("std::env", "a core reads no environment; take a setting"),
    ("Instant::now", "a core is told the time; take `now`"),
    ("SystemTime::now", "a core is told the time; take `now`"),
    ("Mutex", "a core has one owner and no lock"),
    ("RwLock", "a core has one owner and no lock"),
    ("HashMap", "hash order does not replay; use BTreeMap, Vec or IndexMap"),
    ("HashSet", "hash order does not replay; use BTreeSet, Vec or IndexSet"),
    ("async fn", "a core answers at once; queue an effect"),
    ("getrandom", "unseeded randomness does not replay; take a seed"),
];

/// What a core may depend on.
const PURE: &[&str] = &["types", "thiserror", "indexmap", "fastrand"];

/// Cores use `types` and plain data structures alone.
pub(super) fn cores_are_pure(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| CORES.iter().any(|core| source.name.starts_with(core))) {
        if source.name.ends_with("Cargo.toml") {
            for (line, dependency) in dependencies(source) {
                if !PURE.contains(&dependency) {
                    findings.push(Finding::new(source, line, format!("a core may not depend on {dependency}")));
                }
            }
        }
        if !source.is_rust() || source.is_test() {
            continue;
        }
        for (line, text) in source.code() {
            for (word, advice) in IMPURE {
                if text.contains(word) {
                    findings.push(Finding::new(source, line, format!("{word}: {advice}")));
                }
            }
        }
    }
    findings
}

/// For each crate of ours that others build on, the crates of ours that it may build on.
const ARROWS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("hadoop-io", &["types"]),
    ("wire", &["types", "hadoop-io"]),
    ("rpc", &["types", "hadoop-io", "wire"]),
    ("configuration", &["types"]),
    ("storage", &["types", "hadoop-io", "configuration"]),
    ("twins", &["types", "configuration", "hadoop-io", "storage"]),
    ("jobtracker/core", &["types"]),
    ("tasktracker/core", &["types"]),
    ("simulator", &["types", "jobtracker-core", "tasktracker-core"]),
    ("child", &["types", "hadoop-io", "wire", "rpc", "configuration", "storage", "twins"]),
    ("cli", &["types", "hadoop-io", "wire", "rpc", "configuration", "storage", "twins", "child"]),
];

/// Names of our crates, as dependencies write them.
const OURS: &[&str] = &[
    "types",
    "hadoop-io",
    "wire",
    "rpc",
    "configuration",
    "storage",
    "twins",
    "jobtracker",
    "jobtracker-core",
    "tasktracker",
    "tasktracker-core",
    "child",
    "cli",
    "simulator",
];

/// `types` <- `wire` <- `rpc` <- programs, and never back.
pub(super) fn dependencies_point_one_way(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, allowed) in ARROWS {
        let manifest = format!("{folder}/Cargo.toml");
        let Some(source) = sources.iter().find(|source| source.name == manifest) else { continue };
        for (line, dependency) in dependencies(source) {
            if OURS.contains(&dependency) && !allowed.contains(&dependency) {
                findings.push(Finding::new(source, line, format!("{folder} may not depend on {dependency}")));
            }
        }
    }
    findings
}

/// The lines of `[dependencies]`, each with the name before the dot or equals sign.
fn dependencies(manifest: &Source) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    manifest.text.lines().enumerate().filter_map(move |(at, line)| {
        if line.starts_with('[') {
            inside = line.trim() == "[dependencies]";
            return None;
        }
        let name = line.split(['.', '=', ' ']).next().filter(|name| !name.is_empty() && !name.starts_with('#'))?;
        inside.then_some((at + 1, name))
    })
}

/// Modules that may hold unsafe code, each because the system offers no safe way.
const UNSAFE: &[&str] = &["task-controller/src/system.rs"];

/// `unsafe` is forbidden by each crate root, and stands nowhere but in [`UNSAFE`].
pub(super) fn unsafe_is_forbidden(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        let is_root = source.name.ends_with("src/lib.rs") || source.name.ends_with("src/main.rs");
        let says = |word: &str| source.text.lines().any(|line| line.trim() == word);
        if is_root && !says("#![forbid(unsafe_code)]") && !says("#![deny(unsafe_code)]") {
            findings.push(Finding::new(source, 1, "a crate root must say #![forbid(unsafe_code)]"));
        }
        if source.name.starts_with("xtask/") || UNSAFE.contains(&source.name.as_str()) {
            continue;
        }
        for (line, text) in source.code() {
            if ["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|form| text.contains(form)) {
                findings.push(Finding::new(
                    source,
                    line,
                    "unsafe code belongs in a named module: xtask/src/tidy/crates.rs",
                ));
            }
        }
    }
    findings
}

/// Crates whose programs serve others.
const SERVERS: &[&str] =
    &["rpc/", "jobtracker/src/", "tasktracker/src/", "child/src/runner/pipes", "tests/", "benches/", "xtask/"];

/// Listening sockets are opened by servers alone.
pub(super) fn only_servers_listen(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let others = sources.iter().filter(|source| source.is_rust() && !source.is_test());
    for source in others.filter(|source| !SERVERS.iter().any(|server| source.name.starts_with(server))) {
        for (line, text) in source.code().filter(|(_, text)| text.contains("TcpListener")) {
            let _ = text;
            findings.push(Finding::new(source, line, "only servers open listening sockets"));
        }
    }
    findings
}

/// A child knows its TaskTracker, the storage and the shuffle servers.
pub(super) fn children_stay_local(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.name.starts_with("child/src/") && source.is_rust()) {
        for (line, text) in source.code() {
            if text.contains("job_submission") || text.contains("inter_tracker") {
                findings.push(Finding::new(source, line, "a child never speaks to the JobTracker"));
            }
        }
    }
    findings
}
