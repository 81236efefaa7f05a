//! Records as messages, and back.

use jobtracker_core::{
    Caller, ClusterRecord, HostFaults, JobChange, Notification, SkipSettings, SplitWithRacks, Submission, TaskPlace,
    TrackerPlace, Workflow,
};
use types::{AccessControlList, JobAcl, JobId, JobPriority, SplitMeta, TaskKind, TaskStatus};
use wire::Writable;

use super::messages::{self as m, Kind};

/// A job's change as a message.
pub(super) fn change_to_kind(change: &JobChange) -> Kind {
    use JobChange as C;
    match change {
        C::Submitted(submission) => Kind::Submitted(Box::new(submitted(submission))),
        C::Inited(splits) => Kind::Inited(m::Inited { splits: splits.iter().map(split).collect() }),
        C::Launched { task, tracker, cluster_size } => {
            Kind::Launched(launched(*task, 0, tracker, *cluster_size as u64))
        }
        C::CleanupLaunched { task, number, tracker } => Kind::CleanupLaunched(launched(*task, *number, tracker, 0)),
        C::Reported { status, safe_mode, cluster_size } => Kind::Reported(reported(status, *safe_mode, *cluster_size)),
        C::Ended { status, safe_mode, cluster_size } => Kind::Ended(reported(status, *safe_mode, *cluster_size)),
        C::Lost { task, number, reason } => Kind::Lost(attempt(*task, *number, reason, false)),
        C::HostPenalized { host, cluster_size } => {
            Kind::HostPenalized(m::Penalty { host: host.clone(), cluster_size: *cluster_size as u64 })
        }
        C::KillWished { task, number, fail } => Kind::KillWished(attempt(*task, *number, "", *fail)),
        C::Killed => Kind::Killed(true),
        C::Failed(reason) => Kind::Failed(reason.clone()),
        C::Priority(priority) => Kind::Priority(priority.name().to_owned()),
    }
}

/// What a job's message says of its change; `None` if it says nothing of one.
pub(super) fn kind_to_change(job: &JobId, kind: Kind) -> Option<JobChange> {
    use JobChange as C;
    Some(match kind {
        Kind::Submitted(message) => C::Submitted(Box::new(submission(job, *message)?)),
        Kind::Inited(message) => C::Inited(message.splits.into_iter().map(split_with_racks).collect()),
        Kind::Launched(message) => {
            let (task, cluster_size) = (task(message.is_map, message.task), size(message.cluster_size));
            C::Launched { task, tracker: place(message.tracker?), cluster_size }
        }
        Kind::CleanupLaunched(message) => C::CleanupLaunched {
            task: task(message.is_map, message.task),
            number: message.number,
            tracker: place(message.tracker?),
        },
        Kind::Reported(message) => C::Reported {
            status: status(&message)?,
            safe_mode: message.safe_mode,
            cluster_size: size(message.cluster_size),
        },
        Kind::Ended(message) => C::Ended {
            status: status(&message)?,
            safe_mode: message.safe_mode,
            cluster_size: size(message.cluster_size),
        },
        Kind::Lost(message) => {
            C::Lost { task: task(message.is_map, message.task), number: message.number, reason: message.reason }
        }
        Kind::HostPenalized(message) => {
            C::HostPenalized { host: message.host, cluster_size: size(message.cluster_size) }
        }
        Kind::KillWished(message) => {
            C::KillWished { task: task(message.is_map, message.task), number: message.number, fail: message.fail }
        }
        Kind::Killed(_) => C::Killed,
        Kind::Failed(reason) => C::Failed(reason),
        Kind::Priority(name) => C::Priority(JobPriority::from_name(&name)?),
        _ => return None,
    })
}

