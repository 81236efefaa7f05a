//! A job comes to be, and its tasks with it once its splits are known (Hadoop 1.2.1: JobInProgress.initTasks).

use std::collections::{BTreeSet, VecDeque};

use types::{Counters, JobState, JobStatus, Now, SplitMeta, TaskKind};

use super::delay::LocalityWait;
use super::demand::ActiveTasks;
use super::estimator::ResourceEstimator;
use super::flaky_hosts::FlakyHosts;
use super::locality::{MapCaches, ReduceLists};
use super::{FirstLaunches, JobInProgress, Readiness};
use crate::cluster::Cluster;
use crate::effect::{Effect, HistoryRecord, TaskType};
use crate::submission::{SplitWithRacks, Submission};
use crate::task::{SplitPlaces, TaskInProgress, TaskSpec};
use crate::topology::{NodeKey, Topology};
use crate::trackers::PerKind;
use crate::views::TaskCounts;

impl JobInProgress {
    /// A job that waits for its splits.
    pub(crate) fn new(now: Now, submission: Submission) -> Self {
        let (maps, reduces) = (submission.maps, submission.reduces);
        JobInProgress {
            id: submission.job.clone(),
            status: JobStatus {
                job: submission.job.clone(),
                setup_progress: 0.0,
                map_progress: 0.0,
                reduce_progress: 0.0,
                cleanup_progress: 0.0,
                state: JobState::Prep,
                start_time: now.wall.0,
                user: submission.caller.user.clone(),
                priority: submission.priority,
                scheduling_info: "NA".to_owned(),
                acls: submission.acls.clone(),
                failure_info: "NA".to_owned(),
            },
            launch_time: 0,
            finish_time: 0,
            first_launches: FirstLaunches::default(),
            slots: PerKind { maps: 1, reduces: 1 },
            inited: false,
            init_asked: false,
            created: now.mono,
            maps: Vec::new(),
            reduces: Vec::new(),
            map_counts: TaskCounts { total: maps, pending: maps, ..TaskCounts::default() },
            reduce_counts: TaskCounts { total: reduces, pending: reduces, ..TaskCounts::default() },
            running_maps: 0,
            running_reduces: 0,
            failed_map_tips: 0,
            failed_reduce_tips: 0,
            launched_setup: false,
            launched_cleanup: false,
            killing: false,
            failing: false,
            caches: MapCaches::default(),
            reduce_lists: ReduceLists::default(),
            active_maps: ActiveTasks::default(),
            active_reduces: ActiveTasks::default(),
            map_cleanups: VecDeque::new(),
            reduce_cleanups: VecDeque::new(),
            slow_start_maps: 0,
            input_length: 0,
            estimator: ResourceEstimator::default(),
            locality_wait: LocalityWait::new(submission.locality_wait_factor),
            flaky: FlakyHosts::new(submission.tracker_failures_max),
            events: Vec::new(),
            counters: Counters::new(),
            trackers: BTreeSet::new(),
            next_running_order: 0,
            indexed: Readiness::default(),
            submission,
        }
    }

    /// Asks for the splits, with which the job is initialised; once.
    pub(crate) fn initialize(&mut self, cluster: &mut Cluster) {
        if !std::mem::replace(&mut self.init_asked, true) {
            cluster.effects.push(Effect::ReadSplits { job: self.id.clone() });
        }
    }

