//! How much output the maps of a job will have, judged by those that are done (Hadoop 1.2.1: ResourceEstimator).

/// Sums over finished maps.
#[derive(Debug, Default)]
pub(crate) struct ResourceEstimator {
    input: i64,
    output: i64,
    updates: i32,
    threshold: i32,
}

impl ResourceEstimator {
    /// An estimator that speaks once a tenth of the maps, or enough for reduces to start, are done.
    pub(crate) fn new(maps: i32, slow_start_maps: i32) -> Self {
        ResourceEstimator { threshold: (maps / 10).min(slow_start_maps), ..Self::default() }
    }

    /// Takes a finished map; an output of -1 is unknown and not counted.
    pub(crate) fn map_done(&mut self, input_bytes: i64, output_bytes: i64) {
        if output_bytes != -1 {
            self.updates += 1;
            self.input = self.input.saturating_add(input_bytes.saturating_add(1));
            self.output = self.output.saturating_add(output_bytes);
        }
    }

    /// Twice the estimated output of all maps, which is the room it takes; 0 while unknown.
    fn total(&self, job_input: i64, maps: i32) -> i64 {
        if self.updates < self.threshold {
            return 0;
        }
        // One byte more per map, so that maps without input do not blow it up.
        let input = job_input.saturating_add(i64::from(maps)) as f64;
        // Before the first map this is not a number, which becomes 0.
        (input * self.output as f64 * 2.0 / self.input as f64).round() as i64
    }

    /// Room for the output of one map.
    pub(crate) fn map_output(&self, job_input: i64, maps: i32) -> i64 {
        if maps > 0 { self.total(job_input, maps) / i64::from(maps) } else { 0 }
    }

    /// Bytes that one reduce will read.
    pub(crate) fn reduce_input(&self, job_input: i64, maps: i32, reduces: i32) -> i64 {
        // Room is twice the input.
        if reduces > 0 { self.total(job_input, maps) / i64::from(reduces) / 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_by_the_ratio_of_finished_maps() {
        let mut estimator = ResourceEstimator::new(100, 5);
        for _ in 0..4 {
            estimator.map_done(99, 50);
        }
        assert_eq!(estimator.map_output(9900, 100), 0);
        estimator.map_done(99, -1);
        assert_eq!(estimator.map_output(9900, 100), 0);
        estimator.map_done(99, 50);
        // 100 maps of 99 + 1 bytes with half as much output: 5000 bytes in all, twice that as room.
        assert_eq!(estimator.map_output(9900, 100), 100);
        assert_eq!(estimator.reduce_input(9900, 100, 10), 500);
    }

    #[test]
    fn knows_nothing_before_the_first_map() {
        assert_eq!(ResourceEstimator::new(3, 1).map_output(10, 3), 0);
        assert_eq!(ResourceEstimator::new(3, 1).reduce_input(10, 3, 0), 0);
    }
}
