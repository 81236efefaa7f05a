//! Deletion takes the user's files in the tracker's folders and nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::site::{ATTEMPT, DELETE_AS_USER, DELETE_LOG_AS_USER, JOB, Site, set_mode};

/// Makes a tree of a user's as that user.
fn as_user(site: &Site, user: &crate::site::User, script: &str) {
    let mut command = site.command(std::path::Path::new("/bin/sh"), &["-ec", script]);
    std::os::unix::process::CommandExt::uid(&mut command, user.uid);
    std::os::unix::process::CommandExt::gid(&mut command, user.gid);
    let run = command.output().unwrap();
    assert!(run.status.success(), "{run:?}");
}

#[test]
fn trees_of_any_shape_go_and_what_links_point_at_stays() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.make_dir("home/alice", &site.alice, 0o755);
    site.give_file("home/alice/kept", &site.alice, "x");
    let job = site.text(&format!("local1/taskTracker/{}/jobcache/{JOB}", site.alice.name));
    let kept = site.text("home/alice");
    as_user(
        &site,
        &site.alice,
        &format!(
            "cd {job}; mkdir -p a/b/c shut; touch a/b/c/file shut/file; ln -s {kept} a/link; ln -s {kept}/kept a/file; \
             mkfifo a/pipe; chmod 0 shut a/b/c; chmod 500 a/b; \
             i=0; while [ $i -lt 700 ]; do mkdir d; cd d; i=$((i+1)); done; touch bottom"
        ),
    );
    site.run(&site.alice.name, DELETE_AS_USER, &[&format!("jobcache/{JOB}")]).ended_with(0);
    assert!(!std::path::Path::new(&job).exists());
    assert!(!site.path(&format!("local0/taskTracker/{}/jobcache/{JOB}", site.alice.name)).exists());
    assert_eq!(fs::read_to_string(site.path("home/alice/kept")).unwrap(), "x");
    // What is not there is no error: Hadoop's program says so too.
    site.run(&site.alice.name, DELETE_AS_USER, &["jobcache/job_1_0001/x"]).ended_with(0);
}

#[test]
fn a_path_does_not_lead_out_of_the_users_folder() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.initialize(&site.bob, "job_202612010600_0002").ended_with(0);
    let bobs = site.path(&format!("local0/taskTracker/{}/jobcache", site.bob.name));
    for path in [format!("../{}", site.bob.name), "jobcache/../../x".into(), "..".into()] {
        site.run(&site.alice.name, DELETE_AS_USER, &[&path]).ended_with(11);
    }
    // A folder of alice's own elsewhere, which she could delete: reached by a link of hers it must stay.
    site.make_dir("home/alice", &site.alice, 0o755);
    site.give_file("home/alice/kept", &site.alice, "x");
    let own = site.path(&format!("local0/taskTracker/{}", site.alice.name));
    symlink(site.path("home"), own.join("link")).unwrap();
    site.run(&site.alice.name, DELETE_AS_USER, &["link/alice"]).ended_with(255);
    assert!(site.path("home/alice/kept").exists());
    site.run(&site.alice.name, DELETE_AS_USER, &["link"]).ended_with(0);
    assert!(site.path("home/alice/kept").exists() && !own.join("link").exists());
    assert!(bobs.exists());
}

#[test]
fn the_whole_folder_of_one_user_goes_and_of_no_other() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.initialize(&site.bob, "job_202612010600_0002").ended_with(0);
    site.run(&site.alice.name, DELETE_AS_USER, &[""]).ended_with(0);
    for local in ["local0", "local1"] {
        assert!(!site.path(&format!("{local}/taskTracker/{}", site.alice.name)).exists());
        assert!(site.path(&format!("{local}/taskTracker/{}/jobcache", site.bob.name)).exists());
    }
    // The name of alice's folder is taken by a link to bob's, and by a folder of bob's.
    let alices = site.path(&format!("local0/taskTracker/{}", site.alice.name));
    let bobs = site.path(&format!("local0/taskTracker/{}", site.bob.name));
    symlink(&bobs, &alices).unwrap();
    site.run(&site.alice.name, DELETE_AS_USER, &[""]).ended_with(255);
    fs::remove_file(&alices).unwrap();
    fs::rename(&bobs, &alices).unwrap();
    set_mode(&alices, 0o777);
    site.run(&site.alice.name, DELETE_AS_USER, &["jobcache"]).ended_with(13);
    assert!(alices.join("jobcache").exists());
}

#[test]
fn logs_of_a_job_go_as_its_user_only() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.launch(&site.alice, "true").ended_with(0);
    let link = site.path(&format!("logs/userlogs/{JOB}/{ATTEMPT}"));
    let real = fs::read_link(&link).unwrap();
    fs::write(real.join("stdout"), "x").unwrap();
    site.run(&site.bob.name, DELETE_LOG_AS_USER, &[JOB]).ended_with(255);
    site.run(&site.bob.name, DELETE_LOG_AS_USER, &[&format!("{JOB}/{ATTEMPT}")]).ended_with(255);
    assert!(link.exists() && real.join("stdout").exists());
    for path in ["", "..", ".", &format!("{JOB}/../..")] {
        site.run(&site.alice.name, DELETE_LOG_AS_USER, &[path]).ended_with(11);
    }
    site.run(&site.alice.name, DELETE_LOG_AS_USER, &[JOB]).ended_with(0);
    assert!(!real.parent().unwrap().exists() && !link.parent().unwrap().exists());
    assert!(site.path("logs/userlogs").exists() && site.path("local0/userlogs").exists());
}

#[test]
fn a_folder_that_becomes_a_link_while_it_is_deleted_leads_nowhere() {
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    site.make_dir("home/alice", &site.alice, 0o755);
    for number in 0..50 {
        site.give_file(&format!("home/alice/kept{number}"), &site.alice, "x");
    }
    let own = site.path(&format!("local0/taskTracker/{}", site.alice.name));
    let (race, aside, link) = (own.join("race"), site.path("home/aside"), site.path("home/link"));
    symlink(site.path("home/alice"), &link).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                // Any of these may fail when the other side was quicker.
                let _ = fs::create_dir_all(race.join("inner"));
                let _ = fs::rename(race.join("inner"), &aside);
                let _ = symlink(site.path("home/alice"), race.join("inner"));
                let _ = fs::remove_file(race.join("inner"));
                let _ = fs::rename(&race, site.path("home/old-race"));
                let _ = symlink(site.path("home/alice"), &race);
                let _ = fs::remove_file(&race);
                let _ = Command::new("chown").args([&site.alice.name, "-R"]).arg(&own).output();
            }
        });
        for _ in 0..150 {
            // Whether it gets hold of it is the race; what stays is what counts.
            site.run(&site.alice.name, DELETE_AS_USER, &["race"]);
        }
        stop.store(true, Ordering::Relaxed);
    });
    for number in 0..50 {
        assert!(site.path(&format!("home/alice/kept{number}")).exists(), "kept{number} is gone");
    }
}
