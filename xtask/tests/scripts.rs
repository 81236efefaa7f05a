//! The scripts of bin/ as an operator meets them: texts and exit codes of Hadoop 1.2.1, its file names, its variables.
//! The programs that they start are stand-ins, so that only the scripts are tried.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const STAND_IN: &str = r#"#!/usr/bin/env bash
echo "program: ${0##*/} $*"
echo "conf: $HADOOP_CONF_DIR"
echo "child: $HOWDAH_CHILD_CLASSPATH"
case $* in
  *--die*) echo 'mapred.job.tracker is "x"; expected host:port' >&2; exit 1 ;;
  *--stubborn*) trap '' TERM ;;
esac
case $1 in
  -Dproc_*) echo 'a log line' >&2; while :; do sleep 0.05; done ;;
esac
"#;

/// A copy of the scripts with stand-ins for the programs, and nothing of the caller's environment.
struct Site {
    dir: tempfile::TempDir,
}

impl Site {
    fn new() -> Site {
        let dir = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for folder in ["bin", "conf"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            for entry in fs::read_dir(root.join(folder)).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), dir.path().join(folder).join(entry.file_name())).unwrap();
            }
        }
        let site = Site { dir };
        for program in ["jobtracker", "tasktracker", "hadoop"] {
            site.executable(&format!("libexec/{program}"), STAND_IN);
        }
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn file(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn executable(&self, name: &str, text: &str) {
        self.file(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a script with these variables; `@` in a value stands for the site's folder.
    fn run(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let here = self.dir.path().to_str().unwrap();
        let mut command = Command::new(self.path("bin").join(script));
        command.args(arguments).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("USER", "ada").env("HOSTNAME", "node1").env("HOME", here);
        command.env("HADOOP_LOG_DIR", self.path("logs")).env("HADOOP_PID_DIR", self.path("pids"));
        for (name, value) in variables {
            command.env(name, value.replace('@', here));
        }
        command.current_dir(self.dir.path()).output().unwrap()
    }

    fn stdout(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
        let output = self.run(script, arguments, variables);
        assert!(output.status.success(), "{script} {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a script that must fail with this code, and gives what it said on either stream.
    fn failure(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)], code: i32) -> String {
        let output = self.run(script, arguments, variables);
        assert_eq!(output.status.code(), Some(code), "{script} {arguments:?}: {output:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for command in ["jobtracker", "tasktracker"] {
            self.run("hadoop-daemon.sh", &["stop", command], &[("HADOOP_STOP_TIMEOUT", "0")]);
        }
    }
}

#[test]
fn usage_and_help_end_as_hadoops_do() {
    let site = Site::new();
    let usage = site.failure("hadoop", &[], &[], 1);
    assert!(usage.starts_with("Usage: hadoop [--config confdir] COMMAND\nwhere COMMAND is one of:\n"), "{usage}");
    for flag in ["help", "-help", "--help", "-h"] {
        assert_eq!(site.stdout("hadoop", &[flag], &[]), usage);
    }
    let conf = site.path("conf");
    assert_eq!(site.failure("hadoop", &["--config", conf.to_str().unwrap()], &[], 1), usage);
    let daemon = "Usage: hadoop-daemon.sh [--config <conf-dir>] [--hosts hostlistfile] (start|stop) <hadoop-command> <args...>\n";
    assert_eq!(site.failure("hadoop-daemon.sh", &[], &[], 1), daemon);
    assert_eq!(site.failure("hadoop-daemon.sh", &["start"], &[], 1), daemon);
    assert_eq!(site.failure("hadoop-daemon.sh", &["foo", "jobtracker"], &[], 1), daemon);
    let daemons = "Usage: hadoop-daemons.sh [--config confdir] [--hosts hostlistfile] [start|stop] command args...\n";
    assert_eq!(site.failure("hadoop-daemons.sh", &[], &[], 1), daemons);
    assert_eq!(site.failure("slaves.sh", &[], &[], 1), "Usage: slaves.sh [--config confdir] command...\n");
}

#[test]
fn what_is_missing_is_named_with_the_way_out() {
    let site = Site::new();
    let check = |arguments: &[&str], variables: &[(&str, &str)], expected: &str| {
        let said = site.failure("hadoop", arguments, variables, 1);
        assert!(said.contains(expected) && said.lines().count() == 1, "{said}");
    };
    check(&["--config", "/none", "job"], &[], "--config /none: no such directory");
    check(&["job"], &[("HADOOP_CONF_DIR", "/none")], "HADOOP_CONF_DIR is /none: no such directory");
    check(&["--config"], &[], "--config needs the name of a directory");
    check(&["jar", "x.jar"], &[("JAVA_HOME", "/none")], "JAVA_HOME is /none: it has no bin/java");
    site.executable("java/bin/java", "#!/bin/sh\necho \"$@\"\n");
    check(&["jar", "x.jar"], &[("JAVA_HOME", "@/java")], "jar needs Hadoop's jars; run bin/get-hadoop-jars");
    check(&["--list"], &[], "--list is no command and no class");
    fs::remove_file(site.path("libexec/hadoop")).unwrap();
    check(&["job", "-list"], &[], "the program hadoop is not built; run: cargo build");
}

#[test]
fn the_class_path_lists_jars_one_by_one_in_name_order() {
    let site = Site::new();
    for jar in ["b.jar", "hadoop-core-1.2.1.jar", "A.jar", "a.jar", "not-a-jar.txt"] {
        site.file(&format!("lib/{jar}"), "");
    }
    let here = site.dir.path().to_str().unwrap();
    let path = |variables: &[(&str, &str)]| site.stdout("hadoop", &["classpath"], variables).replace(here, "@");
    let lib = "@/lib/A.jar:@/lib/a.jar:@/lib/b.jar:@/lib/hadoop-core-1.2.1.jar\n";
    assert_eq!(path(&[]), format!("@/conf:{lib}"));
    assert_eq!(path(&[("HADOOP_CLASSPATH", "/x.jar:/y")]), format!("@/conf:/x.jar:/y:{lib}"));

    for jar in ["hadoop-core-1.2.1.jar", "lib/z.jar", "lib/jsp-2.1/jsp.jar"] {
        site.file(&format!("old/{jar}"), "");
    }
    let old = "@/conf:@/old/hadoop-core-1.2.1.jar:@/old/lib/z.jar:@/old/lib/jsp-2.1/jsp.jar\n";
    assert_eq!(path(&[("HADOOP_PREFIX", "@/old")]), old);
    assert_eq!(path(&[("HADOOP_HOME", "@/old"), ("HADOOP_HOME_WARN_SUPPRESS", "1")]), old);
    assert_eq!(path(&[("HADOOP_PREFIX", "/none")]), format!("@/conf:{lib}"));
}

#[test]
fn java_gets_hadoops_options() {
    let site = Site::new();
    site.executable("java/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    site.file("lib/hadoop-core-1.2.1.jar", "");
    let variables = [
        ("JAVA_HOME", "@/java"),
        ("HADOOP_HEAPSIZE", "300"),
        ("HADOOP_OPTS", "-Da=1 -server"),
        ("HADOOP_CLIENT_OPTS", "-Db=2"),
    ];
    let words = site.stdout("hadoop", &["jar", "x y.jar", "-D", "k=a b"], &variables);
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(words[..5], ["-Dproc_jar", "-Xmx300m", "-Da=1", "-server", "-Db=2"]);
    assert_eq!(words[words.len() - 4..], ["org.apache.hadoop.util.RunJar", "x y.jar", "-D", "k=a b"][..]);
    assert!(words.contains(&"-Dhadoop.root.logger=INFO,console"));
    let words = site.stdout("hadoop", &["com.example.Main", "x"], &variables);
    assert!(words.ends_with("com.example.Main\nx\n"), "{words}");
}

#[test]
fn programs_get_the_configuration_and_the_class_path() {
    let site = Site::new();
    site.file("lib/hadoop-core-1.2.1.jar", "");
    site.file("other/hadoop-env.sh", "export HADOOP_CLASSPATH=/from-env.jar\n");
    let other = site.path("other");
    let said = site.stdout("hadoop", &["--config", other.to_str().unwrap(), "job", "-list", "all"], &[]);
    let here = site.dir.path().to_str().unwrap();
    let expected =
        "program: hadoop job -list all\nconf: @/other\nchild: @/other:/from-env.jar:@/lib/hadoop-core-1.2.1.jar\n";
    assert_eq!(said.replace(here, "@"), expected);
}

#[test]
fn histories_need_no_java_though_hadoops_jars_are_there() {
    let site = Site::new();
    site.executable("java/bin/java", "#!/bin/sh\necho java \"$@\"\n");
    site.file("lib/hadoop-core-1.2.1.jar", "");
    let text = site.stdout("hadoop", &["job", "-history", "all", "out"], &[("JAVA_HOME", "@/java")]);
    assert!(text.starts_with("program: hadoop job -history all out\n"), "{text}");
}

#[test]
fn a_link_to_the_script_finds_its_home() {
    let site = Site::new();
    fs::create_dir(site.path("links")).unwrap();
    std::os::unix::fs::symlink(site.path("bin/hadoop"), site.path("links/hadoop")).unwrap();
    let said = site.stdout("../links/hadoop", &["version"], &[]);
    assert!(said.starts_with("program: hadoop version\n"), "{said}");
}

#[test]
fn a_daemon_starts_once_and_stops() {
    let site = Site::new();
    let said =
        site.stdout("hadoop-daemon.sh", &["start", "jobtracker", "x"], &[("HADOOP_JOBTRACKER_OPTS", "-Xmx9m -Dk=v")]);
    let out = site.path("logs/hadoop-ada-jobtracker-node1.out");
    assert!(said.starts_with(&format!("starting jobtracker, logging to {}\n", out.display())), "{said}");
    let arguments =
        "program: jobtracker -Dproc_jobtracker -Djava.vendor=Howdah -Dk=v org.apache.hadoop.mapred.JobTracker x\n";
    assert!(said.contains(arguments), "{said}");
    assert!(site.text("logs/hadoop-ada-jobtracker-node1.out").contains("ulimit -a for user ada\n"));
    assert_eq!(site.text("logs/hadoop-ada-jobtracker-node1.log"), "a log line\n");
    let pid = site.text("pids/hadoop-ada-jobtracker.pid").trim().to_owned();

    let again = site.failure("hadoop-daemon.sh", &["start", "jobtracker"], &[], 1);
    assert_eq!(again, format!("jobtracker running as process {pid}. Stop it first.\n"));
    assert_eq!(site.stdout("hadoop-daemon.sh", &["stop", "jobtracker"], &[]), "stopping jobtracker\n");
    assert!(!Path::new("/proc").join(&pid).join("exe").exists());
    assert_eq!(site.stdout("hadoop-daemon.sh", &["stop", "jobtracker"], &[]), "no jobtracker to stop\n");

    // The number of a process that is something else by now.
    site.file("pids/hadoop-ada-jobtracker.pid", &std::process::id().to_string());
    assert_eq!(site.stdout("hadoop-daemon.sh", &["stop", "jobtracker"], &[]), "no jobtracker to stop\n");
}

#[test]
fn a_daemon_that_dies_at_once_is_told_and_leaves_no_pid_file() {
    let site = Site::new();
    let said = site.failure("hadoop-daemon.sh", &["start", "jobtracker", "--die"], &[], 1);
    assert!(said.contains("mapred.job.tracker is \"x\"; expected host:port\n"), "{said}");
    assert!(said.contains("jobtracker did not start; see "), "{said}");
    assert!(!site.path("pids/hadoop-ada-jobtracker.pid").exists());
}

#[test]
fn a_daemon_that_does_not_end_is_killed() {
    let site = Site::new();
    site.stdout("hadoop-daemon.sh", &["start", "jobtracker", "--stubborn"], &[]);
    let said = site.stdout("hadoop-daemon.sh", &["stop", "jobtracker"], &[("HADOOP_STOP_TIMEOUT", "0")]);
    assert_eq!(said, "stopping jobtracker\njobtracker did not stop gracefully after 0 seconds: killing with kill -9\n");
}

#[test]
fn five_old_outputs_are_kept() {
    let site = Site::new();
    for number in 0..8 {
        site.failure("hadoop-daemon.sh", &["start", "jobtracker", "--die", &number.to_string()], &[], 1);
    }
    let out = |suffix: &str| site.text(&format!("logs/hadoop-ada-jobtracker-node1.out{suffix}"));
    assert!(out("").contains("--die 7") && out(".1").contains("--die 6") && out(".5").contains("--die 2"));
    assert!(!site.path("logs/hadoop-ada-jobtracker-node1.out.6").exists());
}

#[test]
fn mapreduce_starts_and_stops_on_this_host_without_ssh() {
    let site = Site::new();
    site.file("conf/slaves", "# this one\n localhost  # here\n\n");
    let said = site.stdout("start-mapred.sh", &[], &[]);
    assert!(
        said.contains("starting jobtracker, logging to ") && said.contains("localhost: starting tasktracker"),
        "{said}"
    );
    assert!(
        site.path("pids/hadoop-ada-jobtracker.pid").exists() && site.path("pids/hadoop-ada-tasktracker.pid").exists()
    );
    let said = site.stdout("stop-mapred.sh", &[], &[]);
    assert_eq!(said, "stopping jobtracker\nlocalhost: stopping tasktracker\n");
}

#[test]
fn slaves_are_reached_by_ssh_with_quoted_spaces() {
    let site = Site::new();
    site.executable("fake/ssh", "#!/bin/sh\necho \"ssh $*\"\n");
    site.file("conf/slaves", "node2\n");
    let path = format!("{}:/usr/bin:/bin", site.path("fake").display());
    let variables = [("PATH", path.as_str()), ("HADOOP_SSH_OPTS", "-p 22")];
    let said = site.stdout("slaves.sh", &["echo", "a b", ";", "ls", "|", "cut", "-d", "'", "'"], &variables);
    assert_eq!(said, "node2: ssh -p 22 node2  echo a\\ b ; ls | cut -d ' '\n");
}
