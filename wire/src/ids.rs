//! Ids: the number first, then the parent (Hadoop 1.2.1: mapreduce.ID, JobID, TaskID, TaskAttemptID, mapred.JVMId). The
//! classes of both APIs have the same bytes.

use hadoop_io::{DataInput, DataOutput, DecodeError};
use types::{JobId, JvmContext, JvmId, TaskAttemptId, TaskId, TaskKind};

use crate::Writable;

/// The fewest bytes of a [`JobId`].
pub(crate) const JOB_ID_MIN: usize = 5;
/// The fewest bytes of a [`TaskAttemptId`].
pub(crate) const TASK_ATTEMPT_ID_MIN: usize = 14;

impl Writable for JobId {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.number);
        out.text(&self.jt_identifier);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let number = input.int()?;
        Ok(JobId { jt_identifier: input.text()?.into(), number })
    }
}

impl Writable for TaskId {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.number);
        self.job.write(out);
        out.bool(self.kind.is_map());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let number = input.int()?;
        let job = JobId::read(input)?;
        Ok(TaskId { job, kind: TaskKind::from_is_map(input.bool()?), number })
    }
}

impl Writable for TaskAttemptId {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.number);
        self.task.write(out);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let number = input.int()?;
        Ok(TaskAttemptId { task: TaskId::read(input)?, number })
    }
}

impl Writable for JvmId {
    fn write(&self, out: &mut DataOutput) {
        out.int(self.number);
        self.job.write(out);
        out.bool(self.kind.is_map());
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        let number = input.int()?;
        let job = JobId::read(input)?;
        Ok(JvmId { job, kind: TaskKind::from_is_map(input.bool()?), number })
    }
}

impl Writable for JvmContext {
    fn write(&self, out: &mut DataOutput) {
        self.jvm.write(out);
        out.text(&self.pid);
    }

    fn read(input: &mut DataInput<'_>) -> Result<Self, DecodeError> {
        Ok(JvmContext { jvm: JvmId::read(input)?, pid: input.text()? })
    }
}
