//! `pipes`: jobs whose mapper and reducer is a program that speaks the Pipes protocol (Hadoop 1.2.1:
//! mapred.pipes.Submitter). Classes are Hadoop's own: those of a job's jar need Java's client.

use configuration::{Configuration, Key, keys};
use storage::Path;
use types::JobState;

use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::{self, LOGGER as JOB_LOGGER};
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::submission;

/// The name under which Hadoop's client of pipes logs.
const LOGGER: &str = "pipes.Submitter";

const USAGE: &str = "\
bin/hadoop pipes
  [-input <path>] // Input directory
  [-output <path>] // Output directory
  [-jar <jar file> // jar filename
  [-inputformat <class>] // InputFormat class
  [-map <class>] // Java Map class
  [-partitioner <class>] // Java Partitioner
  [-reduce <class>] // Java Reduce class
  [-writer <class>] // Java RecordWriter
  [-program <executable>] // executable URI
  [-reduces <num>] // number of reduces
";

const OPTIONS: [&str; 11] = [
    "-input",
    "-output",
    "-jar",
    "-inputformat",
    "-map",
    "-partitioner",
    "-reduce",
    "-writer",
    "-program",
    "-reduces",
    "-jobconf",
];

const PACKAGE: &str = "org.apache.hadoop.mapred.pipes.";
const TEXT: &str = "org.apache.hadoop.io.Text";
const NULL_OUTPUT: &str = "org.apache.hadoop.mapred.lib.NullOutputFormat";
const DEBUG_SCRIPT: &str = "$HADOOP_HOME/src/c++/pipes/debug/pipes-default-script";

/// Runs the command.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    if args.is_empty() {
        print_usage(console);
        return Ok(1);
    }
    let (session, args) = Session::open(args)?;
    let options = match parse(args) {
        Ok(options) => options,
        Err(problem) => {
            console.info(LOGGER, format_args!("Error : org.apache.commons.cli.{problem}"));
            print_usage(console);
            return Ok(1);
        }
    };
    let mut conf = session.conf.clone();
    submission::set_working_directory(&session, &mut conf);
    for (name, value) in &options {
        apply(name, value, &session, &mut conf, console)?;
    }
    set_up(&mut conf)?;
    let tracker = JobTracker::connect(&session)?;
    let profile = submission::submit(&session, &tracker, &mut conf, console)?;
    let status = monitor::monitor(&tracker, &conf, &profile.job, console)?;
    if status.state != JobState::Succeeded {
        console.info(JOB_LOGGER, format_args!("Job Failed: {}", status.failure_info));
        return Err(CliError::io("Job failed!"));
    }
    Ok(0)
}

fn print_usage(console: &mut Console<'_>) {
    console.out(USAGE);
    console.out_raw(GENERIC_USAGE);
}

/// The options in the order in which Hadoop looks at them, each once with the value it was given first; words that
/// belong to no option are ignored.
fn parse(args: &[String]) -> Result<Vec<(&'static str, &str)>, String> {
    let mut found: [Option<&str>; OPTIONS.len()] = [None; OPTIONS.len()];
    let mut words = args.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            continue;
        }
        let at = OPTIONS.iter().position(|option| *option == word);
        let at = at.ok_or_else(|| format!("UnrecognizedOptionException: Unrecognized option: {word}"))?;
        let value = words.next().filter(|value| !OPTIONS.contains(value));
        let value =
            value.ok_or_else(|| format!("MissingArgumentException: Missing argument for option: {}", &word[1..]))?;
        found[at].get_or_insert(value);
    }
    Ok(OPTIONS.into_iter().zip(found).filter_map(|(option, value)| Some((option, value?))).collect())
}

