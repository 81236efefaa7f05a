//! Which maps lie near which node, and in which order tasks are tried: the lists that a job chooses from
//! (Hadoop 1.2.1: JobInProgress.createCache, scheduleMap, retireMap, failMap and their reduce twins).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::topology::{NodeKey, Topology};

/// How far from its data a map may be given out in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// On the node itself.
    Node,
    /// On the node or in its rack (up to the cache's levels).
    NodeOrRack,
    /// Anywhere but there; speculative attempts too.
    NonLocal,
    /// Anywhere, nearest first; speculative attempts too.
    Any,
}

/// What to do with an entry of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Choose it.
    Take,
    /// Leave it for other trackers.
    Keep,
    /// It has no business here any more.
    Drop,
}

/// Tasks that failed or were never run, most failures first, then by index.
#[derive(Debug, Default)]
pub(crate) struct ByFailures {
    order: BTreeSet<(Reverse<i32>, i32)>,
    failures: BTreeMap<i32, i32>,
}

/// Running tasks in the order in which they were started.
pub(crate) type RunningOrder = BTreeSet<(u64, i32)>;

/// The maps of a job.
#[derive(Debug, Default)]
pub(crate) struct MapCaches {
    /// Maps by node and rack of their data.
    pub(crate) waiting: BTreeMap<NodeKey, VecDeque<i32>>,
    /// Maps whose data lies nowhere in particular.
    pub(crate) waiting_anywhere: VecDeque<i32>,
    /// Maps that ran before and must run again.
    pub(crate) failed: ByFailures,
    /// Running maps by node and rack of their data.
    pub(crate) running: BTreeMap<NodeKey, RunningOrder>,
    /// Running maps whose data lies nowhere in particular.
    pub(crate) running_anywhere: RunningOrder,
}

/// The reduces of a job.
#[derive(Debug, Default)]
pub(crate) struct ReduceLists {
    pub(crate) waiting: ByFailures,
    pub(crate) running: RunningOrder,
}

impl ByFailures {
    /// Puts a task in, or at its new place.
    pub(crate) fn insert(&mut self, index: i32, failures: i32) {
        if let Some(old) = self.failures.insert(index, failures) {
            self.order.remove(&(Reverse(old), index));
        }
        self.order.insert((Reverse(failures), index));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Takes the first task that is judged fit, and drops those judged out of place before it.
    pub(crate) fn choose(&mut self, judge: impl Fn(i32) -> Verdict) -> Option<i32> {
        let mut gone = Vec::new();
        let mut chosen = None;
        for (failures, index) in &self.order {
            match judge(*index) {
                Verdict::Keep => {}
                Verdict::Drop => gone.push((*failures, *index)),
                Verdict::Take => {
                    gone.push((*failures, *index));
                    chosen = Some(*index);
                    break;
                }
            }
        }
        for entry in gone {
            self.order.remove(&entry);
            self.failures.remove(&entry.1);
        }
        chosen
    }
}

/// Takes the first task that is judged fit, and drops those judged out of place before it.
pub(crate) fn choose_from(list: &mut VecDeque<i32>, judge: impl Fn(i32) -> Verdict) -> Option<i32> {
    let mut at = 0;
    while at < list.len() {
        let index = list[at];
        match judge(index) {
            Verdict::Keep => at += 1,
            Verdict::Drop => {
                list.remove(at);
            }
            Verdict::Take => {
                list.remove(at);
                return Some(index);
            }
        }
    }
    None
}

impl MapCaches {
    /// Puts a map that was never run where its data lies.
    pub(crate) fn add_waiting(&mut self, topology: &Topology, index: i32, nodes: &[NodeKey]) {
        if nodes.is_empty() {
            self.waiting_anywhere.push_back(index);
        }
        for node in nodes {
            for node in topology.chain(*node) {
                let list = self.waiting.entry(node).or_default();
                // Maps come in order, so one that is here already is the last.
                if list.back() != Some(&index) {
                    list.push_back(index);
                }
            }
        }
    }

    /// Takes the first fit map that waits at a node.
    pub(crate) fn choose_waiting(&mut self, node: NodeKey, judge: impl Fn(i32) -> Verdict) -> Option<i32> {
        let list = self.waiting.get_mut(&node)?;
        let chosen = choose_from(list, judge);
        if list.is_empty() {
            self.waiting.remove(&node);
        }
        chosen
    }

    /// Puts a map that now runs where its data lies.
    pub(crate) fn add_running(&mut self, topology: &Topology, entry: (u64, i32), nodes: &[NodeKey]) {
        if nodes.is_empty() {
            self.running_anywhere.insert(entry);
        }
        for node in nodes {
            for node in topology.chain(*node) {
                self.running.entry(node).or_default().insert(entry);
            }
        }
    }

    /// Takes a map that runs no more out of all lists of running ones.
    pub(crate) fn remove_running(&mut self, topology: &Topology, entry: (u64, i32), nodes: &[NodeKey]) {
        if nodes.is_empty() {
            self.running_anywhere.remove(&entry);
        }
        for node in nodes {
            for node in topology.chain(*node) {
                if let Some(list) = self.running.get_mut(&node) {
                    list.remove(&entry);
                    if list.is_empty() {
                        self.running.remove(&node);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_failures_come_first_and_a_new_count_moves_a_task() {
        let mut list = ByFailures::default();
        for (index, failures) in [(0, 0), (1, 1), (2, 1), (0, 2)] {
            list.insert(index, failures);
        }
        let pick = |list: &mut ByFailures, not: i32| {
            list.choose(|index| if index == not { Verdict::Keep } else { Verdict::Take })
        };
        assert_eq!(pick(&mut list, 0), Some(1));
        assert_eq!(pick(&mut list, -1), Some(0));
        assert_eq!(pick(&mut list, -1), Some(2));
        assert!(list.is_empty());
    }

    #[test]
    fn maps_wait_once_at_each_node_and_rack_of_theirs() {
        let mut topology = Topology::new(2);
        let [a, b] = ["a", "b"].map(|name| {
            let host = topology.host(name);
            topology.place(host, "/r1")
        });
        let rack = topology.parent(a).unwrap();
        let mut caches = MapCaches::default();
        caches.add_waiting(&topology, 0, &[a, b]);
        caches.add_waiting(&topology, 1, &[b]);
        caches.add_waiting(&topology, 2, &[]);
        assert_eq!(caches.waiting[&rack], [0, 1]);
        assert_eq!(caches.waiting[&b], [0, 1]);
        assert_eq!(caches.waiting[&a], [0]);
        assert_eq!(caches.waiting_anywhere, [2]);
        assert_eq!(caches.choose_waiting(a, |_| Verdict::Drop), None);
        assert!(!caches.waiting.contains_key(&a));
    }
}
