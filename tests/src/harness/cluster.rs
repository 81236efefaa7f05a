//! One JobTracker and its TaskTrackers, each of either make.

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rpc::ClientOptions;
use rpc::blocking::Client;
use wire::mapred::job_submission::{self, GetClusterStatus, GetJobCounters};

use super::as_users::User;
use super::{CounterMap, Daemon, Install, JavaClient, Run, free_port, wait_until};

/// Who made a daemon or a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Make {
    /// Apache Hadoop 1.2.1, unmodified.
    Hadoop,
    /// This project.
    Howdah,
}

/// What cluster to start.
#[derive(Debug, Clone)]
pub struct ClusterOptions {
    /// The JobTracker's make.
    pub jobtracker: Make,
    /// Each TaskTracker's make.
    pub tasktrackers: Vec<Make>,
    /// Site settings of all daemons and clients.
    pub site: Vec<(String, String)>,
    /// Variables of our daemons' environment, above the tests' own.
    pub environment: Vec<(String, String)>,
    /// The address of the TaskTrackers' pages, and their name unless it is this machine's usual one.
    pub tracker_host: String,
    /// Whose the daemons are, unless they are the tests' own user's. Needs root.
    pub user: Option<Arc<User>>,
}

/// Where daemons listen and what TaskTrackers are called, unless a test says otherwise.
const HOST: &str = "127.0.0.1";

impl ClusterOptions {
    /// A JobTracker and one TaskTracker, all of one make.
    pub fn of(make: Make) -> Self {
        ClusterOptions {
            jobtracker: make,
            tasktrackers: vec![make],
            site: Vec::new(),
            environment: Vec::new(),
            tracker_host: HOST.to_owned(),
            user: None,
        }
    }

    /// As many TaskTrackers of the JobTracker's make.
    pub fn trackers(mut self, count: usize) -> Self {
        self.tasktrackers = vec![self.jobtracker; count];
        self
    }

    /// One site setting more.
    pub fn set(mut self, key: &str, value: &str) -> Self {
        self.site.push((key.to_owned(), value.to_owned()));
        self
    }

    /// One variable more in the environment of our daemons.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// How long daemons may take to start. A loaded machine starts a JVM in many seconds.
const START_DEADLINE: Duration = Duration::from_secs(90);
/// How long any client may take.
const CLIENT_DEADLINE: Duration = Duration::from_secs(300);

/// A running cluster; stopped, TaskTrackers first, when dropped.
#[derive(Debug)]
pub struct Cluster {
    install: Install,
    dir: PathBuf,
    keep: bool,
    site: Vec<(String, String)>,
    environment: Vec<(String, String)>,
    tracker_host: String,
    user: Option<Arc<User>>,
    jobtracker_make: Make,
    /// The JobTracker's RPC port.
    pub rpc_port: u16,
    /// The JobTracker's pages.
    pub http_port: u16,
    /// The TaskTrackers, in the order of the options.
    pub tasktrackers: Vec<Daemon>,
    /// The ports of their pages, in the order in which they were started.
    pub tracker_ports: Vec<u16>,
    /// The JobTracker.
    pub jobtracker: Daemon,
}

impl Cluster {
    /// Starts the daemons and waits until every TaskTracker has registered.
    pub fn start(install: &Install, options: &ClusterOptions) -> Cluster {
        let dir = tempfile::Builder::new().prefix("howdah-cluster-").tempdir().expect("a temporary directory").keep();
        let user = options.user.clone();
        if let Some(user) = &user {
            user.own(&dir, 0o755);
        }
        let (rpc_port, http_port) = (free_port(), free_port());
        let mut site = vec![
            ("fs.default.name".to_owned(), "file:///".to_owned()),
            ("hadoop.tmp.dir".to_owned(), dir.join("tmp").display().to_string()),
            ("mapred.job.tracker".to_owned(), format!("127.0.0.1:{rpc_port}")),
            ("mapred.job.tracker.http.address".to_owned(), format!("127.0.0.1:{http_port}")),
        ];
        site.extend(options.site.iter().cloned());
        let environment = options.environment.clone();
        let mut cluster = Cluster {
            jobtracker: start_daemon(
                install,
                options.jobtracker,
                "jobtracker",
                &dir,
                &site,
                &environment,
                user.as_deref(),
            ),
            install: install.clone(),
            keep: false,
            site,
            environment,
            tracker_host: options.tracker_host.clone(),
            user,
            jobtracker_make: options.jobtracker,
            rpc_port,
            http_port,
            tasktrackers: Vec::new(),
            tracker_ports: Vec::new(),
            dir,
        };
        cluster.write_conf("client", &[]);
        cluster.await_trackers(0);
        for make in &options.tasktrackers {
            cluster.add_tasktracker(*make);
        }
        cluster.await_trackers(options.tasktrackers.len());
        cluster
    }