fn apply(
    option: &str,
    value: &str,
    session: &Session,
    conf: &mut Configuration,
    console: &mut Console<'_>,
) -> Result<(), CliError> {
    match option {
        "-input" => {
            conf.unset(keys::MAPRED_INPUT_DIR.name());
            submission::add_old_input(session, conf, value)?;
        }
        "-output" => {
            let dir = session.storage.default_file_system().working_directory().resolve(&Path::parse(value)?);
            conf.set_key(&keys::MAPRED_OUTPUT_DIR, dir);
        }
        "-jar" => conf.set_key(&keys::MAPRED_JAR, value),
        "-inputformat" => {
            conf.set_key(&keys::HADOOP_PIPES_JAVA_RECORDREADER, true);
            set_class(conf, &keys::MAPRED_INPUT_FORMAT_CLASS, value)?;
        }
        "-map" => {
            conf.set_key(&keys::HADOOP_PIPES_JAVA_MAPPER, true);
            set_class(conf, &keys::MAPRED_MAPPER_CLASS, value)?;
        }
        "-partitioner" => set_class(conf, &keys::MAPRED_PARTITIONER_CLASS, value)?,
        "-reduce" => {
            conf.set_key(&keys::HADOOP_PIPES_JAVA_REDUCER, true);
            set_class(conf, &keys::MAPRED_REDUCER_CLASS, value)?;
        }
        "-reduces" => conf.set_key(&keys::MAPRED_REDUCE_TASKS, number(value)?),
        "-writer" => {
            conf.set_key(&keys::HADOOP_PIPES_JAVA_RECORDWRITER, true);
            set_class(conf, &keys::MAPRED_OUTPUT_FORMAT_CLASS, value)?;
        }
        "-program" => conf.set_key(&keys::HADOOP_PIPES_EXECUTABLE, value),
        _ => {
            console.warn(LOGGER, "-jobconf option is deprecated, please use -D instead.");
            for pair in value.split(',').filter(|pair| !pair.is_empty()) {
                let (name, value) = pair.trim().split_once('=').ok_or_else(|| {
                    CliError::java("java.lang.ArrayIndexOutOfBoundsException", "Index 1 out of bounds for length 1")
                })?;
                conf.set(name, value);
            }
        }
    }
    Ok(())
}

fn number(value: &str) -> Result<i32, CliError> {
    let message = || format!("For input string: \"{value}\"");
    value.parse().map_err(|_| CliError::java("java.lang.NumberFormatException", message()))
}

/// Quirk: Hadoop looks for classes before it looks at the job's jar, so that only Hadoop's own are found.
fn set_class(conf: &mut Configuration, key: &Key<String>, class: &str) -> Result<(), CliError> {
    if !class.starts_with("org.apache.hadoop.") {
        return Err(CliError::java("java.lang.ClassNotFoundException", class));
    }
    conf.set_key(key, class);
    Ok(())
}

/// What the options mean for the job (Hadoop 1.2.1: Submitter.setupPipesJob).
fn set_up(conf: &mut Configuration) -> Result<(), CliError> {
    let java_mapper = conf.get(&keys::HADOOP_PIPES_JAVA_MAPPER)?;
    if !java_mapper {
        conf.set_key(&keys::MAPRED_MAP_RUNNER_CLASS, format!("{PACKAGE}PipesMapRunner"));
        let partitioner = conf.get(&keys::MAPRED_PARTITIONER_CLASS)?;
        conf.set_key(&keys::HADOOP_PIPES_PARTITIONER, partitioner);
        conf.set_key(&keys::MAPRED_PARTITIONER_CLASS, format!("{PACKAGE}PipesPartitioner"));
    }
    if !conf.get(&keys::HADOOP_PIPES_JAVA_REDUCER)? {
        conf.set_key(&keys::MAPRED_REDUCER_CLASS, format!("{PACKAGE}PipesReducer"));
        if !conf.get(&keys::HADOOP_PIPES_JAVA_RECORDWRITER)? {
            conf.set_key(&keys::MAPRED_OUTPUT_FORMAT_CLASS, NULL_OUTPUT);
        }
    }
    for key in [
        &keys::MAPRED_MAPOUTPUT_KEY_CLASS,
        &keys::MAPRED_MAPOUTPUT_VALUE_CLASS,
        &keys::MAPRED_OUTPUT_KEY_CLASS,
        &keys::MAPRED_OUTPUT_VALUE_CLASS,
    ] {
        set_if_unset(conf, key, TEXT);
    }
    if !java_mapper && !conf.get(&keys::HADOOP_PIPES_JAVA_RECORDREADER)? {
        let format = conf.get(&keys::MAPRED_INPUT_FORMAT_CLASS)?;
        conf.set_key(&keys::MAPRED_PIPES_USER_INPUTFORMAT, format);
        conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, submission::PIPES_NON_JAVA);
    }
    let program = conf.get_optional(&keys::HADOOP_PIPES_EXECUTABLE)?;
    let program = program
        .ok_or_else(|| CliError::java("java.lang.IllegalArgumentException", "No application program defined."))?;
    if program.contains('#') {
        conf.set_key(&keys::MAPRED_CREATE_SYMLINK, "yes");
        set_if_unset(conf, &keys::MAPRED_MAP_TASK_DEBUG_SCRIPT, DEBUG_SCRIPT);
        set_if_unset(conf, &keys::MAPRED_REDUCE_TASK_DEBUG_SCRIPT, DEBUG_SCRIPT);
    }
    // The program is the first of the cache's files: by that the task knows it.
    let others = conf.get_optional(&keys::MAPRED_CACHE_FILES)?.unwrap_or_default();
    let files: Vec<String> = std::iter::once(program).chain(others).collect();
    conf.set_key(&keys::MAPRED_CACHE_FILES, files.join(","));
    Ok(())
}