    /// Makes the tasks. An error is what is wrong with the splits.
    pub(crate) fn init(&mut self, now: Now, cluster: &mut Cluster, splits: Vec<SplitWithRacks>) -> Result<(), String> {
        check_splits(&self.submission, cluster.settings.split_locations_max, &splits)?;
        self.created = now.mono;
        self.launch_time = now.wall.0;
        self.slow_start_maps = self.slow_start_threshold();
        self.estimator = ResourceEstimator::new(self.maps_number(), self.slow_start_maps);
        let mut hosts = BTreeSet::new();
        for (index, split) in splits.into_iter().enumerate() {
            self.input_length = self.input_length.saturating_add(split.split.input_length);
            let places = place(&mut cluster.topology, split);
            hosts.extend(places.nodes.iter().copied());
            self.caches.add_waiting(&cluster.topology, index as i32, &places.nodes);
            self.maps.push(self.make_task(now, TaskType::Map, TaskKind::Map, index as i32, Some(places)));
        }
        if self.maps_number() > 0 {
            self.locality_wait.calibrate(&hosts, cluster.trackers.unique_hosts.len());
        }
        for index in 0..self.reduces_number() {
            self.reduces.push(self.make_task(now, TaskType::Reduce, TaskKind::Reduce, index, None));
            self.reduce_lists.waiting.insert(index, 0);
        }
        for kind in TaskKind::BOTH {
            for (offset, task_type) in [(0, TaskType::Cleanup), (1, TaskType::Setup)] {
                let task = self.make_task(now, task_type, kind, self.desired(kind) + offset, None);
                match kind {
                    TaskKind::Map => self.maps.push(task),
                    TaskKind::Reduce => self.reduces.push(task),
                }
            }
        }
        self.inited = true;
        cluster.touch(&self.id);
        cluster.history(HistoryRecord::JobInited {
            job: self.id.clone(),
            launch_time: self.launch_time,
            maps: self.maps_number(),
            reduces: self.reduces_number(),
        });
        self.skip_setup(now, cluster);
        Ok(())
    }

    fn make_task(
        &self,
        now: Now,
        task_type: TaskType,
        kind: TaskKind,
        index: i32,
        split: Option<SplitPlaces>,
    ) -> TaskInProgress {
        let (attempts_max, skip_max) = match kind {
            TaskKind::Map => (self.submission.map_attempts_max, self.submission.skip.map_records_max),
            TaskKind::Reduce => (self.submission.reduce_attempts_max, self.submission.skip.reduce_groups_max),
        };
        TaskInProgress::new(TaskSpec {
            task_type,
            kind,
            index,
            attempts_max,
            slots: if matches!(task_type, TaskType::Map | TaskType::Reduce) { self.slots.get(kind) } else { 1 },
            skip_max,
            skip_after: self.submission.skip.attempts_to_start,
            split,
            created: now.mono,
        })
    }
}

/// Finds the nodes of a split's hosts, which enter the topology if they are new.
fn place(topology: &mut Topology, split: SplitWithRacks) -> SplitPlaces {
    let SplitWithRacks { split: meta, racks } = split;
    let nodes: Vec<NodeKey> = meta
        .locations
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let host = topology.host(name);
            topology.place(host, racks.get(at).map_or("/default-rack", String::as_str))
        })
        .collect();
    SplitPlaces { meta, nodes }
}

fn check_splits(
    submission: &Submission,
    locations_max: Option<usize>,
    splits: &[SplitWithRacks],
) -> Result<(), String> {
    if splits.len() as i64 != i64::from(submission.maps) {
        return Err(format!(
            "Number of maps in JobConf doesn't match number of recieved splits for job {}! numMapTasks={}, #splits={}",
            submission.job,
            submission.maps,
            splits.len()
        ));
    }
    for (index, split) in splits.iter().enumerate() {
        check_locations(index, &split.split, locations_max)?;
    }
    Ok(())
}

fn check_locations(index: usize, split: &SplitMeta, locations_max: Option<usize>) -> Result<(), String> {
    if let Some(max) = locations_max.filter(|max| split.locations.len() > *max) {
        return Err(format!(
            "Max block location exceeded for split: splitsize: {} maxsize: {max}, split {index}",
            split.locations.len()
        ));
    }
    match split.locations.iter().find(|name| !is_host_name(name)) {
        Some(name) => Err(format!("Invalid hostname found: {name:?} among the locations of split {index}")),
        None => Ok(()),
    }
}

/// Whether a text can be a host's name or address (Hadoop 1.2.1: NetUtils.verifyHostnames).
fn is_host_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "/?#@<>\"".contains(c))
}
