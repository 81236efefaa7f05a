//! The names of the keys that this crate reads.

pub(crate) const NATIVE: &str = "howdah.child.native";
pub(crate) const NEW_MAPPER: &str = "mapred.mapper.new-api";
pub(crate) const NEW_REDUCER: &str = "mapred.reducer.new-api";
pub(crate) const REDUCES: &str = "mapred.reduce.tasks";
pub(crate) const JAR: &str = "mapred.jar";

pub(crate) const OLD_INPUT_FORMAT: &str = "mapred.input.format.class";
pub(crate) const NEW_INPUT_FORMAT: &str = "mapreduce.inputformat.class";
pub(crate) const MAP_RUNNER: &str = "mapred.map.runner.class";
pub(crate) const OLD_MAPPER: &str = "mapred.mapper.class";
pub(crate) const NEW_MAPPER_CLASS: &str = "mapreduce.map.class";
pub(crate) const OLD_COMBINER: &str = "mapred.combiner.class";
pub(crate) const NEW_COMBINER: &str = "mapreduce.combine.class";
pub(crate) const OLD_PARTITIONER: &str = "mapred.partitioner.class";
pub(crate) const NEW_PARTITIONER: &str = "mapreduce.partitioner.class";
pub(crate) const OLD_REDUCER: &str = "mapred.reducer.class";
pub(crate) const NEW_REDUCER_CLASS: &str = "mapreduce.reduce.class";
pub(crate) const OLD_OUTPUT_FORMAT: &str = "mapred.output.format.class";
pub(crate) const NEW_OUTPUT_FORMAT: &str = "mapreduce.outputformat.class";
pub(crate) const COMMITTER: &str = "mapred.output.committer.class";
pub(crate) const SORT_COMPARATOR: &str = "mapred.output.key.comparator.class";
pub(crate) const GROUP_COMPARATOR: &str = "mapred.output.value.groupfn.class";
pub(crate) const MAP_KEY: &str = "mapred.mapoutput.key.class";
pub(crate) const MAP_VALUE: &str = "mapred.mapoutput.value.class";
pub(crate) const OUT_KEY: &str = "mapred.output.key.class";
pub(crate) const OUT_VALUE: &str = "mapred.output.value.class";
pub(crate) const PATH_FILTER: &str = "mapred.input.pathFilter.class";
pub(crate) const SERIALIZATIONS: &str = "io.serializations";
pub(crate) const CODECS: &str = "io.compression.codecs";
pub(crate) const COMPRESS_MAP_OUTPUT: &str = "mapred.compress.map.output";
pub(crate) const MAP_OUTPUT_CODEC: &str = "mapred.map.output.compression.codec";
pub(crate) const COMPRESS_OUTPUT: &str = "mapred.output.compress";
pub(crate) const OUTPUT_CODEC: &str = "mapred.output.compression.codec";
pub(crate) const LOCAL_FS: &str = "fs.file.impl";
pub(crate) const DEFAULT_FS: &str = "fs.default.name";
pub(crate) const INPUT_PATHS: &str = "mapred.input.dir";
pub(crate) const OUTPUT_PATH: &str = "mapred.output.dir";
pub(crate) const REGEX: &str = "mapred.mapper.regex";
pub(crate) const REGEX_GROUP: &str = "mapred.mapper.regex.group";
pub(crate) const SORT_CLASS: &str = "map.sort.class";

pub(crate) const CHILD_OPTS: &str = "mapred.child.java.opts";
pub(crate) const MAP_OPTS: &str = "mapred.map.child.java.opts";
pub(crate) const REDUCE_OPTS: &str = "mapred.reduce.child.java.opts";
pub(crate) const ADMIN_MAP_OPTS: &str = "mapreduce.admin.map.child.java.opts";
pub(crate) const ADMIN_REDUCE_OPTS: &str = "mapreduce.admin.reduce.child.java.opts";
pub(crate) const PROFILE: &str = "mapred.task.profile";
pub(crate) const MAP_DEBUG: &str = "mapred.map.task.debug.script";
pub(crate) const REDUCE_DEBUG: &str = "mapred.reduce.task.debug.script";
pub(crate) const KEEP_FAILED: &str = "keep.failed.task.files";
pub(crate) const KEEP_PATTERN: &str = "keep.task.files.pattern";
pub(crate) const SKIP_RECORDS: &str = "mapred.skip.map.max.skip.records";
pub(crate) const SKIP_GROUPS: &str = "mapred.skip.reduce.max.skip.groups";

pub(crate) const STREAM_RECORD_READER: &str = "stream.recordreader.class";
pub(crate) const STREAM_CLASSES: &[(&str, &[&str])] = &[
    ("stream.map.input.writer.class", TEXT_INPUT_WRITER),
    ("stream.reduce.input.writer.class", TEXT_INPUT_WRITER),
    ("stream.map.output.reader.class", TEXT_OUTPUT_READER),
    ("stream.reduce.output.reader.class", TEXT_OUTPUT_READER),
];
const TEXT_INPUT_WRITER: &[&str] = &["org.apache.hadoop.streaming.io.TextInputWriter"];
const TEXT_OUTPUT_READER: &[&str] = &["org.apache.hadoop.streaming.io.TextOutputReader"];
