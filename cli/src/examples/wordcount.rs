//! `examples wordcount IN OUT` (Hadoop 1.2.1: examples.WordCount).

use configuration::keys;
use types::JobState;

use super::{named_job, submit_and_watch};
use crate::Exit;
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::session::Session;
use crate::submission;

/// Counts words.
pub(super) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let [input, output] = args else {
        console.err("Usage: wordcount <in> <out>");
        return Ok(2);
    };
    let tracker = JobTracker::connect(&session)?;
    let mut conf = named_job(&session, "word count");
    conf.set_key(&keys::MAPREDUCE_MAP_CLASS, "org.apache.hadoop.examples.WordCount$TokenizerMapper");
    conf.set_key(&keys::MAPREDUCE_COMBINE_CLASS, "org.apache.hadoop.examples.WordCount$IntSumReducer");
    conf.set_key(&keys::MAPREDUCE_REDUCE_CLASS, "org.apache.hadoop.examples.WordCount$IntSumReducer");
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, "org.apache.hadoop.io.Text");
    conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, "org.apache.hadoop.io.IntWritable");
    conf.set_key(&keys::MAPRED_MAPPER_NEW_API, true);
    conf.set_key(&keys::MAPRED_REDUCER_NEW_API, true);
    submission::add_new_input(&session, &mut conf, input)?;
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, storage::Path::parse(output)?);
    let state = submit_and_watch(&session, &tracker, &mut conf, console)?;
    Ok(if state == JobState::Succeeded { 0 } else { 1 })
}
