//! The command line: Java's system properties, the class name that scripts look for in `ps`, and what 1.2.1's JobTracker
//! takes (Hadoop 1.2.1: JobTracker.main).

/// What 1.2.1 prints for anything it does not know.
pub const USAGE: &str = "usage: JobTracker [-dumpConfiguration]";

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Run, with these system properties.
    Run(Vec<(String, String)>),
    /// Print the configuration, with these system properties.
    DumpConfiguration(Vec<(String, String)>),
    /// Nothing that is known.
    Usage,
}

/// Reads the arguments after the program's name.
pub fn parse(arguments: impl Iterator<Item = String>) -> Command {
    let mut properties = Vec::new();
    let mut rest = Vec::new();
    for argument in arguments {
        match daemon_shell::system_property(&argument) {
            Some(property) if rest.is_empty() => properties.push(property),
            _ => rest.push(argument),
        }
    }
    let words: Vec<&str> = rest.iter().map(String::as_str).filter(|word| !is_class(word)).collect();
    match words.as_slice() {
        [] => Command::Run(properties),
        ["-dumpConfiguration"] => Command::DumpConfiguration(properties),
        _ => Command::Usage,
    }
}

/// Whether a word is the class that our script names.
fn is_class(word: &str) -> bool {
    word == "org.apache.hadoop.mapred.JobTracker"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Command) {
        assert_eq!(parse(line.split_whitespace().map(str::to_owned)), expected, "{line}");
    }

    #[test]
    fn knows_what_hadoops_job_tracker_knows() {
        let logs = || vec![("proc_jobtracker".to_owned(), String::new()), ("a".to_owned(), "b=c".to_owned())];
        check("", Command::Run(vec![]));
        check("-Dproc_jobtracker -Da=b=c org.apache.hadoop.mapred.JobTracker", Command::Run(logs()));
        check("org.apache.hadoop.mapred.JobTracker -dumpConfiguration", Command::DumpConfiguration(vec![]));
        check("-dumpConfiguration more", Command::Usage);
        check("help", Command::Usage);
    }
}
