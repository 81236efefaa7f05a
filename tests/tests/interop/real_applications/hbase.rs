//! Apache HBase, all of it in one process, and the jobs that it brings.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use howdah_tests::harness::{Cluster, Daemon, Run, downloads, free_port, same_sequence_files, wait_until};

use super::{LOCAL, below, compiled, expect, on_our_cluster};

/// What every JVM is told about its version: HBase takes "17.0" for none.
struct Site {
    jars: Vec<PathBuf>,
    agent: String,
}

#[test]
#[ignore = "HBase comes from Maven Central; bin/check --full runs it"]
fn hbase_counts_and_exports_a_table() {
    let (work, proof) = ("RowCounter and Export over two regions", "the jobs on Hadoop's LocalJobRunner");
    on_our_cluster("Apache HBase 0.94.27", work, proof, |cluster| {
        let site = Site::new(cluster);
        let mut command = cluster.java_with(&site.jars);
        command.args([&*site.agent, "org.apache.hadoop.hbase.master.HMaster", "start"]).current_dir(cluster.dir());
        let master = Daemon::start(command, &cluster.dir().join("hbase.log")).expect("java starts");
        let is_up = || master.log().contains("Master has completed initialization");
        assert!(wait_until(Duration::from_secs(180), is_up), "HBase does not start: {}", master.log());
        site.run(cluster, &["HBaseVisits"]);

        for options in [&[LOCAL][..], &[]] {
            let run = site.job(cluster, "org.apache.hadoop.hbase.mapreduce.RowCounter", options, &["visits"]);
            let counters = &run.counters()[0];
            let rows = counters.iter().find(|((_, name), _)| name == "ROWS").map(|(_, count)| *count);
            assert_eq!(rows, Some(100), "{run:#?}");
        }
        for (out, options) in [("expected", &[LOCAL][..]), ("actual", &[])] {
            let args = ["visits", &below(cluster, out)];
            site.job(cluster, "org.apache.hadoop.hbase.mapreduce.Export", options, &args);
        }
        same_sequence_files(&cluster.dir().join("expected"), &cluster.dir().join("actual"));
    });
}

impl Site {
    fn new(cluster: &Cluster) -> Site {
        let conf = cluster.dir().join("conf-hbase");
        write_site(cluster, &conf);
        // Its shell's language is large, and nobody speaks it here.
        let is_wanted = |jar: &PathBuf| !jar.display().to_string().contains("jruby");
        let artifacts = downloads::maven(cluster.install(), "hbase", &["org.apache.hbase:hbase:0.94.27"]);
        let mut jars: Vec<PathBuf> = artifacts.into_iter().filter(is_wanted).collect();
        let classes = compiled(cluster, &jars, "HBaseVisits.java");
        compiled(cluster, &jars, "OnOldJava.java");
        let (manifest, agent) = (cluster.dir().join("manifest"), cluster.dir().join("on-old-java.jar"));
        fs::write(&manifest, "Premain-Class: OnOldJava\n").expect("the manifest");
        let mut command = Command::new("jar");
        command.arg("cfm").args([&agent, &manifest]).arg("-C").arg(&classes).arg("OnOldJava.class");
        expect(cluster, command);
        jars.insert(0, classes);
        jars.insert(0, conf);
        Site { jars, agent: format!("-javaagent:{}", agent.display()) }
    }

    fn run(&self, cluster: &Cluster, words: &[&str]) -> Run {
        let mut command = cluster.java_with(&self.jars);
        command.arg(&self.agent).args(words);
        expect(cluster, command)
    }

    fn job(&self, cluster: &Cluster, class: &str, options: &[&str], args: &[&str]) -> Run {
        let children = format!("-Dmapred.child.java.opts=-Xmx200m {}", self.agent);
        let words = [&[class, &*children], options, args].concat();
        self.run(cluster, &words)
    }
}

fn write_site(cluster: &Cluster, conf: &Path) {
    let mut xml = String::from("<?xml version=\"1.0\"?>\n<configuration>\n");
    for (key, value) in [
        ("hbase.rootdir", format!("file://{}", below(cluster, "hbase"))),
        ("hbase.tmp.dir", below(cluster, "hbase-tmp")),
        ("hbase.zookeeper.property.dataDir", below(cluster, "zookeeper")),
        ("hbase.zookeeper.property.clientPort", free_port().to_string()),
        ("hbase.zookeeper.quorum", "127.0.0.1".to_owned()),
        ("hbase.master.port", free_port().to_string()),
        ("hbase.master.info.port", "-1".to_owned()),
        ("hbase.regionserver.port", free_port().to_string()),
        ("hbase.regionserver.info.port", "-1".to_owned()),
    ] {
        writeln!(xml, "<property><name>{key}</name><value>{value}</value></property>").expect("a string grows");
    }
    xml.push_str("</configuration>\n");
    fs::create_dir_all(conf).and_then(|()| fs::write(conf.join("hbase-site.xml"), xml)).expect("HBase's settings");
}
