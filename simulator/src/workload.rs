//! The jobs that are submitted.

use std::ops::Range;

use fastrand::Rng;
use jobtracker_core::{Settings, SplitWithRacks, Submission};
use types::{JobId, JobPriority, SplitMeta};

use crate::scenario::Workload;
use crate::tracker::Tracker;

/// Draws a number; the only one there is from a range that is empty.
fn draw(rng: &mut Rng, range: &Range<i32>) -> i32 {
    if range.is_empty() { range.start } else { rng.i32(range.clone()) }
}

/// Draws a job.
pub(crate) fn job(rng: &mut Rng, workload: &Workload, id: JobId, user: usize) -> Submission {
    let (maps, reduces) = (draw(rng, &workload.maps), draw(rng, &workload.reduces));
    Submission {
        priority: JobPriority::ALL[rng.usize(0..JobPriority::ALL.len())],
        slow_start: [None, None, Some(0.05), Some(1.0), Some(0.0)][rng.usize(0..5)],
        map_speculation: rng.bool(),
        reduce_speculation: rng.bool(),
        map_failures_percent: if rng.u32(0..4) == 0 { 20 } else { 0 },
        reduce_failures_percent: if rng.u32(0..8) == 0 { 50 } else { 0 },
        map_attempts_max: rng.i32(2..6),
        reduce_attempts_max: rng.i32(2..6),
        ..Submission::new(id, format!("user{user}"), maps, reduces)
    }
}

/// Draws a job's queue and memory, where the site has several queues and gives tasks slots by their memory.
pub(crate) fn place(rng: &mut Rng, settings: &Settings, job: &mut Submission) {
    if settings.queues.len() > 1 {
        job.queue.clone_from(&settings.queues[rng.usize(0..settings.queues.len())].name);
    }
    if settings.map_memory_max_mb > 0 && settings.reduce_memory_max_mb > 0 {
        job.map_memory_mb = rng.i64(1..=settings.map_memory_max_mb);
        job.reduce_memory_mb = rng.i64(1..=settings.reduce_memory_max_mb);
    }
}

/// Draws where the splits of a job lie.
pub(crate) fn splits(rng: &mut Rng, workload: &Workload, trackers: &[Tracker], maps: i32) -> Vec<SplitWithRacks> {
    let split = |_| {
        let replicas = rng.usize(workload.replicas.clone());
        let hosts: Vec<&Tracker> = (0..replicas).map(|_| &trackers[rng.usize(0..trackers.len())]).collect();
        SplitWithRacks {
            split: SplitMeta {
                locations: hosts.iter().map(|tracker| tracker.host.clone()).collect(),
                start_offset: 0,
                input_length: rng.i64(0..1_000_000),
            },
            racks: hosts.iter().map(|tracker| tracker.rack.clone()).collect(),
        }
    };
    (0..maps).map(split).collect()
}
