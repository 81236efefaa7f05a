//! The program's own file, its configuration, and the folders above both.

use std::fs;
use std::os::unix::fs::{chown, symlink};

use crate::site::{RUN_COMMAND, Site, outcome, set_mode};

/// What a TaskTracker sees of an installation: at its start, and when it first wants something done.
#[track_caller]
fn check(site: &Site, code: i32, word: &str) {
    let bare = site.run_with(&[]);
    assert_eq!(bare.code, Some(if code == 0 { 1 } else { code }), "{bare:#?}");
    let done = site.run(&site.alice.name, RUN_COMMAND, &["true"]).ended_with(code);
    assert!(done.stdout.contains(word), "{done:#?}");
}

#[test]
fn a_good_installation_works_and_answers_a_bare_call_with_usage_and_1() {
    let Some(site) = Site::new() else { return };
    check(&site, 0, "");
    let bare = site.run_with(&[]);
    assert!(bare.stdout.starts_with("Usage: task-controller user good-local-dirs command"), "{bare:#?}");
    for few in [&["al"][..], &["al", "/d"], &["al", "/d", "5"]] {
        site.run_with(few).ended_with(1);
    }
}

#[test]
fn the_programs_own_file_must_be_roots_and_nobody_elses() {
    let Some(site) = Site::new() else { return };
    let program = site.program();
    for mode in [0o0750, 0o4751, 0o4752] {
        set_mode(&program, mode);
        check(&site, 22, "invalid permissions");
    }
    chown(&program, Some(0), Some(site.bob.gid)).unwrap();
    set_mode(&program, 0o4755);
    check(&site, 22, "invalid permissions");
    chown(&program, Some(site.tracker.uid), Some(site.tracker.gid)).unwrap();
    set_mode(&program, 0o4750);
    check(&site, 22, "owned by root");
}

#[test]
fn somebody_outside_of_the_group_cannot_even_start_it() {
    use std::os::unix::process::CommandExt;
    let Some(site) = Site::new() else { return };
    let mut command = site.command(&site.program(), &[]);
    command.uid(site.alice.uid).gid(site.alice.gid);
    assert_eq!(command.output().unwrap_err().kind(), std::io::ErrorKind::PermissionDenied);
}

#[test]
fn the_configuration_and_each_folder_above_it_must_be_roots_and_writable_by_nobody_else() {
    let Some(site) = Site::new() else { return };
    let (file, folder, above) = (site.conf_file(), site.path("conf"), site.path(""));
    for path in [&file, &folder, &above] {
        for bits in [0o020, 0o002, 0o1002] {
            let good = if path == &file { 0o644 } else { 0o755 };
            set_mode(path, good | bits);
            check(&site, 24, "must not be writable by group or others");
            set_mode(path, good);
        }
        chown(path, Some(site.tracker.uid), None).unwrap();
        check(&site, 24, "must be owned by root");
        chown(path, Some(0), None).unwrap();
    }
    check(&site, 0, "");
}

#[test]
fn what_the_configuration_lacks_is_named() {
    let Some(site) = Site::new() else { return };
    fs::write(site.conf_file(), "hadoop.log.dir=/x\n").unwrap();
    check(&site, 24, "mapreduce.tasktracker.group is not configured");
    fs::write(site.conf_file(), "mapreduce.tasktracker.group=no-such-group\n").unwrap();
    check(&site, 24, "no such group");
    fs::write(site.conf_file(), "rubbish\n").unwrap();
    check(&site, 24, "line 1");
    fs::write(site.conf_file(), "#".repeat(100_000)).unwrap();
    check(&site, 24, "larger");
    fs::remove_file(site.conf_file()).unwrap();
    check(&site, 24, "not found");
    fs::create_dir(site.conf_file()).unwrap();
    check(&site, 24, "plain file");
}

#[test]
fn the_last_line_of_the_configuration_needs_no_end() {
    let Some(site) = Site::new() else { return };
    let text = format!("hadoop.log.dir={}\nmapreduce.tasktracker.group={}", site.text("logs"), site.tracker.name);
    fs::write(site.conf_file(), text).unwrap();
    check(&site, 0, "");
    site.configure(&format!("banned.users={}", site.alice.name));
    check_banned(&site);
}

#[track_caller]
fn check_banned(site: &Site) {
    let refused = site.run(&site.alice.name, RUN_COMMAND, &["true"]).ended_with(255);
    assert!(refused.stdout.contains("banned"), "{refused:#?}");
}

#[test]
fn a_link_to_a_configuration_of_roots_is_good_and_to_a_strangers_is_not() {
    let Some(site) = Site::new() else { return };
    let elsewhere = site.path("home/real.cfg");
    fs::rename(site.conf_file(), &elsewhere).unwrap();
    symlink(&elsewhere, site.conf_file()).unwrap();
    check(&site, 0, "");
    chown(&elsewhere, Some(site.tracker.uid), None).unwrap();
    check(&site, 24, "must be owned by root");
}

#[test]
fn a_hard_or_symbolic_link_to_the_program_brings_no_configuration_of_its_own() {
    let Some(site) = Site::new() else { return };
    site.configure(&format!("banned.users={}\n", site.alice.name));
    // As if the tracker's user had made them: it owns the folders and the configuration beside the links.
    site.make_dir("home/t", &site.tracker, 0o755);
    site.make_dir("home/t/bin", &site.tracker, 0o755);
    site.make_dir("home/t/conf", &site.tracker, 0o755);
    let own = format!("mapreduce.tasktracker.group={}\nbanned.users=nobody\n", site.tracker.name);
    site.give_file("home/t/conf/taskcontroller.cfg", &site.tracker, &own);
    let dirs = site.local_dirs();
    let arguments = [site.alice.name.as_str(), &dirs, RUN_COMMAND, "true"];

    let hard = site.path("home/t/bin/task-controller");
    fs::hard_link(site.program(), &hard).unwrap();
    let refused = outcome(site.command(&hard, &arguments)).ended_with(24);
    assert!(refused.stdout.contains("must be owned by root"), "{refused:#?}");
    let soft = site.path("home/t/bin/link");
    symlink(site.program(), &soft).unwrap();
    let refused = outcome(site.command(&soft, &arguments)).ended_with(255);
    assert!(refused.stdout.contains("banned"), "{refused:#?}");
}
