//! `-dumpConfiguration`: two JSON documents, the whole configuration and the queues' (Hadoop 1.2.1:
//! JobTracker.dumpConfiguration, QueueManager.dumpConfiguration).

use std::io::{self, Write};

use configuration::{ConfigError, Configuration};
use serde_json::json;

use crate::settings;

/// Writes both documents, a line each.
pub fn dump_configuration(conf: &Configuration, out: &mut impl Write) -> Result<(), DumpError> {
    let queues = settings::queues(conf)?;
    let queues: Vec<_> = queues
        .iter()
        .map(|queue| {
            json!({
                "name": queue.name,
                "state": if queue.running { "running" } else { "stopped" },
                "acl_submit_job": queue.submitters.to_string(),
                "acl_administer_jobs": queue.administrators.to_string(),
                "properties": [],
                "children": [],
            })
        })
        .collect();
    writeln!(out, "{}", configuration_json(conf))?;
    writeln!(out, "{}", json!({ "queues": queues }))?;
    Ok(())
}

/// Every property with where it came from (Hadoop 1.2.1: Configuration.dumpConfiguration).
pub(crate) fn configuration_json(conf: &Configuration) -> serde_json::Value {
    let properties: Vec<_> = conf
        .with_defaults()
        .map(|(name, value, source)| {
            let value = conf.text(name).ok().flatten().unwrap_or_else(|| value.to_owned());
            json!({ "key": name, "value": value, "isFinal": conf.is_final(name), "resource": source })
        })
        .collect();
    json!({ "properties": properties })
}

/// Why nothing was dumped.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The queues' configuration is wrong.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// Nobody reads.
    #[error("cannot write the configuration: {0}")]
    Write(#[from] io::Error),
}
