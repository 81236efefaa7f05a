//! The classes that a job names and the library classes' own settings.
//!
//! One row for each key: sentence, constant, type, name, default, whether a default file of 1.2.1 holds it, unit,
//! limits, later names, readers, effect, source.

use super::row::{keys, or_of_type};
use crate::registry::{Effect, Limits, Unit};

keys! {
    "Old API mapper."
    MAPRED_MAPPER_CLASS: String as "a Java class name" = "mapred.mapper.class", Some("org.apache.hadoop.mapred.lib.IdentityMapper"), false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Old API reducer."
    MAPRED_REDUCER_CLASS: String as "a Java class name" = "mapred.reducer.class", Some("org.apache.hadoop.mapred.lib.IdentityReducer"), false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Old API combiner."
    MAPRED_COMBINER_CLASS: String as "a Java class name" = "mapred.combiner.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Old API partitioner."
    MAPRED_PARTITIONER_CLASS: String as "a Java class name" = "mapred.partitioner.class", Some("org.apache.hadoop.mapred.lib.HashPartitioner"), false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Old API map loop."
    MAPRED_MAP_RUNNER_CLASS: String as "a Java class name" = "mapred.map.runner.class", Some("org.apache.hadoop.mapred.MapRunner"), false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Old API input format."
    MAPRED_INPUT_FORMAT_CLASS: String as "a Java class name" = "mapred.input.format.class", Some("org.apache.hadoop.mapred.TextInputFormat"), false, None, Limits::Any,
        [], "client,child", JavaOnly, "JobConf";
    "Old API output format."
    MAPRED_OUTPUT_FORMAT_CLASS: String as "a Java class name" = "mapred.output.format.class", Some("org.apache.hadoop.mapred.TextOutputFormat"), false, None, Limits::Any,
        [], "client,child", JavaOnly, "JobConf";
    "Old API committer."
    MAPRED_OUTPUT_COMMITTER_CLASS: String as "a Java class name" = "mapred.output.committer.class", Some("org.apache.hadoop.mapred.FileOutputCommitter"), false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Job output key type."
    MAPRED_OUTPUT_KEY_CLASS: String as "a Java class name" = "mapred.output.key.class", Some("org.apache.hadoop.io.LongWritable"), false, None, Limits::Any,
        ["mapreduce.job.output.key.class"], "child", JavaOnly, "JobConf";
    "Job output value type."
    MAPRED_OUTPUT_VALUE_CLASS: String as "a Java class name" = "mapred.output.value.class", Some("org.apache.hadoop.io.Text"), false, None, Limits::Any,
        ["mapreduce.job.output.value.class"], "child", JavaOnly, "JobConf";
    "Intermediate key type."
    MAPRED_MAPOUTPUT_KEY_CLASS: String as "a Java class name" = "mapred.mapoutput.key.class", None, false, None, Limits::Any,
        ["mapreduce.map.output.key.class"], "child", JavaOnly, "JobConf";
    "Intermediate value type."
    MAPRED_MAPOUTPUT_VALUE_CLASS: String as "a Java class name" = "mapred.mapoutput.value.class", None, false, None, Limits::Any,
        ["mapreduce.map.output.value.class"], "child", JavaOnly, "JobConf";
    "Sort comparator."
    MAPRED_OUTPUT_KEY_COMPARATOR_CLASS: String as "a Java class name" = "mapred.output.key.comparator.class", None, false, None, Limits::Any,
        ["mapreduce.job.output.key.comparator.class"], "child", JavaOnly, "JobConf";
    "Grouping comparator."
    MAPRED_OUTPUT_VALUE_GROUPFN_CLASS: String as "a Java class name" = "mapred.output.value.groupfn.class", None, false, None, Limits::Any,
        ["mapreduce.job.output.group.comparator.class"], "child", JavaOnly, "JobConf";
    "Map side uses mapreduce API."
    MAPRED_MAPPER_NEW_API: bool = "mapred.mapper.new-api", Some("false"), false, None, Limits::Any,
        [], "client,child", Behaviour, "JobConf";
    "Reduce side uses mapreduce API."
    MAPRED_REDUCER_NEW_API: bool = "mapred.reducer.new-api", Some("false"), false, None, Limits::Any,
        [], "client,child", Behaviour, "JobConf";
    "New API mapper."
    MAPREDUCE_MAP_CLASS: String as "a Java class name" = "mapreduce.map.class", Some("org.apache.hadoop.mapreduce.Mapper"), false, None, Limits::Any,
        ["mapreduce.job.map.class"], "child", JavaOnly, "JobContext";
    "New API reducer."
    MAPREDUCE_REDUCE_CLASS: String as "a Java class name" = "mapreduce.reduce.class", Some("org.apache.hadoop.mapreduce.Reducer"), false, None, Limits::Any,
        ["mapreduce.job.reduce.class"], "child", JavaOnly, "JobContext";
    "New API combiner."
    MAPREDUCE_COMBINE_CLASS: String as "a Java class name" = "mapreduce.combine.class", None, false, None, Limits::Any,
        ["mapreduce.job.combine.class"], "child", JavaOnly, "JobContext";
    "New API partitioner."
    MAPREDUCE_PARTITIONER_CLASS: String as "a Java class name" = "mapreduce.partitioner.class", Some("org.apache.hadoop.mapreduce.lib.partition.HashPartitioner"), false, None, Limits::Any,
        ["mapreduce.job.partitioner.class"], "child", JavaOnly, "JobContext";
    "New API input format."
    MAPREDUCE_INPUTFORMAT_CLASS: String as "a Java class name" = "mapreduce.inputformat.class", Some("org.apache.hadoop.mapreduce.lib.input.TextInputFormat"), false, None, Limits::Any,
        ["mapreduce.job.inputformat.class"], "client,child", JavaOnly, "JobContext";
    "New API output format."
    MAPREDUCE_OUTPUTFORMAT_CLASS: String as "a Java class name" = "mapreduce.outputformat.class", Some("org.apache.hadoop.mapreduce.lib.output.TextOutputFormat"), false, None, Limits::Any,
        ["mapreduce.job.outputformat.class"], "client,child", JavaOnly, "JobContext";
    "Input paths."
    MAPRED_INPUT_DIR: Vec<String> = "mapred.input.dir", None, false, None, Limits::Any,
        ["mapreduce.input.fileinputformat.inputdir"], "client,child", JavaOnly, "FileInputFormat";
    "Input path filter."
    MAPRED_INPUT_PATH_FILTER_CLASS: String as "a Java class name" = "mapred.input.pathFilter.class", None, false, None, Limits::Any,
        ["mapreduce.input.pathFilter.class"], "client", JavaOnly, "FileInputFormat";
    "Job output dir; also user history location."
    MAPRED_OUTPUT_DIR: String as "a path" = "mapred.output.dir", None, false, None, Limits::Any,
        ["mapreduce.output.fileoutputformat.outputdir"], "client,child,JT", Behaviour, "FileOutputFormat";
    "Number of input files."
    MAPREDUCE_INPUT_NUM_FILES: i64 = "mapreduce.input.num.files", None, false, None, Limits::Any,
        [], "client", JavaOnly, "FileInputFormat";
    "Smallest split."
    MAPRED_MIN_SPLIT_SIZE: i64 = "mapred.min.split.size", Some("0"), true, None, Limits::Any,
        ["mapreduce.input.fileinputformat.split.minsize"], "client", JavaOnly, "FileInputFormat";
    "Largest split (new API, combine)."
    MAPRED_MAX_SPLIT_SIZE: i64 = "mapred.max.split.size", None, false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "Combine input: per node minimum."
    MAPRED_MIN_SPLIT_SIZE_PER_NODE: i64 = "mapred.min.split.size.per.node", Some("0"), false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "Combine input: per rack minimum."
    MAPRED_MIN_SPLIT_SIZE_PER_RACK: i64 = "mapred.min.split.size.per.rack", Some("0"), false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "New combine input: maximum."
    MAPREDUCE_INPUT_FILEINPUTFORMAT_SPLIT_MAXSIZE: i64 = "mapreduce.input.fileinputformat.split.maxsize", Some("0"), false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "New combine input: per node minimum."
    MAPREDUCE_INPUT_FILEINPUTFORMAT_SPLIT_MINSIZE_PER_NODE: i64 = "mapreduce.input.fileinputformat.split.minsize.per.node", Some("0"), false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "New combine input: per rack minimum."
    MAPREDUCE_INPUT_FILEINPUTFORMAT_SPLIT_MINSIZE_PER_RACK: i64 = "mapreduce.input.fileinputformat.split.minsize.per.rack", Some("0"), false, None, Limits::Any,
        [], "client", JavaOnly, "CombineFileInputFormat";
    "Longest text line kept."
    MAPRED_LINERECORDREADER_MAXLENGTH: i32 = "mapred.linerecordreader.maxlength", Some("2147483647"), false, None, Limits::Any,
        ["mapreduce.input.linerecordreader.line.maxlength"], "child", JavaOnly, "LineRecordReader";
    "NLine lines per map."
    MAPRED_LINE_INPUT_FORMAT_LINESPERMAP: i32 = "mapred.line.input.format.linespermap", Some("1"), true, None, Limits::Any,
        [], "client", JavaOnly, "NLineInputFormat";
    "New NLine lines per map."
    MAPREDUCE_INPUT_LINEINPUTFORMAT_LINESPERMAP: i32 = "mapreduce.input.lineinputformat.linespermap", Some("1"), false, None, Limits::Any,
        [], "client", JavaOnly, "NLineInputFormat";
    "KeyValueText separator."
    KEY_VALUE_SEPARATOR_IN_INPUT_LINE: String = "key.value.separator.in.input.line", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "KeyValueLineRecordReader";
    "New KeyValueText separator."
    MAPREDUCE_INPUT_KEYVALUELINERECORDREADER_KEY_VALUE_SEPARATOR: String = "mapreduce.input.keyvaluelinerecordreader.key.value.separator", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "KeyValueLineRecordReader";
    "Text output separator."
    MAPRED_TEXTOUTPUTFORMAT_SEPARATOR: String = "mapred.textoutputformat.separator", Some("\t"), false, None, Limits::Any,
        ["mapreduce.output.textoutputformat.separator"], "child", JavaOnly, "TextOutputFormat";
    "New API output file prefix."
    MAPREDUCE_OUTPUT_BASENAME: String = "mapreduce.output.basename", Some("part"), false, None, Limits::Any,
        [], "child", JavaOnly, "FileOutputFormat";
    "LazyOutputFormat delegate."
    MAPREDUCE_OUTPUT_LAZYOUTPUTFORMAT_OUTPUTFORMAT: String as "a Java class name" = "mapreduce.output.lazyoutputformat.outputformat", None, false, None, Limits::Any,
        [], "child", JavaOnly, "LazyOutputFormat";
    "Binary sequence output key."
    MAPRED_SEQBINARY_OUTPUT_KEY_CLASS: String as "a Java class name" = "mapred.seqbinary.output.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileAsBinaryOutputFormat";
    "Binary sequence output value."
    MAPRED_SEQBINARY_OUTPUT_VALUE_CLASS: String as "a Java class name" = "mapred.seqbinary.output.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileAsBinaryOutputFormat";
    "New binary sequence key."
    MAPREDUCE_OUTPUT_SEQBINARYOUTPUTFORMAT_KEY_CLASS: String as "a Java class name" = "mapreduce.output.seqbinaryoutputformat.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileAsBinaryOutputFormat";
    "New binary sequence value."
    MAPREDUCE_OUTPUT_SEQBINARYOUTPUTFORMAT_VALUE_CLASS: String as "a Java class name" = "mapreduce.output.seqbinaryoutputformat.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileAsBinaryOutputFormat";
    "Sequence input filter."
    SEQUENCEFILE_FILTER_CLASS: String as "a Java class name" = "sequencefile.filter.class", Some("org.apache.hadoop.mapred.SequenceFileInputFilter$PercentFilter"), false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "Sequence filter frequency."
    SEQUENCEFILE_FILTER_FREQUENCY: i32 = "sequencefile.filter.frequency", Some("10"), false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "Sequence filter pattern."
    SEQUENCEFILE_FILTER_REGEX: String as "a regular expression" = "sequencefile.filter.regex", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "New sequence filter (constant only)."
    MAPREDUCE_INPUT_SEQUENCEFILEINPUTFILTER_CLASS: String as "a Java class name" = "mapreduce.input.sequencefileinputfilter.class", Some("org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFilter$PercentFilter"), false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "New sequence filter frequency (constant only)."
    MAPREDUCE_INPUT_SEQUENCEFILEINPUTFILTER_FREQUENCY: i32 = "mapreduce.input.sequencefileinputfilter.frequency", Some("10"), false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "New sequence filter pattern (constant only)."
    MAPREDUCE_INPUT_SEQUENCEFILEINPUTFILTER_REGEX: String as "a regular expression" = "mapreduce.input.sequencefileinputfilter.regex", None, false, None, Limits::Any,
        [], "child", JavaOnly, "SequenceFileInputFilter";
    "MultipleInputs formats."
    MAPRED_INPUT_DIR_FORMATS: Vec<String> = "mapred.input.dir.formats", None, false, None, Limits::Any,
        [], "client", JavaOnly, "MultipleInputs";
    "MultipleInputs mappers."
    MAPRED_INPUT_DIR_MAPPERS: Vec<String> = "mapred.input.dir.mappers", None, false, None, Limits::Any,
        [], "client", JavaOnly, "MultipleInputs";
    "New MultipleInputs formats."
    MAPREDUCE_INPUT_MULTIPLEINPUTS_DIR_FORMATS: Vec<String> = "mapreduce.input.multipleinputs.dir.formats", None, false, None, Limits::Any,
        [], "client", JavaOnly, "MultipleInputs";
    "New MultipleInputs mappers."
    MAPREDUCE_INPUT_MULTIPLEINPUTS_DIR_MAPPERS: Vec<String> = "mapreduce.input.multipleinputs.dir.mappers", None, false, None, Limits::Any,
        [], "client", JavaOnly, "MultipleInputs";
    "Old MultipleOutputs names."
    MO_NAMED_OUTPUTS: Vec<String> = "mo.namedOutputs", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "Old MultipleOutputs per-name settings."
    MO_NAMED_OUTPUT_ALL: String = "mo.namedOutput.<name>.*", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "Old MultipleOutputs internal."
    MO_CONFIG_NAMED_OUTPUT: String = "mo.config.namedOutput", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "Old MultipleOutputs counters."
    MO_COUNTERS: bool = "mo.counters", Some("false"), false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "New MultipleOutputs names."
    MAPREDUCE_MULTIPLEOUTPUTS: Vec<String> = "mapreduce.multipleoutputs", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "New MultipleOutputs per-name settings."
    MAPREDUCE_MULTIPLEOUTPUTS_NAMED_OUTPUT_ALL: String = "mapreduce.multipleoutputs.namedOutput.<name>.*", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "New MultipleOutputs counters."
    MAPREDUCE_MULTIPLEOUTPUTS_COUNTERS: bool = "mapreduce.multipleoutputs.counters", Some("false"), false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputs";
    "MultipleOutputFormat path legs."
    MAPRED_OUTPUTFORMAT_NUM_OF_TRAILING_LEGS: i32 = "mapred.outputformat.numOfTrailingLegs", Some("0"), false, None, Limits::Any,
        [], "child", JavaOnly, "MultipleOutputFormat";
    "Multithreaded map threads."
    MAPRED_MAP_MULTITHREADEDRUNNER_THREADS: i32 = "mapred.map.multithreadedrunner.threads", Some("10"), false, None, Limits::Any,
        [], "child", JavaOnly, "MultithreadedMapRunner";
    "Multithreaded delegate."
    MAPRED_MAP_MULTITHREADEDRUNNER_CLASS: String as "a Java class name" = "mapred.map.multithreadedrunner.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "MultithreadedMapper";
    "RegexMapper pattern."
    MAPRED_MAPPER_REGEX: String as "a regular expression" = "mapred.mapper.regex", None, false, None, Limits::Any,
        ["mapreduce.mapper.regex"], "child", JavaOnly, "RegexMapper";
    "RegexMapper group."
    MAPRED_MAPPER_REGEX_GROUP: i32 = "mapred.mapper.regex.group", Some("0"), false, None, Limits::Any,
        ["mapreduce.mapper.regexmapper..group"], "child", JavaOnly, "RegexMapper";
    "Field selection separator."
    MAPRED_DATA_FIELD_SEPARATOR: String = "mapred.data.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionMapReduce";
    "Field selection map spec."
    MAP_OUTPUT_KEY_VALUE_FIELDS_SPEC: String = "map.output.key.value.fields.spec", Some("0-:"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionMapReduce";
    "Field selection reduce spec."
    REDUCE_OUTPUT_KEY_VALUE_FIELDS_SPEC: String = "reduce.output.key.value.fields.spec", Some("0-:"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionMapReduce";
    "New field selection separator."
    MAPREDUCE_FIELDSEL_DATA_FIELD_SEPARATOR: String = "mapreduce.fieldsel.data.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionHelper";
    "New field selection map spec."
    MAPREDUCE_FIELDSEL_MAP_OUTPUT_KEY_VALUE_FIELDS_SPEC: String = "mapreduce.fieldsel.map.output.key.value.fields.spec", Some("0-:"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionHelper";
    "New field selection reduce spec."
    MAPREDUCE_FIELDSEL_REDUCE_OUTPUT_KEY_VALUE_FIELDS_SPEC: String = "mapreduce.fieldsel.reduce.output.key.value.fields.spec", Some("0-:"), false, None, Limits::Any,
        [], "child", JavaOnly, "FieldSelectionHelper";
    "Key field sort options."
    MAPRED_TEXT_KEY_COMPARATOR_OPTIONS: String = "mapred.text.key.comparator.options", None, false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Key field partition options."
    MAPRED_TEXT_KEY_PARTITIONER_OPTIONS: String = "mapred.text.key.partitioner.options", None, false, None, Limits::Any,
        [], "child", JavaOnly, "JobConf";
    "Key field separator."
    MAP_OUTPUT_KEY_FIELD_SEPARATOR: String = "map.output.key.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "KeyFieldBasedComparator";
    "Leading key fields to partition on."
    NUM_KEY_FIELDS_FOR_PARTITION: i32 = "num.key.fields.for.partition", Some("0"), false, None, Limits::Any,
        [], "child", JavaOnly, "KeyFieldBasedPartitioner";
    "New key field sort options."
    MAPREDUCE_PARTITION_KEYCOMPARATOR_OPTIONS: String = "mapreduce.partition.keycomparator.options", None, false, None, Limits::Any,
        [], "child", JavaOnly, "KeyFieldBasedComparator";
    "New key field partition options."
    MAPREDUCE_PARTITION_KEYPARTITIONER_OPTIONS: String = "mapreduce.partition.keypartitioner.options", None, false, None, Limits::Any,
        [], "child", JavaOnly, "KeyFieldBasedPartitioner";
    "New key field separator."
    MAPREDUCE_MAP_OUTPUT_KEY_FIELD_SEPARATOR: String = "mapreduce.map.output.key.field.separator", Some("\t"), false, None, Limits::Any,
        [], "child", JavaOnly, "KeyFieldBasedComparator";
    "Binary partitioner start."
    MAPRED_BINARY_PARTITIONER_LEFT_OFFSET: i32 = "mapred.binary.partitioner.left.offset", Some("0"), false, None, Limits::Any,
        ["mapreduce.partition.binarypartitioner.left.offset"], "child", JavaOnly, "BinaryPartitioner";
    "Binary partitioner end."
    MAPRED_BINARY_PARTITIONER_RIGHT_OFFSET: i32 = "mapred.binary.partitioner.right.offset", Some("-1"), false, None, Limits::Any,
        ["mapreduce.partition.binarypartitioner.right.offset"], "child", JavaOnly, "BinaryPartitioner";
    "Partition file."
    TOTAL_ORDER_PARTITIONER_PATH: String as "a path" = "total.order.partitioner.path", Some("_partition.lst"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "Use trie on raw bytes."
    TOTAL_ORDER_PARTITIONER_NATURAL_ORDER: bool = "total.order.partitioner.natural.order", Some("true"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "Trie depth."
    TOTAL_ORDER_PARTITIONER_MAX_TRIE_DEPTH: i32 = "total.order.partitioner.max.trie.depth", Some("2"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "New partition file."
    MAPREDUCE_TOTALORDERPARTITIONER_PATH: String as "a path" = "mapreduce.totalorderpartitioner.path", Some("_partition.lst"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "New trie switch."
    MAPREDUCE_TOTALORDERPARTITIONER_NATURALORDER: bool = "mapreduce.totalorderpartitioner.naturalorder", Some("true"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "New trie depth."
    MAPREDUCE_TOTALORDERPARTITIONER_TRIE_MAXDEPTH: i32 = "mapreduce.totalorderpartitioner.trie.maxdepth", Some("200"), false, None, Limits::Any,
        [], "child", JavaOnly, "TotalOrderPartitioner";
    "Join expression."
    MAPRED_JOIN_EXPR: String = "mapred.join.expr", None, false, None, Limits::Any,
        ["mapreduce.join.expr"], "client", JavaOnly, "CompositeInputFormat";
    "Join key comparator."
    MAPRED_JOIN_KEYCOMPARATOR: String as "a Java class name" = "mapred.join.keycomparator", None, false, None, Limits::Any,
        ["mapreduce.join.keycomparator"], "child", JavaOnly, "Parser";
    "Chain passes copies."
    CHAIN_MAPPER_BY_VALUE: bool = "chain.mapper.byValue", Some("true"), false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_MAPPER_INPUT_KEY_CLASS: String as "a Java class name" = "chain.mapper.input.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_MAPPER_INPUT_VALUE_CLASS: String as "a Java class name" = "chain.mapper.input.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_MAPPER_OUTPUT_KEY_CLASS: String as "a Java class name" = "chain.mapper.output.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_MAPPER_OUTPUT_VALUE_CLASS: String as "a Java class name" = "chain.mapper.output.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain passes copies."
    CHAIN_REDUCER_BY_VALUE: bool = "chain.reducer.byValue", Some("true"), false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_REDUCER_INPUT_KEY_CLASS: String as "a Java class name" = "chain.reducer.input.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_REDUCER_INPUT_VALUE_CLASS: String as "a Java class name" = "chain.reducer.input.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_REDUCER_OUTPUT_KEY_CLASS: String as "a Java class name" = "chain.reducer.output.key.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Chain element type."
    CHAIN_REDUCER_OUTPUT_VALUE_CLASS: String as "a Java class name" = "chain.reducer.output.value.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "Chain";
    "Unique value cap."
    AGGREGATE_MAX_NUM_UNIQUE_VALUES: i64 = "aggregate.max.num.unique.values", None, false, None, Limits::Any,
        [], "child", Behaviour, "ValueAggregatorBaseDescriptor";
    "Aggregate descriptor count."
    AGGREGATOR_DESCRIPTOR_NUM: i32 = "aggregator.descriptor.num", None, false, None, Limits::Any,
        [], "child", JavaOnly, "ValueAggregatorJob";
    "Aggregate descriptor spec."
    AGGREGATOR_DESCRIPTOR: String = "aggregator.descriptor.<i>", None, false, None, Limits::Any,
        [], "child", JavaOnly, "ValueAggregatorJobBase";
    "Aggregate job jar."
    USER_JAR_FILE: String as "a path" = "user.jar.file", None, false, None, Limits::Any,
        [], "client", JavaOnly, "ValueAggregatorJob";
    "JobControl creates missing inputs."
    CREATE_EMPTY_DIR_IF_NONEXIST: bool = "create.empty.dir.if.nonexist", Some("false"), false, None, Limits::Any,
        [], "client", JavaOnly, "Job";
    "New JobControl creates missing inputs."
    MAPREDUCE_JOBCONTROL_CREATEDIR_IFNOTEXIST: bool = "mapreduce.jobcontrol.createdir.ifnotexist", Some("false"), false, None, Limits::Any,
        [], "client", JavaOnly, "ControlledJob";
    "JDBC driver (both APIs in 1.2.1)."
    MAPRED_JDBC_DRIVER_CLASS: String as "a Java class name" = "mapred.jdbc.driver.class", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "JDBC URL."
    MAPRED_JDBC_URL: String = "mapred.jdbc.url", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "JDBC user."
    MAPRED_JDBC_USERNAME: String = "mapred.jdbc.username", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "JDBC password."
    MAPRED_JDBC_PASSWORD: String = "mapred.jdbc.password", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Row class."
    MAPRED_JDBC_INPUT_CLASS: String as "a Java class name" = "mapred.jdbc.input.class", Some("org.apache.hadoop.mapred.lib.db.DBInputFormat$NullDBWritable"), false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Input table."
    MAPRED_JDBC_INPUT_TABLE_NAME: String = "mapred.jdbc.input.table.name", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Input columns."
    MAPRED_JDBC_INPUT_FIELD_NAMES: Vec<String> = "mapred.jdbc.input.field.names", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Where clause."
    MAPRED_JDBC_INPUT_CONDITIONS: String = "mapred.jdbc.input.conditions", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Order clause."
    MAPRED_JDBC_INPUT_ORDERBY: String = "mapred.jdbc.input.orderby", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Full query."
    MAPRED_JDBC_INPUT_QUERY: String = "mapred.jdbc.input.query", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Count query."
    MAPRED_JDBC_INPUT_COUNT_QUERY: String = "mapred.jdbc.input.count.query", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DBConfiguration";
    "Bounds query."
    MAPRED_JDBC_INPUT_BOUNDING_QUERY: String = "mapred.jdbc.input.bounding.query", None, false, None, Limits::Any,
        [], "client", JavaOnly, "DBConfiguration";
    "Output table."
    MAPRED_JDBC_OUTPUT_TABLE_NAME: String = "mapred.jdbc.output.table.name", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Output columns."
    MAPRED_JDBC_OUTPUT_FIELD_NAMES: Vec<String> = "mapred.jdbc.output.field.names", None, false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Output column count."
    MAPREDUCE_JDBC_OUTPUT_FIELD_COUNT: i32 = "mapreduce.jdbc.output.field.count", Some("0"), false, None, Limits::Any,
        [], "child", JavaOnly, "DBConfiguration";
    "Oracle session zone."
    ORACLE_SESSION_TIME_ZONE: String = "oracle.sessionTimeZone", Some("GMT"), false, None, Limits::Any,
        [], "child", JavaOnly, "OracleDBRecordReader";
    "Data_join group cap."
    DATAJOIN_MAX_NUM_OF_VALUES_PER_GROUP: i64 = "datajoin.maxNumOfValuesPerGroup", Some("100"), false, None, Limits::Any,
        [], "child", JavaOnly, "DataJoinJob";
    "Serializer list."
    IO_SERIALIZATIONS: Vec<String> = "io.serializations", Some("org.apache.hadoop.io.serializer.WritableSerialization"), true, None, Limits::Any,
        [], "common", JavaOnly, "SerializationFactory";
}
