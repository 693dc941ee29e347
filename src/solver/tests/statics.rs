//! Statics of given contacts against closed forms, and by independent checks of all laws.

mod increments;
mod lattices;
mod mechanisms;
mod moved;
mod order;
mod sliding;
mod walls;

use super::random::{Random, Scene, plain};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Friction, Impulses, MassInverse, OptionalTerms, Velocity};
use crate::solver::statics::*;

pub(super) fn force(x: f64, y: f64, z: f64) -> Load {
    Load { force: Vec3::new(x, y, z), torque: Vec3::zeros() }
}

/// A body that moves in the plane of x and y alone.
pub(super) fn planar(scene: &mut Scene) -> BodyRow {
    scene.masses.push(MassInverse { linear: Vec3::new(1.0, 1.0, 0.0), angular: Symmetric3::diagonal([0.0, 0.0, 1.0]) });
    scene.free.push(None);
    scene.velocities.push(Velocity::ZERO);
    BodyRow::from(scene.masses.len() - 1)
}

/// A block b wide and h high on the ground, on four corners.
pub(super) fn block(b: f64, h: f64, mu: f64) -> Scene {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
        let arm_b = Vec3::new(b * x, b * y, -0.5 * h);
        scene.contacts.push(Contact { arm_b, friction: mu, ..plain(BodyRow::NONE, body, Vec3::z()) });
    }
    scene
}

/// Stiffness k along normals, and 2/3 of it across.
fn soften(scene: &mut Scene, k: f64) {
    let soft = OptionalTerms { normal_compliance: 1.0 / k, tangential_compliance: 1.5 / k, ..OptionalTerms::NONE };
    scene.optional = vec![soft; scene.contacts.len()];
}

struct Found {
    outcome: StaticOutcome,
    forces: Impulses,
    moves: Vec<Velocity>,
}

fn solve(scene: &Scene, loads: &[Load], max_displacement: f64) -> Found {
    let problem = scene.problem();
    let (length, tolerance, stiffness_ratio) = (1.0, 1e-10, 2.0 / 3.0);
    let (proximal, rounds) = (1e-3, 20);
    let input = StaticInput {
        problem: &problem,
        loads,
        length,
        tolerance,
        max_displacement,
        proximal,
        rounds,
        stiffness_ratio,
    };
    let (mut forces, mut moves) = (Impulses::default(), Vec::new());
    let outcome = Statics::default().solve(&input, &mut forces, &mut moves).expect("memory");
    Found { outcome, forces, moves }
}

#[test]
fn rigid_and_stiff_blocks_share_their_weight_alike() {
    let weight = [force(1.0, 0.0, -9.0)];
    let rigid = solve(&block(1.0, 1.0, 0.5), &weight, 0.1);
    assert!(rigid.outcome.is_converged && !rigid.outcome.is_collapse, "{:?}", rigid.outcome);
    // The torque 1 N x 0.5 m is carried by pairs of corners at 1 m.
    for (contact, normal) in rigid.forces.contacts.iter().zip([2.0, 2.5, 2.0, 2.5]) {
        assert!((contact.normal - normal).abs() <= 1e-10, "{contact:?}");
        assert!((contact.tangential - Vec3::new(-0.25, 0.0, 0.0)).norm() <= 1e-10, "{contact:?}");
    }
    let mut scene = block(1.0, 1.0, 0.5);
    soften(&mut scene, 1e6);
    let soft = solve(&scene, &weight, 0.1);
    for (one, other) in soft.forces.contacts.iter().zip(&rigid.forces.contacts) {
        assert!((one.normal - other.normal).abs() + (one.tangential - other.tangential).norm() <= 1e-9);
    }
    // Clapeyron: from no overlap the load does twice the elastic energy.
    let work = soft.moves[0].linear.dot(&weight[0].force);
    assert!((work - 2.0 * soft.outcome.elastic_energy).abs() <= 1e-12 * work, "{work:e} {:?}", soft.outcome);
    let sink = 9.0 / 4e6;
    assert!((soft.moves[0].linear.z + sink).abs() <= 1e-9 * sink, "{:?}", soft.moves[0]);
}

