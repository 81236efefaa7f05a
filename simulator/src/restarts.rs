//! The JobTracker ends and comes back: what its records make of it must be what it was.

use std::collections::BTreeMap;

use jobtracker_core::{
    AttemptView, ClusterRecord, Effect, HistoryRecord, HostLists, JobRecord, JobTracker, JobView, Record, ReportKind,
    TaskView,
};
use types::{JobId, TaskState, TipStatus};

use crate::world::World;

/// What the journal of a real JobTracker would hold.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    cluster: Vec<ClusterRecord>,
    jobs: BTreeMap<JobId, Vec<JobRecord>>,
    histories: BTreeMap<JobId, Vec<HistoryRecord>>,
}

impl Kept {
    pub(crate) fn keep(&mut self, records: Vec<Record>) {
        for record in records {
            match record {
                Record::Cluster(record) => self.cluster.push(record),
                Record::Job(record) => self.jobs.entry(record.job.clone()).or_default().push(record),
            }
        }
    }

    pub(crate) fn keep_history(&mut self, effect: &Effect) {
        match effect {
            Effect::History(record) => {
                self.histories.entry(record.job().clone()).or_default().push(record.clone());
            }
            Effect::JobRetired(job) => {
                self.jobs.remove(job);
                self.histories.remove(job);
            }
            _ => {}
        }
    }
}

impl World<'_> {
    /// A JobTracker made from what was kept.
    fn restored(&self) -> JobTracker {
        let mut settings = self.scenario.settings.clone();
        settings.hosts = HostLists { exclude: self.excluded.clone(), ..HostLists::default() };
        let jobs = self.kept.jobs.values().flatten().cloned();
        JobTracker::restore(settings, self.identity(), self.now(), self.kept.cluster.iter().cloned(), jobs)
    }

    /// The JobTracker is killed and started again; whatever was under way between it and others is gone.
    pub(crate) fn restart_jobtracker(&mut self) -> Result<(), String> {
        self.note(|| "the JobTracker restarts".to_owned());
        self.report.jobtracker_restarts += 1;
        let mut jt = self.restored();
        for job in self.check_same(&mut jt)? {
            self.plan_splits_read(job);
        }
        self.jt = jt;
        self.kept.cluster = self.jt.cluster_records();
        self.first_call = self.calls + 1;
        self.forget_deadline();
        Ok(())
    }

    /// Makes a JobTracker from what was kept, compares it, and lets it go.
    pub(crate) fn check_restorable(&self) -> Result<(), String> {
        self.check_same(&mut self.restored()).map(drop)
    }

    /// Compares a JobTracker that was made from what was kept with the one that runs. Takes its effects; the jobs whose
    /// splits it asks for are the answer.
    fn check_same(&self, jt: &mut JobTracker) -> Result<Vec<JobId>, String> {
        jt.check_invariants().map_err(|broken| format!("after a restart: {broken}"))?;
        let mut histories: BTreeMap<JobId, Vec<HistoryRecord>> = BTreeMap::new();
        let mut uninitialized = Vec::new();
        for effect in jt.take_effects() {
            match effect {
                Effect::History(record) => histories.entry(record.job().clone()).or_default().push(record),
                Effect::ReadSplits { job } => uninitialized.push(job),
                _ => {}
            }
        }
        let all = |histories: &BTreeMap<JobId, Vec<HistoryRecord>>| -> Vec<HistoryRecord> {
            histories.values().flatten().cloned().map(lasting_record).collect()
        };
        same("histories", &all(&self.kept.histories), &all(&histories))?;
        same("cluster records", &shared(&self.jt), &shared(jt))?;
        for job in &self.jobs {
            same("events", &self.jt.completion_events(job, 0, i32::MAX), &jt.completion_events(job, 0, i32::MAX))?;
            let is_retired = self.jt.job_view(job).is_none_or(|view| view.retired);
            if !is_retired {
                same("job", &self.jt.job_view(job).map(lasting_job), &jt.job_view(job).map(lasting_job))?;
            }
            for kind in [ReportKind::Setup, ReportKind::Map, ReportKind::Reduce, ReportKind::Cleanup] {
                let tasks =
                    |jt: &JobTracker| jt.task_views(job, kind).into_iter().map(lasting_task).collect::<Vec<_>>();
                same("tasks", &tasks(&self.jt), &tasks(jt))?;
            }
        }
        Ok(uninitialized)
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after {
        return Ok(());
    }
    let (before, after) = (format!("{before:#?}"), format!("{after:#?}"));
    let differing = before.lines().zip(after.lines()).enumerate().filter(|(_, (before, after))| before != after);
    let lines: Vec<String> =
        differing.take(12).map(|(at, (before, after))| format!("{at}: {before} | {after}")).collect();
    Err(format!("{what} differ after a restart:\n{}\n{before}", lines.join("\n")))
}

/// What all jobs share, in one order; faults age when somebody looks, so their counts may be seen at different ages.
fn shared(jt: &JobTracker) -> Vec<ClusterRecord> {
    let mut records = jt.cluster_records();
    for record in &mut records {
        if let ClusterRecord::Faults(faults) = record {
            (faults.buckets, faults.rotated) = (Vec::new(), 0);
        }
    }
    records.sort_by_cached_key(|record| format!("{record:?}"));
    records
}

/// Which trackers are kept free for a job is forgotten, and how long they were.
fn forget_reservations(counters: &mut types::Counters) {
    for group in &mut counters.groups {
        group.counters.retain(|counter| !counter.name.starts_with("FALLOW_SLOTS_MILLIS_"));
    }
}

fn lasting_record(record: HistoryRecord) -> HistoryRecord {
    let mut record = record;
    if let HistoryRecord::JobFinished { counters, .. } = &mut record {
        forget_reservations(counters);
    }
    record
}

/// A job without what its trackers tell anew: progress, and the counters of what still runs.
fn lasting_job(view: JobView) -> JobView {
    let mut view = view;
    view.status.scheduling_info = String::new();
    forget_reservations(&mut view.counters);
    // In the order of their names, not of their numbers.
    view.avoided_hosts.sort();
    if !view.status.state.is_complete() {
        (view.status.map_progress, view.status.reduce_progress) = (0.0, 0.0);
        view.map_counters = types::Counters::new();
        view.reduce_counters = types::Counters::new();
        view.counters = types::Counters::new();
    }
    view
}

/// Likewise a task.
fn lasting_task(view: TaskView) -> TaskView {
    let mut view = view;
    if view.report.status != TipStatus::Complete {
        view.report.progress = 0.0;
        view.report.state = String::new();
        view.report.counters = types::Counters::new();
    }
    view.attempts = view.attempts.into_iter().map(lasting_attempt).collect();
    view
}

fn lasting_attempt(view: AttemptView) -> AttemptView {
    let mut view = view;
    // A liar may have said anything; nothing is decided by it.
    (view.status.slots, view.status.output_size) = (0, 0);
    if view.status.state != TaskState::Succeeded {
        view.status.progress = 0.0;
        view.status.counters = None;
        view.status.state_string = String::new();
        view.status.phase = types::Phase::Starting;
        view.status.reduce = None;
    }
    if !view.status.state.is_terminal() {
        view.status.finish_time = 0;
        // A liar may have named others.
        view.status.slots = 0;
    }
    view
}
