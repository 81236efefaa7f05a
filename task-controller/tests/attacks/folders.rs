//! The folders of users, jobs and logs: whose they are, with which modes, and who cannot have them.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::site::{INITIALIZE_JOB, JOB, Site, facts, set_mode};

#[test]
fn a_job_gets_its_folders_with_hadoops_owners_and_modes() {
    let Some(site) = Site::new() else { return };
    let (token, conf) = (site.text("local0/ttprivate/jobToken"), site.text("local0/ttprivate/job.xml"));
    let localizer = ["sh", "-c", "pwd > where; id -u > who; exit 3"];
    let mut arguments = vec![JOB, &token, &conf];
    arguments.extend(localizer);
    site.run(&site.alice.name, INITIALIZE_JOB, &arguments).ended_with(3);
    let (user, group) = (site.alice.uid, site.tracker.gid);
    for local in ["local0", "local1"] {
        let dir = format!("{local}/taskTracker/{}", site.alice.name);
        assert_eq!(facts(site.path(&dir)), (user, group, 0o2750));
        // The group, and that it is inherited, come from the user's folder.
        assert_eq!(facts(site.path(&format!("{dir}/jobcache"))), (user, group, 0o2750));
        assert_eq!(facts(site.path(&format!("{dir}/jobcache/{JOB}"))), (user, group, 0o2750));
    }
    assert_eq!(facts(site.path(&format!("logs/userlogs/{JOB}"))), (user, group, 0o2750));
    let job = site.path(&format!("local0/taskTracker/{}/jobcache/{JOB}", site.alice.name));
    assert_eq!(facts(job.join("jobToken")), (user, group, 0o600));
    assert_eq!(facts(job.join("job.xml")), (user, group, 0o640));
    assert_eq!(fs::read_to_string(job.join("jobToken")).unwrap(), "the token");
    assert_eq!(fs::read_to_string(job.join("job.xml")).unwrap(), "<configuration/>");
    assert_eq!(fs::read_to_string(job.join("where")).unwrap(), format!("{}\n", job.display()));
    assert_eq!(fs::read_to_string(job.join("who")).unwrap(), format!("{user}\n"));
    // A job that is here already is not written over.
    site.initialize(&site.alice, JOB).ended_with(255);
    site.initialize(&site.alice, "job_202612010600_0009").ended_with(0);
}

