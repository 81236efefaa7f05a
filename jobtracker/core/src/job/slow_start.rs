//! When the reduces of a job may start (Hadoop 1.2.1: JobInProgress.scheduleReduces).

use types::TaskKind;

use super::JobInProgress;

/// The share of maps that must be done where nobody sets one.
const SLOW_START: f32 = 0.05;

impl JobInProgress {
    /// How many maps must be done before reduces start. Single precision, as Hadoop computes it.
    pub(super) fn slow_start_threshold(&self) -> i32 {
        (self.submission.slow_start.unwrap_or(SLOW_START) * self.maps_number() as f32).ceil() as i32
    }

    /// How many maps must be done before reduces start.
    pub(crate) fn slow_start_maps(&self) -> i32 {
        self.slow_start_maps
    }

    /// Whether enough maps are done for reduces to start.
    pub(crate) fn may_reduce(&self) -> bool {
        self.finished(TaskKind::Map) + self.failed_map_tips >= self.slow_start_maps
    }

    /// Whether reduces may start before enough maps are done, because nobody set a threshold and no more maps wait for a
    /// slot than run: the last ones follow as soon as these end. Whether there is room for that is the scheduler's to say
    /// (`howdah.jobtracker.early.reduces`).
    pub(crate) fn may_reduce_early(&self) -> bool {
        self.submission.slow_start.is_none() && self.map_counts.pending <= self.map_counts.running
    }
}
