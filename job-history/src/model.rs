//! Records put together by what they are about: later values replace earlier ones (Hadoop 1.2.1:
//! DefaultJobHistoryParser, JobHistory.KeyValuePair).

use std::collections::BTreeMap;

use types::Millis;
use wire::history::{Key, ParseError, Record, RecordType};

/// What was written of a job, a task or an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Values(BTreeMap<Key, String>);

impl Values {
    /// A value; empty where it was never written.
    pub fn get(&self, key: Key) -> &str {
        self.0.get(&key).map(String::as_str).unwrap_or_default()
    }

    /// A number or a time; 0 where it was never written or is no number.
    pub fn number(&self, key: Key) -> Millis {
        self.get(key).parse().unwrap_or(0)
    }

    fn take(&mut self, record: Record) {
        self.0.extend(record.values);
    }
}

/// An attempt.
pub type AttemptHistory = Values;

/// A task and its attempts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskHistory {
    /// What was written of the task itself.
    pub values: Values,
    /// Its attempts by name.
    pub attempts: BTreeMap<String, AttemptHistory>,
}

impl TaskHistory {
    /// `SETUP`, `MAP`, `REDUCE` or `CLEANUP`.
    pub fn kind(&self) -> &str {
        self.values.get(Key::TaskType)
    }
}

/// A job and its tasks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobHistory {
    /// What was written of the job itself.
    pub values: Values,
    /// Its tasks by name.
    pub tasks: BTreeMap<String, TaskHistory>,
}

impl JobHistory {
    /// Reads a history file's text.
    ///
    /// # Errors
    /// If a record is no record. One that the end of the text cuts off is left out.
    pub fn parse(text: &str) -> Result<JobHistory, ParseError> {
        let mut job = JobHistory::default();
        for record in wire::history::parse(text)? {
            job.take(record);
        }
        Ok(job)
    }

    fn take(&mut self, record: Record) {
        match record.kind {
            RecordType::Job => self.values.take(record),
            RecordType::Task => self.task(&record).values.take(record),
            RecordType::MapAttempt | RecordType::ReduceAttempt => {
                let attempt = record.get(Key::TaskAttemptId).unwrap_or_default().to_owned();
                self.task(&record).attempts.entry(attempt).or_default().take(record);
            }
            RecordType::Meta | RecordType::JobTracker => (),
        }
    }

    fn task(&mut self, record: &Record) -> &mut TaskHistory {
        self.tasks.entry(record.get(Key::TaskId).unwrap_or_default().to_owned()).or_default()
    }

    /// The job's name, such as `job_202611302130_0001`.
    pub fn id(&self) -> &str {
        self.values.get(Key::JobId)
    }

    /// Whether it ended as it should.
    pub fn succeeded(&self) -> bool {
        self.values.get(Key::JobStatus) == "SUCCESS"
    }

    /// All attempts with their tasks.
    pub fn attempts(&self) -> impl Iterator<Item = (&TaskHistory, &AttemptHistory)> {
        self.tasks.values().flat_map(|task| task.attempts.values().map(move |attempt| (task, attempt)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_values_replace_earlier_ones_and_a_cut_record_is_left_out() {
        let text = "Meta VERSION=\"1\" .\nJob JOBID=\"job_1_0001\" JOB_PRIORITY=\"NORMAL\" .\n\
                    Job JOBID=\"job_1_0001\" JOB_PRIORITY=\"HIGH\" .\n\
                    Task TASKID=\"task_1_0001_m_000000\" TASK_TYPE=\"MAP\" START_TIME=\"5\" .\n\
                    MapAttempt TASKID=\"task_1_0001_m_000000\" TASK_ATTEMPT_ID=\"attempt_1_0001_m_000000_0\" .\n\
                    Job JOBID=\"job_1_0001\" JOB_PRIORITY=\"LO";
        let job = JobHistory::parse(text).unwrap();
        assert_eq!((job.id(), job.values.get(Key::JobPriority), job.succeeded()), ("job_1_0001", "HIGH", false));
        let task = &job.tasks["task_1_0001_m_000000"];
        assert_eq!(
            (task.kind(), task.values.number(Key::StartTime), task.values.number(Key::FinishTime)),
            ("MAP", 5, 0)
        );
        assert_eq!(task.attempts.len(), 1);
    }
}
