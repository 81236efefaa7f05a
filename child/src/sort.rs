//! Hadoop's own sorts, move for move: records with equal keys come out in the order that Java's child gives them, which
//! is visible in a job's output.
//!
//! Hadoop 1.2.1: util.QuickSort, HeapSort, MergeSort (`map.sort.class`).

use std::cmp::Ordering;

/// Below this many, elements are sorted by insertion.
const INSERTION_MAX: usize = 13;

/// Which sort a job uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Algorithm {
    /// `org.apache.hadoop.util.QuickSort`.
    #[default]
    Quick,
    /// `org.apache.hadoop.util.HeapSort`.
    Heap,
    /// `org.apache.hadoop.util.MergeSort`: stable.
    Merge,
}

impl Algorithm {
    /// The sort of this Java class; `twins` has seen to it that it is one of the three.
    pub(crate) fn of_class(class: &str) -> Self {
        match class {
            "org.apache.hadoop.util.HeapSort" => Algorithm::Heap,
            "org.apache.hadoop.util.MergeSort" => Algorithm::Merge,
            _ => Algorithm::Quick,
        }
    }

    /// Sorts.
    pub(crate) fn sort<T>(self, items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) {
        match self {
            Algorithm::Quick => quick(items, compare, depth_max(items.len())),
            Algorithm::Heap => heap(items, compare),
            Algorithm::Merge => items.sort_by(compare),
        }
    }
}

/// How deep the partitions may nest before the heap sort takes over.
fn depth_max(len: usize) -> u32 {
    (32 - (len as u32).saturating_sub(1).leading_zeros()) << 2
}

fn quick<T>(mut items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering, mut depth: u32) {
    loop {
        if items.len() < INSERTION_MAX {
            return insertion(items, compare);
        }
        if depth == 0 {
            return heap(items, compare);
        }
        depth -= 1;
        let (low_end, high_start) = partition(items, compare);
        let rest = std::mem::take(&mut items);
        if low_end < rest.len() - high_start {
            let (low, high) = rest.split_at_mut(high_start);
            quick(&mut low[..low_end], compare, depth);
            items = high;
        } else {
            let (low, high) = rest.split_at_mut(high_start);
            quick(high, compare, depth);
            items = &mut low[..low_end];
        }
    }
}

