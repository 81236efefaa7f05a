//! From a job's configuration to the twins of all that it names, or the first thing that has none.
//!
//! Says nothing of jars: `shadow` asks afterwards where the named classes come from. `child` builds itself from the
//! same plan, so that what was promised here is what runs.

use crate::names::{
    Api, Codec, Comparator, DataType, FileSystem, InputFormat, InputWriter, MapRunner, Mapper, OutputFormat,
    OutputReader, Partitioner, PathFilter, Reducer, Serialization,
};
use crate::{Committer, Lookup, java_regex, key};

/// Why a job runs in Java.
pub type Reason = String;

/// A class that the job's configuration names, and the key that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The key, or a few words where the class is a default.
    pub key: &'static str,
    /// The class's binary name.
    pub class: String,
}

/// The twins of everything that a job names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whether maps use the new programming interface.
    pub new_mapper: bool,
    /// Whether reduces use the new programming interface.
    pub new_reducer: bool,
    /// Whether there is a reduce at all.
    pub with_reduces: bool,
    /// Reads splits.
    pub input_format: InputFormat,
    /// Drives the mapper.
    pub map_runner: MapRunner,
    /// Maps.
    pub mapper: Mapper,
    /// Combines, where the job asks for it.
    pub combiner: Option<Reducer>,
    /// Whether the combiner has the new programming interface: the key that names it decides, not the reducer.
    pub new_combiner: bool,
    /// Chooses the reduce of a key.
    pub partitioner: Partitioner,
    /// Whether a Pipes program may choose the reduce itself.
    pub pipes_partitioner: bool,
    /// Sorts keys; none means the key type's own order.
    pub sort_comparator: Option<Comparator>,
    /// Groups keys; none means the sorting order.
    pub grouping_comparator: Option<Comparator>,
    /// Reduces; a job of no reduces may name anything.
    pub reducer: Reducer,
    /// Writes what maps of a job without reduces put out.
    pub map_output_format: OutputFormat,
    /// Writes what reduces put out.
    pub output_format: OutputFormat,
    /// Key type between map and reduce.
    pub map_output_key: DataType,
    /// Value type between map and reduce.
    pub map_output_value: DataType,
    /// Key type of the output.
    pub output_key: DataType,
    /// Value type of the output.
    pub output_value: DataType,
    /// Compresses map output.
    pub map_output_codec: Option<Codec>,
    /// Compresses the job's output.
    pub output_codec: Option<Codec>,
    /// What streaming commands speak.
    pub streams: Streams,
    /// Every class that was looked at.
    pub named: Vec<Named>,
}

/// What the commands of a streaming job read and write; a combiner's command as a reducer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streams {
    /// To a mapper.
    pub map_input: InputWriter,
    /// From a mapper.
    pub map_output: OutputReader,
    /// To a reducer.
    pub reduce_input: InputWriter,
    /// From a reducer.
    pub reduce_output: OutputReader,
}

