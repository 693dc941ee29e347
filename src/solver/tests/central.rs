//! Central contacts: which ones are, and that they are solved like general ones.

use super::random::{Random, Scene, plain};
use crate::math::{Symmetric3, Vec3};
use crate::solver::central::CentralRow;
use crate::solver::general::GeneralRow;
use crate::solver::problem::{Contact, FIXED, Impulse, MassInverse, Velocity};

/// Spheres in a heap of central contacts of every kind: with each other, with the fixed world, with turning kinematic
/// bodies touched anywhere, with conveyors, bias and compliance.
fn heap(random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    for body in 0..12 {
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        if body % 6 == 5 {
            scene.kinematic(velocity);
        } else {
            let mass = random.magnitude(0.5, 5.0);
            let radius = random.between(0.3, 1.0);
            scene.sphere(mass, radius, velocity);
        }
    }
    while scene.contacts.len() < 30 {
        let a = if random.one_in(5) { FIXED } else { random.index(12) as u32 };
        let b = random.index(12) as u32;
        let problem = scene.problem();
        if a == b || !(problem.moves(a) || problem.moves(b)) {
            continue;
        }
        let normal = random.direction();
        let mut arm = |body: u32, outward: Vec3| {
            if problem.moves(body) { random.between(0.3, 1.0) * outward } else { random.vector(1.0) }
        };
        let (arm_a, arm_b) = (arm(a, normal), arm(b, -normal));
        scene.contacts.push(Contact {
            arm_a,
            arm_b,
            normal_bias: random.between(-1.0, 0.2),
            surface_velocity: if random.one_in(3) { random.vector(1.0) } else { Vec3::zeros() },
            normal_compliance: if random.one_in(3) { 0.1 } else { 0.0 },
            tangential_compliance: if random.one_in(3) { 0.2 } else { 0.0 },
            friction: if random.one_in(5) { 0.0 } else { random.between(0.1, 1.0) },
            ..plain(a, b, normal)
        });
    }
    scene
}

#[test]
fn central_and_general_rows_give_the_same_impulses_sweep_by_sweep() {
    let mut random = Random(1);
    for case in 0..20 {
        let scene = heap(&mut random);
        let problem = scene.problem();
        let resting = scene.masses.len() as u32;
        let rows = || scene.contacts.iter().enumerate().map(|(index, contact)| (index as u32, contact));
        let mut central: Vec<CentralRow> = rows()
            .map(|(index, contact)| CentralRow::new(&problem, index, contact, resting).expect("central"))
            .collect();
        let mut general: Vec<GeneralRow> =
            rows().map(|(index, contact)| GeneralRow::new(&problem, index, contact, resting)).collect();
        let (masses, mut start) = scene.with_world();
        let first = Impulse::force(0.1, Vec3::zeros());
        for contact in &scene.contacts {
            let impulse = first.vector(&contact.normal);
            let (a, b) = (contact.body_a.min(resting) as usize, contact.body_b.min(resting) as usize);
            masses[a].apply(&mut start[a], &-impulse, &contact.arm_a.cross(&-impulse));
            masses[b].apply(&mut start[b], &impulse, &contact.arm_b.cross(&impulse));
        }
        let (mut by_central, mut by_general) = (start.clone(), start);
        central.iter_mut().for_each(|row| row.set(&first));
        general.iter_mut().for_each(|row| row.set(&first));
        for sweep in 0..30 {
            central.iter_mut().for_each(|row| {
                row.relax(&mut by_central, 1.0);
            });
            general.iter_mut().for_each(|row| {
                row.relax(&masses, &mut by_general, 1.0);
            });
            let largest = central.iter().fold(0.0, |most: f64, row| most.max(row.impulse().normal));
            for (row, other) in central.iter().zip(&general) {
                let (one, other) = (row.impulse(), other.impulse());
                let error = (one.normal - other.normal).abs().max((one.tangential - other.tangential).norm());
                // Round-off of 30 contacts in 30 sweeps, a few eps each.
                assert!(error <= 1e-12 * largest, "case {case}, sweep {sweep}, contact {}: {error:e}", row.contact);
            }
        }
    }
}

#[test]
fn only_contacts_through_every_moving_centre_are_central() {
    let mut scene = Scene::default();
    let sphere = scene.sphere(1.0, 0.5, Velocity::ZERO);
    let brick = scene.body(1.0, Symmetric3::diagonal([1.0, 1.0, 2.0]), Velocity::ZERO);
    let wall = scene.kinematic(Velocity::ZERO);
    scene.masses.push(MassInverse { linear: Vec3::new(1.0, 0.0, 1.0), angular: Symmetric3::default() });
    scene.velocities.push(Velocity::ZERO);
    let locked = 3;
    let is_central = |a: u32, b: u32, arm_a: Vec3, arm_b: Vec3| {
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let contact = Contact { arm_a, arm_b, ..plain(a, b, normal) };
        CentralRow::new(&scene.problem(), 0, &contact, 4).is_some()
    };
    let n = Vec3::new(0.6, 0.0, 0.8);
    let across = Vec3::new(0.8, 0.0, -0.6);
    assert!(is_central(FIXED, sphere, across, -0.5 * n), "where the world is touched does not matter");
    assert!(is_central(wall, sphere, across, -0.5 * n), "nor where a wall is");
    assert!(!is_central(FIXED, sphere, across, -0.5 * n + 1e-12 * across), "the arm is not along the normal");
    assert!(!is_central(sphere, brick, 0.5 * n, -0.5 * n), "a brick turns unlike about its axes");
    assert!(!is_central(FIXED, locked, across, -0.5 * n), "a locked axis does not answer alike");
}

#[test]
fn a_contact_of_immovable_bodies_does_nothing() {
    let mut scene = Scene::default();
    scene.kinematic(Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() });
    let contact = Contact { friction: 0.5, ..plain(FIXED, 0, Vec3::z()) };
    let mut row = CentralRow::new(&scene.problem(), 0, &contact, 1).expect("central");
    let mut velocities = [scene.velocities[0], Velocity::ZERO];
    row.relax(&mut velocities, 1.0);
    assert_eq!(row.impulse(), Impulse::ZERO);
    assert_eq!(velocities, [scene.velocities[0], Velocity::ZERO]);
}
