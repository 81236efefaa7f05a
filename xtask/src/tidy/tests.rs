//! Each rule finds what it is for, and leaves the rest alone.

use super::*;

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), text: text.to_owned() }
}

fn lines(rule: Rule, name: &str, text: &str) -> Vec<usize> {
    rule(&[source(name, text)]).into_iter().map(|finding| finding.line).collect()
}

#[test]
fn a_core_with_a_clock_is_found() {
    let text = "//! A core.\nuse std::collections::HashMap;\n// HashMap in words is fine.\nlet now = Instant::now();\n#[cfg(test)]\nmod tests { use std::fs; }\n";
    assert_eq!(lines(crates::cores_are_pure, "jobtracker/core/src/a.rs", text), [2, 4]);
    assert_eq!(lines(crates::cores_are_pure, "jobtracker/src/a.rs", text), [0; 0]);
    let manifest = "[package]\nname = \"x\"\n[dependencies]\ntypes.workspace = true\ntokio.workspace = true\n[dev-dependencies]\nproptest.workspace = true\n";
    assert_eq!(lines(crates::cores_are_pure, "tasktracker/core/Cargo.toml", manifest), [5]);
}

#[test]
fn a_dependency_that_points_back_is_found() {
    let manifest =
        "[dependencies]\ntypes = { path = \"../types\" }\nrpc.workspace = true\nthiserror.workspace = true\n";
    assert_eq!(lines(crates::dependencies_point_one_way, "wire/Cargo.toml", manifest), [3]);
    assert_eq!(lines(crates::dependencies_point_one_way, "jobtracker/Cargo.toml", manifest), [0; 0]);
}

#[test]
fn unsafe_code_is_found() {
    assert_eq!(lines(crates::unsafe_is_forbidden, "rpc/src/lib.rs", "//! X.\n"), [1]);
    assert_eq!(lines(crates::unsafe_is_forbidden, "rpc/src/a.rs", "//! X.\nlet a = unsafe { b() };\n"), [2]);
    assert_eq!(lines(crates::unsafe_is_forbidden, "rpc/src/lib.rs", "//! X.\n#![forbid(unsafe_code)]\n"), [0; 0]);
}

#[test]
fn listeners_and_strangers_are_found() {
    let text = "//! X.\nuse std::net::TcpListener;\nuse wire::mapred::job_submission;\n";
    assert_eq!(lines(crates::only_servers_listen, "wire/src/a.rs", text), [2]);
    assert_eq!(lines(crates::only_servers_listen, "rpc/src/server.rs", text), [0; 0]);
    assert_eq!(lines(crates::children_stay_local, "child/src/a.rs", text), [3]);
}

#[test]
fn key_names_are_found_outside_of_configuration() {
    let text = "//! X.\nconf.raw(\"io.sort.mb\");\nconf.raw(\"howdah.new.key\");\nuri.query(\"user.name\");\nlet a = \"plain\";\n";
    assert_eq!(lines(text::key_names_stand_in_configuration, "child/src/a.rs", text), [2, 3]);
    assert_eq!(lines(text::key_names_stand_in_configuration, "configuration/src/a.rs", text), [0; 0]);
    assert_eq!(lines(text::key_names_stand_in_configuration, "child/tests/a.rs", text), [0; 0]);
}

#[test]
fn paths_of_one_machine_are_found() {
    let local = concat!("see /wo", "rk/main\n");
    assert_eq!(lines(text::no_local_paths, "README.md", local), [1]);
    let inner = concat!("jobcache/<job>/<attempt>/wo", "rk/tmp and ${dir}/wo", "rk/x\n");
    assert_eq!(lines(text::no_local_paths, "README.md", inner), [0; 0]);
    assert_eq!(lines(text::no_local_paths, "tests/vectors/a.json", local), [0; 0]);
}

#[test]
fn long_and_silent_files_are_found() {
    assert_eq!(lines(text::files_are_short, "a/src/a.rs", &"x\n".repeat(801)), [801]);
    assert_eq!(lines(text::files_are_short, "a/src/a.rs", &"x\n".repeat(800)), [0; 0]);
    assert_eq!(lines(text::files_say_what_they_are, "a/src/a.rs", "use x;\n"), [1]);
    assert_eq!(lines(text::files_say_what_they_are, "a/src/a.rs", "//! X.\nuse x;\n"), [0; 0]);
}