#[test]
fn what_nothing_carries_collapses() {
    let pushed = solve(&block(1.0, 1.0, 0.5), &[force(5.0, 0.0, -9.0)], 0.1);
    assert!(pushed.outcome.is_collapse && pushed.moves[0].linear.x > 0.1, "{:?} {:?}", pushed.outcome, pushed.moves[0]);
    let lifted = solve(&block(1.0, 1.0, 0.5), &[force(0.0, 0.0, 1.0)], 0.1);
    assert!(lifted.outcome.is_collapse && lifted.moves[0].linear.z > 0.1, "{:?}", lifted.outcome);
}

#[test]
fn a_body_falls_into_its_contact_and_a_loose_one_stays() {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let ball = scene.sphere(1.0, 0.5, Velocity::ZERO);
    let loose = scene.sphere(1.0, 0.5, Velocity::ZERO);
    let arm_b = Vec3::new(0.0, 0.0, -0.5);
    scene.contacts.push(Contact { arm_b, friction: 0.5, normal_bias: 0.02, ..plain(BodyRow::NONE, ball, Vec3::z()) });
    scene.contacts.push(Contact { arm_b, friction: 0.5, normal_bias: 0.05, ..plain(BodyRow::NONE, loose, Vec3::z()) });
    for k in [0.0, 1e4] {
        if k > 0.0 {
            soften(&mut scene, k);
        }
        let found = solve(&scene, &[force(0.0, 0.0, -9.0), Load::ZERO], 0.1);
        let down = 0.02 + if k > 0.0 { 9.0 / k } else { 0.0 };
        assert!(found.outcome.is_converged && !found.outcome.is_collapse, "{:?}", found.outcome);
        assert!((found.moves[ball].linear.z + down).abs() <= 1e-10, "{k}: {:?}", found.moves[ball]);
        assert!((found.forces.contacts[0].normal - 9.0).abs() <= 1e-9, "{:?}", found.forces);
        // The barrier of interior points moves what nothing holds, by its last force over its proximal term.
        assert!(found.moves[loose].linear.norm() <= 2e-5, "{:?}", found.moves[loose]);
        assert!(found.forces.contacts[1].normal == 0.0, "{:?}", found.forces);
    }
}

/// A block of the weight W between two walls that do not press it: [N] dilates, so that it holds. By Coulomb's law it falls.
#[test]
fn a_block_between_walls_is_held_by_dilation_alone() {
    let (mu, k, weight) = (0.4, 1e5, 3.0);
    for friction in [Friction::Associated, Friction::Coulomb] {
        let mut scene = Scene { friction, ..Scene::default() };
        let body = planar(&mut scene);
        for sign in [-1.0, 1.0] {
            let arm_b = Vec3::new(0.5 * sign, 0.0, 0.0);
            let contact = plain(BodyRow::NONE, body, Vec3::new(-sign, 0.0, 0.0));
            scene.contacts.push(Contact { arm_b, friction: mu, ..contact });
        }
        soften(&mut scene, k);
        let found = solve(&scene, &[force(0.0, -weight, 0.0)], 1.0);
        if friction == Friction::Coulomb {
            assert!(found.outcome.is_collapse && found.outcome.displacement_max > 1.0, "{:?}", found.outcome);
            assert!(found.moves[body].linear.y < -1.0 && !found.outcome.is_associated, "{:?}", found.moves[body]);
            continue;
        }
        // p = W / 2 mu on each side; it drops W / 2 k_t + W / (2 mu^2 k_n).
        let (p, drop) = (0.5 * weight / mu, 0.5 * weight * 1.5 / k + 0.5 * weight / (mu * mu * k));
        assert!(found.outcome.is_converged, "{:?}", found.outcome);
        assert!((found.forces.contacts[0].normal - p).abs() <= 1e-9, "{:?}", found.forces);
        assert!((found.moves[body].linear.y + drop).abs() <= 1e-9 * drop, "{:?} {drop:e}", found.moves[body]);
    }
}

/// A pyramid of balls in their weights, and a push at its top.
fn pyramid(friction: Friction, k: f64, mu: f64) -> (Scene, Vec<Load>) {
    let mut scene = Scene::pyramid(4, mu, 0.0);
    scene.friction = friction;
    scene.velocities.fill(Velocity::ZERO);
    if k > 0.0 {
        soften(&mut scene, k);
    }
    let mut random = Random(41);
    let loads =
        scene.masses.iter().map(|_| force(random.between(-0.1, 0.1), random.between(-0.1, 0.1), -9.0)).collect();
    (scene, loads)
}

