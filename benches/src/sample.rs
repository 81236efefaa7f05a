//! A few measurements of one thing.

use std::time::Duration;

/// Measurements in seconds, or in any one unit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    pub(crate) fn add(&mut self, value: f64) {
        self.0.push(value);
    }

    pub(crate) fn add_time(&mut self, time: Duration) {
        self.add(time.as_secs_f64());
    }

    fn sorted(&self) -> Vec<f64> {
        let mut values = self.0.clone();
        values.sort_by(f64::total_cmp);
        values
    }

    /// The middle one; of an even number, the mean of the two in the middle.
    pub(crate) fn median(&self) -> f64 {
        let values = self.sorted();
        match values.len() {
            0 => f64::NAN,
            n if n % 2 == 1 => values[n / 2],
            n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
        }
    }

    /// `median (least–greatest)`.
    pub(crate) fn show(&self, unit: &str) -> String {
        let values = self.sorted();
        match (values.first(), values.last()) {
            (Some(least), Some(greatest)) => format!("{:.2} {unit} ({least:.2}–{greatest:.2})", self.median()),
            _ => "–".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn the_median_is_in_the_middle() {
        let mut sample = Sample::default();
        for value in [3.0, 1.0, 10.0] {
            sample.add(value);
        }
        assert_eq!(sample.median(), 3.0);
        assert_eq!(sample.show("s"), "3.00 s (1.00–10.00)");
        sample.add(5.0);
        assert_eq!(sample.median(), 4.0);
    }
}
