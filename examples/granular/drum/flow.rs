//! A drum of grains that turns, and what is measured of their flow.

use std::f64::consts::{PI, TAU};

use drystone::body::Definition;
use drystone::contact::material::Material;
use drystone::error::ErrorKind;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{BodyState, Report, Settings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::Failure;
use super::support::arguments::Start;
use super::support::frames::Frames;
use super::support::grains::{DIAMETER, Grains, SMALLER, STEP, mass, material, norm, settings};
use super::support::random::Random;
use super::support::reference::{self, Accuracy};
use super::support::saved::Saved;
use super::support::stave::turning;

/// Grains no faster than this share of the wall, seen from the drum, belong to the plug. The others show how much depends on it.
const PLUG: f64 = 0.15;
const OTHER_LIMITS: [f64; 2] = [0.05, 0.3];
/// Of the wall. The corners of the polygon are 0.14 mm outside of a circle of 0.26 m.
const SIDES: u32 = 96;
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
    /// Length of a step [s].
    pub(crate) h: f64,
    pub(crate) has_smooth_plates: bool,
    pub(crate) start: Start,
    pub(crate) iterations: u32,
    /// Whether it is what the others are compared with. Start and sweeps are then those of a reference.
    pub(crate) is_reference: bool,
}

/// What a run has measured so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Measured {
    steps: u32,
    contacts: u32,
    accuracy: Accuracy,
    angles: Vec<f64>,
    plugs: Vec<f64>,
    /// Sums for the other limits.
    others: [f64; 2],
}

impl Drum {
    /// Returns that of [W], except for the time over which is averaged.
    pub(crate) fn paper(start: Start, iterations: u32) -> Self {
        Self {
            count: 4864,
            radius: 20.0 * DIAMETER,
            width: 7.0 * DIAMETER,
            speed: 0.25,
            settling: 10.0,
            // [W] takes 2 s. The bed slumps, and a mean of 2 s depends on when it is taken.
            averaged: 10.0,
            h: STEP,
            has_smooth_plates: false,
            start,
            iterations,
            is_reference: false,
        }
    }

    /// Returns the same with the settings of a reference.
    pub(crate) fn reference(&self) -> Self {
        Self { start: Start::History, iterations: reference::SWEEPS, is_reference: true, ..*self }
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
        let mut parameters = json!({
            "kind": "flow", "grains": self.count, "diameter": 2.0 * self.radius, "width": self.width,
            "speed": self.speed, "plates": if self.has_smooth_plates { "smooth" } else { "rough" },
            "step": self.h, "settling": self.settling, "averaged": self.averaged, "warm": self.start.name(), "iterations": self.iterations,
        });
        if self.is_reference {
            (parameters["kind"], parameters["tolerance"]) = (json!("reference"), json!(reference::TOLERANCE));
        }
        parameters
    }

    /// Returns the work of a run, in sweeps of the contacts.
    pub(crate) fn work(&self) -> f64 {
        f64::from(self.iterations + 40) * STEP / self.h
    }

    fn steps(&self, seconds: f64) -> u32 {
        (seconds / self.h).round() as u32
    }

    fn settings(&self) -> Settings {
        if self.is_reference { reference::exact() } else { settings(self.start, self.iterations) }
    }

    /// Runs the drum. `watch` is called with the share of the time that is over.
    pub(crate) fn run(
        &self,
        frames: &mut Frames,
        saved: &mut Saved,
        watch: &mut dyn FnMut(f64),
    ) -> Result<Value, Failure> {
        let mut grains = Grains::new(self.settings())?;
        self.walls(&mut grains)?;
        let diameters = self.fill(&mut grains)?;
        let mut measured = Measured::default();
        if let Some((earlier, shown)) = saved.state("turning")? {
            measured = earlier;
            frames.go_on_from(&shown);
            saved.restore(&mut [&mut grains.world])?;
        }
        let (settling, all) = (self.steps(self.settling), self.steps(self.settling + self.averaged));
        while measured.steps < all {
            match grains.world.step(self.h) {
                Ok(report) => measured.add(&report),
                // With few sweeps the model start can throw grains beyond all numbers.
                Err(failure) if failure.error.kind == ErrorKind::NotFinite => {
                    return Ok(json!({"not_finite_at": self.h * f64::from(measured.steps)}));
                }
                Err(failure) => return Err(failure.into()),
            }
            frames.show(&grains.world, self.h * f64::from(measured.steps))?;
            watch(f64::from(measured.steps - 1) / f64::from(all));
            if measured.steps > settling {
                self.measure(&grains.states()?, &diameters, &mut measured);
            }
            saved.keep("turning", &(&measured, &*frames), &[&grains.world])?;
        }
        let outside = self.outside(&grains.states()?);
        let mut value = measured.json(outside);
        if self.is_reference {
            measured.accuracy.describe(&mut value);
        }
        Ok(value)
    }

