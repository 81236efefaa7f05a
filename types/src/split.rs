//! Where a map's input split is written and where its data lies.

/// Points a map attempt at its split (Hadoop 1.2.1: mapreduce.split.JobSplit.TaskSplitIndex).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskSplitIndex {
    /// The job's `job.split` file.
    pub split_location: String,
    /// Where in it the split starts.
    pub start_offset: i64,
}

/// What a JobTracker knows of a split (Hadoop 1.2.1: mapreduce.split.JobSplit.SplitMetaInfo).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitMeta {
    /// Hosts that hold the data.
    pub locations: Vec<String>,
    /// Where the split starts in `job.split`.
    pub start_offset: i64,
    /// Bytes of input.
    pub input_length: i64,
}
