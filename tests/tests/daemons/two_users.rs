//! Tasks that run as their jobs' users: two users on one tracker cannot read each other's files, logs and caches, nor
//! signal each other.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use howdah_tests::harness::{AsUsers, Cluster, Install, Make, User, wait_until};

use crate::pages::answer_of;

const DEADLINE: Duration = Duration::from_secs(60);

/// Writes a program that everybody may start.
fn program(path: &Path, text: &str) -> String {
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("its mode");
    path.display().to_string()
}

/// What alice's map tells of itself, in its own order.
fn told(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// A streaming job without reduces, of a user's, over one line of text.
fn job(cluster: &Cluster, user: &User, name: &str, mapper: &str, more: &[&str]) -> howdah_tests::harness::Run {
    let input = cluster.dir().join(format!("{name}/in")).display().to_string();
    fs::write(&input, "x\n").expect("the input");
    let output = cluster.dir().join(format!("{name}/out")).display().to_string();
    let mut args = vec!["streaming", "-D", "mapred.reduce.tasks=0", "-D", "mapred.map.tasks=1"];
    args.extend(more);
    args.extend(["-input", &input, "-output", &output, "-mapper", mapper]);
    cluster.hadoop_as(user, &args)
}

fn output(cluster: &Cluster, name: &str) -> String {
    let parts = fs::read_dir(cluster.dir().join(name).join("out")).expect("the output");
    let parts = parts.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("part-"));
    parts.map(|entry| fs::read_to_string(entry.path()).expect("a part")).collect()
}

/// A script that tries each thing and prints what worked.
fn attack(paths: &[PathBuf], pid: &str) -> String {
    let mut text = String::from("#!/bin/sh\ncat > /dev/null\necho \"uid $(id -u)\"\necho \"groups $(id -G)\"\n");
    for path in paths {
        let path = path.display();
        text.push_str(&format!("if ls '{path}' >/dev/null 2>&1; then echo 'LISTED {path}'; fi\n"));
        text.push_str(&format!("if cat '{path}' >/dev/null 2>&1; then echo 'READ {path}'; fi\n"));
        text.push_str(&format!("if touch '{path}/x' 2>/dev/null; then echo 'WROTE {path}'; fi\n"));
    }
    text.push_str(&format!(
        "if kill -9 {pid} 2>/dev/null || kill -9 -{pid} 2>/dev/null; then echo 'KILLED {pid}'; fi\n"
    ));
    text
}

