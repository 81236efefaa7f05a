//! Which map or reduce a tracker gets (Hadoop 1.2.1: JobInProgress.obtainNewMapTaskCommon, findNewMapTask,
//! obtainNewReduceTask, findNewReduceTask). The scheduler has chosen the job; the job chooses the task.

use types::{Monotonic, Now, Task, TaskKind};

use super::locality::{Reach, Verdict, choose_from};
use super::{JobInProgress, TaskRef};
use crate::cluster::Cluster;
use crate::task::TaskInProgress;
use crate::topology::{HostKey, NodeKey};
use crate::trackers::TrackerKey;

/// What of a tracker and its cluster decides which task it gets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asker {
    pub(super) tracker: TrackerKey,
    pub(super) host: HostKey,
    pub(super) node: NodeKey,
    pub(super) available_space: i64,
    pub(super) unique_hosts: usize,
}

impl Asker {
    /// Looks a tracker up.
    pub(super) fn new(cluster: &Cluster, tracker: TrackerKey) -> Option<Self> {
        let known = cluster.trackers.get(tracker)?;
        Some(Asker {
            tracker,
            host: known.host,
            node: known.node,
            available_space: known.status.resources.available_space,
            unique_hosts: cluster.trackers.unique_hosts.len(),
        })
    }

    /// What to do with a task in a list of waiting ones. `own_list`: the list is that of the asker's own host, which
    /// need not keep what the host cannot run.
    pub(super) fn judge(&self, tip: &TaskInProgress, own_list: bool) -> Verdict {
        if !tip.is_runnable() || tip.is_running() {
            return Verdict::Drop;
        }
        if !tip.failed_on(self.host) || tip.failed_hosts() >= self.unique_hosts {
            return Verdict::Take;
        }
        if own_list { Verdict::Drop } else { Verdict::Keep }
    }
}

impl JobInProgress {
    /// Gives a tracker a map within reach.
    pub(crate) fn obtain_map(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        reach: Reach,
    ) -> Option<Task> {
        if !self.inited || self.maps_number() == 0 || self.is_ending() {
            return None;
        }
        let asker = Asker::new(cluster, tracker)?;
        let index = self.find_map(now.mono, cluster, &asker, reach)?;
        let task = self.launch(now, cluster, tracker, TaskRef { kind: TaskKind::Map, index });
        if task.is_some() && reach != Reach::NonLocal {
            self.locality_wait.reset();
        }
        task
    }

    fn find_map(&mut self, now: Monotonic, cluster: &Cluster, asker: &Asker, reach: Reach) -> Option<i32> {
        self.flaky.cluster_size = cluster.active_trackers();
        if !self.flaky.may_use(asker.host)
            || asker.available_space < self.estimator.map_output(self.input_length, self.maps_number())
        {
            return None;
        }
        if let Some(index) = self.find_waiting_map(cluster, asker, reach) {
            self.schedule_map(cluster, index);
            return Some(index);
        }
        match reach {
            Reach::NonLocal | Reach::Any => self.find_speculative_map(now, cluster, asker),
            Reach::Node | Reach::NodeOrRack => None,
        }
    }

    fn find_waiting_map(&mut self, cluster: &Cluster, asker: &Asker, reach: Reach) -> Option<i32> {
        if self.map_counts.pending == 0 && self.caches.failed.is_empty() {
            return None;
        }
        let maps = &self.maps;
        let judge = |index: i32| asker.judge(&maps[index as usize], false);
        if let Some(index) = self.caches.failed.choose(judge) {
            return Some(index);
        }
        let near = match reach {
            Reach::Node => 1,
            Reach::NodeOrRack | Reach::Any => usize::MAX,
            Reach::NonLocal => 0,
        };
        let found = cluster.topology.chain(asker.node).enumerate().take(near).find_map(|(level, node)| {
            self.caches.choose_waiting(node, |index| asker.judge(&maps[index as usize], level == 0))
        });
        if found.is_some() || matches!(reach, Reach::Node | Reach::NodeOrRack) {
            return found;
        }
        let own = cluster.topology.ancestor(asker.node, cluster.topology.cache_levels() - 1);
        let mut others = cluster.topology.top().iter().filter(|node| **node != own);
        others
            .find_map(|node| self.caches.choose_waiting(*node, judge))
            .or_else(|| choose_from(&mut self.caches.waiting_anywhere, judge))
    }

