//! What pages, metrics and logs show of the tracker: a copy, made after events.

use types::{JobId, JvmId, TaskAttemptId, TaskKind, TaskState, TaskStatus};

use crate::TaskTracker;
use crate::child::ChildState;
use crate::effect::ChildKind;
use crate::local_job::JobInfo;

/// A tracker at a glance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Its name.
    pub name: String,
    /// Map slots, and free ones.
    pub map_slots: (i32, i32),
    /// Reduce slots, and free ones.
    pub reduce_slots: (i32, i32),
    /// Attempts, those that are reported first.
    pub attempts: Vec<AttemptView>,
    /// Child processes.
    pub children: Vec<ChildView>,
    /// Jobs whose files are here or on their way.
    pub jobs: Vec<JobAtHand>,
    /// Attempts that failed here.
    pub task_failures: i32,
}

/// A job at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobAtHand {
    /// Its id.
    pub job: JobId,
    /// Which child runs its maps and reduces, and why not the native one; `None` until its files are here.
    pub child: Option<(ChildKind, String)>,
}

/// An attempt at a glance.
#[derive(Debug, Clone, PartialEq)]
pub struct AttemptView {
    /// Its status without counters.
    pub status: TaskStatus,
    /// Whether it is its own cleanup.
    pub task_cleanup: bool,
    /// Whose it is.
    pub user: String,
    /// Whether the next heartbeat reports it.
    pub reported: bool,
    /// Its child.
    pub jvm: Option<JvmId>,
}

/// A child at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildView {
    /// The child.
    pub jvm: JvmId,
    /// Which program.
    pub kind: ChildKind,
    /// Where it stands.
    pub state: ChildState,
    /// Its process, once known.
    pub pid: Option<i32>,
    /// Attempts that succeeded in it.
    pub ran: u32,
    /// The attempt it was started for.
    pub first: TaskAttemptId,
}

impl TaskTracker {
    /// A copy of what there is to see.
    pub fn view(&self) -> View {
        let slots = |kind| (self.settings.slots(kind), self.free_slots[&kind]);
        let mut attempts: Vec<AttemptView> = self
            .runs
            .iter()
            .map(|(id, run)| {
                let mut status = run.status.clone();
                status.counters = None;
                AttemptView {
                    reported: self.reported.get(&run.task.attempt) == Some(id),
                    status,
                    task_cleanup: run.task.task_cleanup,
                    user: run.task.user.clone(),
                    jvm: run.jvm().cloned(),
                }
            })
            .collect();
        attempts.sort_by_key(|attempt| !attempt.reported);
        let children = self.children.iter().map(|(jvm, child)| ChildView {
            jvm: jvm.clone(),
            kind: child.kind,
            state: child.state,
            pid: child.pid,
            ran: child.ran,
            first: child.first.0.clone(),
        });
        View {
            name: self.settings.name.clone(),
            map_slots: slots(TaskKind::Map),
            reduce_slots: slots(TaskKind::Reduce),
            attempts,
            children: children.collect(),
            jobs: self.jobs.iter().map(|(id, job)| job_at_hand(id, job.info())).collect(),
            task_failures: self.task_failures,
        }
    }

    /// The state of a known attempt, and the process that has it.
    pub fn attempt(&self, attempt: &TaskAttemptId) -> Option<(TaskState, Option<i32>)> {
        let run = self.run(self.known(attempt)?);
        let pid = run.jvm().and_then(|jvm| self.children.get(jvm)).and_then(|child| child.pid);
        Some((run.status.state, pid))
    }

    /// Whose map output it is and whether it may be fetched: a known map that succeeded, or a commit pending one.
    pub fn map_output_owner(&self, attempt: &TaskAttemptId) -> Option<&str> {
        let run = self.run(self.known(attempt)?);
        attempt.kind().is_map().then_some(run.task.user.as_str())
    }
}

fn job_at_hand(id: &JobId, info: Option<&JobInfo>) -> JobAtHand {
    let child = info.map(|info| {
        let kind = if info.native { ChildKind::Native } else { ChildKind::Java };
        (kind, info.java_reason.clone())
    });
    JobAtHand { job: id.clone(), child }
}
