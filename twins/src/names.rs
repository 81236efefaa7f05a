//! The table of Java classes that have a native twin, one enum per role.
//!
//! A variant is a twin that `child` implements; the strings are the classes it stands for. Adding a twin is adding a
//! variant here and the arm that the compiler then asks for in `child`.

/// Which of Hadoop's two programming interfaces a class belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Api {
    /// `org.apache.hadoop.mapred`.
    Old,
    /// `org.apache.hadoop.mapreduce`.
    New,
    /// The same class serves both.
    Both,
}

impl Api {
    fn serves(self, wanted: Api) -> bool {
        self == wanted || self == Api::Both || wanted == Api::Both
    }
}

macro_rules! twins {
    ($(#[$doc:meta])* $role:ident { $($(#[$vdoc:meta])* $variant:ident: $([$api:ident $class:literal])+;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $role {
            $($(#[$vdoc])* $variant,)+
        }

        impl $role {
            /// Every class of this role that has a twin.
            pub const CLASSES: &'static [(&'static str, Api, $role)] =
                &[$($(($class, Api::$api, $role::$variant),)+)+];

            /// The twin of a class, if it has one in that programming interface.
            pub fn of_class(class: &str, api: Api) -> Option<$role> {
                let found = Self::CLASSES.iter().find(|(name, of, _)| *name == class && of.serves(api));
                found.map(|(_, _, twin)| *twin)
            }
        }
    };
}

twins! {
    /// Input formats.
    InputFormat {
        /// Lines, keyed by their offset.
        Text: [Old "org.apache.hadoop.mapred.TextInputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.input.TextInputFormat"];
        /// Lines, cut at the first separator.
        KeyValueText: [Old "org.apache.hadoop.mapred.KeyValueTextInputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat"];
        /// Lines, a fixed number to each split.
        NLine: [Old "org.apache.hadoop.mapred.lib.NLineInputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.input.NLineInputFormat"];
        /// SequenceFiles, as they are.
        SequenceFile: [Old "org.apache.hadoop.mapred.SequenceFileInputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat"];
        /// Streaming's default for anything that is not plain text.
        Stream: [Old "org.apache.hadoop.streaming.StreamInputFormat"];
        /// The sleep job's records.
        Sleep: [Old "org.apache.hadoop.examples.SleepJob$SleepInputFormat"];
        /// A range of row numbers.
        TeraGen: [Old "org.apache.hadoop.examples.terasort.TeraGen$RangeInputFormat"];
        /// Lines of TeraSort: ten bytes of key, the rest value.
        Tera: [Old "org.apache.hadoop.examples.terasort.TeraInputFormat"];
        /// Splits that a Pipes program reads by itself.
        PipesNonJava: [Old "org.apache.hadoop.mapred.pipes.PipesNonJavaInputFormat"];
    }
}

twins! {
    /// What drives the mapper.
    MapRunner {
        /// Record after record.
        Plain: [Old "org.apache.hadoop.mapred.MapRunner"];
        /// The same, with the command's output collected from the start.
        Streaming: [Old "org.apache.hadoop.streaming.PipeMapRunner"];
        /// A Pipes program takes the mapper's place.
        Pipes: [Old "org.apache.hadoop.mapred.pipes.PipesMapRunner"];
    }
}

