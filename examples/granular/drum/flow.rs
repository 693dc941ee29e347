//! A drum of grains that turns, and what is measured of their flow.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use drystone::body::Definition;
use drystone::contact::material::Material;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::BodyState;
use serde_json::{Value, json};

use super::support::Failure;
use super::support::arguments::Start;
use super::support::frames::Frames;
use super::support::grains::{DIAMETER, Grains, SMALLER, STEP, mass, material, norm, settings};
use super::support::random::Random;
use super::support::stave::{Barrel, turning};

/// Grains no faster than this share of the wall, seen from the drum, belong to the plug.
const PLUG: f64 = 0.15;
/// Pieces of the wall. The polygon is 0.14 mm off a circle of 0.26 m.
const STAVES: u32 = 96;
/// Of the wall [m].
const THICKNESS: f64 = 2.5 * DIAMETER;
/// Pitch of the lattice on which grains start [m].
const PITCH: f64 = 13.5e-3;

/// How a drum is filled, turned and solved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drum {
    pub(crate) count: usize,
    /// [m]
    pub(crate) radius: f64,
    /// [m]
    pub(crate) width: f64,
    /// About the horizontal axis y [rad/s].
    pub(crate) speed: f64,
    /// Time that is not measured [s].
    pub(crate) settling: f64,
    /// Time over which is averaged [s].
    pub(crate) averaged: f64,
    pub(crate) has_smooth_plates: bool,
    pub(crate) start: Start,
    pub(crate) iterations: u32,
}

impl Drum {
    /// Returns that of [W].
    pub(crate) fn paper(start: Start, iterations: u32) -> Self {
        Self {
            count: 4864,
            radius: 20.0 * DIAMETER,
            width: 7.0 * DIAMETER,
            speed: 0.25,
            settling: 10.0,
            averaged: 2.0,
            has_smooth_plates: false,
            start,
            iterations,
        }
    }

    /// Returns one of half the diameter with a quarter of the grains, at the same Froude number.
    pub(crate) fn small(start: Start, iterations: u32) -> Self {
        let paper = Self::paper(start, iterations);
        Self {
            count: paper.count / 4,
            radius: 0.5 * paper.radius,
            speed: paper.speed * 2.0_f64.sqrt(),
            settling: 6.0,
            ..paper
        }
    }

    pub(crate) fn parameters(&self) -> Value {
        json!({
            "kind": "flow", "grains": self.count, "diameter": 2.0 * self.radius, "width": self.width,
            "speed": self.speed, "plates": if self.has_smooth_plates { "smooth" } else { "rough" },
            "settling": self.settling, "averaged": self.averaged, "warm": self.start.name(), "iterations": self.iterations,
        })
    }

    /// Returns the work of a run, in sweeps of the contacts.
    pub(crate) fn work(&self) -> f64 {
        f64::from(self.iterations + 40)
    }

    /// Runs the drum. `watch` is called with the share of the time that is over.
    pub(crate) fn run(&self, frames: &mut Frames, watch: &mut dyn FnMut(f64)) -> Result<Value, Failure> {
        let mut grains = Grains::new(settings(self.start, self.iterations))?;
        self.walls(&mut grains)?;
        let diameters = self.fill(&mut grains)?;
        let (settling, all) = (steps(self.settling), steps(self.settling + self.averaged));
        let (mut angles, mut plugs) = (Vec::new(), Vec::new());
        let mut contacts = 0;
        for step in 0..all {
            contacts = grains.world.step(STEP)?.contacts;
            frames.show(&grains.world, STEP * f64::from(step + 1))?;
            watch(f64::from(step) / f64::from(all));
            if step >= settling {
                let states = grains.states()?;
                angles.push(angle(&states, &diameters));
                plugs.push(self.plug(&states));
            }
        }
        let ((angle, angle_spread), (plug, plug_spread)) = (mean(&angles), mean(&plugs));
        Ok(json!({
            "angle_deg": angle, "angle_spread": angle_spread, "plug": plug, "plug_spread": plug_spread,
            "contacts": contacts, "outside": self.outside(&grains.states()?),
        }))
    }

