//! The compatibility correction.

#![allow(clippy::expect_used)]

use std::time::Instant;

use crate::math::{Symmetric3, Vec3};
use crate::solver::compatibility::{Elastic, Form};
use crate::solver::problem::{Contact, FIXED, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::solver::solve::Solver;

#[test]
#[ignore]
fn probe() {
    let list = std::env::var("N").unwrap_or("3".into());
    for n in list.split(",").map(|x| x.parse::<i32>().unwrap()) {
        let r = 1.0;
        let mut bodies: Vec<Vec3> = Vec::new();
        let mut layer_of = Vec::new();
        for layer in 0..n {
            let m = n - layer;
            for i in 0..m {
                for j in 0..m {
                    let x = (2 * i) as f64 + layer as f64;
                    let y = (2 * j) as f64 + layer as f64;
                    bodies.push(Vec3::new(x * r, y * r, layer as f64 * r * 2f64.sqrt()));
                    layer_of.push(layer);
                }
            }
        }
        let mut contacts = Vec::new();
        let contact = |a: u32, b: u32, normal: Vec3| Contact {
            body_a: a,
            body_b: b,
            normal,
            arm_a: normal * r,
            arm_b: -normal * r,
            normal_bias: 0.0,
            surface_velocity: Vec3::zeros(),
            normal_compliance: 0.0,
            tangential_compliance: 0.0,
            friction: 0.3,
            rolling: 0.0,
            twisting: 0.0,
        };
        let mut impulses = Impulses::default();
        // base layer fixed laterally: floor contacts plus a fixed frame by making base bodies immovable
        for (a, x) in bodies.iter().enumerate() {
            for (b, y) in bodies.iter().enumerate().skip(a + 1) {
                if layer_of[b] > layer_of[a] + 1 {
                    break;
                }
                if layer_of[b] == 0 {
                    continue;
                }
                let d = y - x;
                if d.norm() < 2.0 * r * (1.0 + 1e-9) {
                    contacts.push(contact(a as u32, b as u32, d.normalize()));
                }
            }
        }
        let masses: Vec<MassInverse> = layer_of
            .iter()
            .map(|l| {
                if *l == 0 {
                    MassInverse::ZERO
                } else {
                    MassInverse {
                        linear: Vec3::repeat(1.0),
                        angular: Symmetric3 { entries: [2.5, 2.5, 2.5, 0.0, 0.0, 0.0] },
                    }
                }
            })
            .collect();
        // forces: each sphere carries its weight and what lies above in equal parts on four below
        let mut weight: Vec<f64> = vec![1.0; bodies.len()];
        for b in (0..bodies.len()).rev() {
            let w = weight[b];
            for c in contacts.iter().filter(|c| c.body_b as usize == b && c.normal.z > 0.5) {
                weight[c.body_a as usize] += w / 4.0;
            }
        }
        for c in &contacts {
            let normal = if c.normal.z > 0.5 { weight[c.body_b as usize] / 4.0 / c.normal.z } else { 0.0 };
            impulses.contacts.push(Impulse::force(normal, Vec3::zeros()));
        }
        let velocities = vec![Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() }; bodies.len()];
        let velocities: Vec<Velocity> =
            velocities.iter().zip(&layer_of).map(|(v, l)| if *l == 0 { Velocity::ZERO } else { *v }).collect();
        let problem = Problem {
            masses: &masses,
            velocities: &velocities,
            contacts: &contacts,
            rows: &[],
            friction: Friction::Coulomb,
        };
        let mut solver = Solver::default();
        let outcome = solver.take(&problem, &impulses).expect("memory");
        println!("n {n} bodies {} contacts {} residual {:e}", bodies.len(), contacts.len(), outcome.residual_max);
        for form in [Form::Normal, Form::Associated] {
            if form == Form::Associated && n > 20 {
                continue;
            }
            for p in [2.0, 2.5, 1.5, 1.2, 4.0] {
                let elastic = Elastic { exponent: p, form, ratio: 2.0 / 7.0, tolerance: 1e-8, closing: 1e-9 };
                for species in [1, 2] {
                    let mut displacements = Vec::new();
                    let mut compatible = Vec::new();
                    let stiffness: Vec<f64> = contacts
                        .iter()
                        .map(|c| {
                            let e = |b: u32| if b != FIXED && species == 2 && b % 2 == 0 { 5.0 } else { 1.0 };
                            1.0 / (1.0 / e(c.body_a) + 1.0 / e(c.body_b))
                        })
                        .collect();
                    let mut line = format!("{form:?} p {p} species {species}: ");
                    for _ in 0..2 {
                        let begin = Instant::now();
                        let found = solver
                            .correct(&problem, (&impulses, &stiffness), &elastic, &mut displacements, &mut compatible)
                            .expect("memory");
                        line += &format!(
                            " {} steps {:.1e} {:.1} ms bad {}{};",
                            found.iterations,
                            found.residual,
                            begin.elapsed().as_secs_f64() * 1e3,
                            found.infeasible,
                            found.unconverged
                        );
                    }
                    println!("{line}");
                }
            }
        }
    }
}