twins! {
    /// Mappers.
    Mapper {
        /// Hands records on.
        Identity: [Old "org.apache.hadoop.mapred.lib.IdentityMapper"] [New "org.apache.hadoop.mapreduce.Mapper"];
        /// Swaps key and value.
        Inverse: [Old "org.apache.hadoop.mapred.lib.InverseMapper"]
              [New "org.apache.hadoop.mapreduce.lib.map.InverseMapper"];
        /// A count of 1 (long) for each word of the value.
        TokenCount: [Old "org.apache.hadoop.mapred.lib.TokenCountMapper"];
        /// A count of 1 (int) for each word of the value.
        TokenCounter: [New "org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper"]
              [New "org.apache.hadoop.examples.WordCount$TokenizerMapper"];
        /// A count of 1 (long) for each match of a regular expression in the value.
        Regex: [Old "org.apache.hadoop.mapred.lib.RegexMapper"];
        /// A command, record by record.
        Streaming: [Old "org.apache.hadoop.streaming.PipeMapper"];
        /// Sleeps.
        Sleep: [Old "org.apache.hadoop.examples.SleepJob"];
        /// Two numbers of a line.
        SecondarySort: [New "org.apache.hadoop.examples.SecondarySort$MapClass"];
        /// Points that lie inside the circle.
        Pi: [Old "org.apache.hadoop.examples.PiEstimator$PiMapper"];
        /// Rows for TeraSort.
        TeraGen: [Old "org.apache.hadoop.examples.terasort.TeraGen$SortGenMapper"];
        /// Looks for rows out of order.
        TeraValidate: [Old "org.apache.hadoop.examples.terasort.TeraValidate$ValidateMapper"];
        /// A Pipes program, whatever class the job names beside its runner.
        Pipes: [Old "org.apache.hadoop.mapred.pipes.PipesMapRunner"];
        /// The job's own executable has it.
        Own: [New "org.howdah.job.Mapper"];
    }
}

twins! {
    /// Reducers, and the same as combiners.
    Reducer {
        /// Hands records on.
        Identity: [Old "org.apache.hadoop.mapred.lib.IdentityReducer"] [New "org.apache.hadoop.mapreduce.Reducer"];
        /// The sum of longs.
        LongSum: [Old "org.apache.hadoop.mapred.lib.LongSumReducer"]
              [New "org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer"];
        /// The sum of ints.
        IntSum: [New "org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer"]
              [New "org.apache.hadoop.examples.WordCount$IntSumReducer"];
        /// A command, record by record.
        Streaming: [Old "org.apache.hadoop.streaming.PipeReducer"];
        /// A command, as combiner.
        StreamingCombiner: [Old "org.apache.hadoop.streaming.PipeCombiner"];
        /// Sleeps.
        Sleep: [Old "org.apache.hadoop.examples.SleepJob"];
        /// A ruler and the group's pairs.
        SecondarySort: [New "org.apache.hadoop.examples.SecondarySort$Reduce"];
        /// Sums the points and writes the answer beside the output.
        Pi: [Old "org.apache.hadoop.examples.PiEstimator$PiReducer"];
        /// Reports rows and files out of order.
        TeraValidate: [Old "org.apache.hadoop.examples.terasort.TeraValidate$ValidateReducer"];
        /// A Pipes program.
        Pipes: [Old "org.apache.hadoop.mapred.pipes.PipesReducer"];
        /// Reports on a key's values by the aggregator that the key names.
        Aggregate: [Old "org.apache.hadoop.mapred.lib.aggregate.ValueAggregatorReducer"];
        /// The same for a map's values.
        AggregateCombiner: [Old "org.apache.hadoop.mapred.lib.aggregate.ValueAggregatorCombiner"];
        /// The job's own executable has it.
        Own: [New "org.howdah.job.Reducer"];
        /// The job's own executable has it.
        OwnCombiner: [New "org.howdah.job.Combiner"];
    }
}

twins! {
    /// How a task writes records to a streaming command.
    InputWriter {
        /// A line each.
        Text: [Old "org.apache.hadoop.streaming.io.TextInputWriter"];
        /// Each key and value after its length.
        RawBytes: [Old "org.apache.hadoop.streaming.io.RawBytesInputWriter"];
        /// Each key and value after a code of its type.
        TypedBytes: [Old "org.apache.hadoop.streaming.io.TypedBytesInputWriter"];
    }
}