/// Checks balance and all laws contact by contact, from moves and forces alone. `dilates`: whether what slides opens.
fn check_laws(scene: &Scene, loads: &[Load], found: &Found, k: f64, dilates: bool) {
    let mut sums: Vec<Load> = loads.to_vec();
    let (force_error, move_error) = (1e-9, 1e-9 / k);
    for (contact, force) in scene.contacts.iter().zip(&found.forces.contacts) {
        let vector = force.vector(&contact.normal);
        for (body, arm, sign) in [(contact.body_a, contact.arm_a, -1.0), (contact.body_b, contact.arm_b, 1.0)] {
            if let Some(sum) = sums.get_mut(body.index()) {
                sum.force += sign * vector;
                sum.torque += sign * arm.cross(&vector);
            }
        }
        let of = |body: BodyRow| found.moves.get(body.index()).copied().unwrap_or(Velocity::ZERO);
        let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
        let u_n = contact.normal.dot(&u);
        let w_n = u_n + contact.normal_bias + force.normal / k;
        let w_t = u - u_n * contact.normal + 1.5 / k * force.tangential;
        let slack = contact.friction * force.normal - force.tangential.norm();
        assert!(slack >= -force_error, "{force:?}");
        let lift = if dilates { contact.friction * w_t.norm() } else { 0.0 };
        assert!(w_n - lift >= -move_error, "{w_n:e} {w_t:?}");
        assert!(((w_n - lift) * k).min(force.normal).abs() <= force_error, "{:e} {:e}", w_n - lift, force.normal);
        if slack > 1e-7 {
            assert!(w_t.norm() <= move_error, "{w_t:?}");
        } else {
            // against the force
            assert!(w_t.dot(&force.tangential) <= move_error, "{w_t:?} {force:?}");
        }
    }
    for sum in &sums {
        assert!(sum.force.norm() <= force_error && sum.torque.norm() <= force_error, "{sum:?}");
    }
}

#[test]
fn elastic_pyramids_obey_all_laws() {
    // Below tan(45 deg / 2) friction of balls under 45 degrees does not hold them.
    for mu in [0.6, 0.7, 1.5] {
        let k = 1e5;
        let (scene, loads) = pyramid(Friction::Associated, k, mu);
        let found = solve(&scene, &loads, 1.0);
        assert!(found.outcome.is_converged && !found.outcome.is_collapse, "{mu}: {:?}", found.outcome);
        check_laws(&scene, &loads, &found, k, true);
        let (scene, loads) = pyramid(Friction::Coulomb, k, mu);
        let found = solve(&scene, &loads, 1.0);
        check_laws(&scene, &loads, &found, k, found.outcome.is_associated);
        assert!(!found.outcome.is_associated || mu < 1.0, "{mu}");
        // No forces of Coulomb's law exist where soft contacts do not come to rest.
        assert_eq!(found.outcome.is_associated, !comes_to_rest(&scene, &loads, k), "{mu}");
    }
}

/// Whether damped bodies on soft contacts come to rest while their loads grow in proportion, at the normals and arms of the start.
fn comes_to_rest(scene: &Scene, loads: &[Load], k: f64) -> bool {
    const STEPS: usize = 40_000;
    let (step, damping, inertia) = (2.5e-4, 60.0, 0.1);
    let (mut moves, mut speeds) = (vec![Velocity::ZERO; loads.len()], vec![Velocity::ZERO; loads.len()]);
    let mut shear = vec![Vec3::zeros(); scene.contacts.len()];
    let mut missing = 0.0_f64;
    for at in 0..STEPS {
        let part = (2.0 * at as f64 / STEPS as f64).min(1.0);
        let mut rest: Vec<Load> = loads.iter().map(|load| Load { force: part * load.force, ..*load }).collect();
        for (contact, shear) in scene.contacts.iter().zip(&mut shear) {
            let of = |all: &[Velocity], body: BodyRow| all.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let [u, v] = [&moves, &speeds]
                .map(|all| contact.relative_velocity(&of(all, contact.body_a), &of(all, contact.body_b)));
            let normal = (-k * contact.normal.dot(&u)).max(0.0);
            *shear -= k / 1.5 * step * (v - contact.normal.dot(&v) * contact.normal);
            let limit = contact.friction * normal;
            if shear.norm() > limit {
                *shear *= limit / shear.norm();
            }
            let force = normal * contact.normal + *shear;
            for (body, arm, sign) in [(contact.body_a, contact.arm_a, -1.0), (contact.body_b, contact.arm_b, 1.0)] {
                if let Some(rest) = rest.get_mut(body.index()) {
                    rest.force += sign * force;
                    rest.torque += sign * arm.cross(&force);
                }
            }
        }
        missing = 0.0;
        for ((rest, moves), speed) in rest.iter().zip(&mut moves).zip(&mut speeds) {
            missing = missing.max(rest.force.norm()).max(rest.torque.norm());
            speed.linear = (speed.linear + step * rest.force) / (1.0 + step * damping);
            speed.angular = (speed.angular + step / inertia * rest.torque) / (1.0 + step * damping);
            moves.linear += step * speed.linear;
            moves.angular += step * speed.angular;
        }
    }
    missing < 1e-6
}

