//! The list of what is state is complete, and nothing of the workspace is in it.

use crate::contact::StiffnessLaw;
use std::sync::Arc;

use super::digest::build::Scene;
use super::digest::scenes;
use super::scene::column;
use crate::contact::material::{Material, Pair};
use crate::id::SlotSet;
use crate::math::{Period, Vec3};
use crate::shape::Shape;
use crate::solver::Velocity;
use crate::visit::tests::{every_change_shows, members, words};
use crate::world::active_bodies::ActiveBodies;
use crate::world::commit::ContactForces;
use crate::world::readback::ReadbackState;
use crate::world::state::Workspace;
use crate::world::{Settings, World};

const STEPS: usize = 1000;

/// Replaces what is not state by what can be made from the state.
fn reset_workspace(world: &mut World) {
    world.workspace = Workspace::new(&world.tasks);
    let mut active_bodies = ActiveBodies::default();
    let bodies = &world.bodies;
    active_bodies.reserve(bodies.order.len(), bodies.slots()).expect("memory");
    // The order in which bodies are added has no effect.
    for slot in bodies.order.iter().rev() {
        let at = *slot as usize;
        let radius = world.shapes.get(bodies.traits[at].shape).expect("a shape").bounding_radius();
        active_bodies.insert(bodies, at, radius);
    }
    active_bodies.note_sleep();
    world.active_bodies = active_bodies;
}

fn state(world: &World) -> Vec<u64> {
    words(|recorded| world.visit_state(recorded))
}

/// Steps a scene next to the same scene. `is_reset` returns before which steps the workspace of the second one is
/// rebuilt.
fn step_beside_fresh_workspace(make: impl Fn() -> Scene, steps: usize, is_reset: impl Fn(usize) -> bool) {
    let (mut kept, mut fresh) = (make(), make());
    for step in 1..=steps {
        (kept.act)(&mut kept.world, step);
        (fresh.act)(&mut fresh.world, step);
        if is_reset(step) {
            reset_workspace(&mut fresh.world);
        }
        let report = kept.world.step(kept.step).expect("a step");
        let other = fresh.world.step(fresh.step).expect("a step");
        let (words, others) = (state(&kept.world), state(&fresh.world));
        let place = words.iter().zip(&others).position(|(a, b)| a != b);
        assert_eq!((place, words.len()), (None, others.len()), "step {step}: the word at which the states differ");
        assert!(kept.world.has_same_state(&fresh.world).expect("memory"));
        assert_eq!(kept.world.hash(), fresh.world.hash());
        assert_eq!((report.contacts, report.new_contacts), (other.contacts, other.new_contacts), "step {step}");
        assert_eq!(report.residual_max.to_bits(), other.residual_max.to_bits(), "step {step}");
    }
}

/// Steps with and without the workspace of the last one, alternately in runs of different length.
fn by_turns(step: usize) -> bool {
    step % 7 < 4
}

/// Gravity turns, so that contacts come and go.
#[test]
fn spheres_step_alike_with_a_fresh_workspace() {
    let tilted = || {
        let mut scene = scenes::spheres();
        scene.act = Box::new(|world, step| {
            if step % 100 == 0 {
                let side = 2.0 * ((step / 100 % 3) as f64 - 1.0);
                world.set_gravity([side, 0.5 * side, -9.81]).expect("gravity");
            }
        });
        scene
    };
    step_beside_fresh_workspace(tilted, STEPS, by_turns);
}

#[test]
fn boxes_with_projection_step_alike_with_a_fresh_workspace() {
    step_beside_fresh_workspace(scenes::boxes, STEPS, by_turns);
}

#[test]
fn substeps_step_alike_with_a_fresh_workspace() {
    step_beside_fresh_workspace(scenes::substeps, STEPS, by_turns);
}

#[test]
fn sleeping_bodies_step_alike_with_a_fresh_workspace() {
    step_beside_fresh_workspace(scenes::sleep, STEPS, |_| true);
}

#[test]
fn a_driven_body_steps_alike_with_a_fresh_workspace() {
    let rolling = || {
        let mut scene = scenes::driven();
        let pair = Pair { rolling_friction: 0.05, twisting_friction: 0.02, ..Pair::default() };
        Arc::make_mut(&mut scene.world.materials).set_pair(1, 1, pair).expect("a pair");
        scene
    };
    step_beside_fresh_workspace(rolling, STEPS, |_| true);
}