twins! {
    /// How a task reads records from a streaming command.
    OutputReader {
        /// A line each.
        Text: [Old "org.apache.hadoop.streaming.io.TextOutputReader"];
        /// Each key and value after its length.
        RawBytes: [Old "org.apache.hadoop.streaming.io.RawBytesOutputReader"];
        /// Each key and value after a code of its type.
        TypedBytes: [Old "org.apache.hadoop.streaming.io.TypedBytesOutputReader"];
    }
}

impl OutputReader {
    /// The type of the keys and values that are read.
    pub fn data_type(self) -> DataType {
        match self {
            OutputReader::Text => DataType::Text,
            OutputReader::RawBytes => DataType::Bytes,
            OutputReader::TypedBytes => DataType::TypedBytes,
        }
    }
}

twins! {
    /// Partitioners.
    Partitioner {
        /// The key's Java hash.
        Hash: [Old "org.apache.hadoop.mapred.lib.HashPartitioner"]
              [New "org.apache.hadoop.mapreduce.lib.partition.HashPartitioner"];
        /// The hash of some fields of the key's text.
        KeyField: [Old "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner"]
              [New "org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedPartitioner"];
        /// The sleep job's: the key itself.
        Sleep: [Old "org.apache.hadoop.examples.SleepJob"];
        /// The first of a pair of ints.
        FirstOfPair: [New "org.apache.hadoop.examples.SecondarySort$FirstPartitioner"];
        /// Ranges, from a file of cut points.
        TotalOrder: [Old "org.apache.hadoop.mapred.lib.TotalOrderPartitioner"];
        /// TeraSort's ranges.
        TeraSort: [Old "org.apache.hadoop.examples.terasort.TeraSort$TotalOrderPartitioner"];
    }
}

twins! {
    /// Orders that a job can name instead of its key's own, for sorting or for grouping.
    Comparator {
        /// Longs, the largest first.
        LongDecreasing: [Both "org.apache.hadoop.io.LongWritable$DecreasingComparator"];
        /// The key type's own order, named outright.
        Text: [Both "org.apache.hadoop.io.Text$Comparator"];
        /// Ints in their own order, named outright.
        Int: [Both "org.apache.hadoop.io.IntWritable$Comparator"];
        /// Longs in their own order, named outright.
        Long: [Both "org.apache.hadoop.io.LongWritable$Comparator"];
        /// Bytes in their own order, named outright.
        Bytes: [Both "org.apache.hadoop.io.BytesWritable$Comparator"];
        /// Some fields of the key's text, by the old interface's settings.
        KeyField: [Both "org.apache.hadoop.mapred.lib.KeyFieldBasedComparator"];
        /// Some fields of the key's text, by the new interface's settings.
        NewKeyField: [Both "org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator"];
        /// The first of a pair of ints.
        FirstOfPair: [Both "org.apache.hadoop.examples.SecondarySort$FirstGroupingComparator"];
    }
}

twins! {
    /// Output formats.
    OutputFormat {
        /// Key, separator, value, line feed.
        Text: [Old "org.apache.hadoop.mapred.TextOutputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat"];
        /// SequenceFiles.
        SequenceFile: [Old "org.apache.hadoop.mapred.SequenceFileOutputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat"];
        /// Nowhere.
        Null: [Old "org.apache.hadoop.mapred.lib.NullOutputFormat"]
              [New "org.apache.hadoop.mapreduce.lib.output.NullOutputFormat"];
        /// TeraSort's: key and value side by side.
        Tera: [Old "org.apache.hadoop.examples.terasort.TeraOutputFormat"];
    }
}

twins! {
    /// Output committers.
    Committer {
        /// Moves the attempt's files into place.
        File: [Old "org.apache.hadoop.mapred.FileOutputCommitter"]
              [New "org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter"];
    }
}

