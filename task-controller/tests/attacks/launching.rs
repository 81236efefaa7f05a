//! What runs as the user: with which identity, in which environment, from where.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::site::{ATTEMPT, JOB, LAUNCH_TASK, RUN_COMMAND, Site, facts, outcome, write_script};

/// What the script of an attempt finds out about itself.
const WHO: &str = "{ grep -E '^(Uid|Gid|Groups|CapEff|CapPrm):' /proc/self/status; umask; pwd; echo $0; } > who\n";

#[test]
fn an_attempt_runs_as_its_user_and_cannot_be_anybody_else_again() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    let script = format!("{WHO}cat /etc/shadow > shadow; kill -0 {}; echo $? > killed\nexit 7\n", std::process::id());
    site.launch(&site.alice, &script).ended_with(7);
    let work = site.path(&site.work("local0", &site.alice));
    let who = fs::read_to_string(work.join("who")).unwrap();
    let (uid, gid) = (site.alice.uid, site.alice.gid);
    let lines: Vec<&str> = who.lines().map(str::trim_end).collect();
    let expected = [
        format!("Uid:\t{uid}\t{uid}\t{uid}\t{uid}"),
        format!("Gid:\t{gid}\t{gid}\t{gid}\t{gid}"),
        format!("Groups:\t{gid}"),
        "CapPrm:\t0000000000000000".into(),
        "CapEff:\t0000000000000000".into(),
        "0027".into(),
        work.display().to_string(),
        work.join("taskjvm.sh").display().to_string(),
    ];
    assert_eq!(lines, expected);
    assert_eq!(fs::read_to_string(work.join("shadow")).unwrap(), "");
    assert_eq!(fs::read_to_string(work.join("killed")).unwrap(), "1\n");
    assert_eq!(facts(work.join("taskjvm.sh")), (uid, site.tracker.gid, 0o700));
    assert_eq!(facts(work.join("who")), (uid, site.tracker.gid, 0o640));
}

#[test]
fn the_logs_of_an_attempt_are_its_users_and_readable_for_the_tracker() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    let link = site.path(&format!("logs/userlogs/{JOB}/{ATTEMPT}"));
    let script = format!("echo hello > {}/stdout", link.display());
    site.launch(&site.alice, &script).ended_with(0);
    let real = fs::read_link(&link).unwrap();
    let places = ["local0", "local1"].map(|local| site.path(&format!("{local}/userlogs/{JOB}/{ATTEMPT}")));
    assert!(places.contains(&real), "{}", real.display());
    assert_eq!(facts(&real), (site.alice.uid, site.tracker.gid, 0o2750));
    assert_eq!(facts(real.parent().unwrap()), (site.alice.uid, site.tracker.gid, 0o2750));
    let read = |user| {
        let mut command = site.command(std::path::Path::new("cat"), &[&real.join("stdout").display().to_string()]);
        std::os::unix::process::CommandExt::uid(&mut command, user);
        command
    };
    assert_eq!(outcome(read(site.tracker.uid)).ended_with(0).stdout, "hello\n");
    let mut stranger = read(site.bob.uid);
    std::os::unix::process::CommandExt::gid(&mut stranger, site.bob.gid);
    outcome(stranger).ended_with(1);
}

#[test]
fn a_hostile_environment_changes_nothing() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.make_dir("home/evil", &site.tracker, 0o777);
    let bait = site.text("home/evil/was-here");
    write_script(&site.path("home/evil/id"), &format!("#!/bin/sh\ntouch {bait}\n"));
    write_script(&site.path("home/evil/rc"), &format!("touch {bait}\n"));
    fs::copy(site.path("home/evil/rc"), site.path("home/evil/preload.so")).unwrap();
    let (work, script) = (site.text(&site.work("local0", &site.alice)), site.text("local0/ttprivate/script"));
    site.give_file("local0/ttprivate/script", &site.tracker, "env > env; ls -l /proc/self/fd > fds; id > id\n");
    let dirs = site.local_dirs();
    let arguments = [site.alice.name.as_str(), &dirs, LAUNCH_TASK, JOB, ATTEMPT, &work, &script];
    // A shell in between, to leave a descriptor open for whoever comes next.
    let shell = format!("exec 9< {}; exec \"$0\" \"$@\"", site.text("local0/ttprivate/jobToken"));
    let program = site.program().display().to_string();
    let mut words = vec!["-c", shell.as_str(), program.as_str()];
    words.extend(arguments);
    let mut command = site.command(std::path::Path::new("/bin/sh"), &words);
    let evil = site.text("home/evil");
    command.env_clear().envs([
        ("LD_PRELOAD", format!("{evil}/preload.so").as_str()),
        ("LD_LIBRARY_PATH", evil.as_str()),
        ("LD_AUDIT", format!("{evil}/preload.so").as_str()),
        ("IFS", "/"),
        ("BASH_ENV", format!("{evil}/rc").as_str()),
        ("ENV", format!("{evil}/rc").as_str()),
        ("PATH", "home/evil:.:/usr/bin:/bin"),
        ("BASH_FUNC_id%%", format!("() {{ touch {bait}; }}").as_str()),
        ("TMPDIR", evil.as_str()),
        ("HOME", evil.as_str()),
        ("JAVA_HOME", "/opt/java"),
    ]);
    command.current_dir(site.path(""));
    // The shell in between must not fall for it itself: it is not what is tested.
    let run = outcome(command);
    let work = site.path(&site.work("local0", &site.alice));
    assert_eq!(run.code, Some(0), "{run:#?}");
    let env = fs::read_to_string(work.join("env")).unwrap();
    for gone in ["LD_", "BASH_ENV", "BASH_FUNC", "TMPDIR", "IFS="] {
        assert!(!env.contains(gone), "{gone} came through:\n{env}");
    }
    assert!(env.contains("PATH=/usr/bin:/bin\n") && env.contains("JAVA_HOME=/opt/java\n"), "{env}");
    assert!(env.contains(&format!("USER={}\n", site.alice.name)) && !env.contains(&format!("HOME={evil}")), "{env}");
    let fds = fs::read_to_string(work.join("fds")).unwrap();
    assert!(!fds.contains("jobToken"), "{fds}");
    assert!(fs::read_to_string(work.join("id")).unwrap().contains("uid="));
    assert!(!std::path::Path::new(&bait).exists(), "the bait was taken");
}

