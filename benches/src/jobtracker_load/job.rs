//! A job of many maps, handed in by its files and calls alone: no input has to exist, since no child ever runs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use configuration::Configuration;
use rpc::blocking::Client;
use types::{Credentials, JobId, SplitMeta};
use wire::mapred::job_submission::{GetNewJobId, GetStagingAreaDir, SubmitJob};

use super::tracker::host;

/// Submits a job of maps alone, each with its input on one of the nodes.
pub(super) fn submit(client: &mut Client, maps: usize, nodes: usize) -> Result<JobId> {
    let staging = client.call(&GetStagingAreaDir {})?;
    let job = client.call(&GetNewJobId {})?;
    let submit_dir = format!("{staging}/{job}");
    let dir = Path::new(submit_dir.trim_start_matches("file:"));
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    let mut conf = Configuration::new();
    for (name, value) in [
        ("mapred.map.tasks", maps.to_string()),
        ("mapred.reduce.tasks", "0".to_owned()),
        ("mapred.job.name", "load".to_owned()),
        ("mapred.map.tasks.speculative.execution", "false".to_owned()),
    ] {
        conf.set(name, value);
    }
    fs::write(dir.join("job.xml"), conf.to_xml())?;
    fs::write(dir.join("job.split"), b"")?;
    let split = |map: usize| SplitMeta { locations: vec![host(map % nodes)], start_offset: 0, input_length: 1 << 20 };
    let splits: Vec<SplitMeta> = (0..maps).map(split).collect();
    fs::write(dir.join("job.splitmetainfo"), wire::splits::write_meta(&splits))?;
    client.call(&SubmitJob { job: job.clone(), submit_dir, credentials: Credentials::default() })?;
    Ok(job)
}
