//! A job's history read back: the job, its tasks and their attempts from the records of its file, what they add up to,
//! and the report of `hadoop job -history`. Where the file comes from is its reader's business, and pages have a form of
//! their own.

#![forbid(unsafe_code)]

mod analysis;
mod model;
mod report;
mod summary;
mod times;

pub use analysis::{Analysis, Part, Stage};
pub use model::{AttemptHistory, JobHistory, TaskHistory, Values};
pub use report::{grouped, report, task_logs_url};
pub use summary::{KindSummary, bad_nodes, summary};
pub use times::{Zone, time_difference, time_with_difference};
