//! What a client printed: its job ids and counters, read as a person's script would.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counters by group and name as displayed.
pub type CounterMap = BTreeMap<(String, String), i64>;

/// A client that ran to its end.
#[derive(Debug, Clone)]
pub struct Run {
    /// The command line, for messages.
    pub command: String,
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
    /// From start to end.
    pub elapsed: Duration,
}

impl Run {
    /// This run, if it ended with 0; else a panic that shows all of it.
    pub fn expect_success(self) -> Run {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// The ids of the jobs it ran, in order.
    pub fn job_ids(&self) -> Vec<String> {
        self.messages().filter_map(|line| line.strip_prefix("Running job: ").map(str::to_owned)).collect()
    }

    /// The counters of each job it ran, in order.
    pub fn counters(&self) -> Vec<CounterMap> {
        let mut all: Vec<CounterMap> = Vec::new();
        let mut group = None;
        for line in self.messages() {
            if line.starts_with("Counters: ") {
                all.push(CounterMap::new());
                group = None;
                continue;
            }
            let Some(current) = all.last_mut() else { continue };
            match (line.strip_prefix("    "), line.strip_prefix("  ")) {
                (Some(counter), _) => {
                    let (Some(group), Some((name, value))) = (&group, counter.rsplit_once('=')) else { continue };
                    if let Ok(value) = value.parse() {
                        current.insert((String::clone(group), name.to_owned()), value);
                    }
                }
                (None, Some(name)) => group = Some(name.trim_end().to_owned()),
                _ => {}
            }
        }
        all
    }

    /// Log lines of JobClient and of streaming's own submission, without date, level and class.
    fn messages(&self) -> impl Iterator<Item = &str> {
        self.stderr.lines().filter_map(|line| {
            let at = ["mapred.JobClient: ", "streaming.StreamJob: "]
                .iter()
                .find_map(|class| line.find(class).map(|at| at + class.len()))?;
            Some(&line[at..])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_read_job_by_job() {
        let stderr = "\
26/12/01 00:42:33 INFO mapred.JobClient: Running job: job_1_0001
26/12/01 00:42:47 INFO mapred.JobClient: Counters: 2
26/12/01 00:42:47 INFO mapred.JobClient:   Job Counters 
26/12/01 00:42:47 INFO mapred.JobClient:     Launched map tasks=3
26/12/01 00:42:47 INFO mapred.JobClient:   mine
26/12/01 00:42:47 INFO mapred.JobClient:     a=b=-4
26/12/01 00:42:48 INFO mapred.JobClient: Running job: job_1_0002
26/12/01 00:42:49 INFO mapred.JobClient: Counters: 0
";
        let run = Run {
            command: String::new(),
            code: Some(0),
            stdout: String::new(),
            stderr: stderr.to_owned(),
            elapsed: Duration::ZERO,
        };
        assert_eq!(run.job_ids(), ["job_1_0001", "job_1_0002"]);
        let counters = run.counters();
        assert_eq!(counters.len(), 2);
        assert_eq!(counters[0][&("Job Counters".to_owned(), "Launched map tasks".to_owned())], 3);
        assert_eq!(counters[0][&("mine".to_owned(), "a=b".to_owned())], -4);
        assert!(counters[1].is_empty());
    }
}
