//! Apache Mahout.

use std::path::PathBuf;

use howdah_tests::harness::{Cluster, downloads, same_text};

use super::{LOCAL, below, expect, on_our_cluster};

#[test]
#[ignore = "Mahout comes from Maven Central and runs nine jobs; bin/check --full runs it"]
fn mahout_recommends() {
    let (work, proof) = ("RecommenderJob: nine jobs in a row", "the program on Hadoop's LocalJobRunner");
    on_our_cluster("Apache Mahout 0.9", work, proof, |cluster| {
        let mut dice = fastrand::Rng::with_seed(3);
        let mut preferences = String::new();
        for user in 1..=20 {
            for item in 100..125 {
                if dice.u32(0..3) == 0 {
                    preferences.push_str(&format!("{user},{item},{}\n", dice.u32(1..6)));
                }
            }
        }
        std::fs::write(cluster.dir().join("preferences"), preferences).expect("the input");
        recommend(cluster, "expected", &[LOCAL]);
        recommend(cluster, "actual", &[]);
        same_text(&cluster.dir().join("expected"), &cluster.dir().join("actual"));
    });
}

fn recommend(cluster: &Cluster, out: &str, options: &[&str]) {
    let jars = downloads::maven(cluster.install(), "mahout", &["org.apache.mahout:mahout-core:0.9:job"]);
    let is_job = |jar: &&PathBuf| jar.display().to_string().ends_with("mahout-core-0.9-job.jar");
    let jar = jars.iter().find(is_job).expect("the job's jar is there");
    let mut command = cluster.java_with(&[]);
    command.arg("org.apache.hadoop.util.RunJar").arg(jar);
    command.arg("org.apache.mahout.cf.taste.hadoop.item.RecommenderJob").args(options);
    command.args([
        "-i",
        "preferences",
        "-o",
        &below(cluster, out),
        "--tempDir",
        &below(cluster, &format!("{out}-temp")),
    ]);
    command.args(["-s", "SIMILARITY_COSINE", "-n", "3"]);
    expect(cluster, command);
}
