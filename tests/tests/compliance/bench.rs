//! A cell's cluster and its client, and the jobs that its cases share.

use std::path::{Path, PathBuf};

use howdah_tests::harness::{Cluster, ClusterOptions, Install, JavaClient, Make, Run};
use rpc::blocking::Client;

use crate::cell::{Cell, Child};
use crate::scenes::Scenes;

/// After so long without a heartbeat a TaskTracker is lost, and after so long without a child a launch has failed: on a busy
/// machine Hadoop's needs more than ten seconds for one.
const EXPIRY_MS: &str = "15000";

/// Arguments of jobs that Java's child runs in every cell.
const NEEDS_JAVA: [&str; 3] = ["-mapdebug", "mapred.skip.", "mapred.task.profile"];

/// A command of `hadoop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Job,
    Queue,
    MrAdmin,
    Examples,
    Streaming,
    Pipes,
}

/// What a case works on.
pub(crate) struct Bench {
    pub(crate) cell: Cell,
    pub(crate) cluster: Cluster,
    pub(crate) scenes: Scenes,
    java: Option<JavaClient>,
}

impl Bench {
    /// Starts a cluster of two TaskTrackers.
    pub(crate) fn start(install: &Install, cell: Cell) -> Bench {
        let native = match cell.child {
            Child::Java => "never",
            Child::Native => "auto",
        };
        let mut options = ClusterOptions::of(cell.jobtracker)
            .set("mapred.tasktracker.expiry.interval", EXPIRY_MS)
            .set("mapred.tasktracker.map.tasks.maximum", "3")
            .set("mapred.map.tasks.speculative.execution", "false")
            .set("mapred.reduce.tasks.speculative.execution", "false")
            .set("mapred.child.java.opts", "-Xmx100m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
            .set("io.sort.mb", "10")
            .set("howdah.child.native", native);
        options.tasktrackers = vec![cell.tasktracker; 2];
        let cluster = Cluster::start(install, &options);
        let java = (cell.client == Make::Hadoop).then(|| cluster.java_client());
        Bench { cell, cluster, scenes: Scenes::default(), java }
    }

    /// Runs a command with the cell's client.
    pub(crate) fn hadoop(&self, tool: Tool, args: &[&str]) -> Run {
        match &self.java {
            None => self.ours(tool, args),
            Some(java) => self.stock(java, tool, args),
        }
    }

    /// `hadoop job`.
    pub(crate) fn job(&self, args: &[&str]) -> Run {
        self.hadoop(Tool::Job, args)
    }

    /// Our client brings no jar along, as native children need none; for a job of Java's child it is told which.
    fn ours(&self, tool: Tool, args: &[&str]) -> Run {
        let is_for_java =
            self.cell.child == Child::Java || args.iter().any(|arg| NEEDS_JAVA.iter().any(|part| arg.contains(part)));
        let brings = |jar: &str| {
            let jar = self.cluster.install().jar(jar).expect("a jar of Hadoop's");
            is_for_java.then(|| format!("-Dmapred.jar={}", jar.display()))
        };
        let (command, jar) = match tool {
            Tool::Job => ("job", None),
            Tool::Queue => ("queue", None),
            Tool::MrAdmin => ("mradmin", None),
            Tool::Examples => ("examples", brings("hadoop-examples")),
            Tool::Streaming => ("streaming", brings("hadoop-streaming")),
            Tool::Pipes => ("pipes", None),
        };
        let mut words = vec![command];
        words.extend(args);
        if let Some(jar) = &jar {
            words.insert(if tool == Tool::Examples { 2 } else { 1 }, jar);
        }
        self.cluster.hadoop(&words)
    }

    fn stock(&self, java: &JavaClient, tool: Tool, args: &[&str]) -> Run {
        let run_jar = |jar: &str| {
            let jar = self.cluster.install().jar(jar).expect("a jar of Hadoop's").display().to_string();
            let mut words = vec![jar.as_str()];
            words.extend(args);
            java.run("org.apache.hadoop.util.RunJar", &words)
        };
        match tool {
            Tool::Job => java.run("org.apache.hadoop.mapred.JobClient", args),
            Tool::Queue => java.run("org.apache.hadoop.mapred.JobQueueClient", args),
            Tool::MrAdmin => java.run("org.apache.hadoop.mapred.tools.MRAdmin", args),
            Tool::Examples => run_jar("hadoop-examples"),
            Tool::Streaming => run_jar("hadoop-streaming"),
            Tool::Pipes => java.run("org.apache.hadoop.mapred.pipes.Submitter", args),
        }
    }

    /// A client of the JobTracker for direct calls, as the user of the tests.
    pub(crate) fn rpc(&self) -> Client {
        self.cluster.rpc_client()
    }

    /// A path in the cluster's directory, in which clients run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.cluster.dir().join(name)
    }

    /// The folder that the JobTracker's history stands in.
    pub(crate) fn history_done(&self) -> PathBuf {
        self.path("logs-jobtracker/history/done")
    }

    /// The log folders of the TaskTrackers.
    pub(crate) fn tracker_logs(&self) -> Vec<PathBuf> {
        (0..self.cluster.tasktrackers.len()).map(|number| self.path(&format!("logs-tasktracker-{number}"))).collect()
    }

    /// Where the TaskTrackers keep what is local.
    pub(crate) fn tracker_dirs(&self) -> Vec<PathBuf> {
        (0..self.cluster.tasktrackers.len()).map(|number| self.path(&format!("tasktracker-{number}/local"))).collect()
    }
}

/// Text of a path for a command line.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