/// Reads the plan of a job.
///
/// # Errors
/// The first key whose value has no twin.
pub fn plan(conf: &Lookup<'_>) -> Result<Plan, Reason> {
    let mut reader = Reader { conf, named: Vec::new() };
    let new_mapper = reader.flag(key::NEW_MAPPER);
    let new_reducer = reader.flag(key::NEW_REDUCER);
    let map_api = if new_mapper { Api::New } else { Api::Old };
    let reduce_api = if new_reducer { Api::New } else { Api::Old };
    let with_reduces = conf(key::REDUCES).is_none_or(|n| n.trim() != "0");

    let input_key = if new_mapper { key::NEW_INPUT_FORMAT } else { key::OLD_INPUT_FORMAT };
    let input_format = reader.twin(input_key, TEXT_INPUT, map_api, InputFormat::of_class)?;
    let map_runner = if new_mapper {
        MapRunner::Plain
    } else {
        reader.twin(key::MAP_RUNNER, PLAIN_RUNNER, Api::Old, MapRunner::of_class)?
    };
    let mapper_key = if new_mapper { key::NEW_MAPPER_CLASS } else { key::OLD_MAPPER };
    let mapper = match map_runner {
        MapRunner::Pipes => Mapper::Pipes,
        _ => reader.twin(mapper_key, IDENTITY_MAPPER, map_api, Mapper::of_class)?,
    };
    let reducer_key = if new_reducer { key::NEW_REDUCER_CLASS } else { key::OLD_REDUCER };
    let ((partitioner, pipes_partitioner), reducer, (combiner, new_combiner)) = if with_reduces {
        (
            reader.partitioner(map_api)?,
            reader.twin(reducer_key, IDENTITY_REDUCER, reduce_api, Reducer::of_class)?,
            reader.combiner()?,
        )
    } else {
        ((Partitioner::Hash, false), Reducer::Identity, (None, false))
    };
    let map_output_format = reader.output_format(map_api)?;
    let output_format = if with_reduces { reader.output_format(reduce_api)? } else { map_output_format };
    if !(new_mapper && new_reducer) {
        reader.twin(key::COMMITTER, FILE_COMMITTER, Api::Both, Committer::of_class)?;
    }

    let output_key = reader.data_type(key::OUT_KEY, DataType::Long)?;
    let output_value = reader.data_type(key::OUT_VALUE, DataType::Text)?;
    let map_output_key = reader.data_type(key::MAP_KEY, output_key)?;
    let map_output_value = reader.data_type(key::MAP_VALUE, output_value)?;
    let sort_comparator = reader.optional(key::SORT_COMPARATOR, Api::Both, Comparator::of_class)?;
    let grouping_comparator = reader.optional(key::GROUP_COMPARATOR, Api::Both, Comparator::of_class)?;

    let map_output_codec = reader.codec(key::COMPRESS_MAP_OUTPUT, key::MAP_OUTPUT_CODEC, DEFAULT_CODEC)?;
    let last = if with_reduces { output_format } else { map_output_format };
    let unnamed = if last == OutputFormat::Text { GZIP_CODEC } else { DEFAULT_CODEC };
    let output_codec = reader.codec(key::COMPRESS_OUTPUT, key::OUTPUT_CODEC, unnamed)?;
    let streams = reader.streams()?;
    reader.surroundings()?;

    let plan = Plan {
        new_mapper,
        new_reducer,
        with_reduces,
        input_format,
        map_runner,
        mapper,
        combiner,
        new_combiner,
        partitioner,
        pipes_partitioner,
        sort_comparator,
        grouping_comparator,
        reducer,
        map_output_format,
        output_format,
        map_output_key,
        map_output_value,
        output_key,
        output_value,
        map_output_codec,
        output_codec,
        streams,
        named: reader.named,
    };
    check_details(&plan, conf)?;
    Ok(plan)
}

/// The classes that setup and cleanup attempts need: output committers, which the new interface gets from the output
/// format. Such an attempt runs in a map or in a reduce slot, so both interfaces of a mixed job count.
///
/// Hadoop 1.2.1: Task.initialize.
pub(crate) fn committers(conf: &Lookup<'_>) -> Result<Vec<Named>, Reason> {
    let mut reader = Reader { conf, named: Vec::new() };
    let new = [reader.flag(key::NEW_MAPPER), reader.flag(key::NEW_REDUCER)];
    if new.contains(&true) {
        reader.output_format(Api::New)?;
    }
    if new.contains(&false) {
        reader.twin(key::COMMITTER, FILE_COMMITTER, Api::Old, Committer::of_class)?;
    }
    reader.optional(key::LOCAL_FS, Api::Both, FileSystem::of_class)?;
    reader.schemes()?;
    Ok(reader.named)
}

/// A default class: its old and its new name.
type Defaults = (&'static str, &'static str);

const TEXT_INPUT: Defaults =
    ("org.apache.hadoop.mapred.TextInputFormat", "org.apache.hadoop.mapreduce.lib.input.TextInputFormat");
const IDENTITY_MAPPER: Defaults = ("org.apache.hadoop.mapred.lib.IdentityMapper", "org.apache.hadoop.mapreduce.Mapper");
const IDENTITY_REDUCER: Defaults =
    ("org.apache.hadoop.mapred.lib.IdentityReducer", "org.apache.hadoop.mapreduce.Reducer");
