//! Refuses a job whose output is there already, before anything runs (Hadoop 1.2.1: FileOutputFormat.checkOutputSpecs of
//! both programming interfaces).

use configuration::{Configuration, keys};
use storage::Path;
use twins::{Api, OutputFormat};

use crate::error::CliError;
use crate::session::Session;

const INVALID_JOB_CONF: &str = "org.apache.hadoop.mapred.InvalidJobConfException";
const ALREADY_EXISTS: &str = "org.apache.hadoop.mapred.FileAlreadyExistsException";

/// Checks the output directory, where the output format has one.
pub(super) fn check(session: &Session, conf: &mut Configuration) -> Result<(), CliError> {
    let reduces = conf.get(&keys::MAPRED_REDUCE_TASKS)?;
    let new_api = conf.get(if reduces == 0 { &keys::MAPRED_MAPPER_NEW_API } else { &keys::MAPRED_REDUCER_NEW_API })?;
    let (api, class) = match new_api {
        true => (Api::New, conf.get(&keys::MAPREDUCE_OUTPUTFORMAT_CLASS)?),
        false => (Api::Old, conf.get(&keys::MAPRED_OUTPUT_FORMAT_CLASS)?),
    };
    if OutputFormat::of_class(&class, api) == Some(OutputFormat::Null) {
        return Ok(());
    }
    let output = conf.get_optional(&keys::MAPRED_OUTPUT_DIR)?;
    let Some(output) = output else {
        return match (new_api, reduces) {
            (true, _) => Err(CliError::java(INVALID_JOB_CONF, "Output directory not set.")),
            (false, 0) => Ok(()),
            (false, _) => Err(CliError::java(INVALID_JOB_CONF, "Output directory not set in JobConf.")),
        };
    };
    let mut path = Path::parse(&output)?;
    let file_system = session.storage.find(keys::MAPRED_OUTPUT_DIR.name(), &path)?;
    if !new_api {
        // Only the old interface makes the name whole, and keeps it so.
        path = file_system.qualify(&path);
        conf.set_key(&keys::MAPRED_OUTPUT_DIR, &path);
    }
    if file_system.exists(&path)? {
        return Err(CliError::java(ALREADY_EXISTS, format!("Output directory {path} already exists")));
    }
    Ok(())
}
