//! Nobody's processes but the user's own are signalled.

use std::os::unix::process::ExitStatusExt;

use crate::site::{SIGNAL_TASK, Site};

#[test]
fn a_process_group_of_the_users_is_signalled() {
    let Some(site) = Site::new() else { return };
    let mut task = site.sleeper(&site.alice);
    let pid = task.id().to_string();
    site.run(&site.alice.name, SIGNAL_TASK, &[&pid, "0"]).ended_with(0);
    site.run(&site.alice.name, SIGNAL_TASK, &[&pid, "15"]).ended_with(0);
    assert_eq!(task.wait().unwrap().signal(), Some(15));
    site.run(&site.alice.name, SIGNAL_TASK, &[&pid, "9"]).ended_with(9);
}

#[test]
fn strangers_processes_stay() {
    let Some(site) = Site::new() else { return };
    let mut own = site.sleeper(&site.alice);
    for owner in [&site.bob, &site.tracker] {
        let mut task = site.sleeper(owner);
        let pid = task.id().to_string();
        for signal in ["0", "9", "15", "19"] {
            site.run(&site.alice.name, SIGNAL_TASK, &[&pid, signal]).ended_with(255);
        }
        assert!(task.try_wait().unwrap().is_none(), "it was signalled");
        task.kill().unwrap();
        task.wait().unwrap();
    }
    // Root's: this very test.
    site.run(&site.alice.name, SIGNAL_TASK, &[&std::process::id().to_string(), "9"]).ended_with(255);
    // Nor all of the user's at once: kill(-1) would mean that.
    for pid in ["1", "0", "-1", "-2"] {
        site.run(&site.alice.name, SIGNAL_TASK, &[pid, "9"]).ended_with(9);
    }
    assert!(own.try_wait().unwrap().is_none(), "it was signalled");
    own.kill().unwrap();
    own.wait().unwrap();
}

#[test]
fn what_is_no_number_is_no_process() {
    let Some(site) = Site::new() else { return };
    for (pid, signal) in [("12x", "9"), ("", "9"), ("99999999999999", "9"), ("12", "x"), ("12", "")] {
        site.run(&site.alice.name, SIGNAL_TASK, &[pid, signal]).ended_with(1);
    }
    let mut task = site.sleeper(&site.alice);
    site.run(&site.alice.name, SIGNAL_TASK, &[&task.id().to_string(), "999"]).ended_with(8);
    task.kill().unwrap();
    task.wait().unwrap();
}
