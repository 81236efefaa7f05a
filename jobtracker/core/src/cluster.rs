//! What all jobs share: settings, topology, trackers, the effects queued so far. A job gets it as an argument whenever
//! something happens to the job, so that no job needs to know another.

use std::collections::BTreeSet;
use std::time::Duration;

use types::{JobId, Monotonic, Now, TaskAttemptId, TaskKind};

use crate::effect::{Effect, HistoryRecord};
use crate::faulty_trackers::{ClusterSize, FaultyTrackers};
use crate::record::{ClusterRecord, Journal, TrackerPlace};
use crate::settings::{Identity, Settings};
use crate::topology::Topology;
use crate::trackers::{TrackerKey, Trackers};
use crate::views::Totals;

/// The shared part of the state.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) settings: Settings,
    pub(crate) identity: Identity,
    pub(crate) topology: Topology,
    pub(crate) trackers: Trackers,
    pub(crate) faulty: FaultyTrackers,
    pub(crate) effects: Vec<Effect>,
    /// What a restart must know, not taken yet.
    pub(crate) journal: Journal,
    pub(crate) totals: Totals,
    pub(crate) safe_mode: bool,
    /// The administrator who switched safe mode on, if one did.
    pub(crate) safe_mode_admin: Option<String>,
    /// Counts up whenever there may be more to assign than before.
    pub(crate) work: u64,
    /// Jobs to which something has happened in this event.
    pub(crate) touched: BTreeSet<JobId>,
    /// Registered attempts, by when they were handed out or last looked at.
    watched: BTreeSet<(Monotonic, TaskAttemptId)>,
}

impl Cluster {
    pub(crate) fn new(settings: Settings, identity: Identity) -> Self {
        Cluster {
            topology: Topology::new(settings.cache_levels),
            trackers: Trackers::default(),
            faulty: FaultyTrackers::new(&settings),
            effects: Vec::new(),
            journal: Journal::new(settings.journal),
            totals: Totals::default(),
            safe_mode: false,
            safe_mode_admin: None,
            work: 0,
            touched: BTreeSet::new(),
            watched: BTreeSet::new(),
            settings,
            identity,
        }
    }

    pub(crate) fn history(&mut self, record: HistoryRecord) {
        self.effects.push(Effect::History(record));
    }

    /// There may be more to assign than before.
    pub(crate) fn more_work(&mut self) {
        self.work += 1;
    }

    /// Something has happened to a job, so that the indexes over all jobs must be looked at.
    pub(crate) fn touch(&mut self, job: &JobId) {
        if !self.touched.contains(job) {
            self.touched.insert(job.clone());
        }
    }

    /// Notes that an attempt is handed to a tracker.
    pub(crate) fn handed_out(&mut self, now: Now, tracker: TrackerKey, attempt: TaskAttemptId, slots: i32) {
        self.watched.insert((now.mono, attempt.clone()));
        if let Some(tracker) = self.trackers.get_mut(tracker) {
            tracker.handed_out.add(attempt.kind(), slots);
        }
        self.trackers.register(tracker, attempt);
    }

    /// Watches an attempt no longer.
    pub(crate) fn unwatch(&mut self, since: Monotonic, attempt: &TaskAttemptId) {
        self.watched.remove(&(since, attempt.clone()));
    }

    /// Watches an attempt from a later time on.
    pub(crate) fn watch_again(&mut self, since: Monotonic, attempt: TaskAttemptId) {
        self.watched.insert((since, attempt));
    }

    /// The next attempt that has been watched since before `before`.
    pub(crate) fn pop_watched_before(&mut self, before: Monotonic) -> Option<TaskAttemptId> {
        match self.watched.first() {
            Some((at, _)) if *at < before => self.watched.pop_first().map(|(_, attempt)| attempt),
            _ => None,
        }
    }

    pub(crate) fn first_watched(&self) -> Option<Monotonic> {
        self.watched.first().map(|(at, _)| *at)
    }

    /// Trackers that are not blacklisted, those that are, and the graylisted among both.
    pub(crate) fn size(&self) -> ClusterSize {
        let graylisted = match self.faulty.is_quiet() {
            true => 0,
            false => self.trackers.iter().filter(|tracker| self.faulty.is_graylisted(tracker.host)).count(),
        };
        ClusterSize { active: self.active_trackers(), blacklisted: self.trackers.blacklisted, graylisted }
    }

    /// Trackers that are not blacklisted.
    pub(crate) fn active_trackers(&self) -> usize {
        self.trackers.len() - self.trackers.blacklisted
    }

    /// How long a tracker waits until its next heartbeat: longer the larger the cluster
    /// (Hadoop 1.2.1: JobTracker.getNextHeartbeatInterval).
    pub(crate) fn next_interval(&self) -> Duration {
        let share = self.active_trackers() as f64 / f64::from(self.settings.heartbeats_per_second.max(1));
        let millis = f64::from(1000.0 * self.settings.heartbeat_scaling) * share;
        Duration::from_millis(millis.max(0.0) as u64).max(self.settings.heartbeat_interval_min)
    }

    /// Slots of a kind in the cluster that no report fills.
    pub(crate) fn free_slots(&self, kind: TaskKind) -> i32 {
        self.trackers.slots.get(kind) - self.trackers.occupied.get(kind)
    }

    /// `http://host:port` of a tracker, whether or not it is still there.
    pub(crate) fn tracker_http(&self, tracker: TrackerKey) -> Option<String> {
        let host = self.topology.host_name(self.trackers.host(tracker));
        let (_, port) = self.trackers.site(tracker)?;
        Some(format!("http://{host}:{port}"))
    }

    /// All that records tell of where a tracker is.
    pub(crate) fn tracker_place(&self, tracker: TrackerKey) -> TrackerPlace {
        let (rack, http_port) = match self.trackers.site(tracker) {
            Some((node, port)) => (self.topology.location(node).to_owned(), port),
            None => (String::new(), -1),
        };
        TrackerPlace {
            name: self.trackers.name(tracker).to_string(),
            host: self.topology.host_name(self.trackers.host(tracker)).to_string(),
            rack,
            http_port,
        }
    }

    /// Notes that a tracker is registered, as it is now.
    pub(crate) fn note_tracker(&mut self, tracker: TrackerKey) {
        if self.journal.wants()
            && let Some(record) = self.tracker_record(tracker)
        {
            self.journal.note_cluster(|| record);
        }
    }

    /// The record of a registered tracker.
    pub(crate) fn tracker_record(&self, tracker: TrackerKey) -> Option<ClusterRecord> {
        let slots = self.trackers.get(tracker)?.slots;
        Some(ClusterRecord::Tracker {
            place: self.tracker_place(tracker),
            map_slots: slots.maps,
            reduce_slots: slots.reduces,
        })
    }

    /// Notes hosts whose faults have changed.
    pub(crate) fn note_faults(&mut self) {
        for host in self.faulty.take_changed() {
            let name = self.topology.host_name(host).to_string();
            let record = match self.faulty.faults_of(host, &name) {
                Some(faults) => ClusterRecord::Faults(faults),
                None => ClusterRecord::NoFaults { host: name },
            };
            self.journal.note_cluster(|| record);
        }
    }

    /// Forgets which attempts are watched.
    pub(crate) fn unwatch_all(&mut self) {
        self.watched.clear();
    }
}
