//! The compatibility correction against what it stands for: stiff elastic spheres.
//!
//! The pyramid of [K] 8.2 by an explicit discrete element method of its own. Spheres of mass 1 and radius 1 under
//! gravity 1 repel each other by `k d^(p-1)` where they overlap by `d`. They have no friction and do not turn, and the
//! base layer is held. They are released on the touching lattice and run until they rest. That is done at three rising
//! stiffnesses. The base forces are compared with those of the correction, which uses the touching lattice alone.
//!
//! The correction neglects that bodies move. Distances, and with them the directions of forces, change by the overlap
//! `d` over the radius, and forces by as much in proportion. Forces `f` are given by the weights, so that `d` is
//! `f / k` for Hooke and `(f / k)^(2/3)` for Hertz. The difference is therefore to halve where `k` doubles for Hooke,
//! and where it is multiplied by `2^(3/2)` for Hertz. It ends below what [K] reports in its table 1. Twice the forces
//! of one stiffness less those of the one before is their limit up to `d^2`: that agrees far better.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::time::Instant;

use drystone::math::{Symmetric3, Vec3};
use drystone::solver::compatibility::StiffContacts;
use drystone::solver::compatibility::{Elastic, Form};
use drystone::solver::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Solver, Velocity};

const HOOKE: f64 = 2.0;
const HERTZ: f64 = 2.5;

/// A touching lattice: spheres of radius 1, from the base up.
struct Lattice {
    places: Vec<Vec3>,
    /// How many spheres are held: the first ones.
    held: usize,
    contacts: Vec<Touch>,
}

/// Two spheres that touch.
struct Touch {
    bodies: [usize; 2],
    /// From the first to the second.
    normal: Vec3,
    /// Of both in series, relative to the others.
    stiffness: f64,
}

impl Lattice {
    /// A square based pyramid. Where `stiff` is not 1, spheres with an odd index are as many times as stiff as the others,
    /// [K] 8.2.2.
    fn pyramid(base: usize, stiff: f64) -> Self {
        let mut places = Vec::new();
        for layer in 0..base {
            let count = base - layer;
            for k in 0..count * count {
                let side = |k: usize| (2 * k + layer) as f64;
                places.push(Vec3::new(side(k / count), side(k % count), 2.0_f64.sqrt() * layer as f64));
            }
        }
        let held = base * base;
        let modulus = |body: usize| if body % 2 == 1 { stiff } else { 1.0 };
        let mut contacts = Vec::new();
        for b in held..places.len() {
            for a in 0..b {
                let between: Vec3 = places[b] - places[a];
                if between.norm() < 2.0 + 1e-9 {
                    // equal moduli 1 are to give the stiffness 1
                    let stiffness = 2.0 / (1.0 / modulus(a) + 1.0 / modulus(b));
                    contacts.push(Touch { bodies: [a, b], normal: between.normalize(), stiffness });
                }
            }
        }
        Self { places, held, contacts }
    }

    /// Forces in equilibrium with the weights: every sphere rests on the four below it, alike, and hands what presses it
    /// from above on along the same line.
    fn weights(&self) -> Vec<f64> {
        let mut forces = vec![0.0; self.contacts.len()];
        // contacts of higher spheres come later
        for index in (0..self.contacts.len()).rev().filter(|index| self.contacts[*index].normal.z > 0.5) {
            let Touch { bodies: [_, high], normal, .. } = self.contacts[index];
            let above = self.contacts[index..].iter().zip(&forces[index..]);
            let mut pressing =
                above.filter(|(touch, _)| touch.bodies[0] == high && (touch.normal - normal).norm() < 1e-9);
            let pressing = pressing.next().map_or(0.0, |(_, force)| *force);
            forces[index] = 0.25 / normal.z + pressing;
        }
        forces
    }

