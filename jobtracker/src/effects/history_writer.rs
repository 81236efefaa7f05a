//! Writes job history on a thread of its own, so that a slow disk holds up nobody (Hadoop 1.2.1: JobHistory).

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use jobtracker_core::HistoryRecord;
use storage::{Path, Storage};
use types::JobId;
use wire::history::{Record, job_file_name};

use super::history_files::{HistoryPlaces, JobHistory};
use super::history_records::record_of;
use crate::state::JobFiles;
use daemon_shell::wall_millis;

pub(crate) use super::history_files::{HistorySettings, conf_name};

enum Message {
    Open { job: JobId, name: String, conf: Arc<Vec<u8>>, user_directory: Option<Path> },
    Append { job: JobId, record: Box<HistoryRecord> },
    End { job: JobId },
}

/// The way to the writing thread.
pub(crate) struct HistoryWriter {
    messages: Sender<Message>,
}

impl HistoryWriter {
    /// Starts the thread, which ends when the writer is dropped and all is written.
    pub(crate) fn start(storage: Storage, settings: HistorySettings) -> std::io::Result<HistoryWriter> {
        let (messages, receiver) = channel();
        let mut places = HistoryPlaces::new(storage, settings);
        std::thread::Builder::new().name("history".to_owned()).spawn(move || write(&mut places, &receiver))?;
        Ok(HistoryWriter { messages })
    }

    /// Appends a record; a job's first opens its files.
    pub(crate) fn append(&mut self, record: HistoryRecord, files: impl FnOnce(&JobId) -> Option<JobFiles>) {
        if let HistoryRecord::JobSubmitted { submit_time, submission, .. } = &record {
            let files = files(&submission.job);
            self.send(Message::Open {
                job: submission.job.clone(),
                name: job_file_name(&submission.job, *submit_time, &submission.caller.user, &submission.name),
                conf: files.as_ref().map(|files| files.conf.clone()).unwrap_or_default(),
                user_directory: files.and_then(|files| files.user_history),
            });
        }
        self.send(Message::Append { job: record.job().clone(), record: Box::new(record) });
    }

    /// Closes a job's files.
    pub(crate) fn end(&mut self, job: JobId) {
        self.send(Message::End { job });
    }

    fn send(&self, message: Message) {
        if self.messages.send(message).is_err() {
            tracing::error!("the thread that writes job history has ended");
        }
    }
}

/// Writes until nobody can send any more. What was written is flushed whenever there is nothing else to do.
fn write(places: &mut HistoryPlaces, messages: &Receiver<Message>) {
    let mut open: HashMap<JobId, JobHistory> = HashMap::new();
    let mut unflushed = Vec::new();
    loop {
        let message = match messages.try_recv() {
            Ok(message) => message,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                for job in unflushed.drain(..) {
                    open.get_mut(&job).into_iter().for_each(JobHistory::flush);
                }
                match messages.recv() {
                    Ok(message) => message,
                    Err(_) => break,
                }
            }
        };
        match message {
            Message::Open { job, name, conf, user_directory } => {
                let mut history = places.open(&job, &name, &conf, user_directory.as_ref());
                history.append(&Record::meta().to_string());
                open.insert(job, history);
            }
            Message::Append { job, record } => {
                if let Some(history) = open.get_mut(&job) {
                    history.append(&record_of(&record).to_string());
                    if unflushed.last() != Some(&job) {
                        unflushed.push(job);
                    }
                }
            }
            Message::End { job } => {
                if let Some(history) = open.remove(&job) {
                    places.end(history, wall_millis());
                }
            }
        }
    }
}
