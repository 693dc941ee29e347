//! Fillings of boxes: columns of grains of many sizes, from which a bed settles.

use super::bed::{Grain, Grains};
use super::random::Random;

/// What a box is filled with, and how the filling is grown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    /// Grains of the part that settles, and its width [m].
    pub(crate) count: usize,
    pub(crate) widths: [f64; 2],
    /// Least and largest diameter, uniform in number in steps of 1 mm [mm].
    pub(crate) diameters: [u32; 2],
    /// Mirror images of the part along x and y.
    pub(crate) images: [usize; 2],
}

/// Returns columns of grains one above the other, of sizes at random.
pub(crate) fn columns(fill: &Fill) -> Grains {
    let mut random = Random::new(7);
    let [least, most] = fill.diameters;
    let pitch = 1e-3 * f64::from(most) * 1.02;
    let rows = fill.widths.map(|width| (width / pitch).floor().max(1.0) as usize);
    let pitches = [0, 1].map(|axis: usize| fill.widths[axis] / rows[axis] as f64);
    let mut tops = vec![0.0; rows[0] * rows[1]];
    let grains = (0..fill.count).map(|index| {
        let radius = 0.5e-3 * random.between(f64::from(least), f64::from(most) + 1.0).floor();
        let column = index % tops.len();
        let numbers = [column % rows[0], column / rows[0]];
        let [x, y] = [0, 1].map(|axis: usize| {
            // As far from the middle of the column as there is room, so that columns do not stay columns.
            let room = 0.5 * pitches[axis] - radius;
            (numbers[axis] as f64 + 0.5) * pitches[axis] - 0.5 * fill.widths[axis] + random.between(-room, room)
        });
        let height = tops[column] + radius;
        tops[column] = height + radius;
        Grain { center: [x, y, height], radius }
    });
    Grains { grains: grains.collect(), half_width: fill.widths.map(|width| 0.5 * width) }
}

/// Returns the height of a bed [m]: twice that of the middle of its volume above its floor.
pub(crate) fn height(grains: &[Grain]) -> f64 {
    let (volume, moment) = grains.iter().fold((0.0, 0.0), |(volume, moment), grain| {
        let cube = grain.radius * grain.radius * grain.radius;
        (volume + cube, moment + cube * grain.center[2])
    });
    2.0 * moment / volume
}
