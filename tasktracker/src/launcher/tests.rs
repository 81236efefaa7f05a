//! The scripts, environments and command lines of children, and real processes started from them.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use configuration::Configuration;
use types::{Credentials, JvmId, Task};

use super::*;
use crate::script::task_script;
use crate::task_controller::{DefaultTaskController, TaskController};
use crate::test_data::map_task;

/// The file that the real TaskTracker wrote.
const RECORDED: &str = include_str!("../../../tests/vectors/files/taskjvm.sh");

/// The attempt of the recorded file, or one below another root.
fn attempt(root: &str, conf: Configuration) -> (LocalizedJob, LocalizedTask, JvmId) {
    let mut task = map_task();
    task.attempt = "attempt_202611302130_0001_r_000000_0".parse().unwrap();
    task.detail = types::TaskDetail::Reduce { maps: 1 };
    let dir = PathBuf::from(format!("{root}/local/taskTracker/root/jobcache/job_202611302130_0001"));
    let attempt_dir = dir.join(task.attempt.to_string());
    let job = LocalizedJob {
        id: task.attempt.job().clone(),
        user: "root".into(),
        conf,
        job_xml: dir.join("job.xml"),
        token_file: dir.join("jobToken"),
        credentials: Credentials::default(),
        jars_dir: Some(dir.join("jars")),
        work_dir: dir.join("work"),
        resources: Vec::new(),
        cache_class_path: Vec::new(),
        child: Choice::Java("a test".into()),
        setup_cleanup_child: Choice::Native,
    };
    let local = LocalizedTask {
        work_dir: attempt_dir.join("work"),
        log_dir: PathBuf::from(format!("{root}/logs/userlogs/job_202611302130_0001/{}", task.attempt)),
        script: attempt_dir.join("taskjvm.sh"),
        attempt_dir,
        task: Task { job_file: job.job_xml.display().to_string(), ..task },
    };
    let jvm = JvmId { job: job.id.clone(), kind: TaskKind::Reduce, number: -2_006_713_123 };
    (job, local, jvm)
}

fn launcher(root: &str, java: &str, class_path: &str) -> Launcher {
    let java_home = Path::new(java).parent().and_then(Path::parent).unwrap().display().to_string();
    let variable = |name: &str| match name {
        "JAVA_HOME" => Some(java_home.clone()),
        "HOWDAH_CHILD_CLASSPATH" => Some(class_path.to_owned()),
        "JAVA_LIBRARY_PATH" => Some("/opt/lib".to_owned()),
        _ => None,
    };
    let programs = Programs::find_with(&variable, None);
    let log_dir = PathBuf::from(format!("{root}/logs"));
    Launcher::new(programs, &log_dir, "127.0.0.1:19150".parse().unwrap(), Arc::new(ClassData::new(false, None)))
}

fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Lines before the command in any order: the real ones come in the order of a Java hash map.
fn parts(script: &str) -> (BTreeSet<String>, String) {
    let (exports, command) = script.split_once("\n\n").unwrap();
    let exports: BTreeSet<String> = exports.lines().map(str::to_owned).collect();
    (exports, command.to_owned())
}

#[test]
fn the_script_is_the_one_that_hadoop_writes() {
    let root = tempfile::tempdir().unwrap();
    let java = root.path().join("java/bin/java");
    executable(&java, "");
    let mut conf = Configuration::new();
    let options = "-Xmx200m -Djava.util.logging.config.file=/srv/hadoop/conf/jul.properties";
    conf.set("mapred.child.java.opts", options);
    let (job, task, jvm) = attempt("/srv/hadoop", conf);
    let java = java.display().to_string();
    let launcher = launcher("/srv/hadoop", &java, "/srv/hadoop/conf:/srv/hadoop/classes");
    let ours = task_script(&launcher.spec(&job, &task, &jvm).unwrap());
    let ours = ours.replace(&java, "/opt/java/bin/java");
    let (our_exports, our_command) = parts(&ours);
    let (exports, command) = parts(RECORDED);
    // What this test's own environment has comes after.
    let known =
        |line: &String| line.replace(&format!(":{}\"", std::env::var("LD_LIBRARY_PATH").unwrap_or_default()), "\"");
    assert_eq!(our_exports.iter().map(known).collect::<BTreeSet<_>>(), exports);
    assert_eq!(our_command, command);
}

