//! Which records the next attempt of a task must skip: ranges that failed, halved until few enough records are lost
//! (Hadoop 1.2.1: TaskInProgress.FailedRanges, SortedRanges).

use types::{SortedRange, SortedRanges, TaskState};

/// The failed ranges of one task.
#[derive(Debug, Default)]
pub(crate) struct FailedRanges {
    skipped: SortedRanges,
    halving: Option<Halving>,
}

/// A range that is too long to skip whole: one half is tried, the rest of the input skipped.
#[derive(Debug)]
struct Halving {
    tried: SortedRange,
    other: SortedRange,
    skipped: SortedRanges,
    passed: bool,
}

impl FailedRanges {
    /// What the next attempt skips.
    pub(crate) fn skip_ranges(&self) -> &SortedRanges {
        self.halving.as_ref().map_or(&self.skipped, |halving| &halving.skipped)
    }

    /// Whether the next attempt only tries half a range, and so cannot complete the task.
    pub(crate) fn is_test(&self) -> bool {
        self.halving.is_some()
    }

    /// The state to take for one that an attempt reports: a test that succeeds has done only a part, and fails.
    pub(crate) fn judge(&mut self, reported: TaskState) -> TaskState {
        match &mut self.halving {
            Some(halving) if reported == TaskState::Succeeded => {
                halving.passed = true;
                TaskState::Failed
            }
            _ => reported,
        }
    }

    /// Notes where an attempt failed.
    pub(crate) fn add(&mut self, failed: SortedRange, skip_max: i64) {
        let failed = match self.halving.take() {
            Some(halving) if halving.passed => halving.other,
            Some(halving) => halving.tried,
            None => failed,
        };
        if failed.length <= skip_max {
            add_range(&mut self.skipped, failed);
        } else {
            self.halving = Some(Halving::new(failed, &self.skipped));
        }
    }
}

impl Halving {
    fn new(range: SortedRange, skipped: &SortedRanges) -> Self {
        let half = range.length / 2;
        let tried = SortedRange { start: range.start, length: half };
        let end = range.start + half;
        let other = SortedRange { start: end, length: range.length - half };
        let mut skipped = skipped.clone();
        add_range(&mut skipped, SortedRange { start: 0, length: tried.start });
        add_range(&mut skipped, SortedRange { start: end, length: i64::MAX - end });
        Halving { tried, other, skipped, passed: false }
    }
}

/// Adds a range and joins it with those that it overlaps or touches.
fn add_range(ranges: &mut SortedRanges, added: SortedRange) {
    if added.length <= 0 {
        return;
    }
    let (mut start, mut end) = (added.start, added.start.saturating_add(added.length));
    ranges.ranges.retain(|range| {
        let range_end = range.start.saturating_add(range.length);
        let joins = range.start <= end && range_end >= start;
        if joins {
            (start, end) = (start.min(range.start), end.max(range_end));
        }
        !joins
    });
    let at = ranges.ranges.partition_point(|range| range.start < start);
    ranges.ranges.insert(at, SortedRange { start, length: end - start });
    ranges.indices = ranges.ranges.iter().fold(0, |sum: i64, range| sum.saturating_add(range.length));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: i64, length: i64) -> SortedRange {
        SortedRange { start, length }
    }

    #[test]
    fn a_short_range_is_skipped_whole() {
        let mut ranges = FailedRanges::default();
        ranges.add(range(10, 1), 1);
        assert!(!ranges.is_test());
        assert_eq!(ranges.skip_ranges().ranges, [range(10, 1)]);
        ranges.add(range(11, 1), 1);
        assert_eq!(ranges.skip_ranges().ranges, [range(10, 2)]);
        assert_eq!(ranges.skip_ranges().indices, 2);
    }

    #[test]
    fn a_long_range_is_halved_until_the_bad_record_is_found() {
        let mut ranges = FailedRanges::default();
        ranges.add(range(8, 4), 1);
        assert!(ranges.is_test());
        assert_eq!(ranges.skip_ranges().ranges, [range(0, 8), range(10, i64::MAX - 10)]);
        // Records 8 and 9 are good, so the bad one is in 10 and 11; of these the first is tried.
        assert_eq!(ranges.judge(TaskState::Succeeded), TaskState::Failed);
        ranges.add(range(8, 2), 1);
        assert_eq!(ranges.skip_ranges().ranges, [range(0, 10), range(11, i64::MAX - 11)]);
        // It is the bad one.
        assert_eq!(ranges.judge(TaskState::Failed), TaskState::Failed);
        ranges.add(range(10, 1), 1);
        assert!(!ranges.is_test());
        assert_eq!(ranges.skip_ranges().ranges, [range(10, 1)]);
    }
}
