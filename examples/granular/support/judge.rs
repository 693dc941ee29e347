//! What must hold of the results of an experiment, and the numbers that it is judged by.

/// One thing that must hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judgement {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Judgement {
    /// Whether the value lies in its bounds. No number never does.
    pub(crate) fn holds(&self) -> bool {
        self.value >= self.low && self.value <= self.high
    }
}

/// All that must hold of an experiment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judge {
    pub(crate) all: Vec<Judgement>,
}

impl Judge {
    /// Judges a value by its bounds.
    pub(crate) fn within(&mut self, name: impl Into<String>, value: f64, low: f64, high: f64) {
        self.all.push(Judgement { name: name.into(), value, low, high });
    }

    pub(crate) fn at_most(&mut self, name: impl Into<String>, value: f64, high: f64) {
        self.within(name, value, f64::NEG_INFINITY, high);
    }

    pub(crate) fn at_least(&mut self, name: impl Into<String>, value: f64, low: f64) {
        self.within(name, value, low, f64::INFINITY);
    }

    pub(crate) fn all_hold(&self) -> bool {
        self.all.iter().all(Judgement::holds)
    }

    /// Prints a line of JSON on the standard output, and one line for each judgement on the standard error output.
    pub(crate) fn report(&self, experiment: &str, size: &str) {
        let number = |value: f64| value.is_finite().then_some(value);
        let judged: Vec<_> = self
            .all
            .iter()
            .map(|one| {
                let Judgement { name, value, low, high } = one;
                let (value, low, high) = (number(*value), number(*low), number(*high));
                serde_json::json!({"name": name, "value": value, "low": low, "high": high, "pass": one.holds()})
            })
            .collect();
        println!("{}", serde_json::json!({"experiment": experiment, "size": size, "judged": judged}));
        for one in &self.all {
            let Judgement { name, value, low, high } = one;
            let verdict = if one.holds() { "pass" } else { "FAIL" };
            let shown =
                if value.abs() < 1e-3 && *value != 0.0 { format!("{value:.2e}") } else { format!("{value:.6}") };
            eprintln!("{verdict}  {name}: {shown}, expected {}", bounds(*low, *high));
        }
    }
}

fn bounds(low: f64, high: f64) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{low} to {high}"),
        (true, false) => format!("at least {low}"),
        _ => format!("at most {high:e}"),
    }
}

/// Returns the sweeps from which on the error is at most `tolerance`: between two points by a straight line in logarithms. `points` are
/// sweeps and errors, sorted by sweeps; an error that is no number counts as infinite. `None`: the last point misses the tolerance, or the
/// first meets it, so that the answer lies outside.
pub(crate) fn sweeps_for(points: &[(f64, f64)], tolerance: f64) -> Option<f64> {
    let meets = |error: f64| error.abs() <= tolerance;
    let last_miss = points.iter().rposition(|point| !meets(point.1))?;
    let (miss, hit) = (points[last_miss], *points.get(last_miss + 1)?);
    // A start that is thrown about has no error to interpolate, and one without error no logarithm.
    let (above, below) = (miss.1.abs(), hit.1.abs().max(1e-3 * tolerance));
    if !above.is_finite() {
        return Some(hit.0);
    }
    let share = (above / tolerance).ln() / (above / below).ln();
    Some(miss.0 * (hit.0 / miss.0).powf(share))
}

/// Returns the exponent of the power law that fits points best in logarithms; `None` with fewer than two.
pub(crate) fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (x, y) = logarithms.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (x, y) = (x / count, y / count);
    let spread: f64 = logarithms.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    let common: f64 = logarithms.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (spread > 0.0).then(|| common / spread)
}

/// Returns the geometric mean; NaN of nothing.
pub(crate) fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
