//! What clients and pages are told of a job.

use types::{JobProfile, TaskKind};

use super::JobInProgress;
use crate::cluster::Cluster;
use crate::effect::TaskType;
use crate::task::{Attempt, TaskInProgress};
use crate::views::{AttemptView, JobView, ReportKind, TaskCounts, TaskView};

impl ReportKind {
    fn task_type(self) -> TaskType {
        match self {
            ReportKind::Map => TaskType::Map,
            ReportKind::Reduce => TaskType::Reduce,
            ReportKind::Setup => TaskType::Setup,
            ReportKind::Cleanup => TaskType::Cleanup,
        }
    }
}

impl JobInProgress {
    pub(crate) fn profile(&self) -> JobProfile {
        JobProfile {
            job: self.id.clone(),
            job_file: self.submission.job_file.clone(),
            url: self.submission.url.clone(),
            user: self.status.user.clone(),
            name: self.submission.name.clone(),
            queue: self.submission.queue.clone(),
        }
    }

    /// The tasks that a client asks for; complete ones come first, as in Hadoop.
    pub(crate) fn reported_tasks(&self, kind: ReportKind) -> Vec<&TaskInProgress> {
        let mut tasks = self.tasks_of(kind.task_type());
        tasks.sort_by_key(|tip| !tip.is_complete());
        tasks
    }

    pub(crate) fn view(&self, cluster: &Cluster) -> JobView {
        JobView {
            status: self.status.clone(),
            profile: self.profile(),
            launch_time: self.launch_time,
            finish_time: self.finish_time,
            maps: self.map_counts,
            reduces: self.reduce_counts,
            setup: special_counts(&self.tasks_of(TaskType::Setup)),
            cleanup: special_counts(&self.tasks_of(TaskType::Cleanup)),
            map_counters: self.kind_counters(TaskKind::Map),
            reduce_counters: self.kind_counters(TaskKind::Reduce),
            counters: self.all_counters(),
            avoided_hosts: self.flaky.avoided().map(|host| cluster.topology.host_name(host).to_string()).collect(),
            retired: false,
        }
    }

    pub(crate) fn task_views(&self, cluster: &Cluster, kind: ReportKind) -> Vec<TaskView> {
        self.tasks_of(kind.task_type()).into_iter().map(|tip| self.task_view(cluster, tip)).collect()
    }

    pub(crate) fn task_view(&self, cluster: &Cluster, tip: &TaskInProgress) -> TaskView {
        TaskView {
            report: tip.report(&self.id),
            task_type: tip.spec.task_type,
            split_hosts: tip.spec.split.as_ref().map_or_else(Vec::new, |split| split.meta.locations.clone()),
            attempts: (0..)
                .zip(tip.attempts())
                .map(|(n, attempt)| self.attempt_view(cluster, tip, n, attempt))
                .collect(),
        }
    }

    fn attempt_view(&self, cluster: &Cluster, tip: &TaskInProgress, number: i32, attempt: &Attempt) -> AttemptView {
        let unreported = || types::TaskStatus::unassigned(tip.attempt_id(&self.id, number), tip.spec.slots);
        AttemptView {
            status: attempt.status.clone().unwrap_or_else(unreported),
            tracker: cluster.trackers.name(attempt.tracker).to_string(),
            host: cluster.topology.host_name(cluster.trackers.host(attempt.tracker)).to_string(),
            http_port: cluster.trackers.get(attempt.tracker).map(|tracker| tracker.status.http_port),
            diagnostics: attempt.diagnostics.clone(),
            cleanup_tracker: attempt.cleanup.map(|tracker| cluster.trackers.name(tracker).to_string()),
        }
    }
}

fn special_counts(tasks: &[&TaskInProgress]) -> TaskCounts {
    let mut counts = TaskCounts { total: tasks.len() as i32, ..TaskCounts::default() };
    for tip in tasks {
        *super::bucket(&mut counts, tip.current_bucket()) += 1;
        counts.failed_attempts += tip.attempts().iter().filter(|a| a.is_state(types::TaskState::Failed)).count() as i32;
        counts.killed_attempts += tip.attempts().iter().filter(|a| a.is_state(types::TaskState::Killed)).count() as i32;
    }
    counts
}
