//! What a key's row holds, and the search for a row by name. The rows themselves stand in [`crate::keys`].

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::keys;

/// Whether a key changes what our programs do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changes what happens.
    Behaviour,
    /// It changes how fast it happens.
    Tuning,
    /// Only Java code of the user's or of Hadoop's jars reads it; we carry it.
    JavaOnly,
}

/// What one of a number's steps is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A plain count, or not a number.
    None,
    /// Milliseconds.
    Millis,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
    /// Bytes.
    Bytes,
    /// 1024 bytes.
    KiloBytes,
    /// 1024 × 1024 bytes.
    MegaBytes,
    /// Percent.
    Percent,
}

/// What a value may be, beyond its type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limits {
    /// Anything of the type.
    Any,
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// A real number from the first to the second.
    Real(f64, f64),
    /// One of these words.
    Words(&'static [&'static str]),
}

/// One row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct KeyInfo {
    /// The name that 1.2.1 reads. A part in angle brackets stands for a name that the user chooses.
    pub name: &'static str,
    /// What it is if nobody sets it; `None` if then nothing is.
    pub default: Option<&'static str>,
    /// Whether the default stands in one of 1.2.1's default files: then untyped readers see it too.
    pub in_default_file: bool,
    /// The value's type, as [`crate::Value::EXPECTED`].
    pub expected: &'static str,
    /// The step of a number.
    pub unit: Unit,
    /// What is allowed.
    pub limits: Limits,
    /// Names that Hadoop 2 gave it. They work too; the old name wins when both are set.
    pub new_names: &'static [&'static str],
    /// Who reads it: JT, TT, client, child, scheduler, common …
    pub scope: &'static str,
    /// Whether it matters to us.
    pub effect: Effect,
    /// What it does.
    pub about: &'static str,
    /// The Hadoop class that reads it first, or `Howdah`.
    pub source: &'static str,
}

impl KeyInfo {
    /// Whether the name has a part that the user chooses.
    pub fn is_pattern(&self) -> bool {
        self.name.contains('<') || self.name.ends_with(".*")
    }

    /// The name with the user's part put in; the name itself where there is none.
    pub fn name_for(&self, part: &str) -> String {
        match (self.name.find('<'), self.name.find('>')) {
            (Some(from), Some(to)) if from < to => {
                format!("{}{part}{}", &self.name[..from], &self.name[to + 1..])
            }
            _ => self.name.to_owned(),
        }
    }
}

/// A key together with the Rust type of its values.
#[derive(Debug)]
pub struct Key<T> {
    info: KeyInfo,
    value: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    pub(crate) const fn new(info: KeyInfo) -> Self {
        Key { info, value: PhantomData }
    }

    /// The name that 1.2.1 reads.
    pub const fn name(&self) -> &'static str {
        self.info.name
    }

    /// The whole row.
    pub const fn info(&self) -> &KeyInfo {
        &self.info
    }

    /// The name with the user's part put in, for keys like `mapred.queue.<q>.state`.
    pub fn name_for(&self, part: &str) -> String {
        self.info.name_for(part)
    }
}

/// Every row, in the order of the files.
pub fn all_keys() -> impl Iterator<Item = &'static KeyInfo> {
    keys::FAMILIES.iter().flat_map(|(_, rows)| rows.iter().copied())
}

struct Index {
    by_name: HashMap<&'static str, &'static KeyInfo>,
    old_name: HashMap<&'static str, &'static str>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut by_name = HashMap::new();
        let mut old_name = HashMap::new();
        for row in all_keys() {
            by_name.insert(row.name, row);
            for new in row.new_names {
                old_name.insert(*new, row.name);
            }
        }
        Index { by_name, old_name }
    })
}

/// The row of a key: by the name 1.2.1 reads, by a later name, or by a pattern that it fits.
pub fn find(name: &str) -> Option<&'static KeyInfo> {
    if let Some(row) = index().by_name.get(name) {
        return Some(row);
    }
    if let Some(old) = old_name_of(name) {
        return index().by_name.get(old).copied();
    }
    all_keys().find(|row| row.is_pattern() && fits_pattern(row.name, name))
}

/// The row whose own name this is.
pub(crate) fn find_exact(name: &str) -> Option<&'static KeyInfo> {
    index().by_name.get(name).copied()
}

/// The name 1.2.1 reads where a later version says `new`.
pub(crate) fn old_name_of(new: &str) -> Option<&'static str> {
    index().old_name.get(new).copied()
}

fn fits_pattern(pattern: &str, name: &str) -> bool {
    let (head, tail) = match (pattern.find('<'), pattern.find('>')) {
        (Some(from), Some(to)) if from < to => (&pattern[..from], &pattern[to + 1..]),
        _ => (pattern.trim_end_matches('*'), ""),
    };
    let tail = tail.strip_suffix(".*").unwrap_or(tail);
    name.len() > head.len() + tail.len()
        && name.starts_with(head)
        && (name.ends_with(tail) || (pattern.ends_with(".*") && name[head.len()..].contains(tail)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_rows_by_each_of_their_names() {
        assert_eq!(find("io.sort.mb").unwrap().name, "io.sort.mb");
        assert_eq!(find("mapreduce.task.io.sort.mb").unwrap().name, "io.sort.mb");
        assert_eq!(find("mapred.queue.prod.acl-submit-job").unwrap().name, "mapred.queue.<q>.acl-submit-job");
        assert_eq!(find("fs.swift.impl").unwrap().name, "fs.<scheme>.impl");
        assert_eq!(find("terasort.partitions.sample").unwrap().name, "terasort.*");
        assert!(find("mapred.taskscheduler").is_none());
    }

    #[test]
    fn names_are_unique_and_new_names_point_one_way() {
        let mut seen = HashMap::new();
        for row in all_keys() {
            assert!(seen.insert(row.name, ()).is_none(), "two rows for {}", row.name);
        }
        for row in all_keys() {
            for new in row.new_names {
                assert!(row.name == "mapred.task.timeout" || !seen.contains_key(new), "{new} is a row of its own");
            }
        }
        assert!(seen.len() >= 655, "{}", seen.len());
    }

    #[test]
    fn every_default_is_a_value_that_its_row_allows() {
        for row in all_keys() {
            let Some(default) = row.default else { continue };
            if default.contains("${") || default.is_empty() {
                continue;
            }
            assert!(crate::value::allowed(row, default), "{}: {default:?} is not {}", row.name, row.expected);
        }
    }

    #[test]
    fn puts_the_users_part_into_a_pattern() {
        assert_eq!(keys::MAPRED_QUEUE_STATE.name_for("prod"), "mapred.queue.prod.state");
        assert_eq!(keys::IO_SORT_MB.name_for("prod"), "io.sort.mb");
    }
}
