//! People edit the example and keep its name: such a class is theirs, and runs in Java.

use std::fs;
use std::path::Path;
use std::process::Command;

use howdah_tests::harness::{Cluster, ClusterOptions, Install, Make};

fn run_tool(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_edited_class_of_a_known_name_runs_in_java() {
    let install = Install::find().unwrap_or_else(|message| panic!("{message}"));
    let cluster = Cluster::start(&install, &ClusterOptions::of(Make::Howdah));
    let (dir, classes) = (cluster.dir(), cluster.dir().join("classes"));
    fs::create_dir_all(&classes).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/WordCount.java");
    let class_path = install.class_path(&cluster.client_conf());
    run_tool(Command::new("javac").arg("-cp").arg(class_path).arg("-d").arg(&classes).arg(source));
    let jar = dir.join("edited.jar");
    run_tool(Command::new("jar").arg("cf").arg(&jar).arg("-C").arg(&classes).arg("."));
    fs::write(dir.join("text"), "one two two\n").expect("a text");

    let run = cluster
        .java(
            "org.apache.hadoop.util.RunJar",
            &[&jar.display().to_string(), "org.apache.hadoop.examples.WordCount", "text", "out"],
        )
        .expect_success();
    assert_eq!(fs::read_to_string(dir.join("out/part-r-00000")).expect("the output"), "ONE\t1\nTWO\t2\n");
    assert!(!cluster.ran_natively(&run.job_ids()[0]), "the edited class ran in a native child");
}
