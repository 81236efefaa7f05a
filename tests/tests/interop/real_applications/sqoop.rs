//! Apache Sqoop.

use std::path::PathBuf;
use std::time::Duration;

use howdah_tests::harness::{Cluster, Daemon, downloads, free_port, part_files, wait_until};

use super::{LOCAL, below, compiled, expect, on_our_cluster, sorted_lines};

const ARTIFACTS: &[&str] = &[
    "org.apache.sqoop:sqoop:1.4.3:hadoop100",
    "org.hsqldb:hsqldb:1.8.0.10",
    // What its own list forgets.
    "org.apache.avro:avro:1.5.3",
    "org.apache.avro:avro-mapred:1.5.3",
];

#[test]
#[ignore = "Sqoop comes from Maven Central; bin/check --full runs it"]
fn sqoop_imports_a_table() {
    let (work, proof) = ("a table of HSQLDB 1.8.0.10 imported by two maps", "the import on Hadoop's LocalJobRunner");
    on_our_cluster("Apache Sqoop 1.4.3 (hadoop100)", work, proof, |cluster| {
        let jars = downloads::maven(cluster.install(), "sqoop", ARTIFACTS);
        let port = free_port();
        let mut command = cluster.java_with(&jars);
        command.args(["org.hsqldb.Server", "-address", "127.0.0.1", "-port", &port.to_string(), "-dbname.0", "shop"]);
        command.args(["-database.0", &format!("file:{}", below(cluster, "database/shop"))]).current_dir(cluster.dir());
        let server = Daemon::start(command, &cluster.dir().join("hsqldb.log")).expect("java starts");
        let listens = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        assert!(wait_until(Duration::from_secs(90), listens), "HSQLDB does not listen: {}", server.log());
        let url = format!("jdbc:hsqldb:hsql://127.0.0.1:{port}/shop");
        let mut with_users = jars.clone();
        with_users.insert(0, compiled(cluster, &jars, "Users.java"));
        let mut command = cluster.java_with(&with_users);
        command.args(["Users", &url]);
        expect(cluster, command);

        import(cluster, &jars, &url, "expected", &[LOCAL]);
        import(cluster, &jars, &url, "actual", &[]);
        // The local runner is given one map.
        let (expected, actual) =
            (sorted_lines(&cluster.dir().join("expected")), sorted_lines(&cluster.dir().join("actual")));
        assert_eq!(expected.len(), 50);
        assert_eq!(expected, actual);
        assert_eq!(part_files(&cluster.dir().join("actual")).len(), 2);
    });
}

fn import(cluster: &Cluster, jars: &[PathBuf], url: &str, out: &str, options: &[&str]) {
    let mut command = cluster.java_with(jars);
    // Where it looks for the jar to compile its record class against.
    command.env("HADOOP_HOME", &cluster.install().root).env("HADOOP_CONF_DIR", cluster.client_conf());
    command.args(["org.apache.sqoop.Sqoop", "import"]).args(options);
    command.args(["--connect", url, "--username", "sa", "--table", "USERS", "--split-by", "ID", "-m", "2"]);
    command.args(["--target-dir", &below(cluster, out), "--outdir", &below(cluster, &format!("{out}-source"))]);
    command.args(["--bindir", &below(cluster, &format!("{out}-classes"))]);
    expect(cluster, command);
}