fn insertion<T>(items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) {
    for sorted in 0..items.len() {
        let mut at = sorted;
        while at > 0 && compare(&items[at - 1], &items[at]).is_gt() {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Partitions into less, equal and greater than a median of three; returns where the less end and the greater start.
fn partition<T>(items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) -> (usize, usize) {
    let len = items.len();
    let order = |items: &mut [T], a: usize, b: usize| {
        if compare(&items[a], &items[b]).is_gt() {
            items.swap(a, b);
        }
    };
    order(items, len / 2, 0);
    order(items, len / 2, len - 1);
    order(items, 0, len - 1);

    // The pivot is the first; what equals it gathers at both ends.
    let (mut left, mut right) = (0, len);
    let (mut equal_left, mut equal_right) = (0, len);
    loop {
        left += 1;
        while left < right {
            match compare(&items[left], &items[0]) {
                Ordering::Greater => break,
                Ordering::Equal => {
                    equal_left += 1;
                    if equal_left != left {
                        items.swap(equal_left, left);
                    }
                }
                Ordering::Less => {}
            }
            left += 1;
        }
        right -= 1;
        while right > left {
            match compare(&items[0], &items[right]) {
                Ordering::Greater => break,
                Ordering::Equal => {
                    equal_right -= 1;
                    if equal_right != right {
                        items.swap(equal_right, right);
                    }
                }
                Ordering::Less => {}
            }
            right -= 1;
        }
        if left >= right {
            break;
        }
        items.swap(left, right);
    }
    let (mut low_end, mut high_start) = (left, left);
    for equal in (0..=equal_left).rev() {
        low_end -= 1;
        items.swap(equal, low_end);
    }
    for equal in equal_right..len {
        items.swap(equal, high_start);
        high_start += 1;
    }
    (low_end, high_start)
}

fn heap<T>(items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) {
    let len = items.len();
    if len < 2 {
        return;
    }
    // Positions count from 1, so that the children of `at` are `2 at` and `2 at + 1`.
    let mut level = 1 << len.ilog2();
    while level > 1 {
        for at in level / 2..level {
            sift_down(items, compare, at, len + 1);
        }
        level /= 2;
    }
    for last in (1..len).rev() {
        items.swap(0, last);
        sift_down(items, compare, 1, last + 1);
    }
}

fn sift_down<T>(items: &mut [T], compare: &impl Fn(&T, &T) -> Ordering, mut at: usize, end: usize) {
    loop {
        let mut child = at * 2;
        if child >= end {
            return;
        }
        if child + 1 < end && compare(&items[child - 1], &items[child]).is_lt() {
            child += 1;
        }
        if !compare(&items[at - 1], &items[child - 1]).is_lt() {
            return;
        }
        items.swap(at - 1, child - 1);
        at = child;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_algorithm_sorts(mut keys in proptest::collection::vec(0u16..300, 0..2000)) {
            let mut expected = keys.clone();
            expected.sort_unstable();
            for algorithm in [Algorithm::Quick, Algorithm::Heap, Algorithm::Merge] {
                let mut sorted = keys.clone();
                algorithm.sort(&mut sorted, &|a, b| a.cmp(b));
                prop_assert_eq!(&sorted, &expected);
            }
            keys.reverse();
            Algorithm::Quick.sort(&mut keys, &|a, b| a.cmp(b));
            prop_assert_eq!(&keys, &expected);
        }
    }

    #[test]
    fn long_runs_of_equal_and_sorted_keys_do_not_degenerate() {
        for keys in [vec![7; 100_000], (0..100_000).collect::<Vec<_>>(), (0..100_000).rev().collect()] {
            let compared = std::cell::Cell::new(0u64);
            let mut sorted = keys.clone();
            Algorithm::Quick.sort(&mut sorted, &|a: &i32, b| {
                compared.set(compared.get() + 1);
                a.cmp(b)
            });
            assert!(sorted.is_sorted());
            assert!(compared.get() < 10_000_000, "{} comparisons", compared.get());
        }
    }

    /// A hash of the order in which equal and other keys come out; the keys are a linear congruential generator's.
    fn order_hash(algorithm: Algorithm, len: usize, kinds: u64) -> i64 {
        let mut seed = 42u64;
        let mut items: Vec<(u64, i64)> = (0..len as i64)
            .map(|at| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((seed >> 33) % kinds, at)
            })
            .collect();
        algorithm.sort(&mut items, &|a, b| a.0.cmp(&b.0));
        items.iter().fold(7i64, |hash, item| hash.wrapping_mul(31).wrapping_add(item.1))
    }

    /// What Hadoop's own classes gave for the same keys.
    #[test]
    fn equal_keys_keep_hadoops_order() {
        for (algorithm, len, kinds, expected) in [
            (Algorithm::Quick, 13, 1, 4_929_258_025_726_494_751),
            (Algorithm::Quick, 40, 3, 1_976_779_712_800_769_075),
            (Algorithm::Quick, 200, 7, -6_698_457_349_502_923_847),
            (Algorithm::Quick, 1000, 5, 5_887_382_432_568_893_733),
            (Algorithm::Quick, 1000, 1000, 6_194_725_555_521_718_849),
            (Algorithm::Heap, 13, 1, 5_743_176_235_641_329_491),
            (Algorithm::Heap, 40, 3, -5_587_273_524_034_906_937),
            (Algorithm::Heap, 200, 7, 835_825_201_223_880_063),
            (Algorithm::Heap, 1000, 5, 7_714_782_834_040_091_081),
            (Algorithm::Heap, 1000, 1000, 2_400_855_912_092_036_795),
        ] {
            assert_eq!(order_hash(algorithm, len, kinds), expected, "{algorithm:?} {len} {kinds}");
        }
    }
}
