//! Sort, spill, merge and shuffle in the child.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Memory use that starts in-memory merge."
    MAPRED_JOB_SHUFFLE_MERGE_PERCENT: f32 = "mapred.job.shuffle.merge.percent", Some("0.66"), true, None, Limits::Real(0.0, 1.0),
        ["mapreduce.reduce.shuffle.merge.percent"], "child", Tuning, "ReduceTask";
    "Heap share for shuffle."
    MAPRED_JOB_SHUFFLE_INPUT_BUFFER_PERCENT: f32 = "mapred.job.shuffle.input.buffer.percent", Some("0.70"), true, None, Limits::Real(0.0, 1.0),
        ["mapreduce.reduce.shuffle.input.buffer.percent"], "child", Tuning, "ReduceTask";
    "Heap share kept for reduce input."
    MAPRED_JOB_REDUCE_INPUT_BUFFER_PERCENT: f32 = "mapred.job.reduce.input.buffer.percent", Some("0.0"), true, None, Limits::Real(0.0, 1.0),
        ["mapreduce.reduce.input.buffer.percent"], "child", Tuning, "ReduceTask";
    "Overrides heap size used by shuffle."
    MAPRED_JOB_REDUCE_TOTAL_MEM_BYTES: i32 = "mapred.job.reduce.total.mem.bytes", None, false, None, Limits::Any,
        ["mapreduce.reduce.memory.totalbytes"], "child", Tuning, "ReduceTask";
    "Segments that start in-memory merge."
    MAPRED_INMEM_MERGE_THRESHOLD: i32 = "mapred.inmem.merge.threshold", Some("1000"), true, None, Limits::Any,
        ["mapreduce.reduce.merge.inmem.threshold"], "child", Tuning, "ReduceTask";
    "Parallel fetches per reduce."
    MAPRED_REDUCE_PARALLEL_COPIES: i32 = "mapred.reduce.parallel.copies", Some("5"), true, None, Limits::Whole(1, 2147483647),
        ["mapreduce.reduce.shuffle.parallelcopies"], "child", Tuning, "ReduceTask";
    "Failures per map before reporting."
    MAPREDUCE_REDUCE_SHUFFLE_MAXFETCHFAILURES: i32 = "mapreduce.reduce.shuffle.maxfetchfailures", Some("10"), true, None, Limits::Any,
        [], "child", Behaviour, "ReduceTask";
    "Fetch connect timeout."
    MAPREDUCE_REDUCE_SHUFFLE_CONNECT_TIMEOUT: i32 = "mapreduce.reduce.shuffle.connect.timeout", Some("180000"), true, Millis, Limits::Any,
        [], "child", Behaviour, "ReduceTask";
    "Fetch read timeout."
    MAPREDUCE_REDUCE_SHUFFLE_READ_TIMEOUT: i32 = "mapreduce.reduce.shuffle.read.timeout", Some("180000"), true, Millis, Limits::Any,
        [], "child", Behaviour, "ReduceTask";
    "Report read errors at once."
    MAPREDUCE_REDUCE_SHUFFLE_NOTIFY_READERROR: bool = "mapreduce.reduce.shuffle.notify.readerror", Some("true"), false, None, Limits::Any,
        [], "child", Behaviour, "ReduceTask";
    "Map sort buffer."
    IO_SORT_MB: i32 = "io.sort.mb", Some("100"), true, MegaBytes, Limits::Whole(1, 2047),
        ["mapreduce.task.io.sort.mb"], "child", Tuning, "MapTask";
    "Streams merged at once."
    IO_SORT_FACTOR: i32 = "io.sort.factor", Some("10"), true, None, Limits::Whole(2, 2147483647),
        ["mapreduce.task.io.sort.factor"], "child", Tuning, "MapTask";
    "Buffer share for record index."
    IO_SORT_RECORD_PERCENT: f32 = "io.sort.record.percent", Some("0.05"), true, None, Limits::Real(0.0, 1.0),
        [], "child", Tuning, "MapTask";
    "Fill level that starts a spill."
    IO_SORT_SPILL_PERCENT: f32 = "io.sort.spill.percent", Some("0.80"), true, None, Limits::Real(0.0, 1.0),
        ["mapreduce.map.sort.spill.percent"], "child", Tuning, "MapTask";
    "Spills needed to rerun combiner."
    MIN_NUM_SPILLS_FOR_COMBINE: i32 = "min.num.spills.for.combine", Some("3"), false, None, Limits::Any,
        ["mapreduce.map.combine.minspills"], "child", Tuning, "MapTask";
    "In-memory sorter."
    MAP_SORT_CLASS: String as "a Java class name" = "map.sort.class", Some("org.apache.hadoop.util.QuickSort"), true, None, Limits::Any,
        [], "child", JavaOnly, "MapTask";
    "Records per progress report in combine."
    MAPRED_COMBINE_RECORDS_BEFORE_PROGRESS: i64 = "mapred.combine.recordsBeforeProgress", Some("10000"), true, None, Limits::Any,
        [], "child", Tuning, "Task";
    "Records per progress report in merge."
    MAPRED_MERGE_RECORDS_BEFORE_PROGRESS: i64 = "mapred.merge.recordsBeforeProgress", Some("10000"), true, None, Limits::Any,
        ["mapreduce.task.merge.progress.records"], "child", Tuning, "Merger";
    "Readahead on intermediate files."
    MAPREDUCE_IFILE_READAHEAD: bool = "mapreduce.ifile.readahead", Some("true"), true, None, Limits::Any,
        [], "child", Tuning, "IFileInputStream";
    "Readahead size."
    MAPREDUCE_IFILE_READAHEAD_BYTES: i32 = "mapreduce.ifile.readahead.bytes", Some("4194304"), true, None, Limits::Any,
        [], "child", Tuning, "IFileInputStream";
    "Compress intermediate data."
    MAPRED_COMPRESS_MAP_OUTPUT: bool = "mapred.compress.map.output", Some("false"), true, None, Limits::Any,
        ["mapreduce.map.output.compress"], "child", Behaviour, "JobConf";
    "Intermediate codec."
    MAPRED_MAP_OUTPUT_COMPRESSION_CODEC: String as "a Java class name" = "mapred.map.output.compression.codec", Some("org.apache.hadoop.io.compress.DefaultCodec"), true, None, Limits::Any,
        ["mapreduce.map.output.compress.codec"], "child", Behaviour, "JobConf";
    "Compress job output."
    MAPRED_OUTPUT_COMPRESS: bool = "mapred.output.compress", Some("false"), true, None, Limits::Any,
        ["mapreduce.output.fileoutputformat.compress"], "child", JavaOnly, "FileOutputFormat";
    "SequenceFile output compression unit."
    MAPRED_OUTPUT_COMPRESSION_TYPE: String as "a word" = "mapred.output.compression.type", Some("RECORD"), true, None, Limits::Words(&["NONE", "RECORD", "BLOCK"]),
        ["mapreduce.output.fileoutputformat.compress.type"], "child", JavaOnly, "SequenceFileOutputFormat";
    "Output codec."
    MAPRED_OUTPUT_COMPRESSION_CODEC: String as "a Java class name" = "mapred.output.compression.codec", Some("org.apache.hadoop.io.compress.DefaultCodec"), true, None, Limits::Any,
        ["mapreduce.output.fileoutputformat.compress.codec"], "child", JavaOnly, "FileOutputFormat";
    "Write _SUCCESS at job commit."
    MAPREDUCE_FILEOUTPUTCOMMITTER_MARKSUCCESSFULJOBS: bool = "mapreduce.fileoutputcommitter.marksuccessfuljobs", Some("true"), false, None, Limits::Any,
        [], "child", Behaviour, "FileOutputCommitter";
    "Parallel maps in local runner."
    MAPREDUCE_LOCAL_MAP_TASKS_MAXIMUM: i32 = "mapreduce.local.map.tasks.maximum", Some("1"), false, None, Limits::Any,
        [], "client", Behaviour, "LocalJobRunner";
    "Set by local runner for its maps."
    MAPREDUCE_JOBTRACKER_ADDRESS: String = "mapreduce.jobtracker.address", None, false, None, Limits::Any,
        [], "client", JavaOnly, "LocalJobRunner";
}
