//! `queue -list | -info QUEUE [-showJobs] | -showacls` (Hadoop 1.2.1: mapred.JobQueueClient).

use types::{JobQueueInfo, QueueAclsInfo};
use wire::mapred::job_submission::{GetJobsFromQueue, GetQueueAclsForCurrentUser, GetQueueInfo, GetQueues};

use crate::console::Console;
use crate::error::CliError;
use crate::job_tracker::JobTracker;
use crate::options::GENERIC_USAGE;
use crate::session::Session;
use crate::{Exit, FAILED, job_list};

/// Runs the command.
pub(crate) fn run(args: &[String], console: &mut Console<'_>) -> Result<Exit, CliError> {
    let (session, args) = Session::open(args)?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["-list", ..] => {
            for queue in JobTracker::connect(&session)?.call(&GetQueues {})? {
                print_queue(&queue, console);
            }
        }
        ["-showacls", ..] => {
            let acls = JobTracker::connect(&session)?.call(&GetQueueAclsForCurrentUser {})?;
            print_acls(&session.user, &acls, console);
        }
        ["-info", queue] if queue != "-showJobs" => info(&session, queue, false, console)?,
        ["-info", queue, "-showJobs"] => info(&session, queue, true, console)?,
        _ => return Ok(usage(console)),
    }
    Ok(0)
}

fn info(session: &Session, queue: &str, show_jobs: bool, console: &mut Console<'_>) -> Result<(), CliError> {
    let tracker = JobTracker::connect(session)?;
    match tracker.call(&GetQueueInfo { queue: queue.to_owned() })? {
        Some(info) => print_queue(&info, console),
        None => console.out(format_args!("Queue Name : {queue} has no scheduling information")),
    }
    if show_jobs {
        console.out("Job List");
        job_list::print(&tracker.call(&GetJobsFromQueue { queue: queue.to_owned() })?, console);
    }
    Ok(())
}

fn print_queue(queue: &JobQueueInfo, console: &mut Console<'_>) {
    console.out(format_args!("Queue Name : {}", queue.name));
    console.out(format_args!("Queue State : {}", queue.state));
    let info = if queue.scheduling_info.trim().is_empty() { "N/A" } else { &queue.scheduling_info };
    console.out(format_args!("Scheduling Info : {info}"));
}

fn print_acls(user: &str, acls: &[QueueAclsInfo], console: &mut Console<'_>) {
    if acls.is_empty() {
        console.out(format_args!("User {user} does not have access to any queue. \n"));
        return;
    }
    console.out(format_args!("Queue acls for user :  {user}\n\nQueue  Operations\n====================="));
    for queue in acls {
        let operations: Vec<String> =
            queue.operations.iter().flatten().map(|operation| operation.replacen("acl-", "", 1)).collect();
        console.out(format_args!("{}  {}", queue.queue, operations.join(",")));
    }
}

fn usage(console: &mut Console<'_>) -> Exit {
    console.err(
        "Usage: JobQueueClient <command> <args>\n\t[-list]\n\t[-info <job-queue-name> [-showJobs]]\n\t[-showacls] \n",
    );
    console.out_raw(GENERIC_USAGE);
    FAILED
}
