//! An attempt is handed to a tracker: books are kept, and the attempt goes out as a [`Task`]
//! (Hadoop 1.2.1: JobInProgress.addRunningTaskToTIP, TaskInProgress.addRunningTask).

use types::{Now, Task, TaskKind, counter_names};

use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::effect::{HistoryRecord, Locality, TaskType};
use crate::record::{JobChange, TaskPlace};
use crate::topology::Topology;
use crate::trackers::TrackerKey;

impl TaskRef {
    pub(super) fn place(self) -> TaskPlace {
        TaskPlace { kind: self.kind, number: self.index }
    }
}

impl JobInProgress {
    /// Starts an attempt of a task on a tracker.
    pub(crate) fn launch(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        task: TaskRef,
    ) -> Option<Task> {
        cluster.touch(&self.id);
        let tip = self.task_mut(task);
        let number = tip.start(now, tracker)?;
        let cluster_size = self.flaky.cluster_size;
        if cluster.journal.wants() {
            let (task, tracker) = (task.place(), cluster.tracker_place(tracker));
            cluster.journal.note(now, &self.id, || JobChange::Launched { task, tracker, cluster_size });
        }
        let tip = self.task(task);
        let (task_type, slots) = (tip.spec.task_type, tip.spec.slots);
        cluster.handed_out(now, tracker, self.task(task).attempt_id(&self.id, number), slots);
        self.trackers.insert(tracker);
        match task_type {
            TaskType::Setup => self.launched_setup = true,
            TaskType::Cleanup => self.launched_cleanup = true,
            TaskType::Map | TaskType::Reduce => self.count_launch(cluster, task, number),
        }
        if number == 0 {
            self.note_first_attempt(cluster, task);
        }
        if task_type == TaskType::Map {
            self.note_locality(cluster, tracker, task, number);
        }
        self.recount(cluster, task);
        Some(self.outgoing(task, number))
    }

    /// Starts the cleanup of an attempt on a tracker.
    pub(crate) fn launch_cleanup(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        task: TaskRef,
        number: i32,
    ) -> Task {
        cluster.touch(&self.id);
        if cluster.journal.wants() {
            let (task, tracker) = (task.place(), cluster.tracker_place(tracker));
            cluster.journal.note(now, &self.id, || JobChange::CleanupLaunched { task, number, tracker });
        }
        self.task_mut(task).start_cleanup(now, number, tracker);
        cluster.handed_out(now, tracker, self.task(task).attempt_id(&self.id, number), 1);
        self.trackers.insert(tracker);
        self.recount(cluster, task);
        self.outgoing(task, number)
    }

    fn outgoing(&self, task: TaskRef, number: i32) -> Task {
        self.task(task).launch(&self.id, number, &self.submission)
    }

    fn count_launch(&mut self, cluster: &mut Cluster, task: TaskRef, number: i32) {
        *self.running_attempts_mut(task.kind) += 1;
        if let Some(attempt) = self.task_mut(task).attempt_mut(number) {
            attempt.counted = true;
        }
        let counter = match task.kind {
            TaskKind::Map => {
                cluster.totals.maps_launched += 1;
                "TOTAL_LAUNCHED_MAPS"
            }
            TaskKind::Reduce => {
                cluster.totals.reduces_launched += 1;
                "TOTAL_LAUNCHED_REDUCES"
            }
        };
        self.counters.increment(counter_names::JOB, counter, 1);
    }

    fn note_first_attempt(&mut self, cluster: &mut Cluster, task: TaskRef) {
        let tip = self.task(task);
        let (task_type, start_time) = (tip.spec.task_type, tip.exec_start);
        cluster.history(HistoryRecord::TaskStarted {
            task: tip.id(&self.id),
            task_type,
            start_time,
            splits: self.split_nodes(&cluster.topology, task),
        });
        let first = match task_type {
            TaskType::Setup => &mut self.first_launches.setup,
            TaskType::Map => &mut self.first_launches.map,
            TaskType::Reduce => &mut self.first_launches.reduce,
            TaskType::Cleanup => &mut self.first_launches.cleanup,
        };
        if *first == 0 {
            *first = start_time;
        }
    }

    /// Node paths of a map's split, sorted by rack (Hadoop 1.2.1: TaskInProgress.getSplitNodes).
    fn split_nodes(&self, topology: &Topology, task: TaskRef) -> String {
        let Some(split) = &self.task(task).spec.split else { return String::new() };
        let mut nodes = split.nodes.clone();
        nodes.sort_by(|a, b| topology.location(*a).cmp(topology.location(*b)));
        nodes.iter().map(|node| &**topology.path(*node)).collect::<Vec<_>>().join(",")
    }

    /// Finds how near its data a map attempt runs, and counts it.
    fn note_locality(&mut self, cluster: &Cluster, tracker: TrackerKey, task: TaskRef, number: i32) {
        let levels = cluster.topology.cache_levels();
        let level = match (cluster.trackers.site(tracker), &self.task(task).spec.split) {
            (Some((here, _)), Some(split)) => {
                let level = |node| cluster.topology.matching_level(here, node);
                split.nodes.iter().map(|node| level(*node)).min().unwrap_or(levels)
            }
            _ => levels,
        };
        let (locality, counter) = match level {
            0 => (Locality::NodeLocal, Some("DATA_LOCAL_MAPS")),
            1 if levels > 1 => (Locality::RackLocal, Some("RACK_LOCAL_MAPS")),
            level if level < levels => (Locality::OffSwitch, Some("OTHER_LOCAL_MAPS")),
            _ => (Locality::OffSwitch, None),
        };
        if let Some(counter) = counter {
            self.counters.increment(counter_names::JOB, counter, 1);
        }
        if let Some(attempt) = self.task_mut(task).attempt_mut(number) {
            attempt.locality = locality;
        }
    }
}
