//! Warm starts: what each makes of the remembered impulses, and that the guarded one is the best along them.

use super::random::{Random, Scene};
use crate::math::Vec3;
use crate::solver::delassus::{frame, free_velocity, operator};
use crate::solver::problem::{Impulse, Velocity};
use crate::solver::start::Start;

fn remembered(random: &mut Random, scene: &Scene) -> Vec<Impulse> {
    let mut impulse =
        |normal: &Vec3| Impulse { normal: random.between(0.0, 1.0), tangential: normal.cross(&random.vector(0.5)) };
    scene.contacts.iter().map(|contact| impulse(&contact.normal)).collect()
}

fn prepared(start: Start, scene: &Scene, impulses: &[Impulse]) -> Vec<Impulse> {
    let mut prepared = impulses.to_vec();
    start.prepare(&scene.problem(), &mut prepared, &mut vec![Velocity::ZERO; scene.masses.len() + 1]);
    prepared
}

/// `lambda (Wd + S) lambda / 2 + q lambda` by the sparse operator.
fn dual_energy(scene: &Scene, impulses: &[Impulse]) -> f64 {
    let problem = scene.problem();
    let rows: Vec<f64> = scene
        .contacts
        .iter()
        .zip(impulses)
        .flat_map(|(contact, impulse)| frame(contact).map(|e| e.dot(&impulse.vector(&contact.normal))))
        .collect();
    let mut energy: f64 = rows.iter().zip(free_velocity(&problem)).map(|(lambda, q)| lambda * q).sum();
    for (value, (i, j)) in &operator(&problem) {
        energy += 0.5 * rows[i] * value * rows[j];
    }
    for (contact, impulse) in scene.contacts.iter().zip(impulses) {
        energy += 0.5 * contact.normal_compliance * impulse.normal.powi(2);
        energy += 0.5 * contact.tangential_compliance * impulse.tangential.norm_squared();
    }
    energy
}

#[test]
fn each_mode_does_what_it_says() {
    let mut random = Random(1);
    let scene = Scene::random(&mut random, 6, 10);
    let old = remembered(&mut random, &scene);
    assert!(prepared(Start::Zero, &scene, &old).iter().all(|impulse| *impulse == Impulse::ZERO));
    assert_eq!(prepared(Start::History(1.0), &scene, &old), old);
    let halved: Vec<Impulse> = old.iter().map(|impulse| impulse.scaled(0.5)).collect();
    assert_eq!(prepared(Start::History(0.5), &scene, &old), halved);
    assert_eq!(prepared(Start::WithoutVelocity(0.5), &scene, &old), halved);
    let normals: Vec<Impulse> = halved.iter().map(|half| Impulse { tangential: Vec3::zeros(), ..*half }).collect();
    assert_eq!(prepared(Start::Normals(0.5), &scene, &old), normals);
}

#[test]
fn the_guarded_start_is_never_worse_than_zero_and_the_best_along_the_memory() {
    let mut random = Random(2);
    let mut inside = 0;
    for case in 0..100 {
        let scene = Scene::random(&mut random, 10, 20);
        let old = remembered(&mut random, &scene);
        let start = prepared(Start::Guarded, &scene, &old);
        let factor = start[0].normal / old[0].normal;
        assert!((0.0..=1.0).contains(&factor));
        let energy = dual_energy(&scene, &start);
        assert!(energy <= 0.0, "case {case}: {energy} at {factor}");
        for step in 0..=100 {
            let other: Vec<Impulse> = old.iter().map(|impulse| impulse.scaled(0.01 * f64::from(step))).collect();
            let other = dual_energy(&scene, &other);
            // Energies of some 10 J from 1000 products: 1e-12 J of round-off.
            assert!(energy <= other + 1e-12, "case {case}: {energy} at {factor}, {other} at step {step}");
        }
        inside += usize::from(factor > 0.0 && factor < 1.0);
    }
    assert!(inside > 10, "the minimum was at an end in nearly every case");
}

#[test]
fn the_guarded_start_of_nothing_is_nothing() {
    let scene = Scene::random(&mut Random(3), 6, 10);
    let none = vec![Impulse::ZERO; 10];
    assert_eq!(prepared(Start::Guarded, &scene, &none), none);
}
