//! The small files of the system directory: `job-info` (Hadoop 1.2.1: mapred.JobInfo) and `jobtracker.info` (Hadoop
//! 1.2.1: JobTracker.RecoveryManager).

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::JobId;

use crate::Writable;

/// What a restarted JobTracker must know of a submitted job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobInfo {
    /// Which job.
    pub job: JobId,
    /// Who submitted it.
    pub user: String,
    /// Its staging directory. `None` is Java's null string.
    pub submit_dir: Option<String>,
}

impl Writable for JobInfo {
    fn write(&self, out: &mut DataOutput) {
        self.job.write(out);
        out.text(&self.user);
        out.wstring(self.submit_dir.as_deref());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JobInfo { job: JobId::read(input)?, user: input.text()?, submit_dir: input.wstring()? })
    }
}

/// `jobtracker.info`: how often the JobTracker was restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RestartCount(pub i32);

impl Writable for RestartCount {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.0);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(RestartCount(input.int()?))
    }
}
