//! The only I/O of this crate: site files in their order, what they include, and what Java would know as system
//! properties.

use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::configuration::Configuration;
use crate::error::ConfigError;
use crate::xml::{self, DEPTH_MAX, Item};
use crate::{FILE_BYTES_MAX, keys};

/// Site files in the order in which Java's daemons and clients add them; the last is 0.18's, still read.
const SITE_FILES: [&str; 3] = ["core-site.xml", "mapred-site.xml", "hadoop-site.xml"];

/// What a command line adds to the site files.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// Files named with `-conf`, in order.
    pub files: Vec<PathBuf>,
    /// Properties named with `-D`, in order. They count even where a site file says final, as in Java.
    pub properties: Vec<(String, String)>,
    /// System properties beside the usual ones.
    pub system: Vec<(String, String)>,
}

/// The configuration of a daemon or a client: defaults, the site files of a directory, and the overrides. A site file
/// may be missing, the directory may not.
pub fn load(conf_dir: &Path, overrides: &Overrides) -> Result<Configuration, ConfigError> {
    if !conf_dir.is_dir() {
        return Err(ConfigError::NoDirectory { path: conf_dir.to_owned() });
    }
    let mut conf = Configuration::new();
    set_system_properties(&mut conf);
    for (name, value) in &overrides.system {
        conf.set_system_property(name, value);
    }
    for name in SITE_FILES {
        let path = conf_dir.join(name);
        if path.exists() {
            add_file(&mut conf, &path)?;
        }
    }
    for path in &overrides.files {
        add_file(&mut conf, path)?;
    }
    for (name, value) in &overrides.properties {
        conf.set_from(name, value, "command line");
    }
    Ok(conf)
}

/// The directory that `HADOOP_CONF_DIR` names, else `conf` under `HOWDAH_HOME`, else `conf` here.
pub fn conf_dir_from_env() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match (set("HADOOP_CONF_DIR"), set("HOWDAH_HOME")) {
        (Some(dir), _) => dir.into(),
        (None, Some(home)) => PathBuf::from(home).join("conf"),
        (None, None) => "conf".into(),
    }
}

/// Adds a file and what it includes. Values are said to come from the file's name as it was given.
pub(crate) fn add_file(conf: &mut Configuration, path: &Path) -> Result<(), ConfigError> {
    add_nested(conf, path, 0)
}

fn add_nested(conf: &mut Configuration, path: &Path, depth: usize) -> Result<(), ConfigError> {
    let file = path.display().to_string();
    let bytes = read_bounded(path)?;
    let source: Arc<str> = file.as_str().into();
    for item in xml::parse(&file, &bytes)? {
        match item {
            Item::Property(property) => conf.add_property(property, &source),
            Item::Include { href, optional } => {
                let target = path.parent().unwrap_or(Path::new("")).join(href.trim_start_matches("file://"));
                if optional && !target.exists() {
                    continue;
                }
                if depth >= DEPTH_MAX {
                    let problem = format!("files include each other more than {DEPTH_MAX} deep");
                    return Err(ConfigError::Xml { file, line: 1, problem });
                }
                add_nested(conf, &target, depth + 1)?;
            }
        }
    }
    Ok(())
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, ConfigError> {
    let failed = |source| ConfigError::Read { path: path.to_owned(), source };
    let file = fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(ConfigError::TooLong { file: path.display().to_string(), limit: FILE_BYTES_MAX });
    }
    Ok(bytes)
}

/// What the JVM and Hadoop's scripts would set.
fn set_system_properties(conf: &mut Configuration) {
    let env = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (user, home) = login();
    if let Some(user) = user.or_else(|| env("USER")) {
        conf.set_system_property(keys::USER_NAME.name(), user);
    }
    if let Some(home) = home.or_else(|| env("HOME")) {
        conf.set_system_property("user.home", home);
    }
    if let Ok(dir) = std::env::current_dir() {
        conf.set_system_property("user.dir", dir.display().to_string());
    }
    conf.set_system_property("java.io.tmpdir", "/tmp");
    let logs = env("HADOOP_LOG_DIR").or_else(|| env("HOWDAH_HOME").map(|home| format!("{home}/logs")));
    if let Some(logs) = logs {
        conf.set_system_property(keys::HADOOP_LOG_DIR.name(), logs);
    }
}

