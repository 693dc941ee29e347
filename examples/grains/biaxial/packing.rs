//! Packings that carry a hydrostatic stress: relaxed from random places while the box shrinks, then balanced without friction.

use serde_json::{Value, json};

use drystone::world::settings::{FrictionLaw, Method, SolverKind, WarmStart};
use drystone::world::{Settings, StaticDefinition};

use super::common::assembly::{Assembly, Hold, Law, Pose, Side, area, disks, scattered};
use super::common::outline::Kind;
use super::support::Failure;

/// The stress of the free walls, sigma_3 of [N].
pub(crate) const STRESS: f64 = 125.0;
/// Bodies look so far for contacts [D].
const MARGIN: f64 = 0.15;
/// A larger move in one increment is a collapse [D].
const FARTHEST: f64 = 0.3;
/// Height over width at the start.
const RATIO: f64 = 2.0;
/// The part of the box that disks of the mean diameters of grains cover at the start.
const INITIAL_SOLID_FRACTION: f64 = 0.45;
/// The part of the box that grains cover in the end.
const FINAL_SOLID_FRACTION: f64 = 0.80;
/// Between them [-]: the box shrinks by so much, with grains, and then grains are pushed apart so often.
const SHRINKING: f64 = 0.005;
const PUSHES: usize = 3;
/// At the end of it.
const LAST_PUSHES: usize = 60;
/// Stiffness by the square of the step, over the mass of a grain, about: grains are then pushed apart in some steps.
const PUSHING: f64 = 10.0;
/// Of contacts where the packing is balanced without friction.
const STIFF: f64 = 1e8;
/// Of contacts where grains are pushed together, one after the other, and most steps with each.
const STIFFER: [(f64, usize); 4] = [(1e4, 400), (1e5, 100), (1e6, 100), (STIFF, 100)];
/// The steps of that [-]. It ends where no wall moves further in a step [D].
const STEPS: std::ops::Range<f64> = 5e-3..0.2;
const RELAXED: f64 = 1e-5;
/// The packing rests if no wall moves further in an increment [D].
const RESTING: f64 = 1e-4;
const MAX_INCREMENTS: usize = 20;
/// Steps where statics does not solve an increment of that [-].
const RELAXING: usize = 30;

/// Grains in a box.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    pub(crate) kind: Kind,
    pub(crate) poses: Vec<Pose>,
    /// Of the box, width and height [D].
    pub(crate) size: [f64; 2],
}

/// Returns the settings of statics: those of [N], friction associated.
pub(crate) fn settings() -> Settings {
    Settings {
        method: Method::Theta,
        theta: 1.0,
        solver: SolverKind::Conic,
        tolerance: 1e-9,
        friction_law: FrictionLaw::Associated,
        warm_start: WarmStart::History,
        contact_margin: MARGIN,
        ..Settings::default()
    }
}

/// Returns the definition of an increment.
pub(crate) fn definition() -> StaticDefinition {
    StaticDefinition { max_displacement: FARTHEST, ..StaticDefinition::default() }
}

impl Packing {
    /// Returns grains that carry the stress.
    pub(crate) fn pressed(kind: Kind, count: usize, seed: u64) -> Result<Self, Failure> {
        let mut packing = Self::loose(kind, count, seed)?;
        packing.press()?;
        Ok(packing)
    }

    /// Returns the packing as a study records it.
    pub(crate) fn record(&self) -> Result<Value, Failure> {
        Ok(json!({"porosity": self.porosity()?, "size": self.size, "poses": self.poses}))
    }

    /// Returns the packing of a record.
    pub(crate) fn of(record: &Value) -> Result<Self, Failure> {
        let kind = record["shape"].as_str().ok_or("a packing has no shape")?.parse()?;
        let poses = serde_json::from_value(record["poses"].clone())?;
        Ok(Self { kind, poses, size: serde_json::from_value(record["size"].clone())? })
    }

    /// Returns grains that are not carried yet.
    fn loose(kind: Kind, count: usize, seed: u64) -> Result<Self, Failure> {
        // No disk's middle is nearer to a wall than its radius.
        let width = 1.0 + (disks(count) / (INITIAL_SOLID_FRACTION * RATIO)).sqrt();
        let size = [width, RATIO * width];
        let poses = scattered(count, size, seed);
        let mut packing = Self { kind, poses, size };
        packing.shrink()?;
        Ok(packing)
    }

