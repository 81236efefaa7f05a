//! Files that other crates than `wire` read and write: configuration.

use configuration::Configuration;

use super::Recoded;

/// How a file is read and written back.
type Recode = fn(&[u8]) -> Recoded;

pub(super) const FILES: &[(&str, Recode)] = &[
    ("conf.xml", xml),
    ("submit-job.xml", xml),
    ("local-job.xml", xml),
    ("local-attempt-job.xml", xml),
    ("job-acls.xml", xml),
];

fn xml(bytes: &[u8]) -> Recoded {
    Configuration::from_bytes("vector", bytes).map(|conf| conf.to_xml()).map_err(|error| error.to_string())
}
