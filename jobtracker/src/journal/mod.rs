//! The journal: what a restart must know, on disk before anybody is answered. `<mapred.system.dir>/journal` has what all
//! jobs share and is written anew when it has grown; `<mapred.system.dir>/<job id>/journal` has what happened to a job,
//! from its submission until it leaves memory.
//!
//! A submission is synced to the disk before its answer. All else is handed to the system before its answer and synced
//! within a tenth of a second: the end of this process loses nothing, the end of the machine at most that.

mod codec;
mod frame;
mod log_file;
mod messages;
mod recovery;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use jobtracker_core::{ClusterRecord, JobChange, Record, Submission};
use tokio::sync::Notify;
use types::{JobId, Millis};

use crate::directory_lock::Fence;
use daemon_shell::wall_millis;
use log_file::LogFile;
use messages::{Entry, FORMAT, Header, Kind};

pub(crate) use recovery::{Found, FoundJob};

/// The name of every journal.
pub(crate) const JOURNAL: &str = "journal";
const NEW: &str = "journal.new";
/// How long what was written may wait to be synced.
const SYNC_AFTER: Duration = Duration::from_millis(100);
/// How long to wait for room on a disk.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// The journal of what all jobs share is written anew when it is longer, and four times what it was when it was new.
const ROTATE_ABOVE: u64 = 1 << 20;

/// Secret keys and delegation tokens, as they are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TokenState {
    /// The key of job tokens.
    pub(crate) job_token_key: Vec<u8>,
    /// The key of delegation tokens.
    pub(crate) key: Vec<u8>,
    /// The number of the last token.
    pub(crate) last_number: i32,
    /// When each token expires, by its number.
    pub(crate) expiry: BTreeMap<i32, Millis>,
}

/// The journal.
pub(crate) struct Journal {
    root: PathBuf,
    /// The system directory's restart count, once it is known.
    restarts: AtomicI32,
    /// Tells whether the directory is still ours.
    fence: OnceLock<Fence>,
    open: Mutex<Open>,
    work: Notify,
}

#[derive(Default)]
struct Open {
    cluster: Option<LogFile>,
    /// The length of the cluster's journal when it was new.
    cluster_base: u64,
    jobs: HashMap<JobId, LogFile>,
    unsynced: Vec<Arc<File>>,
    /// What is wrong with the disk, while something is.
    trouble: Option<String>,
}

impl Journal {
    /// The journal below a system directory, which is not touched yet.
    pub(crate) fn new(root: PathBuf) -> Journal {
        let (restarts, fence) = (AtomicI32::new(0), OnceLock::new());
        Journal { root, restarts, fence, open: Mutex::default(), work: Notify::new() }
    }

    /// Jobs are only taken while that fence holds.
    pub(crate) fn fence_by(&self, fence: Fence) {
        // A process takes its directory once.
        let _ = self.fence.set(fence);
    }

