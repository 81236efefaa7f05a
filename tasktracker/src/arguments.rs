//! The command line: Java's system properties, the class name that scripts look for in `ps`, and what 1.2.1's TaskTracker
//! takes, which is nothing (Hadoop 1.2.1: TaskTracker.main).

use crate::localizer::as_user::LOCALIZE_JOB;

/// What 1.2.1 prints for anything it does not know.
pub const USAGE: &str = "usage: TaskTracker";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Run, with these system properties.
    Run(Vec<(String, String)>),
    /// Bring the files of a job here, as its user.
    LocalizeJob(Vec<String>),
    /// Nothing that is known.
    Usage,
}

/// Reads the arguments after the program's name.
pub fn parse(arguments: impl Iterator<Item = String>) -> Command {
    let mut properties = Vec::new();
    let mut arguments = arguments.peekable();
    if arguments.next_if(|first| first == LOCALIZE_JOB).is_some() {
        return Command::LocalizeJob(arguments.collect());
    }
    for argument in arguments {
        match daemon_shell::system_property(&argument) {
            Some(property) => properties.push(property),
            None if argument == "org.apache.hadoop.mapred.TaskTracker" => (),
            None => return Command::Usage,
        }
    }
    Command::Run(properties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Command) {
        assert_eq!(parse(line.split_whitespace().map(str::to_owned)), expected, "{line}");
    }

    #[test]
    fn takes_properties_and_its_class_name_only() {
        let two = vec![("proc_tasktracker".to_owned(), String::new()), ("a".to_owned(), "b=c".to_owned())];
        check("", Command::Run(vec![]));
        check("-Dproc_tasktracker -Da=b=c org.apache.hadoop.mapred.TaskTracker", Command::Run(two));
        check("--localize-job al /logs", Command::LocalizeJob(vec!["al".into(), "/logs".into()]));
        check("help", Command::Usage);
        check("-dumpConfiguration", Command::Usage);
    }
}