    /// The corrected forces of rigid spheres.
    fn corrected(&self, exponent: f64) -> Vec<f64> {
        let free = MassInverse { linear: Vec3::repeat(1.0), angular: Symmetric3::diagonal([2.5; 3]) };
        let falling = Velocity { linear: -Vec3::z(), angular: Vec3::zeros() };
        let bodies = 0..self.places.len();
        let masses: Vec<_> =
            bodies.clone().map(|body| if body < self.held { MassInverse::ZERO } else { free }).collect();
        let velocities: Vec<_> = bodies.map(|body| if body < self.held { Velocity::ZERO } else { falling }).collect();
        let contacts: Vec<Contact> = self.contacts.iter().map(Touch::contact).collect();
        let stiffness: Vec<f64> = self.contacts.iter().map(|touch| touch.stiffness).collect();
        let (friction, rows) = (Friction::Coulomb, &[]);
        let problem =
            Problem { masses: &masses, velocities: &velocities, contacts: &contacts, optional: &[], rows, friction };
        let forces = self.weights();
        let forces = forces.into_iter().map(|force| Impulse::force(force, Vec3::zeros())).collect();
        let impulses = Impulses { contacts: forces, ..Impulses::default() };
        let mut solver = Solver::default();
        let outcome = solver.take(&problem, &impulses).expect("memory");
        assert!(outcome.residual_max < 1e-12, "the weights are carried: {outcome:?}");
        let elastic =
            Elastic { exponent, form: Form::Normal, ratio: 2.0 / 7.0, tolerance: 1e-12, closing: 1e-9, touching: 0.0 };
        let (mut displacements, mut compatible) = (Vec::new(), Impulses::default());
        let report = solver
            .correct(
                &problem,
                StiffContacts { impulses: &impulses, stiffness: &stiffness, openings: &[] },
                &elastic,
                &mut displacements,
                &mut compatible,
            )
            .expect("memory");
        assert_eq!((report.infeasible, report.unconverged), (0, 0), "{report:?}");
        compatible.contacts.iter().map(|impulse| impulse.normal).collect()
    }

    /// What contacts with normal forces `forces` along `normals` press each held sphere down with.
    fn base_forces(&self, forces: &[f64], normals: impl Iterator<Item = Vec3>) -> Vec<f64> {
        let mut sums = vec![0.0; self.held];
        for ((touch, force), normal) in self.contacts.iter().zip(forces).zip(normals) {
            if let Some(sum) = sums.get_mut(touch.bodies[0]) {
                *sum += force * normal.z;
            }
        }
        sums
    }
}

impl Touch {
    fn contact(&self) -> Contact {
        Contact {
            body_a: self.bodies[0].into(),
            body_b: self.bodies[1].into(),
            normal: self.normal,
            arm_a: self.normal,
            arm_b: -self.normal,
            normal_bias: 0.0,
            friction: 0.0,
        }
    }

    /// The overlap after the spheres have moved by `moved` against each other, and the normal then.
    ///
    /// `2 - |2 n + m| = -(4 n.m + m.m) / (2 + |2 n + m|)`: from displacements, so that an overlap of 1e-7 radii is not
    /// the difference of numbers that are known to 1e-15 of the size of the pyramid.
    fn overlap(&self, moved: &Vec3) -> (f64, Vec3) {
        let between = 2.0 * self.normal + moved;
        let distance = between.norm();
        (-(4.0 * self.normal.dot(moved) + moved.norm_squared()) / (2.0 + distance), between / distance)
    }
}

/// Elastic spheres in motion.
struct Dem<'a> {
    lattice: &'a Lattice,
    exponent: f64,
    /// `k` of a contact of relative stiffness 1.
    stiffness: f64,
    /// From the lattice.
    moved: Vec<Vec3>,
    speeds: Vec<Vec3>,
    forces: Vec<Vec3>,
}

impl<'a> Dem<'a> {
    fn released(lattice: &'a Lattice, exponent: f64, stiffness: f64) -> Self {
        let zeros = vec![Vec3::zeros(); lattice.places.len()];
        Self { lattice, exponent, stiffness, moved: zeros.clone(), speeds: zeros.clone(), forces: zeros }
    }

    /// The elastic force of a contact, and its derivative.
    fn law(&self, touch: &Touch, overlap: f64) -> (f64, f64) {
        if overlap <= 0.0 {
            return (0.0, 0.0);
        }
        let slope = self.stiffness * touch.stiffness * if self.exponent == HERTZ { overlap.sqrt() } else { 1.0 };
        (slope * overlap, (self.exponent - 1.0) * slope)
    }

    /// Forces on all spheres, with the dashpots of the contacts, `2 sqrt(k m)` with the derivative of the force as `k`;
    /// contacts do not pull. Returns the largest derivative.
    fn press(&mut self, dashpots: f64) -> f64 {
        self.forces.fill(-Vec3::z());
        let mut steepest = 0.0_f64;
        for touch in &self.lattice.contacts {
            let [a, b] = touch.bodies;
            let (overlap, normal) = touch.overlap(&(self.moved[b] - self.moved[a]));
            let (force, slope) = self.law(touch, overlap);
            if force > 0.0 {
                steepest = steepest.max(slope);
                let damping = dashpots * 2.0 * slope.sqrt() * normal.dot(&(self.speeds[b] - self.speeds[a]));
                let force = (force - damping).max(0.0) * normal;
                self.forces[a] -= force;
                self.forces[b] += force;
            }
        }
        steepest
    }

