//! The report beside the one that Hadoop 1.2.1 printed of the same files, in UTC (`tests/vectors/history`).

use std::fs;
use std::path::Path;

use job_history::{JobHistory, Zone, report};

fn vector(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// 1.2.1 takes the third to fifth word of the file's name for the job's, the first for the host's, and the second, a minute,
/// for milliseconds.
fn with_the_right_job(recorded: &str, wrong: &str, job: &str) -> String {
    let recorded = recorded.replace(wrong, job);
    let lines = recorded.lines().map(|line| match line.split_once(": ") {
        Some(("Job tracker host name", _)) => "Job tracker host name: n/a".to_owned(),
        Some(("job tracker start time", _)) => "job tracker start time: Mon Nov 30 21:30:00 2026".to_owned(),
        _ => line.to_owned(),
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn reports_are_hadoops() {
    for (file, recorded, wrong, job, all) in [
        (
            "files/history-job_202611302130_0001_1796074274561_root_word+count",
            "history/word-count-all.txt",
            "0001_1796074274561_root",
            "job_202611302130_0001",
            true,
        ),
        (
            "files/history-job_202611302130_0002_1796074392181_root_Sleep+job",
            "history/killed.txt",
            "0002_1796074392181_root",
            "job_202611302130_0002",
            false,
        ),
    ] {
        let job_history = JobHistory::parse(&vector(file)).unwrap();
        let expected = with_the_right_job(&vector(recorded), wrong, job);
        assert_eq!(report(&job_history, all, Zone::Utc), expected, "{file}");
    }
}
