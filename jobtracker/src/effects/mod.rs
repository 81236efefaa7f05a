//! What the core wants done, done: each effect goes to the part of the shell that does it.

mod audit;
mod history_cleaner;
mod history_files;
mod history_records;
mod history_writer;
mod job_end_notifier;
mod preemption;
mod split_reader;
pub(crate) mod staging;
pub(crate) mod system_directory;

use std::sync::Arc;

use jobtracker_core::{Effect, HistoryRecord, JobEnded, Notification};
use types::{JobId, JobState};

pub(crate) use history_cleaner::HistoryAges;
pub(crate) use history_writer::{HistorySettings, HistoryWriter, conf_name};
pub(crate) use split_reader::chain;

use crate::recovery::AfterEnd;
use crate::state::Shared;

/// Does effects in the order in which the core queued them.
pub(crate) struct Effects {
    shared: Arc<Shared>,
    history: HistoryWriter,
}

impl Effects {
    pub(crate) fn new(shared: Arc<Shared>, history: HistoryWriter) -> Effects {
        Effects { shared, history }
    }

    /// Starts one effect. Nothing here waits: the driver must not.
    pub(crate) fn start(&mut self, effect: Effect) {
        match effect {
            Effect::ReadSplits { job } => self.read_splits(job),
            Effect::History(record) => {
                log_event(&record);
                self.history.append(record, |job| self.shared.job_files(job));
            }
            Effect::JobEnded(ended) => self.end_job(*ended),
            Effect::JobRetired(job) => self.retire(job),
            Effect::Audit(record) => audit::log(&record),
            Effect::Preemption(preemption) => preemption::log(&preemption),
        }
    }

    fn read_splits(&self, job: JobId) {
        let shared = self.shared.clone();
        tokio::task::spawn_blocking(move || {
            let splits = split_reader::read(&shared, &job);
            if let Err(problem) = &splits {
                tracing::warn!(%job, problem, "cannot read the job's splits");
            }
            shared.core.tell(move |core, now| core.splits_read(now, &job, splits));
        });
    }

    /// A job is over: its history is closed, whoever wants to know is told, its files go.
    fn end_job(&mut self, ended: JobEnded) {
        audit::log_summary(&ended);
        self.shared.watchers.job_ended();
        self.shared.forget_job(&ended.job);
        self.history.end(ended.job.clone());
        if let Some(notification) = ended.notification {
            self.tell(ended.job.clone(), ended.state, notification);
        }
        let shared = self.shared.clone();
        tokio::task::spawn_blocking(move || {
            shared.system_directory.close_job(&ended.job);
            if let Some(directory) = ended.staging_dir {
                staging::remove(&shared.storage, &ended.job, &directory);
            }
            shared.journal.close_job(&ended.job);
        });
    }

    /// Tells whoever wants to know that a job is over, and notes when that is done.
    fn tell(&self, job: JobId, state: JobState, notification: Notification) {
        let journal = self.shared.journal.clone();
        tokio::spawn(async move {
            job_end_notifier::notify(job.clone(), state, notification).await;
            journal.job_notified(&job);
        });
    }

    /// A job has left memory.
    fn retire(&self, job: JobId) {
        let shared = self.shared.clone();
        tokio::task::spawn_blocking(move || {
            shared.journal.forget_job(&job);
            shared.system_directory.remove_job(&job);
        });
    }

    /// Starts an effect of a job from before a restart, unless it was done then.
    pub(crate) fn start_again(&mut self, effect: Effect, after: AfterEnd) {
        match effect {
            Effect::History(record) if !after.closed => {
                self.history.append(record, |job| self.shared.job_files(job));
            }
            Effect::History(_) => {}
            Effect::JobEnded(mut ended) => {
                ended.notification = ended.notification.filter(|_| !after.notified);
                match (after.closed, ended.notification.take()) {
                    (true, Some(notification)) => self.tell(ended.job, ended.state, notification),
                    (true, None) => {}
                    (false, notification) => self.end_job(JobEnded { notification, ..*ended }),
                }
            }
            other => self.start(other),
        }
    }
}

/// What of a job's life an operator wants to read; its end is told by its summary.
fn log_event(event: &HistoryRecord) {
    use HistoryRecord as H;
    match event {
        H::JobInited { job, maps, reduces, .. } => tracing::info!(%job, maps, reduces, "job initialised"),
        H::JobPriority { job, priority } => tracing::info!(%job, priority = priority.name(), "job has a priority"),
        H::JobStarted { job } => tracing::info!(%job, "job runs"),
        H::JobUnsuccessful { job, state, reason, .. } => {
            tracing::info!(%job, state = state.name(), reason = first_line(reason), "job did not succeed");
        }
        H::TaskFailed { task, error, .. } => {
            tracing::info!(job = %task.job, %task, error = first_line(error), "task failed");
        }
        H::AttemptUnsuccessful { attempt, killed, host, error, .. } => {
            let (end, error) = (if *killed { "killed" } else { "failed" }, first_line(error));
            tracing::info!(job = %attempt.job(), %attempt, host, error, "attempt {end}");
        }
        _ => (),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
