//! Job history as text: records, their escaping, counters within them, and the names of the files (Hadoop 1.2.1:
//! mapred.JobHistory, mapred.Counters.makeEscapedCompactString). Which records a job writes, and when, is the
//! JobTracker's.

mod counters;
mod file_name;
mod record;

pub use counters::{CountersTextError, counters_from_text, counters_to_text};
pub use file_name::{HistoryFileName, encode_file_name, job_file_name, parse_job_file_name, url_encode};
pub use record::{Key, ParseError, Record, RecordType, escape, parse, unescape};