    fn measure(&self, states: &[BodyState], diameters: &[f64], measured: &mut Measured) {
        measured.angles.push(angle(states, diameters));
        measured.plugs.push(self.plug(states, PLUG));
        for (sum, limit) in measured.others.iter_mut().zip(OTHER_LIMITS) {
            *sum += self.plug(states, limit);
        }
    }

    /// Adds the cylinder and its end plates, which turn with it. Each of its sides is a half-space: what is pressed in deep is still pushed
    /// straight out, and nothing passes.
    fn walls(&self, grains: &mut Grains) -> Result<(), Failure> {
        let turning = turning(&Definition { angular_velocity: [0.0, self.speed, 0.0], ..Definition::default() });
        for side in 0..SIDES {
            let (sine, cosine) = (TAU * f64::from(side) / f64::from(SIDES)).sin_cos();
            grains.wall(Shape::half_space([-cosine, 0.0, -sine], -self.radius)?, &turning)?;
        }
        let material = if self.has_smooth_plates { smooth(grains)? } else { grains.material };
        for side in [-1.0, 1.0] {
            let shape = grains.world.add_shape(Shape::half_space([0.0, side, 0.0], -0.5 * self.width)?)?;
            grains.world.add_body(&Definition { shape, material, ..turning })?;
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
    fn plug(&self, states: &[BodyState], limit: f64) -> f64 {
        let follows = |state: &&BodyState| {
            let ([x, _, z], [u, v, w]) = (state.position, state.linear_velocity);
            let relative = norm([u - self.speed * z, v, w + self.speed * x]);
            relative <= limit * self.speed * self.radius
        };
        states.iter().filter(follows).count() as f64 / states.len() as f64
    }

    /// Returns the number of grains whose centre is outside of the drum.
    fn outside(&self, states: &[BodyState]) -> usize {
        let is_outside = |state: &&BodyState| {
            let [x, y, z] = state.position;
            x.hypot(z) > self.radius / (PI / f64::from(SIDES)).cos() || y.abs() > 0.5 * self.width
        };
        states.iter().filter(is_outside).count()
    }
}

impl Measured {
    fn add(&mut self, report: &Report) {
        self.steps += 1;
        self.contacts = report.contacts;
        self.accuracy.add(report.iterations, report.residual_max);
    }

    fn json(&self, outside: usize) -> Value {
        let ((angle, angle_spread), (plug, plug_spread)) = (mean(&self.angles), mean(&self.plugs));
        let others = self.others.map(|sum| sum / self.plugs.len().max(1) as f64);
        json!({
            "plug_quantiles": quantiles(&self.plugs, [0.1, 0.5, 0.9]), "plug_limit_0.05": others[0], "plug_limit_0.3": others[1],
            "angle_deg": angle, "angle_spread": angle_spread, "plug": plug, "plug_spread": plug_spread,
            "contacts": self.contacts, "outside": outside,
        })
    }
}

/// Adds a material without friction, of the stiffness of the grains.
fn smooth(grains: &mut Grains) -> Result<Handle, Failure> {
    let smooth = Material { friction: 0.0, rolling_friction: 0.0, twisting_friction: 0.0, ..material() };
    Ok(grains.world.add_material(smooth)?)
}

/// Returns the angle of the centre of mass from the vertical below the axis, towards the side that rises [degrees].
fn angle(states: &[BodyState], diameters: &[f64]) -> f64 {
    let sum =
        |axis: usize| states.iter().zip(diameters).map(|(state, of)| mass(*of) * state.position[axis]).sum::<f64>();
    (-sum(0)).atan2(-sum(2)) * 180.0 / PI
}

/// Returns the values that these shares of all are not above.
fn quantiles(values: &[f64], shares: [f64; 3]) -> [f64; 3] {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    shares.map(|share| values.get((share * values.len() as f64) as usize).copied().unwrap_or(f64::NAN))
}

/// Returns mean and standard deviation.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
    (mean, square.sqrt())
}