fn set_if_unset(conf: &mut Configuration, key: &Key<String>, value: &str) {
    if !conf.is_set(key) {
        conf.set_key(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn built(line: &str) -> Result<Configuration, CliError> {
        let session = Session::of_configuration(Configuration::new())?;
        let args = words(line);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut out, &mut err);
        let mut conf = Configuration::new();
        for (option, value) in parse(&args).unwrap() {
            apply(option, value, &session, &mut conf, &mut console)?;
        }
        set_up(&mut conf)?;
        Ok(conf)
    }

    #[test]
    fn a_program_alone_reads_and_writes_by_itself() {
        let conf = built("-input /in -output /out -program /bin/wc -reduces 3").unwrap();
        assert_eq!(conf.get(&keys::MAPRED_MAP_RUNNER_CLASS).unwrap(), "org.apache.hadoop.mapred.pipes.PipesMapRunner");
        assert_eq!(conf.get(&keys::MAPRED_REDUCER_CLASS).unwrap(), "org.apache.hadoop.mapred.pipes.PipesReducer");
        assert_eq!(
            conf.get(&keys::MAPRED_PARTITIONER_CLASS).unwrap(),
            "org.apache.hadoop.mapred.pipes.PipesPartitioner"
        );
        assert_eq!(conf.get(&keys::HADOOP_PIPES_PARTITIONER).unwrap(), "org.apache.hadoop.mapred.lib.HashPartitioner");
        assert_eq!(
            conf.get(&keys::MAPRED_INPUT_FORMAT_CLASS).unwrap(),
            "org.apache.hadoop.mapred.pipes.PipesNonJavaInputFormat"
        );
        assert_eq!(conf.get(&keys::MAPRED_PIPES_USER_INPUTFORMAT).unwrap(), "org.apache.hadoop.mapred.TextInputFormat");
        assert_eq!(conf.get(&keys::MAPRED_OUTPUT_FORMAT_CLASS).unwrap(), NULL_OUTPUT);
        assert_eq!(conf.get(&keys::MAPRED_MAPOUTPUT_KEY_CLASS).unwrap(), TEXT);
        assert_eq!(conf.raw(keys::MAPRED_CACHE_FILES.name()), Some("/bin/wc"));
        assert_eq!(conf.get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 3);
        assert!(!conf.is_set(&keys::MAPRED_MAP_TASK_DEBUG_SCRIPT));
    }

    #[test]
    fn java_classes_take_the_programs_place() {
        let text = "org.apache.hadoop.mapred.TextInputFormat";
        let conf = built(&format!(
            "-inputformat {text} -map org.apache.hadoop.mapred.lib.IdentityMapper -writer \
             org.apache.hadoop.mapred.TextOutputFormat -program /bin/wc#wc -jobconf a=b,c=d=e"
        ))
        .unwrap();
        assert_eq!(conf.get(&keys::MAPRED_INPUT_FORMAT_CLASS).unwrap(), text);
        assert!(!conf.is_set(&keys::MAPRED_MAP_RUNNER_CLASS) && !conf.is_set(&keys::HADOOP_PIPES_PARTITIONER));
        assert_eq!(conf.get(&keys::MAPRED_OUTPUT_FORMAT_CLASS).unwrap(), "org.apache.hadoop.mapred.TextOutputFormat");
        assert_eq!((conf.raw("a"), conf.raw("c")), (Some("b"), Some("d=e")));
        assert_eq!(conf.raw(keys::MAPRED_MAP_TASK_DEBUG_SCRIPT.name()), Some(DEBUG_SCRIPT));
    }

    #[test]
    fn bad_words_are_refused_as_hadoop_refuses_them() {
        for (line, problem) in [
            ("-foo", "UnrecognizedOptionException: Unrecognized option: -foo"),
            ("-input", "MissingArgumentException: Missing argument for option: input"),
        ] {
            assert_eq!(parse(&words(line)).unwrap_err(), problem);
        }
        for (line, problem) in [
            ("-input a", "java.lang.IllegalArgumentException: No application program defined."),
            ("-reduces x", "java.lang.NumberFormatException: For input string: \"x\""),
            ("-map no.such.Class", "java.lang.ClassNotFoundException: no.such.Class"),
            ("-jobconf a", "java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1"),
        ] {
            assert_eq!(built(line).unwrap_err().to_string(), problem);
        }
    }
}
