//! Time of a step of a settled pile of spheres, and what it is spent on.
//!
//! The scene is `pile` of the peer harness (`support/pile.rs`). The pile of 1000 settles for 3 s at the sweeps it is
//! measured with, that of 5000 at 10 sweeps. That of 20 000 is four of 5000, side by side as if mirrored at two walls, as
//! the harness does it, and settles for another second.
//!
//! ```text
//! cargo bench --bench pile [-- 1000 5000 20000 stick]
//! ```
//!
//! Without arguments all but `stick`: what the stick projection costs, as a share of the step, in a settled pile of 5000
//! and in the pyramid of 2870.
//!
//! Times of a step are processor times of one thread, pinned to one processor: medians over the measured steps, with the
//! fastest step and the 95th percentile. Stages are the step's own, by the time of day: medians. *A sweep more* is the cost
//! of 40 further sweeps, without the rest. Detection and assembly are compared with ten of them.

#[path = "support/mod.rs"]
mod support;

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::shape::Shape;
use drystone::world::settings::Projection;
use drystone::world::{Settings, World};

use crate::support::bed::{Bed, Measured};
use crate::support::clock::pin;
use crate::support::pile::{CONTACT_MARGIN, DIAMETER, RADIUS, REST, SETTLE, STEP, lattice, recipe};
use crate::support::sample::Sample;

/// Steps after a change of sweeps, before measuring.
const ADJUST: usize = 60;
const SWEEPS: [u32; 2] = [10, 50];

/// Compared quantities are measured alternately, so many times: a shared machine is fast and slow by the second.
const ROUNDS: usize = 3;

/// One line of the table.
struct Row {
    sweeps: u32,
    measured: Measured,
}

impl Row {
    fn new(sweeps: u32) -> Self {
        Self { sweeps, measured: Measured::default() }
    }
}

fn main() -> Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|one| one == name);
    pin();
    println!("contact margin {} mm, step {:.3} ms, one thread", 1e3 * CONTACT_MARGIN, 1e3 * STEP);
    println!("spheres sweeps contacts    ms per step            ns per contact   stages, ms                      ");
    println!("                           median   least  95 %      and sweep     detect assemble solve integrate");
    if wanted("1000") {
        small()?;
    }
    if wanted("5000") || wanted("20000") {
        eprintln!("settling a bed of 5000 ...");
        let mut bed = Bed::new(&recipe(SWEEPS[0]), &lattice(5000, 20))?;
        bed.run(SETTLE)?;
        let settled = bed.grains()?;
        if wanted("5000") {
            large(&mut bed, 60)?;
        }
        if wanted("20000") {
            let mut four = Bed::new(&recipe(SWEEPS[0]), &settled.mirrored(2, 2))?;
            four.run(REST)?;
            large(&mut four, 30)?;
        }
    }
    if asked.iter().any(|one| one == "stick") {
        projected()?;
    }
    Ok(())
}

/// 1000 spheres, settled at the sweeps they are measured with, some steps of one and some of the other, alternately.
fn small() -> Result<()> {
    let mut piles = Vec::new();
    for sweeps in SWEEPS {
        let mut pile = Bed::new(&recipe(sweeps), &lattice(1000, 10))?;
        pile.run(SETTLE)?;
        piles.push(pile);
    }
    let mut rows = SWEEPS.map(Row::new);
    for _ in 0..2 * ROUNDS {
        for (row, pile) in rows.iter_mut().zip(&mut piles) {
            pile.measure_more(60, &mut row.measured)?;
        }
    }
    print_rows(1000, &rows);
    Ok(())
}

/// A settled bed, `steps` of it at each number of sweeps, repeated alternately.
fn large(pile: &mut Bed, steps: usize) -> Result<()> {
    let mut rows = SWEEPS.map(Row::new);
    for _ in 0..ROUNDS {
        for row in &mut rows {
            pile.set_sweeps(row.sweeps)?;
            pile.run(ADJUST)?;
            pile.measure_more(steps, &mut row.measured)?;
        }
    }
    print_rows(pile.spheres.len(), &rows);
    Ok(())
}

