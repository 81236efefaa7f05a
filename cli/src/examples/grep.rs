//! `examples grep IN OUT REGEX [GROUP]`: two jobs, one that counts matches and one that sorts the counts (Hadoop 1.2.1:
//! examples.Grep).

use configuration::{Configuration, keys};
use storage::Path;

use super::{named_job, run_job};
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::{Exit, FAILED, submission};

/// Counts matches of a regular expression, the most frequent first.
pub(super) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let [input, output, regex, group @ ..] = args else {
        console.out("Grep <inDir> <outDir> <regex> [<group>]");
        console.out_raw(GENERIC_USAGE);
        return Ok(FAILED);
    };
    let tracker = JobTracker::connect(&session)?;
    let temporary = Path::parse(&format!("grep-temp-{}", fastrand::i32(0..i32::MAX)))?;
    let group = group.first().filter(|_| group.len() == 1);
    let done = search(&session, input, regex, group, &temporary)
        .and_then(|mut conf| run_job(&session, &tracker, &mut conf, console))
        .and_then(|()| sort(&session, &temporary, output))
        .and_then(|mut conf| run_job(&session, &tracker, &mut conf, console));
    session.storage.default_file_system().delete(&temporary, true)?;
    done.map(|()| 0)
}

fn search(
    session: &Session,
    input: &str,
    regex: &str,
    group: Option<&String>,
    temporary: &Path,
) -> Result<Configuration, CliError> {
    let mut conf = named_job(session, "grep-search");
    conf.unset(keys::MAPRED_INPUT_DIR.name());
    submission::add_old_input(session, &mut conf, input)?;
    conf.set_key(&keys::MAPRED_MAPPER_CLASS, "org.apache.hadoop.mapred.lib.RegexMapper");
    conf.set_key(&keys::MAPRED_MAPPER_REGEX, regex);
    if let Some(group) = group {
        conf.set_key(&keys::MAPRED_MAPPER_REGEX_GROUP, group);
    }
    conf.set_key(&keys::MAPRED_COMBINER_CLASS, "org.apache.hadoop.mapred.lib.LongSumReducer");
    conf.set_key(&keys::MAPRED_REDUCER_CLASS, "org.apache.hadoop.mapred.lib.LongSumReducer");
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, session.storage.qualify(temporary)?);
    conf.set_key(&keys::MAPRED_OUTPUT_FORMAT_CLASS, "org.apache.hadoop.mapred.SequenceFileOutputFormat");
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_CLASS, "org.apache.hadoop.io.Text");
    conf.set_key(&keys::MAPRED_OUTPUT_VALUE_CLASS, "org.apache.hadoop.io.LongWritable");
    Ok(conf)
}

fn sort(session: &Session, temporary: &Path, output: &str) -> Result<Configuration, CliError> {
    let mut conf = named_job(session, "grep-sort");
    conf.unset(keys::MAPRED_INPUT_DIR.name());
    submission::add_old_input(session, &mut conf, &temporary.to_string())?;
    conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, "org.apache.hadoop.mapred.SequenceFileInputFormat");
    conf.set_key(&keys::MAPRED_MAPPER_CLASS, "org.apache.hadoop.mapred.lib.InverseMapper");
    conf.set_key(&keys::MAPRED_REDUCE_TASKS, 1);
    conf.set_key(&keys::MAPRED_OUTPUT_DIR, session.storage.qualify(&Path::parse(output)?)?);
    let descending = "org.apache.hadoop.io.LongWritable$DecreasingComparator";
    conf.set_key(&keys::MAPRED_OUTPUT_KEY_COMPARATOR_CLASS, descending);
    Ok(conf)
}
