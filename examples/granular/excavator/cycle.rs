//! One cycle of the machine, in a trench or alone.

use drystone::error::Result;
use drystone::world::{Settings, World};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::balance::{Imbalance, Momenta};
use super::machine::Machine;
use super::plane::{Arm, DURATION};
use super::support::Failure;
use super::support::bed::{Grain, Grains};
use super::support::clock::processor_time;
use super::support::filling::{Fill, height};
use super::support::frames::Frames;
use super::support::grains::GRAVITY;
use super::support::saved::Saved;
use super::trench::{STEP, Trench, moved, settled};

/// Every so many steps the bed alone is stepped too, and every so many a point of the curves is kept.
const ALONE_EVERY: usize = 100;
const POINT_EVERY: usize = 20;
/// The end of the trench next to the machine is so far from the swing, for a machine of 50 t [m].
const FROM_SWING: f64 = 3.0;
/// The bucket is above the bed until then [s].
const UNLOADED: f64 = 4.0;
/// Grains are where they were undisturbed [s].
const BEFORE: f64 = 6.0;
/// The bucket is dragged [s].
pub(crate) const DIG: std::ops::Range<f64> = 8.0..10.0;

/// What is measured of a cycle.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Measured {
    steps: usize,
    imbalance: Imbalance,
    /// Largest distance of the tip from the table [m]: unloaded, and at all times.
    tip: [f64; 2],
    /// Sum of the force of the middle cylinder while the bucket is dragged [N], and the number of steps.
    dragged: (f64, f64),
    /// Steps in which a motor had its largest force.
    saturated: usize,
    /// Largest errors of the joints [m] and residual [m/s].
    joints: [f64; 2],
    /// Time, and the forces of boom, stick, bucket [N] and swing [N m].
    curve: Vec<[f64; 5]>,
    /// Processor time of the steps with the machine, and of those of the bed alone [s], and their numbers.
    seconds: [(f64, f64); 2],
}

/// Runs a cycle of the machine alone.
pub(crate) fn unloaded(arm: Arm, settings: Settings) -> Result<Value> {
    let mut world = World::new(settings, [0.0, 0.0, -GRAVITY])?;
    let material = world.add_material(Default::default())?;
    let machine = Machine::new(&mut world, material, arm)?;
    let mut measured = Measured::default();
    for _ in 0..steps() {
        measured.step(&mut world, &machine)?;
    }
    Ok(measured.json())
}

/// A cycle in a trench full of grains that is under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Digging {
    /// The part of the bed that settled.
    part: Grains,
    measured: Measured,
    /// The grains while they are undisturbed.
    before: Vec<Grain>,
}

/// Lets a bed settle, and runs a cycle of a machine of this scale in a trench full of it.
pub(crate) fn digging(
    (fill, scale): (&Fill, f64),
    settings: Settings,
    frames: &mut Frames,
    saved: &mut Saved,
    mut progress: impl FnMut(f64),
) -> std::result::Result<Value, Failure> {
    let earlier: Option<(Digging, Frames)> = saved.state("digging")?;
    let is_new = earlier.is_none();
    let (mut digging, shown) = match earlier {
        Some(earlier) => earlier,
        None => {
            let part = settled(fill, settings, saved)?;
            (Digging { part, measured: Measured::default(), before: Vec::new() }, Frames::default())
        }
    };
    frames.go_on_from(&shown);
    let grains = digging.part.mirrored(fill.images[0], fill.images[1]);
    let top = height(&grains.grains);
    let arm = Arm { scale, origin: [-grains.half_width[0] - FROM_SWING * scale, 0.0, top] };
    let (mut alone, mut trench) = (Trench::new(&grains, settings)?, Trench::new(&grains, settings)?);
    if is_new {
        alone.adjust()?;
        trench.adjust()?;
    }
    let machine = Machine::new(&mut trench.world, trench.material, arm)?;
    saved.restore(&mut [&mut trench.world, &mut alone.world])?;
    while digging.measured.steps < steps() {
        digging.step(&mut trench, &mut alone, &machine)?;
        let done = digging.measured.steps;
        frames.show(&trench.world, STEP * done as f64)?;
        progress((done - 1) as f64 / steps() as f64);
        saved.keep("digging", &(&digging, &*frames), &[&trench.world, &alone.world])?;
    }
    let after = trench.grains()?;
    let mut value = digging.measured.json();
    if let Value::Object(members) = &mut value {
        members.insert("height_m".into(), json!(top));
        members.insert("moved_m3".into(), json!(moved(&digging.before, &after)));
        members.insert("height_before_m".into(), json!(height(&digging.before)));
        members.insert("grains".into(), json!(after.len()));
        members.insert("surface_m".into(), json!(surface(&after, grains.half_width)));
    }
    Ok(value)
}

