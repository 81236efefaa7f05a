//! Whether a named class is really the one that the twin stands for, or one of the job's own of the same name.

use crate::plan::Named;
use crate::{ClassIndex, Lookup, Reason, digests, key};

/// Where the classes of an eligible job come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Hadoop's class path and the job's jars have them all.
    Java,
    /// No jar has this one: the job was made by our own client.
    NativeOnly(String),
}

/// Fails with the first class that is not Hadoop's own.
pub(crate) fn check(named: &[Named], conf: &Lookup<'_>, jars: &ClassIndex) -> Result<Origin, Reason> {
    if let Some(problem) = jars.unreadable() {
        return Err(format!("a jar of the job cannot be searched: {problem}"));
    }
    let with_jar = conf(key::JAR).is_some_and(|jar| !jar.trim().is_empty()) || !jars.is_empty();
    let mut origin = Origin::Java;
    for Named { key, class } in named {
        match digests::family_of(class) {
            None => {
                if let Some(jar) = jars.jar_of(class) {
                    return Err(format!("{key} is {class}, and {jar} brings a class of that name"));
                }
            }
            Some(family) => {
                if let Some((other, jar)) = jars.first_unknown(family) {
                    return Err(format!("{key} is {class}, and {other} in {jar} is not the one of Hadoop 1.2.1"));
                }
                match (jars.jar_of(class), with_jar) {
                    (Some(_), _) => {}
                    (None, true) => return Err(format!("{key} is {class}, which no jar of the job brings")),
                    (None, false) => origin = Origin::NativeOnly(class.clone()),
                }
            }
        }
    }
    Ok(origin)
}
