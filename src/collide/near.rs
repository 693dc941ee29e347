//! From neighbours to the pairs that are near enough to touch now.

use crate::collide::ball::Ball;
use crate::collide::part::Part;

/// Of a part of the neighbours, the pairs whose balls are within `margin` [m] of each other, in the same order. They are written
/// to the beginning of `out`, which has room for all; answers how many.
pub fn near(balls: &[Ball], part: &Part, margin: f64, out: &mut [(u32, u32)]) -> usize {
    let mut count = 0;
    for (slot, bounds) in (part.first..).zip(part.starts.windows(2)) {
        let ball = balls[slot];
        for partner in &part.partners[bounds[0] as usize..bounds[1] as usize] {
            let other = &balls[*partner as usize];
            // Written in any case, and kept or written over: a pair in three is dropped, which no processor foresees.
            out[count] = (slot as u32, *partner);
            count += usize::from(ball.reaches(other, margin));
        }
    }
    count
}
