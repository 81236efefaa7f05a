//! What was set, by whom, and what is final; how a key is looked up under its old and new names.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::error::ConfigError;
use crate::registry::{self, Key, KeyInfo, Unit};
use crate::substitute;
use crate::value::{self, Value};
use crate::xml::{self, Item};
use crate::{FILE_BYTES_MAX, load};

/// What Java writes for a value that code has set.
const UNKNOWN: &str = "Unknown";

/// Keys that the Java child reads under 1.2.1's name only and that it and the daemons must read alike. A later name
/// for one of them counts where the job is made ([`Configuration::use_old_names`]), not afterwards.
const CHILD_MUST_AGREE: &[&str] = &["mapred.reduce.tasks", "mapred.map.tasks", "mapred.input.dir", "mapred.output.dir"];

/// One property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name as it was written.
    pub name: String,
    /// Its value, variables and all.
    pub value: String,
    /// The file it came from, `Unknown` for one that code has set.
    pub source: Arc<str>,
}

impl Entry {
    fn is_default(&self) -> bool {
        self.source.ends_with("-default.xml")
    }
}

/// A Hadoop configuration (Hadoop 1.2.1: conf.Configuration). Defaults are the registry's and are not stored; what is
/// stored keeps the order in which it came, so that a job file is written back as it was read.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    entries: Vec<Entry>,
    index: HashMap<String, usize>,
    finals: HashSet<String>,
    system: BTreeMap<String, String>,
}

impl Configuration {
    /// A configuration of defaults only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a job file or another single resource on top of the defaults.
    pub fn from_bytes(source: &str, bytes: &[u8]) -> Result<Self, ConfigError> {
        let mut conf = Self::new();
        conf.add_resource(source, bytes)?;
        Ok(conf)
    }

    /// Sets what Java would know as a system property, such as `user.name`: variables look there first.
    pub fn set_system_property(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.system.insert(name.into(), value.into());
    }

    /// A system property set before.
    pub fn system_property(&self, name: &str) -> Option<&str> {
        self.system.get(name).map(String::as_str)
    }

    /// Adds a resource that is no file, such as a job's. What earlier resources made final stays. An include is
    /// refused: the bytes may be a stranger's.
    pub fn add_resource(&mut self, source: &str, bytes: &[u8]) -> Result<(), ConfigError> {
        if bytes.len() > FILE_BYTES_MAX {
            return Err(ConfigError::TooLong { file: source.to_owned(), limit: FILE_BYTES_MAX });
        }
        let source: Arc<str> = source.into();
        for item in xml::parse(&source, bytes)? {
            match item {
                Item::Property(property) => self.add_property(property, &source),
                Item::Include { href, .. } => {
                    let problem = format!("includes {href}; only site files may include others");
                    return Err(ConfigError::Xml { file: source.to_string(), line: 1, problem });
                }
            }
        }
        Ok(())
    }