/// A change of what all jobs share as a message.
pub(super) fn cluster_to_kind(record: &ClusterRecord) -> Kind {
    match record {
        ClusterRecord::Tracker { place, map_slots, reduce_slots } => Kind::Tracker(m::Tracker {
            place: Some(place_message(place)),
            map_slots: *map_slots,
            reduce_slots: *reduce_slots,
        }),
        ClusterRecord::TrackerGone { name } => Kind::TrackerGone(name.clone()),
        ClusterRecord::Faults(faults) => Kind::Faults(m::Faults {
            host: faults.host.clone(),
            buckets: faults.buckets.clone(),
            rotated: faults.rotated,
            unhealthy: faults.unhealthy.clone(),
            graylisted: faults.graylisted.clone(),
        }),
        ClusterRecord::NoFaults { host } => Kind::NoFaults(host.clone()),
    }
}

/// What a message says of what all jobs share; `None` if it says nothing of it.
pub(super) fn kind_to_cluster(kind: Kind) -> Option<ClusterRecord> {
    Some(match kind {
        Kind::Tracker(message) => ClusterRecord::Tracker {
            place: place(message.place?),
            map_slots: message.map_slots,
            reduce_slots: message.reduce_slots,
        },
        Kind::TrackerGone(name) => ClusterRecord::TrackerGone { name },
        Kind::Faults(message) => ClusterRecord::Faults(HostFaults {
            host: message.host,
            buckets: message.buckets,
            rotated: message.rotated,
            unhealthy: message.unhealthy,
            graylisted: message.graylisted,
        }),
        Kind::NoFaults(host) => ClusterRecord::NoFaults { host },
        _ => return None,
    })
}

fn task(is_map: bool, number: i32) -> TaskPlace {
    TaskPlace { kind: TaskKind::from_is_map(is_map), number }
}

