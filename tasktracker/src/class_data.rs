//! Makes Java children start sooner, without a word in the job's configuration: the serial collector, and the first
//! compiler alone for attempts that are over soon.
//!
//! Nothing is added that the user's options already decide, and nothing that this Java does not know.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use types::Task;

use crate::launcher::is_short;

/// One thread collects: a child's heap is small, and its cores are other children's too.
const SERIAL: &str = "-XX:+UseSerialGC";
/// No second compiler.
const FIRST_COMPILER: &str = "-XX:TieredStopAtLevel=1";

/// What was found out about the Java programs of this machine.
#[derive(Debug, Default)]
pub struct ClassData {
    enabled: bool,
    known: Mutex<HashMap<(PathBuf, &'static str), bool>>,
}

/// What a child gets beside its own options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quickened {
    /// Options that come before all others.
    pub options: Vec<String>,
    /// The tracker's part of the class path.
    pub class_path: Vec<String>,
}

impl ClassData {
    /// With `howdah.tasktracker.class.data` off, nothing is ever added.
    pub fn new(enabled: bool) -> Self {
        ClassData { enabled, known: Mutex::default() }
    }

    /// The options for a child with these options of the user's.
    pub fn quicken(&self, java: &Path, class_path: &[String], user: &[String], task: &Task) -> Quickened {
        let mut options = Vec::new();
        if self.enabled {
            if !chooses_collector(user) && self.knows(java, SERIAL) {
                options.push(SERIAL.to_owned());
            }
            if is_short(task)
                && !user.iter().any(|option| option.contains("Tiered"))
                && self.knows(java, FIRST_COMPILER)
            {
                options.push(FIRST_COMPILER.to_owned());
            }
        }
        Quickened { options, class_path: class_path.to_vec() }
    }

    /// Asks a Java once whether it starts with an option.
    fn knows(&self, java: &Path, option: &'static str) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry((java.to_owned(), option)).or_insert_with(|| {
            let quiet = || Stdio::null();
            let status =
                Command::new(java).args([option, "-version"]).stdin(quiet()).stdout(quiet()).stderr(quiet()).status();
            status.is_ok_and(|status| status.success())
        })
    }
}

/// Whether the user's options name a collector: two are an error that ends the child.
fn chooses_collector(user: &[String]) -> bool {
    user.iter().any(|option| {
        option == "-Xincgc"
            || option == "-XX:+AggressiveHeap"
            || (option.starts_with("-XX:") && option.ends_with("GC") && option.contains("Use"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_of_the_users_is_seen() {
        for (options, expected) in [
            (vec!["-Xmx200m", "-Dx=GC"], false),
            (vec!["-XX:+UseG1GC"], true),
            (vec!["-XX:-UseParallelGC"], true),
            (vec!["-XX:+UseConcMarkSweepGC", "-Xmx1g"], true),
            (vec!["-Xincgc"], true),
            (vec!["-XX:MaxPermSize=64m"], false),
        ] {
            let options: Vec<String> = options.into_iter().map(str::to_owned).collect();
            assert_eq!(chooses_collector(&options), expected, "{options:?}");
        }
    }
}
