//! The command line: Java's system properties, the class name that scripts look for in `ps`, and what 1.2.1's TaskTracker
//! takes, which is nothing (Hadoop 1.2.1: TaskTracker.main).

/// What 1.2.1 prints for anything it does not know.
pub const USAGE: &str = "usage: TaskTracker";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Run, with these system properties.
    Run(Vec<(String, String)>),
    /// Nothing that is known.
    Usage,
}

/// Reads the arguments after the program's name.
pub fn parse(arguments: impl Iterator<Item = String>) -> Command {
    let mut properties = Vec::new();
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
        check("help", Command::Usage);
        check("-dumpConfiguration", Command::Usage);
    }
}