    /// Whether the directory is still ours.
    pub(crate) fn is_ours(&self) -> bool {
        self.fence.get().is_none_or(Fence::holds)
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn header(&self) -> Entry {
        entry(wall_millis(), Kind::Header(Header { format: FORMAT, restarts: self.restarts.load(Ordering::Relaxed) }))
    }

    fn job_path(&self, job: &JobId) -> PathBuf {
        self.root.join(job.to_string()).join(JOURNAL)
    }

    /// Begins the journal of what all jobs share, in place of the one that is there. `restarts` is the directory's restart
    /// count.
    pub(crate) fn begin(&self, restarts: i32, records: Vec<ClusterRecord>, tokens: &TokenState) -> io::Result<()> {
        self.restarts.store(restarts, Ordering::Relaxed);
        self.begin_anew(records, tokens)
    }

    /// Begins the journal of what all jobs share anew, if it has grown.
    pub(crate) fn shrink(&self, records: impl FnOnce() -> Vec<ClusterRecord>, tokens: &TokenState) {
        if self.has_grown()
            && let Err(error) = self.begin_anew(records(), tokens)
        {
            tracing::warn!(%error, "the journal cannot be written anew, and grows");
        }
    }

    fn begin_anew(&self, records: Vec<ClusterRecord>, tokens: &TokenState) -> io::Result<()> {
        let (new, path) = (self.root.join(NEW), self.root.join(JOURNAL));
        let mut entries = vec![self.header()];
        let now = wall_millis();
        entries.extend(token_entries(now, tokens));
        entries.extend(records.iter().map(|record| entry(now, codec::cluster_to_kind(record))));
        let mut open = self.lock();
        let mut file = LogFile::create(&new)?;
        file.append(&entries)?;
        file.file().sync_data()?;
        std::fs::rename(&new, &path)?;
        sync_directory(&self.root)?;
        file.renamed(&path);
        open.cluster_base = file.length();
        open.cluster = Some(file);
        Ok(())
    }

    /// Whether [`Journal::shrink`] is worth while.
    pub(crate) fn has_grown(&self) -> bool {
        let open = self.lock();
        let length = open.cluster.as_ref().map_or(0, LogFile::length);
        open.trouble.is_none() && length > ROTATE_ABOVE && length > 4 * open.cluster_base
    }

    /// Begins a job's journal; the submission is on the disk when this returns. Blocks.
    pub(crate) fn begin_job(&self, submission: &Submission) -> io::Result<()> {
        if let Some(trouble) = self.lock().trouble.clone() {
            return Err(io::Error::other(trouble));
        }
        if !self.is_ours() {
            return Err(io::Error::other("another JobTracker has taken over the system directory"));
        }
        let path = self.job_path(&submission.job);
        let mut file = LogFile::create(&path)?;
        let submitted = JobChange::Submitted(Box::new(submission.clone()));
        file.append(&[self.header(), entry(wall_millis(), codec::change_to_kind(&submitted))])?;
        file.file().sync_data()?;
        sync_directory(path.parent().unwrap_or(&self.root))?;
        self.lock().jobs.insert(submission.job.clone(), file);
        Ok(())
    }

    /// Goes on with the journals of jobs that were found.
    pub(crate) fn go_on_with(&self, job: JobId, found: recovery::JobLog) {
        self.lock().jobs.insert(job, found.0);
    }

    /// Hands records to the system. What cannot be written waits for room.
    pub(crate) fn keep(&self, records: Vec<Record>) {
        if records.is_empty() {
            return;
        }
        let mut open = self.lock();
        let (mut cluster, mut jobs): (Vec<Entry>, BTreeMap<JobId, Vec<Entry>>) = Default::default();
        let now = wall_millis();
        for record in records {
            match record {
                Record::Cluster(record) => cluster.push(entry(now, codec::cluster_to_kind(&record))),
                Record::Job(record) => {
                    jobs.entry(record.job).or_default().push(entry(record.at, codec::change_to_kind(&record.change)));
                }
            }
        }
        if !cluster.is_empty() {
            open.append_to_cluster(&cluster);
        }
        for (job, entries) in jobs {
            open.append_to_job(&job, &entries);
        }
        drop(open);
        self.work.notify_one();
    }

    /// What follows a job's end was done.
    pub(crate) fn close_job(&self, job: &JobId) {
        self.mark(job, Kind::Closed(true));
    }

    /// Whoever wanted to know of a job's end needs to be told no more.
    pub(crate) fn job_notified(&self, job: &JobId) {
        self.mark(job, Kind::Notified(true));
    }

    fn mark(&self, job: &JobId, kind: Kind) {
        self.lock().append_to_job(job, &[entry(wall_millis(), kind)]);
        self.work.notify_one();
    }

    /// A job has left memory, or was never taken.
    pub(crate) fn forget_job(&self, job: &JobId) {
        self.lock().jobs.remove(job);
    }

    /// A token was issued or renewed.
    pub(crate) fn keep_token(&self, number: i32, expiry: Millis) {
        self.keep_of_tokens(Kind::Token(messages::Token { number, expiry }));
    }

    /// A token is gone.
    pub(crate) fn drop_token(&self, number: i32) {
        self.keep_of_tokens(Kind::TokenGone(number));
    }

    fn keep_of_tokens(&self, kind: Kind) {
        self.lock().append_to_cluster(&[entry(wall_millis(), kind)]);
        self.work.notify_one();
    }

    /// Why nothing new may be taken, if so: what is kept cannot be written.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// Syncs what is written, and writes what waits, for ever.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            if self.trouble().is_some() {
                tokio::time::sleep(RETRY_AFTER).await;
            } else {
                self.work.notified().await;
                tokio::time::sleep(SYNC_AFTER).await;
            }
            let journal = self.clone();
            if tokio::task::spawn_blocking(move || journal.sync()).await.is_err() {
                return;
            }
        }
    }

    fn sync(&self) {
        let files = {
            let mut open = self.lock();
            open.retry();
            std::mem::take(&mut open.unsynced)
        };
        for file in files {
            if let Err(error) = file.sync_data() {
                self.lock().note(Err(error));
            }
        }
    }
}

impl Open {
    fn append_to_cluster(&mut self, entries: &[Entry]) {
        let Some(file) = &mut self.cluster else { return };
        let (done, file) = (file.append(entries), file.file());
        self.after(done, file);
    }

    fn append_to_job(&mut self, job: &JobId, entries: &[Entry]) {
        let Some(file) = self.jobs.get_mut(job) else { return };
        let (done, file) = (file.append(entries), file.file());
        self.after(done, file);
    }

    fn after(&mut self, done: io::Result<()>, file: Arc<File>) {
        self.note(done);
        if !self.unsynced.iter().any(|known| Arc::ptr_eq(known, &file)) {
            self.unsynced.push(file);
        }
    }

    /// Notes whether something could be written.
    fn note(&mut self, done: io::Result<()>) {
        if let Err(error) = done {
            if self.trouble.is_none() {
                tracing::error!(%error, "the journal cannot be written: no job is taken until it can, running jobs go on");
            }
            self.trouble = Some(format!("the JobTracker's journal cannot be written: {error}"));
        }
    }

    /// Tries again what could not be written.
    fn retry(&mut self) {
        if self.trouble.is_none() {
            return;
        }
        for file in self.cluster.iter_mut().chain(self.jobs.values_mut()) {
            if let Err(error) = file.write_waiting() {
                self.trouble = Some(format!("the JobTracker's journal cannot be written: {error}"));
                return;
            }
        }
        tracing::info!("the journal can be written again");
        self.trouble = None;
    }
}

fn entry(at: Millis, kind: Kind) -> Entry {
    Entry { at, kind: Some(kind) }
}

fn token_entries(now: Millis, tokens: &TokenState) -> Vec<Entry> {
    let keys = messages::TokenKeys {
        job_tokens: tokens.job_token_key.clone(),
        delegation_tokens: tokens.key.clone(),
        last_number: tokens.last_number,
    };
    let alive = tokens
        .expiry
        .iter()
        .map(|(number, expiry)| entry(now, Kind::Token(messages::Token { number: *number, expiry: *expiry })));
    std::iter::once(entry(now, Kind::TokenKeys(keys))).chain(alive).collect()
}

fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests;
