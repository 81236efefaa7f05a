//! Which classes the job itself brings, and whether their bytes are ones that we know.
//!
//! Filled from jars by `jar_index`, or by hand in tests. Knows nothing of jobs.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::digests;

/// SHA-256 of a class file.
pub type Digest = [u8; 32];

/// A class as one jar of the job holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    jar: String,
    known: bool,
}

/// The classes in the job's jar, its libjars and its class-path archives, by Java binary name.
#[derive(Debug, Clone, Default)]
pub struct ClassIndex {
    classes: BTreeMap<String, Vec<Found>>,
    unreadable: BTreeSet<String>,
}

impl ClassIndex {
    /// A job without any jar.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a class's bytes decide anything, so that [`ClassIndex::add`] wants their digest.
    pub fn wants_digest(class: &str) -> bool {
        digests::family_of(class).is_some()
    }

    /// Notes that `jar` holds `class`; `digest` is of its bytes, where [`ClassIndex::wants_digest`] asks for it.
    pub fn add(&mut self, jar: &str, class: &str, digest: Option<Digest>) {
        let known = digest.is_some_and(|digest| digests::is_known(class, &digest));
        self.classes.entry(class.to_owned()).or_default().push(Found { jar: jar.to_owned(), known });
    }

    /// Notes that `jar` could not be looked into, so that nothing can be said about the job's classes.
    pub fn add_unreadable(&mut self, jar: &str, why: &str) {
        self.unreadable.insert(format!("{jar}: {why}"));
    }

    /// The first jar that could not be looked into, and why.
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.first().map(String::as_str)
    }

    /// Whether the job brings no class at all.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// How many different classes the job brings.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The jar that brings `class`, if one does.
    pub fn jar_of(&self, class: &str) -> Option<&str> {
        self.classes.get(class)?.first().map(|found| found.jar.as_str())
    }

    /// The first class whose name starts with `prefix` and whose bytes are not Hadoop's own, with its jar.
    pub fn first_unknown(&self, prefix: &str) -> Option<(&str, &str)> {
        let family = self.classes.range(prefix.to_owned()..).take_while(|(class, _)| class.starts_with(prefix));
        family
            .flat_map(|(class, found)| found.iter().map(move |found| (class, found)))
            .find(|(_, found)| !found.known)
            .map(|(class, found)| (class.as_str(), found.jar.as_str()))
    }
}
