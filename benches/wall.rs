//! Time of a step of a wall of 210 boxes, and how it stands.
//!
//! The scene is `pyramid 20` of the peer harness: unit boxes of 1000 kg, 0.1 m apart, 20 in the lowest course and one less in each
//! above. Friction is 0.5, the step 1/240 s. It settles for 5 s and is measured for 5 s.
//!
//! ```text
//! cargo bench --bench wall
//! ```
//!
//! Processor time of one thread, pinned to one processor. *Drift*: how far a box is from where it was put, sideways.

#[path = "support/mod.rs"]
mod support;

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{Settings, World};

use crate::support::clock::{pin, processor_time};
use crate::support::sample::Sample;

const COURSES: usize = 20;
const STEP: f64 = 1.0 / 240.0;
/// Steps of settling, and as many measured.
const STEPS: usize = 1200;

fn main() -> Result<()> {
    pin();
    println!(
        "sweeps  contacts   ms per step                 stages, ms                          largest   largest   J per"
    );
    println!(
        "                   median   least    95 %      detect assemble solve integrate     drift     overlap   box"
    );
    for sweeps in [10, 50] {
        measure(sweeps)?;
    }
    Ok(())
}

fn measure(sweeps: u32) -> Result<()> {
    let settings = Settings { iterations: sweeps, contact_margin: 0.02, ..Settings::default() };
    let mut world = World::new(settings, [0.0, 0.0, -9.81])?;
    let placed = build(&mut world)?;
    let step = |world: &mut World| world.step(STEP).map_err(|failure| failure.error);
    for _ in 0..STEPS {
        step(&mut world)?;
    }
    let mut seconds = Sample::default();
    let mut stages = [(); 4].map(|()| Sample::default());
    let mut last = None;
    for _ in 0..STEPS {
        let begin = processor_time();
        let report = step(&mut world)?;
        seconds.add(processor_time() - begin);
        let parts = [report.seconds_detect, report.seconds_assemble, report.seconds_solve, report.seconds_integrate];
        stages.iter_mut().zip(parts).for_each(|(stage, part)| stage.add(part));
        last = Some(report);
    }
    let mut drift = 0.0_f64;
    for (handle, from) in &placed {
        let to = world.body_state(*handle)?.position;
        drift = drift.max((to[0] - from[0]).hypot(to[1] - from[1]));
    }
    let report = last.unwrap_or_default();
    let [detect, assemble, solve, integrate] = stages.map(|stage| 1e3 * stage.median());
    println!(
        "{sweeps:6} {:9}   {:7.3} {:7.3} {:7.3}      {detect:6.3} {assemble:6.3} {solve:8.3} {integrate:7.3}     {drift:.1e} m {:.1e} m {:.0e}",
        report.contacts,
        1e3 * seconds.median(),
        1e3 * seconds.min(),
        1e3 * seconds.at(0.95),
        report.max_overlap,
        report.kinetic_energy / placed.len() as f64,
    );
    Ok(())
}

/// The floor and the boxes, with their places.
fn build(world: &mut World) -> Result<Vec<(Handle, [f64; 3])>> {
    let material = world.add_material(Material { friction: 0.5, density: 1000.0, ..Material::default() })?;
    let floor = world.add_shape(Shape::cuboid([COURSES as f64 + 10.0, 20.0, 1.0])?)?;
    let position = [0.0, 0.0, -1.0];
    let floor = Definition { kind: Kind::Static, shape: floor, material, position, ..Definition::default() };
    world.add_body(&floor)?;
    let shape = world.add_shape(Shape::cuboid([0.5; 3])?)?;
    let mut placed = Vec::new();
    for course in 0..COURSES {
        for number in 0..COURSES - course {
            let along = number as f64 - 0.5 * (COURSES - course - 1) as f64;
            let position = [1.1 * along, 0.0, 0.5 + course as f64];
            let definition = Definition { shape, material, position, ..Definition::default() };
            placed.push((world.add_body(&definition)?, position));
        }
    }
    Ok(placed)
}
