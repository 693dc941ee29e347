//! Steps in substeps: what a host reads is of the whole step, and the motion is that of so many shorter steps.

use super::scene::{STEP, Scene, close, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::Marks;
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::query::{ACTIVE, SLIDING};
use crate::shape::Shape;
use crate::world::settings::{Compatibility, Projection, WarmStart};
use crate::world::{BodyState, Settings};

fn substeps(substeps: u32) -> Settings {
    Settings { substeps, ..Settings::default() }
}

#[test]
fn one_to_a_thousand_are_offered() {
    for count in [1, 2, 1000] {
        assert_eq!(substeps(count).check(), Ok(()));
    }
    for count in [0, 1001, u32::MAX] {
        let error = substeps(count).check().expect_err("out of range");
        assert_eq!(error.kind, ErrorKind::Argument);
        let expected = if count == 0 { "1 to 1000" } else { "at most 1000" };
        assert_eq!(error.message, format!("substeps is {count}, expected {expected}"));
    }
    // The shortest step has no half.
    let mut scene = Scene::new(substeps(2));
    let error = scene.world.step(1e-100).expect_err("no length").error;
    assert!(error.message.starts_with("step over substeps is 5e-101, expected 1e-100"), "{error}");
    assert_eq!(error.kind, ErrorKind::Argument);
}

#[test]
fn a_free_body_moves_as_in_so_many_steps() {
    // A spinning brick under gravity, a force and a torque: bit for bit, as all lengths are powers of two.
    let fly = |count: u32, steps: u32| {
        let mut scene = Scene::new(substeps(count));
        let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.25, 0.125]).expect("a box")).expect("memory");
        let brick = Definition {
            shape,
            mass: 2.0,
            angular_velocity: [3.0, -5.0, 7.0],
            linear_damping: 0.5,
            angular_damping: 0.25,
            ..Definition::default()
        };
        let brick = scene.add(&brick);
        for _ in 0..steps {
            scene.world.add_force(brick, [1.0, 2.0, 3.0], None).expect("a force");
            scene.world.add_torque(brick, [0.5, -0.25, 0.125]).expect("a torque");
            scene.world.step(STEP * f64::from(8 / steps)).expect("a step");
        }
        scene.state(brick)
    };
    assert_eq!(fly(4, 2), fly(1, 8));
    assert_eq!(fly(8, 1), fly(1, 8));
}

/// A block on the floor that slides along x and stands after 0.1 s, after `steps` of `h`, and the sum of `force h`.
fn slide(count: u32, steps: u32, h: f64) -> (BodyState, f64, u32) {
    let settings = Settings { iterations: 2000, tolerance: 1e-14, ..substeps(count) };
    let mut scene = Scene::new(settings);
    scene.floor();
    let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.5, 0.25]).expect("a box")).expect("memory");
    let block = Definition {
        shape,
        mass: 2.0,
        position: [0.0, 0.0, 0.25],
        linear_velocity: [0.5, 0.0, 0.0],
        ..Definition::default()
    };
    let block = scene.add(&block);
    let mut impulse = 0.0;
    for _ in 0..steps {
        scene.world.step(h).expect("a step");
        impulse += h * scene.force(block)[0];
    }
    (scene.state(block), impulse, scene.world.contacts().fold(0, |all, contact| all | contact.state))
}

#[test]
fn a_block_slides_as_in_so_many_steps() {
    // It slides through 8 steps, then stops within one: in all, friction takes m v = 1 N s. The solves leave 1e-14 m/s
    // each, and round-off in places and arms is 1e-16 m over steps of 2 ms: 1e-13 m/s; over 40 of them, 1e-11 is ample.
    for (steps, expected) in [(8, SLIDING | ACTIVE), (20, ACTIVE)] {
        let (whole, impulse, state) = slide(4, steps, STEP);
        let (parts, sum, _) = slide(1, 4 * steps, 0.25 * STEP);
        assert_eq!(state, expected);
        close(whole.position, parts.position, 1e-12);
        close(whole.linear_velocity, parts.linear_velocity, 1e-11);
        close(whole.angular_velocity, parts.angular_velocity, 1e-11);
        assert!((impulse - sum).abs() <= 1e-11, "{impulse} {sum}");
        assert!((impulse - 2.0 * (whole.linear_velocity[0] - 0.5)).abs() <= 1e-14, "{impulse}");
    }
}

