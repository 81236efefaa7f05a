//! An attempt has succeeded (Hadoop 1.2.1: JobInProgress.completedTask).

use types::{Millis, Now, TaskKind, counter_names};

use super::state::JobEvent;
use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::effect::{HistoryRecord, TaskType};

impl JobInProgress {
    /// Takes the success of an attempt, which completes its task.
    pub(super) fn completed(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let start =
            self.task(task).attempt(number).and_then(|a| a.status.as_ref()).map_or(0, |status| status.start_time);
        self.meter(task, number, start);
        self.task_mut(task).complete(now, number);
        self.suspect_attempts(cluster, task);
        self.recount(cluster, task);
        self.record_completion(cluster, task, number);
        match self.task(task).spec.task_type {
            TaskType::Setup => self.setup_completed(now, cluster, task.kind),
            TaskType::Cleanup => self.cleanup_completed(now, cluster, task.kind),
            TaskType::Map | TaskType::Reduce => self.task_completed(now, cluster, task, number),
        }
    }

    fn setup_completed(&mut self, now: Now, cluster: &mut Cluster, kind: TaskKind) {
        let other = self.setup_task(other(kind));
        self.kill_task(now, cluster, other);
        self.set_up(cluster);
    }

    /// The job may run its tasks.
    pub(super) fn set_up(&mut self, cluster: &mut Cluster) {
        self.status.setup_progress = 1.0;
        if self.change_state(JobEvent::SetUp) {
            cluster.history(HistoryRecord::JobStarted { job: self.id.clone() });
        }
    }

    fn cleanup_completed(&mut self, now: Now, cluster: &mut Cluster, kind: TaskKind) {
        let other = self.cleanup_task(other(kind));
        self.kill_task(now, cluster, other);
        self.finish(now, cluster);
    }

    /// The job is cleaned up, and over.
    pub(super) fn finish(&mut self, now: Now, cluster: &mut Cluster) {
        match (self.failing, self.killing) {
            (true, _) => self.terminate(now, cluster, JobEvent::Fail),
            (false, true) => self.terminate(now, cluster, JobEvent::Kill),
            (false, false) => self.succeed(now, cluster),
        }
    }

    fn task_completed(&mut self, now: Now, cluster: &mut Cluster, task: TaskRef, number: i32) {
        self.stop_counting(task, number);
        self.retire(cluster, task);
        let tip = self.task(task);
        match task.kind {
            TaskKind::Map => {
                cluster.totals.maps_completed += 1;
                let input = tip.spec.split.as_ref().map_or(0, |split| split.meta.input_length);
                let status = tip.attempt(number).and_then(|attempt| attempt.status.as_ref());
                let output = status.map_or(-1, |status| status.output_size);
                self.estimator.map_done(input, output);
            }
            TaskKind::Reduce => cluster.totals.reduces_completed += 1,
        }
        if self.all_done(task.kind) {
            match task.kind {
                TaskKind::Map => self.status.map_progress = 1.0,
                TaskKind::Reduce => self.status.reduce_progress = 1.0,
            }
            if self.may_clean_up() {
                self.fail_by_counters(now, cluster);
            }
        }
    }

    /// An attempt runs no more.
    pub(super) fn stop_counting(&mut self, task: TaskRef, number: i32) -> bool {
        let counted = self.task_mut(task).attempt_mut(number).is_some_and(|a| std::mem::take(&mut a.counted));
        if counted {
            *self.running_attempts_mut(task.kind) -= 1;
        }
        counted
    }

    /// Counts the slot time of an attempt that ran from `start` on; 0 if it never ran, as one whose files cannot be
    /// brought to its node (Hadoop 1.2.1: JobInProgress.meterTaskAttempt).
    pub(super) fn meter(&mut self, task: TaskRef, number: i32, start: Millis) {
        let tip = self.task(task);
        let Some(status) = tip.attempt(number).and_then(|attempt| attempt.status.as_ref()) else { return };
        let ran = if start > 0 { status.finish_time.wrapping_sub(start) } else { 0 };
        let time = i64::from(tip.spec.slots).wrapping_mul(ran);
        let counter = if task.kind.is_map() { "SLOTS_MILLIS_MAPS" } else { "SLOTS_MILLIS_REDUCES" };
        self.counters.increment(counter_names::JOB, counter, time);
    }

    /// The record of an attempt's start, which history keeps until its end is known.
    pub(super) fn record_start(&self, cluster: &mut Cluster, task: TaskRef, number: i32) {
        let tip = self.task(task);
        let Some(attempt) = tip.attempt(number) else { return };
        let site = cluster.trackers.site(attempt.tracker);
        cluster.effects.push(crate::effect::Effect::History(HistoryRecord::AttemptStarted {
            attempt: tip.attempt_id(&self.id, number),
            task_type: tip.spec.task_type,
            start_time: attempt.status.as_ref().map_or(0, |status| status.start_time),
            tracker: cluster.trackers.name(attempt.tracker).to_string(),
            http_port: site.map_or(-1, |(_, port)| port),
            locality: attempt.locality,
            speculative: attempt.speculative,
        }));
    }

    fn record_completion(&self, cluster: &mut Cluster, task: TaskRef, number: i32) {
        self.record_start(cluster, task, number);
        let tip = self.task(task);
        let Some(attempt) = tip.attempt(number) else { return };
        let Some(status) = &attempt.status else { return };
        let node = cluster.trackers.site(attempt.tracker).map(|(node, _)| node);
        cluster.history(HistoryRecord::AttemptFinished {
            attempt: tip.attempt_id(&self.id, number),
            task_type: tip.spec.task_type,
            shuffle_and_sort: status.reduce.as_ref().map(|reduce| (reduce.shuffle_finish, reduce.sort_finish)),
            finish_time: status.finish_time,
            host: node.map_or_else(String::new, |node| cluster.topology.path(node).to_string()),
            state_string: status.state_string.clone(),
            counters: tip.counters().clone(),
        });
        cluster.history(HistoryRecord::TaskFinished {
            task: tip.id(&self.id),
            task_type: tip.spec.task_type,
            finish_time: tip.exec_finish,
            counters: tip.counters().clone(),
        });
    }
}

/// The kind of slot that the twin of a setup or cleanup task takes.
pub(super) fn other(kind: TaskKind) -> TaskKind {
    match kind {
        TaskKind::Map => TaskKind::Reduce,
        TaskKind::Reduce => TaskKind::Map,
    }
}
