//! `examples sleep` (Hadoop 1.2.1: examples.SleepJob).

use configuration::{Configuration, keys};

use super::{named_job, run_job};
use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::{Exit, FAILED, submission};

const CLASS: &str = "org.apache.hadoop.examples.SleepJob";

const USAGE: &str = "SleepJob [-m numMapper] [-r numReducer] [-mt mapSleepTime (msec)] [-rt reduceSleepTime (msec)] \
                     [-recordt recordSleepTime (msec)]";

/// How much sleep.
#[derive(Debug, PartialEq, Eq)]
struct Sleep {
    maps: i32,
    reduces: i32,
    map_ms: i64,
    reduce_ms: i64,
    record_ms: i64,
}

impl Sleep {
    fn parse(args: &[String]) -> Result<Self, CliError> {
        let mut sleep = Sleep { maps: 1, reduces: 1, map_ms: 100, reduce_ms: 100, record_ms: 100 };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let mut value = || number(word, words.next());
            match word.as_str() {
                "-m" => sleep.maps = to_int(value()?)?,
                "-r" => sleep.reduces = to_int(value()?)?,
                "-mt" => sleep.map_ms = value()?,
                "-rt" => sleep.reduce_ms = value()?,
                "-recordt" => sleep.record_ms = value()?,
                _ => (),
            }
        }
        Ok(sleep)
    }

    /// Naps of a task that sleeps so long in all. At least one: 1.2.1 divides by zero where there is nothing to sleep.
    fn naps(&self, total_ms: i64) -> i64 {
        let record_ms = self.record_ms.max(1);
        (total_ms.max(0) + record_ms - 1).div_euclid(record_ms).max(1)
    }
}

fn number(option: &str, word: Option<&String>) -> Result<i64, CliError> {
    let word = word.map(String::as_str).unwrap_or_default();
    word.parse().map_err(|_| {
        let message = format!("For input string: \"{word}\" ({option} takes a whole number)");
        CliError::java("java.lang.NumberFormatException", message)
    })
}

fn to_int(value: i64) -> Result<i32, CliError> {
    i32::try_from(value)
        .map_err(|_| CliError::java("java.lang.NumberFormatException", format!("For input string: \"{value}\"")))
}

/// Sleeps on the cluster.
pub(super) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    if args.is_empty() {
        console.err(USAGE);
        console.err_raw(GENERIC_USAGE);
        return Ok(FAILED);
    }
    let sleep = Sleep::parse(args)?;
    let tracker = JobTracker::connect(&session)?;
    let mut conf = job(&session, &sleep)?;
    run_job(&session, &tracker, &mut conf, console)?;
    Ok(0)
}

fn job(session: &Session, sleep: &Sleep) -> Result<Configuration, CliError> {
    let mut conf = named_job(session, "Sleep job");
    conf.set_key(&keys::MAPRED_MAP_TASKS, sleep.maps);
    conf.set_key(&keys::MAPRED_REDUCE_TASKS, sleep.reduces);
    conf.set_key(&keys::MAPRED_MAPPER_CLASS, CLASS);
    conf.set_key(&keys::MAPRED_MAPOUTPUT_KEY_CLASS, "org.apache.hadoop.io.IntWritable");
    conf.set_key(&keys::MAPRED_MAPOUTPUT_VALUE_CLASS, "org.apache.hadoop.io.NullWritable");
    conf.set_key(&keys::MAPRED_REDUCER_CLASS, CLASS);
    conf.set_key(&keys::MAPRED_OUTPUT_FORMAT_CLASS, "org.apache.hadoop.mapred.lib.NullOutputFormat");
    conf.set_key(&keys::MAPRED_INPUT_FORMAT_CLASS, format!("{CLASS}$SleepInputFormat"));
    conf.set_key(&keys::MAPRED_PARTITIONER_CLASS, CLASS);
    conf.set_key(&keys::MAPRED_MAP_TASKS_SPECULATIVE_EXECUTION, false);
    conf.set_key(&keys::MAPRED_REDUCE_TASKS_SPECULATIVE_EXECUTION, false);
    submission::add_old_input(session, &mut conf, "ignored")?;
    conf.set_key(&keys::SLEEP_JOB_MAP_SLEEP_TIME, sleep.map_ms);
    conf.set_key(&keys::SLEEP_JOB_REDUCE_SLEEP_TIME, sleep.reduce_ms);
    conf.set_key(&keys::SLEEP_JOB_MAP_SLEEP_COUNT, sleep.naps(sleep.map_ms));
    conf.set_key(&keys::SLEEP_JOB_REDUCE_SLEEP_COUNT, sleep.naps(sleep.reduce_ms));
    Ok(conf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Sleep, CliError> {
        Sleep::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_and_naps_are_those_of_the_example() {
        let sleep = parse("-m 3 -r 0 -mt 250 -rt 0 -recordt 100").unwrap();
        assert_eq!(sleep, Sleep { maps: 3, reduces: 0, map_ms: 250, reduce_ms: 0, record_ms: 100 });
        assert_eq!((sleep.naps(250), sleep.naps(0), sleep.naps(100)), (3, 1, 1));
        assert!(parse("-m").is_err() && parse("-m x").is_err() && parse("-m 99999999999").is_err());
    }
}
