//! The table of jobs that `job -list` and `queue -info -showJobs` print (Hadoop 1.2.1: JobClient.displayJobList).

use types::JobStatus;

use crate::console::Console;

/// Prints the header and a line per job.
pub(crate) fn print(jobs: &[JobStatus], console: &mut Console<'_>) {
    console.out("JobId\tState\tStartTime\tUserName\tPriority\tSchedulingInfo");
    for status in jobs {
        console.out(format_args!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            status.job,
            status.state.number(),
            status.start_time,
            status.user,
            status.priority.name(),
            status.scheduling_info
        ));
    }
}