#[test]
fn the_class_path_has_the_job_after_the_tracker_unless_the_job_wants_to_be_first() {
    let root = tempfile::tempdir().unwrap();
    let root_name = root.path().display().to_string();
    let java = root.path().join("java/bin/java");
    executable(&java, "");
    for first in [false, true] {
        let mut conf = Configuration::new();
        conf.set("mapreduce.user.classpath.first", first.to_string());
        let (mut job, task, jvm) = attempt(&root_name, conf);
        job.cache_class_path.push("/cache/x.jar".into());
        let jars = job.jars_dir.clone().unwrap();
        fs::create_dir_all(jars.join("lib")).unwrap();
        fs::write(jars.join("lib/b.jar"), "").unwrap();
        fs::write(jars.join("lib/a.jar"), "").unwrap();
        let spec = launcher(&root_name, &java.display().to_string(), "/conf:/h.jar").spec(&job, &task, &jvm).unwrap();
        let at = spec.command.iter().position(|word| word == "-classpath").unwrap();
        let jars = jars.display();
        let own =
            format!("{jars}/lib/a.jar:{jars}/lib/b.jar:{jars}/classes:{jars}:/cache/x.jar:{}", task.work_dir.display());
        let expected = if first { format!("{own}:/conf:/h.jar") } else { format!("/conf:/h.jar:{own}") };
        assert_eq!(spec.command[at + 1], expected);
    }
}

#[test]
fn setup_and_cleanup_run_in_our_child_and_maps_in_the_jobs() {
    let root = tempfile::tempdir().unwrap();
    let child = root.path().join("libexec/child");
    executable(&child, "");
    let (mut job, mut task, jvm) = attempt("/srv/hadoop", Configuration::new());
    let home = |name: &str| (name == "HOWDAH_HOME").then(|| root.path().display().to_string());
    let programs = Programs::find_with(&home, None);
    let launcher = Launcher::new(
        programs,
        Path::new("/logs"),
        "127.0.0.1:1".parse().unwrap(),
        Arc::new(ClassData::new(false, None)),
    );
    let error = launcher.spec(&job, &task, &jvm).unwrap_err();
    assert!(error.to_string().contains("set JAVA_HOME"), "{error}");
    task.task.job_setup = true;
    let spec = launcher.spec(&job, &task, &jvm).unwrap();
    let log_dir = task.log_dir.display().to_string();
    let expected = [
        &child.display().to_string(),
        "127.0.0.1",
        "1",
        "attempt_202611302130_0001_r_000000_0",
        &log_dir,
        "-2006713123",
    ];
    assert_eq!(spec.command, expected);
    assert_eq!(spec.start, Start::Direct);
    for (name, value) in [("mapred.child.ulimit", "9"), ("mapred.child.env", "A=$HOME/x")] {
        job.conf = Configuration::new();
        job.conf.set(name, value);
        assert_eq!(launcher.spec(&job, &task, &jvm).unwrap().start, Start::Script, "{name}");
    }
}

#[test]
fn a_refused_job_and_bad_variables_fail_the_attempt_with_the_cause() {
    let mut conf = Configuration::new();
    conf.set("mapred.child.env", "NONSENSE");
    let root = tempfile::tempdir().unwrap();
    let java = root.path().join("java/bin/java");
    executable(&java, "");
    let (mut job, task, jvm) = attempt("/srv/hadoop", conf);
    let launcher = launcher("/srv/hadoop", &java.display().to_string(), "/conf");
    let error = launcher.spec(&job, &task, &jvm).unwrap_err();
    assert!(error.to_string().starts_with("Invalid User environment settings : NONSENSE"), "{error}");
    job.child = Choice::Refused("it may not".into());
    assert_eq!(launcher.spec(&job, &task, &jvm).unwrap_err().to_string(), "no child can run this job: it may not");
}

