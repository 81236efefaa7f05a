//! Version 1 live, where the test may make groups; version 2 against a folder with its files.

use std::process::{Command, Stdio};

use super::*;

/// A tracker's group of a name of its own, or nothing where groups cannot be made.
fn live(name: &str) -> Option<Cgroups> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let own = hierarchy::find(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))?;
    match Cgroups::below(own, &format!("howdah-test-{name}-{}", std::process::id())) {
        Ok(cgroups) => Some(cgroups),
        Err(error) => {
            eprintln!("nothing tested: {error}");
            None
        }
    }
}

#[test]
fn nothing_that_a_child_started_outlives_its_group() {
    let Some(cgroups) = live("end") else { return };
    let group = cgroups.create("child", GroupLimits { memory: Some(64 << 20), slots: 2 }).unwrap();
    let folders: Vec<PathBuf> = group.folders.folders().cloned().collect();
    // The shell waits until it is in the group; then one process flees to a session of its own.
    let mut child = Command::new("sh")
        .args(["-c", "read go; setsid sleep 600 & setsid sh -c 'sleep 600 & wait' & exec sleep 600"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    group.add(child.id() as i32).unwrap();
    drop(child.stdin.take());
    while group.processes().len() < 4 {
        std::thread::yield_now();
    }
    let all = group.processes();
    // The one that waits for its own child reaps it, as the tracker does.
    let waiting = std::thread::spawn(move || child.wait());
    group.end();
    waiting.join().unwrap().unwrap();
    for pid in all {
        let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }
    assert!(folders.iter().all(|folder| !folder.exists()), "{folders:?}");
}

#[test]
fn limits_of_version_1_are_the_kernels() {
    let Some(cgroups) = live("limits") else { return };
    let Own::V1(trees) = &cgroups.base else { return };
    let group = cgroups.create("child", GroupLimits { memory: Some(64 << 20), slots: 2 }).unwrap();
    for (controller, file, expected) in [("memory", "memory.limit_in_bytes", 64 << 20), ("cpu", "cpu.shares", 2048)] {
        let Some(tree) = trees.get(controller) else { continue };
        let text = fs::read_to_string(tree.join("child").join(file)).unwrap();
        assert_eq!(text.trim(), expected.to_string(), "{file}");
    }
    group.end();
}

#[test]
fn version_2_has_its_own_files() {
    let root = tempfile::tempdir().unwrap();
    let cgroups = Cgroups::below(Own::V2(root.path().to_owned()), "tracker").unwrap();
    let folder = root.path().join("tracker/child");
    let group = cgroups.create("child", GroupLimits { memory: Some(1 << 20), slots: 3 }).unwrap();
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!((read("memory.max"), read("cpu.weight")), ("1048576".to_owned(), "300".to_owned()));
    group.add(4711).unwrap();
    assert_eq!(read("cgroup.procs"), "4711");
    group.kill();
    assert_eq!(read("cgroup.kill"), "1");
    assert_eq!(fs::read_to_string(root.path().join("tracker/cgroup.subtree_control")).unwrap(), "+pids");
}
