//! What an earlier JobTracker left in the system directory: its journals, and jobs of which there is none, as Hadoop's
//! own JobTracker leaves them (Hadoop 1.2.1: JobTracker.RecoveryManager).

use std::io;
use std::path::Path;

use jobtracker_core::{ClusterRecord, JobChange, JobRecord};
use types::JobId;

use super::log_file::LogFile;
use super::messages::{Entry, FORMAT, Kind};
use super::{JOURNAL, TokenState, codec};

const JOB_INFO: &str = "job-info";
const JOB_TOKEN: &str = "jobToken";

/// What was found.
#[derive(Default)]
pub(crate) struct Found {
    /// What all jobs shared.
    pub(crate) cluster: Vec<ClusterRecord>,
    /// Secret keys and tokens; none if there was no journal.
    pub(crate) tokens: Option<TokenState>,
    /// Jobs that can go on, in the order of their ids.
    pub(crate) jobs: Vec<FoundJob>,
    /// Jobs without a journal, to be submitted again.
    pub(crate) unjournaled: Vec<JobId>,
}

/// A job that can go on.
pub(crate) struct FoundJob {
    pub(crate) job: JobId,
    pub(crate) records: Vec<JobRecord>,
    /// Whether what follows its end was done.
    pub(crate) closed: bool,
    /// Whether whoever wanted to know of its end was told.
    pub(crate) notified: bool,
    pub(crate) log: JobLog,
}

/// A job's journal, to be gone on with.
pub(crate) struct JobLog(pub(super) LogFile);

impl Found {
    /// Reads everything. A journal of another format, or one with which Hadoop's JobTracker has run since, is set aside,
    /// and its jobs are submitted again, as Hadoop does.
    pub(crate) fn read(root: &Path, restarts: Option<i32>) -> io::Result<Found> {
        let mut found = Found::default();
        let trusted = found.read_cluster(root, restarts)?;
        let mut names: Vec<(JobId, std::path::PathBuf)> = Vec::new();
        for entry in std::fs::read_dir(root)? {
            let entry = entry?;
            if let Ok(job) = entry.file_name().to_string_lossy().parse::<JobId>() {
                names.push((job, entry.path()));
            }
        }
        names.sort();
        for (job, directory) in names {
            found.read_job(job, &directory, trusted)?;
        }
        Ok(found)
    }

    /// Reads the journal of what all jobs shared; whether it is of the last JobTracker that ran here.
    fn read_cluster(&mut self, root: &Path, restarts: Option<i32>) -> io::Result<bool> {
        let path = root.join(JOURNAL);
        let Some((_, entries)) = LogFile::read(&path)? else { return Ok(false) };
        // The journal's count is written before the directory's, so that it may be ahead by one.
        let ours =
            header_restarts(&entries).zip(restarts).is_some_and(|(ours, theirs)| ours == theirs || ours == theirs + 1);
        if !ours {
            set_whole_aside(&path)?;
            return Ok(false);
        }
        let mut tokens = TokenState::default();
        for kind in entries.into_iter().filter_map(|entry| entry.kind) {
            match kind {
                Kind::TokenKeys(keys) => {
                    (tokens.job_token_key, tokens.key) = (keys.job_tokens, keys.delegation_tokens);
                    tokens.last_number = keys.last_number;
                }
                Kind::Token(token) => {
                    tokens.last_number = tokens.last_number.max(token.number);
                    tokens.expiry.insert(token.number, token.expiry);
                }
                Kind::TokenGone(number) => {
                    tokens.expiry.remove(&number);
                }
                kind => self.cluster.extend(codec::kind_to_cluster(kind)),
            }
        }
        self.tokens = Some(tokens);
        Ok(true)
    }

    fn read_job(&mut self, job: JobId, directory: &Path, trusted: bool) -> io::Result<()> {
        let path = directory.join(JOURNAL);
        if let Some((log, entries)) = LogFile::read(&path)? {
            let found = if trusted { found_job(&job, log, entries) } else { None };
            match found {
                Some(found) => {
                    self.jobs.push(found);
                    return Ok(());
                }
                None => set_whole_aside(&path)?,
            }
        }
        if directory.join(JOB_INFO).exists() && directory.join(JOB_TOKEN).exists() {
            self.unjournaled.push(job);
        } else {
            tracing::warn!(%job, directory = %directory.display(), "not enough is left of the job to recover it");
        }
        Ok(())
    }
}

fn found_job(job: &JobId, log: LogFile, entries: Vec<Entry>) -> Option<FoundJob> {
    header_restarts(&entries)?;
    let (mut closed, mut notified, mut records) = (false, false, Vec::with_capacity(entries.len()));
    for Entry { at, kind } in entries {
        match kind {
            Some(Kind::Closed(_)) => closed = true,
            Some(Kind::Notified(_)) => notified = true,
            Some(kind) => {
                if let Some(change) = codec::kind_to_change(job, kind) {
                    records.push(JobRecord { job: job.clone(), at, change });
                }
            }
            None => {}
        }
    }
    let begins = matches!(records.first(), Some(JobRecord { change: JobChange::Submitted(_), .. }));
    begins.then(|| FoundJob { job: job.clone(), records, closed, notified, log: JobLog(log) })
}

/// The restart count of a journal of our format.
fn header_restarts(entries: &[Entry]) -> Option<i32> {
    match entries.first()?.kind.as_ref()? {
        Kind::Header(header) if header.format == FORMAT => Some(header.restarts),
        _ => None,
    }
}

fn set_whole_aside(path: &Path) -> io::Result<()> {
    let aside = path.with_extension("aside");
    std::fs::rename(path, &aside)?;
    tracing::warn!(
        journal = %path.display(),
        set_aside = %aside.display(),
        "the journal is not of the last JobTracker that ran here, or of another version; jobs are submitted again"
    );
    Ok(())
}