#[test]
fn another_user_sees_nothing_of_a_job() {
    use std::os::unix::process::CommandExt;
    let Some(site) = Site::new() else { return };
    site.initialize(&site.alice, JOB).ended_with(0);
    let dir = site.text(&format!("local0/taskTracker/{}", site.alice.name));
    for script in [
        format!("ls {dir}"),
        format!("cat {dir}/jobcache/{JOB}/job.xml"),
        format!("cat {dir}/jobcache/{JOB}/jobToken"),
        format!("ls {}", site.text(&format!("logs/userlogs/{JOB}"))),
        format!("touch {dir}/x"),
    ] {
        let mut command = site.command(std::path::Path::new("/bin/sh"), &["-c", &script]);
        let run = command.uid(site.bob.uid).gid(site.bob.gid).output().unwrap();
        assert!(!run.status.success(), "{script}: {run:?}");
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let Some(site) = Site::new() else { return };
    for job in ["..", ".", "", "../x", "a/b", "/etc"] {
        site.initialize(&site.alice, job).ended_with(11);
    }
    assert!(!site.path(&format!("local0/taskTracker/{}", site.alice.name)).exists());
}

/// Initializing must end with the code, and the victim must be as it was.
#[track_caller]
fn check_victim(site: &Site, code: i32) {
    let before = facts(site.path("home/victim"));
    site.initialize(&site.alice, JOB).ended_with(code);
    assert_eq!(facts(site.path("home/victim")), before);
    assert_eq!(fs::read_dir(site.path("home/victim")).unwrap().count(), 0);
}

#[test]
fn links_in_the_place_of_folders_are_not_followed() {
    let Some(site) = Site::new() else { return };
    site.make_dir("home/victim", &site.bob, 0o777);
    let places = [(format!("local1/taskTracker/{}", site.alice.name), 20), (format!("logs/userlogs/{JOB}"), 255)];
    for (place, code) in &places {
        symlink(site.path("home/victim"), site.path(place)).unwrap();
        check_victim(&site, *code);
        fs::remove_file(site.path(place)).unwrap();
    }
    for tree in ["local0/taskTracker", "logs/userlogs"] {
        fs::rename(site.path(tree), site.path("home/moved")).unwrap();
        symlink(site.path("home/moved"), site.path(tree)).unwrap();
        check_victim(&site, 5);
        fs::remove_file(site.path(tree)).unwrap();
        fs::rename(site.path("home/moved"), site.path(tree)).unwrap();
    }
    // The user's own link, in the user's own folder: then the job has no folder on that disk.
    let alices = format!("local0/taskTracker/{}", site.alice.name);
    fs::remove_dir_all(site.path(&alices)).ok();
    site.make_dir(&alices, &site.alice, 0o755);
    symlink(site.path("home/victim"), site.path(&format!("{alices}/jobcache"))).unwrap();
    check_victim(&site, 0);
    assert!(site.path(&format!("local1/taskTracker/{}/jobcache/{JOB}/job.xml", site.alice.name)).exists());
}

#[test]
fn files_that_wait_for_the_token_are_not_written_through() {
    let Some(site) = Site::new() else { return };
    let job = format!("local0/taskTracker/{}/jobcache/{JOB}", site.alice.name);
    site.make_dir(&format!("local0/taskTracker/{}", site.alice.name), &site.alice, 0o755);
    site.make_dir(&format!("local0/taskTracker/{}/jobcache", site.alice.name), &site.alice, 0o755);
    site.make_dir(&job, &site.alice, 0o755);
    site.make_dir("home/spy", &site.alice, 0o777);
    site.give_file("home/spy/file", &site.alice, "");
    // A symbolic link that would carry the token away, and a hard link whose other name stays open for others.
    let token = site.path(&format!("{job}/jobToken"));
    symlink(site.path("home/spy/file"), &token).unwrap();
    site.initialize(&site.alice, JOB).ended_with(255);
    fs::remove_file(&token).unwrap();
    fs::hard_link(site.path("home/spy/file"), &token).unwrap();
    site.initialize(&site.alice, JOB).ended_with(255);
    assert_eq!(fs::read_to_string(site.path("home/spy/file")).unwrap(), "");
}

#[test]
fn folders_of_strangers_are_refused() {
    let Some(site) = Site::new() else { return };
    // A local directory, a tree or a job's folder of logs that is somebody else's.
    for place in ["local1", "local1/taskTracker", "logs", "logs/userlogs"] {
        chown(site.path(place), Some(site.bob.uid), None).unwrap();
        site.initialize(&site.alice, JOB).ended_with(13);
        chown(site.path(place), Some(site.tracker.uid), None).unwrap();
        set_mode(site.path(place), 0o757);
        site.initialize(&site.alice, JOB).ended_with(5);
        set_mode(site.path(place), 0o775);
        chown(site.path(place), None, Some(site.bob.gid)).unwrap();
        site.initialize(&site.alice, JOB).ended_with(5);
        chown(site.path(place), None, Some(site.tracker.gid)).unwrap();
        set_mode(site.path(place), 0o755);
    }
    for place in [format!("local1/taskTracker/{}", site.alice.name), format!("logs/userlogs/{JOB}")] {
        fs::remove_dir_all(site.path(&place)).ok();
        site.make_dir(&place, &site.bob, 0o777);
        site.initialize(&site.alice, JOB).ended_with(13);
        assert_eq!(facts(site.path(&place)), (site.bob.uid, site.bob.gid, 0o777));
        fs::remove_dir(site.path(&place)).unwrap();
    }
    site.initialize(&site.alice, JOB).ended_with(0);
}

#[test]
fn a_folder_that_becomes_a_link_meanwhile_gives_nothing_away() {
    let Some(site) = Site::new() else { return };
    fs::create_dir(site.path("home/victim")).unwrap();
    let victim = facts(site.path("home/victim"));
    let place = site.path(&format!("logs/userlogs/{JOB}"));
    let (folder, link) = (site.path("home/folder"), site.path("home/link"));
    fs::create_dir(&folder).unwrap();
    symlink(site.path("home/victim"), &link).unwrap();
    let stop = AtomicBool::new(false);
    let mut codes = std::collections::BTreeSet::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::rename(&folder, &place);
                let _ = fs::rename(&place, &folder);
                let _ = fs::rename(&link, &place);
                let _ = fs::rename(&place, &link);
            }
        });
        for _ in 0..200 {
            codes.extend(site.initialize(&site.alice, JOB).code);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(facts(site.path("home/victim")), victim, "it was given away; codes {codes:?}");
}
