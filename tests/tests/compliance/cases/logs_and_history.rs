//! Where people look afterwards: user logs, their pages, the history, and who is told of a job's end.

use std::fs;
use std::path::PathBuf;

use types::{JobId, TaskKind};

use crate::bench::Bench;
use crate::case::Case;
use crate::files::{await_some, files_below, get};

const LOGS: &str = "logs";
const HISTORY: &str = "history";

pub(super) const CASES: &[Case] = &[
    Case::core(LOGS, "what a script says on standard error is in the user logs", |bench| {
        let id = bench.streamed().ran.id.clone();
        for task in 0..2 {
            let attempt = id.task(TaskKind::Map, task).attempt(0).to_string();
            let logs = bench.tracker_logs();
            let path =
                logs.iter().map(|dir| dir.join("userlogs").join(id.to_string()).join(&attempt)).find(|p| p.is_dir());
            let path = path.unwrap_or_else(|| panic!("no TaskTracker has logs of {attempt}"));
            let stderr = fs::read_to_string(path.join("stderr")).expect("stderr");
            assert!(stderr.contains("said-by-the-mapper\n"), "{stderr}");
            for name in ["stdout", "syslog", "log.index"] {
                assert!(path.join(name).is_file(), "{name} is not in {}", path.display());
            }
        }
    }),
    Case::core(LOGS, "the TaskTracker's page shows an attempt's log", |bench| {
        let job = bench.streamed().ran.job(bench);
        let attempt = job.attempt(TaskKind::Map, 0, 0);
        let event = job.events().into_iter().find(|event| event.attempt == attempt).expect("its event");
        let tracker = bench.cluster.tracker_at(event.tracker_http.as_deref().expect("its tracker"));
        let port = bench.cluster.tracker_ports[tracker];
        let page = get(port, &format!("/tasklog?attemptid={attempt}&plaintext=true&filter=stderr"));
        assert!(page.contains(" 200 ") && page.contains("said-by-the-mapper\n"), "{page}");
    }),
    Case::core(HISTORY, "a job's history is filed with its configuration", |bench| {
        let id = &bench.word_count().ran.id;
        let history = history(bench, id);
        assert!(history.contains("JOB_STATUS=\"SUCCESS\""), "{history}");
        for attempt in [id.task(TaskKind::Map, 2).attempt(0), id.task(TaskKind::Reduce, 1).attempt(0)] {
            assert!(history.contains(&format!("TASK_ATTEMPT_ID=\"{attempt}\"")), "{attempt}: {history}");
        }
        let conf = format!("{id}_conf.xml");
        let files = files_below(&bench.history_done());
        assert!(files.iter().any(|path| path.ends_with(&conf)), "{conf} is not in {files:?}");
    }),
    Case::core(HISTORY, "a failed job's history says so", |bench| {
        let id = &bench.failed().ran.id;
        let history = history(bench, id);
        assert!(history.contains("JOB_STATUS=\"FAILED\""), "{history}");
        assert!(history.contains("TASK_STATUS=\"FAILED\""), "{history}");
    }),
    Case::core(HISTORY, "a job's end is told where it asked for", |bench| {
        let scene = bench.word_count();
        let expected = format!("GET /ended?id={}&how=SUCCEEDED HTTP/1.1", scene.ran.id);
        assert_eq!(scene.notified.as_deref(), Some(expected.as_str()));
    }),
];

/// A job's history once it is filed, without what escapes the delimiters of records.
pub(super) fn history(bench: &Bench, id: &JobId) -> String {
    let start = format!("{id}_");
    let is_history = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(&start) && !name.ends_with(".xml") && !name.ends_with(".crc")
    };
    let path = await_some(&format!("the history of {id} is filed"), || {
        files_below(&bench.history_done()).into_iter().find(is_history)
    });
    fs::read_to_string(path).expect("the history").replace('\\', "")
}