    /// Starts one TaskTracker more; does not wait for it.
    pub fn add_tasktracker(&mut self, make: Make) {
        let name = format!("tasktracker-{}", self.tracker_ports.len());
        let port = free_port();
        self.tracker_ports.push(port);
        let mut site = self.site.clone();
        for (key, value) in [
            ("mapred.local.dir", self.dir.join(&name).join("local").display().to_string()),
            ("mapred.task.tracker.http.address", format!("{}:{port}", self.tracker_host)),
            ("mapred.task.tracker.report.address", format!("127.0.0.1:{}", free_port())),
        ] {
            site.push((key.to_owned(), value));
        }
        if self.tracker_host != HOST {
            site.push(("slave.host.name".to_owned(), self.tracker_host.clone()));
        }
        self.tasktrackers.push(self.start_daemon(make, &name, &site));
    }

    /// Starts a TaskTracker of ours with these site settings above the cluster's, in a mount namespace of its own in which
    /// `mounts`, a shell command, has run in its directory. Needs root; does not wait for the tracker.
    pub fn add_tasktracker_with_mounts(&mut self, settings: &[(&str, &str)], mounts: &str) {
        let name = format!("tasktracker-{}", self.tasktrackers.len());
        let (own, conf, logs) =
            (self.dir.join(&name), self.dir.join(format!("conf-{name}")), self.dir.join(format!("logs-{name}")));
        let mut site = self.site.clone();
        site.extend(settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        site.push(("mapred.task.tracker.http.address".to_owned(), "127.0.0.1:0".to_owned()));
        write_conf(&conf, &site);
        fs::create_dir_all(&own).and_then(|()| fs::create_dir_all(&logs)).expect("the tracker's folders");
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-e", "-c"]);
        command.arg(format!("{mounts}\nexec \"$0\" --config \"$1\" tasktracker"));
        command.arg(self.install.script("hadoop")).arg(&conf).env("HADOOP_LOG_DIR", &logs).current_dir(&own);
        command.envs(self.environment.iter().cloned());
        self.tasktrackers.push(Daemon::start(command, &logs.join("daemon.log")).expect("unshare starts"));
    }

    /// Runs a shell command in a TaskTracker's mount namespace and directory.
    pub fn in_mounts_of(&self, tracker: usize, shell: &str) {
        let pid = self.tasktrackers[tracker].pid().to_string();
        let mut command = Command::new("nsenter");
        command.args(["--target", &pid, "--mount", "sh", "-e", "-c"]).arg(format!("cd \"$0\"; {shell}"));
        let output = command.arg(self.dir.join(format!("tasktracker-{tracker}"))).output().expect("nsenter runs");
        assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Stops the JobTracker and starts one of that make in its place: same ports, same directories.
    pub fn replace_jobtracker(&mut self, make: Make) {
        let trackers = self.tasktrackers.len();
        self.jobtracker.stop();
        self.jobtracker = self.start_daemon(make, "jobtracker", &self.site);
        self.await_trackers(trackers);
    }

    /// Which of the started TaskTrackers has its pages there; `address` is a URL or `host:port`.
    ///
    /// # Panics
    /// If none has.
    pub fn tracker_at(&self, address: &str) -> usize {
        let end = |port: &u16| address.ends_with(&format!(":{port}"));
        let found = self.tracker_ports.iter().position(end);
        found.unwrap_or_else(|| panic!("no TaskTracker of this cluster is at {address}"))
    }

    /// Starts a JobTracker in the place of the one that was killed, and waits until it answers.
    pub fn restart_jobtracker(&mut self) {
        self.jobtracker.stop();
        self.jobtracker = self.start_daemon(self.jobtracker_make, "jobtracker", &self.site);
        let answers = wait_until(START_DEADLINE, || self.active_trackers().is_some());
        assert!(answers, "the JobTracker does not answer again; logs in {}", self.dir.display());
    }

    fn start_daemon(&self, make: Make, name: &str, site: &[(String, String)]) -> Daemon {
        start_daemon(&self.install, make, name, &self.dir, site, &self.environment, self.user.as_deref())
    }

    /// Waits until that many TaskTrackers are active.
    pub fn await_trackers(&mut self, count: usize) {
        let reached = wait_until(START_DEADLINE, || self.active_trackers() == Some(count));
        if !reached {
            self.keep = true;
            panic!("not {count} active trackers within {START_DEADLINE:?}; logs in {}", self.dir.display());
        }
    }

    /// How many TaskTrackers the JobTracker counts as active; `None` while it does not answer.
    pub fn active_trackers(&self) -> Option<usize> {
        let status = self.rpc_client().call(&GetClusterStatus { detailed: false }).ok()?;
        usize::try_from(status.active_count).ok()
    }

    /// A client of the JobTracker, as the current user. It connects at its first call and does not insist.
    pub fn rpc_client(&self) -> Client {
        let options = ClientOptions {
            connect_retries: 0,
            call_timeout: Some(Duration::from_secs(10)),
            ..ClientOptions::for_user(whoami())
        };
        Client::new(format!("127.0.0.1:{}", self.rpc_port), job_submission::NAME, options)
    }

    /// Whether a TaskTracker of ours chose the native child for a job, by its log.
    ///
    /// # Panics
    /// If none of them had the job.
    pub fn ran_natively(&self, job: &str) -> bool {
        let wanted = format!("job={job} ");
        let choices: Vec<bool> = self
            .tasktrackers
            .iter()
            .flat_map(|tracker| {
                let log = tracker.log();
                let lines = log.lines().filter(|line| line.contains("the job is here") && line.contains(&wanted));
                lines.map(|line| line.contains("native=true")).collect::<Vec<_>>()
            })
            .collect();
        assert!(!choices.is_empty(), "no TaskTracker's log tells of {job}");
        choices.iter().all(|native| *native)
    }

    /// A job's counters, under the names that people see.
    ///
    /// # Panics
    /// If the JobTracker does not know the job.
    pub fn counters(&self, job: &str) -> CounterMap {
        let call = GetJobCounters { job: job.parse().unwrap_or_else(|error| panic!("{error}")) };
        let counters = self.rpc_client().call(&call).unwrap_or_else(|error| panic!("{job}: {error}"));
        let counters = counters.unwrap_or_else(|| panic!("{job} is unknown"));
        let named = counters.groups.into_iter().flat_map(|group| {
            let display = group.display;
            group.counters.into_iter().map(move |counter| ((display.clone(), counter.display), counter.value))
        });
        named.collect()
    }

    /// Keeps the cluster's directory when it is dropped, so that its logs can be read.
    pub fn keep_logs_if(&mut self, failed: bool) {
        self.keep |= failed;
    }

    /// The cluster's own directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The conf folder of clients.
    pub fn client_conf(&self) -> PathBuf {
        self.dir.join("conf-client")
    }

    /// Runs a class of Hadoop's with the cluster's conf folder, to its end, in the cluster's directory.
    pub fn java(&self, class: &str, args: &[&str]) -> Run {
        let mut command = java_command(&self.install, &self.client_conf(), &self.dir.join("logs-client"));
        command.arg(class).args(args);
        self.run(command, &self.dir)
    }

    /// Runs a jar with Hadoop's unmodified client.
    pub fn java_jar(&self, jar: &str, args: &[&str]) -> Run {
        self.java_jar_in(jar, args, &self.dir)
    }

    /// The same, in another working directory.
    pub fn java_jar_in(&self, jar: &str, args: &[&str], dir: &Path) -> Run {
        let mut command = java_command(&self.install, &self.client_conf(), &self.dir.join("logs-client"));
        let jar = self.install.jar(jar).expect("a jar of Hadoop's");
        command.arg("org.apache.hadoop.util.RunJar").arg(jar).args(args);
        self.run(command, dir)
    }

    /// A JVM with these jars before Hadoop's, to be given a class and its arguments: for [`Cluster::run_within`].
    pub fn java_with(&self, jars: &[PathBuf]) -> Command {
        let logs = self.dir.join("logs-client");
        let conf = self.client_conf();
        let mut path = jars.iter().fold(conf.display().to_string(), |path, jar| format!("{path}:{}", jar.display()));
        path.push(':');
        path.push_str(&self.install.class_path(&conf));
        let mut command = Command::new("java");
        command.arg("-cp").arg(path).arg(format!("-Dhadoop.log.dir={}", logs.display())).args(FRUGAL_JAVA);
        command.env_remove("HADOOP_CLASSPATH");
        command
    }

    /// Starts a jar with Hadoop's unmodified client in the background.
    pub fn java_jar_in_background(&self, jar: &str, args: &[&str], log: &str) -> Daemon {
        let mut command = java_command(&self.install, &self.client_conf(), &self.dir.join("logs-client"));
        command.current_dir(&self.dir).arg("org.apache.hadoop.util.RunJar").arg(self.install.jar(jar).expect("a jar"));
        command.args(args);
        Daemon::start(command, &self.dir.join(log)).expect("java starts")
    }

    /// Starts a JVM in which many commands of Hadoop's client run, in the cluster's directory.
    pub fn java_client(&self) -> JavaClient {
        let mut command = java_command(&self.install, &self.client_conf(), &self.dir.join("logs-client"));
        command.current_dir(&self.dir);
        JavaClient::start(command, &self.dir.join("java-client.log"))
    }

    /// Where our programs and Hadoop's jars are.
    pub fn install(&self) -> &Install {
        &self.install
    }

    /// Runs our own `bin/hadoop` to its end.
    pub fn hadoop(&self, args: &[&str]) -> Run {
        let mut command = Command::new(self.install.script("hadoop"));
        command.arg("--config").arg(self.client_conf()).args(args);
        self.run(command, &self.dir)
    }

    /// Starts our own `bin/hadoop` in the background; it is stopped when it is dropped.
    pub fn hadoop_in_background(&self, args: &[&str], log: &str) -> Daemon {
        let mut command = Command::new(self.install.script("hadoop"));
        command.current_dir(&self.dir).arg("--config").arg(self.client_conf()).args(args);
        Daemon::start(command, &self.dir.join(log)).expect("bin/hadoop starts")
    }

    /// Runs our own `bin/hadoop` to its end as another user.
    pub fn hadoop_as(&self, user: &User, args: &[&str]) -> Run {
        let mut command = Command::new(self.install.script("hadoop"));
        command.arg("--config").arg(self.client_conf()).args(args);
        user.take_over(&mut command);
        self.run(command, &self.dir)
    }

    /// Runs a jar with Hadoop's unmodified client as another user.
    pub fn java_jar_as(&self, user: &User, jar: &str, args: &[&str]) -> Run {
        let mut command = java_command(&self.install, &self.client_conf(), &self.dir.join("logs-client"));
        command.arg("org.apache.hadoop.util.RunJar").arg(self.install.jar(jar).expect("a jar of Hadoop's")).args(args);
        user.take_over(&mut command);
        self.run(command, &self.dir)
    }

    fn run(&self, command: Command, dir: &Path) -> Run {
        self.run_within(CLIENT_DEADLINE, command, dir)
    }

    /// Runs a command in a directory to its end, or stops it at the deadline.
    pub fn run_within(&self, deadline: Duration, mut command: Command, dir: &Path) -> Run {
        let shown = shown(&command);
        let start = Instant::now();
        let mut child = command
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{shown}: {error}"));
        let stdout = reader(child.stdout.take().expect("piped"));
        let stderr = reader(child.stderr.take().expect("piped"));
        let ended = wait_until(deadline, || matches!(child.try_wait(), Ok(Some(_))));
        if !ended {
            let _ = child.kill();
        }
        let status = child.wait().expect("a child that was started");
        Run {
            command: shown,
            code: status.code(),
            stdout: stdout.join().expect("the reader"),
            stderr: stderr.join().expect("the reader"),
            elapsed: start.elapsed(),
        }
    }

    fn write_conf(&self, name: &str, more: &[(String, String)]) {
        let mut site = self.site.clone();
        site.extend(more.iter().cloned());
        write_conf(&self.dir.join(format!("conf-{name}")), &site);
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.tasktrackers.clear();
        self.jobtracker.stop();
        if self.keep || std::thread::panicking() {
            eprintln!("the cluster's logs are kept in {}", self.dir.display());
        } else {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

/// The name of the user that runs the tests.
pub(crate) fn whoami() -> String {
    nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten().map_or_else(|| "root".to_owned(), |u| u.name)
}

fn start_daemon(
    install: &Install,
    make: Make,
    name: &str,
    dir: &Path,
    site: &[(String, String)],
    environment: &[(String, String)],
    user: Option<&User>,
) -> Daemon {
    let conf = dir.join(format!("conf-{name}"));
    let logs = dir.join(format!("logs-{name}"));
    write_conf(&conf, site);
    fs::create_dir_all(&logs).expect("a log folder");
    let kind = name.split('-').next().expect("a name");
    let command = match make {
        Make::Hadoop => {
            let mut command = java_command(install, &conf, &logs);
            command.arg(match kind {
                "jobtracker" => "org.apache.hadoop.mapred.JobTracker",
                _ => "org.apache.hadoop.mapred.TaskTracker",
            });
            command
        }
        Make::Howdah => {
            let mut command = Command::new(install.script("hadoop"));
            command.arg("--config").arg(&conf).arg(kind).envs(environment.iter().cloned()).env("HADOOP_LOG_DIR", &logs);
            command
        }
    };
    let mut command = command;
    command.current_dir(dir);
    if let Some(user) = user {
        user.own(&logs, 0o755);
        user.take_over(&mut command);
    }
    Daemon::start(command, &logs.join("daemon.log")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn java_command(install: &Install, conf: &Path, logs: &Path) -> Command {
    let mut command = Command::new("java");
    command
        .arg("-cp")
        .arg(install.class_path(conf))
        .arg(format!("-Dhadoop.log.dir={}", logs.display()))
        .args(FRUGAL_JAVA)
        .env_remove("HADOOP_CLASSPATH");
    command
}

/// Short-lived JVMs on few cores: neither the second compiler nor a parallel collector pays.
const FRUGAL_JAVA: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

fn write_conf(dir: &Path, site: &[(String, String)]) {
    fs::create_dir_all(dir).expect("a conf folder");
    let mut xml = String::from("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (key, value) in site {
        let value = value.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(xml, "<property><name>{key}</name><value>{value}</value></property>").expect("a string grows");
    }
    xml.push_str("</configuration>\n");
    fs::write(dir.join("core-site.xml"), &xml).expect("core-site.xml");
    fs::write(dir.join("mapred-site.xml"), &xml).expect("mapred-site.xml");
    fs::write(dir.join("log4j.properties"), LOG4J).expect("log4j.properties");
}

/// What Hadoop's own conf folder has, to standard error.
const LOG4J: &str = "\
log4j.rootLogger=INFO,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{yy/MM/dd HH:mm:ss} %p %c{2}: %m%n
";

fn reader(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has given what it had.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The command line without the class path, which is long and says nothing.
fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()).filter(|arg| arg.len() < 1000));
    words.join(" ")
}