    /// Adds the cylinder and its end plates, which turn with it.
    fn walls(&self, grains: &mut Grains) -> Result<(), Failure> {
        // x of the barrel is y of the world.
        let quarter = FRAC_1_SQRT_2;
        let turning = turning(&Definition {
            rotation: [0.0, 0.0, quarter, quarter],
            angular_velocity: [0.0, self.speed, 0.0],
            ..Definition::default()
        });
        let barrel = Barrel { radius: self.radius, thickness: THICKNESS, count: STAVES };
        let half = 0.5 * self.width;
        for stave in 0..STAVES {
            // The plates are beyond the ends of the staves, so that there is no edge inside.
            grains.wall(barrel.stave(stave, [-half - THICKNESS, half + THICKNESS])?, &turning)?;
        }
        let plate = if self.has_smooth_plates { smooth(grains)? } else { grains.material };
        for side in [-1.0, 1.0] {
            let shape = grains.world.add_shape(Shape::half_space([0.0, -side, 0.0], 0.0)?)?;
            let position = [0.0, side * half, 0.0];
            let rotation = Definition::default().rotation;
            grains.world.add_body(&Definition { shape, material: plate, position, rotation, ..turning })?;
        }
        Ok(())
    }

    /// Adds grains on a lattice, the lowest places first, half of them of each size. Returns their diameters.
    fn fill(&self, grains: &mut Grains) -> Result<Vec<f64>, Failure> {
        let reach = self.radius - 0.6 * DIAMETER;
        let across = (reach / PITCH) as i32 + 1;
        let layers = (self.width / PITCH) as i32;
        let mut places = Vec::new();
        for (z, x) in (-across..=across).flat_map(|z| (-across..=across).map(move |x| (z, x))) {
            let (z, x) = (f64::from(z) * PITCH, f64::from(x) * PITCH);
            if x * x + z * z <= reach * reach {
                places.extend((0..layers).map(|y| [x, (f64::from(y) - 0.5 * f64::from(layers - 1)) * PITCH, z]));
            }
        }
        if places.len() < self.count {
            return Err(format!("{} grains do not fit on a lattice of {} places", self.count, places.len()).into());
        }
        let mut diameters: Vec<f64> = (0..self.count).map(|at| if at % 2 == 0 { DIAMETER } else { SMALLER }).collect();
        let mut random = Random::new(1);
        random.shuffle(&mut diameters);
        for (diameter, [x, y, z]) in diameters.iter().zip(places) {
            let mut jitter = || random.between(-0.2e-3, 0.2e-3);
            grains.add(*diameter, [x + jitter(), y + jitter(), z + jitter()])?;
        }
        Ok(diameters)
    }

    /// Returns the share of grains that turn with the drum.
    fn plug(&self, states: &[BodyState]) -> f64 {
        let follows = |state: &&BodyState| {
            let ([x, _, z], [u, v, w]) = (state.position, state.linear_velocity);
            let relative = norm([u - self.speed * z, v, w + self.speed * x]);
            relative <= PLUG * self.speed * self.radius
        };
        states.iter().filter(follows).count() as f64 / states.len() as f64
    }

    /// Returns the number of grains whose centre has left the drum.
    fn outside(&self, states: &[BodyState]) -> usize {
        let is_outside = |state: &&BodyState| {
            let [x, y, z] = state.position;
            norm([x, 0.0, z]) > self.radius || y.abs() > 0.5 * self.width
        };
        states.iter().filter(is_outside).count()
    }
}

/// Adds a material without friction, of the stiffness of the grains.
fn smooth(grains: &mut Grains) -> Result<Handle, Failure> {
    let smooth = Material { friction: 0.0, rolling_friction: 0.0, twisting_friction: 0.0, ..material() };
    Ok(grains.world.add_material(smooth)?)
}

fn steps(seconds: f64) -> u32 {
    (seconds / STEP).round() as u32
}

/// Returns the angle of the centre of mass from the vertical below the axis, towards the side that rises [degrees].
fn angle(states: &[BodyState], diameters: &[f64]) -> f64 {
    let sum =
        |axis: usize| states.iter().zip(diameters).map(|(state, of)| mass(*of) * state.position[axis]).sum::<f64>();
    (-sum(0)).atan2(-sum(2)) * 180.0 / PI
}

/// Returns mean and standard deviation.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, square.sqrt())
}
