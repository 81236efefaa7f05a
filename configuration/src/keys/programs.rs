//! Settings of the programs in Hadoop's own jars.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "DistCp internal settings (see class)."
    DISTCP_ALL: String = "distcp.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "DistCp";
    "DistCp buffer."
    COPY_BUF_SIZE: i32 = "copy.buf.size", Some("131072"), false, None, Limits::Any,
        [], "child", JavaOnly, "DistCp";
    "DistCh internal settings."
    DISTCH_ALL: String = "distch.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "DistCh";
    "Archive tool internal settings."
    HAR_ALL: String = "har.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "HadoopArchives";
    "DistCp2 dynamic chunks."
    MAPRED_LISTING_SPLIT_RATIO: i32 = "mapred.listing.split.ratio", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DynamicInputFormat";
    "Gridmix load generator settings."
    GRIDMIX_ALL: String = "gridmix.*", None, false, None, Limits::Any,
        [], "client", JavaOnly, "Gridmix";
    "Gridmix data generation."
    GENDATA_ALL: String = "gendata.*", None, false, None, Limits::Any,
        [], "client", JavaOnly, "GenerateData";
    "Contrib index settings."
    SEA_ALL: String = "sea.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "ShardWriter";
    "RandomWriter example."
    TEST_RANDOMWRITE_ALL: String = "test.randomwrite.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "RandomWriter";
    "RandomTextWriter example."
    TEST_RANDOMTEXTWRITE_ALL: String = "test.randomtextwrite.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "RandomTextWriter";
    "RandomWriter maps per host."
    TEST_RANDOMWRITER_MAPS_PER_HOST: i32 = "test.randomwriter.maps_per_host", Some("10"), false, None, Limits::Any,
        [], "client", JavaOnly, "RandomWriter";
    "Sort/Join maps per host."
    TEST_SORT_MAPS_PER_HOST: i32 = "test.sort.maps_per_host", Some("10"), false, None, Limits::Any,
        [], "client", JavaOnly, "Join";
    "Sort/Join reduces per host."
    TEST_SORT_REDUCES_PER_HOST: i32 = "test.sort.reduces_per_host", None, false, None, Limits::Any,
        [], "client", JavaOnly, "Join";
    "TeraSort examples."
    TERASORT_ALL: String = "terasort.*", None, false, None, Limits::Any,
        [], "client,child", JavaOnly, "ExampleDriver";
    "SleepJob example."
    SLEEP_JOB_ALL: String = "sleep.job.*", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SleepJob";
    "Milliseconds that each map of SleepJob sleeps."
    SLEEP_JOB_MAP_SLEEP_TIME: i64 = "sleep.job.map.sleep.time", Some("100"), false, Millis, Limits::Any,
        [], "client,child", Behaviour, "SleepJob";
    "Milliseconds that each reduce of SleepJob sleeps."
    SLEEP_JOB_REDUCE_SLEEP_TIME: i64 = "sleep.job.reduce.sleep.time", Some("100"), false, Millis, Limits::Any,
        [], "client,child", Behaviour, "SleepJob";
    "Into how many records a map of SleepJob divides its sleep."
    SLEEP_JOB_MAP_SLEEP_COUNT: i32 = "sleep.job.map.sleep.count", Some("1"), false, None, Limits::Any,
        [], "client,child", Behaviour, "SleepJob";
    "Into how many records a reduce of SleepJob divides its sleep."
    SLEEP_JOB_REDUCE_SLEEP_COUNT: i32 = "sleep.job.reduce.sleep.count", Some("1"), false, None, Limits::Any,
        [], "client,child", Behaviour, "SleepJob";
    "Pentomino example."
    PENT_ALL: String = "pent.*", None, false, None, Limits::Any,
        [], "child", JavaOnly, "ExampleDriver";
    "Rumen JSON layout."
    RUMEN_OUTPUT_PRETTY_PRINT: bool = "rumen.output.pretty.print", Some("true"), false, None, Limits::Any,
        [], "client", JavaOnly, "DefaultOutputter";
    "Logalyzer column separator."
    MAPRED_REDUCER_SEPARATOR: String = "mapred.reducer.separator", Some(""), false, None, Limits::Any,
        [], "child", JavaOnly, "Logalyzer";
    "Logalyzer sort columns."
    MAPRED_REDUCER_SORT: String = "mapred.reducer.sort", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Logalyzer";
    "DistCp2 listing size."
    MAPRED_NUMBER_OF_RECORDS: i64 = "mapred.number.of.records", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DistCpConstants";
    "DistCp2 chunk count."
    MAPRED_NUM_SPLITS: i32 = "mapred.num.splits", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DynamicInputFormat";
    "DistCp2 entries per chunk."
    MAPRED_NUM_ENTRIES_PER_CHUNK: i32 = "mapred.num.entries.per.chunk", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DynamicInputFormat";
    "DistCp2 total bytes."
    MAPRED_TOTAL_BYTES_EXPECTED: i64 = "mapred.total.bytes.expected", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DistCpConstants";
}
