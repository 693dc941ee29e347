//! Time of static increments and limit loads. Increments are those of pyramids of disks and of balls, and of disks that a wall
//! presses and shears. Limit loads are those of a wall and of a stack of blocks in space.
//!
//! ```text
//! cargo bench --bench statics
//! ```
//!
//! Processor time of one thread, pinned to one processor. Increments have elastic contacts; pushes of 2 % of the weight make the piles
//! asymmetric. In the box, of the same number of disks, nearly all contacts slide at a friction of 0.3: the hardest case for Coulomb's
//! law. *Unbalanced*: the largest force missing on a body, over its weight.

#[path = "support/mod.rs"]
mod support;

use drystone::error::Result;
use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::statics::{LimitInput, LimitLoad, Load, StaticInput, Statics};
use drystone::solver::{Contact, Friction, Impulses, MassInverse, OptionalTerms, Problem, Velocity};

use crate::support::clock::{pin, processor_time};
use crate::support::sample::Sample;

const STIFFNESS: f64 = 1e5;
const FRICTION: f64 = 1.5;
/// Of the box, whose forces are far above weights, and by how much its wall moves.
const BOX_STIFFNESS: f64 = 1e6;
const BOX_FRICTION: f64 = 0.3;
const PRESSED: f64 = 1e-4;
const SHEARED: f64 = 2e-4;

/// Bodies and contacts of a static problem.
#[derive(Default)]
struct Scene {
    masses: Vec<MassInverse>,
    places: Vec<Vec3>,
    contacts: Vec<Contact>,
    optional: Vec<OptionalTerms>,
    loads: Vec<Load>,
    /// Of walls that move.
    velocities: Vec<Velocity>,
}

impl Scene {
    fn add(&mut self, place: Vec3, is_planar: bool, weight: Vec3) {
        let free = if is_planar { [1.0, 0.0] } else { [1.0, 1.0] };
        let linear = Vec3::new(free[0], free[1], 1.0);
        let angular = Symmetric3::diagonal([free[1], free[0], free[1]]);
        self.masses.push(MassInverse { linear, angular });
        self.places.push(place);
        self.loads.push(Load { force: weight, torque: Vec3::zeros() });
        self.velocities.push(Velocity::ZERO);
    }

    fn touch(&mut self, bodies: [Option<usize>; 2], point: Vec3, normal: Vec3) {
        let arm = |body: Option<usize>| body.map_or(point, |body| point - self.places[body]);
        let [body_a, body_b] = bodies.map(|body| body.map_or(BodyRow::NONE, BodyRow::from));
        let (arm_a, arm_b) = (arm(bodies[0]), arm(bodies[1]));
        self.contacts.push(Contact { body_a, body_b, normal, arm_a, arm_b, normal_bias: 0.0, friction: FRICTION });
    }

    /// Makes contacts elastic.
    fn soften(&mut self, stiffness: f64) {
        let (normal_compliance, tangential_compliance) = (1.0 / stiffness, 1.5 / stiffness);
        let terms = OptionalTerms { normal_compliance, tangential_compliance, ..OptionalTerms::NONE };
        self.optional = vec![terms; self.contacts.len()];
    }

    fn with<T>(&self, friction: Friction, work: impl FnOnce(&Problem) -> T) -> T {
        let Self { masses, contacts, optional, velocities, .. } = self;
        work(&Problem { masses, velocities, contacts, optional, rows: &[], friction })
    }
}

