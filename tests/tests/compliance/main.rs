//! The compliance suite: the same cases on every mixture of Hadoop 1.2.1's daemons, children and clients with ours.
//!
//! A cell is one mixture. Each has a cluster of its own, on which jobs that many cases share run at the same time. Runs
//! the cells of CI and their core cases, or with `--full` all cells and cases; `--report FILE` writes the matrix. Words
//! choose cases by parts of their names, JOBTRACKER, TASKTRACKER, CHILD and CLIENT in the environment choose cells.

mod bench;
mod case;
mod cases;
mod cell;
mod files;
mod job;
mod report;
mod run;
mod scenes;

use std::process::ExitCode;

use crate::run::Plan;

fn main() -> ExitCode {
    match Plan::read(std::env::args().skip(1)) {
        Ok(plan) => plan.run(),
        Err(problem) => {
            eprintln!("compliance: {problem}");
            ExitCode::FAILURE
        }
    }
}
