//! `native EXECUTABLE`: submits a job that is written in Rust. The executable tells what job it is; it travels in the
//! distributed cache and is the child of the job's attempts.

use std::io::Read;
use std::path::{Path as LocalPath, PathBuf};
use std::process::{Command, Stdio};

use configuration::{Configuration, keys};
use storage::Path;
use types::JobState;

use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::monitor::{self, LOGGER};
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::submission;

const USAGE: &str = "\
Usage: hadoop native [generic options] EXECUTABLE -input PATH [-input PATH ...] -output DIR [options]
  EXECUTABLE             a job that is written in Rust (docs/native.md)
  -input PATH            file, directory or glob that the maps read
  -output DIR            directory of the output; must not exist
  -reduces N             number of reduces
  -inputformat CLASS     input format with a native twin; text lines if not given
  -outputformat CLASS    output format with a native twin; text lines if not given
";

/// What an executable is asked with, and answers with the configuration of its job.
const DESCRIBE: &str = "--job-configuration";
/// The most that it may answer.
const ANSWER_LEN_MAX: u64 = 1 << 20;

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    executable: String,
    inputs: Vec<String>,
    output: String,
    reduces: Option<u32>,
    input_format: Option<String>,
    output_format: Option<String>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut args = args.iter();
        options.executable = args.next().cloned().ok_or("no EXECUTABLE is given")?;
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("{name} needs a value"))?.clone();
            match name.as_str() {
                "-input" => options.inputs.push(value),
                "-output" => options.output = value,
                "-reduces" => {
                    let number =
                        value.parse().map_err(|_| format!("-reduces is {value:?}; expected a whole number"))?;
                    options.reduces = Some(number);
                }
                "-inputformat" => options.input_format = Some(value),
                "-outputformat" => options.output_format = Some(value),
                other => return Err(format!("{other} is no option")),
            }
        }
        match (options.inputs.is_empty(), options.output.is_empty()) {
            (true, _) => Err("no -input is given".to_owned()),
            (_, true) => Err("no -output is given".to_owned()),
            _ => Ok(options),
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (mut session, args) = Session::open(args)?;
    let options = match Options::parse(args) {
        Ok(options) => options,
        Err(problem) => {
            console.err(format_args!("hadoop native: {problem}\n{USAGE}\n{GENERIC_USAGE}"));
            return Ok(1);
        }
    };
    let executable = std::path::absolute(&options.executable).unwrap_or_else(|_| PathBuf::from(&options.executable));
    let described = describe(&executable)?;
    bring_along(&mut session, &executable)?;
    let mut conf = session.conf.clone();
    submission::set_working_directory(&session, &mut conf);
    for entry in described.iter() {
        conf.set(&entry.name, &entry.value);
    }
    apply(&options, &session, &mut conf)?;
    let tracker = JobTracker::connect(&session)?;
    let profile = submission::submit(&session, &tracker, &mut conf, console)?;
    let status = monitor::monitor(&tracker, &conf, &profile.job, console)?;
    if status.state == JobState::Succeeded {
        return Ok(0);
    }
    console.info(LOGGER, format_args!("Job Failed: {}", status.failure_info));
    Ok(1)
}

/// Asks an executable which job it is.
fn describe(executable: &LocalPath) -> Result<Configuration, CliError> {
    let shown = executable.display();
    let no_job = |problem: String| CliError::io(format!("{shown} is no job: {problem}"));
    let mut command = Command::new(executable);
    command.arg(DESCRIBE).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = command.spawn().map_err(|error| no_job(error.to_string()))?;
    let mut answer = Vec::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(ANSWER_LEN_MAX + 1).read_to_end(&mut answer),
        None => Ok(0),
    };
    // A program that floods is not waited for: it ends with the pipe.
    if read.is_err() || answer.len() as u64 > ANSWER_LEN_MAX {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| no_job(error.to_string()))?;
    if !status.success() {
        return Err(no_job(format!("with {DESCRIBE} it ended with {status}")));
    }
    let conf = Configuration::from_bytes(&format!("{shown} {DESCRIBE}"), &answer)?;
    if conf.is_set(&keys::MAPREDUCE_MAP_CLASS) { Ok(conf) } else { Err(no_job("it names no mapper".to_owned())) }
}

/// Puts the executable among the files that the job brings along, under its own name.
fn bring_along(session: &mut Session, executable: &LocalPath) -> Result<(), CliError> {
    let name = executable.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = format!("file:{}", executable.display());
    let files = match session.conf.text(keys::TMPFILES.name())?.filter(|files| !files.is_empty()) {
        Some(files) => format!("{files},{file}"),
        None => file,
    };
    session.conf.set(keys::TMPFILES.name(), files);
    session.conf.set_key(&keys::HOWDAH_JOB_EXECUTABLE, name);
    Ok(())
}

fn apply(options: &Options, session: &Session, conf: &mut Configuration) -> Result<(), CliError> {
    for input in &options.inputs {
        submission::add_new_input(session, conf, input)?;
    }
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, Path::parse(&options.output)?);
    if let Some(reduces) = options.reduces {
        conf.set_key(&keys::MAPRED_REDUCE_TASKS, reduces);
    }
    let formats = [
        (&options.input_format, &keys::MAPREDUCE_INPUTFORMAT_CLASS),
        (&options.output_format, &keys::MAPREDUCE_OUTPUTFORMAT_CLASS),
    ];
    for (class, key) in formats {
        if let Some(class) = class {
            conf.set_key(key, class);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, String> {
        Options::parse(&args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        assert_eq!(parse(&[]), Err("no EXECUTABLE is given".to_owned()));
        assert_eq!(parse(&["job", "-input", "a"]), Err("no -output is given".to_owned()));
        assert_eq!(parse(&["job", "-output", "a"]), Err("no -input is given".to_owned()));
        assert_eq!(parse(&["job", "-input"]), Err("-input needs a value".to_owned()));
        assert_eq!(parse(&["job", "-reduces", "x"]), Err("-reduces is \"x\"; expected a whole number".to_owned()));
        assert_eq!(parse(&["job", "-mapper", "cat"]), Err("-mapper is no option".to_owned()));
    }

    #[test]
    fn inputs_add_up() {
        let options = parse(&["job", "-input", "a", "-input", "b", "-output", "c", "-reduces", "0"]).expect("options");
        assert_eq!(options.inputs, ["a", "b"]);
        assert_eq!(options.reduces, Some(0));
    }

    #[test]
    fn what_is_no_job_is_told_so() {
        for (program, problem) in [("/no/such/program", "No such file"), ("/bin/false", "exit status: 1")] {
            let error = describe(LocalPath::new(program)).expect_err("no job").to_string();
            assert!(error.contains(program) && error.contains(problem), "{error}");
        }
    }
}
