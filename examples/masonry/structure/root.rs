//! Roots of functions of one variable.

use super::super::support::Failure;

/// Returns where a function that changes its sign between two places is 0, to `tolerance`, by the method of Ridders.
///
/// # Errors
///
/// Those of the function, or its signs at both places agree.
pub(crate) fn root(
    [mut low, mut high]: [f64; 2],
    tolerance: f64,
    mut function: impl FnMut(f64) -> Result<f64, Failure>,
) -> Result<f64, Failure> {
    let (mut at_low, mut at_high) = (function(low)?, function(high)?);
    if at_low.signum() == at_high.signum() {
        return Err(format!("no change of sign: {at_low} at {low}, {at_high} at {high}").into());
    }
    let mut last = f64::INFINITY;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let at_middle = function(middle)?;
        let scale = (at_middle * at_middle - at_low * at_high).sqrt();
        // Infinite values have a sign alone.
        let next = if scale.is_finite() && scale > 0.0 {
            middle + (middle - low) * (at_low - at_high).signum() * at_middle / scale
        } else {
            middle
        };
        let at_next = if next == middle { at_middle } else { function(next)? };
        if at_next == 0.0 || (next - last).abs() <= tolerance || high - low <= tolerance {
            return Ok(next);
        }
        last = next;
        let mut inside = [(middle, at_middle), (next, at_next)];
        inside.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (place, value) in inside {
            if value.signum() == at_low.signum() && place > low {
                (low, at_low) = (place, value);
            } else if value.signum() == at_high.signum() && place < high {
                (high, at_high) = (place, value);
                break;
            }
        }
    }
    Err(format!("no root between {low} and {high} to {tolerance}").into())
}
