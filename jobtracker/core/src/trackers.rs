//! The TaskTrackers that are registered: their last reports, what is known to run on them, and what they are still to
//! be told (Hadoop 1.2.1: JobTracker.updateTaskTrackerStatus and its maps by tracker name).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use types::{HeartbeatResponse, JobId, Monotonic, Now, TaskAttemptId, TaskKind, TaskStatus, TaskTrackerStatus};

use crate::topology::{HostKey, NodeKey};

/// A TaskTracker's name, interned; the same name keeps its key when it comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TrackerKey(u32);

/// One number for maps and one for reduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct PerKind {
    pub(crate) maps: i32,
    pub(crate) reduces: i32,
}

impl PerKind {
    pub(crate) fn of(value: impl Fn(TaskKind) -> i32) -> Self {
        PerKind { maps: value(TaskKind::Map), reduces: value(TaskKind::Reduce) }
    }

    pub(crate) fn get(self, kind: TaskKind) -> i32 {
        match kind {
            TaskKind::Map => self.maps,
            TaskKind::Reduce => self.reduces,
        }
    }

    pub(crate) fn add(&mut self, kind: TaskKind, by: i32) {
        match kind {
            TaskKind::Map => self.maps += by,
            TaskKind::Reduce => self.reduces += by,
        }
    }

    fn plus(&mut self, other: PerKind, sign: i32) {
        self.maps += sign * other.maps;
        self.reduces += sign * other.reduces;
    }
}

/// A registered TaskTracker.
#[derive(Debug)]
pub(crate) struct Tracker {
    pub(crate) key: TrackerKey,
    pub(crate) host: HostKey,
    pub(crate) node: NodeKey,
    /// Its last report, without the attempts, which live with their tasks.
    pub(crate) status: TaskTrackerStatus,
    pub(crate) last_seen: Now,
    /// Slots by its last report.
    pub(crate) slots: PerKind,
    /// Attempts that hold slots, by its last report.
    pub(crate) running: PerKind,
    /// Slots that they hold.
    pub(crate) occupied: PerKind,
    /// Slots that the last answer gave away, which no report shows yet.
    pub(crate) handed_out: PerKind,
    /// The last answer, to be sent again if it was lost.
    pub(crate) response: Option<HeartbeatResponse>,
    /// Attempts registered here.
    pub(crate) attempts: BTreeSet<TaskAttemptId>,
    /// Those of them that it may have to end.
    pub(crate) suspects: BTreeSet<TaskAttemptId>,
    /// Attempts that wait for leave to commit, by its last report.
    pub(crate) commit_pending: Vec<TaskAttemptId>,
    /// Attempts that it reports but must not run.
    pub(crate) strays: BTreeSet<TaskAttemptId>,
    /// Ended attempts, unregistered once the next answer is made.
    pub(crate) ended: Vec<TaskAttemptId>,
    /// Jobs that are over.
    pub(crate) jobs_to_kill: BTreeSet<JobId>,
    /// The state of the cluster's work in which it was last left with free slots and nothing to do.
    pub(crate) idle_at: Option<u64>,
    /// Whether it asked for tasks.
    pub(crate) accepts_tasks: bool,
    /// It was registered before a restart of the JobTracker and has not been heard of since.
    pub(crate) awaited: bool,
}

/// What is kept of a TaskTracker after it is gone, since attempts remember where they ran.
#[derive(Debug)]
struct TrackerName {
    name: Arc<str>,
    host: HostKey,
    /// Its node and the port of its pages, once it has registered.
    site: Option<(NodeKey, i32)>,
}

/// All TaskTrackers.
#[derive(Debug, Default)]
pub(crate) struct Trackers {
    names: Vec<TrackerName>,
    by_name: BTreeMap<Arc<str>, TrackerKey>,
    registered: BTreeMap<TrackerKey, Tracker>,
    /// When to look at whom, a silence after the last look.
    expiry: BTreeSet<(Monotonic, TrackerKey)>,
    /// Trackers per host; hosts that are blacklisted are left out.
    pub(crate) unique_hosts: BTreeMap<HostKey, usize>,
    /// Trackers on hosts that are blacklisted.
    pub(crate) blacklisted: usize,
    /// Sums over last reports; slots of blacklisted hosts are left out.
    pub(crate) slots: PerKind,
    pub(crate) running: PerKind,
    pub(crate) occupied: PerKind,
}

