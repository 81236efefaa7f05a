//! luigi, which runs jobs when their input is there.

use std::path::Path;
use std::process::Command;

use howdah_tests::harness::{Cluster, Make, Run, downloads, same_text};

use super::{below, cluster, expect, on_our_cluster};

#[test]
#[ignore = "luigi comes from PyPI; bin/check --full runs it"]
fn luigi_runs_a_job_and_finds_its_page() {
    let (work, proof) = ("a streaming job as a task; the job's page opened", "Hadoop 1.2.1's daemons");
    on_our_cluster("luigi 3.8.1", work, proof, |ours| {
        let hadoop = cluster(ours.install(), Make::Hadoop);
        words(&hadoop);
        let run = words(ours);
        same_text(&hadoop.dir().join("counts"), &ours.dir().join("counts"));
        let page = run.stdout.lines().find(|line| line.starts_with("tracking: http://")).map(str::to_owned);
        let page = page.unwrap_or_else(|| panic!("luigi found no page: {run:#?}"));
        assert!(page.contains(&format!(":{}/jobdetails.jsp?jobid=job_", ours.http_port)), "{page}");
        assert!(page.ends_with(" 200"), "{page}");
    });
}

fn words(cluster: &Cluster) -> Run {
    let environment = downloads::python(cluster.install(), "luigi", &["luigi==3.8.1"]);
    std::fs::write(cluster.dir().join("text"), "b a b a c\nd a e\n").expect("a text");
    let settings = cluster.dir().join("luigi.cfg");
    let hadoop = cluster.install().script("hadoop");
    std::fs::write(&settings, format!("[hadoop]\ncommand = {}\nversion = apache1\n", hadoop.display()))
        .expect("luigi's settings");
    let mut command = Command::new(environment.join("bin/python"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("python/words_by_luigi.py"));
    command.arg(cluster.install().jar("hadoop-streaming").expect("streaming's jar"));
    command.args([below(cluster, "text"), below(cluster, "counts")]);
    command.env("LUIGI_CONFIG_PATH", &settings).env("HADOOP_CONF_DIR", cluster.client_conf());
    expect(cluster, command)
}
