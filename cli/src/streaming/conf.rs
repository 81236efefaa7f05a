//! The job that streaming's options describe (Hadoop 1.2.1: StreamJob.setJobConf, postProcessArgs).

use std::path::{Path as LocalPath, PathBuf};

use configuration::{Configuration, Key, keys};
use storage::Path;
use twins::{Api, Mapper, OutputFormat, Partitioner, Reducer};
use wire::history::url_encode;

use super::options::Options;
use crate::error::CliError;
use crate::session::Session;
use crate::submission;

const PACKAGE: &str = "org.apache.hadoop.streaming.";
const TEXT_INPUT: &str = "org.apache.hadoop.mapred.TextInputFormat";
const STREAM_INPUT: &str = "org.apache.hadoop.streaming.StreamInputFormat";
const SEQUENCE_FILE_AS_TEXT: &str = "org.apache.hadoop.mapred.SequenceFileAsTextInputFormat";
const TEXT_OUTPUT: &str = "org.apache.hadoop.mapred.TextOutputFormat";
const XML_READER: &str = "org.apache.hadoop.streaming.StreamXmlRecordReader";
const NO_REDUCER: &str = "NONE";

/// What one end of a pipe speaks (Hadoop 1.2.1: streaming.io.IdentifierResolver).
struct Format {
    writer: &'static str,
    reader: &'static str,
    class: &'static str,
}

/// Names by which `-io` and the `stream.*` keys call formats; any other name means text.
fn format_of(name: &str) -> Format {
    match name.to_ascii_lowercase().as_str() {
        "rawbytes" => Format {
            writer: "org.apache.hadoop.streaming.io.RawBytesInputWriter",
            reader: "org.apache.hadoop.streaming.io.RawBytesOutputReader",
            class: "org.apache.hadoop.io.BytesWritable",
        },
        "typedbytes" => Format {
            writer: "org.apache.hadoop.streaming.io.TypedBytesInputWriter",
            reader: "org.apache.hadoop.streaming.io.TypedBytesOutputReader",
            class: "org.apache.hadoop.typedbytes.TypedBytesWritable",
        },
        _ => Format {
            writer: "org.apache.hadoop.streaming.io.TextInputWriter",
            reader: "org.apache.hadoop.streaming.io.TextOutputReader",
            class: "org.apache.hadoop.io.Text",
        },
    }
}

/// Builds the job; the session's own configuration takes what options say of the cluster.
pub(super) fn build(session: &mut Session, options: &Options) -> Result<Configuration, CliError> {
    adjust_session(session, options)?;
    let mut conf = session.conf.clone();
    submission::set_working_directory(session, &mut conf);
    for input in &options.inputs {
        submission::add_old_input(session, &mut conf, input)?;
    }
    conf.set_key(&keys::STREAM_NUMINPUTSPECS, options.inputs.len());
    conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, input_format(options)?);
    set_formats(&mut conf, options)?;
    conf.set_key(&keys::STREAM_ADDENVIRONMENT, options.environment.join(" "));
    set_commands(&mut conf, options);
    set_input_reader(&mut conf, options)?;
    let output = session.storage.default_file_system().working_directory().resolve(&Path::parse(&options.output)?);
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, output);
    conf.set_key(&keys::MAPRED_OUTPUT_FORMAT_CLASS, output_format(options)?);
    if let Some(name) = &options.partitioner {
        let class = find(name, |class| Partitioner::of_class(class, Api::Old).is_some());
        conf.set_key(&keys::MAPRED_PARTITIONER_CLASS, class.ok_or_else(|| not_found("-partitioner :", name))?);
    }
    set_reduces(&mut conf, options)?;
    set_debug_scripts(&mut conf, options);
    ship(&mut conf, options)?;
    if conf.get(&keys::MAPRED_JOB_NAME)?.is_empty() {
        conf.set_key(&keys::MAPRED_JOB_NAME, "streamjob");
    }
    Ok(conf)
}