#[test]
fn jobs_of_two_users_are_kept_apart() {
    let install = Install::without_java();
    let Some(users) = AsUsers::new(&install) else { return };
    let cluster = users.cluster(&install, Make::Howdah);
    let (alice, bob) = (&users.alice, &users.bob);
    let dir = cluster.dir();
    let (facts, go) = (dir.join("alice/facts"), dir.join("alice/go"));
    let secret = dir.join("alice/secret");
    fs::write(&secret, "alice's own").expect("a secret");
    alice.own(&secret, 0o600);
    let logs = dir.join("logs-tasktracker-0/userlogs");
    // Its link to a file that only the tracker could read must not be served as a log.
    let alices = program(
        &dir.join("alice/map"),
        &format!(
            "#!/bin/sh\ncat > /dev/null\nw=$(pwd); a=$(basename $(dirname $w)); j=$(basename $(dirname $(dirname $w)))\n\
             ln -s /etc/shadow {logs}/$j/$a/profile.out\n\
             {{ echo $$; echo $w; echo $j; echo $a; readlink -f cached; echo $HADOOP_TOKEN_FILE_LOCATION; id -u; }} > {facts}.new\n\
             mv {facts}.new {facts}\n\
             i=0; while [ ! -e {go} ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done\ncat cached; echo\n",
            logs = logs.display(),
            facts = facts.display(),
            go = go.display()
        ),
    );
    let cached = format!("file://{}#cached", secret.display());
    std::thread::scope(|scope| {
        let (cluster, cached, alices) = (&cluster, &cached, &alices);
        let client = scope.spawn(move || job(cluster, alice, "alice", alices, &["-cacheFile", cached]));
        let begun = wait_until(DEADLINE, || facts.exists() || client.is_finished());
        assert!(begun && facts.exists(), "alice's map does not run: {:#?}", client.join());
        let told = told(&facts);
        let [pid, work, id, attempt, cached, tokens, uid] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!(uid, &alice.uid.to_string());
        let work = PathBuf::from(work);
        let job_dir = work.parent().and_then(Path::parent).expect("the job's folder");
        let user_dir = job_dir.parent().and_then(Path::parent).expect("the user's folder");
        for owned in [job_dir, &job_dir.join("job.xml"), &work, Path::new(tokens), Path::new(cached)] {
            let found = fs::metadata(owned).unwrap_or_else(|error| panic!("{}: {error}", owned.display()));
            assert_eq!((found.uid(), found.mode() & 0o7), (alice.uid, found.mode() & 0o5), "{}", owned.display());
        }
        assert_eq!(fs::metadata(user_dir).expect("it is there").mode() & 0o7777, 0o2750);

        let local = dir.join("tasktracker-0/local");
        let paths = [
            user_dir.to_owned(),
            job_dir.join("job.xml"),
            PathBuf::from(tokens),
            work.clone(),
            work.join("cached"),
            PathBuf::from(cached),
            logs.join(id),
            logs.join(id).join(attempt).join("stderr"),
            local.join("userlogs").join(id),
            local.join("ttprivate"),
            local.join("ttprivate/taskTracker").join(&alice.name).join("jobcache").join(id).join("jobToken"),
            local.join("taskTracker/x"),
        ];
        let bobs = program(&dir.join("bob/map"), &attack(&paths, pid));
        job(cluster, bob, "bob", &bobs, &[]).expect_success();
        let expected = format!("uid {}\t\ngroups {}\t\n", bob.uid, bob.gid);
        let found = output(cluster, "bob").replace("\t\n", "\n").replace('\n', "\t\n");
        assert_eq!(found, expected, "what bob could do");

        let page =
            answer_of(cluster.tracker_ports[0], &format!("/tasklog?attemptid={attempt}&filter=profile&plaintext=true"));
        assert!(page.starts_with("HTTP/1.1 410"), "{page}");
        let page =
            answer_of(cluster.tracker_ports[0], &format!("/tasklog?attemptid={attempt}&filter=stderr&plaintext=true"));
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");

        fs::write(&go, "").expect("a sign");
        client.join().expect("the client").expect_success();
    });
    assert!(output(&cluster, "alice").starts_with("alice's own"));
    let left = || {
        let jobs =
            [alice, bob].map(|user| dir.join("tasktracker-0/local/taskTracker").join(&user.name).join("jobcache"));
        jobs.iter().map(|jobs| fs::read_dir(jobs).map_or(0, Iterator::count)).sum::<usize>()
    };
    assert!(wait_until(DEADLINE, || left() == 0), "the jobs' files stay");
}

#[test]
fn a_killed_job_of_a_users_ends_and_a_bad_user_is_told_why() {
    let install = Install::without_java();
    let Some(users) = AsUsers::new(&install) else { return };
    let cluster = users.cluster(&install, Make::Howdah);
    let (alice, dir) = (&users.alice, cluster.dir());
    let facts = dir.join("alice/facts");
    let map = program(
        &dir.join("alice/map"),
        &format!("#!/bin/sh\necho $$ > {0}.new; mv {0}.new {0}\nexec sleep 600\n", facts.display()),
    );
    std::thread::scope(|scope| {
        let (cluster, map) = (&cluster, &map);
        let client = scope.spawn(move || job(cluster, alice, "alice", map, &[]));
        let begun = wait_until(DEADLINE, || facts.exists() || client.is_finished());
        assert!(begun && facts.exists(), "alice's map does not run: {:#?}", client.join());
        let pid = told(&facts).remove(0);
        let list = cluster.hadoop_as(alice, &["job", "-list"]).expect_success().stdout;
        let id = list.lines().find(|line| line.starts_with("job_")).and_then(|line| line.split('\t').next());
        cluster.hadoop_as(alice, &["job", "-kill", id.expect("a job")]).expect_success();
        assert_ne!(client.join().expect("the client").code, Some(0));
        assert!(wait_until(DEADLINE, || !Path::new("/proc").join(&pid).exists()), "its process lives on");
    });
    // Root's own jobs are refused by the set-user-id program, and the user is told so.
    fs::create_dir(dir.join("root")).expect("a folder");
    fs::write(dir.join("root/in"), "x\n").expect("the input");
    let run = cluster.hadoop(&[
        "streaming",
        "-D",
        "mapred.map.max.attempts=1",
        "-D",
        "mapred.reduce.tasks=0",
        "-input",
        "root/in",
        "-output",
        "root/out",
        "-mapper",
        "cat",
    ]);
    assert_ne!(run.code, Some(0), "{run:#?}");
    let tracker = cluster.tasktrackers[0].log();
    assert!(tracker.contains("running as root is not allowed"), "{tracker}");
}