    /// The largest force that moves a sphere, in weights.
    fn unrest(&mut self) -> f64 {
        self.press(0.0);
        self.forces[self.lattice.held..].iter().map(Vec3::norm).fold(0.0, f64::max)
    }

    /// Symplectic Euler steps until nothing moves a sphere by more than 1e-12 of its weight. Returns how many.
    ///
    /// A mode of the lattice has up to eight times the stiffness of a contact and 16 times its damping. With the step
    /// `s sqrt(m / k)`, steps are stable while `8 s^2 + 32 s < 4`, so for `s < 0.12`. The dashpots barely slow the
    /// longest waves; a drag on every sphere does, at the pace of these.
    fn settle(&mut self, drag: f64) -> usize {
        const EVERY: usize = 200;
        // steeper than any; it falls in a few steps to what contacts are
        let mut steepest = self.stiffness;
        for count in 1..=2000 {
            for _ in 0..EVERY {
                steepest = self.press(1.0).max(0.5 * steepest);
                let frequency = steepest.sqrt();
                let step = 0.1 / frequency;
                let free = self.lattice.held..;
                let bodies = self.moved[free.clone()].iter_mut().zip(&mut self.speeds[free.clone()]);
                for ((moved, speed), force) in bodies.zip(&self.forces[free]) {
                    *speed += step * (force - drag * frequency * *speed);
                    *moved += step * *speed;
                }
            }
            if self.unrest() <= 1e-12 {
                return count * EVERY;
            }
        }
        panic!("still moving: {:e}", self.unrest());
    }

    /// Normal forces, and normals.
    fn network(&self) -> (Vec<f64>, Vec<Vec3>) {
        let contact = |touch: &Touch| {
            let [a, b] = touch.bodies;
            let (overlap, normal) = touch.overlap(&(self.moved[b] - self.moved[a]));
            (self.law(touch, overlap).0, normal)
        };
        self.lattice.contacts.iter().map(contact).unzip()
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

/// The differences of base forces at three stiffnesses, each of which halves overlaps; of all forces where they tend to.
fn differences(base: usize, stiff: f64, exponent: f64, softest: f64) -> ([f64; 3], f64) {
    let lattice = Lattice::pyramid(base, stiff);
    let corrected = lattice.corrected(exponent);
    let rigid = lattice.base_forces(&corrected, lattice.contacts.iter().map(|touch| touch.normal));
    let mut dem = Dem::released(&lattice, exponent, softest);
    let (mut errors, mut last, mut limit) = ([0.0; 3], vec![0.0; corrected.len()], 0.0);
    for error in &mut errors {
        let begin = Instant::now();
        let steps = dem.settle(1.0 / base as f64);
        let (forces, normals) = dem.network();
        let soft = lattice.base_forces(&forces, normals.into_iter());
        *error = difference(&rigid, &soft);
        let tends: Vec<f64> = forces.iter().zip(&last).map(|(force, last)| 2.0 * force - last).collect();
        limit = difference(&corrected, &tends);
        println!(
            "base {base}, p {exponent}, moduli 1:{stiff}, k {:.1e}: {steps} steps, {:.2} s, base {:.2e}, limit {limit:.1e}",
            dem.stiffness,
            begin.elapsed().as_secs_f64(),
            *error,
        );
        last = forces;
        let weights: f64 = soft.iter().sum();
        assert!((weights - (lattice.places.len() - lattice.held) as f64).abs() < 1e-9, "{weights}");
        // from there on: overlaps halve
        dem.stiffness *= 2.0_f64.powf(exponent - 1.0);
        dem.moved.iter_mut().for_each(|moved| *moved *= 0.5);
    }
    (errors, limit)
}

fn check(stiff: f64, exponent: f64, softest: f64, table: f64) {
    for base in [5, 10] {
        let ([first, second, third], limit) = differences(base, stiff, exponent, softest);
        for ratio in [first / second, second / third] {
            println!("ratio - 2: {:e}", ratio - 2.0);
            // the next order is smaller by the overlap over the radius, up to 1e-5, times how many spheres lie in a row
            assert!((ratio - 2.0).abs() < 1e-4, "base {base}, p {exponent}: {ratio}");
        }
        assert!(third < table, "base {base}, p {exponent}: {third:e}");
        // the square of that overlap
        assert!(limit < 1e-10, "base {base}, p {exponent}: {limit:e}");
    }
}

#[test]
fn hooke() {
    check(1.0, HOOKE, 1e6, 1.9e-5);
}

#[test]
fn hooke_of_two_species() {
    check(5.0, HOOKE, 1e6, 2.3e-5);
}

#[test]
fn hertz() {
    check(1.0, HERTZ, 1e9, 2.8e-5);
}
