//! Streaming and pipes.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "URL-encoded map command."
    STREAM_MAP_STREAMPROCESSOR: String = "stream.map.streamprocessor", None, false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapper";
    "URL-encoded reduce command."
    STREAM_REDUCE_STREAMPROCESSOR: String = "stream.reduce.streamprocessor", None, false, None, Limits::Any,
        [], "child", Behaviour, "PipeReducer";
    "URL-encoded combine command."
    STREAM_COMBINE_STREAMPROCESSOR: String = "stream.combine.streamprocessor", None, false, None, Limits::Any,
        [], "child", Behaviour, "PipeCombiner";
    "-cmdenv pairs."
    STREAM_ADDENVIRONMENT: String = "stream.addenvironment", Some(""), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Fail task on non-zero exit."
    STREAM_NON_ZERO_EXIT_IS_FAILURE: bool = "stream.non.zero.exit.is.failure", Some("true"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Wait for output threads."
    STREAM_JOINDELAY_MILLI: i64 = "stream.joindelay.milli", Some("0"), false, Millis, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Stderr protocol prefix."
    STREAM_STDERR_REPORTER_PREFIX: String = "stream.stderr.reporter.prefix", Some("reporter:"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Map input encoding id."
    STREAM_MAP_INPUT: String = "stream.map.input", Some("text"), false, None, Limits::Any,
        [], "client", Behaviour, "StreamJob";
    "Map output encoding id."
    STREAM_MAP_OUTPUT: String = "stream.map.output", Some("text"), false, None, Limits::Any,
        [], "client", Behaviour, "StreamJob";
    "Reduce input encoding id."
    STREAM_REDUCE_INPUT: String = "stream.reduce.input", Some("text"), false, None, Limits::Any,
        [], "client", Behaviour, "StreamJob";
    "Reduce output encoding id."
    STREAM_REDUCE_OUTPUT: String = "stream.reduce.output", Some("text"), false, None, Limits::Any,
        [], "client", Behaviour, "StreamJob";
    "Encoder."
    STREAM_MAP_INPUT_WRITER_CLASS: String as "a Java class name" = "stream.map.input.writer.class", Some("org.apache.hadoop.streaming.io.TextInputWriter"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Decoder."
    STREAM_MAP_OUTPUT_READER_CLASS: String as "a Java class name" = "stream.map.output.reader.class", Some("org.apache.hadoop.streaming.io.TextOutputReader"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Encoder."
    STREAM_REDUCE_INPUT_WRITER_CLASS: String as "a Java class name" = "stream.reduce.input.writer.class", Some("org.apache.hadoop.streaming.io.TextInputWriter"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Decoder."
    STREAM_REDUCE_OUTPUT_READER_CLASS: String as "a Java class name" = "stream.reduce.output.reader.class", Some("org.apache.hadoop.streaming.io.TextOutputReader"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapRed";
    "Maps ids to encoders."
    STREAM_IO_IDENTIFIER_RESOLVER_CLASS: String as "a Java class name" = "stream.io.identifier.resolver.class", Some("org.apache.hadoop.streaming.io.IdentifierResolver"), false, None, Limits::Any,
        [], "client", JavaOnly, "StreamJob";
    "Between key and value sent."
    STREAM_MAP_INPUT_FIELD_SEPARATOR: String = "stream.map.input.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapper";
    "Key/value split of output."
    STREAM_MAP_OUTPUT_FIELD_SEPARATOR: String = "stream.map.output.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapper";
    "Between key and value sent."
    STREAM_REDUCE_INPUT_FIELD_SEPARATOR: String = "stream.reduce.input.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeReducer";
    "Key/value split of output."
    STREAM_REDUCE_OUTPUT_FIELD_SEPARATOR: String = "stream.reduce.output.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeReducer";
    "Key fields in map output."
    STREAM_NUM_MAP_OUTPUT_KEY_FIELDS: i32 = "stream.num.map.output.key.fields", Some("1"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeMapper";
    "Key fields in reduce output."
    STREAM_NUM_REDUCE_OUTPUT_KEY_FIELDS: i32 = "stream.num.reduce.output.key.fields", Some("1"), false, None, Limits::Any,
        [], "child", Behaviour, "PipeReducer";
    "Custom reader."
    STREAM_RECORDREADER_CLASS: String as "a Java class name" = "stream.recordreader.class", None, false, None, Limits::Any,
        [], "child", Behaviour, "StreamInputFormat";
    "Reader parameters such as begin/end."
    STREAM_RECORDREADER: String = "stream.recordreader.<k>", None, false, None, Limits::Any,
        [], "child", Behaviour, "StreamBaseRecordReader";
    "XML record size guess."
    STREAM_RECORDREADER_MAXREC: i32 = "stream.recordreader.maxrec", Some("50000"), false, None, Limits::Any,
        [], "child", JavaOnly, "StreamXmlRecordReader";
    "XML look-ahead."
    STREAM_RECORDREADER_LOOKAHEAD: i32 = "stream.recordreader.lookahead", None, false, None, Limits::Any,
        [], "child", JavaOnly, "StreamXmlRecordReader";
    "CDATA-aware matching."
    STREAM_RECORDREADER_SLOWMATCH: bool = "stream.recordreader.slowmatch", Some("false"), false, None, Limits::Any,
        [], "child", Behaviour, "StreamXmlRecordReader";
    "Record chars in status."
    STREAM_RECORDREADER_STATUSCHARS: i32 = "stream.recordreader.statuschars", Some("200"), false, None, Limits::Any,
        [], "child", JavaOnly, "StreamXmlRecordReader";
    "Streaming jar to ship."
    STREAM_SHIPPED_HADOOPSTREAMING: String as "a path" = "stream.shipped.hadoopstreaming", None, false, None, Limits::Any,
        [], "client", JavaOnly, "StreamJob";
    "Where job jar is built."
    STREAM_TMPDIR: String as "a path" = "stream.tmpdir", None, false, None, Limits::Any,
        [], "client", JavaOnly, "StreamJob";
    "Number of -input options."
    STREAM_NUMINPUTSPECS: i32 = "stream.numinputspecs", None, false, None, Limits::Any,
        [], "client", Behaviour, "StreamJob";
    "Legacy log hook."
    STREAM_JOB_LOG: String = "stream.jobLog_", None, false, None, Limits::Any,
        [], "child", JavaOnly, "PipeMapRed";
    "Legacy skip hook."
    STREAM_MIN_REC_WRITTEN_TO_ENABLE_SKIP: i64 = "stream.minRecWrittenToEnableSkip_", None, false, None, Limits::Any,
        [], "child", JavaOnly, "PipeMapRed";
    "Pipes program."
    HADOOP_PIPES_EXECUTABLE: String as "a URI" = "hadoop.pipes.executable", None, false, None, Limits::Any,
        ["mapreduce.pipes.executable"], "client,child", Behaviour, "Submitter";
    "Prefix command for the program."
    HADOOP_PIPES_EXECUTABLE_INTERPRETOR: String = "hadoop.pipes.executable.interpretor", None, false, None, Limits::Any,
        ["mapreduce.pipes.executable.interpretor"], "child", Behaviour, "Application";
    "Java reader used."
    HADOOP_PIPES_JAVA_RECORDREADER: bool = "hadoop.pipes.java.recordreader", Some("false"), false, None, Limits::Any,
        ["mapreduce.pipes.isjavarecordreader"], "child", Behaviour, "Submitter";
    "Java mapper used."
    HADOOP_PIPES_JAVA_MAPPER: bool = "hadoop.pipes.java.mapper", Some("false"), false, None, Limits::Any,
        ["mapreduce.pipes.isjavamapper"], "child", Behaviour, "Submitter";
    "Java reducer used."
    HADOOP_PIPES_JAVA_REDUCER: bool = "hadoop.pipes.java.reducer", Some("false"), false, None, Limits::Any,
        ["mapreduce.pipes.isjavareducer"], "child", Behaviour, "Submitter";
    "Java writer used."
    HADOOP_PIPES_JAVA_RECORDWRITER: bool = "hadoop.pipes.java.recordwriter", Some("false"), false, None, Limits::Any,
        ["mapreduce.pipes.isjavarecordwriter"], "child", Behaviour, "Submitter";
    "Java partitioner."
    HADOOP_PIPES_PARTITIONER: String as "a Java class name" = "hadoop.pipes.partitioner", Some("org.apache.hadoop.mapred.lib.HashPartitioner"), false, None, Limits::Any,
        ["mapreduce.pipes.partitioner"], "child", Behaviour, "Submitter";
    "Keep downlink command file."
    HADOOP_PIPES_COMMAND_FILE_KEEP: bool = "hadoop.pipes.command-file.keep", Some("false"), false, None, Limits::Any,
        ["mapreduce.pipes.commandfile.preserve"], "child", Behaviour, "Submitter";
    "Callback port for the program."
    HADOOP_PIPES_COMMAND_PORT: String = "hadoop.pipes.command.port", None, false, None, Limits::Any,
        [], "child", Behaviour, "Application";
    "Token file for the program."
    HADOOP_PIPES_SHARED_SECRET_LOCATION: String = "hadoop.pipes.shared.secret.location", None, false, None, Limits::Any,
        [], "child", Behaviour, "Application";
    "Wrapped user input format."
    MAPRED_PIPES_USER_INPUTFORMAT: String as "a Java class name" = "mapred.pipes.user.inputformat", Some("org.apache.hadoop.mapred.TextInputFormat"), false, None, Limits::Any,
        ["mapreduce.pipes.inputformat"], "client", Behaviour, "PipesNonJavaInputFormat";
}