    /// Adds a file, with what it includes.
    pub fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        load::add_file(self, path)
    }

    pub(crate) fn add_property(&mut self, property: xml::Property, source: &Arc<str>) {
        let xml::Property { name, value, is_final, loaded_from } = property;
        if let Some(value) = value.filter(|_| !self.is_final(&name)) {
            let source = match loaded_from {
                Some(from) => from.into(),
                None => source.clone(),
            };
            self.put(Entry { name: name.clone(), value, source });
        }
        if is_final {
            self.finals.insert(name);
        }
    }

    fn put(&mut self, entry: Entry) {
        match self.index.get(&entry.name) {
            Some(at) => self.entries[*at] = entry,
            None => {
                self.index.insert(entry.name.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Sets a property; as in Java, code may override what is final.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.set_from(name, value, UNKNOWN);
    }

    /// Sets a key.
    pub fn set_key<T>(&mut self, key: &Key<T>, value: impl Display) {
        self.set(key.name(), value.to_string());
    }

    /// Sets a property and says who did, for messages: `command line`.
    pub fn set_from(&mut self, name: impl Into<String>, value: impl Into<String>, source: &str) {
        self.put(Entry { name: name.into(), value: value.into(), source: source.into() });
    }

    /// Takes a property away; a default shows again.
    pub fn unset(&mut self, name: &str) {
        let Some(at) = self.index.remove(name) else { return };
        self.entries.remove(at);
        for position in self.index.values_mut().filter(|position| **position > at) {
            *position -= 1;
        }
    }

    /// Whether a resource made this property final, under this or another of its names.
    pub fn is_final(&self, name: &str) -> bool {
        if self.finals.is_empty() {
            return false;
        }
        let old = registry::old_name_of(name).unwrap_or(name);
        let later = registry::find_exact(old).map_or(&[][..], |row| row.new_names);
        [name, old].iter().chain(later).any(|name| self.finals.contains(*name))
    }

    /// What stands under exactly this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.index.get(name).map(|at| &self.entries[*at])
    }

    /// The value under exactly this name, variables and all, else the default of 1.2.1's default files
    /// (Configuration.getRaw).
    pub fn raw(&self, name: &str) -> Option<&str> {
        match self.entry(name) {
            Some(entry) => Some(&entry.value),
            None => registry::find_exact(name).filter(|row| row.in_default_file).and_then(|row| row.default),
        }
    }

    /// The value of a name after substitution: a key under any of its names, or a name that nobody knows.
    pub fn text(&self, name: &str) -> Result<Option<String>, ConfigError> {
        match registry::find_exact(registry::old_name_of(name).unwrap_or(name)) {
            Some(row) => Ok(self.resolve(row, row.name)?.map(|found| found.text)),
            None => match self.entry(name) {
                Some(entry) => Ok(Some(self.substitute(name, &entry.value, &entry.source)?)),
                None => Ok(None),
            },
        }
    }

    /// Replaces the variables of a text as if it were a value.
    pub fn expand(&self, text: &str) -> Result<String, ConfigError> {
        self.substitute("a value", text, UNKNOWN)
    }

    fn substitute(&self, name: &str, text: &str, source: &str) -> Result<String, ConfigError> {
        let lookup = |variable: &str| match self.system.get(variable) {
            Some(value) => Some(value.clone()),
            None => self.raw(variable).map(str::to_owned),
        };
        substitute::substitute(text, lookup).map_err(|_| ConfigError::Substitution {
            file: source.to_owned(),
            key: name.to_owned(),
            value: text.to_owned(),
            depth: substitute::DEPTH_MAX,
        })
    }

    /// The entry that counts for a row: the old name wins if somebody set it, then the later names, then what a
    /// default file gave (known pain P03).
    fn entry_of(&self, row: &KeyInfo, name: &str) -> Option<&Entry> {
        let own = self.entry(name);
        if own.is_some_and(|entry| !entry.is_default()) || CHILD_MUST_AGREE.contains(&row.name) {
            return own;
        }
        let later = row.new_names.iter().filter_map(|new| self.entry(new)).find(|entry| !entry.is_default());
        later.or(own)
    }

    fn resolve(&self, row: &KeyInfo, name: &str) -> Result<Option<Found>, ConfigError> {
        let (name, text, source) = match (self.entry_of(row, name), row.default) {
            (Some(entry), _) => (entry.name.as_str(), entry.value.as_str(), &*entry.source),
            (None, Some(default)) => (name, default, "the default"),
            (None, None) => return Ok(None),
        };
        let text = self.substitute(name, text, source)?;
        Ok(Some(Found { name: name.to_owned(), text, source: source.to_owned() }))
    }

    /// The value of a key, checked: a bad value is an error that names its file.
    pub fn get<T: Value>(&self, key: &Key<T>) -> Result<T, ConfigError> {
        self.get_optional(key)?.ok_or_else(|| missing(key.info(), key.name()))
    }

    /// The value of a key, checked; `None` if it is not set and has no default.
    pub fn get_optional<T: Value>(&self, key: &Key<T>) -> Result<Option<T>, ConfigError> {
        self.read(key.info(), key.name())
    }

    /// The value of a key whose name has a part of the user's, such as `mapred.queue.<q>.state`.
    pub fn get_for<T: Value>(&self, key: &Key<T>, part: &str) -> Result<Option<T>, ConfigError> {
        self.read(key.info(), &key.name_for(part))
    }

    fn read<T: Value>(&self, row: &KeyInfo, name: &str) -> Result<Option<T>, ConfigError> {
        let Some(found) = self.resolve(row, name)? else { return Ok(None) };
        // A blank around a number is no reason to stop a daemon; in text it may be meant.
        let text = if T::EXPECTED == String::EXPECTED { found.text.as_str() } else { found.text.trim() };
        match T::read(text).filter(|_| value::within(&row.limits, text)) {
            Some(value) => Ok(Some(value)),
            None => Err(ConfigError::Value {
                file: found.source,
                key: found.name,
                value: found.text,
                expected: value::expectation(row),
            }),
        }
    }

    /// The value of a key by Java's lenient rule, for jobs: one that cannot be read counts as the default, and
    /// `otherwise` where there is none.
    pub fn get_or<T: Value>(&self, key: &Key<T>, otherwise: T) -> T {
        let found = self.resolve(key.info(), key.name()).ok().flatten();
        let default = || key.info().default.and_then(T::read);
        found.and_then(|found| T::read(&found.text)).or_else(default).unwrap_or(otherwise)
    }

    /// A key that is a time, in its row's unit; a negative one is an error.
    pub fn duration<T: Value + Into<i64>>(&self, key: &Key<T>) -> Result<Duration, ConfigError> {
        let number: i64 = self.get(key)?.into();
        let step = match key.info().unit {
            Unit::Seconds => 1000,
            Unit::Minutes => 60_000,
            Unit::Hours => 3_600_000,
            _ => 1,
        };
        match u64::try_from(number) {
            Ok(number) => Ok(Duration::from_millis(number.saturating_mul(step))),
            Err(_) => Err(self.refused(key.info(), key.name(), "a whole number, 0 or more")),
        }
    }

    /// A key that is a size, in bytes whatever its row's unit; negative values, which mean no limit, stay.
    pub fn bytes<T: Value + Into<i64>>(&self, key: &Key<T>) -> Result<i64, ConfigError> {
        let number: i64 = self.get(key)?.into();
        let step = match key.info().unit {
            Unit::KiloBytes => 1 << 10,
            Unit::MegaBytes => 1 << 20,
            _ => 1,
        };
        Ok(if number < 0 { number } else { number.saturating_mul(step) })
    }

    /// The error for a value that its reader cannot use for a reason of its own.
    pub fn refuse<T>(&self, key: &Key<T>, expected: &str) -> ConfigError {
        self.refused(key.info(), key.name(), expected)
    }

    /// Likewise of a key whose name has a part of the user's.
    pub fn refuse_for<T>(&self, key: &Key<T>, part: &str, expected: &str) -> ConfigError {
        self.refused(key.info(), &key.name_for(part), expected)
    }

    fn refused(&self, row: &KeyInfo, name: &str, expected: &str) -> ConfigError {
        match self.resolve(row, name) {
            Ok(Some(Found { name: key, text: value, source: file })) => {
                ConfigError::Value { file, key, value, expected: expected.to_owned() }
            }
            Ok(None) => missing(row, name),
            Err(error) => error,
        }
    }

    /// Whether somebody, and not a default file, set the key under one of its names.
    pub fn is_set<T>(&self, key: &Key<T>) -> bool {
        self.entry_of(key.info(), key.name()).is_some_and(|entry| !entry.is_default())
    }

    /// Copies what is set under a later name to the name that 1.2.1's Java reads, where that is not set: for a job
    /// that is about to be written.
    pub fn use_old_names(&mut self) {
        let mut copies = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_default()) {
            let Some(old) = registry::old_name_of(&entry.name) else { continue };
            if self.entry(old).is_none_or(Entry::is_default) {
                copies.push(Entry { name: old.to_owned(), value: entry.value.clone(), source: entry.source.clone() });
            }
        }
        for entry in copies {
            self.put(entry);
        }
    }

    /// What is stored, in its order, without defaults.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// How many properties are stored.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Everything an untyped Java reader would see: what is stored, and the rest of the default files.
    pub fn with_defaults(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let stored = self.entries.iter().map(|entry| (&*entry.name, &*entry.value, &*entry.source));
        let rest = registry::all_keys().filter(|row| row.in_default_file && self.entry(row.name).is_none());
        stored.chain(rest.filter_map(|row| Some((row.name, row.default?, default_file(row)))))
    }

    /// The file that Java's writeXml makes of what is stored (Hadoop 1.2.1: Configuration.writeXml).
    pub fn to_xml(&self) -> Vec<u8> {
        xml::write(self.entries.iter().map(|entry| (&*entry.name, &*entry.value, &*entry.source)))
    }

    /// The file of what is stored and of the default files: what a Java client submits.
    pub fn to_xml_with_defaults(&self) -> Vec<u8> {
        xml::write(self.with_defaults())
    }
}

/// A value after substitution, and where it came from.
struct Found {
    name: String,
    text: String,
    source: String,
}

fn missing(row: &KeyInfo, name: &str) -> ConfigError {
    let file = default_file(row);
    let set_in = if file == "core-default.xml" { "core-site.xml" } else { "mapred-site.xml" };
    ConfigError::Missing { key: name.to_owned(), set_in, expected: value::expectation(row) }
}

/// The default file that 1.2.1 keeps a row in, or would.
fn default_file(row: &KeyInfo) -> &'static str {
    const CORE: &[&str] =
        &["fs.", "io.", "ipc.", "hadoop.", "local.cache.", "topology.", "net.", "webinterface.", "dfs."];
    const MAPRED: &[&str] = &["io.sort.", "hadoop.job.", "hadoop.relaxed", "hadoop.skip"];
    let starts = |heads: &[&str]| heads.iter().any(|head| row.name.starts_with(head));
    if starts(CORE) && !starts(MAPRED) { "core-default.xml" } else { "mapred-default.xml" }
}

#[cfg(test)]
mod tests;
