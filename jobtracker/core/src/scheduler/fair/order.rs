//! The order in which the jobs of a fair pool are asked (Hadoop 1.2.1: SchedulingAlgorithms.FairShareComparator, and
//! what Java's sort makes of it).

use std::cmp::Ordering;

use types::{JobId, Millis};

use super::job::JobKey;

/// Java's sort merges lists that are not shorter than this.
const MERGED_FROM: usize = 32;

/// A job among others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// What it has by weight.
    pub(super) ratio: f64,
    pub(super) start_time: Millis,
    pub(super) id: &'a JobId,
    pub(super) key: JobKey,
}

impl Place<'_> {
    /// A ratio that is no number ties with every other.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_ratio = self.ratio.partial_cmp(&other.ratio).unwrap_or(Ordering::Equal);
        by_ratio.then_with(|| (self.start_time, self.id).cmp(&(other.start_time, other.id)))
    }
}

/// Sorts jobs that stand in the order of the last choice. Quirk: where a ratio is no number the comparison contradicts
/// itself, and the outcome is what Java's sort of short lists comes to: a job that weighs nothing keeps others from
/// passing it. Long lists, on which Java's may give up, have such jobs last.
pub(super) fn sort_by_fairness(places: &mut [Place<'_>]) {
    if places.iter().all(|place| !place.ratio.is_nan()) {
        places.sort_by(Place::cmp);
    } else if places.len() < MERGED_FROM {
        sort_as_java(places);
    } else {
        for place in places.iter_mut().filter(|place| place.ratio.is_nan()) {
            place.ratio = f64::INFINITY;
        }
        places.sort_by(Place::cmp);
    }
}

/// Binary insertion after the run that the list begins with.
fn sort_as_java(places: &mut [Place<'_>]) {
    let run = make_run_ascending(places);
    for at in run..places.len() {
        let (mut left, mut right) = (0, at);
        while left < right {
            let middle = (left + right) / 2;
            if places[at].cmp(&places[middle]) == Ordering::Less {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
        places[left..=at].rotate_right(1);
    }
}

/// The length of the run at the beginning; one that falls is turned round.
fn make_run_ascending(places: &mut [Place<'_>]) -> usize {
    if places.len() < 2 {
        return places.len();
    }
    let falls = |a: &Place<'_>, b: &Place<'_>| b.cmp(a) == Ordering::Less;
    let falling = falls(&places[0], &places[1]);
    let mut run = 2;
    while run < places.len() && falls(&places[run - 1], &places[run]) == falling {
        run += 1;
    }
    if falling {
        places[..run].reverse();
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratios of jobs by age, and their order after the sort.
    fn check(ratios: &[f64], expected: &[usize]) {
        let ids: Vec<JobId> = (0..ratios.len()).map(|number| JobId::new("x", number as i32)).collect();
        let place = |(key, id)| Place { ratio: ratios[key], start_time: 5, id, key };
        let mut places: Vec<Place<'_>> = ids.iter().enumerate().map(place).collect();
        sort_by_fairness(&mut places);
        assert_eq!(places.iter().map(|place| place.key).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn who_has_least_by_weight_comes_first() {
        check(&[2.0, 1.0, 1.0, f64::INFINITY, 0.0], &[4, 1, 2, 0, 3]);
    }

    #[test]
    fn a_job_without_weight_keeps_others_from_passing() {
        // As Java 17's own sort has it.
        const NAN: f64 = f64::NAN;
        check(&[5.0, NAN, 1.0], &[0, 1, 2]);
        check(&[5.0, 1.0, NAN, 0.0], &[3, 1, 0, 2]);
        check(&[3.0, 2.0, NAN, 1.0, 0.0, NAN, 0.5, 4.0], &[4, 6, 3, 1, 0, 2, 5, 7]);
        check(&[1.0, NAN, 0.0, 2.0, NAN, 1.0, 0.0], &[0, 1, 2, 6, 3, 4, 5]);
        let mut long = vec![f64::NAN; 40];
        long[39] = 0.0;
        let expected: Vec<usize> = std::iter::once(39).chain(0..39).collect();
        check(&long, &expected);
    }
}