fn adjust_session(session: &mut Session, options: &Options) -> Result<(), CliError> {
    let mut conf = session.conf.clone();
    if let Some(file) = &options.conf_file {
        conf.add_file(LocalPath::new(file))?;
    }
    if let Some(fs) = &options.default_fs {
        conf.set_key(&keys::FS_DEFAULT_NAME, fs);
    }
    if let Some(job_tracker) = &options.job_tracker {
        conf.set_key(&keys::MAPRED_JOB_TRACKER, job_tracker);
    }
    for (name, value) in &options.properties {
        conf.set(name, value);
    }
    *session = Session::of_configuration(conf)?;
    Ok(())
}

fn not_found(what: &str, class: &str) -> CliError {
    CliError::java("java.lang.IllegalArgumentException", format!("{what} class not found : {class}"))
}

/// A class by its name, or by its name in streaming's own package, if it has a twin.
fn find(name: &str, has_twin: impl Fn(&str) -> bool) -> Option<String> {
    [name.to_owned(), format!("{PACKAGE}{name}")].into_iter().find(|class| has_twin(class))
}

/// Quirk: key-value text and plain SequenceFiles become streaming's own format, which reads key-value text (Hadoop
/// 1.2.1: StreamJob.setJobConf leaves the format unset in both branches).
fn input_format(options: &Options) -> Result<String, CliError> {
    let Some(name) = &options.input_format else {
        let class = if options.input_reader.is_none() { TEXT_INPUT } else { STREAM_INPUT };
        return Ok(class.to_owned());
    };
    let simple = name.strip_prefix("org.apache.hadoop.mapred.").unwrap_or(name);
    match simple {
        "TextInputFormat" => Ok(TEXT_INPUT.to_owned()),
        "KeyValueTextInputFormat" | "SequenceFileInputFormat" => Ok(STREAM_INPUT.to_owned()),
        "SequenceFileAsTextInputFormat" => Ok(SEQUENCE_FILE_AS_TEXT.to_owned()),
        _ => find(name, |class| submission::splitting_of(class).is_some())
            .ok_or_else(|| not_found("-inputformat :", name)),
    }
}

fn output_format(options: &Options) -> Result<String, CliError> {
    match &options.output_format {
        None => Ok(TEXT_OUTPUT.to_owned()),
        Some(name) => find(name, |class| OutputFormat::of_class(class, Api::Old).is_some())
            .ok_or_else(|| not_found("-outputformat :", name)),
    }
}

fn set_formats(conf: &mut Configuration, options: &Options) -> Result<(), CliError> {
    let ends: [&Key<String>; 4] =
        [&keys::STREAM_MAP_INPUT, &keys::STREAM_MAP_OUTPUT, &keys::STREAM_REDUCE_INPUT, &keys::STREAM_REDUCE_OUTPUT];
    if let Some(io) = &options.io {
        for end in ends {
            conf.set_key(end, io);
        }
    }
    let [map_input, map_output, reduce_input, reduce_output] = ends;
    conf.set_key(&keys::STREAM_MAP_INPUT_WRITER_CLASS, format_of(&conf.get(map_input)?).writer);
    conf.set_key(&keys::STREAM_REDUCE_INPUT_WRITER_CLASS, format_of(&conf.get(reduce_input)?).writer);
    let map = format_of(&conf.get(map_output)?);
    conf.set_key(&keys::STREAM_MAP_OUTPUT_READER_CLASS, map.reader);
    conf.set_key(&keys::MAPRED_MAPOUTPUT_KEY_CLASS, map.class);
    conf.set_key(&keys::MAPRED_MAPOUTPUT_VALUE_CLASS, map.class);
    let reduce = format_of(&conf.get(reduce_output)?);
    conf.set_key(&keys::STREAM_REDUCE_OUTPUT_READER_CLASS, reduce.reader);
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, reduce.class);
    conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, reduce.class);
    Ok(())
}

