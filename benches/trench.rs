//! Seconds of computing for a simulated second: the granular bed of an excavator.
//!
//! The example of [W], section 5: 10^5 spheres of 25 to 100 mm, sizes spread evenly, 2500 kg/m^3, in a trench 2 m deep. A step of
//! 2.5 ms has 25 sweeps. The paper reports about 100 s per simulated second (Xeon X5690, 3.46 GHz, with the
//! machine and its bucket). Friction 0.91 and rolling friction 0.32 are the paper's; twisting friction, 0.1, is added: six
//! rows for each contact, each contact solved exactly.
//!
//! ```text
//! cargo bench --bench trench [-- 20]
//! ```
//!
//! 5000 spheres settle for 2 s in a shaft 0.84 m wide with smooth walls. The trench is 20 mirror images of it (or as many as the argument says,
//! rounded to a rectangle). It is measured at rest, and while a blade of 0.8 m by 0.8 m moves through it at 0.5 m/s. Processor
//! time of one thread, pinned to one processor: medians over the steps, times 400 steps.

#[path = "support/mod.rs"]
mod support;

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::shape::Shape;
use drystone::world::Settings;

use crate::support::bed::{Bed, Grain, Grains, Measured, Recipe};
use crate::support::clock::pin;

const STEP: f64 = 2.5e-3;
const SWEEPS: u32 = 25;
/// Spheres of a shaft, and its width [m].
const SHAFT: usize = 5000;
const WIDTH: f64 = 0.84;
/// Columns of spheres at the start: this number squared.
const ROW: usize = 8;
/// Steps of settling: 2 s.
const SETTLE: usize = 800;
/// Steps after the images are put together, and while the blade gets going.
const ADJUST: usize = 40;
/// Steps that are measured.
const STEPS: usize = 40;
/// Half extents of the blade [m], and its speed along x [m/s].
const BLADE: [f64; 3] = [0.05, 0.4, 0.4];
const SPEED: f64 = 0.5;

fn main() -> Result<()> {
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse::<usize>().ok());
    pin();
    let recipe = Recipe {
        settings: Settings { iterations: SWEEPS, contact_margin: 1e-3, ..Settings::default() },
        material: Material {
            friction: 0.91,
            rolling_friction: 0.32,
            twisting_friction: 0.1,
            density: 2500.0,
            ..Material::default()
        },
        step: STEP,
        slick: true,
    };
    eprintln!("settling {SHAFT} spheres ...");
    let mut shaft = Bed::new(&recipe, &shaft())?;
    shaft.run(SETTLE)?;
    let images = asked.unwrap_or(20).max(1);
    let rows = (1..=images.isqrt()).rev().find(|rows| images.is_multiple_of(*rows)).unwrap_or(1);
    let grains = shaft.grains()?.mirrored(images / rows, rows);
    println!("{} spheres, {SWEEPS} sweeps, step {} ms, one thread", grains.grains.len(), 1e3 * STEP);
    println!(
        "            contacts   ms per step: median (least .. most)   s per simulated s   detect assemble solve integrate, ms"
    );
    let mut bed = Bed::new(&recipe, &grains)?;
    bed.run(ADJUST)?;
    print("at rest", &bed.measure(STEPS)?);
    let mut bed = with_blade(&recipe, &bed.grains()?)?;
    bed.run(ADJUST)?;
    print("with blade", &bed.measure(STEPS)?);
    Ok(())
}

/// The start of a shaft: columns of spheres one above the other, whose sizes, in steps of 1 mm, follow one another at random.
fn shaft() -> Grains {
    let mut state: u64 = 7;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let pitch = WIDTH / ROW as f64;
    let place = |index: usize| (index as f64 + 0.5) * pitch - 0.5 * WIDTH;
    let mut tops = [0.0; ROW * ROW];
    let grains = (0..SHAFT).map(|index| {
        let radius = 0.5e-3 * (25.0 + (76.0 * random()).floor());
        // as far from the middle of the column as there is room, so that columns do not stay columns
        let room = 0.5 * pitch - radius;
        let [x, y] = [0; 2].map(|_: i32| (2.0 * random() - 1.0) * room);
        let column = index % (ROW * ROW);
        let height = tops[column] + radius;
        tops[column] = height + radius;
        Grain { center: [place(column % ROW) + x, place(column / ROW) + y, height], radius }
    });
    Grains { grains: grains.collect(), half_width: [0.5 * WIDTH; 2] }
}

/// The bed again, with a kinematic blade in place of the spheres that were there.
fn with_blade(recipe: &Recipe, from: &Grains) -> Result<Bed> {
    let position = [-0.5 * from.half_width[0], 0.0, 1.6];
    let clear =
        |grain: &Grain| (0..3).any(|axis| (grain.center[axis] - position[axis]).abs() > BLADE[axis] + grain.radius);
    let grains = from.grains.iter().copied().filter(clear).collect();
    let mut bed = Bed::new(recipe, &Grains { grains, ..*from })?;
    let shape = bed.world.add_shape(Shape::cuboid(BLADE)?)?;
    let linear_velocity = [SPEED, 0.0, 0.0];
    let blade = Definition { kind: Kind::Kinematic, shape, position, linear_velocity, ..Definition::default() };
    bed.world.add_body(&blade)?;
    Ok(bed)
}

fn print(name: &str, measured: &Measured) {
    let ms = |seconds: f64| 1e3 * seconds;
    println!(
        "{name:10} {:9.0}   {:9.2} ({:9.2} .. {:9.2})         {:9.1}       {:8.2} {:8.2} {:8.2} {:8.2}",
        measured.contacts,
        ms(measured.step.median()),
        ms(measured.step.min()),
        ms(measured.step.max()),
        measured.step.median() / STEP,
        ms(measured.detect.median()),
        ms(measured.assemble.median()),
        ms(measured.solve.median()),
        ms(measured.integrate.median()),
    );
    println!(
        "           overlap at most {:.2e} m, kinetic energy {:.1e} J per sphere, residual at most {:.1e} m/s, mean {:.1e} m/s",
        measured.report.max_overlap,
        measured.report.kinetic_energy / f64::from(measured.report.bodies),
        measured.report.residual_max,
        measured.report.residual_mean,
    );
}
