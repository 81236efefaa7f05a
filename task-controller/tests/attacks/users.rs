//! As whom tasks may run, and what no command accepts.

use crate::site::{
    DELETE_AS_USER, DELETE_LOG_AS_USER, INITIALIZE_JOB, JOB, LAUNCH_TASK, RUN_COMMAND, SIGNAL_TASK, Site,
};

#[track_caller]
fn check_refused(site: &Site, user: &str, word: &str) {
    for (command, arguments) in [
        (INITIALIZE_JOB, &[JOB, "/a", "/b", "true"][..]),
        (LAUNCH_TASK, &[JOB, "a", "/w", "/s"]),
        (SIGNAL_TASK, &["1", "9"]),
        (DELETE_AS_USER, &["x"]),
        (DELETE_LOG_AS_USER, &["x"]),
        (RUN_COMMAND, &["true"]),
    ] {
        let refused = site.run(user, command, arguments).ended_with(255);
        assert!(refused.stdout.contains(word), "{refused:#?}");
    }
}

#[test]
fn neither_root_nor_low_ids_nor_banned_nor_unknown_users_run_anything() {
    let Some(site) = Site::new() else { return };
    check_refused(&site, "root", "root is not allowed");
    check_refused(&site, "daemon", "below the least allowed, 1000");
    check_refused(&site, "no-such-user", "not found");
    for name in ["", "..", "a/b", "../root"] {
        check_refused(&site, name, "");
    }
    site.configure("min.user.id=1\n");
    check_refused(&site, "bin", "banned");
    site.configure(&format!("min.user.id=0\nbanned.users=x, {},y\n", site.alice.name));
    check_refused(&site, "root", "root is not allowed");
    check_refused(&site, &site.alice.name, "banned");
    site.run("bin", RUN_COMMAND, &["true"]).ended_with(0);
    site.configure(&format!("min.user.id={}\n", site.alice.uid + 1));
    check_refused(&site, &site.alice.name, "below the least allowed");
    site.configure("min.user.id=low\n");
    check_refused(&site, &site.alice.name, "min.user.id is \"low\"");
}

#[test]
fn commands_that_are_none_and_too_few_arguments_are_refused() {
    let Some(site) = Site::new() else { return };
    let alice = site.alice.name.as_str();
    for command in ["6", "-1", "x", "", "00000000000000000000000000000000000000000000000000000000000000000000006"] {
        site.run(alice, command, &["x"]).ended_with(3);
    }
    site.run(alice, INITIALIZE_JOB, &[JOB, "/a", "/b"]).ended_with(1);
    site.run(alice, LAUNCH_TASK, &[JOB, "a", "/w"]).ended_with(1);
    site.run(alice, SIGNAL_TASK, &["1"]).ended_with(1);
    let dirs_are_none = |dirs: &str| site.run_with(&[alice, dirs, DELETE_AS_USER, "x"]);
    dirs_are_none("").ended_with(5);
    dirs_are_none(",,").ended_with(5);
    site.run_with(&[alice, "local", INITIALIZE_JOB, JOB, "/a", "/b", "true"]).ended_with(5);
}
