//! The names of the keys that this crate reads, by what they are to it.

use configuration::keys;

pub(crate) const NATIVE: &str = keys::HOWDAH_CHILD_NATIVE.name();
pub(crate) const EXECUTABLE: &str = keys::HOWDAH_JOB_EXECUTABLE.name();
pub(crate) const NEW_MAPPER: &str = keys::MAPRED_MAPPER_NEW_API.name();
pub(crate) const NEW_REDUCER: &str = keys::MAPRED_REDUCER_NEW_API.name();
pub(crate) const REDUCES: &str = keys::MAPRED_REDUCE_TASKS.name();
pub(crate) const JAR: &str = keys::MAPRED_JAR.name();

pub(crate) const OLD_INPUT_FORMAT: &str = keys::MAPRED_INPUT_FORMAT_CLASS.name();
pub(crate) const NEW_INPUT_FORMAT: &str = keys::MAPREDUCE_INPUTFORMAT_CLASS.name();
pub(crate) const MAP_RUNNER: &str = keys::MAPRED_MAP_RUNNER_CLASS.name();
pub(crate) const OLD_MAPPER: &str = keys::MAPRED_MAPPER_CLASS.name();
pub(crate) const NEW_MAPPER_CLASS: &str = keys::MAPREDUCE_MAP_CLASS.name();
pub(crate) const OLD_COMBINER: &str = keys::MAPRED_COMBINER_CLASS.name();
pub(crate) const NEW_COMBINER: &str = keys::MAPREDUCE_COMBINE_CLASS.name();
pub(crate) const OLD_PARTITIONER: &str = keys::MAPRED_PARTITIONER_CLASS.name();
pub(crate) const NEW_PARTITIONER: &str = keys::MAPREDUCE_PARTITIONER_CLASS.name();
pub(crate) const OLD_REDUCER: &str = keys::MAPRED_REDUCER_CLASS.name();
pub(crate) const NEW_REDUCER_CLASS: &str = keys::MAPREDUCE_REDUCE_CLASS.name();
pub(crate) const OLD_OUTPUT_FORMAT: &str = keys::MAPRED_OUTPUT_FORMAT_CLASS.name();
pub(crate) const NEW_OUTPUT_FORMAT: &str = keys::MAPREDUCE_OUTPUTFORMAT_CLASS.name();
pub(crate) const COMMITTER: &str = keys::MAPRED_OUTPUT_COMMITTER_CLASS.name();
pub(crate) const SORT_COMPARATOR: &str = keys::MAPRED_OUTPUT_KEY_COMPARATOR_CLASS.name();
pub(crate) const GROUP_COMPARATOR: &str = keys::MAPRED_OUTPUT_VALUE_GROUPFN_CLASS.name();
pub(crate) const MAP_KEY: &str = keys::MAPRED_MAPOUTPUT_KEY_CLASS.name();
pub(crate) const MAP_VALUE: &str = keys::MAPRED_MAPOUTPUT_VALUE_CLASS.name();
pub(crate) const OUT_KEY: &str = keys::MAPRED_OUTPUT_KEY_CLASS.name();
pub(crate) const OUT_VALUE: &str = keys::MAPRED_OUTPUT_VALUE_CLASS.name();
pub(crate) const PATH_FILTER: &str = keys::MAPRED_INPUT_PATH_FILTER_CLASS.name();
pub(crate) const SERIALIZATIONS: &str = keys::IO_SERIALIZATIONS.name();
pub(crate) const CODECS: &str = keys::IO_COMPRESSION_CODECS.name();
pub(crate) const COMPRESS_MAP_OUTPUT: &str = keys::MAPRED_COMPRESS_MAP_OUTPUT.name();
pub(crate) const MAP_OUTPUT_CODEC: &str = keys::MAPRED_MAP_OUTPUT_COMPRESSION_CODEC.name();
pub(crate) const COMPRESS_OUTPUT: &str = keys::MAPRED_OUTPUT_COMPRESS.name();
pub(crate) const OUTPUT_CODEC: &str = keys::MAPRED_OUTPUT_COMPRESSION_CODEC.name();
pub(crate) const LOCAL_FS: &str = keys::FS_FILE_IMPL.name();
pub(crate) const DEFAULT_FS: &str = keys::FS_DEFAULT_NAME.name();
pub(crate) const INPUT_PATHS: &str = keys::MAPRED_INPUT_DIR.name();
pub(crate) const OUTPUT_PATH: &str = keys::MAPRED_OUTPUT_DIR.name();
pub(crate) const AGGREGATOR_DESCRIPTORS: &str = keys::AGGREGATOR_DESCRIPTOR_NUM.name();
pub(crate) const REGEX: &str = keys::MAPRED_MAPPER_REGEX.name();
pub(crate) const REGEX_GROUP: &str = keys::MAPRED_MAPPER_REGEX_GROUP.name();
pub(crate) const SORT_CLASS: &str = keys::MAP_SORT_CLASS.name();

pub(crate) const CHILD_OPTS: &str = keys::MAPRED_CHILD_JAVA_OPTS.name();
pub(crate) const MAP_OPTS: &str = keys::MAPRED_MAP_CHILD_JAVA_OPTS.name();
pub(crate) const REDUCE_OPTS: &str = keys::MAPRED_REDUCE_CHILD_JAVA_OPTS.name();
pub(crate) const ADMIN_MAP_OPTS: &str = keys::MAPREDUCE_ADMIN_MAP_CHILD_JAVA_OPTS.name();
pub(crate) const ADMIN_REDUCE_OPTS: &str = keys::MAPREDUCE_ADMIN_REDUCE_CHILD_JAVA_OPTS.name();
pub(crate) const PROFILE: &str = keys::MAPRED_TASK_PROFILE.name();
pub(crate) const KEEP_FAILED: &str = keys::KEEP_FAILED_TASK_FILES.name();
pub(crate) const KEEP_PATTERN: &str = keys::KEEP_TASK_FILES_PATTERN.name();
pub(crate) const SKIP_RECORDS: &str = keys::MAPRED_SKIP_MAP_MAX_SKIP_RECORDS.name();
pub(crate) const SKIP_GROUPS: &str = keys::MAPRED_SKIP_REDUCE_MAX_SKIP_GROUPS.name();

pub(crate) const MAP_COMMAND: &str = keys::STREAM_MAP_STREAMPROCESSOR.name();
pub(crate) const PIPES_PARTITIONER: &str = keys::HADOOP_PIPES_PARTITIONER.name();
pub(crate) const PIPES_JAVA_READER: &str = keys::HADOOP_PIPES_JAVA_RECORDREADER.name();
pub(crate) const PIPES_INPUT_FORMAT: &str = keys::MAPRED_PIPES_USER_INPUTFORMAT.name();

pub(crate) const STREAM_RECORD_READER: &str = keys::STREAM_RECORDREADER_CLASS.name();
pub(crate) const STREAM_SLOW_MATCH: &str = keys::STREAM_RECORDREADER_SLOWMATCH.name();
pub(crate) const STREAM_MAP_INPUT: &str = keys::STREAM_MAP_INPUT_WRITER_CLASS.name();
pub(crate) const STREAM_MAP_OUTPUT: &str = keys::STREAM_MAP_OUTPUT_READER_CLASS.name();
pub(crate) const STREAM_REDUCE_INPUT: &str = keys::STREAM_REDUCE_INPUT_WRITER_CLASS.name();
pub(crate) const STREAM_REDUCE_OUTPUT: &str = keys::STREAM_REDUCE_OUTPUT_READER_CLASS.name();
