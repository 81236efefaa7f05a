//! Apache Giraph.

use howdah_tests::harness::{Cluster, downloads};

use super::{LOCAL, below, expect, listed, on_our_cluster, sorted_lines};

#[test]
#[ignore = "Giraph comes from Maven Central; bin/check --full runs it"]
fn giraph_ranks_pages() {
    let work = "PageRank over 50 vertices: two maps that run at the same time, one with a ZooKeeper beside it";
    on_our_cluster("Apache Giraph 1.1.0", work, "the program on Hadoop's LocalJobRunner", |cluster| {
        // One process is master and worker there.
        ranks(cluster, "expected", &[LOCAL, "-Dgiraph.SplitMasterWorker=false"]);
        ranks(cluster, "actual", &[]);
        let expected = sorted_lines(&cluster.dir().join("expected"));
        assert_eq!(expected.len(), 50);
        assert_eq!(expected, sorted_lines(&cluster.dir().join("actual")));
    });
}

fn ranks(cluster: &Cluster, out: &str, options: &[&str]) {
    let jars = downloads::maven(cluster.install(), "giraph", &["org.apache.giraph:giraph-core:1.1.0"]);
    let mut command = cluster.java_with(&jars);
    command.arg("org.apache.giraph.benchmark.PageRankBenchmark").args(["-libjars", &listed(&jars)]);
    // Its own options for ZooKeeper's JVM are not those of Java 17.
    command.args(["-Dgiraph.zkJavaOpts=-Xmx128m", &format!("-Dmapred.output.dir={}", below(cluster, out))]);
    command.arg("-Dgiraph.vertexOutputFormatClass=org.apache.giraph.io.formats.IdWithValueTextOutputFormat");
    command.args(options).args(["-w", "1", "-e", "3", "-V", "50", "-s", "3"]);
    expect(cluster, command);
}
