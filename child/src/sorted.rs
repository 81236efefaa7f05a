//! Sorted streams of records, and their division into groups.

use std::sync::Arc;

use crate::api::{Groups, RawComparator, Result};
use crate::reporter::CounterHandle;

/// Records in order.
pub(crate) trait Sorted: Send {
    /// Goes to the next record; false at the end.
    fn next(&mut self) -> Result<bool>;

    /// The key of the current record.
    fn key(&self) -> &[u8];

    /// The value of the current record.
    fn value(&self) -> &[u8];

    /// How much is done, 0 to 1.
    fn progress(&self) -> f32 {
        0.0
    }
}

/// What belongs together in one group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// Keys that sort alike: for combiners.
    BySortOrder,
    /// Keys that the grouping comparator takes for equal: for reducers.
    ByGroup,
}

/// How an interface counts its input.
pub(crate) struct GroupCounters {
    /// Groups that were begun.
    pub(crate) groups: Option<CounterHandle>,
    /// Values.
    pub(crate) values: CounterHandle,
    /// Whether values that were skipped count too: so in the new interface (Hadoop 1.2.1: mapreduce.ReduceContext).
    pub(crate) skipped_count: bool,
}

/// Called now and then with the progress of the stream.
pub(crate) type OnProgress<'a> = Box<dyn FnMut(f32) + Send + 'a>;

/// A sorted stream in groups.
pub(crate) struct GroupedStream<'a> {
    source: &'a mut dyn Sorted,
    comparator: Arc<dyn RawComparator>,
    grouping: Grouping,
    counters: GroupCounters,
    on_progress: OnProgress<'a>,
    /// The key that began the group.
    group_key: Vec<u8>,
    state: State,
    since_progress: u32,
}

/// How often progress is told.
const PROGRESS_EVERY: u32 = 128;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Fresh,
    /// The source stands at the group's first record, which was not given out yet.
    First,
    /// The source stands at a record of the group that was given out.
    Inside,
    /// The source stands at the first record of the next group.
    Behind,
    /// The source has ended.
    Ended,
}

impl<'a> GroupedStream<'a> {
    pub(crate) fn new(
        source: &'a mut dyn Sorted,
        comparator: Arc<dyn RawComparator>,
        grouping: Grouping,
        counters: GroupCounters,
        on_progress: OnProgress<'a>,
    ) -> Self {
        GroupedStream {
            source,
            comparator,
            grouping,
            counters,
            on_progress,
            group_key: Vec::new(),
            state: State::Fresh,
            since_progress: 0,
        }
    }

    fn same_group(&self) -> bool {
        match self.grouping {
            Grouping::BySortOrder => self.comparator.sort(&self.group_key, self.source.key()).is_eq(),
            Grouping::ByGroup => self.comparator.same_group(&self.group_key, self.source.key()),
        }
    }

    /// Reads on within the group; false when it is over.
    fn advance(&mut self) -> Result<bool> {
        self.since_progress += 1;
        if self.since_progress >= PROGRESS_EVERY {
            self.since_progress = 0;
            (self.on_progress)(self.source.progress());
        }
        self.state = if !self.source.next()? {
            State::Ended
        } else if self.same_group() {
            State::Inside
        } else {
            State::Behind
        };
        Ok(self.state == State::Inside)
    }
}

impl Groups for GroupedStream<'_> {
    fn next_group(&mut self) -> Result<bool> {
        if self.state == State::Fresh {
            self.state = if self.source.next()? { State::Behind } else { State::Ended };
        }
        if self.state == State::First && self.counters.skipped_count {
            self.counters.values.add(1);
        }
        while matches!(self.state, State::First | State::Inside) {
            if self.advance()? && self.counters.skipped_count {
                self.counters.values.add(1);
            }
        }
        if self.state == State::Ended {
            return Ok(false);
        }
        self.group_key.clear();
        self.group_key.extend_from_slice(self.source.key());
        self.state = State::First;
        if let Some(groups) = &self.counters.groups {
            groups.add(1);
        }
        Ok(true)
    }

    fn next_value(&mut self) -> Result<bool> {
        let found = match self.state {
            State::First => {
                self.state = State::Inside;
                true
            }
            State::Inside => self.advance()?,
            State::Fresh | State::Behind | State::Ended => false,
        };
        if found {
            self.counters.values.add(1);
        }
        Ok(found)
    }

    fn key(&self) -> &[u8] {
        match self.state {
            State::First | State::Inside => self.source.key(),
            State::Fresh | State::Behind | State::Ended => &self.group_key,
        }
    }

    fn value(&self) -> &[u8] {
        self.source.value()
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::reporter::Reporter;

    struct Bytes;

    impl RawComparator for Bytes {
        fn sort(&self, a: &[u8], b: &[u8]) -> Ordering {
            a.cmp(b)
        }

        fn same_group(&self, a: &[u8], b: &[u8]) -> bool {
            a[0] == b[0]
        }
    }

    struct List(Vec<(&'static str, u8)>, usize);

    impl Sorted for List {
        fn next(&mut self) -> Result<bool> {
            self.1 += 1;
            Ok(self.1 <= self.0.len())
        }

        fn key(&self) -> &[u8] {
            self.0[self.1 - 1].0.as_bytes()
        }

        fn value(&self) -> &[u8] {
            std::slice::from_ref(&self.0[self.1 - 1].1)
        }
    }

    fn run(skipped_count: bool, take: usize) -> (Vec<(String, Vec<u8>)>, i64, i64) {
        let reporter = Reporter::new();
        let (groups, values) = (reporter.counter("g", "groups"), reporter.counter("g", "values"));
        let mut source = List(vec![("a1", 1), ("a2", 2), ("a2", 3), ("b1", 4), ("c1", 5), ("c1", 6)], 0);
        let counters = GroupCounters { groups: Some(groups.clone()), values: values.clone(), skipped_count };
        let mut stream =
            GroupedStream::new(&mut source, Arc::new(Bytes), Grouping::ByGroup, counters, Box::new(|_| ()));
        let mut found = Vec::new();
        while stream.next_group().unwrap() {
            let key = String::from_utf8(stream.key().to_vec()).unwrap();
            let mut taken = Vec::new();
            while taken.len() < take && stream.next_value().unwrap() {
                taken.push(stream.value()[0]);
            }
            found.push((key, taken));
        }
        (found, groups.get(), values.get())
    }

    #[test]
    fn groups_follow_the_grouping_comparator() {
        let expected =
            vec![("a1".to_owned(), vec![1, 2, 3]), ("b1".to_owned(), vec![4]), ("c1".to_owned(), vec![5, 6])];
        assert_eq!(run(false, 9), (expected.clone(), 3, 6));
        assert_eq!(run(true, 9), (expected, 3, 6));
    }

    #[test]
    fn values_that_are_left_over_count_in_the_new_interface_only() {
        for take in [0, 1, 2] {
            let (found, groups, values) = run(false, take);
            assert_eq!(values as usize, found.iter().map(|(_, taken)| taken.len()).sum::<usize>());
            assert_eq!(groups, 3);
            assert_eq!(run(true, take).2, 6);
        }
    }
}
