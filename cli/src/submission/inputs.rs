//! The splits of a job, by its input format, and the two files that hold them (Hadoop 1.2.1: JobClient.writeSplits,
//! mapreduce.split.JobSplitWriter).

use configuration::{Configuration, keys};
use types::SplitMeta;
use wire::splits::{SplitWriter, StoredSplit, write_meta};

use super::file_input;
use crate::console::Console;
use crate::error::CliError;
use crate::session::Session;

/// Hosts that are named of a split at most.
const HOSTS_MAX: usize = 10;

const SLEEP_SPLIT: &str = "org.apache.hadoop.examples.SleepJob$EmptySplit";

/// How an input format makes splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// Text files: compressed ones are not cut.
    Text,
    /// SequenceFiles: cut between sync marks.
    SequenceFile,
    /// As many empty splits as maps are asked for.
    Sleep,
}

/// The format of splits that a Pipes program reads by itself; another one makes them.
pub(crate) const PIPES_NON_JAVA: &str = "org.apache.hadoop.mapred.pipes.PipesNonJavaInputFormat";

/// Input formats whose splits are made here. Whether a native child reads them is another question.
const INPUT_FORMATS: [(&str, Splitting); 10] = [
    ("org.apache.hadoop.mapred.TextInputFormat", Splitting::Text),
    ("org.apache.hadoop.mapred.KeyValueTextInputFormat", Splitting::Text),
    ("org.apache.hadoop.streaming.StreamInputFormat", Splitting::Text),
    ("org.apache.hadoop.mapred.SequenceFileInputFormat", Splitting::SequenceFile),
    ("org.apache.hadoop.mapred.SequenceFileAsTextInputFormat", Splitting::SequenceFile),
    ("org.apache.hadoop.mapreduce.lib.input.TextInputFormat", Splitting::Text),
    ("org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat", Splitting::Text),
    ("org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat", Splitting::SequenceFile),
    ("org.apache.hadoop.mapreduce.lib.input.SequenceFileAsTextInputFormat", Splitting::SequenceFile),
    ("org.apache.hadoop.examples.SleepJob$SleepInputFormat", Splitting::Sleep),
];

/// How that input format makes splits, if it does so here.
pub(crate) fn splitting_of(class: &str) -> Option<Splitting> {
    INPUT_FORMATS.iter().find(|(name, _)| *name == class).map(|(_, splitting)| *splitting)
}

/// One map's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputSplit {
    pub(super) stored: StoredSplit,
    pub(super) hosts: Vec<String>,
    pub(super) length: u64,
}

/// The job's splits, the largest first; equal ones keep their order.
pub(super) fn splits(
    session: &Session,
    conf: &mut Configuration,
    console: &mut Console<'_>,
) -> Result<Vec<InputSplit>, CliError> {
    let new_api = conf.get(&keys::MAPRED_MAPPER_NEW_API)?;
    let class = conf.get(match new_api {
        true => &keys::MAPREDUCE_INPUTFORMAT_CLASS,
        false => &keys::MAPRED_INPUT_FORMAT_CLASS,
    })?;
    let class = if class == PIPES_NON_JAVA { conf.get(&keys::MAPRED_PIPES_USER_INPUTFORMAT)? } else { class };
    let mut splits = match splitting_of(&class) {
        Some(Splitting::Sleep) => sleep_splits(conf)?,
        Some(splitting) => {
            let is_sequence_file = splitting == Splitting::SequenceFile;
            file_input::splits(session, conf, is_sequence_file, new_api, console)?
        }
        None => return Err(CliError::ForeignInputFormat { class }),
    };
    splits.sort_by_key(|split| std::cmp::Reverse(split.length));
    Ok(splits)
}

/// As many splits as maps are asked for, with nothing in them.
fn sleep_splits(conf: &Configuration) -> Result<Vec<InputSplit>, CliError> {
    let maps = conf.get(&keys::MAPRED_MAP_TASKS)?;
    let stored = StoredSplit { class: SLEEP_SPLIT.to_owned(), body: Vec::new() };
    Ok((0..maps).map(|_| InputSplit { stored: stored.clone(), hosts: Vec::new(), length: 0 }).collect())
}

/// The contents of `job.split` and `job.splitmetainfo`.
pub(super) fn split_files(splits: &[InputSplit]) -> (Vec<u8>, Vec<u8>) {
    let mut writer = SplitWriter::new();
    let meta: Vec<SplitMeta> = splits
        .iter()
        .map(|split| SplitMeta {
            start_offset: writer.push(&split.stored),
            locations: split.hosts.iter().take(HOSTS_MAX).cloned().collect(),
            input_length: split.length as i64,
        })
        .collect();
    (writer.into_bytes(), write_meta(&meta))
}
