//! `examples sort` (Hadoop 1.2.1: examples.Sort), without `-totalOrder`, which samples the input in the client.

use std::time::Instant;

use chrono::Local;
use configuration::keys;
use storage::Path;
use wire::mapred::job_submission::GetClusterStatus;

use super::{named_job, run_job};
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::{Exit, FAILED, submission};

const USAGE: &str = "sort [-m <maps>] [-r <reduces>] [-inFormat <input format class>] \
                     [-outFormat <output format class>] [-outKey <output key class>] \
                     [-outValue <output value class>] [-totalOrder <pcnt> <num samples> <max splits>] <input> <output>";

/// Java's form of a date.
const DATE: &str = "%a %b %d %H:%M:%S %Z %Y";

/// What the command line asks for.
struct Arguments<'a> {
    maps: Option<i32>,
    reduces: Option<i32>,
    in_format: &'a str,
    out_format: &'a str,
    out_key: &'a str,
    out_value: &'a str,
    paths: Vec<&'a str>,
}

impl<'a> Arguments<'a> {
    /// Reads the command line, or says what is wrong with it.
    fn parse(args: &'a [String]) -> Result<Self, String> {
        let mut parsed = Arguments {
            maps: None,
            reduces: None,
            in_format: "org.apache.hadoop.mapred.SequenceFileInputFormat",
            out_format: "org.apache.hadoop.mapred.SequenceFileOutputFormat",
            out_key: "org.apache.hadoop.io.BytesWritable",
            out_value: "org.apache.hadoop.io.BytesWritable",
            paths: Vec::new(),
        };
        let mut words = args.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("ERROR: Required parameter missing from {word}"));
            match word {
                "-m" => parsed.maps = Some(integer(value()?)?),
                "-r" => parsed.reduces = Some(integer(value()?)?),
                "-inFormat" => parsed.in_format = value()?,
                "-outFormat" => parsed.out_format = value()?,
                "-outKey" => parsed.out_key = value()?,
                "-outValue" => parsed.out_value = value()?,
                "-totalOrder" => return Err("ERROR: -totalOrder needs Java's client: hadoop jar".to_owned()),
                path => parsed.paths.push(path),
            }
        }
        match parsed.paths.len() {
            2 => Ok(parsed),
            other => Err(format!("ERROR: Wrong number of parameters: {other} instead of 2.")),
        }
    }
}

fn integer(word: &str) -> Result<i32, String> {
    word.parse().map_err(|_| format!("ERROR: Integer expected instead of {word}"))
}

/// Sorts.
pub(super) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let arguments = match Arguments::parse(args) {
        Ok(arguments) => arguments,
        Err(problem) => {
            console.out(problem);
            console.out(USAGE);
            console.out_raw(GENERIC_USAGE);
            return Ok(FAILED);
        }
    };
    let tracker = JobTracker::connect(&session)?;
    let cluster = tracker.call(&GetClusterStatus { detailed: false })?;
    // Nine in ten of the cluster's slots, so that a failed attempt finds room.
    let reduces = arguments.reduces.unwrap_or((f64::from(cluster.reduce_slots) * 0.9) as i32);
    let mut conf = named_job(&session, "sorter");
    conf.set_key(&keys::MAPRED_MAPPER_CLASS, "org.apache.hadoop.mapred.lib.IdentityMapper");
    conf.set_key(&keys::MAPRED_REDUCER_CLASS, "org.apache.hadoop.mapred.lib.IdentityReducer");
    if let Some(maps) = arguments.maps {
        conf.set_key(&keys::MAPRED_MAP_TASKS, maps);
    }
    conf.set_key(&keys::MAPRED_REDUCE_TASKS, reduces);
    conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, arguments.in_format);
    conf.set_key(&keys::MAPRED_OUTPUT_FORMAT_CLASS, arguments.out_format);
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, arguments.out_key);
    conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, arguments.out_value);
    conf.unset(keys::MAPRED_INPUT_DIR.name());
    submission::add_old_input(&session, &mut conf, arguments.paths[0])?;
    let (input, output) = (Path::parse(arguments.paths[0])?, Path::parse(arguments.paths[1])?);
    let (input, output) = (session.storage.qualify(&input)?, session.storage.qualify(&output)?);
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, &output);
    console.out(format_args!(
        "Running on {} nodes to sort from {input} into {output} with {reduces} reduces.",
        cluster.active_count
    ));
    let start = Instant::now();
    console.out(format_args!("Job started: {}", Local::now().format(DATE)));
    run_job(&session, &tracker, &mut conf, console)?;
    console.out(format_args!("Job ended: {}", Local::now().format(DATE)));
    console.out(format_args!("The job took {} seconds.", start.elapsed().as_secs()));
    Ok(0)
}