twins! {
    /// Compression codecs.
    Codec {
        /// zlib.
        Default: [Both "org.apache.hadoop.io.compress.DefaultCodec"];
        /// gzip.
        Gzip: [Both "org.apache.hadoop.io.compress.GzipCodec"];
        /// bzip2.
        BZip2: [Both "org.apache.hadoop.io.compress.BZip2Codec"];
        /// snappy, in Hadoop's frame.
        Snappy: [Both "org.apache.hadoop.io.compress.SnappyCodec"];
        /// LZ4, in Hadoop's frame; a class of later Hadoops.
        Lz4: [Both "org.apache.hadoop.io.compress.Lz4Codec"];
        /// Zstandard; a class of later Hadoops.
        Zstandard: [Both "org.apache.hadoop.io.compress.ZStandardCodec"];
    }
}

twins! {
    /// Key and value types.
    DataType {
        /// UTF-8 with a length before it.
        Text: [Both "org.apache.hadoop.io.Text"];
        /// 32 bits.
        Int: [Both "org.apache.hadoop.io.IntWritable"];
        /// 64 bits.
        Long: [Both "org.apache.hadoop.io.LongWritable"];
        /// 32 bits, one to five bytes.
        VInt: [Both "org.apache.hadoop.io.VIntWritable"];
        /// 64 bits, one to nine bytes.
        VLong: [Both "org.apache.hadoop.io.VLongWritable"];
        /// 8 bits.
        Byte: [Both "org.apache.hadoop.io.ByteWritable"];
        /// True or false.
        Boolean: [Both "org.apache.hadoop.io.BooleanWritable"];
        /// 32 bits of IEEE-754.
        Float: [Both "org.apache.hadoop.io.FloatWritable"];
        /// 64 bits of IEEE-754.
        Double: [Both "org.apache.hadoop.io.DoubleWritable"];
        /// Bytes with a length before them.
        Bytes: [Both "org.apache.hadoop.io.BytesWritable"];
        /// The same, where each value says its type.
        TypedBytes: [Both "org.apache.hadoop.typedbytes.TypedBytesWritable"];
        /// Nothing.
        Null: [Both "org.apache.hadoop.io.NullWritable"];
        /// Two ints, in an encoding whose bytes sort as the numbers do.
        IntPair: [Both "org.apache.hadoop.examples.SecondarySort$IntPair"];
    }
}

twins! {
    /// Filters of input paths; they run in the client alone, so that a name of Hadoop's own is enough.
    PathFilter {
        /// No `_logs` directory.
        NoLogs: [Old "org.apache.hadoop.mapred.OutputLogFilter"]
              [Old "org.apache.hadoop.mapred.Utils$OutputFileUtils$OutputLogFilter"];
        /// No `_logs` directory and no `_SUCCESS` file.
        OutputFiles: [Old "org.apache.hadoop.mapred.Utils$OutputFileUtils$OutputFilesFilter"];
    }
}

twins! {
    /// Serializations.
    Serialization {
        /// `Writable`'s own.
        Writable: [Both "org.apache.hadoop.io.serializer.WritableSerialization"];
    }
}

twins! {
    /// File systems.
    FileSystem {
        /// Local files with checksums beside them.
        Local: [Both "org.apache.hadoop.fs.LocalFileSystem"];
    }
}

impl DataType {
    /// The Java class whose twin this is.
    pub fn class_name(self) -> &'static str {
        Self::CLASSES.iter().find(|(_, _, twin)| *twin == self).map_or("", |(class, _, _)| class)
    }
}

impl Codec {
    /// The Java class whose twin this is.
    pub fn class_name(self) -> &'static str {
        Self::CLASSES.iter().find(|(_, _, twin)| *twin == self).map_or("", |(class, _, _)| class)
    }

    /// The suffix of file names that this codec writes.
    pub fn suffix(self) -> &'static str {
        match self {
            Codec::Default => ".deflate",
            Codec::Gzip => ".gz",
            Codec::BZip2 => ".bz2",
            Codec::Snappy => ".snappy",
            Codec::Lz4 => ".lz4",
            Codec::Zstandard => ".zst",
        }
    }
}
