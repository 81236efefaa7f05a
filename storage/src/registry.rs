//! Which file system a path means, by its scheme (Hadoop 1.2.1: FileSystem.get, `fs.default.name`).

use std::sync::Arc;

use configuration::{ConfigError, Configuration, keys};

use crate::Result;
use crate::error::StorageError;
use crate::file_system::FileSystem;
use crate::local::LocalFileSystem;
use crate::memory::MemoryFileSystem;
use crate::path::Path;

/// The file systems of one process, and which of them is the default.
#[derive(Clone)]
pub struct Storage {
    default: Path,
    file_systems: Vec<(&'static str, Arc<dyn FileSystem>)>,
}

impl std::fmt::Debug for Storage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Storage").field("default", &self.default).field("served", &self.served()).finish()
    }
}

impl Storage {
    /// The local disk alone.
    pub fn local(file_system: LocalFileSystem) -> Self {
        Storage { default: Path::local("/"), file_systems: vec![("file", Arc::new(file_system))] }
    }

    /// Adds files in memory, under the scheme `memory`: for tests.
    pub fn with_memory(mut self, file_system: MemoryFileSystem) -> Self {
        self.file_systems.push(("memory", Arc::new(file_system)));
        self
    }

    /// What a configuration says. A default that we do not serve is an error here, so that a daemon stops at start.
    pub fn from_configuration(conf: &Configuration) -> std::result::Result<Self, StorageSetupError> {
        let local = LocalFileSystem::from_configuration(conf).map_err(StorageSetupError::Configuration)?;
        let mut storage = Self::local(local);
        let key = &keys::FS_DEFAULT_NAME;
        let name = conf.get(key).map_err(StorageSetupError::Configuration)?;
        let default = Path::parse(&fix_name(&name)).map_err(StorageSetupError::Storage)?;
        storage.find(key.name(), &default).map_err(StorageSetupError::Storage)?;
        storage.default = default;
        Ok(storage)
    }

    /// The default file system.
    pub fn default_file_system(&self) -> Arc<dyn FileSystem> {
        let scheme = self.default.scheme().unwrap_or("file");
        let (_, found) = self.file_systems.iter().find(|(name, _)| *name == scheme).unwrap_or(&self.file_systems[0]);
        found.clone()
    }

    /// The file system of a path; one without a scheme is on the default one.
    pub fn for_path(&self, path: &Path) -> Result<Arc<dyn FileSystem>> {
        self.find("the path", path)
    }

    /// The file system of a path that a key, option or field names: an unknown scheme is refused with both names.
    pub fn find(&self, key: &str, path: &Path) -> Result<Arc<dyn FileSystem>> {
        let Some(scheme) = path.scheme() else { return Ok(self.default_file_system()) };
        match self.file_systems.iter().find(|(name, _)| *name == scheme) {
            Some((_, found)) => Ok(found.clone()),
            None => Err(StorageError::UnknownScheme {
                key: key.to_owned(),
                path: Box::new(path.clone()),
                scheme: scheme.to_owned(),
                served: self.served(),
            }),
        }
    }

    /// The whole name of a path.
    pub fn qualify(&self, path: &Path) -> Result<Path> {
        Ok(self.for_path(path)?.qualify(path))
    }

    fn served(&self) -> String {
        let schemes: Vec<_> = self.file_systems.iter().map(|(scheme, _)| format!("{scheme}:")).collect();
        schemes.join(", ")
    }
}

/// A configuration from which no file systems can be made.
#[derive(Debug, thiserror::Error)]
pub enum StorageSetupError {
    /// A value is wrong.
    #[error(transparent)]
    Configuration(ConfigError),
    /// The default file system is none of ours.
    #[error(transparent)]
    Storage(StorageError),
}

/// Old forms of `fs.default.name`: `local`, and `host:port` (Hadoop 1.2.1: FileSystem.fixName).
fn fix_name(name: &str) -> String {
    match name {
        "local" => "file:///".to_owned(),
        name if !name.contains('/') => format!("hdfs://{name}"),
        name => name.to_owned(),
    }
}

/// The file system of a path with the usual settings: the local disk, or an error that names the scheme.
pub fn for_path(path: &Path) -> Result<Arc<dyn FileSystem>> {
    Storage::local(LocalFileSystem::new()).for_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn storage(default: &str) -> std::result::Result<Storage, StorageSetupError> {
        let mut conf = Configuration::new();
        conf.set_key(&keys::FS_DEFAULT_NAME, default);
        Storage::from_configuration(&conf)
    }

    #[test]
    fn a_scheme_that_is_not_served_is_named_with_its_key() {
        let message = storage("hdfs://nn:8020").unwrap_err().to_string();
        let expected = "fs.default.name is \"hdfs://nn:8020\": no file system for the scheme hdfs; use one of file:";
        assert_eq!(message, expected);
        assert!(storage("nn:8020").unwrap_err().to_string().contains("scheme hdfs"));
        let storage = storage("file:///").unwrap();
        let message = storage.find("mapred.input.dir", &Path::parse("s3n://b/k").unwrap()).err().unwrap().to_string();
        assert!(
            message.starts_with("mapred.input.dir is \"s3n://b/k\": no file system for the scheme s3n"),
            "{message}"
        );
    }

    #[test]
    fn paths_without_a_scheme_are_on_the_default() {
        for default in ["local", "file:///", "file:/"] {
            let storage = storage(default).unwrap();
            for path in ["/x", "file:/x", "file:///x"] {
                assert_eq!(storage.qualify(&Path::parse(path).unwrap()).unwrap().to_string(), "file:/x");
            }
        }
        let memory = MemoryFileSystem::new();
        let storage = Storage::local(LocalFileSystem::new()).with_memory(memory);
        assert_eq!(storage.qualify(&Path::parse("memory:/x").unwrap()).unwrap().to_string(), "memory:/x");
    }
}