#[test]
fn a_working_directory_elsewhere_is_refused() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.initialize(&site.bob, "job_202612010600_0002").ended_with(0);
    site.give_file("local0/ttprivate/script", &site.tracker, "touch ran\n");
    let script = site.text("local0/ttprivate/script");
    let bobs = format!("local0/taskTracker/{}/jobcache/job_202612010600_0002", site.bob.name);
    let up = format!("{}/../work", site.work("local0", &site.alice));
    for (work, code) in [("home", 10), ("local0/taskTracker", 10), (bobs.as_str(), 10), (up.as_str(), 11)] {
        site.run(&site.alice.name, LAUNCH_TASK, &[JOB, ATTEMPT, &site.text(work), &script]).ended_with(code);
    }
    for (job, attempt) in [("..", ATTEMPT), (JOB, ".."), (JOB, "a/../.."), ("a/b", ATTEMPT), ("", ATTEMPT), (JOB, "")] {
        let work = site.text(&site.work("local0", &site.alice));
        site.run(&site.alice.name, LAUNCH_TASK, &[job, attempt, &work, &script]).ended_with(11);
    }
}

#[test]
fn links_of_the_users_in_an_attempts_way_are_not_followed() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    let attempt_dir = format!("local0/taskTracker/{}/jobcache/{JOB}/{ATTEMPT}", site.alice.name);
    site.make_dir("home/victim", &site.alice, 0o755);
    site.give_file("home/victim/file", &site.alice, "precious");
    let work = site.work("local0", &site.alice);
    // The script's name is taken by a link.
    site.make_dir(&attempt_dir, &site.alice, 0o755);
    site.make_dir(&work, &site.alice, 0o755);
    symlink(site.path("home/victim/file"), site.path(&work).join("taskjvm.sh")).unwrap();
    site.launch(&site.alice, "touch ran\n").ended_with(255);
    assert_eq!(fs::read_to_string(site.path("home/victim/file")).unwrap(), "precious");
    // The working directory is a link.
    fs::remove_dir_all(site.path(&work)).unwrap();
    symlink(site.path("home/victim"), site.path(&work)).unwrap();
    site.launch(&site.alice, "touch ran\n").ended_with(10);
    assert!(!site.path("home/victim/taskjvm.sh").exists() && !site.path("home/victim/ran").exists());
}

#[test]
fn files_that_the_tracker_itself_may_not_read_are_not_read_for_it() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    let work = site.text(&site.work("local0", &site.alice));
    let launch = |script: &str| site.run(&site.alice.name, LAUNCH_TASK, &[JOB, ATTEMPT, &work, script]);
    launch("/etc/shadow").ended_with(255);
    symlink("/etc/shadow", site.path("local0/ttprivate/link")).unwrap();
    launch(&site.text("local0/ttprivate/link")).ended_with(255);
    let pipe = site.text("local0/ttprivate/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::chown(&pipe, Some(site.tracker.uid), None).unwrap();
    // It must not wait for somebody to write, either.
    launch(&pipe).ended_with(255);
    launch("relative").ended_with(255);
    assert!(!site.path(&format!("{}/taskjvm.sh", site.work("local0", &site.alice))).exists());
}

#[test]
fn a_command_line_of_the_trackers_runs_as_the_user() {
    let Some(site) = Site::new() else { return };
    let run = site.run(&site.bob.name, RUN_COMMAND, &["id", "-u"]).ended_with(0);
    assert_eq!(run.stdout, format!("{}\n", site.bob.uid));
    site.run(&site.bob.name, RUN_COMMAND, &["sh", "-c", "exit 9"]).ended_with(9);
    site.run(&site.bob.name, RUN_COMMAND, &["no-such-program"]).ended_with(255);
}
