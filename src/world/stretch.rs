//! How impulses that were remembered of a step are scaled to one of another length.

/// Impulses are remembered for a step up to so many times as long [-]. They contain the round-off of the velocities, [`f64::EPSILON`] of
/// these. Scaled by more than its inverse, that round-off alone would be as large as the velocities.
const LARGEST_STRETCH: f64 = 1.0 / f64::EPSILON;

/// Returns the factor on the impulses of a step of the length `before` from which one of the `length` starts [-]: their ratio. It is 0,
/// so that nothing is remembered, before the first step (`before` is 0), and where the step is so much longer that only round-off would be.
pub(in crate::world) fn stretch(length: f64, before: f64) -> f64 {
    if before > 0.0 && length <= LARGEST_STRETCH * before { length / before } else { 0.0 }
}
