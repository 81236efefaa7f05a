//! How slots are shared by weight where each one's demand is a ceiling and its minimum a floor
//! (Hadoop 1.2.1: SchedulingAlgorithms.computeFairShares).

/// Halvings of the search.
const HALVINGS: u32 = 25;
/// Doublings that look for its upper end; more only meet weights that are next to nothing.
const DOUBLINGS_MAX: u32 = 128;

/// One that wants a share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Claim {
    pub(super) demand: i32,
    pub(super) min_share: i32,
    pub(super) weight: f64,
}

impl Claim {
    fn share(&self, ratio: f64) -> f64 {
        (self.weight * ratio).max(f64::from(self.min_share)).min(f64::from(self.demand))
    }
}

/// The share of each claim: a ratio of slots to weight is found at which the shares use up the slots, or all demand.
pub(super) fn fair_shares(claims: &[Claim], slots: f64) -> Vec<f64> {
    let used = |ratio: f64| claims.iter().map(|claim| claim.share(ratio)).sum::<f64>();
    let cap = claims.iter().map(|claim| f64::from(claim.demand)).sum::<f64>().min(slots);
    let mut right = 1.0;
    for _ in 0..DOUBLINGS_MAX {
        if used(right) >= cap {
            break;
        }
        right *= 2.0;
    }
    let mut left = 0.0;
    for _ in 0..HALVINGS {
        let middle = (left + right) / 2.0;
        if used(middle) < cap {
            left = middle;
        } else {
            right = middle;
        }
    }
    claims.iter().map(|claim| claim.share(right)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(claims: &[(i32, i32, f64)], slots: f64, expected: &[f64]) {
        let claims = claims.iter().map(|(demand, min_share, weight)| Claim {
            demand: *demand,
            min_share: *min_share,
            weight: *weight,
        });
        let shares = fair_shares(&claims.collect::<Vec<_>>(), slots);
        assert_eq!(shares.len(), expected.len());
        for (share, expected) in shares.iter().zip(expected) {
            assert!((share - expected).abs() < 1e-4, "{shares:?}, not {expected}");
        }
    }

    #[test]
    fn shares_follow_weights_between_minimum_and_demand() {
        check(&[(100, 0, 1.0), (100, 0, 3.0)], 40.0, &[10.0, 30.0]);
        check(&[(5, 0, 1.0), (100, 0, 1.0)], 40.0, &[5.0, 35.0]);
        check(&[(100, 20, 1.0), (100, 0, 1.0), (100, 0, 1.0)], 40.0, &[20.0, 10.0, 10.0]);
        check(&[(3, 20, 1.0), (100, 0, 1.0)], 40.0, &[3.0, 37.0]);
        check(&[(10, 0, 1.0), (10, 0, 1.0)], 40.0, &[10.0, 10.0]);
        check(&[], 40.0, &[]);
    }

    #[test]
    fn minimums_above_the_cluster_are_kept() {
        check(&[(9, 5, 1.0), (9, 3, 1.0)], 4.0, &[5.0, 3.0]);
    }

    /// Hadoop's search never ends here.
    #[test]
    fn a_weight_of_nothing_gets_what_it_must_have_and_no_more() {
        check(&[(10, 0, 0.0), (4, 0, 1.0)], 40.0, &[0.0, 4.0]);
        check(&[(10, 2, 0.0)], 40.0, &[2.0]);
    }
}
