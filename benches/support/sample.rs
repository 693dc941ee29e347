//! Measured times, and what is said of them.

/// Values in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    /// Of values in any order.
    pub(crate) fn new(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Self(values)
    }

    /// One more value.
    pub(crate) fn add(&mut self, value: f64) {
        let place = self.0.partition_point(|other| other.total_cmp(&value).is_lt());
        self.0.insert(place, value);
    }

    /// How many.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The value below which the part `quantile` of all lies; no number if there is none.
    pub(crate) fn at(&self, quantile: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((last as f64 * quantile).round() as usize).copied().unwrap_or(f64::NAN)
    }

    /// The middle one, or the mean of the two.
    pub(crate) fn median(&self) -> f64 {
        let count = self.0.len();
        if count % 2 == 1 {
            return self.0[count / 2];
        }
        match count {
            0 => f64::NAN,
            _ => 0.5 * (self.0[count / 2 - 1] + self.0[count / 2]),
        }
    }

    /// The smallest one.
    pub(crate) fn min(&self) -> f64 {
        self.at(0.0)
    }

    /// The largest one.
    pub(crate) fn max(&self) -> f64 {
        self.at(1.0)
    }
}
