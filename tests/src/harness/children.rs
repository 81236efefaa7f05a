//! The child processes of one cluster. Clusters that started in the same minute have jobs of the same name, so that an
//! attempt's name alone never tells whose child a process is.

use std::fs;

use nix::unistd::Pid;
use types::TaskAttemptId;

use super::Cluster;

impl Cluster {
    /// The children of this cluster, Java's and native, whose arguments pass: the attempt's name is among them.
    pub fn children(&self, passes: impl Fn(&[String]) -> bool) -> Vec<Pid> {
        let dir = self.dir().display().to_string();
        let processes = fs::read_dir("/proc").expect("/proc").flatten();
        let pids = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok());
        let is_wanted = |pid: &i32| {
            // A process that has ended meanwhile is nobody's child.
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words: Vec<String> = line.split(|b| *b == 0).map(|w| String::from_utf8_lossy(w).into_owned()).collect();
            words.first().is_some_and(|program| program.ends_with("/java") || program.ends_with("/child"))
                && words.iter().any(|word| word.contains(&dir))
                && passes(&words)
        };
        pids.filter(is_wanted).map(Pid::from_raw).collect()
    }

    /// The process that runs an attempt now.
    pub fn child_of(&self, attempt: &TaskAttemptId) -> Option<Pid> {
        let wanted = attempt.to_string();
        self.children(|words| words.contains(&wanted)).into_iter().next()
    }
}
