//! The variables of a child (Hadoop 1.2.1: TaskRunner.getVMEnvironment, setEnvFromInputString).

use configuration::keys;
use types::{Task, TaskKind};

use super::LaunchError;
use crate::localizer::{LocalizedJob, LocalizedTask};

/// Variables of a job that are none.
#[derive(Debug, thiserror::Error)]
#[error(
    "Invalid User environment settings : {text}. Failed to parse user-passed environment param. \
     Expecting : env1=value1,env2=value2..."
)]
pub struct BadEnvironment {
    /// The whole list.
    pub text: String,
}

/// The variables in the order in which the script exports them.
pub(super) fn variables(job: &LocalizedJob, task: &LocalizedTask) -> Result<Vec<(String, String)>, LaunchError> {
    let conf = &job.conf;
    let work_dir = task.work_dir.display().to_string();
    let library_path =
        std::env::var("LD_LIBRARY_PATH").map_or_else(|_| work_dir.clone(), |old| format!("{work_dir}:{old}"));
    let mut client_options = std::env::var("HADOOP_CLIENT_OPTS").unwrap_or_default();
    for property in task_log_properties(&task.task) {
        if !client_options.is_empty() {
            client_options.push(' ');
        }
        client_options.push_str(&property);
    }
    let mut variables: Vec<(String, String)> = [
        ("SHELL", conf.get(&keys::MAPREDUCE_ADMIN_USER_SHELL)?),
        ("HADOOP_TOKEN_FILE_LOCATION", job.token_file.display().to_string()),
        ("LD_LIBRARY_PATH", library_path),
        ("HADOOP_WORK_DIR", work_dir),
        ("HADOOP_ROOT_LOGGER", "INFO,TLA".to_owned()),
        ("LOGNAME", job.user.clone()),
        ("USER", job.user.clone()),
        ("HADOOP_CLIENT_OPTS", client_options),
        ("HOME", conf.get(&keys::MAPREDUCE_ADMIN_USER_HOME_DIR)?),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let own = match task.task.kind() {
        TaskKind::Map => keys::MAPRED_MAP_CHILD_ENV.name(),
        TaskKind::Reduce => keys::MAPRED_REDUCE_CHILD_ENV.name(),
    };
    let own = match conf.text(own)? {
        Some(own) => Some(own),
        None => conf.text(keys::MAPRED_CHILD_ENV.name())?,
    };
    for list in [conf.text(keys::MAPREDUCE_ADMIN_USER_ENV.name())?, own].into_iter().flatten() {
        add_list(&mut variables, &list, &|name| std::env::var(name).ok())?;
    }
    Ok(variables)
}

/// What a child's logging wants to know, as Java properties.
pub(super) fn task_log_properties(task: &Task) -> [String; 3] {
    [
        format!("-Dhadoop.tasklog.taskid={}", task.attempt),
        format!("-Dhadoop.tasklog.iscleanup={}", task.task_cleanup),
        // Quirk: 1.2.1 hands on a limit of 0, whatever the job says (TaskLog.getTaskLogLength's callers), so standard
        // output is never cut while it is written.
        "-Dhadoop.tasklog.totalLogFileSize=0".to_owned(),
    ]
}

/// Adds `A=x,B=$B:y`: `$B` within B's own value stands for B's value so far, here or in the tracker's own environment.
fn add_list(
    variables: &mut Vec<(String, String)>,
    list: &str,
    tracker: &dyn Fn(&str) -> Option<String>,
) -> Result<(), BadEnvironment> {
    for item in list.split(',').filter(|item| !item.trim().is_empty()) {
        let bad = || BadEnvironment { text: list.to_owned() };
        let (name, value) = item.split_once('=').ok_or_else(bad)?;
        let name = name.trim();
        if value.is_empty() || !is_name(name) {
            return Err(bad());
        }
        let this = format!("${name}");
        let old = variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let value = match old.or_else(|| tracker(name)) {
            Some(old) => value.replace(&this, &old),
            None => match value.strip_prefix('$').and_then(tracker) {
                Some(other) => other,
                None => value.replace(&this, ""),
            },
        };
        match variables.iter_mut().find(|(known, _)| known == name) {
            Some(known) => known.1 = value,
            None => variables.push((name.to_owned(), value)),
        }
    }
    Ok(())
}

/// A name that a shell can export: anything else in a script would be a command.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(list: &str, expected: &[(&str, &str)]) {
        let mut variables = vec![("LD_LIBRARY_PATH".to_owned(), "/work".to_owned())];
        let tracker = |name: &str| match name {
            "PATH" => Some("/bin".to_owned()),
            "HOME" => Some("/root".to_owned()),
            _ => None,
        };
        add_list(&mut variables, list, &tracker).unwrap();
        let found: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{list}");
    }

    #[test]
    fn variables_refer_to_their_own_old_value() {
        check("A=x", &[("LD_LIBRARY_PATH", "/work"), ("A", "x")]);
        check("LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/t", &[("LD_LIBRARY_PATH", "/work:/t")]);
        check("PATH=$PATH:/t", &[("LD_LIBRARY_PATH", "/work"), ("PATH", "/bin:/t")]);
        check("ROOT=$HOME", &[("LD_LIBRARY_PATH", "/work"), ("ROOT", "/root")]);
        check("X=$X:/t", &[("LD_LIBRARY_PATH", "/work"), ("X", ":/t")]);
        check("A=x,B=k=v", &[("LD_LIBRARY_PATH", "/work"), ("A", "x"), ("B", "k=v")]);
    }

    #[test]
    fn what_is_no_variable_is_refused_in_hadoops_words() {
        for list in ["A", "A=", "=x", "A=x,B", "A;rm -rf x=1", "1A=x"] {
            let error = add_list(&mut Vec::new(), list, &|_| None).unwrap_err();
            assert!(error.to_string().starts_with(&format!("Invalid User environment settings : {list}.")), "{error}");
        }
    }
}