const PLAIN_RUNNER: Defaults = ("org.apache.hadoop.mapred.MapRunner", "");
const HASH: Defaults =
    ("org.apache.hadoop.mapred.lib.HashPartitioner", "org.apache.hadoop.mapreduce.lib.partition.HashPartitioner");
/// Asks the program first and then another partitioner, which has its twin.
const PIPES_PARTITIONER: &str = "org.apache.hadoop.mapred.pipes.PipesPartitioner";
const TEXT_OUTPUT: Defaults =
    ("org.apache.hadoop.mapred.TextOutputFormat", "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat");
const FILE_COMMITTER: Defaults = ("org.apache.hadoop.mapred.FileOutputCommitter", "");
const DEFAULT_CODEC: Defaults =
    ("org.apache.hadoop.io.compress.DefaultCodec", "org.apache.hadoop.io.compress.DefaultCodec");
const GZIP_CODEC: Defaults = ("org.apache.hadoop.io.compress.GzipCodec", "org.apache.hadoop.io.compress.GzipCodec");

struct Reader<'a> {
    conf: &'a Lookup<'a>,
    named: Vec<Named>,
}

impl Reader<'_> {
    fn value(&self, key: &str) -> Option<String> {
        (self.conf)(key).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn flag(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| value == "true")
    }

    fn twin<T>(
        &mut self,
        key: &'static str,
        (old, new): Defaults,
        api: Api,
        find: fn(&str, Api) -> Option<T>,
    ) -> Result<T, Reason> {
        let class = self.value(key).unwrap_or_else(|| if api == Api::New { new } else { old }.to_owned());
        self.named.push(Named { key, class: class.clone() });
        find(&class, api).ok_or_else(|| no_twin(key, &class))
    }

    fn optional<T>(
        &mut self,
        key: &'static str,
        api: Api,
        find: fn(&str, Api) -> Option<T>,
    ) -> Result<Option<T>, Reason> {
        match self.value(key) {
            None => Ok(None),
            Some(class) => {
                self.named.push(Named { key, class: class.clone() });
                find(&class, api).map(Some).ok_or_else(|| no_twin(key, &class))
            }
        }
    }

    /// The partitioner, and whether a Pipes program is asked before it.
    fn partitioner(&mut self, api: Api) -> Result<(Partitioner, bool), Reason> {
        let key = if api == Api::New { key::NEW_PARTITIONER } else { key::OLD_PARTITIONER };
        let pipes = api == Api::Old && self.value(key).is_some_and(|class| class == PIPES_PARTITIONER);
        if pipes {
            self.named.push(Named { key, class: PIPES_PARTITIONER.to_owned() });
        }
        let key = if pipes { key::PIPES_PARTITIONER } else { key };
        Ok((self.twin(key, HASH, api, Partitioner::of_class)?, pipes))
    }

    /// Hadoop 1.2.1: Task.CombinerRunner.create asks for the old name first, whatever the mapper's interface.
    fn combiner(&mut self) -> Result<(Option<Reducer>, bool), Reason> {
        match self.optional(key::OLD_COMBINER, Api::Old, Reducer::of_class)? {
            Some(combiner) => Ok((Some(combiner), false)),
            None => Ok((self.optional(key::NEW_COMBINER, Api::New, Reducer::of_class)?, true)),
        }
    }

    fn output_format(&mut self, api: Api) -> Result<OutputFormat, Reason> {
        let key = if api == Api::New { key::NEW_OUTPUT_FORMAT } else { key::OLD_OUTPUT_FORMAT };
        self.twin(key, TEXT_OUTPUT, api, OutputFormat::of_class)
    }

    /// Only streaming's own jobs name these classes, whose jar is looked at by their other names.
    fn streams(&self) -> Result<Streams, Reason> {
        fn of<T>(class: Option<String>, key: &str, default: T, find: fn(&str, Api) -> Option<T>) -> Result<T, Reason> {
            class.map_or(Ok(default), |class| find(&class, Api::Old).ok_or_else(|| no_twin(key, &class)))
        }
        let writer = |key| of(self.value(key), key, InputWriter::Text, InputWriter::of_class);
        let reader = |key| of(self.value(key), key, OutputReader::Text, OutputReader::of_class);
        Ok(Streams {
            map_input: writer(key::STREAM_MAP_INPUT)?,
            map_output: reader(key::STREAM_MAP_OUTPUT)?,
            reduce_input: writer(key::STREAM_REDUCE_INPUT)?,
            reduce_output: reader(key::STREAM_REDUCE_OUTPUT)?,
        })
    }

    fn data_type(&mut self, key: &'static str, default: DataType) -> Result<DataType, Reason> {
        Ok(self.optional(key, Api::Both, DataType::of_class)?.unwrap_or(default))
    }

    fn codec(&mut self, switch: &str, key: &'static str, unnamed: Defaults) -> Result<Option<Codec>, Reason> {
        if !self.flag(switch) {
            return Ok(None);
        }
        self.twin(key, unnamed, Api::Both, Codec::of_class).map(Some)
    }

    /// Serializations, codecs of input files, path filter, sort algorithm and file systems.
    fn surroundings(&mut self) -> Result<(), Reason> {
        for class in self.list(key::SERIALIZATIONS) {
            self.named.push(Named { key: key::SERIALIZATIONS, class: class.clone() });
            Serialization::of_class(&class, Api::Both).ok_or_else(|| no_twin(key::SERIALIZATIONS, &class))?;
        }
        for class in self.list(key::CODECS) {
            self.named.push(Named { key: key::CODECS, class: class.clone() });
            Codec::of_class(&class, Api::Both).ok_or_else(|| no_twin(key::CODECS, &class))?;
        }
        self.optional(key::PATH_FILTER, Api::Both, PathFilter::of_class)?;
        if let Some(class) = self.value(key::SORT_CLASS)
            && !matches!(
                class.as_str(),
                "org.apache.hadoop.util.QuickSort"
                    | "org.apache.hadoop.util.MergeSort"
                    | "org.apache.hadoop.util.HeapSort"
            )
        {
            return Err(no_twin(key::SORT_CLASS, &class));
        }
        self.optional(key::LOCAL_FS, Api::Both, FileSystem::of_class)?;
        self.schemes()
    }

    fn list(&self, key: &str) -> Vec<String> {
        let list = self.value(key).unwrap_or_default();
        list.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    }

    /// Only local files can be read natively so far; a path without a scheme lies in the default file system.
    fn schemes(&self) -> Result<(), Reason> {
        let default = self.value(key::DEFAULT_FS).unwrap_or_else(|| "file:///".to_owned());
        let default = scheme_of(&default).unwrap_or("file").to_owned();
        let mut paths: Vec<(&str, String)> = vec![(key::DEFAULT_FS, format!("{default}:///"))];
        paths.extend(self.value(key::INPUT_PATHS).map(|list| (key::INPUT_PATHS, list)));
        paths.extend(self.value(key::OUTPUT_PATH).map(|path| (key::OUTPUT_PATH, path)));
        for (key, list) in paths {
            for path in list.split(',') {
                let scheme = scheme_of(path).unwrap_or(&default);
                if scheme != "file" {
                    return Err(format!("{key} names the file system {scheme}, which has no native twin"));
                }
            }
        }
        Ok(())
    }
}