    /// Shrinks the box until grains fill it, and pushes grains apart that overlap.
    fn shrink(&mut self) -> Result<(), Failure> {
        let settings = Settings { tolerance: 1e-6, ..settings() };
        let law = Law { friction: 0.0, floor_friction: 0.0, stiffness: PUSHING };
        let mut assembly = Assembly::new(self.kind, &self.poses, law, settings)?;
        assembly.set_wall(Side::Right, self.size[0], Hold::Driven)?;
        assembly.set_wall(Side::Top, self.size[1], Hold::Driven)?;
        let grains = area(self.kind, self.poses.len())?;
        let target = (grains / FINAL_SOLID_FRACTION / (self.size[0] * self.size[1])).sqrt();
        let steps = (target.ln() / (1.0 - SHRINKING).ln()).ceil().max(1.0);
        let factor = target.powf(1.0 / steps);
        for step in 0..steps as usize {
            self.size = self.size.map(|size| factor * size);
            assembly.set_face(Side::Right, self.size[0])?;
            assembly.set_face(Side::Top, self.size[1])?;
            let poses: Vec<Pose> =
                assembly.poses()?.iter().map(|[x, y, angle]| [factor * x, factor * y, *angle]).collect();
            assembly.set_poses(&poses)?;
            for _ in 0..if step + 1 == steps as usize { LAST_PUSHES } else { PUSHES } {
                assembly.world.step(1.0)?;
                // At rest again.
                let poses = assembly.poses()?;
                assembly.set_poses(&poses)?;
            }
        }
        self.poses = assembly.poses()?;
        Ok(())
    }

    /// Balances the packing between free walls under the stress, without friction.
    fn press(&mut self) -> Result<(), Failure> {
        let law = |stiffness| Law { friction: 0.0, floor_friction: 0.0, stiffness };
        let mut assembly = self.free(law(STIFF))?;
        for (stiffness, limit) in STIFFER {
            assembly.set_law(law(stiffness))?;
            relax(&mut assembly, stiffness, limit)?;
        }
        self.poses = assembly.poses()?;
        self.size = faces(&assembly)?;
        Ok(())
    }

    /// Returns a world of the packing between free walls.
    pub(crate) fn free(&self, law: Law) -> Result<Assembly, Failure> {
        let mut assembly = Assembly::new(self.kind, &self.poses, law, settings())?;
        assembly.set_wall(Side::Right, self.size[0], Hold::Free)?;
        assembly.set_wall(Side::Top, self.size[1], Hold::Free)?;
        Ok(assembly)
    }

    /// Returns the part of the box that grains do not cover.
    pub(crate) fn porosity(&self) -> Result<f64, Failure> {
        Ok(1.0 - area(self.kind, self.poses.len())? / (self.size[0] * self.size[1]))
    }
}

/// Pushes the free walls in by the stress, until nothing moves any more. Steps start at rest, so that mass times the
/// square of the step is a proximal term. Statics alone does not find forces among grains that do not touch yet.
pub(crate) fn relax(assembly: &mut Assembly, stiffness: f64, most_steps: usize) -> Result<(), Failure> {
    // A move changes gaps by its square over a radius more than the rows of contacts say.
    let farthest = (STRESS / stiffness).sqrt().min(0.5 * MARGIN);
    let mut step = STEPS.start;
    for _ in 0..most_steps {
        let walls = faces(assembly)?;
        push_walls(assembly)?;
        assembly.world.step(step)?;
        let longest = step * assembly.rest()?;
        let is_still = walls.iter().zip(faces(assembly)?).all(|(before, after)| (before - after).abs() < RELAXED);
        if is_still && step == STEPS.end {
            break;
        }
        let factor = if longest > farthest { 0.5 } else { 1.5 };
        step = (factor * step).clamp(STEPS.start, STEPS.end);
    }
    Ok(())
}

/// Adds the stress on both free walls.
fn push_walls(assembly: &mut Assembly) -> Result<(), Failure> {
    let [width, height] = faces(assembly)?;
    assembly.push(Side::Right, -STRESS * height)?;
    assembly.push(Side::Top, -STRESS * width)
}

/// Balances grains between free walls until these move no further. Grains that carry nothing still do: no forces say where they are.
/// Returns the increments, and how many of them statics did not solve.
pub(crate) fn settle(assembly: &mut Assembly, stiffness: f64) -> Result<[usize; 2], Failure> {
    let mut failed = 0;
    for increment in 1..=MAX_INCREMENTS {
        let before = faces(assembly)?;
        push_walls(assembly)?;
        let report = assembly.world.solve_static(&definition(), &mut [])?;
        if report.is_collapse || !report.is_converged {
            failed += 1;
            relax(assembly, stiffness, RELAXING)?;
            continue;
        }
        let after = faces(assembly)?;
        if before.iter().zip(after).all(|(before, after)| (before - after).abs() < RESTING) {
            return Ok([increment, failed]);
        }
    }
    Ok([MAX_INCREMENTS, failed])
}

/// Returns where the walls that move are.
fn faces(assembly: &Assembly) -> Result<[f64; 2], Failure> {
    Ok([assembly.face(Side::Right)?, assembly.face(Side::Top)?])
}
