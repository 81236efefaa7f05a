//! The options of a Java child: the user's, the administrator's, and those of 1.2.1's own.

use std::path::{Path, PathBuf};

use configuration::{ConfigError, Configuration, is_in_ranges, keys};
use types::{Task, TaskKind};

use crate::user_logs::LogName;

const LIBRARY_PATH: &str = "-Djava.library.path=";

/// The job's options and then the administrator's (MapTaskRunner.getChildJavaOpts, ReduceTaskRunner.getChildJavaOpts).
pub(super) fn java_options(conf: &Configuration, task: &Task) -> Result<Vec<String>, ConfigError> {
    let (own, admin) = match task.kind() {
        TaskKind::Map => (&keys::MAPRED_MAP_CHILD_JAVA_OPTS, &keys::MAPREDUCE_ADMIN_MAP_CHILD_JAVA_OPTS),
        TaskKind::Reduce => (&keys::MAPRED_REDUCE_CHILD_JAVA_OPTS, &keys::MAPREDUCE_ADMIN_REDUCE_CHILD_JAVA_OPTS),
    };
    let own = match conf.get_optional(own)? {
        Some(own) => own,
        None => conf.get(&keys::MAPRED_CHILD_JAVA_OPTS)?,
    };
    let text = format!("{own} {}", conf.get(admin)?).replace("@taskid@", &task.attempt.to_string());
    // Two blanks in a row gave Java an empty argument in 1.2.1, which it took for the main class.
    Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
}

/// Adds the place of native libraries: to the user's own, else before all (TaskRunner.getVMArgs).
pub(super) fn with_library_path(mut options: Vec<String>, library_path: &str) -> Vec<String> {
    match options.iter_mut().find(|option| option.starts_with(LIBRARY_PATH)) {
        Some(own) => {
            own.push(':');
            own.push_str(library_path);
        }
        None => options.insert(0, format!("{LIBRARY_PATH}{library_path}")),
    }
    options
}

/// Where an attempt's temporary files go (TaskRunner.createChildTmpDir).
pub(super) fn tmp_dir(conf: &Configuration, work_dir: &Path) -> Result<PathBuf, ConfigError> {
    let tmp = conf.get(&keys::MAPRED_CHILD_TMP)?;
    let tmp = tmp.trim();
    let relative = tmp.strip_prefix("./").unwrap_or(tmp);
    Ok(work_dir.join(relative))
}

/// The most address space of a child in KiB, if the job limits it.
pub(super) fn ulimit_kb(conf: &Configuration, kind: TaskKind) -> Result<Option<u64>, ConfigError> {
    let own = match kind {
        TaskKind::Map => &keys::MAPRED_MAP_CHILD_ULIMIT,
        TaskKind::Reduce => &keys::MAPRED_REDUCE_CHILD_ULIMIT,
    };
    let kb = match conf.get_optional(own)? {
        Some(kb) => Some(kb),
        None => conf.get_optional(&keys::MAPRED_CHILD_ULIMIT)?,
    };
    Ok(kb.and_then(|kb| u64::try_from(kb).ok()).filter(|kb| *kb > 0))
}

/// The profiler, if the job wants this task profiled.
pub(super) fn profiler(conf: &Configuration, task: &Task, log_dir: &Path) -> Result<Option<String>, ConfigError> {
    if !conf.get(&keys::MAPRED_TASK_PROFILE)? {
        return Ok(None);
    }
    let ranges = match task.kind() {
        TaskKind::Map => conf.get(&keys::MAPRED_TASK_PROFILE_MAPS)?,
        TaskKind::Reduce => conf.get(&keys::MAPRED_TASK_PROFILE_REDUCES)?,
    };
    if !is_in_ranges(&ranges, task.partition) {
        return Ok(None);
    }
    let file = log_dir.join(LogName::Profile.file_name()).display().to_string();
    Ok(Some(conf.get(&keys::MAPRED_TASK_PROFILE_PARAMS)?.replacen("%s", &file, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::map_task;

    fn conf(pairs: &[(&str, &str)]) -> Configuration {
        let mut conf = Configuration::new();
        pairs.iter().for_each(|(name, value)| conf.set(*name, *value));
        conf
    }

    #[test]
    fn the_administrators_options_come_after_the_jobs() {
        let expected = ["-Xmx200m", "-Djava.net.preferIPv4Stack=true", "-Dhadoop.metrics.log.level=WARN"];
        assert_eq!(java_options(&conf(&[]), &map_task()).unwrap(), expected);
        let conf = conf(&[
            ("mapred.child.java.opts", "-Xmx1g"),
            ("mapred.map.child.java.opts", "-Xmx9m  -Xloggc:/x/@taskid@.gc"),
            ("mapreduce.admin.map.child.java.opts", "-Da=b"),
        ]);
        let expected = ["-Xmx9m", "-Xloggc:/x/attempt_202611302130_0001_m_000000_0.gc", "-Da=b"];
        assert_eq!(java_options(&conf, &map_task()).unwrap(), expected);
    }

    #[test]
    fn the_users_library_path_is_kept_and_extended() {
        let own = vec!["-Xmx1m".to_owned(), "-Djava.library.path=/u".to_owned()];
        assert_eq!(with_library_path(own, "/w"), ["-Xmx1m", "-Djava.library.path=/u:/w"]);
        assert_eq!(with_library_path(vec!["-Xmx1m".to_owned()], "/w"), ["-Djava.library.path=/w", "-Xmx1m"]);
    }

    #[test]
    fn limits_of_the_kind_win() {
        let conf = conf(&[("mapred.child.ulimit", "100"), ("mapred.map.child.ulimit", "200")]);
        assert_eq!(ulimit_kb(&conf, TaskKind::Map).unwrap(), Some(200));
        assert_eq!(ulimit_kb(&conf, TaskKind::Reduce).unwrap(), Some(100));
        assert_eq!(ulimit_kb(&Configuration::new(), TaskKind::Map).unwrap(), None);
    }

    #[test]
    fn only_the_tasks_of_the_range_are_profiled() {
        let log = Path::new("/logs/a");
        assert_eq!(profiler(&conf(&[]), &map_task(), log).unwrap(), None);
        let on = conf(&[("mapred.task.profile", "true"), ("mapred.task.profile.params", "-x=%s")]);
        assert_eq!(profiler(&on, &map_task(), log).unwrap().unwrap(), "-x=/logs/a/profile.out");
        let far = Task { partition: 7, ..map_task() };
        assert_eq!(profiler(&on, &far, log).unwrap(), None);
    }

    #[test]
    fn the_temporary_directory_is_in_the_working_directory_or_where_the_job_says() {
        let work = Path::new("/w");
        assert_eq!(tmp_dir(&conf(&[]), work).unwrap(), Path::new("/w/tmp"));
        assert_eq!(tmp_dir(&conf(&[("mapred.child.tmp", "/t")]), work).unwrap(), Path::new("/t"));
    }
}