fn size(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

fn launched(task: TaskPlace, number: i32, tracker: &TrackerPlace, cluster_size: u64) -> m::Launched {
    let (is_map, tracker) = (task.kind.is_map(), Some(place_message(tracker)));
    m::Launched { is_map, task: task.number, number, tracker, cluster_size }
}

fn attempt(task: TaskPlace, number: i32, reason: &str, fail: bool) -> m::Attempt {
    m::Attempt { is_map: task.kind.is_map(), task: task.number, number, reason: reason.to_owned(), fail }
}

fn reported(status: &TaskStatus, safe_mode: bool, cluster_size: usize) -> m::Status {
    m::Status { status: status.to_bytes(), safe_mode, cluster_size: cluster_size as u64 }
}

fn status(message: &m::Status) -> Option<Box<TaskStatus>> {
    TaskStatus::from_bytes(&message.status).ok().map(Box::new)
}

fn place_message(place: &TrackerPlace) -> m::Place {
    let TrackerPlace { name, host, rack, http_port } = place.clone();
    m::Place { name, host, rack, http_port }
}

fn place(message: m::Place) -> TrackerPlace {
    let m::Place { name, host, rack, http_port } = message;
    TrackerPlace { name, host, rack, http_port }
}

fn split(split: &SplitWithRacks) -> m::Split {
    m::Split {
        locations: split.split.locations.clone(),
        racks: split.racks.clone(),
        start_offset: split.split.start_offset,
        input_length: split.split.input_length,
    }
}

fn split_with_racks(message: m::Split) -> SplitWithRacks {
    let m::Split { locations, racks, start_offset, input_length } = message;
    SplitWithRacks { split: SplitMeta { locations, start_offset, input_length }, racks }
}

fn submitted(submission: &Submission) -> m::Submitted {
    let s = submission.clone();
    m::Submitted {
        user: s.caller.user,
        groups: s.caller.groups,
        address: s.caller.address,
        user_name: s.user_name,
        name: s.name,
        job_file: s.job_file,
        split_file: s.split_file,
        url: s.url,
        staging_dir: s.staging_dir,
        queue: s.queue,
        priority: s.priority.name().to_owned(),
        maps: s.maps,
        reduces: s.reduces,
        map_attempts_max: s.map_attempts_max,
        reduce_attempts_max: s.reduce_attempts_max,
        locality_wait_factor: s.locality_wait_factor,
        map_failures_percent: s.map_failures_percent,
        reduce_failures_percent: s.reduce_failures_percent,
        map_speculation: s.map_speculation,
        reduce_speculation: s.reduce_speculation,
        slow_start: s.slow_start,
        tracker_failures_max: s.tracker_failures_max,
        map_memory_mb: s.map_memory_mb,
        reduce_memory_mb: s.reduce_memory_mb,
        reduce_input_limit: s.reduce_input_limit,
        skip_attempts_to_start: s.skip.attempts_to_start,
        skip_map_records_max: s.skip.map_records_max,
        skip_reduce_groups_max: s.skip.reduce_groups_max,
        acls: s.acls.iter().map(acl).collect(),
        notification: s.notification.map(|n| m::Notification {
            url: n.url,
            retries: n.retries,
            interval_ms: n.interval_ms,
            timeout_ms: n.timeout_ms,
        }),
        workflow: vec![s.workflow.id, s.workflow.name, s.workflow.node_name, s.workflow.adjacencies, s.workflow.tags],
        keep_files: s.keep_files,
        cancel_tokens: s.cancel_tokens,
        setup_and_cleanup: s.setup_and_cleanup,
        restart_recover: s.restart_recover,
        recovered: s.recovered,
        pool: s.pool,
    }
}

fn acl((acl, list): &(JobAcl, AccessControlList)) -> m::Acl {
    m::Acl { acl: acl.name().to_owned(), list: list.to_string() }
}

fn submission(job: &JobId, message: m::Submitted) -> Option<Submission> {
    let s = message;
    let mut workflow = s.workflow.into_iter();
    let mut next = || workflow.next().unwrap_or_default();
    let list = |acl: m::Acl| Some((JobAcl::from_name(&acl.acl)?, AccessControlList::parse(&acl.list)));
    Some(Submission {
        job: job.clone(),
        caller: Caller { user: s.user, groups: s.groups, address: s.address },
        user_name: s.user_name,
        name: s.name,
        job_file: s.job_file,
        split_file: s.split_file,
        url: s.url,
        staging_dir: s.staging_dir,
        queue: s.queue,
        priority: JobPriority::from_name(&s.priority)?,
        maps: s.maps,
        reduces: s.reduces,
        map_attempts_max: s.map_attempts_max,
        reduce_attempts_max: s.reduce_attempts_max,
        locality_wait_factor: s.locality_wait_factor,
        map_failures_percent: s.map_failures_percent,
        reduce_failures_percent: s.reduce_failures_percent,
        map_speculation: s.map_speculation,
        reduce_speculation: s.reduce_speculation,
        slow_start: s.slow_start,
        tracker_failures_max: s.tracker_failures_max,
        map_memory_mb: s.map_memory_mb,
        reduce_memory_mb: s.reduce_memory_mb,
        reduce_input_limit: s.reduce_input_limit,
        skip: SkipSettings {
            attempts_to_start: s.skip_attempts_to_start,
            map_records_max: s.skip_map_records_max,
            reduce_groups_max: s.skip_reduce_groups_max,
        },
        acls: s.acls.into_iter().map(list).collect::<Option<_>>()?,
        notification: s.notification.map(|n| Notification {
            url: n.url,
            retries: n.retries,
            interval_ms: n.interval_ms,
            timeout_ms: n.timeout_ms,
        }),
        workflow: Workflow { id: next(), name: next(), node_name: next(), adjacencies: next(), tags: next() },
        keep_files: s.keep_files,
        cancel_tokens: s.cancel_tokens,
        setup_and_cleanup: s.setup_and_cleanup,
        restart_recover: s.restart_recover,
        recovered: s.recovered,
        pool: s.pool,
    })
}