#[test]
fn an_impact_rebounds_once_and_the_rest_of_the_step_follows_it() {
    // 1 kg falls on the floor at 4 m/s and leaves it at 4 e in the first of four substeps; three of free
    // fall follow. At e = 0 it stays, and the floor carries 10 N from then on.
    for (restitution, after) in [(0.0, 0.0), (0.5, 2.0 - 7.5 * STEP), (1.0, 4.0 - 7.5 * STEP)] {
        let mut scene = Scene::new(Settings { contact_margin: 0.25, ..substeps(4) });
        let material = scene.material(0.5, restitution);
        scene.floor();
        let ball =
            scene.add(&Definition { material, linear_velocity: [0.0, 0.0, -4.0], ..scene.ball_at([0.0, 0.0, 0.5]) });
        scene.steps(1);
        assert_eq!(scene.velocity(ball), [0.0, 0.0, after]);
        // m dv = h (f - 10), to the round-off of forces of 1000 N.
        close(scene.force(ball), [0.0, 0.0, (after + 4.0) / STEP + 10.0], 1e-12);
        let contact = scene.world.contacts().next().expect("a contact");
        close([contact.normal_force, 0.0, 0.0], [(after + 4.0) / STEP + 10.0, 0.0, 0.0], 1e-12);
        assert_eq!(contact.state & ACTIVE, ACTIVE, "it carried impulse, in one substep or in four");
        // The last substep is what the next step starts from: the weight, or nothing. Nothing is left to sweep.
        let settings = Settings { tolerance: 1e-12, ..*scene.world.settings() };
        scene.world.set_settings(settings).expect("settings");
        assert_eq!(scene.world.step(STEP).expect("a step").iterations, 0);
    }
}

#[test]
fn a_fall_and_its_bounces_are_those_of_so_many_steps() {
    // The margin lets the floor be seen a step ahead. Places of 1 m are known to 2e-16 m, and a gap over a substep of
    // 2 ms is a speed: 1e-13 m/s; over 200 of them at most 1e-11.
    for restitution in [0.0, 0.5, 1.0] {
        let fall = |count: u32, steps: usize, h: f64| {
            let mut scene = Scene::new(Settings { contact_margin: 0.125, ..substeps(count) });
            let material = scene.material(0.5, restitution);
            scene.floor();
            let ball = scene.add(&Definition { material, ..scene.ball_at([0.0, 0.0, 1.25]) });
            let mut impulse = 0.0;
            for _ in 0..steps {
                scene.world.step(h).expect("a step");
                impulse += h * scene.force(ball)[2];
            }
            (scene.state(ball), impulse)
        };
        let (whole, impulse) = fall(4, 100, STEP);
        let (parts, sum) = fall(1, 400, 0.25 * STEP);
        close(whole.position, parts.position, 1e-11);
        close(whole.linear_velocity, parts.linear_velocity, 1e-11);
        assert!(sum > 5.0 && (impulse - sum).abs() <= 1e-11, "{impulse} {sum}");
    }
}

#[test]
fn what_rests_stays_where_it_is() {
    for count in [2, 3, 16] {
        let (mut scene, [floor, bottom, .., overlap_serial]) =
            column(Settings { iterations: 5000, tolerance: 1e-13, ..substeps(count) });
        let places: Vec<BodyState> = scene.world.body_states().collect();
        for _ in 0..100 {
            scene.steps(1);
        }
        for (before, after) in places.iter().zip(scene.world.body_states()) {
            // 1e-13 m/s for 100 steps.
            close(after.position, before.position, 1e-13);
            close(after.linear_velocity, [0.0; 3], 1e-12);
        }
        // 1e-13 m/s are 1e-13 N s in a substep: 16 * 128 * 1e-13 = 2e-10 N for each of four balls.
        close(scene.force(bottom), [0.0, 0.0, 10.0], 1e-9);
        close(scene.force(overlap_serial), [0.0, 0.0, 10.0], 1e-9);
        close(scene.force(floor), [0.0, 0.0, -40.0], 1e-9);
    }
}