fn print_rows(spheres: usize, rows: &[Row]) {
    let ms = |sample: &Sample| 1e3 * sample.median();
    for Row { sweeps, measured } in rows {
        println!(
            "{spheres:7} {sweeps:6} {:8.0}  {:7.3} {:7.3} {:7.3}   {:10.1}     {:8.3} {:8.3} {:6.3} {:6.3}",
            measured.contacts,
            ms(&measured.step),
            1e3 * measured.step.min(),
            1e3 * measured.step.at(0.95),
            1e9 * measured.step.median() / measured.contacts / f64::from(*sweeps),
            ms(&measured.detect),
            ms(&measured.assemble),
            ms(&measured.solve),
            ms(&measured.integrate),
        );
    }
    for Row { sweeps, measured } in rows {
        let report = &measured.report;
        println!(
            "        {sweeps:3} sweeps: overlap at most {:.2e} m, kinetic energy {:.1e} J per sphere, residual at most {:.1e} m/s, mean {:.1e} m/s",
            report.max_overlap,
            report.kinetic_energy / spheres as f64,
            report.residual_max,
            report.residual_mean,
        );
    }
    if let [few, many] = rows {
        print_shares(&few.measured, &many.measured, f64::from(many.sweeps - few.sweeps));
    }
}

/// What sweeps cost, and what comes before them.
fn print_shares(few: &Measured, many: &Measured, sweeps: f64) {
    let per_contact = |measured: &Measured| measured.solve.median() / measured.contacts;
    let sweep = (per_contact(many) - per_contact(few)) / sweeps;
    let before = few.detect.median() + few.assemble.median();
    let ten = 10.0 * sweep * few.contacts;
    println!(
        "        a sweep more: {:.1} ns per contact; detection and assembly {:.3} ms, ten sweeps {:.3} ms: {:.2}",
        1e9 * sweep,
        1e3 * before,
        1e3 * ten,
        before / ten,
    );
}

/// Prints the cost of each step with the stick projection. Scenes: a pile of 5000 settled at 50 sweeps without it, and the
/// pyramid of 2870 without friction, settled at 100 sweeps.
fn projected() -> Result<()> {
    eprintln!("settling 5000 ...");
    let mut bed = Bed::new(&recipe(50), &lattice(5000, 20))?;
    bed.run(SETTLE)?;
    project(&mut bed.world, "pile of 5000")?;
    eprintln!("settling the pyramid ...");
    let mut world = pyramid(20, 100)?;
    for _ in 0..200 {
        world.step(STEP).map_err(|failure| failure.error)?;
    }
    project(&mut world, "pyramid of 2870")
}

/// Steps with the stick projection, and prints what it costs.
fn project(world: &mut World, name: &str) -> Result<()> {
    let step = |world: &mut World| world.step(STEP).map_err(|failure| failure.error);
    let mut off = Sample::default();
    let mut residual = 0.0;
    for _ in 0..20 {
        let report = step(world)?;
        off.add(report.seconds_total);
        residual = report.residual_max;
    }
    world.set_settings(Settings { projection: Projection::Stick, ..*world.settings() })?;
    println!("{name}: {:.1} ms per step without the projection, residual {residual:.1e} m/s", 1e3 * off.median());
    for number in 1..=20 {
        let report = step(world)?;
        println!(
            "  step {number:2} with it: {:8.1} ms, {:4.1} % of it the projection, {} passes, {} of {} islands rejected, residual {:.1e} -> {:.1e} m/s",
            1e3 * report.seconds_total,
            100.0 * report.seconds_project / report.seconds_total,
            report.projection_passes,
            report.rejected_islands,
            report.projected_islands,
            report.solver_residual,
            report.residual_max,
        );
    }
    Ok(())
}

/// The cannonball pyramid on a fixed base.
fn pyramid(base: usize, sweeps: u32) -> Result<World> {
    let mut world = World::new(recipe(sweeps).settings, [0.0, 0.0, -9.81])?;
    let material = world.add_material(Material { friction: 0.0, density: 2000.0, ..Material::default() })?;
    let shape = world.add_shape(Shape::sphere(RADIUS)?)?;
    for layer in 0..base {
        for (x, y) in (0..base - layer).flat_map(|x| (0..base - layer).map(move |y| (x, y))) {
            let shift = 0.5 * layer as f64;
            let place = [x as f64 + shift, y as f64 + shift, 0.5_f64.sqrt() * layer as f64];
            let kind = if layer == 0 { Kind::Static } else { Kind::Dynamic };
            let position = place.map(|along| along * DIAMETER);
            world.add_body(&Definition { kind, shape, material, position, ..Definition::default() })?;
        }
    }
    Ok(world)
}
