//! Tokens and secrets that go with a job: from a token storage file, from a JSON file (Hadoop 1.2.1:
//! JobClient.populateTokenCache).

use std::collections::BTreeMap;

use configuration::{Configuration, keys};
use storage::Path;
use types::Credentials;

use crate::console::Console;
use crate::error::CliError;
use crate::monitor::LOGGER;
use crate::session::Session;

/// The most bytes of such a file.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// What the job's configuration names.
pub(super) fn collect(
    session: &Session,
    conf: &Configuration,
    console: &mut Console<'_>,
) -> Result<Credentials, CliError> {
    let mut credentials = match conf.get_optional(&keys::MAPREDUCE_JOB_CREDENTIALS_BINARY)? {
        Some(file) => token_storage(session, &file)?,
        None => Credentials::default(),
    };
    if let Some(file) = conf.get_optional(&keys::MAPREDUCE_JOB_CREDENTIALS_JSON)? {
        console.info(LOGGER, format_args!("loading user's secret keys from {file}"));
        let bytes = read(session, &file)?;
        match serde_json::from_slice::<BTreeMap<String, String>>(&bytes) {
            Ok(secrets) => {
                let secrets = secrets.into_iter().map(|(alias, secret)| (alias, secret.into_bytes()));
                credentials.secrets.extend(secrets);
            }
            Err(error) => {
                let text = format_args!("couldn't parse Token Cache JSON file with user secret keys: {error}");
                console.warn(LOGGER, text);
            }
        }
    }
    Ok(credentials)
}

fn token_storage(session: &Session, file: &str) -> Result<Credentials, CliError> {
    let bytes = read(session, file)?;
    wire::credentials::read_storage(&bytes)
        .map_err(|error| CliError::Credentials { path: file.to_owned(), problem: error.to_string() })
}

/// A file of the local disk.
fn read(session: &Session, file: &str) -> Result<Vec<u8>, CliError> {
    let path = Path::local(Path::parse(file)?.path());
    Ok(session.storage.for_path(&path)?.read_to_vec(&path, FILE_BYTES_MAX)?)
}
