//! A record of job history: `Type KEY="value" KEY="value" .` and a newline. Values may span lines; a record ends at a
//! line that ends in a dot which is not escaped.

use std::fmt;

/// The line with which every history file of 1.2.1 begins.
const META_VERSION: &str = "1";

/// Defines an enum whose values are written by name.
macro_rules! names {
    ($(#[$meta:meta])* $enum:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names are Hadoop's and say what there is to say")]
        pub enum $enum { $($variant,)* }

        impl $enum {
            /// How it is written.
            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => $text,)* }
            }

            /// The value of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some($enum::$variant),)* _ => None }
            }
        }
    };
}

names! {
    /// What a record is about (Hadoop 1.2.1: JobHistory.RecordTypes).
    RecordType {
        JobTracker = "Jobtracker",
        Job = "Job",
        Task = "Task",
        MapAttempt = "MapAttempt",
        ReduceAttempt = "ReduceAttempt",
        Meta = "Meta",
    }
}

names! {
    /// The keys of records (Hadoop 1.2.1: JobHistory.Keys).
    Key {
        JobTrackerId = "JOBTRACKERID",
        StartTime = "START_TIME",
        FinishTime = "FINISH_TIME",
        JobId = "JOBID",
        JobName = "JOBNAME",
        User = "USER",
        JobConf = "JOBCONF",
        SubmitTime = "SUBMIT_TIME",
        LaunchTime = "LAUNCH_TIME",
        TotalMaps = "TOTAL_MAPS",
        TotalReduces = "TOTAL_REDUCES",
        FailedMaps = "FAILED_MAPS",
        FailedReduces = "FAILED_REDUCES",
        FinishedMaps = "FINISHED_MAPS",
        FinishedReduces = "FINISHED_REDUCES",
        JobStatus = "JOB_STATUS",
        TaskId = "TASKID",
        Hostname = "HOSTNAME",
        TaskType = "TASK_TYPE",
        Error = "ERROR",
        TaskAttemptId = "TASK_ATTEMPT_ID",
        TaskStatus = "TASK_STATUS",
        CopyPhase = "COPY_PHASE",
        SortPhase = "SORT_PHASE",
        ReducePhase = "REDUCE_PHASE",
        ShuffleFinished = "SHUFFLE_FINISHED",
        SortFinished = "SORT_FINISHED",
        Counters = "COUNTERS",
        Splits = "SPLITS",
        JobPriority = "JOB_PRIORITY",
        HttpPort = "HTTP_PORT",
        TrackerName = "TRACKER_NAME",
        StateString = "STATE_STRING",
        Version = "VERSION",
        MapCounters = "MAP_COUNTERS",
        ReduceCounters = "REDUCE_COUNTERS",
        ViewJob = "VIEW_JOB",
        ModifyJob = "MODIFY_JOB",
        JobQueue = "JOB_QUEUE",
        FailReason = "FAIL_REASON",
        Locality = "LOCALITY",
        Avataar = "AVATAAR",
        WorkflowId = "WORKFLOW_ID",
        WorkflowName = "WORKFLOW_NAME",
        WorkflowNodeName = "WORKFLOW_NODE_NAME",
        WorkflowAdjacencies = "WORKFLOW_ADJACENCIES",
        WorkflowTags = "WORKFLOW_TAGS",
    }
}

/// A record of job history. Values are held as they were before escaping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What it is about.
    pub kind: RecordType,
    /// Keys and values, in the order in which they are written.
    pub values: Vec<(Key, String)>,
}

impl Record {
    /// A record without values.
    pub fn new(kind: RecordType) -> Self {
        Record { kind, values: Vec::new() }
    }

    /// The first record of every file.
    pub fn meta() -> Self {
        Self::new(RecordType::Meta).with(Key::Version, META_VERSION)
    }

    /// The record with one more value at its end.
    pub fn with(mut self, key: Key, value: impl ToString) -> Self {
        self.values.push((key, value.to_string()));
        self
    }

    /// The value of a key.
    pub fn get(&self, key: Key) -> Option<&str> {
        self.values.iter().find(|(k, _)| *k == key).map(|(_, value)| value.as_str())
    }
}

/// The record's line, or lines, with the newline at the end.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.kind.name())?;
        for (key, value) in &self.values {
            write!(f, "{}=\"{}\" ", key.name(), escape(value))?;
        }
        f.write_str(".\n")
    }
}

/// A backslash before each backslash, quote, equals sign and dot (Hadoop 1.2.1: JobHistory.escapeString).
pub fn escape(text: &str) -> String {
    escape_chars(text, &['"', '=', '.'])
}

/// Undoes [`escape`].
pub fn unescape(text: &str) -> String {
    unescape_chars(text)
}

pub(super) fn escape_chars(text: &str, chars: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\\' || chars.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

pub(super) fn unescape_chars(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}

/// Why a text is no history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("history line {line}: {problem}")]
pub struct ParseError {
    /// The line on which the record begins, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

/// Reads all records of a history file. A record that the end of the text cuts off is left out, since a JobTracker may
/// have died over it.
pub fn parse(text: &str) -> Result<Vec<Record>, ParseError> {
    let mut records = Vec::new();
    let mut begin = 0;
    let mut begin_line = 1;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if ends_record(line) {
            let record = text[begin..at].trim_end();
            records.push(parse_record(record).map_err(|problem| ParseError { line: begin_line, problem })?);
            begin = at;
            begin_line = number + 2;
        }
    }
    Ok(records)
}

fn ends_record(line: &str) -> bool {
    let line = line.trim();
    line.ends_with('.') && !line.ends_with("\\.")
}

fn parse_record(text: &str) -> Result<Record, String> {
    let (kind, mut rest) = text.split_once(' ').ok_or_else(|| format!("{text:?} has no type and values"))?;
    let kind = RecordType::from_name(kind).ok_or_else(|| format!("{kind:?} is no record type"))?;
    let mut record = Record::new(kind);
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || rest == "." {
            return Ok(record);
        }
        let (key, value) = rest.split_once("=\"").ok_or_else(|| format!("{rest:?} is no KEY=\"value\""))?;
        let key = Key::from_name(key).ok_or_else(|| format!("{key:?} is no key"))?;
        let end = closing_quote(value).ok_or_else(|| format!("the value of {} has no end", key.name()))?;
        record.values.push((key, unescape(&value[..end])));
        rest = &value[end + 1..];
    }
}

/// The place of the first quote that is not escaped.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_several_lines_and_with_quotes_round_trip() {
        let record = Record::new(RecordType::Task)
            .with(Key::TaskId, "task_1_0001_m_000000")
            .with(Key::Error, "a.b=\"c\"\nends in a dot.\n\tat \\ x .\n")
            .with(Key::FinishTime, 7);
        let text = format!("{}{}", Record::meta(), record);
        assert_eq!(parse(&text).unwrap(), [Record::meta(), record]);
    }

    #[test]
    fn a_cut_record_is_left_out_and_a_broken_one_is_named() {
        assert_eq!(parse("Meta VERSION=\"1\" .\nJob JOBID=\"job").unwrap(), [Record::meta()]);
        let error = parse("Meta VERSION=\"1\" .\nJob NOSUCH=\"x\" .\n").unwrap_err();
        assert_eq!((error.line, error.problem.as_str()), (2, "\"NOSUCH\" is no key"));
        assert!(parse("Jib X=\"1\" .\n").is_err());
    }
}