impl Trackers {
    pub(crate) fn key(&self, name: &str) -> Option<TrackerKey> {
        self.by_name.get(name).copied()
    }

    /// The key of a name, given if it has none.
    pub(crate) fn intern(&mut self, name: &str, host: HostKey) -> TrackerKey {
        if let Some(key) = self.by_name.get(name) {
            self.names[key.0 as usize].host = host;
            return *key;
        }
        let key = TrackerKey(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(TrackerName { name: name.clone(), host, site: None });
        self.by_name.insert(name, key);
        key
    }

    pub(crate) fn name(&self, key: TrackerKey) -> &Arc<str> {
        &self.names[key.0 as usize].name
    }

    pub(crate) fn host(&self, key: TrackerKey) -> HostKey {
        self.names[key.0 as usize].host
    }

    /// Where a tracker is, or was: its node, and the port of its pages.
    pub(crate) fn site(&self, key: TrackerKey) -> Option<(NodeKey, i32)> {
        self.names[key.0 as usize].site
    }

    /// Notes where a tracker is. Tells whether it was known to be there.
    pub(crate) fn set_site(&mut self, key: TrackerKey, node: NodeKey, http_port: i32) -> bool {
        self.names[key.0 as usize].site.replace((node, http_port)) == Some((node, http_port))
    }

    pub(crate) fn get(&self, key: TrackerKey) -> Option<&Tracker> {
        self.registered.get(&key)
    }

    pub(crate) fn get_mut(&mut self, key: TrackerKey) -> Option<&mut Tracker> {
        self.registered.get_mut(&key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tracker> {
        self.registered.values()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tracker> {
        self.registered.values_mut()
    }

    pub(crate) fn len(&self) -> usize {
        self.registered.len()
    }

    pub(crate) fn on_host(&self, host: HostKey) -> impl Iterator<Item = &Tracker> {
        self.registered.values().filter(move |tracker| tracker.host == host)
    }

    /// Takes a report, whose attempts come apart. `counts` tells whether the host's slots count.
    pub(crate) fn report(
        &mut self,
        now: Now,
        key: TrackerKey,
        node: NodeKey,
        status: TaskTrackerStatus,
        reports: &[TaskStatus],
        counts: bool,
    ) -> &mut Tracker {
        let host = self.host(key);
        let slots = PerKind::of(|kind| status.max_slots(kind));
        let (mut running, mut occupied) = (PerKind::default(), PerKind::default());
        for report in reports.iter().filter(|report| report.occupies_slots()) {
            running.add(report.kind(), 1);
            occupied.add(report.kind(), report.slots);
        }
        if let Some(old) = self.registered.get(&key) {
            self.running.plus(old.running, -1);
            self.occupied.plus(old.occupied, -1);
            if counts {
                self.slots.plus(old.slots, -1);
            }
        } else {
            *self.unique_hosts.entry(host).or_default() += 1;
            self.blacklisted += usize::from(!counts);
        }
        self.running.plus(running, 1);
        self.occupied.plus(occupied, 1);
        if counts {
            self.slots.plus(slots, 1);
        }
        let tracker = self.registered.entry(key).or_insert_with(|| Tracker::new(key, host, node, now));
        tracker.node = node;
        tracker.host = host;
        tracker.last_seen = now;
        (tracker.slots, tracker.running, tracker.occupied) = (slots, running, occupied);
        tracker.handed_out = PerKind::default();
        tracker.status = status;
        tracker
    }

    /// Puts a new tracker up for expiry.
    pub(crate) fn watch(&mut self, now: Now, key: TrackerKey) {
        self.expiry.insert((now.mono, key));
    }

    /// When the next tracker is to be looked at, before its allowed silence is added.
    pub(crate) fn first_watched(&self) -> Option<Monotonic> {
        self.expiry.first().map(|(at, _)| *at)
    }

    /// The next tracker that has been silent since before `since`, if any.
    pub(crate) fn pop_silent(&mut self, since: Monotonic) -> Option<TrackerKey> {
        while let Some((at, key)) = self.expiry.first().copied() {
            if at >= since {
                return None;
            }
            self.expiry.pop_first();
            match self.registered.get(&key) {
                Some(tracker) if tracker.last_seen.mono >= since => {
                    self.expiry.insert((tracker.last_seen.mono, key));
                }
                Some(_) => return Some(key),
                None => {}
            }
        }
        None
    }

    /// Forgets a tracker but for its name.
    pub(crate) fn remove(&mut self, key: TrackerKey, counts: bool) {
        let Some(tracker) = self.registered.remove(&key) else { return };
        self.running.plus(tracker.running, -1);
        self.occupied.plus(tracker.occupied, -1);
        if counts {
            self.slots.plus(tracker.slots, -1);
        } else {
            self.blacklisted -= 1;
        }
        if let Some(number) = self.unique_hosts.get_mut(&tracker.host) {
            *number -= 1;
            if *number == 0 {
                self.unique_hosts.remove(&tracker.host);
            }
        }
    }

    /// Takes the slots of a host out of the cluster's, or puts them back.
    pub(crate) fn count_host(&mut self, host: HostKey, counts: bool) {
        let trackers: Vec<PerKind> = self.on_host(host).map(|tracker| tracker.slots).collect();
        for slots in &trackers {
            self.slots.plus(*slots, if counts { 1 } else { -1 });
        }
        if counts {
            self.blacklisted -= trackers.len();
        } else {
            self.blacklisted += trackers.len();
        }
        if counts && !trackers.is_empty() {
            self.unique_hosts.insert(host, trackers.len());
        } else {
            self.unique_hosts.remove(&host);
        }
    }

    /// Registers an attempt at a tracker.
    pub(crate) fn register(&mut self, key: TrackerKey, attempt: TaskAttemptId) {
        if let Some(tracker) = self.registered.get_mut(&key) {
            tracker.attempts.insert(attempt);
        }
    }

    /// Unregisters an attempt.
    pub(crate) fn unregister(&mut self, key: TrackerKey, attempt: &TaskAttemptId) {
        if let Some(tracker) = self.registered.get_mut(&key) {
            tracker.attempts.remove(attempt);
            tracker.suspects.remove(attempt);
        }
    }

    /// Has a tracker look whether it must end an attempt.
    pub(crate) fn suspect(&mut self, key: TrackerKey, attempt: TaskAttemptId) {
        if let Some(tracker) = self.registered.get_mut(&key) {
            tracker.suspects.insert(attempt);
        }
    }
}

impl Tracker {
    fn new(key: TrackerKey, host: HostKey, node: NodeKey, now: Now) -> Self {
        Tracker {
            key,
            host,
            node,
            status: TaskTrackerStatus {
                name: String::new(),
                host: String::new(),
                http_port: 0,
                task_failures: 0,
                dir_failures: 0,
                max_map_slots: 0,
                max_reduce_slots: 0,
                resources: types::ResourceStatus::default(),
                tasks: Vec::new(),
                health: types::TaskTrackerHealthStatus::default(),
            },
            last_seen: now,
            slots: PerKind::default(),
            running: PerKind::default(),
            occupied: PerKind::default(),
            handed_out: PerKind::default(),
            response: None,
            attempts: BTreeSet::new(),
            suspects: BTreeSet::new(),
            commit_pending: Vec::new(),
            strays: BTreeSet::new(),
            ended: Vec::new(),
            jobs_to_kill: BTreeSet::new(),
            idle_at: None,
            accepts_tasks: false,
            awaited: false,
        }
    }

    /// Slots of a kind that neither its last report nor the last answer fills.
    pub(crate) fn free_slots(&self, kind: TaskKind) -> i32 {
        self.slots.get(kind) - self.occupied.get(kind) - self.handed_out.get(kind)
    }

    /// Forgets what ran here before it came up anew.
    pub(crate) fn forget(&mut self) {
        self.response = None;
        self.attempts.clear();
        self.suspects.clear();
        self.commit_pending.clear();
        self.strays.clear();
        self.ended.clear();
        self.jobs_to_kill.clear();
        self.idle_at = None;
        self.awaited = false;
    }
}
