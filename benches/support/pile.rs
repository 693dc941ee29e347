//! The scene `pile` of the peer harness (`benches/peers`), with the same numbers. Spheres of 0.1 m and 2000 kg/m^3 on a
//! jittered lattice fall into an open box of five static ones. Friction is 0.5, the step 1/240 s.

use drystone::contact::material::Material;
use drystone::world::Settings;

use super::bed::{Grain, Grains, Recipe};

pub(crate) const DIAMETER: f64 = 0.1;
pub(crate) const RADIUS: f64 = 0.5 * DIAMETER;
pub(crate) const STEP: f64 = 1.0 / 240.0;
/// A fiftieth of a sphere: wide enough to see a falling sphere coming, too narrow to add many contacts.
pub(crate) const CONTACT_MARGIN: f64 = 0.02 * DIAMETER;
/// Steps of settling: 3 s.
pub(crate) const SETTLE: usize = 720;
/// Steps after a change of neighbours: what leant on a wall slides down its mirror image.
pub(crate) const REST: usize = 240;

/// Material, settings and step of the pile.
pub(crate) fn recipe(sweeps: u32) -> Recipe {
    Recipe {
        settings: Settings { iterations: sweeps, contact_margin: CONTACT_MARGIN, ..Settings::default() },
        material: Material { friction: 0.5, density: 2000.0, ..Material::default() },
        step: STEP,
        slick: false,
    }
}

/// The start of the harness: a lattice of `count` spheres, `side` diameters wide, jittered by its own generator.
pub(crate) fn lattice(count: usize, side: usize) -> Grains {
    let mut state: u64 = 12345;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let width = side as f64 * DIAMETER;
    let columns = (side as f64 / 1.1) as usize;
    let spacing = width / columns as f64;
    let place = |index: usize| -0.5 * width + (index as f64 + 0.5) * spacing;
    let mut grains = Vec::with_capacity(count);
    for index in 0..count {
        let (i, j, k) = (index % columns, index / columns % columns, index / (columns * columns));
        let [x, y, z] = [0; 3].map(|_: i32| (random() - 0.5) * 0.08 * DIAMETER);
        let height = RADIUS + 0.06 * DIAMETER + k as f64 * 1.1 * DIAMETER;
        grains.push(Grain { center: [place(i) + x, place(j) + y, height + z], radius: RADIUS });
    }
    Grains { grains, half_width: [0.5 * width; 2] }
}