    /// Gives a tracker a reduce. `early`: also where too few maps are done.
    pub(crate) fn obtain_reduce(
        &mut self,
        now: Now,
        cluster: &mut Cluster,
        tracker: TrackerKey,
        early: bool,
    ) -> Option<Task> {
        if !self.is_running() || self.is_ending() || self.reduces_number() == 0 {
            return None;
        }
        if self.fails_by_reduce_input(now, cluster) || !(early || self.may_reduce()) {
            return None;
        }
        self.flaky.cluster_size = cluster.active_trackers();
        let asker = Asker::new(cluster, tracker)?;
        if !self.flaky.may_use(asker.host) {
            return None;
        }
        let reduces = &self.reduces;
        let index = match self.reduce_lists.waiting.choose(|index| asker.judge(&reduces[index as usize], false)) {
            Some(index) => index,
            None => self.find_speculative_reduce(now.mono, &asker)?,
        };
        self.schedule_reduce(index);
        self.launch(now, cluster, tracker, TaskRef { kind: TaskKind::Reduce, index })
    }

    /// Fails the job if its reduces would read too much.
    fn fails_by_reduce_input(&mut self, now: Now, cluster: &mut Cluster) -> bool {
        let limit = self.submission.reduce_input_limit.unwrap_or(cluster.settings.reduce_input_limit);
        if limit <= 0 {
            return false;
        }
        let estimate = self.estimator.reduce_input(self.input_length, self.maps_number(), self.reduces_number());
        if estimate <= limit {
            return false;
        }
        let reason = format!("Job exceeded Reduce Input limit  Limit:  {limit} Estimated: {estimate}");
        self.fail(now, cluster, reason);
        true
    }

    /// Puts a map that was chosen among the running ones.
    pub(crate) fn schedule_map(&mut self, cluster: &Cluster, index: i32) {
        let entry = self.running_entry(TaskRef { kind: TaskKind::Map, index });
        let nodes = self.maps[index as usize].spec.split.as_ref().map_or(&[][..], |split| &split.nodes);
        self.caches.add_running(&cluster.topology, entry, nodes);
    }

    /// Puts a reduce that was chosen among the running ones.
    pub(crate) fn schedule_reduce(&mut self, index: i32) {
        let entry = self.running_entry(TaskRef { kind: TaskKind::Reduce, index });
        self.reduce_lists.running.insert(entry);
    }

    /// A task's place in the order of running ones, the last if it has none.
    fn running_entry(&mut self, task: TaskRef) -> (u64, i32) {
        let next = self.next_running_order;
        let order = *self.task_mut(task).running_order.get_or_insert(next);
        if order == next {
            self.next_running_order += 1;
        }
        (order, task.index)
    }

    /// Takes a task out of the running ones.
    pub(super) fn retire(&mut self, cluster: &Cluster, task: TaskRef) {
        let Some(order) = self.task_mut(task).running_order.take() else { return };
        let entry = (order, task.index);
        match task.kind {
            TaskKind::Map => {
                let nodes = self.maps[task.index as usize].spec.split.as_ref().map_or(&[][..], |split| &split.nodes);
                self.caches.remove_running(&cluster.topology, entry, nodes);
            }
            TaskKind::Reduce => {
                self.reduce_lists.running.remove(&entry);
            }
        }
    }

    /// Has a task run again, before those that never failed.
    pub(super) fn retry(&mut self, task: TaskRef) {
        let failures = self.task(task).failures();
        match task.kind {
            TaskKind::Map => self.caches.failed.insert(task.index, failures),
            TaskKind::Reduce => self.reduce_lists.waiting.insert(task.index, failures),
        }
    }
}
