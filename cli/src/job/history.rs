//! `job -history [all] DIR`: the report of the job whose output is in a directory (Hadoop 1.2.1: HistoryViewer).

use job_history::{JobHistory, Zone, report};
use storage::Path;

use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::session::Session;

/// Where a job leaves its history below its output.
const HISTORY: [&str; 2] = ["_logs", "history"];
/// A history file of a hundred thousand attempts is some 100 MiB long.
const HISTORY_BYTES_MAX: u64 = 1 << 30;
/// What an exception that nobody catches ends a Java program with.
const UNCAUGHT: Exit = 1;

/// Prints the report; with `all` also what succeeded, and every attempt.
pub(super) fn run(session: &Session, dir: &str, all: bool, console: &mut Console<'_>) -> Result<Exit, CliError> {
    match read(session, dir) {
        Ok(job) => {
            let text = report(&job, all, Zone::Local);
            console.out(text.strip_suffix('\n').unwrap_or(&text));
            Ok(0)
        }
        Err(cause) => {
            let error = CliError::io("Not able to initialize History viewer");
            console.err(format_args!("Exception in thread \"main\" {error}"));
            console.err(format_args!("Caused by: {cause}"));
            Ok(UNCAUGHT)
        }
    }
}

/// The history of the job that wrote the directory: the first file that is no configuration.
fn read(session: &Session, dir: &str) -> Result<JobHistory, CliError> {
    let output = Path::parse(dir)?;
    let history = output.child(HISTORY[0]).child(HISTORY[1]);
    let files = session.storage.for_path(&output)?;
    if !files.exists(&output)? {
        return Err(CliError::io(format!("History directory {history}does not exist")));
    }
    let listed = if files.exists(&history)? { files.list(&history)? } else { Vec::new() };
    let file = listed.into_iter().map(|status| status.path).find(|path| !path.name().ends_with(".xml"));
    let file = file.ok_or_else(|| CliError::io(format!("Not a valid history directory {history}")))?;
    let bytes = files.read_to_vec(&file, HISTORY_BYTES_MAX)?;
    JobHistory::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| CliError::io(format!("{file}: {error}")))
}
