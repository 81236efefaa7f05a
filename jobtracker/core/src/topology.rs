//! Hosts and racks: names become small numbers, and every node knows its parent. Which rack a host is in is found by the
//! daemon and told here (Hadoop 1.2.1: net.NetworkTopology, JobTracker.resolveAndAddToTopology).

use std::collections::BTreeMap;
use std::sync::Arc;

/// A host's name, interned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HostKey(u32);

/// A place in the tree: a host in its rack, a rack, or something above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeKey(u32);

#[derive(Debug)]
struct Node {
    path: Arc<str>,
    parent: Option<NodeKey>,
    level: usize,
}

/// The tree of nodes.
#[derive(Debug)]
pub(crate) struct Topology {
    cache_levels: usize,
    nodes: Vec<Node>,
    by_path: BTreeMap<Arc<str>, NodeKey>,
    hosts: Vec<Host>,
    hosts_by_name: BTreeMap<Arc<str>, HostKey>,
    /// Nodes on the cache's highest level, in the order in which they came up.
    top: Vec<NodeKey>,
}

#[derive(Debug)]
struct Host {
    name: Arc<str>,
    node: Option<NodeKey>,
}

impl Topology {
    pub(crate) fn new(cache_levels: usize) -> Self {
        Topology {
            cache_levels: cache_levels.max(1),
            nodes: Vec::new(),
            by_path: BTreeMap::new(),
            hosts: Vec::new(),
            hosts_by_name: BTreeMap::new(),
            top: Vec::new(),
        }
    }

    pub(crate) fn cache_levels(&self) -> usize {
        self.cache_levels
    }

    /// The number of a host's name.
    pub(crate) fn host(&mut self, name: &str) -> HostKey {
        if let Some(key) = self.hosts_by_name.get(name) {
            return *key;
        }
        let key = HostKey(self.hosts.len() as u32);
        let name: Arc<str> = name.into();
        self.hosts.push(Host { name: name.clone(), node: None });
        self.hosts_by_name.insert(name, key);
        key
    }

    pub(crate) fn host_name(&self, host: HostKey) -> &Arc<str> {
        &self.hosts[host.0 as usize].name
    }

    /// Puts a host into its rack; a host that has moved gets a new node.
    pub(crate) fn place(&mut self, host: HostKey, rack: &str) -> NodeKey {
        let rack = self.node(rack.trim_end_matches('/'));
        if let Some(node) = self.hosts[host.0 as usize].node
            && self.parent(node) == Some(rack)
        {
            return node;
        }
        let path = format!("{}/{}", self.nodes[rack.0 as usize].path, self.hosts[host.0 as usize].name);
        let node = self.node(&path);
        self.hosts[host.0 as usize].node = Some(node);
        let top = self.ancestor(node, self.cache_levels - 1);
        if !self.top.contains(&top) {
            self.top.push(top);
        }
        node
    }

    /// The node of that path, made with all its ancestors if it is new.
    fn node(&mut self, path: &str) -> NodeKey {
        if let Some(node) = self.by_path.get(path) {
            return *node;
        }
        let parent = path.rsplit_once('/').map(|(above, _)| self.node(above));
        let level = parent.map_or(0, |parent| self.nodes[parent.0 as usize].level + 1);
        let key = NodeKey(self.nodes.len() as u32);
        let path: Arc<str> = path.into();
        self.nodes.push(Node { path: path.clone(), parent, level });
        self.by_path.insert(path, key);
        key
    }

    pub(crate) fn parent(&self, node: NodeKey) -> Option<NodeKey> {
        self.nodes[node.0 as usize].parent
    }

    /// `/rack/host`.
    pub(crate) fn path(&self, node: NodeKey) -> &Arc<str> {
        &self.nodes[node.0 as usize].path
    }

    /// The path of what a node lies in: a host's rack.
    pub(crate) fn location(&self, node: NodeKey) -> &str {
        self.parent(node).map_or("", |parent| &self.nodes[parent.0 as usize].path)
    }

    /// The node some levels up, or the root.
    pub(crate) fn ancestor(&self, mut node: NodeKey, levels: usize) -> NodeKey {
        for _ in 0..levels {
            match self.parent(node) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        node
    }

    /// A node and its ancestors, as many as the cache has levels.
    pub(crate) fn chain(&self, node: NodeKey) -> impl Iterator<Item = NodeKey> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node)).take(self.cache_levels)
    }

    /// Nodes on the cache's highest level.
    pub(crate) fn top(&self) -> &[NodeKey] {
        &self.top
    }

    /// How many levels up two nodes meet: 0 the same host, 1 the same rack; at most the cache's levels
    /// (Hadoop 1.2.1: JobInProgress.getMatchingLevelForNodes).
    pub(crate) fn matching_level(&self, a: NodeKey, b: NodeKey) -> usize {
        let (mut a, mut b, mut count) = (a, b, 0);
        let level = |node: NodeKey| self.nodes[node.0 as usize].level;
        while level(a) > level(b) {
            a = self.ancestor(a, 1);
            count += 1;
        }
        while level(b) > level(a) {
            b = self.ancestor(b, 1);
            count += 1;
        }
        while a != b && count < self.cache_levels {
            (a, b, count) = (self.ancestor(a, 1), self.ancestor(b, 1), count + 1);
        }
        count.min(self.cache_levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(topology: &mut Topology, host: &str, rack: &str) -> NodeKey {
        let key = topology.host(host);
        topology.place(key, rack)
    }

    #[test]
    fn hosts_meet_in_their_rack() {
        let mut t = Topology::new(2);
        let a = place(&mut t, "a", "/r1");
        let b = place(&mut t, "b", "/r1");
        let c = place(&mut t, "c", "/r2");
        assert_eq!(&**t.path(a), "/r1/a");
        assert_eq!(t.location(a), "/r1");
        assert_eq!(t.matching_level(a, a), 0);
        assert_eq!(t.matching_level(a, b), 1);
        assert_eq!(t.matching_level(a, c), 2);
        assert_eq!(t.top().len(), 2);
    }

    #[test]
    fn a_host_that_moves_gets_a_new_node_and_deep_racks_work() {
        let mut t = Topology::new(3);
        let a = place(&mut t, "a", "/d1/r1");
        let b = place(&mut t, "b", "/d1/r2");
        let moved = place(&mut t, "a", "/d1/r2");
        assert_ne!(a, moved);
        assert_eq!(t.matching_level(a, b), 2);
        assert_eq!(t.matching_level(moved, b), 1);
        assert_eq!(t.top().len(), 1);
        assert_eq!(place(&mut t, "a", "/d1/r2"), moved);
    }
}
