//! The attempts that frame a job, and those that clean up after other attempts (Hadoop 1.2.1:
//! JobInProgress.obtainJobSetupTask, obtainJobCleanupTask, obtainTaskCleanupTask).

use types::{JobState, Now, Task, TaskKind};

use super::locality::Verdict;
use super::obtain::Asker;
use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::trackers::TrackerKey;

impl JobInProgress {
    /// Whether the setup may be launched.
    pub(super) fn may_set_up(&self) -> bool {
        self.inited && self.status.state == JobState::Prep && !self.launched_setup && !self.is_ending()
    }

    /// Whether the job's setup is done, or will never be.
    fn is_setup_finished(&self) -> bool {
        TaskKind::BOTH.into_iter().any(|kind| {
            let setup = self.task(self.setup_task(kind));
            setup.is_complete() || setup.is_killed()
        })
    }

    /// Whether the cleanup may be launched: all tasks are done, or the job is to end otherwise
    /// (Hadoop 1.2.1: JobInProgress.canLaunchJobCleanupTask).
    pub(super) fn may_clean_up(&self) -> bool {
        self.inited
            && !self.is_over()
            && !self.launched_cleanup
            && self.is_setup_finished()
            && (self.killing || self.failing || (self.all_done(TaskKind::Map) && self.all_done(TaskKind::Reduce)))
    }

    /// Whether cleanups of attempts may be launched; a job that ends cleans up once for all of them.
    pub(super) fn may_clean_attempts(&self) -> bool {
        self.inited && self.is_running() && !self.is_ending()
    }

    /// Goes on without a setup, if the job has none.
    pub(super) fn skip_setup(&mut self, now: Now, cluster: &mut Cluster) {
        if self.submission.setup_and_cleanup {
            return;
        }
        for kind in TaskKind::BOTH {
            let setup = self.setup_task(kind);
            self.kill_task(now, cluster, setup);
        }
        self.set_up(cluster);
    }

    /// Ends the job if it is done and has no cleanup.
    pub(crate) fn skip_cleanup(&mut self, now: Now, cluster: &mut Cluster) {
        if self.submission.setup_and_cleanup || !self.may_clean_up() {
            return;
        }
        for kind in TaskKind::BOTH {
            let cleanup = self.cleanup_task(kind);
            self.kill_task(now, cluster, cleanup);
        }
        self.finish(now, cluster);
    }

    /// Gives a tracker the job's setup.
    pub(crate) fn obtain_setup(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        slot: TaskKind,
    ) -> Option<Task> {
        if !self.may_set_up() {
            return None;
        }
        let task = self.setup_task(slot);
        self.obtain_special(now, cluster, tracker, task)
    }

    /// Gives a tracker the job's cleanup.
    pub(crate) fn obtain_cleanup(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        slot: TaskKind,
    ) -> Option<Task> {
        if !self.may_clean_up() {
            return None;
        }
        let task = self.cleanup_task(slot);
        let mut task = self.obtain_special(now, cluster, tracker, task)?;
        task.job_cleanup = Some(match (self.failing, self.killing) {
            (true, _) => JobState::Failed,
            (false, true) => JobState::Killed,
            (false, false) => JobState::Succeeded,
        });
        Some(task)
    }

    fn obtain_special(&mut self, now: Now, cluster: &mut Cluster, tracker: TrackerKey, task: TaskRef) -> Option<Task> {
        self.flaky.cluster_size = cluster.active_trackers();
        let asker = Asker::new(cluster, tracker)?;
        if !self.flaky.may_use(asker.host) || asker.judge(self.task(task), false) != Verdict::Take {
            return None;
        }
        self.launch(now, cluster, tracker, task)
    }

    /// Gives a tracker the cleanup of an attempt that failed or was killed.
    pub(crate) fn obtain_task_cleanup(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        slot: TaskKind,
    ) -> Option<Task> {
        if !self.may_clean_attempts() || !self.flaky.may_use(cluster.trackers.host(tracker)) {
            return None;
        }
        let attempt = match slot {
            TaskKind::Map => self.map_cleanups.pop_front(),
            TaskKind::Reduce => self.reduce_cleanups.pop_front(),
        }?;
        let task = self.find(slot, attempt.task.number)?;
        Some(self.launch_cleanup(now, cluster, tracker, task, attempt.number))
    }
}