fn set_commands(conf: &mut Configuration, options: &Options) {
    let shipped: Vec<PathBuf> = options.files.iter().filter_map(|file| std::fs::canonicalize(file).ok()).collect();
    let local = |command: &Option<String>| command.as_ref().map(|command| as_shipped(command, &shipped));
    if let Some(mapper) = local(&options.mapper) {
        match find(&mapper, |class| Mapper::of_class(class, Api::Old).is_some()) {
            Some(class) => conf.set_key(&keys::MAPRED_MAPPER_CLASS, class),
            None => {
                conf.set_key(&keys::MAPRED_MAPPER_CLASS, format!("{PACKAGE}PipeMapper"));
                conf.set_key(&keys::MAPRED_MAP_RUNNER_CLASS, format!("{PACKAGE}PipeMapRunner"));
                conf.set_key(&keys::STREAM_MAP_STREAMPROCESSOR, url_encode(&mapper));
            }
        }
    }
    if let Some(combiner) = local(&options.combiner) {
        match reducer_class(&combiner) {
            Some(class) => conf.set_key(&keys::MAPRED_COMBINER_CLASS, class),
            None => {
                conf.set_key(&keys::MAPRED_COMBINER_CLASS, format!("{PACKAGE}PipeCombiner"));
                conf.set_key(&keys::STREAM_COMBINE_STREAMPROCESSOR, url_encode(&combiner));
            }
        }
    }
    let Some(reducer) = local(&options.reducer) else { return };
    if reducer.eq_ignore_ascii_case("aggregate") {
        let package = "org.apache.hadoop.mapred.lib.aggregate.";
        conf.set_key(&keys::MAPRED_REDUCER_CLASS, format!("{package}ValueAggregatorReducer"));
        conf.set_key(&keys::MAPRED_COMBINER_CLASS, format!("{package}ValueAggregatorCombiner"));
        return;
    }
    match reducer_class(&reducer) {
        Some(class) => conf.set_key(&keys::MAPRED_REDUCER_CLASS, class),
        None => {
            conf.set_key(&keys::MAPRED_REDUCER_CLASS, format!("{PACKAGE}PipeReducer"));
            conf.set_key(&keys::STREAM_REDUCE_STREAMPROCESSOR, url_encode(&reducer));
        }
    }
}

fn reducer_class(name: &str) -> Option<String> {
    find(name, |class| Reducer::of_class(class, Api::Old).is_some())
}

/// A command whose program goes along with the job is called by its plain name, as the task finds it.
fn as_shipped(command: &str, shipped: &[PathBuf]) -> String {
    let (program, arguments) = match command.split_once(' ') {
        Some((program, arguments)) => (program, Some(arguments)),
        None => (command, None),
    };
    let is_shipped = std::fs::canonicalize(program).is_ok_and(|path| shipped.contains(&path));
    let name = LocalPath::new(program).file_name().filter(|_| is_shipped);
    match (name, arguments) {
        (None, _) => command.to_owned(),
        (Some(name), None | Some("")) => name.to_string_lossy().into_owned(),
        (Some(name), Some(arguments)) => format!("{} {arguments}", name.to_string_lossy()),
    }
}

fn set_input_reader(conf: &mut Configuration, options: &Options) -> Result<(), CliError> {
    let Some(spec) = &options.input_reader else { return Ok(()) };
    let mut parts = spec.split(',');
    let name = parts.next().unwrap_or_default();
    let class = find(name, |class| class == XML_READER).ok_or_else(|| {
        CliError::java("java.lang.IllegalArgumentException", format!("-inputreader: class not found: {name}"))
    })?;
    conf.set_key(&keys::STREAM_RECORDREADER_CLASS, class);
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        conf.set(keys::STREAM_RECORDREADER.name_for(name), value);
    }
    Ok(())
}

fn set_reduces(conf: &mut Configuration, options: &Options) -> Result<(), CliError> {
    if let Some(reduces) = &options.reduces {
        let number: i32 = reduces.parse().map_err(|_| {
            let message = format!("-numReduceTasks is \"{reduces}\"; expected a whole number");
            CliError::java("java.lang.NumberFormatException", message)
        })?;
        conf.set_key(&keys::MAPRED_REDUCE_TASKS, number);
    }
    if options.reducer.as_deref() == Some(NO_REDUCER) {
        conf.set_key(&keys::MAPRED_REDUCE_TASKS, 0);
    }
    Ok(())
}

fn set_debug_scripts(conf: &mut Configuration, options: &Options) {
    if let Some(script) = &options.map_debug {
        conf.set_key(&keys::MAPRED_MAP_TASK_DEBUG_SCRIPT, script);
    }
    if let Some(script) = &options.reduce_debug {
        conf.set_key(&keys::MAPRED_REDUCE_TASK_DEBUG_SCRIPT, script);
    }
}