/// A pyramid of balls of diameter 1, `base` along an edge, or of disks in a plane.
fn pyramid(base: usize, is_planar: bool) -> Scene {
    let mut scene = Scene::default();
    let rise = if is_planar { 0.75_f64 } else { 0.5 }.sqrt();
    for layer in 0..base {
        for cell in 0..(base - layer) * if is_planar { 1 } else { base - layer } {
            let shift = 0.5 * layer as f64;
            let across = if is_planar { 0.0 } else { (cell / (base - layer)) as f64 + shift };
            let place = Vec3::new((cell % (base - layer)) as f64 + shift, across, 0.5 + rise * layer as f64);
            let push = 0.02 * (((7 * cell + 3 * layer) % 11) as f64 / 5.0 - 1.0);
            let body = scene.places.len();
            scene.add(place, is_planar, Vec3::new(push, 0.0, -1.0));
            if layer == 0 {
                scene.touch([None, Some(body)], Vec3::new(place.x, place.y, 0.0), Vec3::z());
            }
            for other in 0..body {
                let between: Vec3 = place - scene.places[other];
                if between.norm() < 1.0 + 1e-9 {
                    let middle = scene.places[other] + 0.5 * between;
                    scene.touch([Some(other), Some(body)], middle, between.normalize());
                }
            }
        }
    }
    scene.soften(STIFFNESS);
    scene
}

/// Rows of disks of diameter 1 that touch each other and four walls; the upper wall moves.
fn lattice(wide: usize, high: usize) -> Scene {
    let mut scene = Scene::default();
    let rise = 0.75_f64.sqrt();
    for (row, cell) in (0..high).flat_map(|row| (0..wide - row % 2).map(move |cell| (row, cell))) {
        let place = Vec3::new(cell as f64 + 0.5 * (row % 2) as f64, 0.0, rise * row as f64);
        let body = scene.places.len();
        scene.add(place, true, -Vec3::z());
        for other in 0..body {
            let between: Vec3 = place - scene.places[other];
            if between.norm() < 1.0 + 1e-9 {
                let middle = scene.places[other] + 0.5 * between;
                scene.touch([Some(other), Some(body)], middle, between.normalize());
            }
        }
        let (is_first, is_last) = (row % 2 == 0 && cell == 0, row % 2 == 0 && cell + 1 == wide);
        for (touches, normal) in [(row == 0, Vec3::z()), (is_first, Vec3::x()), (is_last, -Vec3::x())] {
            if touches {
                scene.touch([None, Some(body)], place - 0.5 * normal, normal);
            }
        }
    }
    let (disks, top) = (scene.places.len(), Vec3::new(0.0, 0.0, rise * high as f64));
    scene.add(top, true, Vec3::zeros());
    scene.masses[disks] = MassInverse { linear: Vec3::zeros(), angular: Symmetric3::diagonal([0.0; 3]) };
    scene.velocities[disks].linear = Vec3::new(SHEARED, 0.0, -PRESSED);
    for body in 0..disks {
        let place = scene.places[body];
        if place.z > rise * (high as f64 - 1.5) {
            scene.touch([Some(disks), Some(body)], place + 0.5 * Vec3::z(), -Vec3::z());
        }
    }
    scene.contacts.iter_mut().for_each(|contact| contact.friction = BOX_FRICTION);
    scene.soften(BOX_STIFFNESS);
    scene
}

/// A wall of blocks 2 x 1 in running bond, `deep` blocks one behind the other.
fn wall(wide: usize, rows: usize, deep: usize) -> Scene {
    let mut scene = Scene::default();
    let is_planar = deep == 1;
    let sides = if is_planar { vec![0.0] } else { vec![-0.5, 0.5] };
    for (row, slice) in (0..rows).flat_map(|row| (0..deep).map(move |slice| (row, slice))) {
        for cell in 0..wide {
            let place = Vec3::new(2.0 * cell as f64 + 0.5 * (row % 2) as f64, slice as f64, row as f64 + 0.5);
            let body = scene.places.len();
            scene.add(place, is_planar, Vec3::new(0.0, 0.0, -1.0));
            for other in 0..body {
                let apart: Vec3 = place - scene.places[other];
                let shared = 2.0 - apart.x.abs();
                if apart.y.abs() < 0.1 && (apart.z - 1.0).abs() < 0.1 && shared > 0.1 {
                    let middle = 0.5 * (place.x + scene.places[other].x);
                    for (x, y) in [-0.5, 0.5].iter().flat_map(|x| sides.iter().map(move |y| (x * shared, *y))) {
                        let point = Vec3::new(middle + x, place.y + y, place.z - 0.5);
                        scene.touch([Some(other), Some(body)], point, Vec3::z());
                    }
                }
            }
            for (x, y) in [-1.0, 1.0].iter().flat_map(|x| sides.iter().map(move |y| (*x, *y))) {
                if row == 0 {
                    scene.touch([None, Some(body)], Vec3::new(place.x + x, place.y + y, 0.0), Vec3::z());
                }
            }
        }
    }
    scene
}