#[test]
fn every_shape_and_the_correction_step_alike_with_a_fresh_workspace() {
    step_beside_fresh_workspace(scenes::mixed, 240, |_| true);
    step_beside_fresh_workspace(scenes::compatible, 70, by_turns);
}

#[test]
fn every_member_of_a_world_is_visited() {
    let changes = members!(World {
        settings: |world| world.settings.seed = 1,
        gravity: |world| world.gravity.x = -0.0,
        strain_rate: |world| world.strain_rate.y = 0.5,
        period: |world| world.period = Period::new([0.0, 4.0, 0.0]).expect("a box"),
        materials: |world| _ = world.add_material(Material::default()).expect("a material"),
        shapes: |world| _ = world.add_shape(Shape::sphere(1.0).expect("a sphere")).expect("memory"),
        bodies: |world| world.bodies.motion[1].linear.x += 1.0,
        sleep: |world| world.sleep.sleep_timer = vec![1.0; 5],
        memory: |world| world.memory.step = 1.0,
        readback: |world| world.readback.stiffness_law = StiffnessLaw::RelativeHertz,
        contact_forces: |world| world.contact_forces.sums[1].force.x += 1.0,
        removed: |world| remove(&mut world.removed, 3),
        displacements: |world| world.displacements = vec![[1.0; 6]; 5],
        projection_budget: |world| world.projection_budget.repaid_at = vec![1000; 5],
        anchors: |world| world.anchors.moved.reserve(5).map(|()| world.anchors.moved.insert(1)).expect("memory"),
        joints: |world| _ = world.joints.registry.insert(),
        elastic_energy: |world| world.elastic_energy = Some(1.0),
    } but { tasks, active_bodies, workspace });
    let make = || column(Settings::default()).0.world;
    every_change_shows(&changes, make, |world, recorded| world.visit_state(recorded));
    let changes = members!(ContactForces {
        sums: |forces| forces.sums[1].force.x += 1.0,
        slots: |forces| _ = forces.slots.pop(),
    });
    every_change_shows(
        &changes,
        || make().contact_forces,
        |ContactForces { sums, slots }, recorded| {
            let contact_forces = ContactForces { sums: sums.clone(), slots: slots.clone() };
            World { contact_forces, ..make() }.visit_state(recorded);
        },
    );
}

fn remove(removed: &mut SlotSet, slot: usize) {
    removed.reserve(5).expect("memory");
    removed.insert(slot);
}

#[test]
fn every_member_that_contacts_are_read_with_is_visited() {
    let make = || {
        let mut readback = column(Settings::default()).0.world.readback;
        readback.velocities.fill(Velocity { linear: Vec3::repeat(1.0), angular: Vec3::repeat(2.0) });
        readback
    };
    let changes = members!(ReadbackState {
        balls: |readback| readback.balls[2].center.x += 1.0,
        rows: |readback| readback.rows[2] = 99,
        velocities: |readback| readback.velocities[1].angular.x = 3.0,
        materials: |readback| _ = Arc::make_mut(&mut readback.materials).add(Material::default()).expect("memory"),
        stiffness_law: |readback| readback.stiffness_law = StiffnessLaw::RelativeHertz,
    });
    every_change_shows(&changes, make, |readback, recorded| readback.visit_state(recorded, &[1, 2, 3, 4]));
    // Nothing is read of slots without contacts.
    let (mut other, one) = (make(), make());
    other.balls[4].radius = 7.0;
    let state = |readback: &ReadbackState| words(|recorded| readback.visit_state(recorded, &[1, 2, 3]));
    assert_eq!(state(&one), state(&other));
}

#[test]
fn removed_bodies_are_a_set() {
    let removed = |slots: &[usize]| {
        let mut removed = SlotSet::default();
        slots.iter().for_each(|slot| remove(&mut removed, *slot));
        words(|recorded| removed.visit_state(recorded))
    };
    assert_eq!(removed(&[1, 3]), removed(&[3, 1]));
    assert_ne!(removed(&[1]), removed(&[3]));
    let mut cleared = SlotSet::default();
    remove(&mut cleared, 2);
    cleared.clear();
    assert_eq!(words(|recorded| cleared.visit_state(recorded)), removed(&[]));
}