impl Digging {
    /// Steps the trench with the machine, and now and then the bed alone.
    fn step(&mut self, trench: &mut Trench, alone: &mut Trench, machine: &Machine) -> Result<()> {
        let step = self.measured.steps;
        if step == (BEFORE / STEP) as usize {
            self.before = trench.grains()?;
        }
        self.measured.step(&mut trench.world, machine)?;
        if step.is_multiple_of(ALONE_EVERY) {
            let begin = processor_time();
            alone.world.step(STEP).map_err(|failure| failure.error)?;
            self.measured.seconds[1].0 += processor_time() - begin;
            self.measured.seconds[1].1 += 1.0;
        }
        Ok(())
    }
}

fn steps() -> usize {
    (DURATION / STEP).round() as usize
}

/// Returns the height of the surface along the middle of the trench [m]: the highest point of grains near it, in 24 parts.
fn surface(grains: &[Grain], half_width: [f64; 2]) -> Vec<f64> {
    let mut tops = vec![0.0_f64; 24];
    let width = 2.0 * half_width[0] / tops.len() as f64;
    for grain in grains.iter().filter(|grain| grain.center[1].abs() < 0.3 * half_width[1]) {
        let part = (grain.center[0] + half_width[0]) / width;
        if part >= 0.0
            && let Some(top) = tops.get_mut(part as usize)
        {
            *top = top.max(grain.center[2] + grain.radius);
        }
    }
    tops
}

impl Measured {
    /// Steps once, steers, and measures the machine.
    fn step(&mut self, world: &mut World, machine: &Machine) -> Result<()> {
        let step = self.steps;
        self.steps += 1;
        let time = STEP * self.steps as f64;
        let begin = processor_time();
        machine.steer(world, time, STEP)?;
        let momenta = Momenta::new(world, &machine.bodies)?;
        let report = world.step(STEP).map_err(|failure| failure.error)?;
        self.seconds[0].0 += processor_time() - begin;
        self.seconds[0].1 += 1.0;
        momenta.compare(world, &machine.bodies, [STEP, GRAVITY, machine.arm.scale], &mut self.imbalance)?;
        self.joints = [self.joints[0].max(report.joint_error), self.joints[1].max(report.joint_residual)];
        let (wanted, tip) = (machine.arm.tip(time), machine.tip(world)?);
        let off = (0..3).map(|axis| (tip[axis] - wanted[axis]).powi(2)).sum::<f64>().sqrt();
        self.tip = [if time < UNLOADED { self.tip[0].max(off) } else { self.tip[0] }, self.tip[1].max(off)];
        let forces = machine.forces(world)?;
        if DIG.contains(&time) {
            self.dragged = (self.dragged.0 + forces[1], self.dragged.1 + 1.0);
        }
        for servo in &machine.servos {
            self.saturated += usize::from(world.joint_state(servo.joint)?.is_saturated[servo.index]);
        }
        if step.is_multiple_of(POINT_EVERY) {
            self.curve.push([time, forces[0], forces[1], forces[2], forces[3]]);
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let per_step = self.seconds.map(|(sum, count)| 1e3 * sum / count);
        json!({
            "force_imbalance": self.imbalance.force, "torque_imbalance": self.imbalance.torque,
            "tip_unloaded_m": self.tip[0], "tip_m": self.tip[1], "middle_cylinder_n": self.dragged.0 / self.dragged.1,
            "saturated_steps": self.saturated, "joint_error": self.joints[0], "joint_residual": self.joints[1],
            "ms_per_step": per_step[0], "ms_per_step_alone": per_step[1], "ratio_of_time": per_step[0] / per_step[1],
            "curve": self.curve,
        })
    }
}
