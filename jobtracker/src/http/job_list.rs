//! Tables of jobs, on the front page and on a queue's.

use jobtracker_core::{JobTracker, JobView};
use serde_json::{Value, json};
use types::JobStatus;

use super::html::{Cell, link, percent, time};

pub(super) const HEAD: &[&str] = &[
    "Jobid",
    "Started",
    "Priority",
    "User",
    "Name",
    "Map % Complete",
    "Map Total",
    "Maps Completed",
    "Reduce % Complete",
    "Reduce Total",
    "Reduces Completed",
    "Job Scheduling Information",
    "Diagnostic Info",
];

/// What of a job stands in a table.
pub(super) struct JobLine {
    pub(super) status: JobStatus,
    pub(super) retired: bool,
    name: String,
    maps: (i32, i32),
    reduces: (i32, i32),
}

impl JobLine {
    fn of(view: JobView) -> JobLine {
        JobLine {
            status: view.status,
            retired: view.retired,
            name: view.profile.name,
            maps: (view.maps.finished, view.maps.total),
            reduces: (view.reduces.finished, view.reduces.total),
        }
    }

    pub(super) fn row(&self) -> Vec<Cell> {
        let status = &self.status;
        vec![
            link(format!("jobdetails.jsp?jobid={}&refresh=30", status.job), &status.job),
            time(status.start_time).into(),
            status.priority.name().into(),
            (&status.user).into(),
            (&self.name).into(),
            percent(status.map_progress).into(),
            self.maps.1.into(),
            self.maps.0.into(),
            percent(status.reduce_progress).into(),
            self.reduces.1.into(),
            self.reduces.0.into(),
            (&status.scheduling_info).into(),
            (&status.failure_info).into(),
        ]
    }

    pub(super) fn json(&self) -> Value {
        let stats = |(done, total): (i32, i32), progress: f32| json!({ "numCompleted": done, "numTotal": total, "completionPercentage": progress * 100.0 });
        let status = &self.status;
        json!({
            "mapStats": stats(self.maps, status.map_progress),
            "reduceStats": stats(self.reduces, status.reduce_progress),
            "jobSchedulingInfo": status.scheduling_info,
            "jobName": self.name,
            "jobPriority": status.priority.name(),
            "userName": status.user,
            "jobId": status.job.to_string(),
        })
    }
}

/// The lines of these jobs.
pub(super) fn lines(core: &JobTracker, jobs: Vec<JobStatus>) -> Vec<JobLine> {
    jobs.into_iter().filter_map(|status| core.job_view(&status.job)).map(JobLine::of).collect()
}
