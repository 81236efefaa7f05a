//! What can be said about the properties that somebody set: no such key, a later name, without effect on us, a value
//! that is not allowed.

use std::fmt;

use crate::configuration::Configuration;
use crate::registry::{self, Effect};
use crate::value;

/// One remark about one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// No such key; perhaps the nearest one was meant.
    Unknown {
        /// What was set.
        name: String,
        /// The key with the most similar name.
        did_you_mean: Option<&'static str>,
    },
    /// A later name of a key; it is honoured.
    LaterName {
        /// What was set.
        name: String,
        /// What 1.2.1 calls it.
        old: &'static str,
    },
    /// Only Java code reads it.
    JavaOnly {
        /// What was set.
        name: String,
    },
    /// The value is not allowed.
    BadValue {
        /// What was set.
        name: String,
        /// To what.
        value: String,
        /// What is allowed.
        expected: String,
    },
}

/// One line for an operator.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unknown { name, did_you_mean: None } => write!(f, "{name} is no key of Hadoop's or ours"),
            Finding::Unknown { name, did_you_mean: Some(near) } => {
                write!(f, "{name} is no key; did you mean {near}?")
            }
            Finding::LaterName { name, old } => write!(f, "{name} is a later name of {old}, and is honoured"),
            Finding::JavaOnly { name } => write!(f, "{name} matters to Java code only"),
            Finding::BadValue { name, value, expected } => write!(f, "{name} is {value:?}; expected {expected}"),
        }
    }
}

impl Finding {
    /// Whether it is most likely a mistake, rather than a key of somebody else's or one that works.
    pub fn is_a_mistake(&self) -> bool {
        matches!(self, Finding::BadValue { .. } | Finding::Unknown { did_you_mean: Some(_), .. })
    }
}

/// Looks through everything that is stored, in its order.
pub fn examine(conf: &Configuration) -> Vec<Finding> {
    conf.iter().flat_map(|entry| examine_one(&entry.name, &entry.value)).collect()
}

fn examine_one(name: &str, text: &str) -> Vec<Finding> {
    let Some(row) = registry::find(name) else {
        return vec![Finding::Unknown { name: name.to_owned(), did_you_mean: nearest(name) }];
    };
    let mut findings = Vec::new();
    if let Some(old) = registry::old_name_of(name) {
        findings.push(Finding::LaterName { name: name.to_owned(), old });
    }
    if row.effect == Effect::JavaOnly {
        findings.push(Finding::JavaOnly { name: name.to_owned() });
    } else if !text.contains("${") && !value::allowed(row, text.trim()) {
        let expected = value::expectation(row);
        findings.push(Finding::BadValue { name: name.to_owned(), value: text.to_owned(), expected });
    }
    findings
}

/// The key that differs least from a name, if it differs by few letters.
fn nearest(name: &str) -> Option<&'static str> {
    let limit = (name.len() / 6).clamp(1, 4);
    let close = registry::all_keys().map(|row| (distance(name, row.name, limit), row.name));
    close.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name)
}

/// How many letters must be added, dropped or changed; more than `limit` need not be exact.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(!x.eq_ignore_ascii_case(&y) || (x != y && limit == 0));
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, value: &str) -> Vec<Finding> {
        let mut conf = Configuration::new();
        conf.set(name, value);
        examine(&conf)
    }

    #[test]
    fn says_what_is_wrong_with_a_property() {
        assert_eq!(findings("io.sort.mb", "200"), vec![]);
        let typo = Finding::Unknown { name: "io.sort.mbs".into(), did_you_mean: Some("io.sort.mb") };
        assert_eq!(findings("io.sort.mbs", "200"), vec![typo]);
        let far = Finding::Unknown { name: "com.example.flag".into(), did_you_mean: None };
        assert_eq!(findings("com.example.flag", "1"), vec![far]);
        let later = Finding::LaterName { name: "mapreduce.task.io.sort.mb".into(), old: "io.sort.mb" };
        assert_eq!(findings("mapreduce.task.io.sort.mb", "200"), vec![later]);
        let expected = "a whole number from 1 to 2047".to_owned();
        let bad = Finding::BadValue { name: "io.sort.mb".into(), value: "4096".into(), expected };
        assert_eq!(bad.to_string(), "io.sort.mb is \"4096\"; expected a whole number from 1 to 2047");
        assert!(bad.is_a_mistake());
        assert_eq!(findings("io.sort.mb", "4096"), vec![bad]);
    }
}
