//! A second attempt for a task that lags behind (Hadoop 1.2.1: JobInProgress.findSpeculativeTask).

use types::Monotonic;

use super::JobInProgress;
use super::locality::RunningOrder;
use super::obtain::Asker;
use crate::cluster::Cluster;
use crate::task::TaskInProgress;

/// What decides whether a task is worth a second attempt.
struct Question<'a> {
    tasks: &'a [TaskInProgress],
    asker: &'a Asker,
    now: Monotonic,
    average: f64,
}

impl Question<'_> {
    /// Finds the first task of a list that is worth a second attempt by the asker. The list of the asker's own host
    /// (`own_list`) loses each task that is looked at and is worth one, or runs there already.
    fn find(&self, list: &mut RunningOrder, own_list: bool) -> Option<i32> {
        let mut gone = Vec::new();
        let mut found = None;
        for entry in list.iter() {
            let tip = &self.tasks[entry.1 as usize];
            if !tip.is_running() || !tip.is_runnable() {
                gone.push(*entry);
                continue;
            }
            let worth = tip.is_worth_speculation(self.now, self.average);
            let ran_here = tip.has_run_on(self.asker.tracker, self.asker.host);
            if own_list && (worth || ran_here) {
                gone.push(*entry);
            }
            if worth && !ran_here {
                found = Some(entry.1);
                break;
            }
        }
        for entry in gone {
            list.remove(&entry);
        }
        found
    }
}

impl JobInProgress {
    /// Finds a map that is worth a second attempt, nearest its data first.
    pub(super) fn find_speculative_map(&mut self, now: Monotonic, cluster: &Cluster, asker: &Asker) -> Option<i32> {
        let average = f64::from(self.status.map_progress);
        if !self.submission.map_speculation || !TaskInProgress::speculation_is_possible(self.created, now, average) {
            return None;
        }
        let question = Question { tasks: &self.maps, asker, now, average };
        let topology = &cluster.topology;
        let own = topology.chain(asker.node).enumerate().map(|(level, node)| (node, level == 0));
        let own_top = topology.ancestor(asker.node, topology.cache_levels() - 1);
        let others = topology.top().iter().filter(|node| **node != own_top).map(|node| (*node, false));
        for (node, own_list) in own.chain(others) {
            let Some(list) = self.caches.running.get_mut(&node) else { continue };
            let found = question.find(list, own_list);
            if list.is_empty() {
                self.caches.running.remove(&node);
            }
            if found.is_some() {
                return found;
            }
        }
        question.find(&mut self.caches.running_anywhere, false)
    }

    /// Finds a reduce that is worth a second attempt.
    pub(super) fn find_speculative_reduce(&mut self, now: Monotonic, asker: &Asker) -> Option<i32> {
        let average = f64::from(self.status.reduce_progress);
        if !self.submission.reduce_speculation || !TaskInProgress::speculation_is_possible(self.created, now, average) {
            return None;
        }
        let question = Question { tasks: &self.reduces, asker, now, average };
        question.find(&mut self.reduce_lists.running, false)
    }
}
