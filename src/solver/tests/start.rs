//! Warm starts: what each makes of the remembered impulses, and that the guarded one is the best along them.

use super::random::{Random, Scene};
use crate::math::{ContactId, Vec3};
use crate::solver::operator::assembly::{Assembly, gather};
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::islands::{Islands, clear_inert};
use crate::solver::problem::start::Start;
use crate::solver::problem::{Impulse, Impulses, Velocity};

fn remembered(random: &mut Random, scene: &Scene) -> Vec<Impulse> {
    let mut impulse = |normal: &Vec3| Impulse::force(random.between(0.0, 1.0), normal.cross(&random.vector(0.5)));
    scene.contacts.iter().map(|contact| impulse(&contact.normal)).collect()
}

fn prepared(start: Start, scene: &Scene, impulses: &[Impulse]) -> Vec<Impulse> {
    let mut prepared = scene.with_contacts(impulses);
    start.prepare(&scene.problem(), &mut prepared, &mut vec![Velocity::ZERO; scene.masses.len() + 1]);
    prepared.contacts
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
        let mut old = scene.with_contacts(&remembered(&mut random, &scene));
        // what no impulse moves is in no island
        clear_inert(&scene.problem(), &mut old);
        let old = old.contacts;
        let mut islands = Islands::default();
        islands.find(&scene.problem()).expect("memory");
        let dual_energy = |impulses: &[Impulse]| energy_along(&scene, &islands, &scene.with_contacts(impulses), 1.0);
        let start = prepared(Start::Guarded, &scene, &old);
        let pairs = start.iter().zip(&old).map(|(new, old)| (new.normal, old.normal));
        let (new, largest) = pairs.max_by(|one, other| one.1.total_cmp(&other.1)).expect("contacts");
        let factor = new / largest;
        assert!((0.0..=1.0).contains(&factor));
        let energy = dual_energy(&start);
        assert!(energy <= 0.0, "case {case}: {energy} at {factor}");
        for step in 0..=100 {
            let other: Vec<Impulse> = old.iter().map(|impulse| impulse.scaled(0.01 * f64::from(step))).collect();
            let other = dual_energy(&other);
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

/// A scene with torques and rows, and something remembered of all that moves.
fn with_rows_and_torques(random: &mut Random) -> (Scene, Islands, Impulses) {
    let mut scene = Scene::random(random, 12, 15);
    scene.random_rows(random, 10);
    scene.resist_turning(random);
    let mut old = scene.with_contacts(&remembered(random, &scene));
    for (optional, torque) in scene.optional.iter().zip(&mut old.torques) {
        if optional.resists_turning() {
            *torque = random.vector(0.5);
        }
    }
    old.rows.fill_with(|| random.between(-1.0, 1.0));
    let mut islands = Islands::default();
    islands.find(&scene.problem()).expect("memory");
    clear_inert(&scene.problem(), &mut old);
    (scene, islands, old)
}

/// The dual energy of these impulses times `factor`, island by island from the reduced form.
fn energy_along(scene: &Scene, islands: &Islands, impulses: &Impulses, factor: f64) -> f64 {
    let (mut reduced, mut lambda, mut energy) = (Reduced::default(), Vec::new(), 0.0);
    for number in 0..islands.len() {
        let (problem, island) = (scene.problem(), islands.get(number));
        Assembly::default().reduce(&problem, &island, &mut reduced).expect("memory");
        gather(&problem, &island, &reduced, impulses, &mut lambda).expect("memory");
        lambda.iter_mut().for_each(|value| *value *= factor);
        for (row, (value, q)) in lambda.iter().zip(&reduced.q).enumerate() {
            energy += value * (q + 0.5 * reduced.matrix.row_times(row, &lambda));
        }
    }
    energy
}

#[test]
fn the_guarded_factor_is_where_the_slope_of_the_dual_energy_vanishes() {
    let mut random = Random(4);
    let mut met = [0; 3];
    for case in 0..300 {
        let (scene, islands, old) = with_rows_and_torques(&mut random);
        let mut start = old.clone();
        Start::Guarded.prepare(&scene.problem(), &mut start, &mut vec![Velocity::ZERO; scene.masses.len() + 1]);
        let pairs = start.contacts.iter().zip(&old.contacts).map(|(new, old)| (new.normal, old.normal));
        let (new, largest) = pairs.max_by(|one, other| one.1.total_cmp(&other.1)).expect("contacts");
        let factor = new / largest;
        // All are scaled alike: contacts, torques and rows.
        for contact in ContactId::range(0..scene.contacts.len()) {
            let (new, old) = (start.wrench(contact), old.wrench(contact));
            let error = (new.force.tangential - factor * old.force.tangential).norm();
            let error = error.max((new.torque - factor * old.torque).norm());
            assert!(error <= 4e-16 + 4e-16 * factor, "case {case}: {error:e}");
        }
        assert!(start.rows.iter().zip(&old.rows).all(|(new, old)| (new - factor * old).abs() <= 4e-16), "case {case}");
        // The energy is a parabola in the factor: differences over one are its slope, to the round-off of some 1000 products.
        let at = |factor: f64| energy_along(&scene, &islands, &old, factor);
        let slope = at(factor + 0.5) - at(factor - 0.5);
        let size = at(1.0).abs() + at(-1.0).abs() + 1.0;
        let place = if factor == 0.0 {
            0
        } else if factor == 1.0 {
            2
        } else {
            1
        };
        let vanishes = slope.abs() <= 1e-12 * size;
        assert!(
            vanishes || (place == 0 && slope > 0.0) || (place == 2 && slope < 0.0),
            "case {case}: {slope:e} at {factor}"
        );
        met[place] += 1;
    }
    assert!(met[0] > 10 && met[1] > 50, "{met:?}");
}

#[test]
fn each_mode_does_to_rows_and_torques_what_it_says() {
    let mut random = Random(5);
    let (scene, _, old) = with_rows_and_torques(&mut random);
    let prepared = |start: Start| {
        let mut impulses = old.clone();
        start.prepare(&scene.problem(), &mut impulses, &mut vec![Velocity::ZERO; scene.masses.len() + 1]);
        impulses
    };
    assert_eq!(prepared(Start::Zero), scene.no_impulses());
    let halved = prepared(Start::History(0.5));
    assert!(halved.rows.iter().zip(&old.rows).all(|(new, old)| *new == 0.5 * old));
    assert_eq!(halved.torques.len(), scene.contacts.len());
    assert!(halved.torques.iter().zip(&old.torques).all(|(new, old)| *new == 0.5 * old));
    let normals = prepared(Start::Normals(0.5));
    assert_eq!(normals.torques, vec![Vec3::zeros(); scene.contacts.len()]);
    for ((new, old), row) in normals.rows.iter().zip(&old.rows).zip(&scene.rows) {
        // friction rows are no normals
        assert_eq!(*new, if row.friction_row.is_some() { 0.0 * old } else { 0.5 * old });
    }
}
