//! Bounds of joints, and the events of a step.

use super::joints::{exact, request};
use super::scene::Scene;
use crate::id::Handle;
use crate::joint::{AxisMode, JointAxis, JointKind};
use crate::world::JointEventKind::{Broken, Limit};
use crate::world::{JointEvent, JointEventKind};

/// A ball on a vertical slider at the height 4 m, with a lower bound 0.2 m below.
fn sliding(substeps: u32, restitution: f64) -> (Scene, Handle) {
    let mut scene = Scene::new(exact(substeps));
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let joint = scene.world.add_joint(&request(&scene, JointKind::Slider, [Handle::NULL, ball], [0.0, 0.0, 4.0]));
    let joint = joint.expect("a joint");
    let mut axis = JointAxis::new(JointKind::Slider);
    (axis.mode, axis.lower, axis.limit_restitution) = (AxisMode::Limited, -0.2, restitution);
    scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
    (scene, joint)
}

fn events(scene: &Scene) -> Vec<JointEvent> {
    scene.world.joint_events().collect()
}

/// The steps, of so many, after which each event was there.
fn collect_events(scene: &mut Scene, steps: usize) -> Vec<(usize, JointEventKind, u32)> {
    let mut collect_events = Vec::new();
    for step in 0..steps {
        scene.steps(1);
        collect_events.extend(events(scene).into_iter().map(|event| (step, event.kind, event.axis)));
    }
    collect_events
}

#[test]
fn an_axis_comes_to_its_bound_once_and_rests_there() {
    for substeps in [1, 7] {
        let (mut scene, joint) = sliding(substeps, 0.0);
        assert!(events(&scene).is_empty(), "before the first step");
        let all = collect_events(&mut scene, 200);
        // It falls 0.2 m at 10 m/s^2 in 0.2 s: 25.6 steps of 1/128 s.
        assert_eq!(all, [(25, Limit, 2)], "{substeps} substeps");
        assert!(scene.world.joint_state(joint).expect("a joint").is_at_limit[2][0]);
    }
}

#[test]
fn an_impact_within_a_step_is_reported_once() {
    // It rebounds in the middle of a step of many substeps, and is off the bound at its end.
    let (mut scene, joint) = sliding(50, 0.5);
    let all = collect_events(&mut scene, 30);
    let [(_, Limit, 2)] = all[..] else { panic!("{all:?}") };
    assert!(!scene.world.joint_state(joint).expect("a joint").is_at_limit[2][0]);
}

#[test]
fn what_is_put_at_its_bound_does_not_come_to_it() {
    let (mut scene, joint) = sliding(1, 0.0);
    let mut axis = scene.world.joint_axis(joint, 2).expect("an axis");
    axis.lower = 0.0;
    scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
    assert_eq!(collect_events(&mut scene, 20), []);
    // Off and on again it is still there.
    scene.world.set_joint_enabled(joint, false).expect("a joint");
    scene.world.set_joint_enabled(joint, true).expect("a joint");
    assert_eq!(collect_events(&mut scene, 20), []);
    // Another bound, to which it falls.
    axis.lower = -0.1;
    scene.world.set_joint_axis(joint, 2, &axis).expect("an axis");
    assert_eq!(collect_events(&mut scene, 100).len(), 1);
}

#[test]
fn a_rope_becomes_taut() {
    let mut scene = Scene::new(exact(3));
    let ball = scene.ball([0.0, 0.0, 4.0]);
    let mut rope = request(&scene, JointKind::Distance, [Handle::NULL, ball], [0.0, 0.0, 4.0]);
    rope.definition.point_a = [0.0, 0.0, 5.0];
    (rope.definition.length_min, rope.definition.length_max) = (0.0, 1.1);
    let joint = scene.world.add_joint(&rope).expect("a joint");
    let all = collect_events(&mut scene, 100);
    assert!(matches!(all[..], [(_, Limit, 0)]), "{all:?}");
    let state = scene.world.joint_state(joint).expect("a joint");
    assert_eq!(state.is_at_limit[0], [false, true]);
}

/// Two balls that hang on fixed joints, the second one of which breaks in each step in which it acts.
fn breaking() -> (Scene, [Handle; 2]) {
    let mut scene = Scene::new(exact(2));
    let joints = [0.0, 3.0].map(|x| {
        let ball = scene.ball([x, 0.0, 4.0]);
        let mut fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [x, 0.0, 4.0]);
        fixed.definition.break_force = if x == 0.0 { 11.0 } else { 9.0 };
        scene.world.add_joint(&fixed).expect("a joint")
    });
    (scene, joints)
}

#[test]
fn a_joint_breaks_once() {
    let (mut scene, [_, weak]) = breaking();
    scene.steps(1);
    assert_eq!(events(&scene), [JointEvent { joint: weak, kind: Broken, axis: 0 }]);
    assert!(scene.world.joint_state(weak).expect("a joint").is_broken);
    assert_eq!(collect_events(&mut scene, 10), []);
    scene.world.set_joint_enabled(weak, true).expect("a joint");
    assert_eq!(collect_events(&mut scene, 10), [(0, Broken, 0)]);
}

#[test]
fn events_of_removed_joints_are_gone_and_a_failed_step_changes_none() {
    let (mut scene, [_, weak]) = breaking();
    scene.steps(1);
    let hash = scene.world.hash();
    scene.world.step(-1.0).expect_err("no step");
    assert_eq!((events(&scene).len(), scene.world.hash()), (1, hash));
    scene.world.remove_joint(weak).expect("a joint");
    assert!(events(&scene).is_empty());
}

#[test]
fn events_come_by_the_slots_of_their_joints() {
    let (mut scene, [strong, weak]) = breaking();
    scene.world.remove_joint(strong).expect("a joint");
    // The new joint takes the slot of the removed one, and is the last one in the order of creation.
    let ball = scene.ball([6.0, 0.0, 4.0]);
    let mut fixed = request(&scene, JointKind::Fixed, [Handle::NULL, ball], [6.0, 0.0, 4.0]);
    fixed.definition.break_force = 9.0;
    let late = scene.world.add_joint(&fixed).expect("a joint");
    assert_eq!(scene.world.joint_handles().collect::<Vec<_>>(), [weak, late]);
    scene.steps(1);
    assert_eq!(events(&scene).iter().map(|event| event.joint).collect::<Vec<_>>(), [late, weak]);
}

#[test]
fn a_sleeping_joint_has_no_events() {
    let (mut scene, _) = sliding(1, 0.0);
    scene.world.set_settings(crate::world::Settings { sleeping: true, ..exact(1) }).expect("settings");
    assert_eq!(collect_events(&mut scene, 300).len(), 1);
    assert!(scene.world.sleep.is_used());
}