fn main() -> Result<()> {
    pin();
    println!("increments           bodies  contacts   ms median    least   steps   unbalanced");
    for (name, base, is_planar) in [("disks", 20, true), ("disks", 55, true), ("balls", 8, false), ("balls", 12, false)]
    {
        increment(name, Friction::Associated, &pyramid(base, is_planar))?;
    }
    for (wide, high) in [(15, 14), (39, 40)] {
        increment("box, associated", Friction::Associated, &lattice(wide, high))?;
        increment("box, Coulomb", Friction::Coulomb, &lattice(wide, high))?;
    }
    println!("limit loads          bodies  contacts   ms median    least   steps   factor");
    for (name, wide, rows, deep) in [("wall", 5, 10, 1), ("wall", 10, 20, 1), ("in space", 5, 10, 4)] {
        limit(name, &wall(wide, rows, deep))?;
    }
    Ok(())
}

fn increment(name: &str, friction: Friction, scene: &Scene) -> Result<()> {
    let mut seconds = Sample::default();
    let (mut solver, mut forces, mut moves) = (Statics::default(), Impulses::default(), Vec::new());
    let mut outcome = None;
    for _ in 0..5 {
        let begin = processor_time();
        outcome = Some(scene.with(friction, |problem| {
            let loads = &scene.loads;
            let (tolerance, max_displacement, stiffness_ratio) = (1e-10, 1.0, 2.0 / 3.0);
            let (proximal, rounds) = (1e-3, 20);
            let input = StaticInput {
                problem,
                loads,
                length: 1.0,
                tolerance,
                max_displacement,
                proximal,
                rounds,
                stiffness_ratio,
            };
            solver.solve(&input, &mut forces, &mut moves)
        })?);
        seconds.add(processor_time() - begin);
    }
    let outcome = outcome.unwrap_or_default();
    print(name, scene, &seconds, outcome.iterations);
    let converged = if outcome.is_converged { "" } else { "  not converged" };
    let law = if outcome.is_associated { "  not found" } else { "" };
    println!("   {:.0e}{converged}{law}", outcome.unbalanced);
    Ok(())
}

fn limit(name: &str, scene: &Scene) -> Result<()> {
    let mut seconds = Sample::default();
    let (mut solver, mut forces, mut moves) = (LimitLoad::default(), Impulses::default(), Vec::new());
    let across: Vec<Load> =
        scene.loads.iter().map(|load| Load { force: Vec3::new(-load.force.z, 0.0, 0.0), ..*load }).collect();
    let mut outcome = None;
    for _ in 0..5 {
        let begin = processor_time();
        outcome = Some(scene.with(Friction::Associated, |problem| {
            let input = LimitInput { problem, loads: &scene.loads, unit_loads: &across, length: 1.0, touching: 1e-9 };
            solver.solve(&input, &mut forces, &mut moves)
        })?);
        seconds.add(processor_time() - begin);
    }
    let outcome = outcome.unwrap_or_default();
    print(name, scene, &seconds, outcome.iterations);
    println!("   {:.9}{}", outcome.factor, if outcome.is_converged { "" } else { "  not converged" });
    Ok(())
}

fn print(name: &str, scene: &Scene, seconds: &Sample, steps: u32) {
    let (bodies, contacts) = (scene.masses.len(), scene.contacts.len());
    let [median, fastest] = [seconds.median(), seconds.min()].map(|seconds| 1e3 * seconds);
    print!("{name:20} {bodies:6} {contacts:9} {median:11.1} {fastest:8.1} {steps:7}");
}