/// A pyramid on contacts that resist turning, or of which those with the floor alone are rigid.
#[test]
fn coulomb_forces_are_found_beside_rolling_and_rigid_contacts() {
    let k = 1e5;
    for resists in [false, true] {
        let (mut scene, loads) = pyramid(Friction::Coulomb, k, 1.5);
        for (contact, optional) in scene.contacts.iter().zip(&mut scene.optional) {
            if resists {
                (optional.rolling, optional.twisting) = (0.02, 0.01);
            } else if contact.body_a == BodyRow::NONE {
                *optional = OptionalTerms::NONE;
            }
        }
        let found = solve(&scene, &loads, 1.0);
        assert!(found.outcome.is_converged && !found.outcome.is_associated, "{resists}: {:?}", found.outcome);
        assert!(found.outcome.unbalanced <= 1e-11, "{resists}: {:e}", found.outcome.unbalanced);
        for (at, (contact, force)) in scene.contacts.iter().zip(&found.forces.contacts).enumerate() {
            let of = |body: BodyRow| found.moves.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
            let OptionalTerms { normal_compliance, tangential_compliance, rolling, twisting, .. } = scene.optional[at];
            let (u_n, turn) = (contact.normal.dot(&u), of(contact.body_b).angular - of(contact.body_a).angular);
            let w_n = u_n + normal_compliance * force.normal;
            assert!((w_n * k).min(force.normal).abs() <= 1e-10, "{w_n:e} {force:?}");
            let slip = u - u_n * contact.normal + tangential_compliance * force.tangential;
            let torque = if resists { found.forces.torques[at] } else { Vec3::zeros() };
            let spin = contact.normal.dot(&turn) * contact.normal;
            let twist = contact.normal.dot(&torque) * contact.normal;
            for (motion, carried, bound) in [
                (slip, force.tangential, contact.friction),
                (turn - spin, torque - twist, rolling),
                (spin, twist, twisting),
            ] {
                if bound == 0.0 {
                    continue;
                }
                let limit = bound * force.normal;
                // Against the motion, and at its bound where there is one.
                let size = motion.norm() * k;
                assert!(carried.norm() <= limit + 1e-11, "{carried:?} {limit}");
                assert!((motion.dot(&carried) + motion.norm() * limit).abs() * k <= 1e-9 * (1.0 + size), "{motion:?}");
            }
        }
    }
}

#[test]
fn rigid_pyramids_carry_what_stiff_ones_do() {
    for friction in [Friction::Associated, Friction::Coulomb] {
        let (stiff, loads) = pyramid(friction, 1e9, 0.6);
        let (rigid, _) = pyramid(friction, 0.0, 0.6);
        let [stiff, rigid] = [solve(&stiff, &loads, 1.0), solve(&rigid, &loads, 1.0)];
        assert!(rigid.outcome.is_converged && rigid.outcome.unbalanced <= 1e-9, "{:?}", rigid.outcome);
        for (one, other) in stiff.forces.contacts.iter().zip(&rigid.forces.contacts) {
            let difference = (one.normal - other.normal).abs() + (one.tangential - other.tangential).norm();
            assert!(difference <= 1e-8 * 9.0, "{friction:?} {one:?} {other:?}");
        }
    }
}
