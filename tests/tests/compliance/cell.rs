//! A cell of the matrix: who made the JobTracker, the TaskTrackers, the child and the client.

use std::fmt;

use howdah_tests::harness::Make;

/// What runs a task's attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Child {
    /// Java's, from Hadoop's jar.
    Java,
    /// Ours, which only our TaskTracker starts.
    Native,
}

/// One mixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) jobtracker: Make,
    pub(crate) tasktracker: Make,
    pub(crate) child: Child,
    pub(crate) client: Make,
}

/// What a case leans on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    JobTracker,
    TaskTracker,
    NativeChild,
}

const MAKES: [Make; 2] = [Make::Hadoop, Make::Howdah];

impl Cell {
    /// All that can be, Hadoop's own first: what fails there is a wrong case.
    pub(crate) fn all() -> Vec<Cell> {
        let mut cells = Vec::new();
        for jobtracker in MAKES {
            for (tasktracker, child) in
                [(Make::Hadoop, Child::Java), (Make::Howdah, Child::Java), (Make::Howdah, Child::Native)]
            {
                cells.extend(MAKES.map(|client| Cell { jobtracker, tasktracker, child, client }));
            }
        }
        cells
    }

    /// Those that tell most in little time: each of our parts beside Hadoop's other parts, and all of ours together.
    pub(crate) fn of_ci() -> Vec<Cell> {
        let (hadoop, ours) = (Make::Hadoop, Make::Howdah);
        vec![
            Cell { jobtracker: hadoop, tasktracker: ours, child: Child::Native, client: hadoop },
            Cell { jobtracker: ours, tasktracker: hadoop, child: Child::Java, client: ours },
            Cell { jobtracker: ours, tasktracker: ours, child: Child::Java, client: hadoop },
            Cell { jobtracker: ours, tasktracker: ours, child: Child::Native, client: ours },
        ]
    }

    /// Whether a part is of our make.
    pub(crate) fn is_ours(&self, part: Part) -> bool {
        match part {
            Part::JobTracker => self.jobtracker == Make::Howdah,
            Part::TaskTracker => self.tasktracker == Make::Howdah,
            Part::NativeChild => self.child == Child::Native,
        }
    }

    /// What `JOBTRACKER`, `TASKTRACKER`, `CHILD` or `CLIENT` calls this cell's part.
    pub(crate) fn axis(&self, name: &str) -> &'static str {
        match name {
            "JOBTRACKER" => make_name(self.jobtracker),
            "TASKTRACKER" => make_name(self.tasktracker),
            "CHILD" => match self.child {
                Child::Java => "java",
                Child::Native => "native",
            },
            _ => match self.client {
                Make::Hadoop => "java",
                Make::Howdah => "ours",
            },
        }
    }
}

/// The axes, in the order in which a cell's name has them.
pub(crate) const AXES: [&str; 4] = ["JOBTRACKER", "TASKTRACKER", "CHILD", "CLIENT"];

fn make_name(make: Make) -> &'static str {
    match make {
        Make::Hadoop => "hadoop",
        Make::Howdah => "ours",
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = AXES.map(|axis| format!("{}={}", axis.to_lowercase(), self.axis(axis)));
        out.write_str(&words.join(" "))
    }
}