fn scheme_of(path: &str) -> Option<&str> {
    let (scheme, _) = path.trim().split_once(':')?;
    (!scheme.is_empty() && !scheme.contains('/')).then_some(scheme)
}

fn no_twin(key: &str, class: &str) -> Reason {
    format!("{key} is {class}, which has no native twin")
}

/// Streaming's reader of what stands between two marks.
const XML_READER: &str = "org.apache.hadoop.streaming.StreamXmlRecordReader";

/// What a twin needs beyond its name.
fn check_details(plan: &Plan, conf: &Lookup<'_>) -> Result<(), Reason> {
    if plan.mapper == Mapper::Regex {
        let pattern = conf(key::REGEX).ok_or_else(|| format!("{} is not set", key::REGEX))?;
        let group = conf(key::REGEX_GROUP).unwrap_or_else(|| "0".to_owned());
        let group = group.trim().parse().map_err(|_| format!("{} is {group}, not a number", key::REGEX_GROUP))?;
        java_regex::compile(&pattern, group).map_err(|why| format!("{} is {pattern}: {why}", key::REGEX))?;
    }
    if plan.input_format == InputFormat::Stream
        && let Some(class) = conf(key::STREAM_RECORD_READER)
        && !class.contains("LineRecordReader")
    {
        if class.trim() != XML_READER {
            return Err(no_twin(key::STREAM_RECORD_READER, &class));
        }
        if conf(key::STREAM_SLOW_MATCH).is_some_and(|value| value.trim() == "true") {
            return Err(format!("{} is true, and its patterns are Java's", key::STREAM_SLOW_MATCH));
        }
    }
    if (plan.map_runner == MapRunner::Streaming) != (plan.mapper == Mapper::Streaming) {
        return Err(format!("{} and {} do not fit", key::MAP_RUNNER, key::OLD_MAPPER));
    }
    if plan.mapper == Mapper::Streaming && conf(key::MAP_COMMAND).is_none() {
        return Err(format!("{} is not set", key::MAP_COMMAND));
    }
    let described = conf(key::AGGREGATOR_DESCRIPTORS).is_some_and(|number| !matches!(number.trim(), "" | "0"));
    if plan.reducer == Reducer::Aggregate && described {
        return Err(format!("{} is set, and descriptors are classes of the job", key::AGGREGATOR_DESCRIPTORS));
    }
    check_pipes(plan, conf)?;
    check_own(plan, conf)?;
    crate::flow::check(plan)
}