/// Balls and bricks of 0.5 to 25 kg fall into each other on the floor, rub and resist rolling. A paddle of given
/// motion turns among them.
fn tumble(count: u32) -> (Scene, Vec<Handle>) {
    let mut scene = Scene::new(Settings { iterations: 10, contact_margin: 0.05, ..substeps(count) });
    let material = scene.material(0.5, 0.25);
    let pair = crate::contact::material::Pair {
        friction: 0.5,
        rolling_friction: 0.05,
        twisting_friction: 0.05,
        restitution: 0.25,
        ..Default::default()
    };
    scene.world.set_material_pair(material, material, pair).expect("a pair");
    let plane = scene.plane;
    let mut all = vec![scene.add(&Definition { kind: Kind::Static, shape: plane, material, ..Definition::default() })];
    let brick = scene.world.add_shape(Shape::cuboid([0.5, 0.375, 0.25]).expect("a box")).expect("memory");
    let paddle = Definition {
        kind: Kind::Kinematic,
        shape: brick,
        material,
        position: [0.5, 0.5, 0.5],
        linear_velocity: [0.25, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, 2.0],
        ..Definition::default()
    };
    all.push(scene.add(&paddle));
    for k in 0..18 {
        let (x, y, z) = (f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let shape = if k % 2 == 0 { scene.sphere } else { brick };
        let falling = Definition {
            shape,
            material,
            mass: if k % 5 == 0 { 25.0 } else { 0.5 + 0.25 * f64::from(k) },
            position: [1.02 * x - 0.5, 1.02 * y - 0.5, 1.51 + 1.03 * z],
            linear_velocity: [0.5 * y - 0.5, 0.5 - 0.5 * x, -2.0],
            angular_velocity: [1.0 - x, 2.0, y],
            ..Definition::default()
        };
        all.push(scene.add(&falling));
    }
    (scene, all)
}

type Vector = nalgebra::Vector3<f64>;

/// Momentum, angular momentum about the centre of mass, and that centre, of each slot.
fn momenta(scene: &Scene) -> Vec<(Vector, Vector, Vector)> {
    let bodies = &scene.world.bodies;
    let of = |at: usize| {
        let (motion, mass) = (&bodies.motion[at], &bodies.mass[at]);
        (mass.mass * motion.linear, mass.world_inertia(&motion.rotation).times(&motion.angular), motion.center)
    };
    (0..bodies.slots()).map(of).collect()
}

#[test]
fn forces_are_averages_over_the_step() {
    for count in [1, 2, 8] {
        let (mut scene, all) = tumble(count);
        let (mut impacts, mut contacts) = (0, 0);
        for step in 0..100 {
            let before = momenta(&scene);
            let push = [f64::from(step % 7) - 3.0, 2.0, 1.0];
            for body in &all[2..] {
                scene.world.add_force(*body, push, None).expect("a force");
                scene.world.add_torque(*body, [0.5, -0.25, 0.125]).expect("a torque");
            }
            scene.steps(1);
            let after = momenta(&scene);
            let (mut force_sum, mut torque_sum, mut largest) = (Vector::zeros(), Vector::zeros(), 10.0);
            for (slot, body) in all.iter().enumerate() {
                let (force, torque) = scene.world.body_force(*body).expect("a body");
                let (force, torque) = (Vector::from(force), Vector::from(torque));
                force_sum += force;
                torque_sum += torque + before[slot].2.cross(&force);
                largest = f64::max(largest, force.norm());
                if slot < 2 {
                    continue;
                }
                let ((p0, l0, _), (p1, l1, _)) = (before[slot], after[slot]);
                let weight = scene.world.bodies.mass[slot].mass * Vector::new(0.0, 0.0, -10.0);
                let missing = (p1 - p0) / STEP - weight - Vector::from(push) - force;
                // Round-off of what is added up, a few times in each of 8 substeps: 1e-13; far below the 1e-10 promised.
                let scale = (p0.norm() + p1.norm()) / STEP + weight.norm() + force.norm();
                assert!(missing.norm() <= 1e-13 * scale, "force on {slot} in {step}: {missing} of {scale}");
                let missing = (l1 - l0) / STEP - Vector::new(0.5, -0.25, 0.125) - torque;
                let scale = (l0.norm() + l1.norm()) / STEP + 1.0 + torque.norm() + force.norm();
                assert!(missing.norm() <= 1e-13 * scale, "torque on {slot} in {step}: {missing} of {scale}");
            }
            // 20 bodies within 10 m.
            assert!(force_sum.norm() <= 1e-13 * largest, "{force_sum}");
            assert!(torque_sum.norm() <= 1e-12 * largest, "{torque_sum}");
            impacts += scene.world.memory.loads.marks.iter().filter(|marks| marks.has(Marks::HAD_IMPACT)).count();
            contacts += scene.world.contact_count();
            check_contacts_sum_to_bodies(&scene, &all);
        }
        assert!(contacts > 2000 && impacts > 100, "{contacts} contacts and {impacts} impacts test little");
    }
}

/// The forces of the contacts add up to those of the bodies, and each is on its cone.
fn check_contacts_sum_to_bodies(scene: &Scene, all: &[Handle]) {
    for body in all {
        let mut sum = Vector::zeros();
        for contact in scene.world.contacts() {
            let force = contact.normal_force * Vector::from(contact.normal) + Vector::from(contact.friction_force);
            let sign = f64::from(i8::from(contact.body_b == *body)) - f64::from(i8::from(contact.body_a == *body));
            sum += sign * force;
            let friction = Vector::from(contact.friction_force).norm();
            assert!(friction <= 0.5 * contact.normal_force * (1.0 + 1e-12), "{contact:?}");
        }
        let force = Vector::from(scene.force(*body));
        // Tens of forces of up to 1e5 N, added in another order.
        assert!((sum - force).norm() <= 1e-13 * 1e5, "{sum} {force}");
    }
}

#[test]
fn forces_outlast_the_removal_of_another_body() {
    let (mut scene, all) = tumble(8);
    scene.steps(60);
    // What the removed one carried goes with it; one that it does not touch keeps its forces, from the list of contacts.
    let removed = all[10];
    let touched: Vec<Handle> = scene
        .world
        .contacts()
        .filter(|contact| contact.body_a == removed || contact.body_b == removed)
        .flat_map(|contact| [contact.body_a, contact.body_b])
        .collect();
    let others: Vec<Handle> = all.iter().copied().filter(|body| *body != removed && !touched.contains(body)).collect();
    let forces: Vec<[f64; 3]> = others.iter().map(|body| scene.force(*body)).collect();
    let mut reports: Vec<_> = scene.world.contacts().collect();
    scene.world.remove_body(removed).expect("a body");
    reports.retain(|contact| contact.body_a != removed && contact.body_b != removed);
    assert_eq!(scene.world.contacts().collect::<Vec<_>>(), reports);
    for (body, force) in others.iter().zip(forces) {
        close(scene.force(*body), force, 1e-8 * 1.0_f64.max(force[2].abs()));
    }
    assert!(!touched.is_empty() && others.len() > 5);
    // Refused, a step has forgotten the contacts of the removed body for good, and nothing else.
    let strict = Settings { iterations: 1, tolerance: 1e-15, require_convergence: true, ..*scene.world.settings() };
    scene.world.set_settings(strict).expect("settings");
    assert_eq!(scene.world.step(STEP).expect_err("one sweep").error.kind, ErrorKind::NotConverged);
    assert_eq!(scene.world.contacts().collect::<Vec<_>>(), reports);
}

#[test]
fn a_heavy_ball_on_a_light_one_sinks_less() {
    // 1000 kg on 1 kg. An impulse passed through the light ball loses a part in 1001 to it, so it takes a thousand
    // sweeps to arrive. Until then the heavy one sinks, the less the shorter the steps are. Sweeps correct speeds,
    // but not places. Measured: 87.9 mm against 10.8; half is asserted.
    let sinks = |count: u32, iterations: u32| {
        let mut scene = Scene::new(Settings { iterations, projection: Projection::Off, ..substeps(count) });
        scene.floor();
        for (k, mass) in [1.0, 1000.0].into_iter().enumerate() {
            scene.add(&Definition { mass, lock: Lock(0b111_011), ..scene.ball_at([0.0, 0.0, 0.5 + k as f64]) });
        }
        let step = |_| scene.world.step(1.0 / 60.0).expect("a step").max_overlap;
        (0..600).map(step).fold(0.0, f64::max)
    };
    let (one, ten) = (sinks(1, 50), sinks(10, 5));
    assert!(one > 0.01 && ten < 0.5 * one, "{one} m in one step of 50 sweeps, {ten} m in ten of 5");
}

#[test]
fn a_step_that_ends_nowhere_in_a_later_substep_is_undone() {
    // The largest number is 1.7977e308: 1.7930 and, in each of four substeps, 1.7e308 * STEP / 4 = 0.0033 more pass it in
    // the second.
    let mut scene = Scene::new(substeps(4));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let still = scene.ball([9.0; 3]);
    let ball = scene.add(&Definition { linear_velocity: [1.793e308, 0.0, 0.0], ..scene.ball_at([0.0; 3]) });
    scene.world.add_force(ball, [1.7e308, 0.0, 0.0], None).expect("a force");
    let before = (scene.world.hash(), scene.state(ball), scene.state(still));
    for _ in 0..2 {
        let error = scene.world.step(STEP).expect_err("infinite speed").error;
        assert_eq!(error.kind, ErrorKind::NotFinite);
        assert!(error.message.contains(&format!("{:#x}", ball.0)), "{error}");
        assert_eq!((scene.world.hash(), scene.state(ball), scene.state(still)), before);
    }
    scene.world.step(STEP / 4.0).expect("a quarter of it is finite");
}

#[test]
fn remembered_impulses_save_sweeps_at_any_number_of_substeps() {
    // From 4 substeps to any other number: impulses are scaled to the new length, and a column at rest needs no sweep.
    for warm_start in [WarmStart::History, WarmStart::Compatible] {
        for count in [1, 2, 4, 16] {
            // Settled ten times better than asked for then, since what is stretched fourfold is wrong four times as much.
            let settled = Settings { iterations: 5000, tolerance: 1e-13, warm_start, ..substeps(4) };
            let (mut scene, _) = column(settled);
            let settings = Settings { substeps: count, tolerance: 1e-12, ..settled };
            scene.world.set_settings(settings).expect("settings");
            assert_eq!(scene.world.step(STEP).expect("a step").iterations, 0, "{count} substeps");
        }
    }
}

#[test]
fn the_correction_is_that_of_the_averages() {
    // A slab of 3 kg on three fixed balls, as stiff as 1 : 3 : 1: 6, 18 and 6 N of 30 N. The solver leaves 1e-13 m/s in a
    // substep: 2e-10 N in each.
    let settings = Settings { iterations: 5000, tolerance: 1e-13, compatibility: Compatibility::Hooke, ..substeps(4) };
    let mut scene = Scene::new(settings);
    let top = scene.material(0.0, 0.0);
    for (x, stiffness) in [(-1.5, 1.0), (0.0, 3.0), (1.5, 1.0)] {
        let material = scene.material(0.0, 0.0);
        let pair = crate::contact::material::Pair { friction: 0.0, stiffness, ..Default::default() };
        scene.world.set_material_pair(top, material, pair).expect("a pair");
        scene.add(&Definition { kind: Kind::Static, material, mass: 0.0, ..scene.ball_at([x, 0.0, 0.5]) });
    }
    let shape = scene.world.add_shape(Shape::cuboid([2.0, 0.5, 0.25]).expect("a box")).expect("memory");
    scene.add(&Definition { shape, material: top, position: [0.0, 0.0, 1.25], mass: 3.0, ..Definition::default() });
    scene.steps(3);
    let mut forces: Vec<_> = scene.world.contacts().map(|c| (c.point[0], c.compatible_normal_force)).collect();
    forces.sort_by(|a, b| a.0.total_cmp(&b.0));
    close([forces[0].1, forces[1].1, forces[2].1], [6.0, 18.0, 6.0], 1e-9);
}

#[test]
fn what_substeps_leave_in_memory_shows() {
    let hash = |change: fn(&mut crate::contact::Memory)| {
        let (mut scene, _) = column(substeps(4));
        change(&mut scene.world.memory);
        scene.world.hash()
    };
    let changes: [fn(&mut crate::contact::Memory); 3] =
        [|_| {}, |memory| memory.substep *= 0.5, |memory| memory.loads.marks[1] = Marks::new(false, true, false)];
    let hashes = changes.map(hash);
    assert!(hashes[0] != hashes[1] && hashes[0] != hashes[2] && hashes[0] == hash(|_| {}));
}
