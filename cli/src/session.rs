//! What every command starts from: the configuration, the file systems, the user.

use configuration::{Configuration, conf_dir_from_env, keys, load};
use storage::{LocalFileSystem, Path, Storage};

use crate::error::CliError;
use crate::options::GenericOptions;

const FILE_NOT_FOUND: &str = "java.io.FileNotFoundException";

/// The configuration of a command and what follows from it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) conf: Configuration,
    pub(crate) storage: Storage,
    pub(crate) user: String,
}

impl Session {
    /// Reads the generic options and the configuration; what is left of the arguments.
    pub(crate) fn open(args: &[String]) -> Result<(Session, &[String]), CliError> {
        let (options, rest) = GenericOptions::parse(args);
        let overrides = options.overrides(keys::FS_DEFAULT_NAME.name(), keys::MAPRED_JOB_TRACKER.name());
        let mut session = Session::of_configuration(load(&conf_dir_from_env(), &overrides)?)?;
        session.take_files(&options)?;
        session.conf.set_key(&keys::MAPRED_USED_GENERICOPTIONSPARSER, true);
        Ok((session, rest))
    }

    /// A session of a configuration that is there already.
    pub(crate) fn of_configuration(conf: Configuration) -> Result<Session, CliError> {
        let storage = Storage::from_configuration(&conf).map_err(CliError::StorageSetup)?;
        let user = conf.system_property(keys::USER_NAME.name()).unwrap_or_default().to_owned();
        Ok(Session { conf, storage, user })
    }

    fn take_files(&mut self, options: &GenericOptions) -> Result<(), CliError> {
        let lists = [
            (&options.libjars, keys::TMPJARS.name()),
            (&options.files, keys::TMPFILES.name()),
            (&options.archives, keys::TMPARCHIVES.name()),
        ];
        for (list, key) in lists {
            if let Some(list) = list {
                let checked = self.existing_files(list)?;
                self.conf.set(key, checked);
            }
        }
        if let Some(file) = &options.token_cache_file {
            let path = self.existing_files(file)?;
            self.conf.set_key(&keys::MAPREDUCE_JOB_CREDENTIALS_JSON, path);
        }
        Ok(())
    }

    /// The whole names of a list of files, which must exist; one without a scheme is on the local disk. A link name
    /// after `#` stays (Hadoop 1.2.1: GenericOptionsParser.validateFiles).
    fn existing_files(&self, list: &str) -> Result<String, CliError> {
        let local = LocalFileSystem::from_configuration(&self.conf)?;
        let mut whole = Vec::new();
        for file in list.split(',') {
            let (name, link) = split_link(file);
            let path = Path::parse(name)?;
            let file_system: std::sync::Arc<dyn storage::FileSystem> = match path.scheme() {
                None => std::sync::Arc::new(local.clone()),
                Some(_) => self.storage.for_path(&path)?,
            };
            if !file_system.exists(&path)? {
                return Err(CliError::java(FILE_NOT_FOUND, format!("File {file} does not exist.")));
            }
            let link = link.map(|link| format!("#{link}")).unwrap_or_default();
            whole.push(format!("{}{link}", file_system.qualify(&path)));
        }
        Ok(whole.join(","))
    }
}

/// A file and the name of its link, which may follow a `#`.
pub(crate) fn split_link(file: &str) -> (&str, Option<&str>) {
    file.split_once('#').map_or((file, None), |(file, link)| (file, Some(link)))
}
