//! What a user may ask of the JVM that a native child cannot give: Java options, profiling, kept files, skipped
//! records. Any of them means Java.

use crate::plan::is_own;
use crate::{Lookup, Reason, key};

/// What `howdah.child.native` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    Auto,
    Never,
    Always,
    Unknown(String),
}

pub(crate) fn wish(conf: &Lookup<'_>) -> Wish {
    match conf(key::NATIVE).as_deref().map_or("auto", str::trim) {
        "" | "auto" => Wish::Auto,
        "never" => Wish::Never,
        "always" => Wish::Always,
        other => Wish::Unknown(other.to_owned()),
    }
}

/// Fails with the first wish that only a JVM can grant. What is asked of the JVM itself does not matter to a job that
/// has its own executable.
pub(crate) fn check(conf: &Lookup<'_>) -> Result<(), Reason> {
    if !is_own(conf) {
        check_jvm(conf)?;
    }
    for key in [key::SKIP_RECORDS, key::SKIP_GROUPS] {
        if conf(key).is_some_and(|value| !matches!(value.trim(), "" | "0")) {
            return Err(format!("{key} is set, and Java's child skips bad records"));
        }
    }
    Ok(())
}

fn check_jvm(conf: &Lookup<'_>) -> Result<(), Reason> {
    for key in [key::CHILD_OPTS, key::MAP_OPTS, key::REDUCE_OPTS, key::ADMIN_MAP_OPTS, key::ADMIN_REDUCE_OPTS] {
        let options = conf(key).unwrap_or_default();
        if let Some(option) = options.split_whitespace().find(|option| !is_sizing(option)) {
            return Err(format!("{key} holds {option}, which only a JVM understands"));
        }
    }
    for key in [key::PROFILE, key::KEEP_FAILED] {
        if conf(key).is_some_and(|value| value.trim() == "true") {
            return Err(format!("{key} is true"));
        }
    }
    if conf(key::KEEP_PATTERN).is_some_and(|value| !value.trim().is_empty()) {
        return Err(format!("{} is set", key::KEEP_PATTERN));
    }
    Ok(())
}

/// Options that set sizes or choose among equals, so that a program cannot tell, and those that Hadoop itself adds.
fn is_sizing(option: &str) -> bool {
    const EXACT: &[&str] =
        &["-server", "-client", "-d32", "-d64", "-Djava.net.preferIPv4Stack=true", "-Dhadoop.metrics.log.level=WARN"];
    const PREFIXES: &[&str] = &[
        "-Xmx",
        "-Xms",
        "-Xmn",
        "-Xss",
        "-XX:MaxPermSize=",
        "-XX:PermSize=",
        "-XX:MaxMetaspaceSize=",
        "-XX:NewSize=",
        "-XX:MaxNewSize=",
        "-XX:NewRatio=",
        "-XX:SurvivorRatio=",
        "-XX:ParallelGCThreads=",
        "-XX:ConcGCThreads=",
        "-XX:MaxDirectMemorySize=",
        "-XX:ReservedCodeCacheSize=",
        "-XX:TieredStopAtLevel=",
    ];
    let collector = option.starts_with("-XX:+Use") && option.ends_with("GC");
    EXACT.contains(&option) || collector || PREFIXES.iter().any(|prefix| option.starts_with(prefix))
}
