//! The class path of a Java child (Hadoop 1.2.1: TaskRunner.getClassPaths, appendJobJarClasspaths).

use std::path::Path;

use configuration::{ConfigError, keys};

use crate::localizer::LocalizedJob;

/// Joins the tracker's own class path and the job's.
pub(super) fn join(system: &[String], job: &LocalizedJob, work_dir: &Path) -> Result<String, ConfigError> {
    let mut own: Vec<String> = Vec::new();
    if let Some(jars) = &job.jars_dir {
        own.extend(libraries(&jars.join("lib")));
        own.push(jars.join("classes").display().to_string());
        own.push(jars.display().to_string());
    }
    own.extend(job.cache_class_path.iter().map(|path| path.display().to_string()));
    own.push(work_dir.display().to_string());
    let user_first = job.conf.get(&keys::MAPREDUCE_USER_CLASSPATH_FIRST)?;
    let (first, second) = if user_first { (&own[..], system) } else { (system, &own[..]) };
    Ok(first.iter().chain(second).map(String::as_str).collect::<Vec<_>>().join(":"))
}

/// All files of the job jar's `lib/`, in name order: 1.2.1 took them in the order of the disk, which differs by node.
fn libraries(dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.path().display().to_string()).collect();
    names.sort();
    names
}