/// Starts a spec whose program is a shell script, and waits for its end.
fn run(root: &Path, program: &str, conf: Configuration, start: Start) -> (i32, String, String) {
    let root_name = root.display().to_string();
    let java = root.join("java/bin/java");
    executable(&java, &format!("#!/bin/bash\n{program}\n"));
    let (job, task, jvm) = attempt(&root_name, conf);
    fs::create_dir_all(&task.log_dir).unwrap();
    let mut spec = launcher(&root_name, &java.display().to_string(), "/conf").spec(&job, &task, &jvm).unwrap();
    spec.start = start;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let code = runtime.block_on(async {
        let mut running = DefaultTaskController.launch_task(&spec).unwrap();
        tokio::time::timeout(Duration::from_secs(60), running.wait()).await.unwrap()
    });
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    (code, read(&spec.stdout), read(&spec.stderr))
}

#[test]
fn the_child_runs_in_its_directory_with_its_variables_and_leads_a_group() {
    for start in [Start::Script, Start::Direct] {
        let root = tempfile::tempdir().unwrap();
        let mut conf = Configuration::new();
        conf.set("mapred.child.env", "MINE=it's mine");
        let program = "echo $PWD $MINE; echo ${@: -1} >&2; [ $(ps -o pgid= -p $$) = $$ ] && exit 7";
        let (code, out, err) = run(root.path(), program, conf, start);
        assert_eq!(code, 7, "{start:?} {err}");
        assert!(out.trim().ends_with("attempt_202611302130_0001_r_000000_0/work it's mine"), "{out}");
        assert_eq!(err, "-2006713123\n");
    }
}

#[test]
fn the_script_tells_the_childs_own_process_id_and_limits_it() {
    let root = tempfile::tempdir().unwrap();
    let mut conf = Configuration::new();
    conf.set("mapred.child.ulimit", "3000000");
    let (code, out, err) = run(root.path(), "[ $JVM_PID = $$ ] && ulimit -v; kill -9 $$", conf, Start::Script);
    assert_eq!((code, out.as_str()), (137, "3000000\n"), "{err}");
}

#[test]
fn a_whole_group_is_signalled() {
    let root = tempfile::tempdir().unwrap();
    let root_name = root.path().display().to_string();
    let java = root.path().join("java/bin/java");
    executable(&java, "#!/bin/bash\nsleep 600 & echo started; wait\n");
    let (job, task, jvm) = attempt(&root_name, Configuration::new());
    fs::create_dir_all(&task.log_dir).unwrap();
    let spec = launcher(&root_name, &java.display().to_string(), "/conf").spec(&job, &task, &jvm).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let controller = DefaultTaskController;
        let mut running = controller.launch_task(&spec).unwrap();
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while fs::read_to_string(&spec.stdout).unwrap() != "started\n" {
            assert!(std::time::Instant::now() < deadline, "the child never started");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(controller.signal_task("root", running.pid(), nix::sys::signal::Signal::SIGKILL).unwrap());
        assert_eq!(running.wait().await, 137);
        // The sleep was in the group too; once the kernel has taken it away there is nobody left to signal.
        while controller.signal_task("root", running.pid(), nix::sys::signal::Signal::SIGKILL).unwrap() {
            assert!(std::time::Instant::now() < deadline, "the group lives on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    for nobody in [0, 1, -1] {
        assert!(!DefaultTaskController.signal_task("root", nobody, nix::sys::signal::Signal::SIGKILL).unwrap());
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (job, task, jvm) = attempt("/nonexistent-root", Configuration::new());
    let root = tempfile::tempdir().unwrap();
    let java = root.path().join("java/bin/java");
    executable(&java, "");
    let name = root.path().display().to_string();
    let mut spec = launcher(&name, &java.display().to_string(), "/conf").spec(&job, &task, &jvm).unwrap();
    for place in [&mut spec.work_dir, &mut spec.stdout, &mut spec.stderr] {
        *place = root.path().join("place");
    }
    spec.work_dir = root.path().join("work");
    spec.start = Start::Direct;
    spec.command[0] = "/nowhere/child".into();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(async { DefaultTaskController.launch_task(&spec).unwrap_err() });
    assert!(error.to_string().contains("cannot start /nowhere/child"), "{error}");
}
