//! Apache Hive.

use howdah_tests::harness::{Cluster, Run, downloads};

use super::{below, compiled, expect, on_our_cluster, write_tables};

const ARTIFACTS: &[&str] = &[
    "org.apache.hive:hive-cli:0.12.0",
    "org.apache.hive:hive-exec:0.12.0",
    // Its own does not start on Java 17.
    "org.apache.derby:derby:10.14.2.0",
];

/// Three jobs.
const QUERIES: &str = "
CREATE TABLE users (id INT, name STRING, city STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',';
CREATE TABLE visits (user INT, page STRING, ms BIGINT) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',';
LOAD DATA LOCAL INPATH 'DIR/users' INTO TABLE users;
LOAD DATA LOCAL INPATH 'DIR/visits' INTO TABLE visits;
SELECT city, COUNT(*) AS visits, SUM(ms) AS total FROM users JOIN visits ON users.id = visits.user
  WHERE ms > 10 GROUP BY city ORDER BY total DESC, city;
";

#[test]
#[ignore = "Hive comes from Maven Central and runs three jobs; bin/check --full runs it"]
fn hive_creates_loads_joins_and_groups() {
    let work = "CREATE TABLE, LOAD DATA, JOIN, GROUP BY, ORDER BY: three jobs";
    on_our_cluster("Apache Hive 0.12.0", work, "the queries on Hadoop's LocalJobRunner", |cluster| {
        write_tables(cluster.dir());
        let queries = QUERIES.replace("DIR", &cluster.dir().display().to_string());
        std::fs::write(cluster.dir().join("queries"), queries).expect("the queries");
        let expected = hive(cluster, "expected", "local");
        let actual = hive(cluster, "actual", &format!("127.0.0.1:{}", cluster.rpc_port));
        assert_eq!(expected.stdout.lines().count(), 7, "{expected:#?}");
        assert_eq!(expected.stdout, actual.stdout);
        let jobs = actual.stderr.lines().filter(|line| line.contains("Ended Job = job_2")).count();
        assert_eq!(jobs, 3, "{actual:#?}");
    });
}

/// Hive with a database, a warehouse and temporary files of its own.
fn hive(cluster: &Cluster, name: &str, jobtracker: &str) -> Run {
    let own = |part: &str| below(cluster, &format!("{name}-{part}"));
    let mut jars = downloads::maven(cluster.install(), "hive", ARTIFACTS);
    let classes = compiled(cluster, &jars, "OnOldJava.java");
    // Hive starts local jobs by way of bin/hadoop, which must find its jars.
    let for_hadoop: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
    jars.insert(0, classes);
    let mut command = cluster.java_with(&jars);
    command.env("HADOOP_CLASSPATH", for_hadoop.join(":")).env("HADOOP_CONF_DIR", cluster.client_conf());
    command.args(["OnOldJava", "org.apache.hadoop.hive.cli.CliDriver", "-f", "queries"]);
    for (key, value) in [
        ("javax.jdo.option.ConnectionURL", format!("jdbc:derby:;databaseName={};create=true", own("database"))),
        ("hive.metastore.warehouse.dir", own("warehouse")),
        ("hive.exec.scratchdir", own("scratch")),
        ("hive.exec.local.scratchdir", own("local-scratch")),
        ("hive.log.dir", own("logs")),
        ("hadoop.bin.path", cluster.install().script("hadoop").display().to_string()),
        // A join of one small table would run in the client alone.
        ("hive.auto.convert.join", "false".to_owned()),
        ("mapred.job.tracker", jobtracker.to_owned()),
    ] {
        command.arg("--hiveconf").arg(format!("{key}={value}"));
    }
    expect(cluster, command)
}