/// Parts of the job's own executable need one, which is the job's mapper then: it cannot be the child of another's.
fn check_own(plan: &Plan, conf: &Lookup<'_>) -> Result<(), Reason> {
    let parts = [Some(plan.reducer), plan.combiner];
    let own = plan.mapper == Mapper::Own
        || [Reducer::Own, Reducer::OwnCombiner].iter().any(|part| parts.contains(&Some(*part)));
    match (own, is_own(conf)) {
        (true, false) => Err(format!("{} is not set, and the job names parts of an executable", key::EXECUTABLE)),
        (false, true) => Err(format!("{} is set, and the job names no part of it", key::EXECUTABLE)),
        _ => Ok(()),
    }
}

/// Whether the job has its own executable, which no JVM can take the place of.
pub(crate) fn is_own(conf: &Lookup<'_>) -> bool {
    conf(key::EXECUTABLE).is_some_and(|name| !name.trim().is_empty())
}

/// A program that reads its splits by itself gets them as they were stored, so that their length must be known.
fn check_pipes(plan: &Plan, conf: &Lookup<'_>) -> Result<(), Reason> {
    let reads_itself = plan.input_format == InputFormat::PipesNonJava;
    let java_reads = conf(key::PIPES_JAVA_READER).is_some_and(|value| value.trim() == "true");
    if reads_itself && (plan.mapper != Mapper::Pipes || java_reads)
        || plan.mapper == Mapper::Pipes && !reads_itself && !java_reads
    {
        return Err(format!("{} and {} do not fit", key::PIPES_JAVA_READER, key::OLD_INPUT_FORMAT));
    }
    if reads_itself
        && let Some(class) = conf(key::PIPES_INPUT_FORMAT)
        && !FILE_SPLITS.contains(&class.trim())
    {
        return Err(no_twin(key::PIPES_INPUT_FORMAT, &class));
    }
    Ok(())
}

/// Input formats whose splits are pieces of files.
const FILE_SPLITS: &[&str] = &[
    "org.apache.hadoop.mapred.TextInputFormat",
    "org.apache.hadoop.mapred.KeyValueTextInputFormat",
    "org.apache.hadoop.mapred.SequenceFileInputFormat",
    "org.apache.hadoop.mapred.SequenceFileAsTextInputFormat",
    "org.apache.hadoop.mapred.SequenceFileAsBinaryInputFormat",
    "org.apache.hadoop.mapred.lib.NLineInputFormat",
];