/// Hands files to the distributed cache, each with a link in the task's directory.
fn ship(conf: &mut Configuration, options: &Options) -> Result<(), CliError> {
    let files = options.files.iter().map(|file| {
        let path = std::fs::canonicalize(file).unwrap_or_else(|_| file.into());
        let name = LocalPath::new(file).file_name().unwrap_or_default().to_string_lossy();
        format!("{}#{name}", Path::local(path))
    });
    let all: Vec<String> = conf.get_optional(&keys::TMPFILES)?.unwrap_or_default().into_iter().chain(files).collect();
    if !all.is_empty() {
        conf.set_key(&keys::TMPFILES, all.join(","));
    }
    conf.set_key(&keys::MAPRED_CREATE_SYMLINK, "yes");
    if !options.cache_files.is_empty() {
        conf.set_key(&keys::MAPRED_CACHE_FILES, options.cache_files.join(","));
    }
    if !options.cache_archives.is_empty() {
        conf.set_key(&keys::MAPRED_CACHE_ARCHIVES, options.cache_archives.join(","));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(options: Options) -> Result<Configuration, CliError> {
        let mut session = Session::of_configuration(Configuration::new())?;
        build(&mut session, &Options { inputs: vec!["/in".into()], output: "/out".into(), ..options })
    }

    #[test]
    fn commands_and_classes_are_told_apart() {
        let conf = built(Options {
            mapper: Some("/bin/grep -v 'a b'".into()),
            reducer: Some("org.apache.hadoop.mapred.lib.LongSumReducer".into()),
            ..Options::default()
        })
        .unwrap();
        assert_eq!(conf.get(&keys::MAPRED_MAPPER_CLASS).unwrap(), "org.apache.hadoop.streaming.PipeMapper");
        assert_eq!(conf.get(&keys::STREAM_MAP_STREAMPROCESSOR).unwrap(), "%2Fbin%2Fgrep+-v+%27a+b%27");
        assert_eq!(conf.get(&keys::MAPRED_REDUCER_CLASS).unwrap(), "org.apache.hadoop.mapred.lib.LongSumReducer");
        assert!(!conf.is_set(&keys::STREAM_REDUCE_STREAMPROCESSOR));
        assert_eq!(conf.get(&keys::MAPRED_OUTPUT_DIR).unwrap(), "file:/out");
        assert_eq!(conf.raw(keys::MAPRED_INPUT_DIR.name()), Some("file:/in"));
    }

    #[test]
    fn no_reducer_means_no_reduces() {
        let conf = built(Options { reducer: Some("NONE".into()), reduces: Some("3".into()), ..Options::default() });
        assert_eq!(conf.unwrap().get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 0);
    }

    #[test]
    fn unknown_classes_are_refused_as_recorded() {
        let error = built(Options { input_format: Some("no.such.Format".into()), ..Options::default() }).unwrap_err();
        assert_eq!(error.message(), "-inputformat : class not found : no.such.Format");
        for name in ["KeyValueTextInputFormat", "org.apache.hadoop.mapred.SequenceFileInputFormat"] {
            let conf = built(Options { input_format: Some(name.into()), ..Options::default() }).unwrap();
            assert_eq!(conf.get(&keys::MAPRED_INPUT_FORMAT_CLASS).unwrap(), STREAM_INPUT);
        }
    }

    #[test]
    fn shipped_programs_are_called_by_their_plain_names() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("map.sh");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        let script = script.to_string_lossy().into_owned();
        let conf =
            built(Options { mapper: Some(format!("{script} -x")), files: vec![script.clone()], ..Options::default() })
                .unwrap();
        assert_eq!(conf.get(&keys::STREAM_MAP_STREAMPROCESSOR).unwrap(), "map.sh+-x");
        let files = conf.get_optional(&keys::TMPFILES).unwrap().unwrap();
        assert!(files[0].starts_with("file:/") && files[0].ends_with("/map.sh#map.sh"), "{files:?}");
    }
}