/// Name and home directory of this process's user, from the user list, as the JVM takes them.
fn login() -> (Option<String>, Option<String>) {
    let Ok(uid) = fs::metadata("/proc/self").map(|own| own.uid().to_string()) else { return (None, None) };
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let of_user = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
    match of_user.into_iter().find(|fields| fields.len() > 5 && fields[2] == uid) {
        Some(fields) => (Some(fields[0].to_owned()), Some(fields[5].to_owned())),
        None => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(dir: &Path, name: &str, body: &str) {
        fs::write(dir.join(name), format!("<configuration>{body}</configuration>")).unwrap();
    }

    fn property(name: &str, value: &str) -> String {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    }

    #[test]
    fn layers_site_files_and_the_command_line() {
        let dir = tempfile::tempdir().unwrap();
        write(
            dir.path(),
            "core-site.xml",
            &(property("hadoop.tmp.dir", "/data/${user.name}") + &property("io.sort.mb", "50")),
        );
        write(dir.path(), "mapred-site.xml", &property("io.sort.mb", "60"));
        write(dir.path(), "job.xml", &property("io.sort.factor", "20"));
        let overrides = Overrides {
            files: vec![dir.path().join("job.xml")],
            properties: vec![("mapred.reduce.tasks".into(), "3".into())],
            system: vec![("user.name".into(), "ada".into())],
        };
        let conf = load(dir.path(), &overrides).unwrap();
        assert_eq!(conf.get(&keys::IO_SORT_MB).unwrap(), 60);
        assert_eq!(conf.get(&keys::IO_SORT_FACTOR).unwrap(), 20);
        assert_eq!(conf.get(&keys::MAPRED_REDUCE_TASKS).unwrap(), 3);
        assert_eq!(conf.get(&keys::MAPRED_LOCAL_DIR).unwrap(), vec!["/data/ada/mapred/local".to_owned()]);
    }

    #[test]
    fn a_bad_value_names_its_file_key_and_way_out() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "mapred-site.xml", &property("mapred.tasktracker.map.tasks.maximum", "two"));
        let conf = load(dir.path(), &Overrides::default()).unwrap();
        let message = conf.get(&keys::MAPRED_TASKTRACKER_MAP_TASKS_MAXIMUM).unwrap_err().to_string();
        let file = dir.path().join("mapred-site.xml");
        let expected = "mapred.tasktracker.map.tasks.maximum is \"two\"; expected a whole number, 0 or more";
        assert_eq!(message, format!("{}: {expected}", file.display()));
    }

    #[test]
    fn includes_are_read_where_they_stand() {
        let dir = tempfile::tempdir().unwrap();
        let include = r#"<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="#;
        write(dir.path(), "slots.xml", &property("io.sort.mb", "70"));
        let body = format!(
            "{}{include}\"slots.xml\"/>{include}\"none.xml\"><xi:fallback/></xi:include>",
            property("io.sort.mb", "1")
        );
        write(dir.path(), "mapred-site.xml", &body);
        assert_eq!(load(dir.path(), &Overrides::default()).unwrap().get(&keys::IO_SORT_MB).unwrap(), 70);

        write(dir.path(), "mapred-site.xml", &format!("{include}\"none.xml\"/>"));
        assert!(load(dir.path(), &Overrides::default()).unwrap_err().to_string().contains("none.xml: cannot be read"));
        write(dir.path(), "mapred-site.xml", &format!("{include}\"mapred-site.xml\"/>"));
        assert!(load(dir.path(), &Overrides::default()).unwrap_err().to_string().contains("include each other"));
    }

    #[test]
    fn a_missing_directory_and_a_broken_file_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let gone = dir.path().join("gone");
        let message = load(&gone, &Overrides::default()).unwrap_err().to_string();
        assert!(message.contains("gone: no such configuration directory") && message.contains("--config"), "{message}");
        fs::write(dir.path().join("core-site.xml"), "<configuration>\n<property>\n").unwrap();
        let message = load(dir.path(), &Overrides::default()).unwrap_err().to_string();
        assert!(message.contains("core-site.xml: line 3: "), "{message}");
    }
}
